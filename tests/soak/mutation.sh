#!/bin/sh
# Nudges constants in kernels and their CPU twins for SECONDS (default 300) and lists those that no test notices.
# Usage: tests/soak/mutation.sh [SECONDS] [more arguments of mutation.py]
set -eu
seconds=${1:-300}
[ $# -gt 0 ] && shift
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-/tmp}"
exec python3 "$(dirname "$0")/mutation.py" --seconds "$seconds" "$@"
