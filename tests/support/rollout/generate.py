"""Attention rollout of random weights as Abnar and Zuidema's published code computes it
(attention_graph_util.py, compute_joint_attention): the heads' mean plus I, rows divided by their sums, each further
layer multiplied from the left.

    /usr/bin/python3 tests/support/rollout/generate.py > tests/support/rollout/golden.json
"""
import json

import numpy

LAYERS, HEADS, TOKENS = 4, 3, 6


def joint_attention(mean_of_heads):
    with_residual = mean_of_heads + numpy.eye(TOKENS)[None]
    with_residual = with_residual / with_residual.sum(axis=-1, keepdims=True)
    joint = numpy.zeros_like(with_residual)
    joint[0] = with_residual[0]
    for layer in range(1, LAYERS):
        joint[layer] = with_residual[layer].dot(joint[layer - 1])
    return joint


def main():
    random = numpy.random.default_rng(17)
    cases = {}
    for name in ("full", "causal"):
        scores = random.normal(scale=2, size=(LAYERS, HEADS, TOKENS, TOKENS))
        if name == "causal":
            scores = numpy.where(numpy.tril(numpy.ones((TOKENS, TOKENS))), scores, -numpy.inf)
        weights = numpy.exp(scores)
        weights /= weights.sum(axis=-1, keepdims=True)
        cases[name] = {"weights": weights.tolist(), "rollout": joint_attention(weights.mean(axis=1)).tolist()}
    print(json.dumps(cases))


if __name__ == "__main__":
    main()
