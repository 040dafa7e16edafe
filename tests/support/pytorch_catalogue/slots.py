"""Memories of learned slots and parameters that are tokens; tokens that are joined, merged or kept by what they hold."""
import math

import torch
import torch.nn.functional as F

from filters import number
from golden import NEVER, Cross, Heads, causal, draw, masked_softmax, row
from mixers import N, finish


def build_product_keys():
    """Both halves' best, then the best of their sums, as the paper's section 3.1 has it."""
    for number, name, halves, read in [(1300, "product_keys", 4, 3), (1301, "product_keys_of_many", 3, 5)]:
        case = Heads(number, n=N)
        left, right = case.add("K_left", draw(halves, 2)), case.add("K_right", draw(halves, 2))
        values = case.add("V_slots", draw(halves * halves, case.d))
        for unused in ["W_k", "W_v"]:
            del case.parameters[unused]
        first, second = case.q.chunk(2, -1)
        k = min(read, halves)
        best_left, left_places = (first @ left.T).topk(k, -1)
        best_right, right_places = (second @ right.T).topk(k, -1)
        sums = (best_left[..., :, None] + best_right[..., None, :]).flatten(-2)
        slots = (left_places[..., :, None] * halves + right_places[..., None, :]).flatten(-2)
        best, places = sums.topk(read, -1)
        shares = torch.zeros(2, N, halves * halves).scatter(-1, slots.gather(-1, places), torch.softmax(best, -1))
        context = F.embedding_bag(slots.gather(-1, places).reshape(-1, read), values, mode="sum",
                                  per_sample_weights=torch.softmax(best, -1).reshape(-1, read)).reshape(2, N, -1)
        readers = shares.sum(1, keepdim=True)
        finish(case, {"type": "product_keys", "halves": halves, "read": read},
               shares @ torch.where(readers > 0, shares / readers, shares).transpose(1, 2), context, name=name,
               is_causal=False, stages={"slot_weights": shares})


def build_token_parameters():
    """Pattention of the authors, with either order of GELU and norm."""
    for number, order in [(1302, "norm_first"), (1303, "gelu_first")]:
        case = Heads(number, n=N)
        for unused in ["W_k", "W_v"]:
            del case.parameters[unused]

        def pattention(x, side):
            keys, values = case.add("K_of_" + side, draw(5, 8)), case.add("V_of_" + side, draw(5, 8))
            scores = F.linear(x, keys)
            norm = lambda s: F.normalize(s, dim=-1) * math.sqrt(5)
            weights = F.gelu(norm(scores)) if order == "norm_first" else norm(F.gelu(scores))
            return weights, case.split(weights @ values)

        of_queries, q = pattention(case.x @ case.parameters["W_q"], "queries")
        of_keys, k = pattention(case.x, "keys")
        of_values, v = pattention(case.x, "values")
        weights = masked_softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), causal(N))
        finish(case, {"type": "token_parameters", "tokens": 5, "order": order}, weights, weights @ v,
               name="token_parameters" if order == "norm_first" else "token_parameters_gelu_first",
               stages={name: of_all.expand(2, -1, -1) for name, of_all in  # each head has the same
                       [("queries_parameter_weights", of_queries), ("keys_parameter_weights", of_keys),
                        ("values_parameter_weights", of_values)]})


def build_merged_sources():
    """The keys and values of both sequences side by side, and torch's attention over them."""
    case = Cross(1304, 5, 4, 6, value_width=6)
    allowed = torch.cat([causal(5), torch.tensor([True, True, True, False]).expand(5, -1)], -1)
    joined = masked_softmax(case.query @ torch.cat([case.query, case.key]).T / math.sqrt(6), allowed)
    row("algorithm", "merged_sources",
        case.spec | {"algorithm": {"type": "merged_sources"}, "mask": {"type": "padding", "key_lengths": 3}},
        case.inputs, {}, joined[:, 5:], joined @ torch.cat([case.query, case.value]), {"own_weights": joined[:, :5]})


