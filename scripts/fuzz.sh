#!/usr/bin/env bash
# Lets libFuzzer try every reader of files. Usage: fuzz.sh [SECONDS for each] [READER...]
# Needs clang, its runtime (libclang-rt-dev) and its OpenMP (libomp-dev). What it finds stays in build/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
shift || true
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target fuzz
mkdir -p build/fuzz/found
programs=(build/fuzz/tests/fuzz/fuzz_*[a-z])
[ $# -eq 0 ] || programs=("${@/#/build/fuzz/tests/fuzz/fuzz_}")

for program in "${programs[@]}"; do
    name=$(basename "$program")
    corpus=build/fuzz/corpus/$name
    echo "== $name, $seconds seconds"
    "$program" --seeds "$corpus"
    OMP_NUM_THREADS=1 "$program" -max_total_time="$seconds" -max_len=8192 -timeout=10 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="build/fuzz/found/$name-" "$corpus"
done
