#!/usr/bin/env bash
# tests/golden/bless.sh [BUILD] [NNNN…]: writes the expected pictures anew (of the cases named, else of all) with the
# program that BUILD (default build/dev) holds. Look at each before you commit it: git diff shows old beside new.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=build/dev
if (($#)) && [[ -d $1 ]]; then
  build=$1
  shift
fi
filter='*Golden.*'
if (($#)); then
  filter=$(printf '*%s*:' "${@//[^[:alnum:]]/_}")
fi
cmake --build "$build" --target golden_test
IMAGO_BLESS=1 "$build/bin/golden_test" --gtest_brief=1 --gtest_filter="$filter"
git --no-pager status --short tests/golden