def build_dynamic_mask():
    """prepare_dynamic_mask of Doge, with torch.topk."""
    for number, name, kv_heads in [(1305, "dynamic_mask", 2), (1306, "dynamic_mask_of_one_key_head", 1)]:
        spec = {} if kv_heads == 2 else {"heads": {"type": "multi_query", "heads": 2}}
        case = Heads(number, n=N, kv_heads=kv_heads, spec=spec)
        steps = case.v.transpose(0, 1).reshape(N, -1) @ case.add("W_value_step", draw(kv_heads * 4, kv_heads))
        added = torch.exp(case.add("a_value_step", draw(kv_heads, scale=0.5)) * F.softplus(steps)).T[:, None]
        bias = added.expand(-1, N, -1).masked_fill(~causal(N), NEVER)
        active = torch.zeros_like(bias).scatter(-1, bias.topk(3, -1).indices, 1)
        bias = bias.masked_fill(active == 0, NEVER)
        finish(case, {"type": "dynamic_mask", "keep": 3},
               torch.softmax(case.products() / math.sqrt(case.d) + bias, -1), name=name,
               stages={"dynamic_bias": added.expand(2, -1, -1)})


def build_expert_choice():
    """Cut out of the text what each head chooses, attend, and put it back, as the authors' code does."""
    for number, name, kv_heads, is_causal in [(1312, "expert_choice", 2, True),
                                              (1313, "expert_choice_of_one_key_head", 1, False)]:
        spec = {} if kv_heads == 2 else {"heads": {"type": "multi_query", "heads": 2}}
        case = Heads(number, n=N, kv_heads=kv_heads, spec=spec)
        fit = torch.sigmoid(case.x @ case.add("W_choice", draw(8, 2, scale=0.4))).T
        weights = torch.zeros(2, N, N)
        for head in range(2):
            shares, places = fit[head].topk(3)
            places = places.sort().values
            q, k = case.q[head, places], case.k[head % kv_heads, places]
            inner = masked_softmax(q @ k.T / math.sqrt(case.d), causal(3) if is_causal else None)
            weights[head][places[:, None], places] = fit[head, places][:, None] * inner
        finish(case, {"type": "expert_choice", "chosen": 3}, weights, name=name, is_causal=is_causal)


def build_token_merging():
    """bipartite_soft_matching() of the paper's appendix D, proportional attention, and everyone's row again."""
    for number, merged in [(1307, 2), (1308, 3)]:
        case = Heads(number, n=7)
        metric = F.normalize(case.k.mean(0), dim=-1)
        a, b = metric[::2], metric[1::2]
        node_max, node_idx = (a @ b.T).max(-1)
        edges = node_max.argsort(descending=True)
        source = edges[:merged]
        parts = torch.arange(7)
        parts[2 * source] = 2 * node_idx[source] + 1
        belongs = F.one_hot(parts, 7).to(case.x)[:, parts.unique()]  # [token, what is left]
        sizes = belongs.sum(0)
        q, k, v = [(belongs / sizes).T @ x for x in [case.q, case.k, case.v]]
        left = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(case.d) + sizes.log(), -1)
        case.row("algorithm", "token_merging" if merged == 2 else "token_merging_of_three",
                 {"algorithm": {"type": "token_merging", "merged": merged}},
                 belongs @ left @ (belongs / sizes).T, belongs @ left @ v)


def build_energy_descent():
    """The energy of the paper, and torch's derivative of it."""
    for number, name, patterns, normed in [(1310, "energy_descent", 3, True), (1311, "energy_descent_plain", 0, False)]:
        case = Heads(number, n=N, scale=1 if normed else 0.4)
        for unused in ["W_k", "W_v"]:
            del case.parameters[unused]
        ask, tell = case.add("W_ask", draw(8, 8, scale=0.5)), case.add("W_tell", draw(8, 8, scale=0.5))
        memory = case.add("energy_patterns", draw(patterns, 8, scale=0.5)) if patterns else torch.zeros(1, 8)
        beta, x, energies = 0.7, case.x @ case.parameters["W_q"], []

        def energy(g):
            q, k = case.split(g @ ask), case.split(g @ tell)
            scores = (beta * q @ k.transpose(1, 2)).masked_fill(torch.eye(N, dtype=torch.bool), NEVER)
            of_tokens = -torch.logsumexp(scores, -1).sum(0) / beta - (F.relu(g @ memory.T) ** 2).sum(-1) / 2
            return scores, of_tokens

        for _ in range(3):
            g = (F.layer_norm(x, (8,)) if normed else x).detach().requires_grad_()
            scores, of_tokens = energy(g)
            energies.append(of_tokens)
            x = x - 0.05 * torch.autograd.grad(of_tokens.sum(), g)[0]
        energies.append(energy(F.layer_norm(x, (8,)) if normed else x)[1])
        case.row("algorithm", name,
                 {"algorithm": {"type": "energy_descent", "steps": 3, "rate": 0.05, "beta": beta,
                                "patterns": patterns, "norm": normed}},
                 torch.softmax(scores, -1), case.split(x), {"energies": torch.stack(energies, -1).expand(2, -1, -1)})


