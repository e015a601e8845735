#!/usr/bin/env bash
# Proves what ./brio does on machines that are not this one: the launcher runs in a small checkout of its own, where
# dpkg-query, apt-get, id, cmake and ninja are stand-ins that write down how they were called.
# shellcheck disable=SC2016,SC2317  # the stand-ins expand their own variables; expect calls the checks
set -uo pipefail
sources=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
checkout="$work/a checkout"
calls="$work/calls"
failures=0

expect() { # WHAT COMMAND...
  "${@:2}" && return
  echo "FAILED: $1"
  sed 's/^/  stderr: /' "$work/stderr"
  sed 's/^/  call: /' "$calls"
  failures=$((failures + 1))
}
stand_in() { # NAME BODY
  printf '#!/bin/bash\necho "%s $*" >>"%s"\n%s\n' "$1" "$calls" "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
launch() { # ARGUMENTS...
  PATH="$work/bin:$PATH" "$checkout/brio" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
}
called() { grep -q -- "$1" "$calls"; }
said() { grep -q -- "$1" "$work/stderr"; }
fresh_checkout() {
  rm -rf "$checkout" "${work:?}/bin"
  mkdir -p "$checkout/tools" "$checkout/src" "$checkout/apps" "$checkout/bench" "$work/bin"
  cp "$sources/brio" "$sources/CMakePresets.json" "$checkout"
  cp "$sources/tools/bootstrap.sh" "$checkout/tools"
  printf '# All\n# build (b)\nlibone-dev\nlibtwo-dev\nshell bash\n# python: p\nlibpython\n# test\nlibthree-dev\n' >"$checkout/tools/packages.txt"
  stand_in dpkg-query 'echo "installed libone-dev"; exit 1'
  stand_in apt-get ''
  stand_in id 'echo 0'
  stand_in cmake 'mkdir -p build/release && touch build/release/build.ninja && echo "-- noise"'
  stand_in ninja 'echo "ninja: Entering directory"; echo "[1/1] Linking brio"
    mkdir -p "$2/apps/brio" && printf "#!/bin/bash\npwd; printf \"<%%s>\" \"\$@\"; exit 7\n" >"$2/apps/brio/brio"
    chmod +x "$2/apps/brio/brio"'
  : >"$calls"
}

fresh_checkout
mkdir "$work/elsewhere"
(cd "$work/elsewhere" && launch run "two words" '*')
expect "the program's exit code is the launcher's" test $? -eq 7
expect "arguments and working directory reach the program unchanged, and stdout is its own" \
  test "$(<"$work/stdout")" == "$work/elsewhere"$'\n''<run><two words><*>'
expect "the package lists are refreshed before installing" called '^apt-get .*update'
expect "only missing packages of the build section are installed" called 'install --no-install-recommends libtwo-dev$'
expect "only the program is built" called '^ninja .*brio_app$'
expect "progress is told" said 'brio: installing packages (1): libtwo-dev'
launch bench
expect "benchmarks are built when they are asked for" called '^ninja .*brio_app brio_bench_app$'
expect "packages of Python are not asked for before they are needed" test -z "$(grep libpython "$calls")"
launch python script.py
expect "the Python module is built when it is asked for" called '^ninja .*brio_app brio_python$'
expect "what it needs is installed then" called 'install --no-install-recommends libpython libtwo-dev$'
launch bench python
expect "its benchmark needs both" called '^ninja .*brio_app brio_bench_app brio_python$'
launch orders
expect "experiments are built when they are asked for" called '^ninja .*brio_app brio_lab_app$'
mkdir "$checkout/studio" && printf '#!/bin/bash\necho page >>"%s"\n' "$calls" >"$checkout/studio/build" && chmod +x "$checkout/studio/build"
launch studio
expect "the studio's server is built when it is asked for" called '^ninja .*brio_app brio_studio_app$'
expect "and its page" called '^page$'
launch share scene.toml
if [[ -d /usr/share/emscripten ]]; then
  expect "the engine for pages is built when one is shared" called '^ninja .*build/web brio_web$'
else
  expect "without Emscripten it says where that must be" said 'brio: this needs Emscripten'
fi

: >"$calls"
stand_in ninja 'echo "ninja: Entering directory"; echo "[0/2] Re-checking globbed directories..."; echo "ninja: no work to do."'
launch
expect "an up-to-date checkout is silent" test ! -s "$work/stderr"
expect "an up-to-date checkout asks ninja and nobody else" test "$(cut -d' ' -f1 "$calls")" == ninja

ln -s "$checkout/brio" "$work/link"
PATH="$work/bin:$PATH" "$work/link" x >"$work/stdout" 2>"$work/stderr"
expect "a symbolic link works as the launcher" grep -q '<x>' "$work/stdout"

stand_in ninja 'echo "[1/2] Building a.cpp"; echo "FAILED: a.cpp"; echo "a.cpp:1: error: expected ;"; exit 1'
launch
expect "a failed build is a failure" test $? -eq 1
expect "a failed build shows the compiler's error" said 'a.cpp:1: error: expected ;'
expect "a failed build leaves stdout empty" test ! -s "$work/stdout"

: >"$calls"
mv "$checkout" "$work/moved"
checkout="$work/moved"
launch
expect "a checkout that has moved is configured afresh" called '^cmake --fresh --preset release'

checkout="$work/a checkout"
fresh_checkout
stand_in id 'echo 1000'
launch
expect "missing packages fail for an ordinary user" test $? -eq 1
expect "an ordinary user is told the line to run" said 'sudo apt-get install --no-install-recommends libtwo-dev$'
expect "nothing is installed or built behind an ordinary user's back" test "$(grep -cE '^(apt-get|ninja)' "$calls")" -eq 0

fresh_checkout
stand_in apt-get 'echo "E: Unable to locate package libtwo-dev"; exit 100'
launch
expect "failing to install is a failure" test $? -eq 1
expect "failing to install shows apt-get's reason" said 'E: Unable to locate package libtwo-dev'

exit $((failures > 0))
