#!/usr/bin/env bash
# gpu_faults.sh SECONDS: the GPU fails in every way and at every call that it can be made to, over and over: injected
# faults in one process, a device really destroyed before each submission in a process of its own.
set -euo pipefail
seconds=${1:-60}
build=${IMAGO_BUILD:-build/dev}
export IMAGO_GPU_SOFTWARE=1 IMAGO_NO_PREFS=1 GPU_REQUIRED=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT

try() { # a hang is a failure too
  timeout 120 "$@" >"$log" 2>&1
}

fail() {
  cat "$log"
  echo "gpu_faults: $1"
  exit 1
}

rounds=0 destroyed=0
while ((rounds == 0 || SECONDS < seconds)); do
  try "$build/bin/gpu_test" --gtest_shuffle --gtest_filter='Gpu.*-*Zz*' || fail "gpu_test failed"
  for ((submission = 1; ; ++submission)); do
    status=0
    try "$build/bin/soak_destroyed_device" "$submission" || status=$?
    if ((status == 3)); then break; fi
    if ((status != 0)); then fail "destroyed before submission $submission: exit status $status"; fi
    destroyed=$((destroyed + 1))
  done
  if ((submission == 1)); then fail "no device was destroyed"; fi
  try "$build/bin/soak_destroyed_device" late || fail 'a late result'
  rounds=$((rounds + 1))
done
echo "gpu_faults: $rounds rounds, $destroyed devices destroyed, every process lived"
