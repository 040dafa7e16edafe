#!/usr/bin/env python3
"""Percentiles as NumPy has them, with linear interpolation.

    /usr/bin/python3 tests/support/numpy_percentiles/generate.py > tests/support/numpy_percentiles/golden.json

Needs NumPy (Debian's python3-numpy), and only to make the file again; building and testing read the file.
"""
import json
import random

import numpy

random.seed(31)
weights = [random.random() ** 6 for _ in range(40)]
SAMPLES = {
    "one": [0.25],
    "two": [3.0, -1.0],
    "ties": [0.0] * 5 + [0.5] * 5,
    "weights": weights,
    "scores": [random.gauss(0, 3) for _ in range(37)],
    "an outlier": weights[:20] + [1e6],
    "of all sizes": [10.0**power for power in range(-150, 151, 10)],
}
PERCENTS = [0, 0.5, 1, 5, 25, 50, 62.5, 95, 99, 99.9, 100]

rows = [
    {
        "name": name,
        "numbers": numbers,
        "percents": PERCENTS,
        "percentiles": [float(numpy.percentile(numbers, percent, method="linear")) for percent in PERCENTS],
    }
    for name, numbers in SAMPLES.items()
]
print(json.dumps(rows, indent=0))
