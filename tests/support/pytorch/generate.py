#!/usr/bin/env python3
"""Golden attention numbers from PyTorch: inputs, parameters and results of torch's own modules.

    /usr/bin/python3 tests/support/pytorch/generate.py > tests/support/pytorch/golden.json

Written with torch 1.13 (Debian's python3-torch). Needed only to make the file again; building and testing read the
file. Everything is computed in float64 and every matrix is written (in, out), that is, transposed from what
torch.nn.Linear and torch.nn.MultiheadAttention store.
"""
import json
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
cases = []


def numbers(tensor):
    """Nested lists, rounded to 10 significant digits."""
    if tensor.dim() == 0:
        return float(f"{tensor.item():.10g}")
    return [numbers(row) for row in tensor]


def add(name, spec, inputs, parameters, weights, output):
    cases.append({
        "name": name,
        "spec": spec,
        "inputs": {key: numbers(value) for key, value in inputs.items()},
        "parameters": {key: numbers(value) for key, value in parameters.items()},
        "weights": numbers(weights),  # [head, query, key]
        "output": numbers(output),
    })


def projections_of(module):
    """The module's parameters under our names, stored (in, out)."""
    if module.in_proj_weight is not None:
        W_q, W_k, W_v = module.in_proj_weight.chunk(3)
    else:
        W_q, W_k, W_v = module.q_proj_weight, module.k_proj_weight, module.v_proj_weight
    parameters = {"W_q": W_q.T, "W_k": W_k.T, "W_v": W_v.T, "W_o": module.out_proj.weight.T}
    if module.in_proj_bias is not None:
        b_q, b_k, b_v = module.in_proj_bias.chunk(3)
        parameters |= {"b_q": b_q, "b_k": b_k, "b_v": b_v, "b_o": module.out_proj.bias}
    return parameters


def multihead(name, seed, n, m, width, heads, bias=True, key_width=None, value_width=None, causal=False,
              real_keys=None):
    """torch.nn.MultiheadAttention; m is None for self-attention."""
    torch.manual_seed(seed)
    module = torch.nn.MultiheadAttention(width, heads, bias=bias, kdim=key_width, vdim=value_width, batch_first=True)
    if bias:  # torch starts them at 0, which would test nothing
        torch.nn.init.normal_(module.in_proj_bias, std=0.3)
        torch.nn.init.normal_(module.out_proj.bias, std=0.3)
    query = torch.randn(n, width)
    key = query if m is None else torch.randn(m, key_width or width)
    value = key if value_width is None and m is None else torch.randn(len(key), value_width or width)
    masks = []
    attention_mask = padding_mask = None
    if causal:
        attention_mask = torch.ones(n, len(key), dtype=torch.bool).triu(1)  # True is forbidden here
        masks.append({"type": "causal"})
    if real_keys is not None:
        padding_mask = (torch.arange(len(key)) >= real_keys)[None]
        masks.append({"type": "padding", "key_lengths": real_keys})
    output, weights = module(query[None], key[None], value[None], attn_mask=attention_mask,
                             key_padding_mask=padding_mask, need_weights=True, average_attn_weights=False)
    spec = {
        "source": {"type": "self" if m is None else "cross"},
        "projections": {"type": "learned", "bias": bias},
        "score": {"type": "scaled_dot"},
        "heads": {"type": "multi", "heads": heads},
    }
    if masks:
        spec["mask"] = masks[0] if len(masks) == 1 else {"all": masks}
    inputs = {"query": query} if m is None else {"query": query, "key": key, "value": value}
    add(name, spec, inputs, projections_of(module), weights[0], output[0])


def products(name, seed, n, m, width, scale, temperature=1.0):
    """softmax(q k^T c / t) v with torch.nn.functional.softmax."""
    torch.manual_seed(seed)
    query, key, value = torch.randn(n, width), torch.randn(m, width), torch.randn(m, width + 1)
    scores = query @ key.T * (1 / math.sqrt(width) if scale else 1)
    weights = F.softmax(scores / temperature, dim=-1)
    spec = {"source": {"type": "cross"}, "score": {"type": "scaled_dot" if scale else "dot"},
            "normalizer": {"type": "softmax", "temperature": temperature}}
    add(name, spec, {"query": query, "key": key, "value": value}, {}, weights[None], weights @ value)


