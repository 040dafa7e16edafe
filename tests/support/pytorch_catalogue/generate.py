#!/usr/bin/env python3
"""Golden rows of the catalogue from PyTorch: one for each way to score, place, mask, normalise and mix.

    /usr/bin/python3 tests/support/pytorch_catalogue/generate.py > tests/support/pytorch_catalogue/golden.json

Written with torch 1.13 (Debian's python3-torch), from the papers' formulas and from torch's own operators where it has
one, never from the engine. Needed only to make the file again; building and testing read the file. "rows" hold a spec,
inputs, parameters and what must come out of them; "jacobians" the derivatives of every normaliser's weights by its
scores, by automatic differentiation.
"""
import json

import torch

import coarse
import filters
import golden
import grids
import heads
import image_mixers
import layers
import masks
import mixed_heads
import mixers
import normalizers
import pairs
import pooling
import positions
import scores
import segments
import selections
import states
import windows

for axis in [scores, positions, masks, selections, normalizers, heads, mixers, pairs, segments, mixed_heads, grids,
             windows, image_mixers, coarse, filters, pooling, layers, states]:
    axis.build()


def lines(entries):
    return ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)


print('{"generator": "tests/support/pytorch_catalogue/generate.py", "torch": "%s", "rows": [' % torch.__version__)
print(lines(golden.rows) + '\n], "jacobians": [')
print(lines(normalizers.jacobians) + "\n]}")
