#!/usr/bin/env python3
"""Norms of what keys give, |A_ij f(x_j)| with f(x) = (x W_v + b_v) W_o of a head (Kobayashi et al. 2020, equation 5),
from the inputs, parameters and weights that PyTorch computed.

    /usr/bin/python3 tests/support/value_norms/generate.py > tests/support/value_norms/golden.json

Needs NumPy, and only to make the file again; building and testing read the file.
"""
import json
import pathlib

import numpy

cases = {}
golden = json.loads((pathlib.Path(__file__).parent.parent / "pytorch" / "golden.json").read_text())
for case in golden["cases"]:
    parameters = {name: numpy.array(numbers) for name, numbers in case["parameters"].items()}
    if "W_o" not in parameters or "kv_heads" in case["spec"].get("heads", {}):
        continue
    inputs = case["inputs"]
    tokens = numpy.array(inputs.get("value", inputs.get("key", inputs["query"])))
    weights = numpy.array(case["weights"])  # [head, query, key]
    heads = weights.shape[0]
    values = tokens @ parameters["W_v"] + parameters.get("b_v", 0)
    values = values.reshape(len(tokens), heads, -1)  # [key, head, d_v]
    matrix = parameters["W_o"].reshape(heads, values.shape[2], -1)  # [head, d_v, d]
    given = numpy.einsum("hij,jhv,hvd->hijd", weights, values, matrix)
    norms = numpy.linalg.norm(given, axis=-1)
    cases[case["name"]] = [[[float(f"{number:.10g}") for number in row] for row in head] for head in norms]
print(json.dumps(cases, indent=None, separators=(",", ":")))
