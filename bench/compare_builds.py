#!/usr/bin/env python3
"""The benchmarks of two builds, say of an older commit and of today's, in turns in one run, so that a busy machine is unfair
to none. Prints one row per figure, in ms or MB: old, new, new / old; then those that are more than 3 % worse.

    bench/compare_builds.py OLD NEW [--rounds N] [PROGRAM[:WORD] ...]

OLD and NEW are binary directories, configured alike with HEADLIGHT_BENCHMARKS=ON (the preset `release`). PROGRAM is one of
the following, WORD what the program itself takes to measure less. Without any, everything that both have built is measured:

    engine_bench:FILTER   mechanism_bench:ID   linear_bench:ALGORITHM   training_bench:gru|transformer   null_sink_bench
    drag_bench:VIEW   zoom_bench   heads_bench   chooser_bench   export_bench   start

A row's figure is the least of all rounds. What seems more than 3 % worse is measured up to 12 rounds more before it is
believed. A drag, a zoom and a start are counted in processor time, which other programs hardly lengthen. Exit status 1 when
a figure stays worse.
"""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

WORSE, MORE_ROUNDS = 1.03, 12
BENCH = pathlib.Path(__file__).resolve().parent
MECHANISMS = sorted(path.stem for path in (BENCH.parent / "core/catalog/entries").glob("*.cpp"))
LINEAR = list(dict.fromkeys(re.findall(r"\{AlgorithmType::(\w+)", (BENCH / "linear_bench.cpp").read_text())))


def output(command, **environment):
    run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                         env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **environment})
    return run.stdout


def engine(program, word):
    rows = json.loads(output([program, f"--benchmark_filter={word or '.'}", "--benchmark_format=json",
                              "--benchmark_min_time=0.2"]))["benchmarks"]
    return {row["name"].removesuffix("/real_time"): row["real_time"] for row in rows}


def mechanism(program, word):
    return {row["id"]: row["ms"] for row in json.loads(output([program, "--json", word]))}


def linear(program, word):
    """A row per algorithm, a column per length."""
    header, *lines = [line.split() for line in output([program] + [word] * bool(word)).splitlines()]
    lengths = [cell for cell in header if cell.isdigit()]
    return {f"{cells[0]}/{length}": float(ms) for cells in lines for length, ms in zip(lengths, cells[2:])}


def training(program, word):
    return {word: 1000 / float(output([program, word]).split()[0])}


def labelled(program, word):
    """Lines such as "label  1.20 ms  3 KB  4.56 ms": each ms is a figure, and the processor's alone where it is told."""
    rows = {}
    for line in output([program] + [word] * bool(word)).splitlines():
        found = re.findall(r"processor +([\d.]+) ms", line) or re.findall(r"([\d.]+) ms", line)
        label = re.match(r" *((?:\S+ )*?\S+)(?: {2,}| (?:fastest|median|p50) )", line)
        if found and label:
            names = [label[1]] + [f"{label[1]} ({count})" for count in range(2, len(found) + 1)]
            rows.update((name, min(rows.get(name, 1e9), float(ms))) for name, ms in zip(names, found))
    return rows


def zoom(program, _):
    """A row per map and way, in its 99th percentile of the UI thread's work."""
    rows, file = {}, ""
    for line in output([program]).splitlines():
        if begins := re.match(r"(.+): overview after", line):
            file = begins[1]
        elif moved := re.match(r"  (\w+ ?\w+) +\d+ frames .* work 99th +([\d.]+) ms", line):
            rows[f"{file}, {moved[1]}"] = float(moved[2])
    return rows


def children_processor_ms():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def start(program, _):
    with tempfile.TemporaryDirectory() as home:
        before = children_processor_ms()
        text = output([program], HEADLIGHT_STARTUP_TIMING="1", XDG_CONFIG_HOME=home, XDG_DATA_HOME=home)
        spent = children_processor_ms() - before
    return {"processor_ms": spent, **{name: float(number) for name, number in re.findall(r"(\w+)=([\d.]+)", text)}}


PROGRAMS = {"engine_bench": (engine, [""]), "null_sink_bench": (labelled, [""]),
            "mechanism_bench": (mechanism, MECHANISMS), "linear_bench": (linear, LINEAR),
            "training_bench": (training, ["gru", "transformer"]), "drag_bench": (labelled, [""]), "zoom_bench": (zoom, [""]),
            "heads_bench": (labelled, [""]), "chooser_bench": (labelled, [""]), "export_bench": (labelled, [""]),
            "start": (start, [""])}


def measure(case, folders, best, rounds):
    """Least figures of `rounds` rounds in turns into best[figure][build]."""
    name, word = case
    for turn in range(rounds):
        for build in (0, 1) if turn % 2 == 0 else (1, 0):
            program = folders[build] / ("headlight" if name == "start" else f"bench/{name}")
            for row, figure in PROGRAMS[name][0](program, word).items():
                least = best.setdefault(f"{name}:{row}", [None, None])
                least[build] = min(figure, least[build] or figure)


def is_worse(least):
    return None not in least and least[1] > WORSE * least[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs=2, type=lambda folder: pathlib.Path(folder).resolve())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("only", nargs="*")
    options = parser.parse_intermixed_args()
    built = [name for name in PROGRAMS
             if all((folder / ("headlight" if name == "start" else f"bench/{name}")).exists() for folder in options.folders)]
    wanted = [(name, [word] if word else PROGRAMS[name][1])
              for name, _, word in (each.partition(":") for each in options.only or built)]
    worse = []
    for case in ((name, word) for name, words in wanted for word in words):
        best = {}
        measure(case, options.folders, best, options.rounds)
        for _ in range(MORE_ROUNDS):
            if not any(map(is_worse, best.values())):
                break
            measure(case, options.folders, best, 1)
        for figure, (old, new) in best.items():
            if old is None or new is None:
                print(f"{figure:58} only in {'the new' if old is None else 'the old'} build", flush=True)
                continue
            line = f"{figure:58} {old:10.3f} {new:10.3f} {new / old if old else 1:7.3f}"
            print(line, flush=True)
            worse += [line] * is_worse((old, new))
    print(f"\n{len(worse)} worse by more than {100 * (WORSE - 1):.0f} %", *worse, sep="\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
