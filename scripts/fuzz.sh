#!/usr/bin/env bash
# Lets libFuzzer try every reader of files, as many at once as the machine has cores; ends with "N passed, N failed".
# Usage: fuzz.sh [-DNAME=VALUE ...] [SECONDS for each] [READER...]       What it finds stays in build/asan/found.
#        -DNAME=VALUE: settings of the build
#        HEADLIGHT_FUZZ_SEED=N: the same inputs each time, as many as the seconds allow
set -euo pipefail
cd "$(dirname "$0")/.."

settings=()
while [[ "${1:-}" = -D* ]]; do
    settings+=("$1")
    shift
done
seconds=${1:-60}
shift || true
scripts/install_dependencies.sh build sanitize
scripts/build.sh asan "${settings[@]}" -- fuzz
mkdir -p build/asan/found
programs=(build/asan/tests/fuzz/fuzz_*[a-z])
# Malformed files that others published, where they are at hand: more to start from.
export malformed=${HEADLIGHT_SHARED:-../shared}/models/malformed
[ $# -eq 0 ] || programs=("${@/#/build/asan/tests/fuzz/fuzz_}")

# try_reader SECONDS PROGRAM: says nothing but what matters: one line, or all that libFuzzer printed.
try_reader() {
    local seconds=$1 program=$2 name corpus log corpora
    name=$(basename "$program")
    corpus=build/asan/corpus/$name
    log=build/asan/found/$name.log
    # What earlier runs have found would be other inputs to begin with.
    [ -z "${HEADLIGHT_FUZZ_SEED:-}" ] || rm -rf "$corpus"
    "$program" --seeds "$corpus"
    corpora=("$corpus")
    [ ! -d "$malformed" ] || corpora+=("$malformed"/*/)
    if OMP_NUM_THREADS=1 "$program" -max_total_time="$seconds" -seed="${HEADLIGHT_FUZZ_SEED:-0}" -max_len=8192 \
        -timeout=10 -print_final_stats=1 -verbosity=0 -artifact_prefix="build/asan/found/$name-" "${corpora[@]}" >"$log" 2>&1; then
        echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s"
    else
        cat "$log"
        echo "$name: FAILED"
        return 1
    fi
}
export -f try_reader

status=0
results=$(printf '%s\0' "${programs[@]}" |
    xargs -0 -n 1 -P "$(nproc)" bash -c 'try_reader "$0" "$1" || echo "failed: $1"' "$seconds") || status=$?
grep -v '^failed: ' <<<"$results" || true
failed=$(grep -c '^failed: ' <<<"$results" || true)
echo "$((${#programs[@]} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ] && exit "$status"
exit 1
