#!/usr/bin/env python3
"""Captured attention as NumPy writes it, and what its heads look at, computed with whole matrices.

    python3 tests/support/captures/generate.py tests/support/captures

Written with numpy 1.24 (Debian's python3-numpy). Needed only to make the files again; building and testing read them.
"""
import json
import pathlib
import sys

import numpy as np

from head_statistics import head_statistics

folder = pathlib.Path(sys.argv[1])
random = np.random.default_rng(12)
tokens = ["[CLS]", "the", "cat", "saw", "the", "cat", ",", "the", "dog", "."]
source = ["a", "b", "a", ";", "b", "a", "</s>"]


def maps(layers, heads, queries, keys, causal=False):
    scores = 2 * random.standard_normal((layers, heads, queries, keys))
    if causal:
        scores[..., np.triu(np.ones((queries, keys), bool), 1)] = -np.inf
    exponentials = np.exp(scores - scores.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def is_delimiter(token):
    return token in ("[CLS]", ",", ".", ";", "</s>")


def table(all_weights, query_tokens, key_tokens):
    return [dict(layer=layer + 1, head=head + 1, **head_statistics(weights, query_tokens, key_tokens, is_delimiter))
            for layer, heads in enumerate(all_weights) for head, weights in enumerate(heads)]


golden = {}
own = maps(2, 3, 10, 10)
np.savez(folder / "self.npz", attention=own, token_ids=np.arange(10))
(folder / "self.json").write_text(json.dumps({"model": "random", "tokens": tokens}))
golden["self.npz"] = table(own, tokens, tokens)
# The same as PyTorch returns it, a tuple of [batch, head, query, key], saved without a thought.
np.savez(folder / "layers.npz", *[layer[None] for layer in own])
(folder / "layers.json").write_text(json.dumps({"tokens": tokens}))

causal = maps(1, 2, 10, 10, causal=True).astype(np.float32)
np.savez_compressed(folder / "causal.npz", causal)
(folder / "causal.json").write_text(json.dumps({"tokens": tokens}))
golden["causal.npz"] = table(causal.astype(np.float64), tokens, tokens)

translation = {"encoder": maps(2, 2, 7, 7), "decoder": maps(2, 2, 10, 10, causal=True), "cross": maps(2, 2, 10, 7)}
np.savez_compressed(folder / "translation.npz", **{name: each.astype(np.float16) for name, each in translation.items()})
(folder / "translation.json").write_text(json.dumps({"query_tokens": tokens, "key_tokens": source}))
for name, (query, key) in {"encoder": (source, source), "decoder": (tokens, tokens), "cross": (tokens, source)}.items():
    golden[f"translation.npz {name}"] = table(translation[name].astype(np.float16).astype(np.float64), query, key)

plain = maps(1, 2, 3, 4)[0].astype(np.float16)
np.save(folder / "plain.npy", plain)
np.save(folder / "by_columns.npy", np.asfortranarray(plain))
golden["plain.npy"] = plain.astype(np.float64).tolist()

# Queries and keys, two heads of queries sharing one of keys; the second layer sees a window of three tokens.
q, k = (random.standard_normal((2, heads, 9, 6)).astype(np.float32) for heads in (4, 2))
sinks = random.standard_normal((2, 4)).round(3)
terms = {"scale": 0.75, "causal": True, "window": [None, 3], "softcap": 2.5, "sinks": sinks.tolist()}
scores = 0.75 * q.astype(np.float64) @ np.repeat(k.astype(np.float64), 2, axis=1).swapaxes(-1, -2)
scores = 2.5 * np.tanh(scores / 2.5)
places = np.arange(9)[:, None] - np.arange(9)[None, :]
scores[0][:, places < 0] = -np.inf
scores[1][:, (places < 0) | (places >= 3)] = -np.inf
exponentials = np.exp(scores)
recomputed = exponentials / (exponentials.sum(-1) + np.exp(sinks)[..., None])[..., None]
np.savez(folder / "queries.npz", q=q, k=k)
(folder / "queries.json").write_text(json.dumps({"tokens": tokens[:9], "terms": terms}))
golden["queries.npz"] = recomputed.tolist()

# Linear layers: what a query takes from a key through the decays between the two, from their cumulative products as
# whole matrices. A gate a token, as logarithms; a gate a token and channel, each row divided by its sum.
def implied(q, k, gates, scale):
    tokens = q.shape[-2]
    weights = np.zeros(q.shape[:-1] + (tokens,))
    for i in range(tokens):
        for j in range(i + 1):
            weights[..., i, j] = scale * (q[..., i, :] * gates[..., j + 1:i + 1, :].prod(-2) * k[..., j, :]).sum(-1)
    return weights


q, k = (random.standard_normal((2, heads, 9, 6)).astype(np.float32) for heads in (4, 2))
logs = -random.exponential(0.5, (2, 4, 9)).astype(np.float32)
wide_q, wide_k = q.astype(np.float64), np.repeat(k.astype(np.float64), 2, axis=1)
np.savez(folder / "implied.npz", q=q, k=k, decay=logs)
(folder / "implied.json").write_text(json.dumps({"tokens": tokens[:9], "terms": {
    "weights": "implied", "scale": 0.5, "causal": True, "decay": "log"}}))
golden["implied.npz"] = implied(wide_q, wide_k, np.exp(logs.astype(np.float64))[..., None], 0.5).tolist()

factors = random.uniform(0, 1, (2, 2, 9, 6)).astype(np.float32)
rows = implied(abs(wide_q), abs(wide_k), np.repeat(factors.astype(np.float64), 2, axis=1), 1)
np.savez(folder / "implied_shares.npz", q=abs(q), k=abs(k), decay=factors)
(folder / "implied_shares.json").write_text(json.dumps({"tokens": tokens[:9], "terms": {
    "weights": "implied", "scale": 1, "causal": True, "decay": "factor", "normalised": True}}))
golden["implied_shares.npz"] = (rows / rows.sum(-1, keepdims=True)).tolist()

(folder / "golden.json").write_text(json.dumps(golden, indent=1) + "\n")
