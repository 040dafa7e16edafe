"""Heads that share, mix, subtract and gate."""
import math

import torch

from golden import NEVER, Heads, causal, draw, masked_softmax
from normalizers import entmax, sparsemax
from positions import frequencies, rotate
from selections import chosen


def masked(normalizer, scores, allowed):
    """What a normaliser of maps [n, m] makes of those of all heads, over the keys that each query may see."""
    return torch.stack([normalizer(scores_of_head.masked_fill(~allowed, NEVER)) for scores_of_head in scores])


def differential(number, name, soft, normalizer=None):
    """Ye et al. 2025, equations 1 to 3; soft(scores) is what makes weights of each half's scores."""
    case = Heads(number, n=5)
    lambdas = [case.add(word, draw(2, scale=0.5)) for word in ["lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"]]
    gain, first = case.add("g_head", draw(4)), 0.8 - 0.6 * math.exp(-0.3 * 3)
    amount = torch.exp(lambdas[0] @ lambdas[1]) - torch.exp(lambdas[2] @ lambdas[3]) + first
    (q_1, q_2), (k_1, k_2) = case.q.chunk(2, -1), case.k.chunk(2, -1)
    one, two = (soft(q @ k.transpose(1, 2) / math.sqrt(2)) for q, k in [(q_1, k_1), (q_2, k_2)])
    weights = one - amount * two
    context = weights @ case.v
    normed = context * torch.rsqrt(context.pow(2).mean(-1, keepdim=True) + 1e-5) * gain * (1 - first)
    spec = {"algorithm": {"type": "differential", "layer": 3}, "mask": {"type": "causal"}}
    case.row("heads", name, spec | ({"normalizer": normalizer} if normalizer else {}), weights, normed,
             {"first_weights": one, "second_weights": two})


def dint():
    """Cang et al. 2025: the differential map, and lambda times the mean of the first map's columns in every row."""
    case = Heads(529, n=5)
    lambdas = [case.add(word, draw(2, scale=0.5)) for word in ["lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"]]
    amount = torch.exp(lambdas[0] @ lambdas[1]) - torch.exp(lambdas[2] @ lambdas[3]) + 0.8 - 0.6 * math.exp(-0.3 * 2)
    (q_1, q_2), (k_1, k_2) = case.q.chunk(2, -1), case.k.chunk(2, -1)
    one, two = (torch.softmax(q @ k.transpose(1, 2) / math.sqrt(2), -1) for q, k in [(q_1, k_1), (q_2, k_2)])
    importance = one.mean(1, keepdim=True)
    weights = one - amount * two + amount * importance.repeat(1, 5, 1)
    assert torch.allclose(weights.sum(-1), torch.ones(2, 5))
    case.row("heads", "dint", {"algorithm": {"type": "differential", "layer": 2, "norm": False, "integral": True}}, weights,
             weights @ case.v, {"importance": importance})


def latent(number, name, soft, absorbed=False, parts=None, index=False):
    """Multi-head latent attention: rotary parts at the end of each query, one rotary key for all heads. With an index,
    DeepSeek-V3.2's: of the keys that may be seen the three with the largest index scores, for all heads."""
    case = Heads(number, n=5, width=12)
    width, content, rotary = 4, 4, 2
    del case.parameters["W_k"], case.parameters["W_v"]
    W_latent, gain = case.add("W_latent", draw(12, width, scale=0.5)), case.add("g_latent", draw(width))
    W_key = case.add("W_latent_key", draw(width, 2 * content))
    W_rotary = case.add("W_rotary_key", draw(12, rotary, scale=0.5))
    W_value = case.add("W_latent_value", draw(width, 12))
    c = case.x @ W_latent
    c = c * torch.rsqrt(c.pow(2).mean(-1, keepdim=True) + 1e-6) * gain
    angles = torch.arange(5)[:, None] * frequencies(rotary)
    q_content, q_rotary = case.q[..., :content], rotate(case.q[..., content:], angles, "interleaved")
    k_rotary = rotate((case.x @ W_rotary)[None], angles, "interleaved")
    scores = (q_content @ case.split(c @ W_key).transpose(1, 2) + q_rotary @ k_rotary.transpose(1, 2))
    allowed, stages = causal(5), {"latent": c}
    if index:
        W_q, W_k = case.add("W_index_q", draw(12, 8, scale=0.5)), case.add("W_index_k", draw(12, 4, scale=0.5))
        W_w = case.add("W_index_w", draw(12, 2, scale=0.5))
        queries, keys, gates = (case.x @ W_q).reshape(5, 2, 4), case.x @ W_k, case.x @ W_w
        worth = torch.einsum("th,ths->ts", gates, torch.relu(torch.einsum("thd,sd->ths", queries, keys)))
        allowed = chosen(worth.masked_fill(~allowed, NEVER), 3) & allowed
        stages |= {"index_query": case.x @ W_q, "index_key": keys, "index_gates": gates}
    weights = soft(scores / math.sqrt(content + rotary), allowed)
    algorithm = {"type": "latent", "latent_width": width, "rotary_pairs": 1, "absorbed": absorbed}
    case.row("heads", name, {"algorithm": algorithm, "mask": {"type": "causal"}} | (parts or {}), weights,
             weights @ case.split(c @ W_value), stages)


