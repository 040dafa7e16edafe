"""Maps that are coarse where tokens are far apart or where little is to be seen, chances of equal hashes, keys in parts
that are merged by their log-sums, and blocks that are sorted."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, row


def block_means(x, size):
    """[h, n, d] to [h, blocks, d]; the last block may have fewer."""
    return torch.stack([part.mean(1) for part in x.split(size, 1)], 1)


def spread_out(blocks, size, n, m):
    """[h, blocks, blocks] to the pairs [h, n, m]."""
    return blocks.repeat_interleave(size, 1).repeat_interleave(size, 2)[:, :n, :m]


def build_h_transformer():
    """From the coarsest level to the finest, each written over the one before where blocks are neighbours."""
    for name, number, n, block, is_causal in [("h_transformer", 1101, 11, 2, False),
                                              ("h_transformer_of_single_tokens", 1102, 6, 1, False),
                                              ("h_transformer_of_a_decoder", 1110, 9, 1, True)]:
        case = Heads(number, n=n)
        places = torch.arange(n)
        scores = None
        for width in [8, 4, 2, 1]:
            queries = case.q if is_causal else block_means(case.q, width)
            coarse = queries @ block_means(case.k, width).transpose(1, 2) / math.sqrt(case.d)
            of_pairs = (coarse.repeat_interleave(width, 2)[..., :n] if is_causal
                        else spread_out(coarse, width, n, n))
            blocks = places // (block * width)
            near = (blocks[:, None] - blocks[None]).abs() <= 1
            scores = of_pairs if scores is None else torch.where(near, of_pairs, scores)
        options = {"type": "h_transformer", "block": block} | ({"causal": True} if is_causal else {})
        case.row("algorithm", name, {"algorithm": options}, masked_softmax(scores, causal(n) if is_causal else None),
                 stages={"scores": scores})


def build_multiresolution():
    for name, number, spec in [("multiresolution", 1103, {}), ("multiresolution_without_coarse_blocks", 1104,
                                                               {"coarse": False})]:
        case = Heads(number, n=8)
        coarse = block_means(case.q, 3) @ block_means(case.k, 3).transpose(1, 2) / math.sqrt(case.d)
        best = torch.zeros(2, 9, dtype=torch.bool).scatter(1, coarse.flatten(1).topk(4).indices, True).reshape(2, 3, 3)
        refined = spread_out(best, 3, 8, 8)
        others = spread_out(coarse, 3, 8, 8)
        if spec:
            others = torch.full_like(others, float("-inf"))
        scores = torch.where(refined, case.products() / math.sqrt(case.d), others)
        case.row("algorithm", name, {"algorithm": {"type": "multiresolution", "block": 3, "refined": 4} | spec},
                 torch.nan_to_num(torch.softmax(scores, -1)), stages={"coarse_scores": coarse})


def build_yoso():
    case = Heads(1105, n=5)
    cosines = F.normalize(case.q, dim=-1) @ F.normalize(case.k, dim=-1).transpose(1, 2)
    chances = (1 - torch.acos(cosines) / math.pi) ** 8
    weights = torch.where(causal(5), chances, torch.zeros_like(chances))
    case.row("algorithm", "yoso", {"algorithm": {"type": "yoso"}, "mask": {"type": "causal"}}, weights,
             F.normalize(weights @ case.v, dim=-1))
    case = Cross(1106, n=4, m=6, width=5)
    cosines = F.cosine_similarity(*case.pairs(), dim=-1)
    weights = (1 - torch.acos(cosines) / math.pi) ** 3
    row("algorithm", "yoso_of_two_sequences",
        case.spec | {"algorithm": {"type": "yoso", "hashes": 3, "normalized": False}}, case.inputs, {}, weights,
        weights @ case.value)


def build_split_keys():
    case = Heads(1107, n=7)
    scores = (case.products() / math.sqrt(case.d)).masked_fill(~causal(7), float("-inf"))
    log_sums = torch.stack([part.logsumexp(-1) for part in scores.split(3, -1)], -1)
    parts = torch.cat([torch.nan_to_num(torch.softmax(part, -1)) for part in scores.split(3, -1)], -1)
    shares = torch.softmax(log_sums, -1)
    case.row("algorithm", "split_keys", {"algorithm": {"type": "split_keys", "parts": 3}, "mask": {"type": "causal"}},
             masked_softmax(scores), stages={"part_weights": parts, "part_shares": shares})


def build_sorted_blocks():
    """Blocks of keys and values that are sorted by a matrix whose rows and columns sum to 1."""
    for name, number, spec in [("sorted_blocks", 1108, {}), ("sorted_blocks_cut_short", 1109, {"cut": 2, "rounds": 2})]:
        case = Heads(number, n=9)
        W = case.add("W_sort", draw(8, 6, scale=0.5)).reshape(8, 2, 3)
        order = torch.relu(torch.einsum("btd,dhc->hbc", case.x.reshape(3, 3, 8), W)) / 0.75
        for _ in range(spec.get("rounds", 5)):
            order = torch.log_softmax(torch.log_softmax(order, 1), 2)
        order = order.exp()
        blocks = lambda x: x.reshape(2, 3, 3, -1)
        moved = torch.einsum("hbc,hctd->hbtd", order, blocks(case.k))
        if spec:
            first = moved[:, :2].reshape(2, 1, 6, -1).expand(-1, 3, -1, -1)
            shares = torch.softmax(blocks(case.q) @ first.transpose(2, 3) / math.sqrt(case.d), -1)
            through = torch.einsum("hbqst,hsc->hbqct", shares.reshape(2, 3, 3, 2, 3), order[:, :2])
            weights = through.reshape(2, 9, 9)
        else:
            keys = torch.cat([moved, blocks(case.k)], 2)
            shares = torch.softmax(blocks(case.q) @ keys.transpose(2, 3) / math.sqrt(case.d), -1)
            through = torch.einsum("hbqt,hbc->hbqct", shares[..., :3], order)
            own = torch.einsum("hbqt,bc->hbqct", shares[..., 3:], torch.eye(3))
            weights = (through + own).reshape(2, 9, 9)
        case.row("algorithm", name, {"algorithm": {"type": "sorted_blocks"} | spec}, weights,
                 stages={"block_order": order})


def build_sorted_blocks_of_a_decoder():
    """To each block those before it come, by what its first token and those before say; as PyTorch's masked softmax."""
    case = Heads(1120, n=9)
    W = case.add("W_sort", draw(8, 6, scale=0.5)).reshape(8, 2, 3)
    said = torch.cumsum(case.x, 0)[::3]
    scores = torch.relu(torch.einsum("bd,dhc->hbc", said, W)) / 0.5
    order = torch.nan_to_num(torch.softmax(scores.masked_fill(~causal(3).tril(-1), float("-inf")), -1))
    blocks = lambda x: x.reshape(2, 3, 3, -1)
    moved = torch.einsum("hbc,hctd->hbtd", order, blocks(case.k))
    keys = torch.cat([moved, blocks(case.k)], 2)
    scores = blocks(case.q) @ keys.transpose(2, 3) / math.sqrt(case.d)
    seen = torch.ones(3, 3, 6, dtype=torch.bool)
    seen[0, :, :3] = False  # nothing comes to the first
    seen[..., 3:] &= causal(3)
    shares = torch.softmax(scores.masked_fill(~seen, float("-inf")), -1)
    through = torch.einsum("hbqt,hbc->hbqct", shares[..., :3], order)
    own = torch.einsum("hbqt,bc->hbqct", shares[..., 3:], torch.eye(3))
    case.row("algorithm", "sorted_blocks_of_a_decoder",
             {"algorithm": {"type": "sorted_blocks", "among": "earlier", "temperature": 0.5}},
             (through + own).reshape(2, 9, 9), stages={"block_order": order})


