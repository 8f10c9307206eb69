#!/usr/bin/env bash
# A 24 MP raw to JPEG q92, ours and the peers that are installed, in turn on one machine.
#   bench/raw.sh [FILE.dng]   default: the analytic scene, uncompressed (photographed first)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. bench/timing.sh
bin=${IMAGO_BUILD:-build/release}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

raw=${1:-}
if [[ -z $raw ]]; then
  raw=$work/scene.dng
  "$bin/imago-demo-scene" --raw "$raw" --size 6000x4000 --iso 100
fi
export RUST_LOG=off
runs=3

table_head
measure 'imago-cli, full size, CPU' $runs "$bin/imago-cli" render "$raw" -o "$work/ours.jpg" --backend cpu
measure 'imago-cli, 2560 px, CPU' $runs "$bin/imago-cli" render "$raw" -o "$work/ours.jpg" --size 2560 --backend cpu
if has darktable-cli; then
  darktable() { rm -f "$work/peer.jpg" && darktable-cli "$raw" "$work/peer.jpg" "$@" --core --configdir "$work/darktable" \
    --conf plugins/imageio/format/jpeg/quality=92; }
  export -f darktable
  export raw work
  darktable >/dev/null 2>&1 || true # its first start builds a database
  measure 'darktable-cli default, full size' $runs bash -c darktable
  measure 'darktable-cli default, 2560 px' $runs bash -c 'darktable --width 2560 --height 2560 --hq 0'
fi
if has rawtherapee-cli; then
  measure 'rawtherapee-cli neutral, full size' $runs rawtherapee-cli -Y -j92 -o "$work/peer.jpg" -c "$raw"
  measure 'rawtherapee-cli default (-d), full size' $runs rawtherapee-cli -Y -d -j92 -o "$work/peer.jpg" -c "$raw"
fi
has dcraw_emu && measure 'LibRaw dcraw_emu AHD to 16-bit TIFF' $runs dcraw_emu -w -W -T -q 3 -Z "$work/peer.tif" "$raw"
