#!/usr/bin/env bash
# ./dev demo [FILE…]: a raw becomes out/developed.jpg, a panorama becomes six cube faces in out/faces. Without files, the
# analytic scene of src/scene is photographed first. Own raws go to out/<name>.jpg.
set -euo pipefail
bin=build/release/bin
out=out
mkdir -p "$out"

results=()
failed=0

step() { # TITLE RESULT COMMAND…: runs it, tells how long it took, remembers what to look at
  local title=$1 result=$2 start milliseconds status=0
  shift 2
  printf '\n%s\n  $ %s\n' "$title" "$*"
  start=$(date +%s%N)
  "$@" || status=$?
  milliseconds=$((($(date +%s%N) - start) / 1000000))
  if ((status)); then
    printf '  failed with exit code %d\n' "$status"
    failed=$status
    return 0
  fi
  printf '  took %d ms\n' "$milliseconds"
  results+=("$result")
}

develop() { # RAW JPEG
  step "Developing $1" "$2" "$bin/imago-cli" render "$1" -o "$2"
}

cut_faces() { # PANORAMA…: pipeline_360 takes a folder of frames
  local panorama folder
  folder=$(mktemp -d "$out/.frames-XXXXXX")
  for panorama in "$@"; do ln -s "$(realpath "$panorama")" "$folder/"; done
  step "Cutting into cube faces: $*" "$out/faces/<front right back left up down>/*.jpg" \
    "$bin/pipeline_360" cubemap --input-dir "$folder" --output-dir "$out/faces" --force
  rm -r "$folder"
}

printf 'The adapter:\n'
"$bin/imago-cli" gpu || true

if (($# == 0)); then
  step "Photographing the test scene" "$out/scene.dng and $out/scene_pano.jpg (the inputs)" \
    "$bin/imago-demo-scene" --size 3600x2400 "$out/scene.dng" "$out/scene_pano.jpg"
  develop "$out/scene.dng" "$out/developed.jpg"
  cut_faces "$out/scene_pano.jpg"
else
  panoramas=()
  for file in "$@"; do
    [[ -f $file ]] || { echo "demo: no such file: $file" >&2; exit 3; }
    case ${file,,} in
      *.jpg | *.jpeg | *.png) panoramas+=("$file") ;;
      *) name=$(basename "$file") && develop "$file" "$out/${name%.*}.jpg" ;;
    esac
  done
  ((${#panoramas[@]} == 0)) || cut_faces "${panoramas[@]}"
fi

if ((${#results[@]})); then
  printf '\nLook at\n'
  printf '  %s\n' "${results[@]}"
fi
exit "$failed"
