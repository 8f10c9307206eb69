#!/usr/bin/env bash
# pipeline_360 masks, decode to written mask, against the network's inference alone, in turn; two threads.
#   bench/masks.sh MODEL.onnx PICTURE.jpg [DEVICE]   MODEL: YOLO segmentation of open size; PICTURE: a face
# MASKS_BENCH_COUNT: copies of the picture (default 48).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=${IMAGO_BUILD:-build/release}/bin
if [[ $# -lt 2 ]]; then
  echo "bench/masks.sh MODEL.onnx PICTURE.jpg [DEVICE]: not given, nothing measured"
  exit 0
fi
model=$1 picture=$2 device=${3:-cpu} count=${MASKS_BENCH_COUNT:-48}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/in"
for ((i = 0; i < count; ++i)); do cp "$picture" "$work/in/$(printf %04d "$i").jpg"; done
two=(taskset --cpu-list 0,1)
[[ $device == cpu ]] || two=()

whole_run() { # SIZE COUNT: wall seconds over COUNT pictures
  local start end
  rm -rf "$work/some" && mkdir "$work/some"
  (cd "$work/in" && for file in $(ls | head -n "$2"); do ln "$file" "$work/some/$file"; done)
  start=$(date +%s.%N)
  "${two[@]}" "$bin/pipeline_360" masks --input-dir "$work/some" --output-dir "$work/out" --mask-model "$model" \
    --mask-imgsz "$1" --mask-device "$device" --force >/dev/null 2>&1
  end=$(date +%s.%N)
  awk -v a="$start" -v b="$end" 'BEGIN { print b - a }'
}

printf '| size | device | inference alone, ms | a picture from file to mask, ms | ratio |\n|---|---|---|---|---|\n'
for size in 640 1280; do
  alone='' whole=''
  for round in 1 2 3; do
    alone+="$("${two[@]}" "$bin/masks_bench" "$model" "$size" 20 2 "$device" | cut -d' ' -f1) "
    # Start and model loading are taken out by the difference of two runs.
    whole+="$(awk -v a="$(whole_run "$size" "$count")" -v b="$(whole_run "$size" $((count / 4)))" -v n="$((count - count / 4))" \
      'BEGIN { print 1000 * (a - b) / n }') "
  done
  awk -v s="$size" -v d="$device" -v a="$alone" -v w="$whole" 'BEGIN {
    n = split(a, x, " "); split(w, y, " "); p = x[1]; q = y[1]
    for (i = 2; i <= n; ++i) { if (x[i] < p) p = x[i]; if (y[i] < q) q = y[i] }
    printf "| %d | %s | %.1f | %.1f | %.2f |\n", s, d, p, q, q / p }'
done