def entries_of(case, suffix, block, width, overlaps):
    """[entries, width] and the tokens that they are made of, as in DeepseekV4CSACompressor without a cache."""
    series = 2 if overlaps else 1
    kv = case.x @ case.add("W_" + suffix, draw(8, series * width, scale=0.5))
    gate = case.x @ case.add("W_" + suffix + "_gate", draw(8, series * width, scale=0.5))
    bias, gain = case.add("B_" + suffix, draw(block, series * width)), case.add("g_" + suffix, draw(width))
    count = case.n // block
    kv = kv[:count * block].reshape(count, block, -1)
    gate = gate[:count * block].reshape(count, block, -1) + bias
    if overlaps:
        before = torch.full((count, block, width), float("-inf")).double()
        before[1:] = gate[:-1, :, :width]
        contents = torch.zeros(count, block, width)
        contents[1:] = kv[:-1, :, :width]
        kv, gate = torch.cat([contents, kv[..., width:]], 1), torch.cat([before, gate[..., width:]], 1)
    shares = gate.softmax(1)
    compressed = (kv * shares).sum(1)
    compressed = compressed / compressed.pow(2).mean(-1, keepdim=True).sqrt() * gain
    of_tokens = torch.zeros(count, case.n + block)
    for entry in range(count):
        first = (entry - 1) * block if overlaps else entry * block
        for place, share in enumerate(shares[entry].mean(-1)):
            of_tokens[entry, first + place if first + place >= 0 else case.n] += share
    return compressed, of_tokens[:, :case.n]


