#!/usr/bin/env python3
"""Golden rows of the catalogue from PyTorch: one for each way to score, place, mask, normalise and mix.

    /usr/bin/python3 tests/support/pytorch_catalogue/generate.py [NAME...]

writes golden/TABLE.json for each table of this folder, scores.py and so on. With names, or patterns such as "kda_*", only
the rows that are called so are written; the text of all others stays. Another processor may round the last digit of a few
numbers otherwise.

Written with torch 1.13 (Debian's python3-torch), from the papers' formulas and from torch's own operators where it has
one, never from the engine. Needed only to make the files again; building and testing read them. "rows" hold a spec,
inputs, parameters and what must come out of them; "jacobians", beside the rows of the normalisers, the derivatives of
every normaliser's weights by its scores, by automatic differentiation.
"""
import fnmatch
import json
import pathlib
import sys

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
import slots
import states
import windows

FOLDER = pathlib.Path(__file__).parent / "golden"
asked = sys.argv[1:]
written = set()


def key(entry):
    return entry.get("axis", "jacobian"), entry["name"]


def is_asked(name):
    matching = [pattern for pattern in asked if fnmatch.fnmatchcase(name, pattern)]
    written.update(matching)
    return matching or not asked


def text_by_key(path):
    """What a file has, an entry a line."""
    texts = [line.rstrip(",") for line in path.read_text().splitlines() if line.startswith(('{"axis"', '{"name"'))]
    return {key(json.loads(text)): text for text in texts}


def lines(entries, kept):
    texts = [json.dumps(entry, separators=(",", ":")) if is_asked(entry["name"]) else kept.get(key(entry))
             for entry in entries]
    return ",\n".join(text for text in texts if text)


def write(table, rows):
    path = FOLDER / f"{table.__name__}.json"
    kept = text_by_key(path) if asked and path.exists() else {}
    text = '{"generator": "tests/support/pytorch_catalogue/generate.py", "torch": "%s", "rows": [\n' % torch.__version__
    text += lines(rows, kept)
    if table is normalizers:
        text += '\n], "jacobians": [\n' + lines(table.jacobians, kept)
    path.write_text(text + "\n]}\n")


for axis in [scores, positions, masks, selections, normalizers, heads, mixers, pairs, segments, mixed_heads, grids,
             windows, image_mixers, coarse, filters, pooling, layers, slots, states]:
    before = len(golden.rows)
    axis.build()
    write(axis, golden.rows[before:])

for pattern in asked:
    if pattern not in written:
        sys.exit(f"no row is called {pattern}")
