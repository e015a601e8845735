#!/usr/bin/env bash
# The studio, and pages of `brio share`, in a browser: browser.sh BRIO-STUDIO FOLDER [--full]. 77, which is a test that was
# skipped, where there is no Chromium, no node, or no network to fetch the page's packages. Pages are tried where the engine
# for them was built (`./brio share`).
set -uo pipefail
studio=$1
work=$2
full=${3:-}
root=$(dirname "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")")
for command in chromium node npm; do
  command -v "$command" >/dev/null || { echo "skipped: needs $command"; exit 77; }
done
rm -rf "$work" && mkdir -p "$work" || exit 1
"$root/studio/build" "$work/page" || { echo "skipped: the page's packages cannot be fetched"; exit 77; }
playwright=$root/studio/node_modules/playwright-core
[[ -d $playwright ]] || { echo "skipped: needs playwright-core"; exit 77; }
pictures=()
[[ $full == --full ]] && pictures=("$work/pictures")
chromium=$(command -v chromium)
failed=0

cd "$work" || exit 1
"$studio" studio "$root/scenes/hello.toml" --no-open --page "$work/page" >address.txt &
server=$!
trap 'kill $server 2>/dev/null' EXIT
for _ in {1..200}; do grep -q token address.txt && break; sleep 0.05; done
timeout 600 node "$root/tests/studio/browser.mjs" "$playwright" "$chromium" "$(grep -o 'http://[^ ]*' address.txt)" "${pictures[@]}" ||
  failed=1

if [[ -f $work/page/engine.wasm ]]; then
  "$studio" share "$root/scenes/hello.toml" --page "$work/page" -o "$work/shared.html" || exit 1
  timeout 600 node "$root/tests/studio/shared_page.mjs" "$playwright" "$chromium" "$work/shared.html" "${pictures[@]}" || failed=1
else
  echo "no page of brio share: the engine for pages is not built"
fi
exit $failed