def bilinear(name, seed, n, m, query_width, key_width):
    """torch.nn.Bilinear without a bias is Luong's general score."""
    torch.manual_seed(seed)
    layer = torch.nn.Bilinear(query_width, key_width, 1, bias=False)
    query, key = torch.randn(n, query_width), torch.randn(m, key_width)
    pairs = query[:, None].expand(n, m, -1).contiguous(), key[None].expand(n, m, -1).contiguous()
    weights = F.softmax(layer(*pairs).squeeze(-1), dim=-1)
    add(name, {"source": {"type": "cross"}, "score": {"type": "general"}}, {"query": query, "key": key},
        {"W": layer.weight[0]}, weights[None], weights @ key)


def energies(name, seed, n, m, query_width, key_width, hidden, score, activation, bias):
    """Additive and concat scores with torch.nn.Linear layers, as the tutorials write them."""
    torch.manual_seed(seed)
    query, key = torch.randn(n, query_width), torch.randn(m, key_width)
    act = {"tanh": torch.tanh, "relu": torch.relu, "sigmoid": torch.sigmoid}[activation]
    v = torch.nn.Linear(hidden, 1, bias=False)
    if score == "additive":
        W_1 = torch.nn.Linear(query_width, hidden, bias=bias)
        W_2 = torch.nn.Linear(key_width, hidden, bias=False)
        energy = act(W_1(query)[:, None] + W_2(key)[None])
        parameters, b = {"W_1": W_1.weight.T, "W_2": W_2.weight.T}, W_1.bias
    else:
        W = torch.nn.Linear(query_width + key_width, hidden, bias=bias)
        energy = act(W(torch.cat([query[:, None].expand(n, m, -1), key[None].expand(n, m, -1)], dim=-1)))
        parameters, b = {"W": W.weight.T}, W.bias
    if bias:
        parameters["b"] = b
    parameters["v"] = v.weight[0]
    weights = F.softmax(v(energy).squeeze(-1), dim=-1)
    add(name, {"source": {"type": "cross"}, "score": {"type": score, "activation": activation, "bias": bias}},
        {"query": query, "key": key}, parameters, weights[None], weights @ key)


multihead("self_2_heads", 0, n=5, m=None, width=8, heads=2)
multihead("self_4_heads_without_bias", 1, n=7, m=None, width=16, heads=4, bias=False)
multihead("self_1_head", 2, n=4, m=None, width=6, heads=1)
multihead("self_1_token", 3, n=1, m=None, width=8, heads=4)
multihead("self_heads_of_width_1", 4, n=6, m=None, width=4, heads=4)
multihead("cross_same_widths", 5, n=3, m=6, width=8, heads=2)
multihead("cross_own_widths", 6, n=4, m=5, width=12, heads=3, key_width=7, value_width=10)
multihead("cross_own_widths_without_bias", 7, n=6, m=3, width=8, heads=4, bias=False, key_width=5, value_width=9)
multihead("cross_1_query", 8, n=1, m=9, width=8, heads=2)
multihead("causal_self", 9, n=6, m=None, width=8, heads=2, causal=True)
multihead("causal_self_8_heads", 10, n=9, m=None, width=16, heads=8, bias=False, causal=True)
multihead("causal_fewer_queries", 11, n=3, m=6, width=8, heads=2, causal=True)
multihead("padded_self", 12, n=6, m=None, width=8, heads=2, real_keys=4)
multihead("padded_cross", 13, n=4, m=7, width=12, heads=3, real_keys=2)
multihead("padded_cross_1_real_key", 14, n=3, m=5, width=8, heads=4, bias=False, real_keys=1)
multihead("causal_and_padded_self", 15, n=7, m=None, width=8, heads=2, causal=True, real_keys=5)
products("dot", 20, n=4, m=6, width=5, scale=False)
products("scaled_dot", 21, n=5, m=3, width=7, scale=True)
products("scaled_dot_cold", 22, n=4, m=4, width=8, scale=True, temperature=0.25)
products("scaled_dot_warm", 23, n=4, m=4, width=8, scale=True, temperature=4.0)
bilinear("general", 24, n=4, m=5, query_width=6, key_width=3)
for seed, activation in enumerate(["tanh", "relu", "sigmoid"], start=30):
    for score in ["additive", "concat"]:
        for bias in [False, True]:
            energies(f"{score}_{activation}" + ("_with_bias" if bias else ""), seed, n=3, m=4, query_width=5,
                     key_width=4, hidden=6, score=score, activation=activation, bias=bias)

print('{"generator": "tests/support/pytorch/generate.py", "torch": "%s", "cases": [' % torch.__version__)
print(",\n".join(json.dumps(case) for case in cases))
print("]}")
