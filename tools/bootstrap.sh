# Shared by ./brio and ./test: installs what is missing, configures and builds. To be sourced with `root` set to the
# checkout and `me` to the name to sign messages with. All talk goes to stderr, so that stdout stays the program's own.
# shellcheck shell=bash disable=SC2154

say() { printf '%s: %s\n' "$me" "$*" >&2; }

fail() {
  say "$@"
  exit 1
}

# One bootstrap at a time per checkout; the lock ends with the process (or subshell) or at unlock_build.
lock_build() {
  mkdir -p "$root/build" || fail "cannot write to $root/build"
  exec {lock_fd}>"$root/build/.lock" || fail "cannot write to $root/build"
  flock --timeout 1 "$lock_fd" && return
  say "waiting for another build of this checkout …"
  flock "$lock_fd"
}

unlock_build() { exec {lock_fd}>&-; }

# The packages of a section of tools/packages.txt: `build`, or `test` which comes after it in the file; without those
# whose command is here, wherever it came from.
packages_of() {
  local package command
  sed -n "/^# $1\\b/,/^# /{/^[^#]/p}" "$root/tools/packages.txt" | while read -r package command; do
    [[ -n $command ]] && command -v "$command" >/dev/null || echo "$package"
  done
}

# Debian packages of the sections given that are not installed yet.
missing_packages() {
  local wanted installed
  wanted=$(for section in "$@"; do packages_of "$section"; done | sort -u)
  # shellcheck disable=SC2086  # one word per package
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p' | sort -u)
  comm -23 <(echo "$wanted") <(echo "$installed") | tr '\n' ' ' | sed 's/ $//'
}

# Installs the packages of the sections given, unless the list is the one that was installed last time.
install_packages() {
  local stamp="$root/build/.packages-${*: -1}" log="$root/build/install.log" missing
  [[ -f $stamp && $(<"$stamp") == "$(<"$root/tools/packages.txt")" ]] && return
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is not a Debian system; what these Debian packages hold must be installed:"
    for section in "$@"; do packages_of "$section"; done | sed 's/^/  /' >&2
    cp "$root/tools/packages.txt" "$stamp"
    return
  fi
  missing=$(missing_packages "$@")
  if [[ -n $missing ]]; then
    if (($(id -u) != 0)); then
      say "packages are missing; as a user who may install them, run"
      say "  sudo apt-get update && sudo apt-get install --no-install-recommends $missing"
      fail "and then this command again"
    fi
    say "installing packages ($(wc -w <<<"$missing")): $missing …"
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q -o DPkg::Lock::Timeout=600 update </dev/null >"$log" 2>&1 ||
      say "the package lists could not be brought up to date (details in build/install.log); trying with the old ones"
    # shellcheck disable=SC2086  # one word per package
    if ! apt-get -q -y -o DPkg::Lock::Timeout=600 install --no-install-recommends $missing </dev/null >>"$log" 2>&1; then
      tail -n 15 "$log" >&2
      fail "installing failed; all of apt-get's output is in $log"
    fi
  fi
  cp "$root/tools/packages.txt" "$stamp"
}

# configure PRESET: once per checkout; from scratch when the checkout has moved or presets have changed, because CMake
# remembers absolute paths and what presets no longer say.
configure() {
  local build="$root/build/$1" fresh=() log="$root/build/configure-$1.log"
  local stamp="$build/.configured-for" now
  now="$root $(cksum <"$root/CMakePresets.json")"
  if [[ -f $stamp && -f $build/build.ninja ]]; then
    [[ $(<"$stamp") == "$now" ]] && return
    fresh=(--fresh)
  fi
  say "configuring ($1) …"
  if ! (cd "$root" && cmake "${fresh[@]}" --preset "$1") >"$log" 2>&1; then
    cat "$log" >&2
    fail "configuring failed"
  fi
  echo "$now" >"$stamp"
}

# Reads ninja's output: nothing to do is silence, progress is one line on a terminal, the rest (errors) goes through.
show_progress() {
  local line announced=no on_line=no
  while IFS= read -r line; do
    case $line in
      "ninja: Entering directory"* | "ninja: no work to do."* | *"Re-checking globbed directories"*) continue ;;
    esac
    if [[ $announced == no ]]; then
      say "$1"
      announced=yes
    fi
    if [[ ! -t 2 ]]; then
      printf '%s\n' "$line" >&2
    elif [[ $line == "["[0-9]*/* ]]; then
      printf '\r\033[K%.*s' 79 "$line" >&2
      on_line=yes
    else
      [[ $on_line == yes ]] && printf '\n' >&2
      on_line=no
      printf '%s\n' "$line" >&2
    fi
  done
  [[ $on_line == no ]] || printf '\r\033[K' >&2
}

# build PRESET [TARGET...]: brings the targets up to date.
build() {
  local directory="$root/build/$1" preset=$1 message="building ($1) …" sources cores folders
  shift
  configure "$preset"
  if [[ ! -f $directory/.ninja_log ]]; then
    folders=("$root/src" "$root/apps")
    (($# > 0)) || folders+=("$root/bench" "$root/tests")
    sources=$(find "${folders[@]}" -name '*.cpp' | wc -l)
    cores=$(nproc)
    message="building ($preset, first time, about $((sources * 2 / cores / 60 + 1)) min) …"
  fi
  ninja -C "$directory" "$@" 2>&1 | show_progress "$message"
  ((PIPESTATUS[0] == 0)) || fail "building failed, see above"
}

# The engine for pages that simulate by themselves.
build_web() {
  [[ -d /usr/share/emscripten ]] ||
    fail "this needs Emscripten where Debian's package puts it, in /usr/share/emscripten"
  build web brio_web
}
