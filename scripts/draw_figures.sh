#!/usr/bin/env bash
# Draws the ten figures of docs/figures.md with the program itself, and says of each how long its PDF took and how large
# it is; with --compare beside matplotlib (Debian's python3-matplotlib), from the same numbers.
# Usage: draw_figures.sh [--compare] [PATH/TO/headlight]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compare=
if [ "${1:-}" = --compare ]; then
    compare=yes
    shift
fi
program=$(realpath "${1:-$root/build/release/headlight}")
figures=$root/docs/figures
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export QT_QPA_PLATFORM=offscreen
cp "$figures"/*.json "$figures"/*.txt "$figures"/*.png "$work"
mkdir "$work/learning"
cd "$work"

# What some of them are drawn from takes too much room to be kept.
"$program" run neighbourhood --set size=7 --image landscape.png -o learning/image.json
for score in additive dot; do
    "$program" train dates --attention "$score" --width 48 --steps 400 --threads 2 --quiet \
        --record "learning/$score.safetensors" -o "learning/$score" >/dev/null
done

"$program" render --list figures.txt
names=$(sed -n 's/.*-o \(.*\)\.png$/\1/p' figures.txt)
for name in $names; do
    cp "$name.png" "$figures/"
done

milliseconds() { # COMMAND...: of its quickest of three runs
    local best=
    for _ in 1 2 3; do
        local begin=${EPOCHREALTIME/./}
        "$@"
        local took=$(((${EPOCHREALTIME/./} - begin) / 1000))
        if [ -z "$best" ] || [ "$took" -lt "$best" ]; then
            best=$took
        fi
    done
    echo "$best"
}

one() { # NAME EXTENSION: one line of the list as another format
    grep -e "-o $1.png\$" figures.txt | sed "s/$1\.png\$/$1.$2/" >one.txt
    "$program" render --list one.txt
}

if [ -n "$compare" ]; then
    "$program" render transformer.json --view grid --each site -o 'site-{}.npz'
fi
printf '%-14s %9s %9s' figure ms bytes
[ -z "$compare" ] || printf ' | %-17s %6s %9s %9s' matplotlib: lines ms bytes
echo
for name in $names; do
    took=$(milliseconds one "$name" pdf)
    printf '%-14s %9d %9d' "$name" "$took" "$(stat -c %s "$name.pdf")"
    if [ -n "$compare" ]; then
        one "$name" npz
        took=$(milliseconds "$python" "$figures/matplotlib/$name.py" "$name.npz" "theirs.pdf")
        printf ' | %-17s %6d %9d %9d' '' "$(wc -l <"$figures/matplotlib/$name.py")" "$took" "$(stat -c %s theirs.pdf)"
    fi
    echo
done
