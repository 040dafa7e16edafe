#!/usr/bin/env bash
# Installs what is missing, builds, runs every test, and ends with the line "N passed, N failed".
# Usage: test.sh [PRESET] [-L LABELS] [-B TARGET] [-DNAME=VALUE ...]
#        PRESET: test if none is named; dev builds a change in less
#        LABELS: only the tests of these, built alone: core, contract, cli, ui, golden, threads; "core|cli" for two.
#                long: the long forms of tests, which are no part of the others
#        TARGET: built beside them, for what comes after the tests
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=test beside=() labels=
if [ $# -gt 0 ] && [[ "$1" != -* ]]; then
    preset=$1
    shift
fi
if [ "${1:-}" = -L ]; then
    labels=$2
    shift 2
fi
if [ "${1:-}" = -B ]; then
    beside=("$2")
    shift 2
fi
targets=(all)
[ -z "$labels" ] || IFS='|' read -ra targets <<<"tests_${labels//|/|tests_}"
selection=(${labels:+-L "$labels"})
[ "$labels" != long ] || selection+=(-C long)
needed=(build test)
[ "$preset" != asan ] || needed+=(sanitize)
[ "$preset" != arm64 ] || needed+=(arm64)
"$root/scripts/install_dependencies.sh" "${needed[@]}"
"$root/scripts/build.sh" "$preset" "$@" -- "${targets[@]}" "${beside[@]}"

# Real checkpoints and published numbers that the project does not ship: tests that need them skip elsewhere.
if [ -z "${HEADLIGHT_SHARED:-}" ] && [ -d "$root/../shared" ]; then
    HEADLIGHT_SHARED=$(cd "$root/../shared" && pwd)
    export HEADLIGHT_SHARED
fi
export LC_ALL=C.UTF-8 QT_QPA_PLATFORM=offscreen
export OMP_WAIT_POLICY=passive  # threads that wait leave the processor to the tests beside them
# Small blocks in large pages, where the kernel gives them to who asks: what computes takes a sixth less time, what draws
# a fourth.
export GLIBC_TUNABLES=${GLIBC_TUNABLES:+$GLIBC_TUNABLES:}glibc.malloc.hugetlb=1
status=0
# One more than there are processors: many tests of the window wait for it.
ctest --test-dir "$root/build/$preset" --output-on-failure -j "$(($(nproc) + 1))" "${selection[@]}" || status=$?

# Rows are counted, of GoogleTest, Qt Test and unittest: a program without any, and one that fails without a row, is one.
# Last come the names of those that were skipped.
counts=$(awk '
    function flush() {
        if (!inside) return
        if (passed < 0) passed = 0
        passed_all += passed + (ok && passed + skipped == 0)
        failed_all += failed_rows + (!ok && !left_out && failed_rows == 0)
        skipped_all += skipped + left_out
    }
    /^[0-9]+\/[0-9]+ Testing: / { flush(); inside = 1; ok = passed = failed_rows = skipped = left_out = 0; name = $3 }
    /^\[  PASSED  \] [0-9]+ test/ { passed += $4 }
    /^\[  FAILED  \] [0-9]+ tests?, listed/ { failed_rows += $4 }
    /^\[  SKIPPED \] [0-9]+ tests?, listed/ { skipped += $4; listing = 1; next }
    listing && /^\[  SKIPPED \] / { print name "/" $4; next }
    { listing = 0 }
    /^Totals: / { passed += $2; failed_rows += $4; skipped += $6 }
    /^SKIP   : / { print name "/" $3 }
    /^Ran [0-9]+ tests? in / { passed += $2 }
    /^FAILED \(/ || /^OK \(/ {
        for (i = 2; i <= NF; ++i) {
            number = $i; gsub(/[^0-9]/, "", number)
            if ($i ~ /(failures|errors)=/) { failed_rows += number; passed -= number }
            if ($i ~ /skipped=/) { skipped += number; passed -= number }
        }
    }
    /^Test Passed\.$/ { ok = 1 }
    /^Test Skipped\.$/ { left_out = 1; print name }
    END { flush(); print passed_all + 0, failed_all + 0, skipped_all + 0 }
' "$root/build/$preset/Testing/Temporary/LastTest.log")
read -r passed failed skipped <<<"$(tail -n 1 <<<"$counts")"
if [ $((passed + failed)) -eq 0 ]; then
    echo "test.sh: no test ran" >&2
    echo "0 passed, 1 failed"
    exit 1
fi
if [ "$skipped" -ne 0 ]; then
    echo "$skipped skipped:"
    head -n -1 <<<"$counts"
fi
echo "$passed passed, $failed failed"
exit "$status"
