#!/usr/bin/env bash
# An 8K panorama to six 1920 px faces at 90 degrees, ours and the peers that are installed, in turn on one machine.
#   bench/faces.sh [PANORAMA.jpg]   default: the analytic scene, 7680 x 3840
# PYTHON=… a Python with OpenCV (cv2) and numpy, for that row.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. bench/timing.sh
bin=${IMAGO_BUILD:-build/release}/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/in"
if [[ -n ${1:-} ]]; then
  cp "$1" "$work/in/frame.jpg"
else
  "$bin/imago-demo-scene" --pano "$work/in/frame.jpg" --pano-size 7680x3840
fi
export RUST_LOG=off
runs=3

echo 'Resampling alone, in one process:'
"$bin/faces_bench" "$work/in/frame.jpg"
echo
table_head
for filter in aniso cubic lanczos; do
  measure "pipeline_360 $filter, jpg to jpg, CPU" $runs "$bin/pipeline_360" cubemap --input-dir "$work/in" \
    --output-dir "$work/out" --fov 90 --face-size 1920 --filter $filter --backend cpu --force
done
if has ffmpeg; then
  for interpolation in linear cubic lanczos; do
    measure "ffmpeg v360 $interpolation, jpg to one jpg" $runs ffmpeg -y -i "$work/in/frame.jpg" -vf \
      "v360=e:c3x2:w=5760:h=3840:interp=$interpolation" -q:v 2 "$work/peer.jpg"
  done
fi
if "${PYTHON:-python3}" -c 'import cv2' 2>/dev/null; then
  echo
  echo 'OpenCV remap, resampling alone, maps prebuilt:'
  "${PYTHON:-python3}" bench/faces_opencv.py "$work/in/frame.jpg"
fi
