#!/usr/bin/env python3
"""Scaled dot-product, multi-head, grouped-query and additive attention beside PyTorch eager: 512 tokens, width 512, 8 heads
of width 64, float32, two threads, in turns in one run, so that a busy machine is unfair to none.

    /usr/bin/python3 bench/compare_mechanisms.py build/release/bench [rounds]

Needs Debian's python3-torch, and a build with HEADLIGHT_BENCHMARKS=ON (the preset `release`). Exit status 1 when one of
them is less than twice as fast, and where PyTorch's own product is under a third of the processor's rate (fair_peer.py).
"""
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from compare_pytorch import THREADS, best_settings
from fair_peer import answer, rate, require_fair, share

TOKENS, WIDTH, HEADS, KV_HEADS, DEMANDED = 512, 512, 8, 2, 2.0


def pytorch_mechanisms(torch):
    """What a person would write: the same projections (none for scaled dot and additive), heads and outputs."""
    depth = WIDTH // HEADS
    x = torch.randn(TOKENS, WIDTH)
    split = lambda y, heads: y.view(TOKENS, heads, depth).transpose(0, 1)
    linear = {name: torch.nn.Linear(WIDTH, width, bias=False)
              for name, width in {"q": WIDTH, "k": KV_HEADS * depth, "v": KV_HEADS * depth, "o": WIDTH}.items()}
    multi_head = torch.nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).eval()
    w_1, w_2, v = torch.randn(depth, depth), torch.randn(depth, depth), torch.randn(depth)

    def attend(q, k, v):
        weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / depth**0.5, -1)
        return torch.bmm(weights, v).transpose(0, 1).reshape(TOKENS, WIDTH)

    def scaled_dot_product():
        h = split(x, HEADS)
        return attend(h, h, h)

    def grouped_query():
        k, values = (split(linear[name](x), KV_HEADS).repeat_interleave(HEADS // KV_HEADS, 0) for name in "kv")
        return linear["o"](attend(split(linear["q"](x), HEADS), k, values))

    def additive():
        h = split(x, HEADS)
        energy = torch.tanh((h @ w_1).unsqueeze(2) + (h @ w_2).unsqueeze(1))
        return torch.bmm(torch.softmax(energy @ v, -1), h).transpose(0, 1).reshape(TOKENS, WIDTH)

    batch = x.unsqueeze(0)
    return {
        "scaled_dot_product": scaled_dot_product,
        "multi_head": lambda: multi_head(batch, batch, batch, need_weights=True, average_attn_weights=False),
        "grouped_query": grouped_query,
        "additive": additive,
    }


def fastest(function, seconds=0.3):
    best, end = 1e9, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        function()
        best = min(best, 1e3 * (time.perf_counter() - start))
    return best


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/bench")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    settings = best_settings()
    if any(os.environ.get(name) != value for name, value in settings.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **settings})

    import torch  # after the settings
    torch.set_num_threads(THREADS)
    theirs = pytorch_mechanisms(torch)
    # The settings are PyTorch's best, not the engine's: it spins for a moment between its loops, as OpenMP does by itself.
    own = {name: value for name, value in os.environ.items() if name not in settings} | {"OMP_NUM_THREADS": str(THREADS)}
    processor = require_fair(torch, folder, own)
    best = {name: {"pytorch": 1e9, "engine": 1e9, "flop": 0.0} for name in theirs}
    products = 0.0
    with torch.no_grad():
        for _ in range(rounds):
            for name, function in theirs.items():
                row = best[name]
                row["pytorch"] = min(row["pytorch"], fastest(function))
                ours = answer([folder / "mechanism_bench", "--json", name], own)[0]
                row["engine"] = min(row["engine"], ours["ms"])
                row["flop"] = 2 * ours["multiply_adds"]
            products = max(products, rate(folder, f"eigen_products/{TOKENS}", own))
            processor = max(processor, rate(folder, "processor_rate", own))
    print(f"{TOKENS} tokens, width {WIDTH}, {HEADS} heads, float32, {THREADS} threads, {rounds} rounds in turns, PyTorch "
          f"{torch.__version__} with {' '.join(f'{name}={value}' for name, value in settings.items())}")
    print(f"  Eigen's products of multi-head attention alone {products:.0f} GFLOP/s; multiply-adds in registers and nothing "
          f"else {processor:.0f} GFLOP/s")
    for name, row in best.items():
        reached = row["flop"] / row["engine"] / 1e6
        print(f"  {name:20} PyTorch eager {row['pytorch']:8.2f} ms, engine {row['engine']:8.2f} ms: "
              f"{row['pytorch'] / row['engine']:5.2f} times faster (demanded {DEMANDED}, bound by the processor "
              f"{row['pytorch'] * processor / row['flop'] * 1e6:.2f}); {reached:.0f} GFLOP/s, "
              f"{100 * reached / products:.0f} % of Eigen's products, {share(row['flop'], row['engine'] / 1e3, processor)} "
              f"against {share(row['flop'], row['pytorch'] / 1e3, processor)}")
    return 0 if all(row["pytorch"] >= DEMANDED * row["engine"] for row in best.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
