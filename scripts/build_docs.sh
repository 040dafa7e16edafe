#!/usr/bin/env bash
# Draws the pictures in docs/images with the program itself, from sessions that the script writes down here and from
# the mechanisms' own examples, and writes docs/catalogue.md with the pages in docs/catalogue, docs/components.md,
# docs/coverage.md, docs/tasks.md and docs/keys.md from the declarations. The figures of docs/figures.md come from
# scripts/draw_figures.sh.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/install_dependencies.sh" build test
"$root/scripts/build.sh" release -DHEADLIGHT_TESTS=OFF -DHEADLIGHT_BENCHMARKS=OFF -- headlight window_picture mechanism_pictures catalogue_docs keys_docs
build="$root/build/release"
images="$root/docs/images"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$images"

session() { # NAME JSON
    printf '{"format": "headlight-session/1", %s}\n' "$2" >"$work/$1.json"
}
nurse='"sequence": {"query_text": "the doctor and the nurse drank coffee and tea"}'

session window "$nurse, \"mechanism\": \"scaled_dot_product\", \"view\": {\"view\": \"stages\", \"selection\": {\"stage\": \"weights\", \"query\": 4, \"key\": 1}}"
session stages "$nurse, \"mechanism\": \"scaled_dot_product\", \"view\": {\"view\": \"stages\", \"selection\": {\"stage\": \"scores\", \"query\": 4, \"key\": 1}}"
session image "\"mechanism\": \"scaled_dot_product\""

"$build/docs/window_picture" "$work/window.json" light 1280x800 "$images/window.png"
"$build/docs/window_picture" "$work/window.json" dark 1280x800 "$images/window-dark.png"
"$build/docs/window_picture" "$work/image.json" light 1280x800 "$images/image.png" 86
"$build/headlight" render "$work/stages.json" --width 900px --dpi 110 -o "$images/stages.png"
# The film of the README, whose two commands stand there.
"$build/headlight" attend translate-additive-gru --text "the small cat drinks the cold milk in the garden" -o "$work/milk.json"
"$build/headlight" render "$work/milk.json" --frames steps --fps 2 --width 760px --title "" --x-title source --y-title translation \
    -o "$images/translation.gif"
"$build/docs/mechanism_pictures" "$images/mechanisms"
