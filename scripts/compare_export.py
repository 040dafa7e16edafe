#!/usr/bin/env python3
"""Prints what a 1,024 x 1,024 map with labels costs as PDF and SVG: Headlight beside matplotlib and seaborn.

    python3 scripts/compare_export.py build/release/bench/export_bench

Runs bench/export_bench and, where python3-matplotlib (and python3-seaborn) are installed, draws the same map with
them; where not, the numbers that they had on the machine of the decision record are printed instead.
"""
import importlib.util
import io
import subprocess
import sys
import time

RECORDED = {  # milliseconds, kilobytes
    "matplotlib imshow": {"pdf": (1900, 226), "svg": (1800, 1500)},
    "seaborn heatmap": {"pdf": (27000, 16000), "svg": (30000, 199000)},
}


def attention(numpy, tokens=1024, width=64):
    random = numpy.random.default_rng(1)
    query, key = random.standard_normal((2, tokens, width))
    scores = query @ key.T / width**0.5
    weights = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def measure(draw, form):
    import matplotlib.pyplot as pyplot

    start = time.perf_counter()
    figure = draw(pyplot)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form)
    pyplot.close(figure)
    return 1000 * (time.perf_counter() - start), len(buffer.getvalue()) / 1000


def peers():
    if importlib.util.find_spec("matplotlib") is None:
        return
    import matplotlib
    import numpy

    matplotlib.use("Agg")
    weights = attention(numpy)
    labels = [f"token{i + 1}" for i in range(0, len(weights), 32)]

    def imshow(pyplot):
        figure, axes = pyplot.subplots(figsize=(85 / 25.4, 85 / 25.4))
        picture = axes.imshow(weights, vmin=0, vmax=1)
        axes.set_xticks(range(0, len(weights), 32), labels, rotation=90, fontsize=5)
        axes.set_yticks(range(0, len(weights), 32), labels, fontsize=5)
        figure.colorbar(picture)
        return figure

    yield "matplotlib imshow", imshow
    if importlib.util.find_spec("seaborn") is not None:
        import seaborn

        def heatmap(pyplot):
            figure, axes = pyplot.subplots(figsize=(85 / 25.4, 85 / 25.4))
            seaborn.heatmap(weights, vmin=0, vmax=1, ax=axes)
            return figure

        yield "seaborn heatmap", heatmap


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    print(subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout)
    measured = {name: {form: measure(draw, form) for form in ("pdf", "svg")} for name, draw in peers()}
    for name, recorded in RECORDED.items():
        numbers = measured.get(name, recorded)
        cells = "".join(f" {numbers[form][0]:7.0f} ms {numbers[form][1]:7.0f} KB" for form in ("pdf", "svg"))
        print(f"{name:<34}{cells}  ({'measured here' if name in measured else 'recorded'})")


if __name__ == "__main__":
    main()
