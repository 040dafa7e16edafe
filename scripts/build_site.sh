#!/usr/bin/env bash
# Makes a site of static pages out of README.md, CONTRIBUTING.md, docs, the lessons, which the program draws, and the
# headers of the engine: it is read from the disk as well as from a server, and its search needs no network.
# Usage: build_site.sh FOLDER
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ $# -eq 1 ] || { echo "build_site.sh: expected a folder for the site" >&2; exit 2; }
"$root/scripts/install_dependencies.sh" build site
"$root/scripts/build.sh" release -DHEADLIGHT_TESTS=OFF -DHEADLIGHT_BENCHMARKS=OFF -- headlight
mkdir -p "$1"
folder=$(cd "$1" && pwd)
{
    cat "$root/scripts/site/Doxyfile"
    printf 'INPUT = "%s/core"\nSTRIP_FROM_PATH = "%s"\nOUTPUT_DIRECTORY = "%s"\n' "$root" "$root" "$folder"
} | doxygen -
QT_QPA_PLATFORM=offscreen exec python3 "$root/scripts/site/build_site.py" "$root" "$folder" "$root/build/release/headlight"
