#!/usr/bin/env bash
# Runs a scene with every kind of body and has its animation files read by programs that are not ours. Exit code 77:
# what is needed to read them is not here.
#   test.sh BRIO_PROGRAM WORK_FOLDER [--full]    --full: also by Blender and VTK
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
program=$1
work=$2
full=${3:-}

skip() {
  echo "skipped: $*"
  exit 77
}

command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are not installed (apt-get install npm)"
mkdir -p "$work"
cp "$here"/package.json "$here"/*.mjs "$work"
if [[ ! -d $work/node_modules/gltf-validator || ! -d $work/node_modules/tinyusdz ]]; then
  (cd "$work" && npm install --no-package-lock --no-audit --no-fund >npm.log 2>&1) ||
    skip "npm cannot fetch the readers (see $work/npm.log)"
fi
"$program" run "$here/every_kind.toml" -o "$work/run" --force --formats usda,pc2,gltf,vtu,obj,ply
node "$work/read_usda.mjs" "$work/run"
node "$work/read_gltf.mjs" "$work/run"
[[ $full == --full ]] || exit 0

python=$(for p in python3 /usr/bin/python3; do "$p" -c 'import vtkmodules' 2>/dev/null && echo "$p" && break; done) ||
  skip "VTK is not installed (apt-get install python3-vtk9)"
"$python" "$here/read_vtu.py" "$work/run"
command -v blender >/dev/null || skip "Blender is not installed (apt-get install blender)"
blender --background --factory-startup --python-exit-code 1 --python "$here/read_with_blender.py" -- "$work/run"
