#!/usr/bin/env bash
# Time and bytes of a map of 1,024 x 1,024 with its labels as a PDF of 85 mm, from the start of the process. Targets:
# under 1 s, under 500 KB; another number ends with an error. Usage: bench/figure_bench.sh [PATH/TO/headlight]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(realpath "${1:-$root/build/release/headlight}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=offscreen
cd "$work"
text=$(for word in $(seq 1024); do printf 'word%d ' "$word"; done)
printf '{"format": "headlight-session/1", "sequence": {"query_text": "%s", "vectors": {"kind": "random", "dimension": 64}}, "mechanism": "scaled_dot_product", "view": {"view": "heatmap", "theme": "paper", "range": "fitted"}}\n' \
    "$text" >session.json

worst=0
for panels in "" "--mark 512,512"; do
    best=
    for _ in 1 2 3; do
        begin=${EPOCHREALTIME/./}
        # shellcheck disable=SC2086  # words
        "$program" render session.json $panels --width 85mm -o map.pdf
        took=$(((${EPOCHREALTIME/./} - begin) / 1000))
        if [ -z "$best" ] || [ "$took" -lt "$best" ]; then
            best=$took
        fi
    done
    bytes=$(stat -c %s map.pdf)
    echo "1,024 x 1,024 ${panels:-alone}: $best ms, $bytes bytes"
    if [ "$best" -ge 1000 ] || [ "$bytes" -ge 500000 ]; then
        worst=1
    fi
done
exit "$worst"
