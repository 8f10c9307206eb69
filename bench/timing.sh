# Sourced by the benches. Needs /usr/bin/time.
#   measure LABEL RUNS COMMAND…   runs it RUNS times, prints a table row of the fastest run: wall, cpu, peak memory

table_head() {
  printf '| job | wall s | cpu s | peak MiB |\n|---|---|---|---|\n'
}

measure() {
  local label=$1 runs=$2 log best='' line
  shift 2
  log=$(mktemp)
  for ((i = 0; i < runs; ++i)); do
    if ! /usr/bin/time --output "$log" --format '%e %U %S %M' "$@" >/dev/null 2>&1; then
      printf '| %s | failed | | |\n' "$label"
      rm -f "$log"
      return 0
    fi
    line=$(tail -n 1 "$log")
    best=$(printf '%s\n%s\n' "$best" "$line" | sed '/^$/d' | sort -n | head -n 1)
  done
  rm -f "$log"
  awk -v label="$label" '{ printf "| %s | %.2f | %.2f | %.0f |\n", label, $1, $2 + $3, $4 / 1024 }' <<<"$best"
}

has() { command -v "$1" >/dev/null; }
