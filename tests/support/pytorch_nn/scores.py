#!/usr/bin/env python3
"""Golden gradients of the scores from PyTorch, by automatic differentiation.

    /usr/bin/python3 tests/support/pytorch_nn/scores.py > tests/support/pytorch_nn/scores.json

Written with torch 1.13 (Debian's python3-torch), from the papers' formulas, never from the engine. Needed only to make
the file again. Each row holds a score, queries, keys and parameters, the scores (or, where they follow the weights of
the query before, the weights), factors of the same shape, and the gradients of the sum of factors times scores.
"""
import json
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
QUERIES, KEYS, WIDTH, ENERGY = 3, 4, 3, 5
rows = []


def draw(*shape):
    """Normal numbers of two decimals."""
    return torch.round(torch.randn(*shape) * 70) / 100


def numbers(tensor):
    """Nested lists of 14 significant digits."""
    return float(f"{tensor.item():.14g}") if tensor.dim() == 0 else [numbers(row) for row in tensor]


def pairs(q, k):
    """[n, m, d] each."""
    return q[:, None].expand(len(q), len(k), -1), k[None].expand(len(q), len(k), -1)


def add(name, score, function, shapes=None, key_width=WIDTH, values=None):
    torch.manual_seed(len(rows) + 900)
    q, k = draw(QUERIES, WIDTH).requires_grad_(), draw(KEYS, key_width).requires_grad_()
    p = {key: draw(*shape) for key, shape in (shapes or {}).items()}
    p.update({key: torch.tensor(value) for key, value in (values or {}).items()})
    for tensor in p.values():
        tensor.requires_grad_()
    factors = draw(QUERIES, KEYS)
    scores = function(q, k, p)
    (scores * factors).sum().backward()
    gradient = lambda x: torch.zeros_like(x) if x.grad is None else x.grad
    rows.append({"name": name, "score": score, "query": numbers(q), "key": numbers(k),
                 "parameters": {key: numbers(value) for key, value in p.items()}, "factors": numbers(factors),
                 "scores": numbers(scores), "query_gradient": numbers(gradient(q)),
                 "key_gradient": numbers(gradient(k)),
                 "gradients": {key: numbers(gradient(value)) for key, value in p.items()}})


def energies(q, k, p, act=torch.tanh, extra=0.0):
    """act(q W_1 + k W_2 + b): [n, m, d_a]"""
    return act((q @ p["W_1"])[:, None] + (k @ p["W_2"])[None] + p.get("b", 0.0) + extra)


def products(q, k, p=None):
    return q @ k.T


def scaled(q, k, p=None):
    return q @ k.T / math.sqrt(WIDTH)


def build_products():
    add("dot", {"type": "dot"}, products)
    add("scaled_dot", {"type": "scaled_dot"}, scaled)
    add("softcap", {"type": "scaled_dot", "softcap": 0.9}, lambda q, k, p: 0.9 * torch.tanh(scaled(q, k) / 0.9))
    add("learned_scale", {"type": "learned_scale"}, lambda q, k, p: p["g"] * products(q, k), values={"g": [0.35]})
    add("general", {"type": "general"}, lambda q, k, p: F.bilinear(*[x.reshape(-1, x.shape[-1]) for x in pairs(q, k)],
        p["W"][None]).reshape(QUERIES, KEYS), {"W": (WIDTH, 2)}, 2)
    add("self_similarity", {"type": "self_similarity"}, products)
    add("cosine", {"type": "cosine", "beta": 3}, lambda q, k, p: 3 * F.cosine_similarity(*pairs(q, k), dim=-1))
    add("scaled_cosine", {"type": "scaled_cosine"},
        lambda q, k, p: torch.clamp(p["log_tau"], max=math.log(100)).exp() * F.cosine_similarity(*pairs(q, k), dim=-1),
        values={"log_tau": [1.2]})
    add("gaussian", {"type": "gaussian", "sigma": 0.8}, lambda q, k, p: -torch.cdist(q, k) ** 2 / (2 * 0.8 ** 2))
    add("euclidean", {"type": "euclidean"}, lambda q, k, p: -torch.cdist(q, k) ** 2 / math.sqrt(WIDTH))
    norms = {"l2": lambda x, g: F.normalize(x, dim=-1), "layer": lambda x, g: F.layer_norm(x, (WIDTH,), g, eps=1e-6),
             "rms": lambda x, g: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * g}
    for word, norm in norms.items():
        add("qk_norm_" + word, {"type": "scaled_dot", "vector_norm": word},
            lambda q, k, p, norm=norm: scaled(norm(q, p.get("g_q")), norm(k, p.get("g_k"))),
            {} if word == "l2" else {"g_q": (WIDTH,), "g_k": (WIDTH,)})


