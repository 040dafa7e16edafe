"""Texts in segments: a memory of those before, patterns of wider ones, landmarks; states of channels and of motion."""
import math

import torch
import torch.nn.functional as F

from golden import Heads, causal, draw, masked_softmax
from mixers import N, finish, outer, recurrence


def build_segment_memory():
    """Infini-attention segment by segment, as its equations 8 to 10 have it."""
    def answers(case, size, is_delta, share, values):
        phi_q, phi_k = F.elu(case.q) + 1, F.elu(case.k) + 1
        memory, norm, out = torch.zeros(2, case.d, values.shape[-1]), torch.zeros(2, case.d, 1), []
        for first in range(0, N, size):
            here = slice(first, first + size)
            ask = lambda x: x @ memory / (x @ norm) if first > 0 else torch.zeros(2, x.shape[1], values.shape[-1])
            scores = case.q[:, here] @ case.k[:, here].transpose(1, 2) / math.sqrt(case.d)
            local = masked_softmax(scores, causal(scores.shape[1])) @ values[:, here]
            out.append(share * ask(phi_q[:, here]) + (1 - share) * local)
            new = values[:, here] - ask(phi_k[:, here]) if is_delta else values[:, here]
            memory = memory + phi_k[:, here].transpose(1, 2) @ new
            norm = norm + phi_k[:, here].sum(1)[..., None]
        return torch.cat(out, 1)

    units = torch.eye(N).expand(2, -1, -1)
    for number, update in enumerate(["delta", "linear"], start=950):
        case = Heads(number, n=N)
        share = torch.sigmoid(case.add("memory_gate", draw(2)))[:, None, None]
        finish(case, {"type": "infini", "segment": 2, "update": update},
               answers(case, 2, update == "delta", share, units), answers(case, 2, update == "delta", share, case.v),
               name="infini" if update == "delta" else "infini_linear")


