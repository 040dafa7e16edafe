"""Rows that learned vectors make of a text, given to every token as their mean; hops, memory tokens and slots."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, draw, masked_softmax, row, seed


def for_all(x, n):
    """The mean of rows [h, r, d] for each of n tokens, [h, n, d]."""
    return x.mean(1, keepdim=True).expand(-1, n, -1)


def pooled(case, name, algorithm, weights, rows=None, stages=None, spec=None):
    rows = weights @ case.v if rows is None else rows
    case.row("algorithm", name, {"algorithm": algorithm} | (spec or {}), for_all(weights, case.n),
             for_all(rows, case.n), stages)


def build_attention_pooling():
    """The block of the Set Transformer's code, head by head, without its norms and with them."""
    case = Heads(1100, n=6)
    seeds = (case.add("seeds", draw(3, 8)) @ case.parameters["W_q"]).reshape(3, 2, 4).transpose(0, 1)
    weights = torch.softmax(seeds @ case.k.transpose(1, 2) / math.sqrt(case.d), -1)
    found = weights @ case.v
    pooled(case, "attention_pooling", {"type": "attention_pooling", "seeds": 3}, weights,
           stages={"pooling_weights": weights, "pooled_values": found})

    W, b = case.add("W_pooled", draw(8, 8)), case.add("b_pooled", draw(8))
    H = (seeds + found).transpose(0, 1).reshape(3, 8)
    rows = (H + F.relu(H @ W + b)).reshape(3, 2, 4).transpose(0, 1)
    pooled(case, "attention_pooling_block", {"type": "attention_pooling", "seeds": 3, "block": True}, weights, rows,
           {"pooled_rows": rows})
    norm = lambda x: F.layer_norm(x, x.shape[-1:])
    H = norm(H)
    rows = norm(H + F.relu(H @ W + b)).reshape(3, 2, 4).transpose(0, 1)
    pooled(case, "attention_pooling_norms", {"type": "attention_pooling", "seeds": 3, "block": True, "norms": True},
           weights, rows, {"pooled_rows": rows})

    case = Heads(1101, n=6, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    given = case.add("seeds", draw(2, 8))
    state = (given @ case.parameters["W_q"]).reshape(2, 2, 4).transpose(0, 1)
    for _ in range(3):
        weights = torch.softmax(0.7 * state @ case.k.transpose(1, 2), -1)
        state = weights @ case.k
    pooled(case, "hopfield_pooling", {"type": "attention_pooling", "seeds": 2, "steps": 3, "beta": 0.7}, weights)

    # With the mean before the tokens, as CLIP has it, and padding behind the fourth.
    case = Heads(1102, n=6)
    q = case.q[:, :4].mean(1, keepdim=True)
    join = lambda x: torch.cat([x[:, :4].mean(1, keepdim=True), x[:, :4]], 1)
    joined = torch.softmax(q @ join(case.k).transpose(1, 2) / math.sqrt(case.d), -1)
    weights = F.pad(joined[..., 1:] + joined[..., :1] / 4, (0, 2))
    pooled(case, "mean_token", {"type": "attention_pooling", "query": "mean_token"}, weights,
           joined @ join(case.v), spec={"mask": {"type": "padding", "key_lengths": 4}})

    case = Cross(1103, n=4, m=6, width=5)
    weights = torch.softmax(case.query.mean(0, keepdim=True) @ case.key.T / math.sqrt(5), -1)
    row("algorithm", "mean_query", case.spec | {"algorithm": {"type": "attention_pooling", "query": "mean"}},
        case.inputs, {}, weights.expand(4, -1), (weights @ case.value).expand(4, -1))


def states(number, n, width=6):
    seed(number)
    return draw(n, width)


def build_additive_pooling():
    for name, number, r, is_gated in [("structured_embedding", 1104, 3, False), ("gated_pooling", 1105, 1, True)]:
        H = states(number, 7)
        given = {"V_pool": draw(6, 5), "w_pool": draw(r, 5)}
        hidden = torch.tanh(H @ given["V_pool"])
        if is_gated:
            given["U_pool"] = draw(6, 5)
            hidden = hidden * torch.sigmoid(H @ given["U_pool"])
        A = torch.softmax(F.linear(hidden, given["w_pool"]), 0).T
        row("algorithm", name, {"algorithm": {"type": "additive_pooling", "rows": r, "units": 5, "gated": is_gated}},
            {"query": H}, given, for_all(A[None], 7)[0], for_all((A @ H)[None], 7)[0],
            {"pooling_weights": A[None], "row_overlaps": (A @ A.T)[None]})


def build_hierarchical_pooling():
    """Sentence by sentence."""
    H = states(1106, 7)
    given = {f"{letter}_{level}": draw(*shape) for level in ["word", "sentence"]
             for letter, shape in [("W", (6, 6)), ("b", (6,)), ("u", (6,))]}

    def attend(x, level):
        alpha = torch.softmax(torch.tanh(x @ given["W_" + level] + given["b_" + level]) @ given["u_" + level], 0)
        return alpha, alpha @ x

    alphas, vectors = zip(*[attend(sentence, "word") for sentence in H.split([2, 3, 2])])
    beta, text = attend(torch.stack(vectors), "sentence")
    weights = torch.cat([share * alpha for share, alpha in zip(beta, alphas)])
    row("algorithm", "hierarchical_pooling", {"algorithm": {"type": "hierarchical_pooling", "sentences": [2, 3]}},
        {"query": H}, given, weights.expand(7, -1), text.expand(7, -1),
        {"word_weights": torch.block_diag(*[alpha[None] for alpha in alphas])[None],
         "sentence_weights": beta[None, None]})


def build_class_residual():
    """As the authors' code has it: scores of classes and no features, which are multiplied out here."""
    x = states(1107, 6)
    W = draw(3, 6)
    score = x @ (W / W.norm(dim=1, keepdim=True)).T  # [place, class]
    soft = torch.softmax(2 * score, 0)
    logits = score.mean(0) + 0.3 * (soft * score).sum(0)
    shares = (1 / 6 + 0.3 * soft).T
    row("algorithm", "class_residual",
        {"algorithm": {"type": "class_residual", "classes": 3, "sharpness": 2.0, "lambda": 0.3}}, {"query": x},
        {"W_classes": W}, for_all(shares[None], 6)[0], for_all((shares @ x)[None], 6)[0],
        {"class_logits": logits[None, :, None], "class_scores": score.T[None]})


def build_memory_hops():
    case = Heads(1108, n=6)
    C = case.add("C_hops", draw(16, 8, scale=0.5))
    u, m, c = case.q, case.k, case.v
    maps = []
    for hop in range(3):
        p = torch.softmax(u @ m.transpose(1, 2), -1)
        u = u + p @ c
        maps.append(p)
        if hop < 2:
            m, c = c, case.split(case.x @ C[8 * hop:8 * hop + 8])
    case.row("algorithm", "memory_hops", {"algorithm": {"type": "memory_hops"}}, p, u,
             {"hop_weights": torch.cat(maps, -1)})

    case = Cross(1109, n=3, m=5, width=4, value_width=4)
    H = draw(4, 4)
    u = case.query
    for _ in range(2):
        p = torch.softmax(u @ case.key.T / 2, -1)
        u = u @ H + p @ case.value
    row("algorithm", "memory_hops_layer_wise",
        case.spec | {"algorithm": {"type": "memory_hops", "hops": 2, "tying": "layer_wise", "scaled": True}},
        case.inputs, {"H_hops": H}, p, u)


def build_memory_tokens():
    """Attention of the memory and the text together, from which both parts are cut."""
    for name, number, kv_heads, real in [("memory_tokens", 1110, 2, 6), ("memory_tokens_of_one_key_head", 1111, 1, 4)]:
        spec = {} if kv_heads == 2 else {"heads": {"type": "multi_query", "heads": 2}}
        case = Heads(number, n=6, kv_heads=kv_heads, spec=spec)
        tokens = torch.cat([case.add("memory_tokens", draw(3, 8)), case.x])
        q, k, v = [(tokens @ case.parameters[W]).reshape(9, heads, 4).transpose(0, 1)
                   for W, heads in [("W_q", 2), ("W_k", kv_heads), ("W_v", kv_heads)]]
        allowed = (torch.arange(9) < 3 + real).expand(9, -1)
        weights = masked_softmax(q @ k.transpose(1, 2) / 2, allowed)
        context = weights @ v
        case.row("algorithm", name,
                 {"algorithm": {"type": "memory_tokens", "tokens": 3},
                  "mask": {"type": "padding", "key_lengths": real}},
                 weights[:, 3:, 3:], context[:, 3:],
                 {"memory_reads": weights[:, :3, 3:], "memory_context": context[:, :3],
                  "memory_token_weights": weights[:, 3:, :3]})


def build_slot_attention():
    """torch's own recurrent cell and norm."""
    case = Heads(1112, n=6)
    given = {name: case.add(name, draw(*shape, scale=0.5))
             for name, shape in [("W_cell", (8, 24)), ("b_cell", (24,)), ("U_cell", (8, 24)), ("c_cell", (24,)),
                                 ("W_slot_hidden", (8, 16)), ("b_slot_hidden", (16,)), ("W_slot", (16, 8)),
                                 ("b_slot", (8,))]}
    cell = torch.nn.GRUCell(8, 8)
    with torch.no_grad():
        for to, name in [(cell.weight_ih, "W_cell"), (cell.weight_hh, "U_cell"), (cell.bias_ih, "b_cell"),
                         (cell.bias_hh, "c_cell")]:
            to.copy_(given[name].T)
    norm = lambda x: F.layer_norm(x, x.shape[-1:])
    slots = case.x
    for _ in range(2):
        q = case.split(norm(slots) @ case.parameters["W_q"])
        shares = torch.softmax(q @ case.k.transpose(1, 2) / 2, 1)
        weights = shares / shares.sum(-1, keepdim=True)
        slots = cell((weights @ case.v).transpose(0, 1).reshape(6, 8), slots)
        hidden = F.relu(norm(slots) @ given["W_slot_hidden"] + given["b_slot_hidden"])
        slots = slots + hidden @ given["W_slot"] + given["b_slot"]
    case.row("algorithm", "slot_attention", {"algorithm": {"type": "slot_attention", "rounds": 2}}, weights,
             case.split(slots))

    case = Cross(1113, n=3, m=5, width=4, value_width=4)
    slots = case.query
    for _ in range(3):
        shares = torch.softmax(slots @ case.key.T / 2, 0)
        weights = shares / shares.sum(-1, keepdim=True)
        slots = weights @ case.value
    row("algorithm", "slot_attention_without_cell",
        case.spec | {"algorithm": {"type": "slot_attention", "cell": False, "layer": False, "norm": False}},
        case.inputs, {}, weights, slots)


def build_pooled_queries():
    """pool_tensor, the attention and upsample of Hugging Face's modeling_funnel.py, without its biases of places: the
    first token once more in front, so that it is a mean of itself."""
    for number, n, stride, separate in [(1120, 6, 2, True), (1121, 7, 3, False)]:
        case = Heads(number, n=n, heads=4, kv_heads=2 if separate else 4,
                     spec={"heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}} if separate else None)
        x = torch.cat([case.x[:1]] * (stride - 1) + [case.x]) if separate else case.x
        hidden = F.avg_pool2d(x[None, None], (stride, 1), stride=(stride, 1), ceil_mode=True)[0, 0]
        q = (hidden @ case.parameters["W_q"]).view(len(hidden), 4, -1).transpose(0, 1)
        k, v = (t.repeat_interleave(4 // case.kv_heads, 0) for t in (case.k, case.v))
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), -1)

        def upsample(t):
            if not separate:
                return t.repeat_interleave(stride, 1)[:, :n]
            return torch.cat([t[:, :1], t[:, 1:].repeat_interleave(stride, 1)[:, :n - 1]], 1)

        algorithm = {"type": "pooled_queries"} | ({} if separate else {"stride": stride, "separate": False})
        case.row("algorithm", "pooled_queries" if separate else "pooled_queries_of_three", {"algorithm": algorithm},
                 upsample(weights), upsample(weights @ v),
                 {"pooling_queries": q, "pooling_weights": weights, "pooled_values": weights @ v})


def build():
    build_attention_pooling()
    build_additive_pooling()
    build_hierarchical_pooling()
    build_class_residual()
    build_memory_hops()
    build_memory_tokens()
    build_slot_attention()
    build_pooled_queries()
