#!/usr/bin/env python3
"""Training steps a second, float32, two threads: a GRU encoder-decoder with additive attention (hidden 128, batch 64,
20 tokens) and a small Transformer (width 128, 4 heads, 2 + 2 layers, feed-forward 512), by the engine and by PyTorch
eager, in turns in one run, so that a busy machine is unfair to none.

    /usr/bin/python3 bench/compare_training.py build/release/bench [rounds]

Needs Debian's python3-torch, and a build with HEADLIGHT_BENCHMARKS=ON (the preset `release`). Both sides teach the
decoder by force, take the mean cross-entropy of all labels and one step of Adam. PyTorch gets the settings under which
it is fastest, its fused layers where it has some (nn.GRU, nn.Transformer), the keys projected once and the readout of
all steps in one product. Exit status 1 when a demand is missed, and where PyTorch's own product is under a third of the
processor's rate (fair_peer.py).
"""
import os
import pathlib
import subprocess
import sys
import time

from compare_pytorch import THREADS, best_settings
from fair_peer import product_operations, require_fair, share

BATCH, LENGTH, VOCABULARY, WIDTH = 64, 20, 100, 128
DEMANDED_SPEEDUP = 2.0


def models(torch):
    nn = torch.nn

    class AdditiveGru(nn.Module):
        """Bahdanau et al. 2015, A.2: as core/model/recurrent_model.h has it."""

        def __init__(self):
            super().__init__()
            self.source, self.target = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(VOCABULARY, WIDTH)
            self.encoder = nn.GRU(WIDTH, WIDTH, bidirectional=True)
            self.first = nn.Linear(WIDTH, WIDTH)
            self.query, self.key = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(2 * WIDTH, WIDTH, bias=False)
            self.v = nn.Parameter(torch.randn(WIDTH) / WIDTH ** 0.5)
            self.cell = nn.GRUCell(3 * WIDTH, WIDTH)
            self.readout = nn.Linear(4 * WIDTH, 2 * WIDTH)
            self.output = nn.Linear(WIDTH, VOCABULARY)

        def forward(self, source, inputs):
            states, _ = self.encoder(self.source(source))
            hidden = torch.tanh(self.first(states[0, :, WIDTH:]))
            states = states.transpose(0, 1).contiguous()
            keys = self.key(states)
            known = []
            for embedded in self.target(inputs):
                energy = torch.tanh(self.query(hidden).unsqueeze(1) + keys)
                weights = torch.softmax(energy @ self.v, dim=1)
                context = torch.bmm(weights.unsqueeze(1), states).squeeze(1)
                known.append(torch.cat([hidden, embedded, context], dim=1))
                hidden = self.cell(torch.cat([embedded, context], dim=1), hidden)
            pairs = self.readout(torch.stack(known)).unflatten(-1, (WIDTH, 2))
            return self.output(pairs.max(dim=-1).values)

    class SmallTransformer(nn.Module):
        def __init__(self):
            super().__init__()
            self.source, self.target = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(VOCABULARY, WIDTH)
            self.places = torch.randn(LENGTH, 1, WIDTH)
            self.layers = nn.Transformer(WIDTH, 4, 2, 2, 512, dropout=0.0, norm_first=True)
            self.mask = nn.Transformer.generate_square_subsequent_mask(LENGTH)
            self.output = nn.Linear(WIDTH, VOCABULARY)

        def forward(self, source, inputs):
            return self.output(self.layers(self.source(source) + self.places, self.target(inputs) + self.places,
                                           tgt_mask=self.mask))

    return {"gru": AdditiveGru(), "transformer": SmallTransformer()}


def steps_per_second(torch, model, optimizer, steps):
    source = torch.randint(VOCABULARY, (LENGTH, BATCH))
    labels = source.flip(0)
    inputs = torch.cat([torch.zeros(1, BATCH, dtype=torch.long), labels[:-1]])
    times = []
    for _ in range(steps):
        start = time.perf_counter()
        optimizer.zero_grad(set_to_none=True)
        loss = torch.nn.functional.cross_entropy(model(source, inputs).flatten(0, 1), labels.flatten())
        loss.backward()
        optimizer.step()
        times.append(time.perf_counter() - start)
    return 1 / sorted(times)[len(times) // 10]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/bench")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    settings = best_settings()
    if any(os.environ.get(name) != value for name, value in settings.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **settings})

    import torch  # after the settings
    torch.set_num_threads(THREADS)
    processor = require_fair(torch, folder, os.environ)
    failed = False
    for name, model in models(torch).items():
        optimizer = torch.optim.Adam(model.parameters(), foreach=True)
        operations = product_operations(torch, lambda: steps_per_second(torch, model, optimizer, 1))
        theirs, ours = [], []
        for _ in range(rounds):
            theirs.append(steps_per_second(torch, model, optimizer, 30))
            run = subprocess.run([folder / "training_bench", name, "60"], check=True, capture_output=True, text=True)
            ours.append(float(run.stdout.split()[0]))
        ratio = max(ours) / max(theirs)
        failed |= ratio < DEMANDED_SPEEDUP
        print(f"{name:12} PyTorch eager {max(theirs):6.1f} steps/s, engine {max(ours):6.1f} steps/s: {ratio:.2f} times "
              f"(demanded {DEMANDED_SPEEDUP}), products at {share(operations, 1 / max(ours), processor)} against "
              f"{share(operations, 1 / max(theirs), processor)}{'' if ratio >= DEMANDED_SPEEDUP else '  MISSED'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