def build_neighbours():
    """A Memorizing Transformer's layer: torch.topk of the keys before the segment, and the gate."""
    case = Heads(965, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    share = torch.sigmoid(case.add("memory_gate", draw(2)))
    scores = case.products() / math.sqrt(case.d)
    weights = torch.zeros(2, N, N)
    for i in range(N):
        first = i // 3 * 3
        weights[:, i, first:i + 1] = (1 - share)[:, None] * torch.softmax(scores[:, i, first:i + 1], -1)
        if first > 0:
            found, places = torch.topk(scores[:, i, :first], 2, -1)
            weights[:, i].scatter_(-1, places, share[:, None] * torch.softmax(found, -1))
    finish(case, {"type": "memorizing", "segment": 3}, weights)


def build_dilated_segments():
    """A softmax for each pattern over the tokens that it takes, cut out of the text; mixed by log-sum-exp."""
    def answers(case, patterns, values, is_causal):
        out, sums = [], []
        for size, step in patterns:
            mixed = torch.zeros(2, N, values.shape[-1])
            lse = torch.full((2, N), float("-inf"))
            for head in range(2):
                for first in range(0, N, size):
                    tokens = list(range(first + head % step, min(first + size, N), step))
                    if not tokens:
                        continue
                    scores = case.q[head, tokens] @ case.k[head, tokens].T / math.sqrt(case.d)
                    if is_causal:
                        scores = scores.masked_fill(~causal(len(tokens)), float("-inf"))
                    mixed[head, tokens] = torch.softmax(scores, -1) @ values[head, tokens]
                    lse[head, tokens] = torch.logsumexp(scores, -1)
            out.append(mixed)
            sums.append(lse)
        shares = torch.softmax(torch.stack(sums), 0)
        return (shares[..., None] * torch.stack(out)).sum(0), shares.permute(1, 2, 0)

    units = torch.eye(N).expand(2, -1, -1)
    for number, is_causal in enumerate([False, True], start=952):
        case = Heads(number, n=N)
        patterns = [(2, 1), (4, 2), (8, 4)]
        weights, shares = answers(case, patterns, units, is_causal)
        finish(case, {"type": "dilated_segments", "segment": 2, "patterns": 3}, weights,
               answers(case, patterns, case.v, is_causal)[0], is_causal=is_causal, stages={"pattern_shares": shares},
               name="dilated_segments_causal" if is_causal else None)


def build_landmarks():
    """The grouped softmax of the paper's equations 1 to 4."""
    def weights_of(scores, block):
        tokens = torch.arange(N)
        p = ((tokens // block + 1) * block - 1).clamp(max=N)
        weights = torch.zeros_like(scores)
        for i in range(N):
            groups = [int(p[j]) if p[j] != j else -1 if p[i] == j else int(p[i]) for j in range(N)]
            shares = torch.zeros(2, N)
            for group in set(groups):
                of_group = torch.tensor([each == group for each in groups])
                exponentials = torch.exp(scores[:, i]) * of_group
                total = exponentials.sum(-1, keepdim=True)
                shares = shares + exponentials / torch.where(total > 0, total, torch.ones_like(total))
            for j in range(N):
                if p[j] != j and groups[j] == int(p[i]):
                    weights[:, i, j] = shares[:, j]
                elif p[j] != j and p[j] < N:
                    weights[:, i, j] = shares[:, j] * shares[:, p[j]]
        return weights

    case = Heads(954, n=N)
    scores = (case.products() / math.sqrt(case.d)).masked_fill(~causal(N), float("-inf"))
    finish(case, {"type": "landmark", "block": 2}, weights_of(scores, 2))
    case = Heads(955, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    finish(case, {"type": "landmark"}, weights_of(case.products() / math.sqrt(case.d), 4),
           name="landmark_of_an_unfinished_block", is_causal=False)


def build_momentum():
    """The authors' recurrence, with their sign of the motion and their angle."""
    def number(case, name):
        return (case.x @ case.add("W_" + name, draw(8, 2, scale=0.5)) + case.add("b_" + name, draw(2))).T

    def run(case, algorithm, name, is_balanced):
        log_alpha = -torch.exp(case.add("A_log", draw(2)))[:, None] * F.softplus(number(case, "dt"))
        mu = torch.exp(-torch.exp(case.add("Mu_log", draw(2)))[:, None] * F.softplus(number(case, "mu")))
        beta, eta = torch.sigmoid(number(case, "beta")), torch.tanh(number(case, "step")) + 1
        if is_balanced:
            theta = torch.arctan(eta * torch.exp(case.add("balance", draw(2)))[:, None])
            beta = torch.sin(theta) ** 2 * beta
            log_alpha = torch.log(torch.cos(theta) ** 2) + log_alpha
        key, alpha, motion = F.normalize(case.k, dim=-1), torch.exp(log_alpha), {}

        def step(state, value, t):
            p = alpha[:, t, None] * key[:, t]
            w = -(value - torch.einsum("hd,hdv->hv", p, state))
            before = motion[value.shape[-1]] if t > 0 else torch.zeros_like(state)
            motion[value.shape[-1]] = mu[:, t, None, None] * before + outer(eta[:, t, None] * key[:, t], w)
            return alpha[:, t, None, None] * state - beta[:, t, None, None] * motion[value.shape[-1]]

        finish(case, algorithm, *recurrence(case, step), name=name,
               stages={"write_strengths": beta, "log_gates": log_alpha, "momentum_gates": mu, "momentum_steps": eta})

    run(Heads(956, n=N), {"type": "momentum_delta"}, None, True)
    run(Heads(957, n=N), {"type": "momentum_delta", "balanced": False}, "momentum_delta_unbalanced", False)


def build_selective_scans():
    """Mamba's recurrence for each channel, with a state of d numbers."""
    def scanned(case, steps, rates, values):
        """values [h, n, channels, columns]"""
        state, out = torch.zeros(2, values.shape[2], case.d, values.shape[3]), []
        k = case.k.expand(2, -1, -1)
        for t in range(N):
            fading = torch.exp(-steps[:, t, :, None] * rates)
            written = torch.einsum("hc,hs,hcv->hcsv", steps[:, t], k[:, t], values[:, t])
            state = fading[..., None] * state + written
            out.append(torch.einsum("hs,hcsv->hcv", case.q[:, t], state))
        return torch.stack(out, 1)

    for number, kv_heads in enumerate([2, 1], start=958):
        spec = {"heads": {"type": "multi_query", "heads": 2}} if kv_heads == 1 else None
        case = Heads(number, n=N, heads=2, kv_heads=kv_heads, spec=spec)
        steps = F.softplus(case.split(case.x @ case.add("W_dt", draw(8, 8, scale=0.5)) + case.add("b_dt", draw(8))))
        rates = torch.exp(case.add("A_log", draw(8, 4))).reshape(2, 4, 4)
        units = torch.eye(N)[None, :, None].expand(2, -1, 4, -1)
        context = scanned(case, steps, rates, case.v.expand(2, -1, -1)[..., None])[..., 0]
        finish(case, {"type": "selective_scan"}, scanned(case, steps, rates, units).mean(2), context,
               name=None if kv_heads == 2 else "selective_scan_of_one_key_head", stages={"channel_steps": steps})


def build_gated_units():
    """The gated attention unit of the paper's code: one vector for query and key, a square of relu, gates."""
    def unit(case, n, allowed=None):
        def affine(x, name):
            gain, shift = (case.add(kind + name, draw(case.d)) for kind in ["gamma_", "beta_"])
            return gain * F.silu(x) + shift
        q, k = affine(case.q, "q"), affine(case.k, "k")
        weights = F.relu(torch.einsum("hid,hjd->hij", q, k.expand(2, -1, -1)) / n) ** 2
        weights = weights if allowed is None else weights * allowed
        attended = weights @ F.silu(case.v)
        gate = F.silu(case.split(case.x @ case.add("W_u", draw(8, 8, scale=0.5))))
        return weights, attended * gate, {"attended": attended, "output_gate": gate}

    case = Heads(960, n=N)
    weights, context, stages = unit(case, N, causal(N))
    finish(case, {"type": "gau"}, weights, context, stages=stages)
    case = Heads(961, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    weights, context, stages = unit(case, 3)
    finish(case, {"type": "gau", "length": 3}, weights, context, name="gau_of_one_key_head", is_causal=False,
           stages=stages)


def build_lengths():
    """UFO-ViT; the map by the derivative of what is read with the lengths held."""
    case = Heads(962, n=N)
    gamma = case.add("gamma_x", draw(2))[:, None, None]
    xnorm = lambda x: gamma * F.normalize(x, dim=-1)
    summary = case.k.transpose(1, 2) @ case.v
    weights = xnorm(case.q) @ (gamma / summary.norm(dim=-1, keepdim=True) * case.k.transpose(1, 2))
    finish(case, {"type": "ufo"}, weights, xnorm(case.q) @ xnorm(summary), is_causal=False,
           stages={"xnorm_query": xnorm(case.q), "unit_key_values": xnorm(summary)})


def build_global_projections():
    """Longformer's second set of layers, and ETC's pieces (share_kv_projections off) with its relative labels."""
    def project(case, name):
        return case.split(case.x @ case.add(name, draw(8, 8, scale=0.5)))

    def choose(where, yes, no):
        return torch.where(where, yes, no)

    def build(number, name, tokens, pieces, reach, spans):
        case, here, n = Heads(number, n=7), torch.zeros(7, dtype=torch.bool), 7
        here[tokens] = True
        window = ((torch.arange(n)[:, None] - torch.arange(n)).abs() <= 1) | here[:, None] | here
        row, column = here[:, None], here
        q = choose(here[:, None], project(case, "W_global_query"), case.q)
        local, own = [case.k, case.v], [project(case, "W_global_key"), project(case, "W_global_value")]
        at_local, at_own = local, own
        if pieces == "pairs":
            at_local = [project(case, "W_local_to_global_key"), project(case, "W_local_to_global_value")]
            at_own = [project(case, "W_global_to_global_key"), project(case, "W_global_to_global_value")]
        product = lambda keys: q @ keys.transpose(1, 2)
        scores = choose(row, choose(column, product(at_own[0]), product(own[0])),
                        choose(column, product(at_local[0]), product(local[0])))
        if reach:
            table = torch.nn.Embedding(2 * reach + 3, case.d)
            table.weight.data = case.add("a_label", draw(2 * reach + 3, case.d))
            part = torch.empty(n, dtype=torch.long)
            part[here] = torch.arange(len(tokens))
            ends = torch.cumsum(torch.tensor(spans), 0)
            part[~here] = (torch.arange(n - len(tokens))[:, None] >= ends).sum(-1)
            away = (torch.arange(n) - torch.arange(n)[:, None]).clamp(-reach, reach) + reach
            labels = choose(row == column, away, 2 * reach + 2 - (part[:, None] == part).long())
            scores = scores + torch.einsum("hid,ijd->hij", q, table(labels))
        weights = torch.softmax((scores / math.sqrt(case.d)).masked_fill(~window, -math.inf), -1)
        context = (weights * (~row & ~column)) @ local[1] + (weights * (~row & column)) @ at_local[1] \
            + (weights * (row & ~column)) @ own[1] + (weights * (row & column)) @ at_own[1]
        mask = {"any": [{"type": "symmetric_window", "reach": 1}, {"type": "global", "tokens": tokens}]}
        options = {"tokens": tokens, "pieces": pieces, "labels": reach, "segments": spans}
        case.row("algorithm", name, {"mask": mask, "algorithm": {"type": "global_projections"} | options}, weights,
                 context)

    build(1310, "global_projections", [0], "queries", 0, [])
    build(1311, "global_projections_in_pieces", [0, 3], "pairs", 0, [])
    build(1312, "global_projections_with_labels", [0, 1], "pairs", 2, [2])


def build_entity_queries():
    """LUKE's EntityAwareSelfAttention: words, then entities, in its own order of products and concatenations."""
    case, words = Heads(1313, n=7), 5
    project = lambda tokens, W: (tokens @ W).reshape(len(tokens), 2, -1).transpose(0, 1)
    text, entities = case.x[:words], case.x[words:]
    w2w = project(text, case.parameters["W_q"])
    w2e = project(text, case.add("W_local_to_global_query", draw(8, 8, scale=0.5)))
    e2w = project(entities, case.add("W_global_query", draw(8, 8, scale=0.5)))
    e2e = project(entities, case.add("W_global_to_global_query", draw(8, 8, scale=0.5)))
    of_words, of_entities = case.k[:, :words].transpose(1, 2), case.k[:, words:].transpose(1, 2)
    scores = torch.cat([torch.cat([w2w @ of_words, w2e @ of_entities], 2),
                        torch.cat([e2w @ of_words, e2e @ of_entities], 2)], 1) / math.sqrt(case.d)
    case.row("algorithm", "entity_queries",
             {"algorithm": {"type": "global_projections", "tokens": [5, 6], "pieces": "questions"}},
             torch.softmax(scores, -1), stages={"scores": scores})


def build_kernel_landmarks():
    """Skyformer's two products and the inverse between them, with means of segments for its samples."""
    def weights_of(q, k, count, ridge):
        means = lambda x: torch.stack([part.mean(1) for part in torch.tensor_split(x, count, 1)], 1)
        kernel = lambda a, b: torch.exp(-torch.cdist(a, b) ** 2 / (2 * math.sqrt(q.shape[-1])))
        points = torch.cat([means(q), means(k)], 1)
        system = kernel(points, points) + ridge * torch.eye(points.shape[1])
        return kernel(q, points) @ torch.linalg.solve(system, kernel(points, k)), points

    case = Heads(963, n=N)
    weights, points = weights_of(case.q, case.k, 3, 0.01)
    finish(case, {"type": "kernel_landmarks", "landmarks": 3}, weights, is_causal=False, tolerance=1e-9,
           stages={"kernel_points": points})
    case = Heads(964, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    weights, points = weights_of(case.q, case.k.expand(2, -1, -1), 2, 0.5)
    finish(case, {"type": "kernel_landmarks", "landmarks": 2, "lambda": 0.5}, weights, is_causal=False, tolerance=1e-9,
           name="kernel_landmarks_of_one_key_head")


def build():
    build_segment_memory()
    build_neighbours()
    build_dilated_segments()
    build_landmarks()
    build_momentum()
    build_selective_scans()
    build_gated_units()
    build_lengths()
    build_kernel_landmarks()
    build_global_projections()
    build_entity_queries()