def build_networks():
    side = {"W_1": (WIDTH, ENERGY), "W_2": (2, ENERGY), "v": (ENERGY,)}
    both = {"W": (WIDTH + 2, ENERGY), "v": (ENERGY,)}
    add("concat", {"type": "concat", "attention_dimension": ENERGY, "bias": True},
        lambda q, k, p: torch.tanh(torch.cat(pairs(q, k), -1) @ p["W"] + p["b"]) @ p["v"], both | {"b": (ENERGY,)}, 2)
    for act in [torch.tanh, torch.relu, torch.sigmoid, lambda x: x]:
        word = act.__name__ if act.__name__ != "<lambda>" else "identity"
        add("additive_" + word, {"type": "additive", "attention_dimension": ENERGY, "bias": True, "activation": word},
            lambda q, k, p, act=act: energies(q, k, p, act) @ p["v"], side | {"b": (ENERGY,)}, 2)
    add("normalized_additive", {"type": "normalized_additive", "attention_dimension": ENERGY},
        lambda q, k, p: p["g"] * (energies(q, k, p) @ F.normalize(p["v"], dim=0)), side | {"b": (ENERGY,)}, 2,
        {"g": [1.7]})
    add("elementwise_additive", {"type": "elementwise_additive"},
        lambda q, k, p: torch.tanh(sum(pairs(q, k))) @ p["v"], {"v": (WIDTH,)})
    add("elementwise_concat", {"type": "elementwise_concat"},
        lambda q, k, p: p["g"] * torch.tanh(p["s"] * sum(pairs(q, k))).sum(-1), values={"s": [0.6], "g": [1.4]})
    add("linear", {"type": "linear", "bias": True}, lambda q, k, p: torch.cat(pairs(q, k), -1) @ p["w"] + p["b"],
        {"w": (WIDTH + 2,), "b": (1,)}, 2)
    add("trilinear", {"type": "trilinear"},
        lambda q, k, p: torch.cat([*pairs(q, k), q[:, None] * k[None]], -1) @ p["w"], {"w": (3 * WIDTH,)})
    add("graph", {"type": "graph", "slope": 0.3},
        lambda q, k, p: F.leaky_relu(torch.cat(pairs(q, k), -1) @ p["w"], 0.3), {"w": (WIDTH + 2,)}, 2)
    add("dynamic_graph", {"type": "dynamic_graph", "attention_dimension": ENERGY},
        lambda q, k, p: energies(q, k, p, lambda x: F.leaky_relu(x, 0.2)) @ p["v"], side, 2)

    def deep(q, k, p):
        (q, k) = pairs(q, k)
        first = torch.tanh(torch.cat([q, k, q - k, q * k], -1) @ p["W"] + p["b"])
        return torch.tanh(first @ p["W_deep"]) @ p["v"]
    add("mlp", {"type": "mlp", "bias": True, "attention_dimension": ENERGY}, deep,
        {"W": (4 * WIDTH, ENERGY), "b": (ENERGY,), "W_deep": (ENERGY, ENERGY), "v": (ENERGY,)})


def build_places():
    add("location", {"type": "location"}, lambda q, k, p: q @ p["W_slots"], {"W_slots": (WIDTH, KEYS)})
    add("dense_synthesizer", {"type": "dense_synthesizer", "bias": True, "attention_dimension": ENERGY},
        lambda q, k, p: torch.relu(q @ p["W_1"] + p["b"]) @ p["W_slots"],
        {"W_1": (WIDTH, ENERGY), "b": (ENERGY,), "W_slots": (ENERGY, KEYS)})
    add("random_synthesizer", {"type": "random_synthesizer"}, lambda q, k, p: p["R"] * 1.0, {"R": (QUERIES, KEYS)})
    add("factorised_synthesizer", {"type": "random_synthesizer", "rank": 2}, lambda q, k, p: p["R_1"] @ p["R_2"].T,
        {"R_1": (QUERIES, 2), "R_2": (KEYS, 2)})


def build_histories():
    def weights(q, k, p, extra, memory, remember, sharpening=1.0):
        rows_of_weights = []
        for query in q:
            energy = energies(query[None], k, p, extra=extra(memory)[None])[0]
            rows_of_weights.append(torch.softmax(sharpening * (energy @ p["v"]), 0))
            memory = remember(memory, rows_of_weights[-1])
        return torch.stack(rows_of_weights)
    shapes = {"W_1": (WIDTH, ENERGY), "W_2": (2, ENERGY), "v": (ENERGY,)}
    for cumulative in [False, True]:
        filtered = lambda p: lambda memory: F.conv1d(memory[None, None], p["F"][:, None], padding=1)[0].T @ p["U"]
        add("location_aware" + ("_cumulative" if cumulative else ""),
            {"type": "location_aware", "filters": 2, "width": 3, "attention_dimension": ENERGY,
             "cumulative": cumulative, "sharpening": 2},
            lambda q, k, p, c=cumulative: weights(q, k, p, filtered(p), torch.zeros(KEYS) if c else
                                                  torch.full((KEYS,), 1 / KEYS),
                                                  lambda memory, last: memory + last if c else last, 2.0),
            shapes | {"F": (2, 3), "U": (2, ENERGY)}, 2)
    add("coverage", {"type": "coverage", "attention_dimension": ENERGY},
        lambda q, k, p: weights(q, k, p, lambda c: c[:, None] * p["w_c"], torch.zeros(KEYS), torch.add),
        shapes | {"w_c": (ENERGY,)}, 2)


def build_maps():
    def convolved(q, k, p):  # theta[i', j'] meets query i - i' and key j - j', j' from -1 to 1; conv2d turns it round
        kernel = torch.flip(p["theta"].reshape(1, 1, 2, 3), [2, 3])
        return F.conv2d(F.pad(scaled(q, k)[None, None], (1, 1, 1, 0)), kernel)[0, 0]
    add("multi_token", {"type": "multi_token", "query_width": 2, "key_width": 3}, convolved, {"theta": (2, 3)})

    def erased(q, k, p):
        scores = scaled(q, k)
        may = torch.ones(QUERIES, KEYS) - torch.eye(QUERIES, KEYS)
        may[:, 0] = 0
        return scores - F.pad(torch.cumsum(torch.relu(scores) * may, 0), (0, 0, 1, -1))
    add("selective", {"type": "selective"}, erased)


build_products()
build_networks()
build_places()
build_histories()
build_maps()
print('{"generator": "tests/support/pytorch_nn/scores.py", "torch": "%s", "rows": [' % torch.__version__)
print(",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]}")