def build_capsules():
    """Procedure 1 with torch's einsum; parents are rows, children columns."""
    for number, name, rounds, types in [(1312, "capsules", 3, 3), (1313, "capsules_of_one_round", 1, 2)]:
        case = Heads(number, n=N)
        W = case.add("W_votes", draw(types * 8, 4, scale=0.5)).reshape(types, 2, 4, 4)
        votes = torch.einsum("hjc,ihcd->hijd", case.v, W[torch.arange(N) % types])
        b = torch.zeros(2, N, N)
        for _ in range(rounds):
            c = torch.softmax(b, 1)
            s = torch.einsum("hij,hijd->hid", c, votes)
            squares = (s ** 2).sum(-1, keepdim=True)
            v = squares / (1 + squares) * F.normalize(s, dim=-1)
            b = b + torch.einsum("hijd,hid->hij", votes, v)
        case.row("algorithm", name, {"algorithm": {"type": "capsules", "rounds": rounds, "types": types}}, c, v,
                 stages={"capsule_sums": s})


def build_sparse_hopfield():
    """Sparsemax in the place of the softmax of each update."""
    from normalizers import sparsemax
    case = Heads(1309, n=N)
    state, by_head = case.q, lambda s: torch.stack([sparsemax(scores) for scores in s])
    for _ in range(2):
        state = by_head(0.8 * state @ case.k.transpose(1, 2)) @ case.k
    case.row("algorithm", "hopfield_sparse",
             {"algorithm": {"type": "hopfield", "steps": 3, "beta": 0.8}, "normalizer": {"type": "sparsemax"}},
             by_head(0.8 * state @ case.k.transpose(1, 2)))


def build_hybrid_slots():
    """ref_prefill of the authors' tests: slots that take the token that leaves the window, or, in the second row, every
    token at once, and one softmax over [slots, window]; in the third the slots are means by shares."""
    for seed, name, window, overlap, writing in [(1342, "native_hybrid", 2, False, "gates"),
                                                 (1343, "native_hybrid_of_every_token", 3, True, "gates"),
                                                 (1344, "native_hybrid_of_shares", 2, False, "shares")]:
        case = Heads(seed, n=N)
        raw = case.split(case.x @ case.add("W_slots", draw(8, 6)) + case.add("b_slots", draw(6)))
        gates = torch.sigmoid(raw) ** (1 / 4)
        rows = torch.zeros(2, 3, N)  # what each slot has of each token
        weights, taken = [], []
        for t in range(N):
            new = t if overlap else t - window
            if new >= 0 and writing == "gates":
                rows = rows * gates[:, new, :, None]
                rows[:, :, new] = 1 - gates[:, new]
            elif new >= 0:
                rows = F.pad(torch.softmax(raw[:, :new + 1].transpose(1, 2), -1), (0, N - new - 1))
            newest = torch.arange(max(t - window + 1, 0), t + 1)
            keys = torch.cat([rows @ case.k, case.k[:, newest]], 1)
            shares = torch.softmax(torch.einsum("hsd,hd->hs", keys, case.q[:, t]) / math.sqrt(case.d), -1)
            row = torch.einsum("hs,hsm->hm", shares[:, :3], rows)
            row[:, newest] += shares[:, 3:]
            weights.append(row)
            taken.append(shares[:, :3])
        options = {"type": "gated_slots", "slots": 3, "temperature": 4, "window": window, "overlap": overlap,
                   "writing": writing}
        finish(case, options, torch.stack(weights, 1), name=name, stages={"slot_weights": torch.stack(taken, 1)})


