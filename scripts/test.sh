#!/usr/bin/env bash
# Installs what is missing, builds, runs every test, and ends with the line "N passed, N failed".
# Usage: test.sh [PRESET] [-L LABELS] [-DNAME=VALUE ...]     (preset dev if none is named)
#        LABELS: only the tests of these, built alone: core, contract, cli, ui, golden, threads; "core|cli" for two.
#                long: the long forms of tests, which are no part of the others
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=dev labels=
if [ $# -gt 0 ] && [[ "$1" != -* ]]; then
    preset=$1
    shift
fi
if [ "${1:-}" = -L ]; then
    labels=$2
    shift 2
fi
targets=(all)
[ -z "$labels" ] || IFS='|' read -ra targets <<<"tests_${labels//|/|tests_}"
selection=(${labels:+-L "$labels"})
[ "$labels" != long ] || selection+=(-C long)
needed=(build test)
[ "$preset" != asan ] || needed+=(sanitize)
"$root/scripts/install_dependencies.sh" "${needed[@]}"
"$root/scripts/build.sh" "$preset" "$@" -- "${targets[@]}"

# Real checkpoints and published numbers that the project does not ship: tests that need them skip elsewhere.
if [ -z "${HEADLIGHT_SHARED:-}" ] && [ -d "$root/../shared" ]; then
    HEADLIGHT_SHARED=$(cd "$root/../shared" && pwd)
    export HEADLIGHT_SHARED
fi
export LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen
log="$root/build/$preset/tests.log"
status=0
ctest --test-dir "$root/build/$preset" --output-on-failure -j "$(nproc)" "${selection[@]}" | tee "$log" || status=$?

total=$(sed -n 's/.*tests failed out of \([0-9]*\)$/\1/p' "$log" | tail -n 1)
failed=$(sed -n 's/.*, \([0-9]*\) tests failed out of.*/\1/p' "$log" | tail -n 1)
skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
if [ -z "$total" ] || [ "$total" -eq 0 ]; then
    echo "test.sh: no test ran" >&2
    echo "0 passed, 1 failed"
    exit 1
fi
[ "$skipped" -eq 0 ] || echo "$skipped skipped, each named above"
echo "$((total - failed - skipped)) passed, $failed failed"
exit "$status"
