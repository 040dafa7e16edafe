#!/bin/sh
# How headlight 0.1.0 (commit 589831bc) wrote what is in this folder, but for asked.json: generate.sh HEADLIGHT, in the
# folder. It is never written again: later programs open what people have kept, and show the same.
set -e
headlight=$1
text="the cat and the dog"

run() {  # FILE MECHANISM option...: a trace, and the numbers of its stages as they are drawn
    file=$1
    shift
    "$headlight" run "$@" --dimension 4 -o "$file"
    "$headlight" render "$file" --view stages --strip -o "${file%.*}.csv"
}
run scaled_dot_product.json scaled_dot_product --text "$text"
run multi_head.safetensors multi_head --set heads=2 --text "$text"
run cross.json cross --text "$text" --target "le chat"
run sparsemax.json sparsemax --set 'mask={"type": "causal"}' --text "$text"
run linear.safetensors linear --text "$text"

# A session: asked.json is typed, the figure carries it as the program writes it.
"$headlight" render asked.json --dpi 30 -o figure.png
"$headlight" render asked.json -o figure.csv

train() {  # NAME option...: a model in its folder, what it says and looks at, and what was seen of its training
    name=$1
    shift
    "$headlight" train copy --width 4 --steps 4 --threads 1 --quiet --record "$name/record.safetensors" -o "$name" "$@"
    "$headlight" attend "./$name" --text abc --target ab -o "$name.safetensors"
    "$headlight" render "$name.safetensors" --strip -o "$name.csv"
    "$headlight" render "$name/record.safetensors" --view learning --strip -o "$name-learning.csv"
}
train gru --host gru
train luong --host lstm --decoder luong --attention general
train transformer --host transformer --heads 2 --layers 1

# A training that was interrupted; which step it had come to is in the checkpoint.
timeout --signal INT 1 "$headlight" train copy --width 4 --steps 60 --threads 1 --quiet --host gru -o interrupted ||
    test -f interrupted/checkpoint.safetensors
cp -r interrupted whole
"$headlight" train copy --width 4 --steps 60 --threads 1 --quiet --host gru -o whole
mv whole/model.safetensors interrupted/whole.safetensors
rm -r whole
