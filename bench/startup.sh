#!/usr/bin/env bash
# Time from the start of the process to the painted worked example, and the resident memory then. Targets: 400 ms warm
# under Xvfb, 120 MB. Usage: bench/startup.sh [PATH/TO/headlight] [RUNS]
set -euo pipefail
if [ -z "${DISPLAY:-}" ]; then
    exec xvfb-run --auto-servernum --server-args="-screen 0 1280x800x24" "$0" "$@"
fi
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/release/headlight}
runs=${2:-7}

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data HEADLIGHT_STARTUP_TIMING=1

for run in $(seq "$runs"); do
    rm -rf "$home/config" "$home/data" # every run is a first start
    "$program"
done | tee "$home/results"
sort -t= -k2 -n "$home/results" | sed -n "$(((runs + 1) / 2))p" | sed 's/^/median: /'
