#!/usr/bin/env python3
"""Multi-head attention, 1,024 tokens, d_model 512, 8 heads, float32, two threads: the engine, the matrix products alone
by Eigen, and PyTorch eager, in turns in one run, so that a busy machine is unfair to none.

    /usr/bin/python3 bench/compare_pytorch.py build/release/bench [rounds]

Needs Debian's python3-torch, and a build with HEADLIGHT_BENCHMARKS=ON (the preset `release`). PyTorch keeps the weights
of every head, as the engine does, and gets the settings under which it is fastest. Also prints the engine's other
benchmarks and what the null sink costs. Exit status 1 when a demand is missed, and where PyTorch's own product is under a
third of the processor's rate (fair_peer.py).
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from fair_peer import require_fair, share

TOKENS, WIDTH, HEADS, THREADS = 1024, 512, 8, 2
DEMANDED_SPEEDUP, DEMANDED_SHARE_OF_EIGEN = 1.8, 0.7


def best_settings():
    """OpenMP and OpenBLAS read these when they are loaded: before this process imports torch."""
    settings = {"OMP_NUM_THREADS": str(THREADS), "OMP_WAIT_POLICY": "PASSIVE"}
    if "avx512f" in pathlib.Path("/proc/cpuinfo").read_text():
        settings["OPENBLAS_CORETYPE"] = "SkylakeX"
    return settings


def fastest_pytorch(attention, tokens):
    times = []
    for _ in range(10):
        start = time.perf_counter()
        attention(tokens, tokens, tokens, need_weights=True, average_attn_weights=False)
        times.append(1e3 * (time.perf_counter() - start))
    return min(times)


def fastest(engine_bench, benchmark):
    """Milliseconds of the fastest of ten runs of one benchmark of ours."""
    run = subprocess.run(
        [engine_bench, f"--benchmark_filter=^{benchmark}/{TOKENS}/", "--benchmark_min_time=0.001",
         "--benchmark_repetitions=10", "--benchmark_format=json"],
        check=True, capture_output=True, text=True)
    return min(row["real_time"] for row in json.loads(run.stdout)["benchmarks"] if row["run_type"] == "iteration")


def print_ours(engine_bench, null_sink_bench):
    run = subprocess.run([engine_bench, "--benchmark_format=json", "--benchmark_repetitions=5"], check=True,
                         capture_output=True, text=True)
    rows = {}
    for row in json.loads(run.stdout)["benchmarks"]:
        if row["run_type"] == "iteration" and row["real_time"] < rows.get(row["name"], {"real_time": 1e9})["real_time"]:
            rows[row["name"]] = row
    print("\nThe engine, fastest of 5 (tokens after the name):")
    for name, row in rows.items():
        notes = [f"{row[key]:.1f} {key.split('_')[-1]} {key.rpartition('_')[0]}".rstrip()
                 for key in ("executor_MB", "trace_MB", "GFLOP/s") if key in row]
        print(f"  {name.replace('/real_time', ''):26} {row['real_time']:8.3f} ms   {', '.join(notes)}")
    print()
    print(subprocess.run([null_sink_bench], check=True, capture_output=True, text=True).stdout, end="")


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/bench")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    settings = best_settings()
    if any(os.environ.get(name) != value for name, value in settings.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **settings})

    import torch  # after the settings
    torch.set_num_threads(THREADS)
    processor = require_fair(torch, folder, os.environ)
    attention = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    tokens = torch.randn(1, TOKENS, WIDTH)

    names = {"PyTorch eager": [], "Eigen, products alone": [], "engine": []}
    with torch.no_grad():
        fastest_pytorch(attention, tokens)
        for _ in range(rounds):
            names["PyTorch eager"].append(fastest_pytorch(attention, tokens))
            names["Eigen, products alone"].append(fastest(folder / "engine_bench", "eigen_products"))
            names["engine"].append(fastest(folder / "engine_bench", "untraced<float>"))

    operations = 2 * (4 * TOKENS * WIDTH**2 + 2 * TOKENS**2 * WIDTH)
    print(f"Multi-head attention, {TOKENS} tokens, d_model {WIDTH}, {HEADS} heads, float32, weights of every head kept,")
    print(f"{THREADS} threads, {rounds} rounds of 10 in turns, PyTorch {torch.__version__} with "
          f"{' '.join(f'{name}={value}' for name, value in settings.items())}")
    for name, times in names.items():
        print(f"  {name:22} fastest {min(times):7.2f} ms ({operations / min(times) / 1e6:4.0f} GFLOP/s in products), "
              f"median of rounds {statistics.median(times):7.2f} ms, {share(operations, min(times) / 1e3, processor)}")
    pytorch, eigen, engine = (min(times) for times in names.values())
    print(f"  engine against PyTorch: {pytorch / engine:.2f} times faster (demanded {DEMANDED_SPEEDUP}), "
          f"{share(operations, engine / 1e3, processor)} against {share(operations, pytorch / 1e3, processor)}")
    print(f"  engine against Eigen's products alone: {100 * eigen / engine:.0f} % of their rate "
          f"(demanded {100 * DEMANDED_SHARE_OF_EIGEN:.0f} %)")
    print_ours(folder / "engine_bench", folder / "null_sink_bench")
    return 0 if pytorch >= DEMANDED_SPEEDUP * engine and eigen >= DEMANDED_SHARE_OF_EIGEN * engine else 1


if __name__ == "__main__":
    sys.exit(main())
