#!/usr/bin/env bash
# Kills "pipeline_360 run" by SIGKILL at random moments, 20 times or more, and lets it go on: the project has to end
# byte for byte as one that nobody disturbed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
exec python3 tests/soak/killed_run.py "${1:-60}"
