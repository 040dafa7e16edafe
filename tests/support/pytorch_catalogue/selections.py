"""Keys that a query chooses by what they hold. Inputs are drawn so that no choice is a near tie."""
import math

import torch
import torch.nn.functional as F

from golden import NEVER, Cross, Heads, causal, draw, masked_softmax, mixed_bits, row


def chosen(scores, count):
    """True where a row has one of its `count` largest finite scores."""
    best = torch.topk(scores, count, dim=-1).indices
    return torch.zeros_like(scores, dtype=torch.bool).scatter(-1, best, True) & torch.isfinite(scores)


def finish(case, name, selection, allowed, parameters=None, mask=None):
    weights = masked_softmax(case.products() / math.sqrt(case.width), allowed)
    row("selection", name, case.spec | {"selection": selection} | (mask or {}), case.inputs, parameters or {}, weights,
        weights @ case.value)


def build():
    is_causal = {"mask": {"type": "causal"}}
    case = Cross(700, 4, 7, 3)
    finish(case, "top_k", {"type": "top_k", "k": 3}, chosen(case.products(), 3))

    # Local-p: the window and the bell around a predicted place, not normalised again.
    case = Cross(701, 4, 7, 3)
    W_p, v_p = draw(3, 3), draw(3)
    centres = 7 * torch.sigmoid(torch.tanh(case.query @ W_p) @ v_p)
    away = torch.arange(7)[None] - centres[:, None]
    weights = masked_softmax(case.products() / math.sqrt(3), away.abs() <= 2)
    weights = weights * torch.exp(-away ** 2 / (2 * 1.5 ** 2))
    row("selection", "local_p", case.spec | {"selection": {"type": "predicted_window", "radius": 2, "sigma": 1.5}},
        case.inputs, {"W_p": W_p, "v_p": v_p}, weights, weights @ case.value, {"centres": centres[None]})

    case = Cross(702, 5, 7, 3)
    rotations = draw(3, 4)
    buckets = lambda x, R: torch.cat([x @ R, -x @ R], -1).argmax(-1)
    same = [buckets(case.query, R)[:, None] == buckets(case.key, R)[None] for R in rotations.chunk(2, -1)]
    allowed = same[0] | same[1]
    weights = torch.nan_to_num(masked_softmax(case.products() / math.sqrt(3), allowed))
    row("selection", "hashing", case.spec | {"selection": {"type": "hashing", "directions": 2, "rounds": 2}},
        case.inputs, {"rotations": rotations}, weights, weights @ case.value)

    # Sorted by buckets and by places, cut into chunks, one look back.
    case = Cross(716, 9, 9, 3).alone()
    rotations = draw(3, 4)
    near = []
    for R in rotations.chunk(2, -1):
        order = torch.argsort(buckets(case.key, R) * 9 + torch.arange(9))
        chunk = torch.empty(9, dtype=torch.long).scatter(0, order, torch.arange(9) // 2)
        behind = chunk[:, None] - chunk[None]
        near.append((behind == 0) | (behind == 1))
    finish(case, "hashing_in_chunks", {"type": "hashing", "directions": 2, "rounds": 2, "chunk": 2},
           (near[0] | near[1]) & causal(9), {"rotations": rotations}, is_causal)

    # The own key only where it is alone in its bucket; keys have length 1 (Reformer).
    case = Cross(717, 9, 9, 3).alone()
    rotations = draw(3, 2)
    same = (buckets(case.key, rotations)[:, None] == buckets(case.key, rotations)[None]) & causal(9)
    others = same & ~torch.eye(9, dtype=torch.bool)
    kept = torch.where(others.any(-1, keepdim=True), others, same)
    weights = masked_softmax(case.query @ F.normalize(case.key, dim=-1).T / 2, kept)
    row("selection", "hashing_of_other_keys",
        case.spec | {"score": {"type": "cosine", "beta": 0.5, "divided": "keys"},
                     "selection": {"type": "hashing", "directions": 2, "own": "otherwise"}} | is_causal,
        case.inputs, {"rotations": rotations}, weights, weights @ case.value)

    case = Cross(703, 4, 7, 3)
    pages = [case.key[first:first + 3] for first in range(0, 7, 3)]
    bound = lambda page: torch.maximum(case.query * page.amin(0), case.query * page.amax(0)).sum(-1)
    bounds = torch.stack([bound(page) for page in pages], -1)
    finish(case, "pages", {"type": "pages", "size": 3, "pages": 2},
           torch.repeat_interleave(chosen(bounds, 2), 3, -1)[:, :7])

    # MoBA: own block by force, blocks ahead never.
    case = Cross(704, 8, 8, 3).alone()
    means = case.key.reshape(4, 2, 3).mean(1)
    gates, own = case.query @ means.T, torch.arange(8) // 2
    block = torch.arange(4)[None]
    gates = gates.masked_fill(block > own[:, None], float("-inf")).masked_fill(block == own[:, None], 1e9)
    finish(case, "block_means", {"type": "block_means", "size": 2, "blocks": 2},
           torch.repeat_interleave(chosen(gates, 2), 2, -1) & causal(8), mask=is_causal)

    # DeepSeek-V3.2's lightning indexer.
    case = Cross(705, 7, 7, 3)
    W_q, W_k, W_w = draw(3, 8), draw(3, 4), draw(3, 2)
    queries, keys, gates = (case.query @ W_q).reshape(7, 2, 4), case.key @ W_k, case.query @ W_w
    index = torch.einsum("th,ths->ts", gates, torch.relu(torch.einsum("thd,sd->ths", queries, keys)))
    finish(case, "indexer", {"type": "indexer", "k": 3, "index_heads": 2, "index_width": 4},
           chosen(index.masked_fill(~causal(7), float("-inf")), 3),
           {"W_index_q": W_q, "W_index_k": W_k, "W_index_w": W_w}, is_causal)

    case = Cross(706, 6, 6, 3)
    centroids = draw(2, 3)
    near = lambda x: chosen(F.cosine_similarity(centroids[:, None], x[None], dim=-1), 3).to(torch.float64)
    allowed = near(case.query).T @ near(case.key) > 0
    weights = torch.nan_to_num(masked_softmax(case.products() / math.sqrt(3), allowed))
    row("selection", "clusters", case.spec | {"selection": {"type": "clusters", "clusters": 2, "members": 3}},
        case.inputs, {"centroids": centroids}, weights, weights @ case.value)

    build_block_indexers()
    build_eviction()
    build_balanced_hashing()
    build_order_of_signs()
    build_neighbour_chunks()
    build_frame_heads()
    build_region_means()
    build_predicted_mask()
    build_pooled_gates()
    build_shares()
    build_prefill_patterns()
    build_antidiagonals()


def left_in_cache(scores, budget, recent, adds):
    """True where a key is still there when a query looks; the cache is emptied one key at a time, by the mean of what
    the heads gave. Scores are [h, n, n]."""
    n = scores.shape[-1]
    scores = scores.masked_fill(~causal(n), float("-inf"))
    alive, votes, allowed = torch.ones(n, dtype=torch.bool), torch.zeros(n), []
    for token in range(n):
        allowed.append(alive & (torch.arange(n) <= token))
        looks = torch.softmax(scores[:, token].masked_fill(~alive, float("-inf")), -1).mean(0)
        votes = votes + looks if adds else looks
        if allowed[-1].sum() > budget:
            may_go = allowed[-1] & (torch.arange(n) <= token - recent)
            alive = alive.clone()
            alive[votes.masked_fill(~may_go, float("inf")).argmin()] = False
    return torch.stack(allowed)


def build_block_indexers():
    """The indexer of MiniMax-M3 (amax over the keys of a block, +inf for the own one, topk), a choice for each group."""
    for number, heads, kv_heads, n, size, blocks in [(780, 4, 2, 9, 2, 2), (781, 2, 1, 10, 3, 2)]:
        spec = {"heads": {"type": "grouped_query", "heads": heads, "kv_heads": kv_heads}}
        case = Heads(number, n=n, heads=heads, kv_heads=kv_heads, spec=spec)
        W_q, W_k = case.add("W_index_q", draw(8, kv_heads * 3)), case.add("W_index_k", draw(8, 3))
        idx_q, idx_k = (case.x @ W_q).view(n, kv_heads, 3).transpose(0, 1), case.x @ W_k
        scores = (idx_q @ idx_k.T / math.sqrt(3)).masked_fill(~causal(n), NEVER)
        count = -(-n // size)
        block_scores = F.pad(scores, (0, count * size - n), value=NEVER).view(kv_heads, n, count, size).amax(-1)
        own = (torch.arange(n) // size)[None, :, None].expand(kv_heads, n, 1)
        block_scores = block_scores.scatter(-1, own, float("inf"))
        best = block_scores.topk(blocks, -1)
        kept = torch.zeros_like(block_scores, dtype=torch.bool).scatter(-1, best.indices, best.values > NEVER)
        allowed = (kept.repeat_interleave(size, -1)[..., :n] & causal(n)).repeat_interleave(heads // kv_heads, 0)
        k, v = (x.repeat_interleave(heads // kv_heads, 0) for x in [case.k, case.v])
        weights = masked_softmax(case.q @ k.transpose(1, 2) / math.sqrt(case.d), allowed)
        case.row("selection", "block_indexer" if kv_heads > 1 else "block_indexer_of_one_group",
                 {"selection": {"type": "block_indexer", "size": size, "blocks": blocks, "index_width": 3},
                  "mask": {"type": "causal"}}, weights, weights @ v, {"index_query": case.x @ W_q, "index_key": idx_k})


def build_eviction():
    is_causal = {"mask": {"type": "causal"}}
    for name, number, spec, adds in [("eviction", 710, {"budget": 3, "recent": 1}, True),
                                     ("eviction_by_the_last", 711, {"policy": "tova", "budget": 3, "recent": 0},
                                      False)]:
        case = Cross(number, 8, 8, 3).alone()
        scores = case.products()[None] / math.sqrt(case.width)
        finish(case, name, {"type": "eviction"} | spec, left_in_cache(scores, spec["budget"], spec["recent"], adds),
               mask=is_causal)
    # TOVA as its authors' cache has it: the last query's weights in the mean of the heads.
    case = Heads(721, n=8)
    scores = case.products() / math.sqrt(case.d)
    case.row("selection", "eviction_by_all_heads",
             {"selection": {"type": "eviction", "policy": "tova", "budget": 3, "recent": 0, "together": True}} | is_causal,
             masked_softmax(scores, left_in_cache(scores, 3, 0, False)))
    # SnapKV: the last two of a prompt of six keep two of the four keys before them.
    case = Cross(712, 9, 9, 3).alone()
    soft = masked_softmax(case.products() / math.sqrt(3), causal(9))
    votes = F.avg_pool1d(soft[4:6, :4].sum(0)[None], 3, stride=1, padding=1)[0]
    allowed = causal(9)
    allowed[6:, :4] &= chosen(votes, 2)
    finish(case, "eviction_of_a_prompt",
           {"type": "eviction", "policy": "snapkv", "budget": 4, "recent": 2, "prompt": 6, "pooling": 3}, allowed,
           mask=is_causal)


def build_balanced_hashing():
    case = Cross(713, 6, 9, 3)
    directions = draw(5, 2)
    most = (case.query ** 2).sum(-1).max() + (case.key ** 2).sum(-1).max()
    lack = lambda x: torch.sqrt(most - (x ** 2).sum(-1, keepdim=True))
    queries = torch.cat([case.query, lack(case.query), torch.zeros(6, 1)], -1) @ directions
    keys = torch.cat([case.key, torch.zeros(9, 1), lack(case.key)], -1) @ directions
    blocks = lambda along, size: torch.argsort(torch.argsort(-along)) // size
    allowed = sum((blocks(q, 2)[:, None] == blocks(k, 3)[None]).int() for q, k in zip(queries.T, keys.T)) > 0
    finish(case, "balanced_hashing", {"type": "balanced_hashing", "clusters": 3, "rounds": 2}, allowed,
           {"hash_directions": directions})
    # Each round attends by itself; the rounds are merged by their log-sums.
    scores = case.products() / math.sqrt(3)
    each = [scores.masked_fill(blocks(q, 2)[:, None] != blocks(k, 3)[None], float("-inf"))
            for q, k in zip(queries.T, keys.T)]
    shares = torch.softmax(torch.stack([one.logsumexp(-1) for one in each], -1), -1)
    weights = sum(share[:, None] * torch.softmax(one, -1) for share, one in zip(shares.T, each))
    row("selection", "balanced_hashing_merged_by_sums",
        case.spec | {"selection": {"type": "balanced_hashing", "clusters": 3, "rounds": 2, "merge": "sums"}},
        case.inputs, {"hash_directions": directions}, weights, weights @ case.value)


def build_order_of_signs():
    """Blocks of keys in an order of signs, and drawn keys beside them: HyperAttention and KDEformer."""
    def places(x, R):
        bins = ((x @ R > 0) * 2 ** torch.arange(R.shape[1])).sum(-1)
        place = torch.arange(2 ** R.shape[1])
        reflected = place ^ (place >> 1)  # neighbours differ in one sign (Han et al. 2024, figure 2)
        return torch.argsort(reflected)[bins]

    stream = lambda index: mixed_bits(mixed_bits(1) ^ index)
    for name, number, by_values in [("signs", 722, False), ("signs_by_values", 723, True)]:
        case = Cross(number, 6, 9, 3)
        R, samples = draw(3, 4), 4
        ranks = lambda x: torch.argsort(torch.argsort(places(x, R), stable=True))
        same = ranks(case.query)[:, None] // 2 == ranks(case.key)[None] // 3
        P = torch.full((9,), 1 / 9)
        if by_values:
            V = torch.cat([case.value, torch.ones(9, 1)], -1)
            x = torch.ones(4)
            for _ in range(20):
                x = V.T @ (V @ (x / x.norm()))
            P = F.normalize(V.norm(dim=-1) / x.norm() + 1 / 9, p=1, dim=0)
        draws = torch.tensor([(stream(t) >> 11) / 2 ** 53 for t in range(samples)])
        drawn = torch.searchsorted(torch.cumsum(P, 0), draws, right=True)
        outside = torch.bincount(drawn, minlength=9) / (P * samples)
        exact = torch.exp(case.products() / math.sqrt(3))
        counted = exact * torch.where(same, torch.ones(1), outside)
        weights = counted / counted.sum(-1, keepdim=True)
        row("selection", name,
            case.spec | {"selection": {"type": "balanced_hashing", "clusters": 3, "hash": "signs", "signs": 4,
                                       "samples": samples} | ({"chances": "values"} if by_values else {})},
            case.inputs, {"hash_signs": R}, weights, weights @ case.value)


def build_frame_heads():
    """Two heads that each take the mask with the smaller mean square of what it changes for three queries."""
    case = Heads(717, n=12)
    frames, places = torch.arange(12) // 3, torch.arange(12) % 3
    first = (frames == 0)[None]
    masks = [(frames[:, None] == frames[None]) | first, (places[:, None] == places[None]) | first]
    scores = case.products() / math.sqrt(case.d)
    tried = torch.tensor([0, 4, 8])
    whole = torch.softmax(scores, -1) @ case.v
    weights = torch.stack([masked_softmax(scores, mask) for mask in masks])
    errors = ((weights @ case.v - whole)[:, :, tried] ** 2).mean((-1, -2))
    best = errors.argmin(0)
    case.row("selection", "frame_heads", {"selection": {"type": "frame_heads", "frame": 3, "samples": 3}},
             torch.stack([weights[mask, head] for head, mask in enumerate(best)]))


def build_predicted_mask():
    """forward_prediction_heads of Mask2Former's decoder, at one resolution."""
    for name, number, is_empty in [("predicted_mask", 2121, False), ("predicted_mask_of_nothing", 2122, True)]:
        case, m = Cross(number, 5, 7, 4), 7
        given = {}
        for layer, rows in [("1", 4), ("2", 3), ("3", 3), ("key", 4)]:
            given["W_mask_" + layer], given["b_mask_" + layer] = draw(rows, 3), draw(3)
        through = lambda x, layer: F.linear(x, given["W_mask_" + layer].T, given["b_mask_" + layer])
        hidden = F.relu(through(F.relu(through(F.layer_norm(case.query, (4,)), "1")), "2"))
        outputs_mask = through(hidden, "3") @ through(case.key, "key").T
        attn_mask = outputs_mask.sigmoid() < 0.5
        assert (attn_mask.sum(-1) == m).any() == is_empty and outputs_mask.abs().min() > 1e-3, name
        attn_mask[torch.where(attn_mask.sum(-1) == m)] = False
        finish(case, name, {"type": "predicted_mask", "mask_width": 3}, ~attn_mask, given)


def build_region_means():
    """BiFormer's routing by its authors' shapes, of all heads together."""
    for name, number, rows, columns, side, kept in [("region_means", 740, 4, 6, 2, 2),
                                                    ("region_means_of_three", 741, 3, 6, 3, 1)]:
        case = Heads(number, n=rows * columns)
        windows = lambda x: (x.reshape(rows // side, side, columns // side, side, -1).transpose(1, 2)
                             .reshape(-1, side * side, x.shape[-1]))
        joined = lambda x: x.transpose(0, 1).reshape(rows * columns, -1)
        routed = windows(joined(case.q)).mean(1) @ windows(joined(case.k)).mean(1).T
        index = torch.topk(routed, kept, dim=-1).indices
        places = windows(torch.arange(rows * columns)[:, None])[..., 0]
        allowed = torch.zeros(rows * columns, rows * columns, dtype=torch.bool)
        for region, found in enumerate(index):
            allowed[places[region][:, None], places[found].flatten()[None]] = True
        case.row("selection", name,
                 {"selection": {"type": "region_means", "columns": columns, "side": side, "regions": kept}},
                 masked_softmax(case.products() / math.sqrt(case.d), allowed),
                 stages={"region_products": routed.expand(2, -1, -1)})


def build_pooled_gates():
    """SeerAttention's AttnGate as Qavg_Kmaxminavg, by torch's pools, and Llama's rotation of halves."""
    def turned(x, places):
        angles = places[:, None] * 10000 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
        emb = torch.cat([angles, angles], -1)
        first, second = x.chunk(2, -1)
        return x * emb.cos() + torch.cat([-second, first], -1) * emb.sin()

    for name, number, n, size, spec in [("pooled_gates", 742, 10, 3, {"threshold": 0.3}),
                                        ("pooled_gates_of_the_best", 743, 12, 2, {"rule": "best", "dense": 1})]:
        case = Heads(number, n=n)
        W = case.add("W_pooled_gate", draw(24, 4, scale=0.7)).reshape(2, 12, 4)
        pool = lambda f, x: f(x.transpose(1, 2), size, stride=size, ceil_mode=True).transpose(1, 2)
        q = pool(F.avg_pool1d, case.q)
        k = torch.cat([pool(F.max_pool1d, case.k), -pool(F.max_pool1d, -case.k), pool(F.avg_pool1d, case.k)], -1) @ W
        blocks = q.shape[1]
        places = torch.arange(0, n, size)
        gate = turned(q, places) @ turned(k, places).transpose(1, 2) / math.sqrt(case.d)
        gate = gate.masked_fill(~causal(blocks), float("-inf"))
        if spec.get("rule") == "best":
            kept = chosen(gate, 2)
            kept[:, -1:] = True
        else:
            kept = torch.softmax(gate, -1) > spec["threshold"]
        allowed = kept.repeat_interleave(size, 1).repeat_interleave(size, 2)[:, :n, :n] & causal(n)
        turn = lambda x: turned(x, torch.arange(n))
        scores = turn(case.q) @ turn(case.k).transpose(1, 2) / math.sqrt(case.d)
        case.row("selection", name, {"selection": {"type": "pooled_gates", "size": size} | spec,
                                     "position": {"type": "rope"}, "mask": {"type": "causal"}},
                 masked_softmax(scores, allowed), stages={"gate_shares": torch.softmax(gate, -1)})


def build_neighbour_chunks():
    """RETRO: queries are moved by the length of a chunk less one, cut into chunks, and see what was found for each."""
    for name, number, n, m, size, count, continued in [("neighbour_chunks", 714, 11, 11, 3, 1, True),
                                                       ("neighbour_chunks_of_a_collection", 715, 7, 10, 2, 2, False)]:
        case = Cross(number, n, m, 4)
        is_one_text = n == m
        if is_one_text:
            case.alone()
        asking = F.normalize(case.query[:n // size * size].reshape(-1, size, 4).mean(1), dim=-1)
        known = F.normalize(case.key[:m // size * size].reshape(-1, size, 4).mean(1), dim=-1)
        likeness = asking @ known.T
        if is_one_text:
            likeness = likeness.masked_fill(~causal(*likeness.shape).tril(-1), float("-inf"))
        found = chosen(likeness, count)
        if continued:
            found[:, 1:] |= found[:, :-1].clone()
        allowed = torch.zeros(n, m, dtype=torch.bool)
        of_chunks = found.repeat_interleave(size, 0).repeat_interleave(size, 1)
        allowed[size - 1:, :of_chunks.shape[1]] = of_chunks[:n - size + 1]
        weights = torch.nan_to_num(masked_softmax(case.products() / math.sqrt(4), allowed))
        row("selection", name, case.spec | {"selection": {"type": "neighbour_chunks", "chunk": size,
                                                          "neighbours": count, "continued": continued}},
            case.inputs, {}, weights, weights @ case.value)


def build_shares():
    """Twilight: the largest weights whose cumulated sum first reaches p. SparQ: the authors' few lines of PyTorch."""
    for name, number, share, allowed in [("top_p", 730, 0.8, None), ("top_p_causal", 731, 0.6, causal(7))]:
        case = Cross(number, 7, 7, 3).alone() if allowed is not None else Cross(number, 5, 7, 3)
        soft = masked_softmax(case.products() / math.sqrt(3), allowed)
        ordered, index = torch.sort(soft, dim=-1, descending=True)
        enough = torch.cat([torch.zeros(soft.shape[0], 1), ordered.cumsum(-1)[:, :-1]], -1) < share
        kept = torch.zeros_like(enough).scatter(-1, index, enough)
        finish(case, name, {"type": "top_p", "p": share}, kept if allowed is None else kept & allowed,
               mask={"mask": {"type": "causal"}} if allowed is not None else None)

    gather = lambda t, i: t.gather(-1, i)
    for name, number, with_mean in [("sparq", 732, True), ("sparq_without_the_mean", 733, False)]:
        case = Cross(number, 4, 8, 6, value_width=3)
        r, k = 2, 3
        index = torch.topk(case.query.abs(), r, -1).indices
        query_hat = gather(case.query, index)
        key_hat = case.key[:, index].permute(1, 0, 2)  # [query, key, r]
        scale = torch.sqrt(6 * query_hat.abs().sum(-1, keepdim=True) / case.query.abs().sum(-1, keepdim=True))
        guess = torch.softmax(torch.einsum("nr,nmr->nm", query_hat, key_hat) / scale, -1)
        best = torch.topk(guess, k, -1).indices
        exact = torch.softmax(gather(case.products(), best) / math.sqrt(6), -1)
        alpha = gather(guess, best).sum(-1, keepdim=True) if with_mean else torch.ones(4, 1)
        weights = ((1 - alpha) / 8).expand(4, 8).scatter_add(-1, best, alpha * exact)
        context = alpha * torch.einsum("nk,nkd->nd", exact, case.value[best]) + (1 - alpha) * case.value.mean(0)
        row("selection", name,
            case.spec | {"selection": {"type": "sparq", "r": r, "k": k} | ({} if with_mean else {"mean": False})},
            case.inputs, {}, weights, context, {"guessed_shares": guess[None]})


def columns_and_diagonals(scores, last, columns, diagonals, first, recent):
    """MInference's vertical-slash index: sums over the last queries' softmax, along columns and diagonals."""
    n = scores.shape[-1]
    looks = masked_softmax(scores, causal(n))[-last:]
    vertical = looks.sum(0)
    vertical[:first] = float("inf")
    slash = torch.stack([torch.diagonal(looks, n - last - away).sum() for away in range(n)])
    slash[:recent] = float("inf")
    away = torch.arange(n)[:, None] - torch.arange(n)[None]
    allowed = torch.zeros(n, n, dtype=torch.bool)
    allowed[:, torch.topk(vertical, columns).indices] = True
    for diagonal in torch.topk(slash, diagonals).indices:
        allowed |= away == diagonal
    return allowed & causal(n)


def blocks_of_means(query, key, size, kept):
    """MInference's block-sparse index: means of blocks, products, the largest of those that are not later."""
    count = query.shape[0] // size
    pooled = query.reshape(count, size, -1).mean(1) @ key.reshape(count, size, -1).mean(1).T
    chosen_blocks = chosen(pooled.masked_fill(~causal(count), float("-inf")), kept)
    return chosen_blocks.repeat_interleave(size, 0).repeat_interleave(size, 1)


def build_prefill_patterns():
    is_causal = {"mask": {"type": "causal"}}
    case = Cross(734, 12, 12, 3).alone()
    scores = case.products() / math.sqrt(3)
    finish(case, "vertical_slash",
           {"type": "prefill_patterns", "last": 4, "vertical": 2, "slash": 3, "first": 1, "recent": 1},
           columns_and_diagonals(scores, 4, 2, 3, 1, 1), mask=is_causal)
    case = Cross(735, 12, 12, 3).alone()
    finish(case, "blocks_of_means", {"type": "prefill_patterns", "pattern": "blocks", "size": 3, "blocks": 2},
           blocks_of_means(case.query, case.key, 3, 2) & causal(12), mask=is_causal)
    case = Heads(736, n=12, width=6, heads=3)
    scores = case.products() / math.sqrt(case.d)
    near = torch.arange(12)[:, None] - torch.arange(12)[None] < 3
    masks = [((torch.arange(12) < 2)[None] | near) & causal(12), columns_and_diagonals(scores[1], 2, 3, 4, 2, 3),
             blocks_of_means(case.q[2], case.k[2], 4, 2) & causal(12)]
    case.row("selection", "prefill_patterns_in_turn",
             {"selection": {"type": "prefill_patterns", "pattern": "in_turn", "last": 2, "vertical": 3, "slash": 4,
                            "first": 2, "recent": 3, "size": 4, "blocks": 2}} | is_causal,
             masked_softmax(scores, torch.stack(masks)))


def build_antidiagonals():
    """XAttention as its authors estimate it: every stride-th token side by side, queries in inverse order."""
    for name, number, n, stride, groups, share, ends in [("antidiagonals", 737, 16, 2, 2, 0.7, True),
                                                         ("antidiagonals_of_all_pairs", 738, 12, 3, 1, 0.6, False)]:
        case = Cross(number, n, n, 3).alone()
        query = torch.cat([case.query[stride - 1 - s::stride] for s in range(stride)], -1)
        key = torch.cat([case.key[s::stride] for s in range(stride)], -1)
        scores = query @ key.T / math.sqrt(3) / stride
        looks = masked_softmax(scores, causal(n // stride) if ends else None)
        count = n // stride // groups
        sums = looks.reshape(count, groups, count, groups).sum((1, 3))
        always = torch.eye(count, dtype=torch.bool) if ends else torch.zeros(count, count, dtype=torch.bool)
        always[:, 0] |= ends
        kept = torch.zeros(count, count, dtype=torch.bool)
        for block in range(count):
            so_far, needed = sums[block, always[block]].sum(), share * sums[block].sum()
            kept[block] = always[block]
            for other in torch.argsort(-sums[block].masked_fill(always[block], 0)):
                if so_far >= needed:
                    break
                kept[block, other] = True
                so_far = so_far + sums[block, other].masked_fill(always[block, other], 0)
        size = stride * groups
        allowed = kept.repeat_interleave(size, 0).repeat_interleave(size, 1)
        finish(case, name, {"type": "antidiagonals", "stride": stride, "groups": groups, "p": share} |
               ({} if ends else {"ends": False}), allowed & causal(n) if ends else allowed,
               mask={"mask": {"type": "causal"}} if ends else None)