def build_cyclic_slots():
    """CyFA token by token as the authors have it: pairs of waves that are written at a time of the clock, and scores
    and weights that are turned by that of the query."""
    for seed, waves, normed, forgets in [(1340, 2, True, True), (1341, 3, False, False)]:
        case = Heads(seed, n=N)
        q, k = case.q, case.k
        if normed:
            q, k = (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * case.add(name, draw(case.d))
                    for x, name in [(q, "g_q"), (k, "g_k")])
        delta, beta = torch.sigmoid(number(case, "clock")), torch.sigmoid(number(case, "beta"))
        gates = torch.ones(2, N, 1)
        if forgets:
            gates = torch.exp(-torch.exp(case.add("A_log", draw(2, scale=0.3)))[:, None, None]
                              * F.softplus(number(case, "dt")))
        period, count = 2 * waves + 1, 2 * waves + 2  # the sine of the wave that stands still is 0 throughout
        readout = torch.eye(period) + case.add("R_slots", draw(2 * period, period, scale=0.4)).reshape(2, period, period)
        pair = torch.arange(count) // 2
        is_cos = torch.arange(count) % 2 == 0
        mate = torch.where(is_cos, torch.arange(count) + 1, torch.arange(count) - 1)
        scale = torch.where(pair == 0, 1.0, 2.0).div(period).sqrt()
        angles = torch.arange(period)[:, None] * pair * (2 * math.pi / period)
        table = readout @ (scale * torch.where(is_cos, angles.cos(), angles.sin()))
        turn = lambda phase, x, way: phase.cos() * x + torch.where(is_cos, -way, way) * phase.sin() * x[..., mate]

        time = torch.zeros(2, 1)
        keys, memories = torch.zeros(2, case.d, count), [torch.zeros(2, count, size) for size in [N, case.d]]
        answers, taken = [[], []], []
        for t in range(N):
            time = time + delta[:, t]
            phase = time * pair * (2 * math.pi / period)
            write = beta[:, t] * scale * torch.where(is_cos, phase.cos(), -phase.sin())
            keys = gates[:, t, :, None] * keys + k[:, t, :, None] * write[:, None]
            rows = [torch.eye(N)[t].expand(2, -1), case.v[:, t]]
            memories = [gates[:, t, :, None] * state + write[..., None] * row[:, None]
                        for state, row in zip(memories, rows)]
            logits = turn(phase, torch.einsum("hdm,hd->hm", keys, q[:, t]) / math.sqrt(case.d), 1)
            shares = torch.softmax(torch.einsum("hrm,hm->hr", table, logits), -1)
            weights = turn(phase, torch.einsum("hrm,hr->hm", table, shares), -1)
            taken.append(shares)
            for out, state in zip(answers, memories):
                out.append(torch.einsum("hm,hmv->hv", weights, state))
        name = "cyclic_slots" if normed else "cyclic_slots_that_keep"
        spec = {"algorithm": {"type": "cyclic_slots", "waves": waves, "forgets": forgets}, "mask": {"type": "causal"}}
        case.row("algorithm", name, spec | ({"score": {"vector_norm": "rms"}} if normed else {}),
                 torch.stack(answers[0], 1), torch.stack(answers[1], 1), {"slot_weights": torch.stack(taken, 1)})


def build_token_sampling():
    """The authors' inverse transform sampling of one image, with as many points as patches, more and fewer."""
    for name, number, points in [("token_sampling", 2140, 8), ("token_sampling_of_many_points", 2141, 12),
                                 ("token_sampling_of_few_points", 2142, 4)]:
        case = Heads(number, n=9)
        attn = torch.softmax(case.products() / math.sqrt(case.d), -1)
        score = attn[:, 0].sum(0) * torch.linalg.norm(case.v.transpose(0, 1).reshape(9, -1), dim=1)
        sorted_scores, sorted_indices = torch.sort(score[1:] / score[1:].sum())
        cdf = torch.cumsum(sorted_scores, 0)
        normalized_cdf = (cdf - cdf.min()) / (cdf.max() - cdf.min())
        ys = torch.linspace(0, 1, points)
        ys_start = torch.min(normalized_cdf + (normalized_cdf == 0) * 1e8)
        ys = ys_start + (ys * (points - 1) - ys_start * torch.arange(points)) / (points - 1)
        diff_tokens = points - len(normalized_cdf)
        picked = torch.abs(ys[:, None] - F.pad(normalized_cdf, (diff_tokens, 0))).min(1)[1] - diff_tokens
        kept = torch.zeros(9)
        kept[0] = kept[1 + sorted_indices[picked.unique()]] = 1
        assert 2 < kept.sum() < 9, name
        case.row("algorithm", name, {"algorithm": {"type": "token_sampling", "points": points}}, attn * kept[:, None],
                 stages={"sampled": kept.expand(2, -1)})


def build():
    build_product_keys()
    build_token_parameters()
    build_merged_sources()
    build_dynamic_mask()
    build_expert_choice()
    build_token_merging()
    build_energy_descent()
    build_capsules()
    build_sparse_hopfield()
    build_hybrid_slots()
    build_cyclic_slots()
    build_token_sampling()