def turned(x, places, rotated):
    """Neighbours among the first features, [.., n, d]."""
    speeds = 10000 ** (-torch.arange(0, rotated, 2) / rotated)
    angles = places.double()[:, None] * speeds
    pairs = torch.view_as_complex(x[..., :rotated].reshape(*x.shape[:-1], -1, 2).contiguous())
    pairs = torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)
    return torch.cat([pairs, x[..., rotated:]], -1)


def build_compressed_entries():
    for name, number, block, kept, overlaps, sink in [
            ("compressed_entries", 1111, 2, 2, True, True),
            ("compressed_entries_of_whole_windows", 1112, 3, 0, False, False)]:
        case = Heads(number, n=10, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
        places, d = torch.arange(10), case.d
        entries, of_tokens = entries_of(case, "entry", block, d, overlaps)
        seen = torch.arange(len(entries))[None] < (places[:, None] + 1) // block
        if kept:
            index, _ = entries_of(case, "index", block, 3, overlaps)
            queries = (case.x @ case.add("W_index_q", draw(8, 6, scale=0.5))).reshape(10, 2, 3)
            counts = case.x @ case.add("W_index_w", draw(8, 2, scale=0.5))
            worth = (torch.relu(torch.einsum("thi,wi->thw", queries, index)) * counts[..., None]).sum(1)
            worth = worth.masked_fill(~seen, float("-inf"))
            best = worth.sort(dim=-1, descending=True, stable=True).indices[:, :kept]
            seen = seen & torch.zeros_like(seen).scatter(1, best, True)
        rotated = 2 if kept else 0
        turn = lambda x, at: turned(x, at, rotated) if rotated else x
        q, k, v = (turn(x, places) for x in [case.q, case.k, case.v])
        entries = turn(entries, torch.arange(len(entries)) * block)
        window = causal(10) & ~causal(10).tril(-3)
        scores = torch.cat([(q @ k.transpose(1, 2)).masked_fill(~window, float("-inf")),
                            (q @ entries.T).masked_fill(~seen, float("-inf"))], -1) / math.sqrt(d)
        if sink:
            logits = case.add("entry_sink", draw(2))
            scores = torch.cat([scores, logits[:, None, None].expand(2, 10, 1)], -1)
        shares = torch.softmax(scores, -1)
        of_window, of_entries = shares[..., :10], shares[..., 10:10 + len(entries)]
        context = turn(of_window @ v + of_entries @ entries, -places)
        options = {"type": "compressed_entries", "block": block, "entries": kept, "overlap": overlaps, "sink": sink,
                   "window": 3, "rotated": rotated, "index_heads": 2, "index_width": 3}
        case.row("algorithm", name, {"algorithm": options, "mask": {"type": "causal"}},
                 of_window + of_entries @ of_tokens, context, {"entries": entries.expand(2, -1, -1)})


def build_video_sparse():
    """The pooled branch times its gate, and the chosen blocks token by token."""
    case = Heads(1113, n=9)
    gate = case.split(case.x @ case.add("W_coarse", draw(8, 8, scale=0.5)) + case.add("b_coarse", draw(8)))
    q, k, v = (block_means(x, 3) for x in [case.q, case.k, case.v])
    coarse = q @ k.transpose(1, 2) / math.sqrt(case.d)
    best = torch.zeros(2, 3, 3, dtype=torch.bool).scatter(2, coarse.topk(2, -1).indices, True)
    fine = masked_softmax(case.products() / math.sqrt(case.d), spread_out(best, 3, 9, 9))
    shares = torch.softmax(coarse, -1)
    found = (shares @ v).repeat_interleave(3, 1)
    weights = fine + gate.mean(-1, keepdim=True) * spread_out(shares, 3, 9, 9) / 3
    case.row("algorithm", "video_sparse", {"algorithm": {"type": "video_sparse", "block": 3, "selected": 2}}, weights,
             fine @ case.v + gate * found, {"coarse_weights": shares})


def build_sparse_linear():
    """SparseLinearAttention of the authors, with its block map and, in the second row, the rest alone."""
    maps = {"softmax": lambda x: torch.softmax(x, -1), "elu": lambda x: F.elu(x) + 1, "relu": F.relu}
    for number, name, over, kind, skipped in [(1114, "sparse_linear", "rest", "softmax", 0),
                                              (1115, "sparse_linear_of_elu", "rest", "elu", 1),
                                              (1116, "sparse_linear_over_all", "all", "relu", 0)]:
        case = Heads(number, n=9)
        layer = torch.nn.Linear(4, 4)
        with torch.no_grad():
            layer.weight.copy_(case.add("W_linear", draw(4, 4, scale=0.5)).T)
            layer.bias.copy_(case.add("b_linear", draw(4)))
        centred = case.k - case.k.mean(1, keepdim=True)
        order = (block_means(case.q, 2) @ block_means(centred, 2).transpose(1, 2)).argsort(-1, descending=True)
        kinds = torch.full((2, 5, 5), 2).scatter(2, order[..., :2], 1)
        kinds = kinds.scatter(2, order[..., 5 - skipped:], 0)
        of_pairs = spread_out(kinds, 2, 9, 9)
        fine = masked_softmax(case.products() / math.sqrt(case.d), of_pairs == 1)
        products = maps[kind](case.q) @ maps[kind](case.k).transpose(1, 2)
        products = products if over == "all" else products * (of_pairs == 2)
        linear = torch.nan_to_num(products / products.sum(-1, keepdim=True))
        options = {"type": "sparse_linear", "block": 2, "selected": 2, "skipped": skipped, "over": over, "map": kind}
        case.row("algorithm", name, {"algorithm": options}, fine + layer.weight.diagonal().mean() * linear,
                 fine @ case.v + layer(linear @ case.v), {"fine_weights": fine, "linear_weights": linear})


def build():
    build_h_transformer()
    build_multiresolution()
    build_yoso()
    build_split_keys()
    build_sorted_blocks()
    build_sorted_blocks_of_a_decoder()
    build_compressed_entries()
    build_video_sparse()
    build_sparse_linear()
