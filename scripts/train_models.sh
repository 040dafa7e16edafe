#!/usr/bin/env bash
# Trains the models that come with the program, each from its seed: the same processor gives the same bytes.
# A new one has a row in core/io/shipped_models.cpp too: its title, its place among the others, what to look for.
# Usage: train_models.sh [NAME ...]     (all if none is named)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/scripts/build.sh" release -DHEADLIGHT_TESTS=OFF -DHEADLIGHT_BENCHMARKS=OFF -- headlight

train() {
    local name=$1
    shift
    if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then
        return
    fi
    rm -rf "$root/resources/models/$name"
    echo "$name"
    "$root/build/release/headlight" train "$@" --half --seed 1 -o "$root/resources/models/$name"
}

wanted=("$@")
mkdir -p "$root/resources/models"
train dates-additive-gru dates --host gru --attention additive
train dates-luong dates --host gru --attention general --decoder luong
train hard-attention-dates dates --host gru --attention hard
train translate-additive-gru translate --host gru --attention additive
train translate-transformer translate --host transformer --attention scaled_dot
train reverse-transformer reverse --host transformer --attention scaled_dot
train sort-gpt sort --host gpt --attention scaled_dot
train induction-gpt induction --host gpt --attention scaled_dot
train brackets-encoder brackets --host encoder --attention scaled_dot
train reverse-pointer reverse --host pointer --width 64
train copy-universal copy --host universal
train reverse-convolutional reverse --host convolutional
train copy-gnmt copy --host gnmt --width 48 --steps 1500
train induction-xl induction --host xl
train reverse-two-streams reverse --host two_stream
train distinct-set distinct --host set
train distinct-slots distinct --host slots
train reviews-hierarchical reviews --host hierarchical
train whereabouts-coattention whereabouts --host coattention
train distances-triangles distances --host triangles
train race-vit race --host vit --attention neighbourhood --set columns=6 --set size=1 --layers 1 --heads 1 --steps 1000
train copy-hops copy --host gru --attention dot --hops 3 --width 64 --steps 2500
train copy-dense copy --host gru --attention additive --decoder dense --width 64 --steps 2500