def temporal_latent(number, name, merged, width=8, tokens=7, options=None, is_causal=True):
    """Attention of merged latents as the authors' code trains it: HyperNetwork, generate_chunk_mask and
    generate_stride_aware_causal_mask."""
    case = Heads(number, n=tokens, width=12)
    content, rotary, hidden = 4, 2, width // 4
    del case.parameters["W_k"], case.parameters["W_v"]
    W_latent = case.add("W_latent", draw(12, width, scale=0.5))
    gain, shift = case.add("g_latent", draw(width)), case.add("b_latent", draw(width, scale=0.5))
    W_p, b_p = case.add("W_merge_place", draw(width, hidden)), case.add("b_merge_place", draw(hidden))
    W_c, b_c = case.add("W_merge_latent", draw(width, hidden)), case.add("b_merge_latent", draw(hidden))
    W_key = case.add("W_latent_key", draw(width, 2 * content))
    W_rotary = case.add("W_rotary_key", draw(12, rotary, scale=0.5))
    W_value = case.add("W_latent_value", draw(width, 12))
    own = torch.nn.functional.layer_norm(case.x @ W_latent, (width,), gain, shift)
    position = torch.arange((tokens + merged - 1) // merged)[:, None]
    div_term = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    pe = torch.zeros(len(position), width)
    pe[:, 0::2], pe[:, 1::2] = torch.sin(position * div_term), torch.cos(position * div_term)
    pe = pe.repeat_interleave(merged, dim=0)[:tokens]
    W = torch.sigmoid((pe @ W_p + b_p) @ (own @ W_c + b_c).T)
    places = torch.arange(tokens)
    same_chunk = places[:, None] // merged == places // merged
    c = (W * (same_chunk & (places[:, None] % merged >= places % merged))) @ own
    if is_causal:
        visible = (places <= places[:, None]) & ((places + 1) % merged == 0) | (places == places[:, None])
    else:  # every query after the last token, as inference has it after the prompt
        visible = ((places + 1) % merged == 0) | (places == tokens - 1)
    angles = places[:, None] * frequencies(rotary)
    q_content, q_rotary = case.q[..., :content], rotate(case.q[..., content:], angles, "interleaved")
    k_rotary = rotate((case.x @ W_rotary)[None], angles, "interleaved")
    scores = q_content @ case.split(c @ W_key).transpose(1, 2) + q_rotary @ k_rotary.transpose(1, 2)
    weights = masked_softmax(scores / math.sqrt(content + rotary), visible)
    algorithm = {"type": "latent", "latent_width": width, "rotary_pairs": 1, "merged": merged, "norm": "layer"}
    case.row("heads", name, {"algorithm": algorithm | (options or {})}
             | ({"mask": {"type": "causal"}} if is_causal else {}), weights,
             weights @ case.split(c @ W_value), {"token_latent": own, "latent": c, "merge_weights": W.diagonal()[:, None]})


def build_with_other_parts():
    """Algorithms beside normalisers, selections and places that their kernels do not have."""
    differential(527, "differential_sparsemax", lambda s: masked(sparsemax, s, causal(5)), {"type": "sparsemax"})
    latent(528, "latent_entmax", lambda s, allowed: masked(entmax(1.5), s, allowed),
           parts={"normalizer": {"type": "entmax", "alpha": 1.5}})
    indexer = {"type": "indexer", "k": 3, "index_heads": 2, "index_width": 4}
    for number, absorbed in [(529, False), (530, True)]:
        latent(number, "latent_absorbed_indexer" if absorbed else "latent_indexer", masked_softmax, absorbed,
               {"selection": indexer}, index=True)

    case = Heads(533, n=5)
    q_2 = case.split(case.x @ case.add("W_second_query", draw(8, 8, scale=0.5)))
    share = torch.sigmoid(case.x @ case.add("W_second_share", draw(8, 2))).T[..., None]
    one, two = (masked(sparsemax, q @ case.k.transpose(1, 2) / 2, causal(5)) for q in [case.q, q_2])
    case.row("heads", "differential_2_sparsemax", {"algorithm": {"type": "differential_2"}, "mask": {"type": "causal"},
                                                   "normalizer": {"type": "sparsemax"}}, one - share * two,
             stages={"first_weights": one, "second_weights": two})

    # A cache of three keys is a window of three, whatever else there is.
    recent, away = causal(6).triu(-2), torch.arange(6)[:, None] - torch.arange(6)[None]
    cache = {"algorithm": {"type": "kv_cache", "capacity": 3}, "mask": {"type": "causal"}}
    case = Heads(531, n=6)
    slopes = torch.tensor([2.0 ** -4, 2.0 ** -8])[:, None, None]
    case.row("heads", "kv_cache_alibi", cache | {"position": {"type": "alibi"}},
             masked_softmax(case.products() / 2 - slopes * away, recent))
    case = Heads(532, n=6)
    case.row("heads", "kv_cache_sparsemax", cache | {"normalizer": {"type": "sparsemax"}},
             masked(sparsemax, case.products() / 2, recent))


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

    differential(507, "differential", lambda s: masked_softmax(s, causal(5)))
    dint()

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

    latent(508, "latent", masked_softmax)
    latent(509, "latent_absorbed", masked_softmax, absorbed=True)
    temporal_latent(534, "temporal_latent", 2)
    temporal_latent(535, "temporal_latent_absorbed", 3, options={"absorbed": True})
    temporal_latent(536, "temporal_latent_of_all_keys", 4, width=4, is_causal=False)
    build_with_other_parts()
