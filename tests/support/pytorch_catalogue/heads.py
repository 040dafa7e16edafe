"""Heads that share, mix, subtract and gate."""
import math

import torch

from golden import Heads, causal, draw, masked_softmax
from positions import frequencies, rotate


def build():
    for number, kv_heads in [(500, 1), (501, 2)]:
        case = Heads(number, n=5, width=16, heads=4, kv_heads=kv_heads)
        k, v = (torch.repeat_interleave(x, 4 // kv_heads, dim=0) for x in [case.k, case.v])
        weights = masked_softmax(case.q @ k.transpose(1, 2) / 2, causal(5))
        kind = {"type": "multi_query", "heads": 4} if kv_heads == 1 else \
            {"type": "grouped_query", "heads": 4, "kv_heads": kv_heads}
        case.row("heads", kind["type"], {"heads": kind, "mask": {"type": "causal"}}, weights, weights @ v)

    case = Heads(502, n=5)
    P_scores, P_weights = case.add("P_scores", draw(2, 2)), case.add("P_weights", draw(2, 2))
    mix = lambda x, P: torch.einsum("hij,gh->gij", x, P)  # row g: what head g takes of each; the paper has columns
    weights = mix(torch.softmax(mix(case.products() / 2, P_scores), -1), P_weights)
    case.row("heads", "talking", {"heads": {"type": "talking", "heads": 2}}, weights)

    for number, sharing in enumerate(["query_key", "key_value"], start=503):
        case = Heads(number, n=5)
        k = case.q if sharing == "query_key" else case.k
        del case.parameters["W_k" if sharing == "query_key" else "W_v"]
        weights = torch.softmax(case.q @ k.transpose(1, 2) / 2, -1)
        case.row("heads", "shared_" + sharing, {"heads": {"type": "multi", "heads": 2, "sharing": sharing}}, weights,
                 weights @ (case.v if sharing == "query_key" else case.k))

    for number, gate in enumerate(["elementwise", "headwise"], start=505):
        case = Heads(number, n=5)
        width = 8 if gate == "elementwise" else 2
        W_gate, b_gate = case.add("W_gate", draw(8, width)), case.add("b_gate", draw(width))
        weights = torch.softmax(case.products() / 2, -1)
        gates = case.split(torch.sigmoid(case.x @ W_gate + b_gate))
        case.row("heads", "gate_" + gate, {"heads": {"type": "multi", "heads": 2, "gate": gate}}, weights,
                 weights @ case.v * gates)

    case = Heads(507, n=5)
    lambdas = [case.add(name, draw(2, scale=0.5)) for name in ["lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"]]
    gain, first = case.add("g_head", draw(4)), 0.8 - 0.6 * math.exp(-0.3 * 3)
    amount = torch.exp(lambdas[0] @ lambdas[1]) - torch.exp(lambdas[2] @ lambdas[3]) + first
    (q_1, q_2), (k_1, k_2) = case.q.chunk(2, -1), case.k.chunk(2, -1)
    one, two = (masked_softmax(q @ k.transpose(1, 2) / math.sqrt(2), causal(5)) for q, k in [(q_1, k_1), (q_2, k_2)])
    weights = one - amount * two
    context = weights @ case.v
    normed = context * torch.rsqrt(context.pow(2).mean(-1, keepdim=True) + 1e-5) * gain * (1 - first)
    case.row("heads", "differential", {"algorithm": {"type": "differential", "layer": 3}, "mask": {"type": "causal"}},
             weights, normed, {"first_weights": one, "second_weights": two})

    # Parallax as its algorithm has it, (1 + E[s]) O_1 - O_2: the weights are those that a unit matrix of values shows.
    case = Heads(511, n=5)
    r = case.split(case.x @ case.add("W_r", draw(8, 8, scale=0.5)))
    p, s = masked_softmax(case.products() / 2, causal(5)), 0.5 * r @ case.k.transpose(1, 2)
    corrected = lambda values: p @ values * (1 + (p * s).sum(-1, keepdim=True)) - (p * s) @ values
    case.row("heads", "parallax", {"algorithm": {"type": "parallax", "strength": 0.5}, "mask": {"type": "causal"}},
             corrected(torch.eye(5)), corrected(case.v), {"soft_weights": p, "probe_products": s.tril()})

    # As the authors' code adds the three maps, with a number for each head.
    case = Heads(520, n=5)
    gains = [case.add(name, draw(2)) for name in ["alpha_shaped", "beta_shaped", "gamma_shaped"]]
    skip, residual, centre = (gain[:, None, None] for gain in gains)
    soft = masked_softmax(case.products() / 2, causal(5))
    uniform = (torch.ones(5, 5) / torch.arange(1, 6)[:, None]).tril()
    case.row("heads", "shaped", {"algorithm": {"type": "shaped"}, "mask": {"type": "causal"}},
             residual * soft + (skip * torch.eye(5) - centre * uniform), stages={"soft_weights": soft})

    # Z = Y - (Y . V / |V|) V / |V|, also where heads share their values.
    for number, kv_heads in [(521, 2), (522, 1)]:
        kind = {} if kv_heads == 2 else {"heads": {"type": "multi_query", "heads": 2}}
        case = Heads(number, n=5, kv_heads=kv_heads, spec=kind)
        weights = masked_softmax(case.products() / 2, causal(5))
        attended, along = weights @ case.v, torch.nn.functional.normalize(case.v, dim=-1)
        case.row("heads", "exclusive" if kv_heads == 2 else "exclusive_of_one_value_head",
                 {"algorithm": {"type": "exclusive"}, "mask": {"type": "causal"}}, weights,
                 attended - (attended * along).sum(-1, keepdim=True) * along, {"attended": attended})

    # Multi-head latent attention: rotary parts at the end of each query, one rotary key for all heads.
    for number, absorbed in [(508, False), (509, True)]:
        case = Heads(number, n=5, width=12)
        latent, content, rotary = 4, 4, 2
        del case.parameters["W_k"], case.parameters["W_v"]
        W_latent, gain = case.add("W_latent", draw(12, latent, scale=0.5)), case.add("g_latent", draw(latent))
        W_key = case.add("W_latent_key", draw(latent, 2 * content))
        W_rotary = case.add("W_rotary_key", draw(12, rotary, scale=0.5))
        W_value = case.add("W_latent_value", draw(latent, 12))
        c = case.x @ W_latent
        c = c * torch.rsqrt(c.pow(2).mean(-1, keepdim=True) + 1e-6) * gain
        angles = torch.arange(5)[:, None] * frequencies(rotary)
        q_content, q_rotary = case.q[..., :content], rotate(case.q[..., content:], angles, "interleaved")
        k_rotary = rotate((case.x @ W_rotary)[None], angles, "interleaved")
        scores = (q_content @ case.split(c @ W_key).transpose(1, 2) + q_rotary @ k_rotary.transpose(1, 2))
        weights = masked_softmax(scores / math.sqrt(content + rotary), causal(5))
        algorithm = {"type": "latent", "latent_width": latent, "rotary_pairs": 1, "absorbed": absorbed}
        case.row("heads", "latent_absorbed" if absorbed else "latent",
                 {"algorithm": algorithm, "mask": {"type": "causal"}}, weights, weights @ case.split(c @ W_value),
                 {"latent": c})
