"""Mixers that weigh each pair by a rule of their own, or look at more than the tokens' keys and values."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, row
from mixers import N, finish


def build_slots():
    """Learned keys and values before those of the tokens; one of them is torch's own bias_k and bias_v."""
    def split(slots, heads):
        return slots.reshape(slots.shape[0], heads, -1).transpose(0, 1)

    case = Heads(900, n=N)
    keys, values = split(case.add("K_memory", draw(3, 8)), 2), split(case.add("V_memory", draw(3, 8)), 2)
    scores = case.q @ torch.cat([keys, case.k], 1).transpose(1, 2) / math.sqrt(case.d)
    allowed = torch.cat([torch.ones(N, 3, dtype=torch.bool), causal(N)], 1)
    weights = masked_softmax(scores, allowed)
    finish(case, {"type": "persistent_memory", "slots": 3}, weights[..., 3:],
           weights @ torch.cat([values, case.v], 1), stages={"memory_weights": weights[..., :3]})

    case = Heads(901, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    keys, values = case.add("K_memory", draw(2, 4)), case.add("V_memory", draw(2, 4))
    weights = masked_softmax(case.q @ torch.cat([keys, case.k[0]]).T / math.sqrt(case.d))
    finish(case, {"type": "persistent_memory", "slots": 2}, weights[..., 2:],
           weights @ torch.cat([values, case.v[0]]), name="persistent_memory_of_one_key_head", is_causal=False)

    case = Heads(902, n=N)
    keys, values = case.add("K_memory", draw(1, 8)), case.add("V_memory", draw(1, 8))
    W_q, W_k, W_v, W_o = (case.parameters[name] for name in ["W_q", "W_k", "W_v", "W_o"])
    tokens = case.x[:, None]
    output, weights = F.multi_head_attention_forward(
        tokens, tokens, tokens, 8, 2, torch.cat([W_q.T, W_k.T, W_v.T]), torch.zeros(24), keys[:, None],
        values[:, None], False, 0.0, W_o.T, torch.zeros(8), need_weights=True, average_attn_weights=False)
    row("algorithm", "persistent_memory_as_bias_of_keys",
        case.spec | {"algorithm": {"type": "persistent_memory", "slots": 1}}, case.inputs, case.parameters,
        weights[0, :, :, :-1], output[:, 0])


def build_convolutions():
    """Kernels over the padded text, cut out place by place; renormalised, as bands of minus infinity."""
    def unfolded(values, size, before):
        padded = F.pad(values, (0, 0, before, size - 1 - before))
        return torch.stack([padded[:, place:place + N] for place in range(size)], 2)  # [h, n, size, d]

    unit = torch.eye(N).expand(2, -1, -1)
    case = Heads(903, n=N)
    W = case.add("W_kernel", draw(8, 3)).reshape(2, 4, 3)
    kernel = torch.softmax(case.q @ W, -1)
    mix = lambda values, before: torch.einsum("hnk,hnkd->hnd", kernel, unfolded(values, kernel.shape[-1], before))
    finish(case, {"type": "dynamic_convolution"}, mix(unit, 2), mix(case.v, 2),
           stages={"offset_weights": kernel})

    case = Heads(904, n=N)
    kernel = torch.softmax(case.add("w_kernel", draw(2, 4)), -1)[:, None].expand(-1, N, -1)
    finish(case, {"type": "dynamic_convolution", "kernel": "lightweight", "size": 4, "window": "centred"},
           mix(unit, 1), mix(case.v, 1), name="lightweight_convolution", is_causal=False)

    case = Heads(905, n=N)
    scores = case.q @ case.add("W_kernel", draw(8, 5)).reshape(2, 4, 5)
    bands = torch.full((2, N, N + 4), float("-inf"))
    bands.as_strided((2, N, 5), (N * (N + 4), N + 5, 1)).copy_(scores)
    finish(case, {"type": "dynamic_convolution", "size": 5, "window": "centred", "renormalized": True},
           torch.softmax(bands[..., 2:2 + N], -1), name="dynamic_convolution_renormalized", is_causal=False)


def build_lines():
    """Local linear attention as it is printed, z = k - q, with a system for each query."""
    def weights_of(q, k, p, ridge):
        z = k[:, None] - q[:, :, None]  # [h, n, m, d]
        system = torch.einsum("hnm,hnma,hnmb->hnab", p, z, z) + ridge * torch.eye(q.shape[-1])
        mean = torch.einsum("hnm,hnma->hna", p, z)
        rho = torch.linalg.solve(system, mean)
        return p * (1 - torch.einsum("hnma,hna->hnm", z, rho)) / (1 - (mean * rho).sum(-1, keepdim=True))

    case = Heads(906, n=N)
    p = masked_softmax(case.products() / math.sqrt(case.d), causal(N))
    finish(case, {"type": "local_linear", "lambda": 0.2}, weights_of(case.q, case.k, p, 0.2),
           stages={"soft_weights": p})
    case = Heads(907, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    p = masked_softmax(case.products() / math.sqrt(case.d))
    finish(case, {"type": "local_linear"}, weights_of(case.q, case.k.expand(2, -1, -1), p, 1.0),
           name="local_linear_of_one_key_head", is_causal=False)


def build_quasi_attention():
    case = Heads(908, n=N)
    root = math.sqrt(case.d)
    gates = 2 * torch.sigmoid(-torch.cdist(case.q, case.k, p=1) / root)
    finish(case, {"type": "coda"}, (torch.tanh(case.products() / root) * gates).tril(),
           stages={"distance_gates": gates})
    case = Cross(909, 4, N, 3)
    gates = 2 * torch.sigmoid(-torch.cdist(case.query, case.key, p=1) / math.sqrt(3))
    weights = torch.tanh(case.products() / math.sqrt(3)) * gates
    row("algorithm", "coda_of_another_sequence", case.spec | {"algorithm": {"type": "coda"}}, case.inputs, {}, weights,
        weights @ case.value)


def build_shifts():
    """A convolution of two places over keys and values, a kernel for each head."""
    def shifted(x, own, before):
        return own[:, None, None] * x + before[:, None, None] * F.pad(x, (0, 0, 1, -1))

    case = Heads(910, n=N)
    numbers = [case.add(name, draw(2)) for name in ["alpha_1", "alpha_2", "beta_1", "beta_2"]]
    k, v = shifted(case.k, *numbers[:2]), shifted(case.v, *numbers[2:])
    weights = masked_softmax(case.q @ k.transpose(1, 2) / math.sqrt(case.d), causal(N))
    finish(case, {"type": "key_value_shift"}, weights, weights @ v, stages={"shifted_key": k, "shifted_value": v})

    case = Heads(911, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    alpha = [case.add(name, draw(1)) for name in ["alpha_1", "alpha_2"]]
    k, v = shifted(case.k, *alpha), shifted(case.v, torch.tensor([0.75]), torch.tensor([0.25]))
    weights = masked_softmax(case.q @ k.transpose(1, 2) / math.sqrt(case.d))
    finish(case, {"type": "key_value_shift", "value_shift": 0.25}, weights, weights @ v,
           name="key_value_shift_of_one_key_head", is_causal=False)


def build_matchability():
    """Logarithms of an assignment as LightGlue's code adds them up."""
    def assignment(sim, z0, z1):
        certainties = F.logsigmoid(z0) + F.logsigmoid(z1).transpose(-2, -1)
        return torch.exp(F.log_softmax(sim, -1) + F.log_softmax(sim, -2) + certainties)

    case = Cross(2100, 4, N, 5)
    W, b = draw(5, 1), draw(1)
    root = 5 ** 0.25
    weights = assignment(case.query / root @ (case.key / root).T, case.query @ W + b, case.key @ W + b)
    row("algorithm", "matchability",
        case.spec | {"normalizer": {"type": "dual_softmax"}, "algorithm": {"type": "matchability"}}, case.inputs,
        {"W_matchability": W, "b_matchability": b}, weights, weights @ case.value,
        {"query_matchability": torch.sigmoid(case.query @ W + b).T})

    case = Heads(2101, n=N)
    likely = torch.sigmoid(case.x @ case.add("W_matchability", draw(8, 2)) + case.add("b_matchability", draw(2))).T
    weights = masked_softmax(case.products() / math.sqrt(case.d), causal(N)) * likely[:, :, None] * likely[:, None]
    finish(case, {"type": "matchability"}, weights, name="matchability_of_a_softmax")


def build_lambdas():
    """The paper's einsums (figure 2), one value of the map at a time where the values are the unit matrix."""
    def answers(q, k, E, reach, values):
        n, m = q.shape[1], k.shape[1]
        places = torch.arange(m)[None] - torch.arange(n)[:, None]
        embeddings = E[(places + reach).clamp(0, 2 * reach)] * (places.abs() <= reach)[..., None]  # [n, m, k]
        content = torch.einsum("hmk,hmv->hkv", torch.softmax(k, 1), values)
        positions = torch.einsum("nmk,hmv->hnkv", embeddings, values)
        return torch.einsum("hnk,hkv->hnv", q, content) + torch.einsum("hnk,hnkv->hnv", q, positions)

    case = Heads(912, n=N)
    E = case.add("E_lambda", draw(5, case.d))
    finish(case, {"type": "lambda_layer", "reach": 2},
           answers(case.q, case.k, E, 2, torch.eye(N).expand(2, -1, -1)), answers(case.q, case.k, E, 2, case.v),
           is_causal=False)
    case = Heads(913, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    E, k, v = case.add("E_lambda", draw(3, case.d)), case.k.expand(2, -1, -1), case.v.expand(2, -1, -1)
    finish(case, {"type": "lambda_layer", "reach": 1}, answers(case.q, k, E, 1, torch.eye(N).expand(2, -1, -1)),
           answers(case.q, k, E, 1, v), name="lambda_layer_of_one_key_head", is_causal=False)


def build():
    build_slots()
    build_convolutions()
    build_lines()
    build_quasi_attention()
    build_shifts()
    build_matchability()
    build_lambdas()
