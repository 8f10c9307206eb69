#!/usr/bin/env bash
# The C header of ONNX Runtime from Debian's libonnxruntime-dev, into deps/onnxruntime-header/include. The package is of
# a newer suite than Debian 12 (its C API only grows, so any newer header serves), so it is unpacked and not installed.
# apt checks the signature; its lists and configuration of this machine stay as they are, and no root is needed.
#
#   tools/fetch_onnxruntime_header.sh [PREFIX]
set -euo pipefail
prefix=${1:-$(dirname "$0")/../deps}
suite=sid
keys=/usr/share/keyrings/debian-archive-keyring.gpg
final=$prefix/onnxruntime-header
[[ ! -f $final/include/onnxruntime_c_api.h ]] || exit 0

fail() {
  echo "onnxruntime-header: could not fetch libonnxruntime-dev: $1. Nothing was changed in $final." >&2
  exit 1
}
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' 2>/dev/null |
  grep -v security | head -n 1) || true
[[ -n $mirror ]] || fail "no Debian mirror in this machine's apt sources (on other systems, unpack that package by hand)"
[[ -f $keys ]] || fail "$keys is missing (package debian-archive-keyring)"

mkdir -p "$prefix"
work=$(cd "$(mktemp -d "$prefix/.tmp-onnxruntime-header-XXXXXX")" && pwd)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache/archives}/partial "$work/tree/include"
echo "deb [signed-by=$keys] $mirror $suite main" >"$work/sources.list"
apt=(apt-get -q -o "Dir::Etc::sourcelist=$work/sources.list" -o "Dir::Etc::sourceparts=$work/none"
  -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=
  -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Languages=none)
cd "$work"
"${apt[@]}" update >update.log 2>&1 || fail "$(grep -E '^[EW]:' update.log | head -n 1)"
"${apt[@]}" download libonnxruntime-dev >download.log 2>&1 || fail "$(grep -E '^[EW]:' download.log | head -n 1)"
dpkg-deb --extract libonnxruntime-dev_*.deb package
find package -name 'onnxruntime_*.h' -exec cp {} tree/include/ \;
[[ -f tree/include/onnxruntime_c_api.h ]] || fail "the package does not hold onnxruntime_c_api.h"
echo libonnxruntime-dev_*.deb >tree/.package
cd - >/dev/null
rm -rf "$final"
mv "$work/tree" "$final"
echo "onnxruntime-header: $(cat "$final/.package") unpacked into $final"
