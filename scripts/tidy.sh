#!/usr/bin/env bash
# Lets clang-tidy read every source file, or those named; ends with "N passed, N failed", counted in what is compiled:
# where a room compiles a dozen files at a time they are read so as well, in a fraction of the time.
# Usage: tidy.sh [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_dependencies.sh build test tidy
# Files that a test writes for Qt's meta-object compiler are all that has to be built first.
scripts/build.sh tidy -- autogen
if [ $# -eq 0 ]; then
    # Not what CMake and Qt wrote: their folder is no part of the project.
    # From the list of what is compiled: the folder may still have batches of an older one.
    mapfile -t united < <(sed -n 's#^ *"file": "\(.*/unity_[0-9]*_cxx\.cxx\)".*#\1#p' build/tidy/compile_commands.json)
    within=$(cat "${united[@]}" | sed -n "s#^.include \"$PWD/\(.*\)\"\$#\1#p")
    mapfile -t alone < <(git ls-files '*.cpp' ':!tests/fuzz' | grep -vxFf <(echo "$within"))
    set -- "${united[@]}" "${alone[@]}"
fi

# Says nothing of a file without a finding. Each sees its own output whole, not mixed with its neighbours'.
check() {
    local findings
    findings=$(clang-tidy --quiet -p build/tidy --extra-arg=-Wno-unknown-warning-option "$1" 2>/dev/null) && return
    printf '%s\n%s: FAILED\n' "$findings" "$1"
}
export -f check

log=build/tidy/findings.log
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" bash -c 'check "$0"' | tee "$log"
failed=$(grep -c ': FAILED$' "$log" || true)
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
