"""Linear, recurrent and low-rank families, and other graphs of stages.

A mixer that is linear in its values shows its weights where the values are the unit matrix: step by step for those
that are written as a state here, from a closed form for the others; never as the engine's default form has it.
"""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, mixed_bits, row

CAUSAL = {"mask": {"type": "causal"}}
N = 6


def finish(case, algorithm, weights, context=None, name=None, is_causal=True, stages=None, tolerance=None):
    case.row("algorithm", name or algorithm["type"], {"algorithm": algorithm} | (CAUSAL if is_causal else {}), weights,
             context, stages, tolerance)


def shares(products, is_causal=True):
    products = products.tril() if is_causal else products
    return products / products.sum(-1, keepdim=True)


def build_features():
    case = Heads(800, n=N)
    phi = lambda x: F.elu(x) + 1
    finish(case, {"type": "linear"}, shares(phi(case.q) @ phi(case.k).transpose(1, 2)))
    case = Heads(801, n=N)
    finish(case, {"type": "linear", "form": "chunkwise", "chunk": 2},
           shares(phi(case.q) @ phi(case.k).transpose(1, 2), False), name="linear_of_all_keys", is_causal=False)

    case = Heads(802, n=N)
    turns = math.pi / 2 * torch.arange(N) / 9
    phi = lambda x: torch.cat([F.relu(x) * turns.cos()[:, None], F.relu(x) * turns.sin()[:, None]], -1)
    products = (phi(case.q) @ phi(case.k).transpose(1, 2)).tril()
    weights = products / products.sum(-1, keepdim=True).clamp(min=1e-6)
    finish(case, {"type": "cosformer", "length": 9}, weights)

    case = Heads(803, n=N)
    root = case.d ** 0.25
    features = lambda x: torch.cat([torch.ones(2, N, 1), x / root, torch.einsum("hna,hnb->hnab", x, x).flatten(2)
                                    / (math.sqrt(2) * root ** 2)], -1)
    finish(case, {"type": "based"}, shares(features(case.q) @ features(case.k).transpose(1, 2)))

    case = Heads(804, n=N)
    names = ["gamma_q", "beta_q", "gamma_k", "beta_k"]
    gamma_q, beta_q, gamma_k, beta_k = (case.add(name, draw(case.d)) for name in names)
    finish(case, {"type": "rebased"},
           shares(((gamma_q * case.q + beta_q) @ (gamma_k * case.k + beta_k).transpose(1, 2)) ** 2))

    case = Heads(805, n=N)
    finish(case, {"type": "efficient"}, torch.softmax(case.q, -1) @ torch.softmax(case.k, 1).transpose(1, 2),
           is_causal=False)

    # (q . k)^p as a product of features: all monomials of two entries, each pair of them once with the root of 2; all
    # products of four entries.
    case = Heads(806, n=N)
    upper = torch.triu_indices(case.d, case.d)
    roots = torch.where(upper[0] == upper[1], 1.0, math.sqrt(2))
    features = lambda x: x[..., upper[0]] * x[..., upper[1]] * roots
    finish(case, {"type": "power"}, shares(features(case.q) @ features(case.k).transpose(1, 2), False),
           name="power_of_all_keys", is_causal=False)
    case = Heads(807, n=N)
    features = lambda x: torch.einsum("hna,hnb,hnc,hnd->hnabcd", x, x, x, x).flatten(2)
    finish(case, {"type": "power", "power": "4"}, shares(features(case.q) @ features(case.k).transpose(1, 2)))


def build_low_rank():
    case = Heads(810, n=N)
    E, P = case.add("E", draw(3, N)), case.add("F", draw(3, N))
    pooled = torch.softmax(case.q @ (E @ case.k).transpose(1, 2) / 2, -1)
    finish(case, {"type": "linformer", "rank": 3}, pooled @ P, pooled @ (P @ case.v), is_causal=False,
           stages={"pooled_keys": E @ case.k})

    case = Heads(811, n=N)
    landmarks = lambda x: F.avg_pool1d(x.transpose(1, 2), 2).transpose(1, 2)
    q, k = landmarks(case.q), landmarks(case.k)
    kernel = lambda a, b: torch.softmax(a @ b.transpose(1, 2) / 2, -1)
    weights = kernel(case.q, k) @ torch.linalg.pinv(kernel(q, k)) @ kernel(q, case.k)
    finish(case, {"type": "nystrom", "landmarks": 3, "iterations": 40}, weights, is_causal=False, tolerance=1e-8,
           stages={"query_landmarks": q, "key_landmarks": k, "landmark_weights": kernel(q, k)})


def build_points():
    """Attention by way of a few points is attention twice; the map is what reaches unit values."""
    attend = lambda q, k, v: torch.softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), -1) @ v
    tokens = torch.eye(N).expand(2, -1, -1)
    by_head = lambda x: x.reshape(len(x), 2, -1).transpose(0, 1)

    case = Heads(812, n=N)
    points, W = by_head(case.add("points", draw(3, 8))), case.add("W_point", draw(8, 8, scale=0.5))
    taken, found = attend(points, case.k, tokens), attend(points, case.k, case.v)
    keys = by_head(torch.cat(list(found), -1) @ W)
    finish(case, {"type": "inducing_points", "points": 3}, attend(case.q, keys, taken), attend(case.q, keys, found),
           is_causal=False, stages={"pack_weights": taken, "packed_values": found, "point_keys": keys})

    case = Heads(813, n=N)
    agents = F.adaptive_avg_pool1d(case.q.transpose(1, 2), 3).transpose(1, 2)
    finish(case, {"type": "agent", "agents": 3}, attend(case.q, agents, attend(agents, case.k, tokens)),
           attend(case.q, agents, attend(agents, case.k, case.v)), is_causal=False, stages={"agents": agents})

    # Orthoformer: from the engine's draw of a first query on, the rest as the authors' loop has it.
    case = Heads(2017, n=N)
    stream = lambda seed, index: mixed_bits(mixed_bits(seed) ^ index)
    chosen = torch.zeros(2, 3, N)
    for head in range(2):
        directions = F.normalize(case.q[head], dim=-1)
        picked = [int((stream(stream(1, head), 1) >> 11) / 2 ** 53 * N)]
        while len(picked) < 3:
            nearest = (directions @ directions[picked].T).abs().amax(-1)
            nearest[picked] = 10
            picked.append(int(nearest.argmin()))
        chosen[head, range(3), picked] = 1
    points = chosen @ case.q
    finish(case, {"type": "agent", "agents": 3, "points": "orthogonal"},
           attend(case.q, points, attend(points, case.k, tokens)), attend(case.q, points, attend(points, case.k, case.v)),
           name="orthogonal_points", is_causal=False, stages={"chosen_queries": chosen, "agents": points})


def build_features_on_features():
    case = Heads(814, n=N)
    sharpness = case.add("sharpness", torch.tensor([1.5, 4.0]))
    # [h, d, n]: channels in the place of tokens, as the authors' code has them.
    q, k, v = (x.transpose(1, 2) for x in [case.q, case.k, case.v])
    cosines = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(1, 2)
    shares = torch.softmax(cosines * sharpness[:, None, None], -1)
    finish(case, {"type": "cross_covariance"}, torch.eye(N).expand(2, -1, -1), (shares @ v).transpose(1, 2),
           is_causal=False, stages={"feature_weights": shares})


def recurrence(case, step):
    """step(state, values, t) [h, d, d_v]; what queries over sqrt(d) read after each step, for values and for I."""
    answers = []
    for values in [torch.eye(N).expand(case.heads, -1, -1), case.v]:
        state = torch.zeros(case.heads, case.d, values.shape[-1])
        out = []
        for t in range(N):
            state = step(state, values[:, t], t)
            out.append(torch.einsum("hd,hdv->hv", case.q[:, t] / math.sqrt(case.d), state))
        answers.append(torch.stack(out, 1))
    return answers


def outer(key, value):
    return key[:, :, None] * value[:, None]


def build_decays():
    case = Heads(820, n=N)
    gamma = 1 - 2.0 ** (-5 - torch.arange(2.0))
    far = (torch.arange(N)[:, None] - torch.arange(N)[None]).clamp(min=0)
    products = (case.products() / 2 * gamma[:, None, None] ** far).tril()
    finish(case, {"type": "retention"}, products)
    case = Heads(821, n=N)
    products = (case.products() / 2 * 0.8 ** far).tril()
    finish(case, {"type": "retention", "gamma": 0.8, "normalize": True, "form": "chunkwise", "chunk": 3},
           products / products.sum(-1, keepdim=True).abs().clamp(min=1), name="retention_normalized")

    case = Heads(822, n=N)
    W, b = case.add("W_alpha", draw(8, 8)), case.add("b_alpha", draw(8))
    alpha = case.split(torch.sigmoid(case.x @ W + b) ** (1 / 4))
    finish(case, {"type": "gated_linear", "temperature": 4},
           *recurrence(case, lambda S, v, t: alpha[:, t, :, None] * S + outer(case.k[:, t], v)))

    # L o (C B^T) with L = exp(segsum), as the paper's listing has it.
    case = Heads(823, n=N)
    W, b, A_log = case.add("W_dt", draw(8, 2)), case.add("b_dt", draw(2)), case.add("A_log", draw(2))
    delta = F.softplus(case.x @ W + b).T
    log_decay = -delta * torch.exp(A_log)[:, None]
    segments = log_decay[:, :, None].expand(-1, -1, N).tril(-1).cumsum(1)
    L = torch.exp(segments.masked_fill(~causal(N), float("-inf")))
    finish(case, {"type": "state_space"}, L * case.products() * delta[:, None])


def build_delta_rules():
    def beta_of(case):
        return torch.sigmoid(case.x @ case.add("W_beta", draw(8, 2)) + case.add("b_beta", draw(2))).T

    # The closed form of the delta rule: tril(Q K^T) (I + tril(diag(beta) K K^T, -1))^-1 diag(beta).
    case = Heads(830, n=N)
    beta, keys = beta_of(case), F.normalize(case.k, dim=-1)
    system = torch.eye(N) + (beta[:, :, None] * (keys @ keys.transpose(1, 2))).tril(-1)
    products = (case.q @ keys.transpose(1, 2) / 2).tril()
    finish(case, {"type": "delta"},
           products @ torch.linalg.solve_triangular(system, torch.diag_embed(beta), upper=False),
           stages={"write_strengths": beta})

    def delta_rule(case, keys, beta, alpha):
        def step(state, value, t):
            state = alpha[:, t] * state
            error = value - torch.einsum("hd,hdv->hv", keys[:, t], state)
            return state + beta[:, t, None, None] * outer(keys[:, t], error)
        return recurrence(case, step)

    case = Heads(831, n=N)
    beta, keys = beta_of(case), F.normalize(case.k, dim=-1)
    W, b, A_log = case.add("W_dt", draw(8, 2)), case.add("b_dt", draw(2)), case.add("A_log", draw(2))
    alpha = torch.exp(-torch.exp(A_log) * F.softplus(case.x @ W + b)).T[:, :, None, None]
    finish(case, {"type": "gated_delta"}, *delta_rule(case, keys, beta, alpha))

    case = Heads(832, n=N)
    beta, keys = 2 * beta_of(case), F.normalize(case.k, dim=-1)
    W, b, A_log = case.add("W_alpha", draw(8, 8)), case.add("b_alpha", draw(8)), case.add("A_log", draw(2))
    alpha = torch.exp(-torch.exp(A_log)[:, None, None] * F.softplus(case.split(case.x @ W + b)))[..., None]
    finish(case, {"type": "kimi_delta", "overshoot": True}, *delta_rule(case, keys, beta, alpha))

    case = Heads(833, n=N)
    weights = torch.zeros(2, N, N)
    for t in range(N):
        K = case.k[:, :t + 1]
        H = K.transpose(1, 2) @ K + 0.7 * torch.eye(case.d)
        weights[:, t, :t + 1] = (K @ torch.linalg.solve(H, case.q[:, t, :, None])).squeeze(-1)
    finish(case, {"type": "mesa", "lambda": 0.7}, weights)


def build_second_order():
    # The masked streaming form: S = sum k k^T, C = sum q v^T, G = sum k k^T C of the step before; o = q (S C - G).
    case = Heads(834, n=N)
    answers = []
    for values in [torch.eye(N).expand(2, -1, -1), case.v]:
        S = torch.zeros(2, case.d, case.d)
        C = G = torch.zeros(2, case.d, values.shape[-1])
        out = []
        for t in range(N):
            key = outer(case.k[:, t], case.k[:, t])
            G, S, C = G + key @ C, S + key, C + outer(case.q[:, t], values[:, t])
            out.append(torch.einsum("hd,hdv->hv", case.q[:, t], S @ C - G) / case.d)
        answers.append(torch.stack(out, 1))
    finish(case, {"type": "higher_order"}, *answers, stages={"masked_products": (case.products() / 2).tril()})
    # Without a mask: Q (K^T K) Q^T V.
    case = Heads(835, n=N, heads=2, kv_heads=1)
    weights = case.q @ (case.k.transpose(1, 2) @ case.k) @ case.q.transpose(1, 2)
    case.spec["heads"] = {"type": "multi_query", "heads": 2}
    finish(case, {"type": "higher_order", "scaled": False}, weights, name="higher_order_of_all_keys", is_causal=False)


def build_lookahead():
    """Lookahead keys, token by token: each step adds to the keys of all tokens before what the new one tells them."""
    def weights_of(case, allowed):
        names = ["W_qu", "W_ku", "W_vu"]
        q_u, k_u, v_u = (case.split(case.x @ case.add(name, draw(8, 8, scale=0.5))) for name in names)
        open_to = torch.sigmoid(q_u @ k_u.transpose(1, 2) / math.sqrt(case.d)).triu(1)
        rows = []
        for t in range(N):
            told = open_to * allowed[t] * (torch.arange(N) <= t)  # of the tokens up to t that t may see
            keys = told @ v_u
            scores = (case.q[:, t, None] @ case.k.transpose(1, 2)
                      - F.silu(case.q[:, t, None] @ keys.transpose(1, 2) / math.sqrt(case.d)) * math.sqrt(case.d))
            rows.append(masked_softmax(scores / math.sqrt(case.d), allowed[t] & (torch.arange(N) <= t)))
        return torch.cat(rows, 1), open_to

    case = Heads(836, n=N)
    weights, open_to = weights_of(case, causal(N))
    finish(case, {"type": "castle"}, weights, stages={"lookahead_weights": open_to})
    # Two heads on one key head, without its own mask, and with one that hides tokens in between.
    case = Heads(837, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    everything = torch.ones(N, N, dtype=torch.bool)
    finish(case, {"type": "castle"}, weights_of(case, everything)[0], name="castle_of_one_key_head", is_causal=False)
    case = Heads(838, n=N)
    allowed = (torch.arange(N)[:, None] - torch.arange(N)) % 2 == 0
    case.spec["mask"] = {"type": "matrix", "allowed": allowed.int().tolist()}
    finish(case, {"type": "castle"}, weights_of(case, allowed)[0], name="castle_of_every_other", is_causal=False)


def build_erased_values():
    """Values from which those before are taken out. I + L, L below the diagonal, has an inverse that is a series which
    ends: I - L + L^2 - ..."""
    def weights_of(case, similarities, strengths):
        found = torch.nan_to_num(masked_softmax(similarities / math.sqrt(case.d), causal(N).tril(-1)))
        left = power = torch.eye(N)
        for _ in range(N - 1):
            power = power @ (-strengths * found)
            left = left + power
        return masked_softmax(case.products() / math.sqrt(case.d), causal(N)) @ left, found

    case = Heads(870, n=N)
    raw = case.x @ case.add("W_beta", draw(8, 2, scale=0.5)) + case.add("b_beta", draw(2))
    weights, found = weights_of(case, case.k @ case.k.transpose(1, 2), torch.sigmoid(raw).T[..., None])
    finish(case, {"type": "deltaformer"}, weights, stages={"earlier_weights": found})
    case = Heads(871, n=N)
    weights, found = weights_of(case, case.products(), 1.0)
    finish(case, {"type": "deltaformer", "similarity": "queries", "strength": "one"}, weights,
           name="deltaformer_by_queries", stages={"earlier_weights": found})
    # Two heads on one key head, without a mask: it is causal by itself.
    case = Heads(872, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    finish(case, {"type": "deltaformer", "strength": "one"}, weights_of(case, case.k @ case.k.transpose(1, 2), 1.0)[0],
           name="deltaformer_of_one_key_head", is_causal=False)

    # A triangular system, solved for the values and, from the other side, for the map, as the authors' code does.
    def preconditioned(case, **others):
        root = math.sqrt(case.d)
        keys = root * F.normalize(case.k, dim=-1)
        overlaps = torch.exp(keys @ keys.transpose(1, 2) / root - root).tril()
        read = masked_softmax(case.products() / root, causal(N))
        weights = torch.linalg.solve_triangular(overlaps, read, upper=False, left=False)
        finish(case, {"type": "lucid"}, weights, read @ torch.linalg.solve_triangular(overlaps, case.v, upper=False),
               stages={"key_overlaps": overlaps.expand(case.heads, -1, -1)}, **others)

    preconditioned(Heads(873, n=N))
    preconditioned(Heads(874, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}}),
                   name="lucid_of_one_key_head", is_causal=False)


def build_matrix_memories():
    """xLSTM's matrix memory: its two states as they are, and the parallel form where pairs are hidden."""
    def gates_of(case):
        raw = [case.x @ case.add("W_" + gate, draw(8, 2, scale=0.5)) + case.add("b_" + gate, draw(2)) for gate in "fi"]
        return raw[0].T, raw[1].T

    case = Heads(870, n=N)
    forget, write = gates_of(case)
    f, i = torch.sigmoid(forget), torch.exp(write)
    answers = []
    for values in [torch.eye(N).expand(2, -1, -1), case.v]:
        C, n = torch.zeros(2, case.d, values.shape[-1]), torch.zeros(2, case.d)
        out = []
        for t in range(N):
            C = f[:, t, None, None] * C + i[:, t, None, None] * outer(case.k[:, t], values[:, t])
            n = f[:, t, None] * n + i[:, t, None] * case.k[:, t]
            query = case.q[:, t] / math.sqrt(case.d)
            out.append(torch.einsum("hd,hdv->hv", query, C) / (query * n).sum(-1, keepdim=True).abs().clamp(min=1))
        answers.append(torch.stack(out, 1))
    finish(case, {"type": "mlstm"}, *answers,
           stages={"log_forget_gates": F.logsigmoid(forget)[..., None], "input_exponents": write[..., None]})

    case = Heads(871, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    allowed = (torch.arange(N)[:, None] - torch.arange(N)) % 2 == 0
    case.spec["mask"] = {"type": "matrix", "allowed": allowed.int().tolist()}
    forget, write = gates_of(case)
    segments = F.logsigmoid(forget)[:, :, None].expand(-1, -1, N).tril(-1).cumsum(1)
    D = (segments + write[:, None]).masked_fill(~(allowed & causal(N)), float("-inf"))
    m = D.amax(-1, keepdim=True)
    found = case.products() / math.sqrt(case.d) * torch.exp(D - m)
    finish(case, {"type": "mlstm"}, found / torch.maximum(found.sum(-1, keepdim=True).abs(), torch.exp(-m)),
           name="mlstm_of_every_other", is_causal=False)


def build_bonus_states():
    """RWKV-6 token by token; RWKV-5, whose decays are powers, from its sum."""
    case = Heads(872, n=N)
    raw = case.x @ case.add("W_w", draw(8, 8, scale=0.5)) + case.add("b_w", draw(8))
    decay = torch.exp(-torch.exp(case.split(raw)))
    bonus = case.add("u", draw(8)).reshape(2, -1, 1)
    answers = []
    for values in [torch.eye(N).expand(2, -1, -1), case.v]:
        state, out = torch.zeros(2, case.d, values.shape[-1]), []
        for t in range(N):
            new = outer(case.k[:, t], values[:, t])
            out.append(torch.einsum("hd,hdv->hv", case.q[:, t], state + bonus * new))
            state = decay[:, t, :, None] * state + new
        answers.append(torch.stack(out, 1))
    finish(case, {"type": "rwkv6"}, *answers, stages={"log_decay": decay.log()})

    case = Heads(873, n=N)
    decay = torch.exp(-torch.exp(case.add("b_w", draw(8)))).reshape(2, 1, 1, -1)
    bonus = case.add("u", draw(8)).reshape(2, 1, -1)
    between = (torch.arange(N)[:, None] - 1 - torch.arange(N)).clamp(min=0)[..., None]
    past = torch.einsum("hic,hjc,hijc->hij", case.q, case.k, decay ** between).tril(-1)
    own = torch.diag_embed((case.q * bonus * case.k).sum(-1))
    finish(case, {"type": "rwkv6", "decay": "constant", "scaled": True}, (past + own) / math.sqrt(case.d),
           name="rwkv5")


def build_levels():
    """Log-linear attention: states that merge as the digits of a counter carry; then its masks, level by level."""
    def levels_of(case, count):
        W, b = case.add("W_lambda", draw(8, 2 * count, scale=0.5)), case.add("b_lambda", draw(2 * count))
        return case.split(F.softplus(case.x @ W + b))

    def steps_of(case):
        return F.softplus(case.x @ case.add("W_dt", draw(8, 2, scale=0.5)) + case.add("b_dt", draw(2))).T

    case = Heads(874, n=N)
    levels, delta = levels_of(case, 4), steps_of(case)
    keep = torch.exp(-torch.exp(case.add("A_log", draw(2)))[:, None] * delta)
    answers = []
    for values in [torch.eye(N).expand(2, -1, -1), case.v]:
        states, out = {}, []
        for t in range(N):
            if t > 0:
                full, level = states.pop(0), 1
                while level in states:
                    full, level = full + states.pop(level), level + 1
                states[level] = full
            states = {level: keep[:, t, None, None] * state for level, state in states.items()}
            states[0] = outer(case.k[:, t], values[:, t])
            out.append(sum(levels[:, t, level, None] * torch.einsum("hd,hdv->hv", case.q[:, t], state)
                           for level, state in states.items()))
        answers.append(torch.stack(out, 1))
    finish(case, {"type": "log_linear", "levels": 4}, *answers, stages={"level_weights": levels})

    case = Heads(875, n=N)
    levels, delta = levels_of(case, 5), steps_of(case)
    mask = torch.diag_embed(levels[..., 0])
    for level in range(1, 5):
        block = torch.arange(N) // 2 ** (level - 1)
        is_before = (block[:, None] % 2 == 1) & (block[None] == block[:, None] - 1)
        mask = mask + levels[..., level, None] * is_before
    weights = case.products() / math.sqrt(case.d) * mask * delta[:, None]
    finish(case, {"type": "log_linear", "levels": 5, "forgets": False, "discretize": True, "scaled": True}, weights,
           name="log_linear_without_gates", stages={"level_mask": mask})


def build_pointwise():
    """HSTU as its authors' reference code has it: SiLU of all projections, layer norm over the joined heads."""
    def norm_and_gate(case, attended):
        joined = attended.transpose(0, 1).reshape(N, -1)
        u = case.x @ case.add("W_u", draw(8, 8, scale=0.5))
        return case.split(F.layer_norm(joined, (8,), eps=1e-6) * F.silu(u))

    case = Heads(870, n=N)
    q, k, v = F.silu(case.q), F.silu(case.k), F.silu(case.v)
    weights = (F.silu(torch.einsum("hnd,hmd->hnm", q, k)) / N).tril()
    attended = torch.einsum("hnm,hmd->hnd", weights, v)
    finish(case, {"type": "hstu"}, weights, norm_and_gate(case, attended), stages={"attended": attended})
    case = Heads(871, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    weights = F.silu(case.products()) / 10
    finish(case, {"type": "hstu", "activated": False, "length": 10}, weights, norm_and_gate(case, weights @ case.v),
           name="hstu_of_all_keys", is_causal=False)


def build_fourier():
    """FNet by fast Fourier transforms: of each head's features, and of plain tokens."""
    waves = torch.fft.fft(torch.eye(N))  # C - i S
    case = Heads(872, n=N)
    del case.parameters["W_k"], case.parameters["W_v"]
    finish(case, {"type": "fourier"}, waves.real.expand(2, -1, -1), torch.fft.fft2(case.q).real, is_causal=False,
           stages={"sine_weights": -waves.imag.expand(2, -1, -1)})
    row("algorithm", "fourier_of_tokens", {"algorithm": {"type": "fourier"}}, {"query": case.x}, {}, waves.real,
        torch.fft.fft2(case.x).real)


def build_delta_writes():
    """Delta rules that ask, erase and write by vectors of their own, token by token."""
    linear = lambda case, name, width, scale=0.5: \
        case.x @ case.add("W_" + name, draw(8, width, scale=scale)) + case.add("b_" + name, draw(width))
    ask = lambda vector, state: torch.einsum("hd,hdv->hv", vector, state)

    # What a state answers without the root of d, and the bonus of the own token.
    case = Heads(890, n=N)
    decay = torch.exp(-math.exp(-0.5) * torch.sigmoid(case.split(linear(case, "w", 8))))
    rate = torch.sigmoid(case.split(linear(case, "a", 8)))
    k_k, k_a, r_k = (case.add(name, draw(8)).reshape(2, 1, -1) for name in ["k_k", "k_a", "r_k"])
    removal, key = F.normalize(case.k * k_k, dim=-1), case.k * (1 + (rate - 1) * k_a)

    def replace(state, value, t):
        removed = outer(removal[:, t] * rate[:, t], ask(removal[:, t], state))
        return decay[:, t, :, None] * state - removed + outer(key[:, t], value)

    own = (case.q * r_k * key).sum(-1)
    weights, context = (math.sqrt(case.d) * answer for answer in recurrence(case, replace))
    finish(case, {"type": "rwkv7"}, weights + torch.diag_embed(own), context + own[..., None] * case.v,
           stages={"learning_rates": rate, "removal_key_direction": removal, "replacement_key": key})

    def head_gates(case):
        steps = F.softplus(linear(case, "dt", 2))
        return torch.exp(-torch.exp(case.add("A_log", draw(2))) * steps).T[..., None, None]

    # Two writes a token, each of which reflects the state at 2.
    case = Heads(891, n=N)
    keep = head_gates(case)
    beta = 2 * torch.sigmoid(case.split(linear(case, "beta", 4)))
    keys = [case.k, case.split(case.x @ case.add("W_k_writes", draw(8, 8, scale=0.5)))]
    values = [case.v, case.split(case.x @ case.add("W_v_writes", draw(8, 8, scale=0.5)))]

    def answers_to(written):
        state, out = torch.zeros(2, case.d, written[0].shape[-1]), []
        for t in range(N):
            state = keep[:, t] * state
            for write, value in enumerate(written):
                k = F.normalize(keys[write][:, t], dim=-1)
                state = state + beta[:, t, write, None, None] * outer(k, value[:, t] - ask(k, state))
            out.append(ask(case.q[:, t] / math.sqrt(case.d), state))
        return torch.stack(out, 1)

    finish(case, {"type": "delta_product"}, answers_to([torch.eye(N).expand(2, -1, -1)] * 2), answers_to(values),
           stages={"write_strengths": beta})

    case = Heads(892, n=N)
    logs = -torch.exp(case.add("A_log", draw(2)))[:, None, None] * F.softplus(case.split(linear(case, "alpha", 8)))
    erase, write = (torch.sigmoid(case.split(linear(case, name, 8))) for name in ["erase", "write"])
    key = F.normalize(case.k, dim=-1)
    case.v = write * case.v

    def erase_and_write(state, value, t):
        state = torch.exp(logs[:, t, :, None]) * state
        return state + outer(key[:, t], value - ask(erase[:, t] * key[:, t], state))

    finish(case, {"type": "gated_delta_2"}, *recurrence(case, erase_and_write),
           stages={"log_gates": logs, "erase_gates": erase, "gated_value": case.v})

    for number, asks in enumerate(["before", "after"], start=893):
        case = Heads(number, n=N)
        keep, beta = head_gates(case), torch.sigmoid(linear(case, "beta", 2)).T[..., None]
        feedback, correction = (case.add(name, draw(2))[:, None] for name in ["feedback", "correction"])
        key = F.normalize(case.k, dim=-1)

        def close_the_loop(state, value, t):
            faded = keep[:, t] * state
            answer = torch.sigmoid(feedback) * ask(key[:, t], state if asks == "before" else faded)
            return faded + outer(beta[:, t] * key[:, t], value - answer)

        case.q = case.q - correction[..., None] * key
        finish(case, {"type": "comba", "asks": asks}, *recurrence(case, close_the_loop),
               name="comba" if asks == "before" else "comba_that_fades_first", stages={"corrected_query": case.q})

    # Two heads of values, with gates of their own, of one query and one key as wide as both.
    case = Heads(899, n=N)
    keep, beta = head_gates(case), torch.sigmoid(linear(case, "beta", 2)).T[..., None]
    feedback, correction = (case.add(name, draw(2))[:, None] for name in ["feedback", "correction"])
    case.q, case.k = ((case.x @ case.parameters[name]).expand(2, -1, -1) for name in ["W_q", "W_k"])
    case.d, key = 8, F.normalize(case.k, dim=-1)

    def close_the_shared_loop(state, value, t):
        answer = torch.sigmoid(feedback) * ask(key[:, t], state)
        return keep[:, t] * state + outer(beta[:, t] * key[:, t], value - answer)

    case.q = case.q - correction[..., None] * key
    finish(case, {"type": "comba", "key_heads": 1}, *recurrence(case, close_the_shared_loop),
           name="comba_of_two_values_a_key", stages={"corrected_query": case.q / math.sqrt(2)})  # for scores over √d

    # The implicit step as what it solves: (I + beta k k^T) S = S + beta k v^T.
    case = Heads(895, n=N)
    beta = torch.sigmoid(linear(case, "beta", 2)).T[..., None, None]

    def solve(state, value, t):
        key = case.k[:, t]
        return torch.linalg.solve(torch.eye(case.d) + beta[:, t] * outer(key, key),
                                  state + beta[:, t] * outer(key, value))

    weights, context = (math.sqrt(case.d) * answer for answer in recurrence(case, solve))
    finish(case, {"type": "longhorn"}, weights, context, stages={"write_strengths": beta[..., 0]})

    # Feature by feature, as the authors' model has it.
    case = Heads(896, n=N)
    beta = torch.sigmoid(linear(case, "beta", 2)).T[..., None]
    step = beta / (1 + beta * (case.k ** 2).sum(-1, keepdim=True))
    left = (1 - step * case.k ** 2)[..., None]
    finish(case, {"type": "longhorn", "erasure": "diagonal", "scaled": True},
           *recurrence(case, lambda S, v, t: left[:, t] * S + outer(step[:, t] * case.k[:, t], v)),
           name="longhorn_by_features", stages={"implicit_steps": step})


def build_slots():
    """Slots that are written to token by token, read by a softmax over the slots; ABC from its sums."""
    def attend_to_slots(case, gates, writes):
        keys = torch.zeros(case.heads, gates.shape[-1], case.d)
        memories = [torch.zeros(case.heads, gates.shape[-1], width) for width in [N, case.v.shape[-1]]]
        taken, answers = [], [[], []]
        for t in range(N):
            write = lambda state, row: gates[:, t, :, None] * state + outer(writes[:, t], row)
            keys = write(keys, case.k[:, t])
            units = torch.eye(N)[t].expand(case.heads, -1)
            memories = [write(state, row) for state, row in zip(memories, [units, case.v[:, t]])]
            taken.append(torch.softmax(torch.einsum("hsd,hd->hs", keys, case.q[:, t]) / math.sqrt(case.d), -1))
            for out, state in zip(answers, memories):
                out.append(torch.einsum("hs,hsv->hv", taken[-1], state))
        return torch.stack(taken, 1), torch.stack(answers[0], 1), torch.stack(answers[1], 1)

    case = Heads(880, n=N)
    raw = case.split(case.x @ case.add("W_slots", draw(8, 6)) + case.add("b_slots", draw(6)))
    gates = torch.sigmoid(raw) ** (1 / 4)
    taken, weights, context = attend_to_slots(case, gates, 1 - gates)
    finish(case, {"type": "gated_slots", "slots": 3, "temperature": 4}, weights, context,
           stages={"gates": gates, "slot_weights": taken})

    case = Heads(881, n=N)
    s = case.split(case.x @ case.add("W_slots", draw(8, 6)) + case.add("b_slots", draw(6)))
    z = torch.logcumsumexp(s, 1)
    before = torch.cat([torch.full_like(z[:, :1], float("-inf")), z[:, :-1]], 1)
    taken, weights, context = attend_to_slots(case, torch.exp(before - z), torch.exp(s - z))
    finish(case, {"type": "gated_slots", "slots": 3, "writing": "shares"}, weights, context, name="abc",
           stages={"slot_weights": taken})
    # Raven: torch.topk of the router, whose shares are the powers that the gates are raised to.
    case = Heads(1323, n=N)
    raw = case.split(case.x @ case.add("W_slots", draw(8, 8)) + case.add("b_slots", draw(8)))
    scores = torch.sigmoid(case.split(case.x @ case.add("W_route", draw(8, 8)) + case.add("b_route", draw(8))))
    best, places = scores.topk(2, -1)
    routes = torch.zeros_like(scores).scatter(-1, places, best / best.sum(-1, keepdim=True))
    gates = torch.exp(F.logsigmoid(raw) / 2 * routes)
    taken, weights, context = attend_to_slots(case, gates, 1 - gates)
    finish(case, {"type": "gated_slots", "slots": 4, "writing": "routed", "active": 2, "temperature": 2}, weights,
           context, name="raven", stages={"slot_routes": routes, "gates": gates, "slot_weights": taken})

    # A slot is a mean of all tokens, and attention to the slots is plain attention.
    case = Heads(882, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    s = case.split(case.x @ case.add("W_slots", draw(8, 4)) + case.add("b_slots", draw(4)))
    means = torch.softmax(s, 1).transpose(1, 2)
    taken = torch.softmax(case.q @ (means @ case.k).transpose(1, 2) / math.sqrt(case.d), -1)
    finish(case, {"type": "gated_slots", "slots": 2, "writing": "shares"}, taken @ means, name="abc_of_all_keys",
           is_causal=False)


def build_keys_of_gates():
    """HGRN2 by its recurrence, LightNet as what its gates come to: a softmax of each feature over the keys so far."""
    case = Heads(883, n=N)
    f = 0.2 + 0.8 * torch.sigmoid(case.k)
    step = lambda state, value, t: f[:, t, :, None] * state + outer(1 - f[:, t], value)
    finish(case, {"type": "hgrn2", "lower_bound": 0.2, "scaled": True}, *recurrence(case, step), stages={"gates": f})
    case = Heads(884, n=N)
    seen = case.k[:, None].expand(-1, N, -1, -1).masked_fill(~causal(N)[..., None], float("-inf"))
    finish(case, {"type": "hgrn2", "writing": "shares"}, torch.einsum("hic,hijc->hij", case.q, torch.softmax(seen, 2)),
           name="lightnet")


def build_tempered_keys():
    """Rodimus by its recurrence: the powers and exponentials of both gates as the paper has them."""
    for seed, scaled in [(2010, False), (2011, True)]:
        case = Heads(seed, n=N)
        g = F.softplus(case.split(case.x @ case.add("W_selection", draw(8, 8)) + case.add("b_selection", draw(8))))
        tau = torch.sigmoid(case.split(case.x @ case.add("W_temperature", draw(8, 8))
                                       + case.add("b_temperature", draw(8))))
        keep, write = torch.exp(-g * tau), g ** tau * F.normalize(case.k, dim=-1)
        step = lambda state, value, t: keep[:, t, :, None] * state + outer(write[:, t], value)
        read = [answer if scaled else answer * math.sqrt(case.d) for answer in recurrence(case, step)]
        finish(case, {"type": "rodimus"} | ({"scaled": True} if scaled else {}), *read,
               name="rodimus_scaled" if scaled else "rodimus", stages={"gates": keep, "written_keys": write})


def build_memory_mixture():
    """MoM as its authors' layer does it: the tokens of each memory alone, one after another, and back to their places."""
    for seed, name, memories, active, shared, own in [
            (2012, "memory_mixture", 3, 2, True, True), (2013, "memory_mixture_of_one", 3, 1, False, False)]:
        case = Heads(seed, n=N)
        count, d = memories + shared, case.d
        logits = case.x @ case.add("W_memory_route", draw(8, memories))
        best, places = torch.softmax(logits, -1).topk(active, -1)
        shares = torch.zeros_like(logits).scatter(-1, places, best / best.sum(-1, keepdim=True))
        if shared:
            shares = torch.cat([torch.ones(N, 1), shares], -1)
        gates = count if own else 1
        of_heads = lambda name, bias: (case.x @ case.add(name, draw(8, 2 * gates)) + case.add(bias, draw(2 * gates))) \
            .reshape(N, 2, gates).expand(-1, -1, count)
        g = of_heads("W_dt", "b_dt")
        rate = case.add("A_log", draw(2)).exp()
        alpha = torch.exp(-rate[None, :, None] * F.softplus(g))
        beta = torch.sigmoid(of_heads("W_beta", "b_beta"))
        if own:
            further = lambda name: (case.x @ case.add(name, draw(8, 2 * (count - 1) * d, scale=0.5))) \
                .reshape(N, 2, count - 1, d).permute(1, 2, 0, 3)
            keys = torch.cat([case.k[:, None], further("W_k_memories")], 1)
            values = torch.cat([case.v[:, None], further("W_v_memories")], 1)
        else:
            keys, values = (x[:, None].expand(-1, count, -1, -1) for x in (case.k, case.v))
        keys = F.normalize(keys, dim=-1)
        weights, context = torch.zeros(2, N, N), torch.zeros(2, N, d)
        maps = torch.zeros(2, N, count * N)
        for head in range(2):
            for m in range(count):
                for out, written in [(maps[head, :, m * N:(m + 1) * N], torch.eye(N)), (context[head], values[head, m])]:
                    state = torch.zeros(d, written.shape[-1])
                    for t in shares[:, m].nonzero()[:, 0].tolist():
                        key = keys[head, m, t]
                        state = alpha[t, head, m] * state
                        state = state + beta[t, head, m] * torch.outer(key, written[t] - key @ state)
                        out[t] += shares[t, m] * (case.q[head, t] / math.sqrt(d) @ state)
                weights[head] += maps[head, :, m * N:(m + 1) * N]
        spec = {"type": "memory_mixture", "memories": memories, "active": active} \
            | ({} if own else {"shared": False, "own_keys": False})
        finish(case, spec, weights, context, name=name,
               stages={"memory_routes": shares.expand(2, -1, -1), "weights_of_memories": maps})


def build_learned_memories():
    """Memories trained while they read, by torch's own gradients."""
    def gradient(memory, key, value):
        memory = memory.detach().requires_grad_()
        answer = torch.einsum("hd,hdv->hv", key, memory)
        return torch.autograd.grad(((answer - value) ** 2).sum() / 2, memory)[0]

    def sigmoid_of(case, name):
        return torch.sigmoid(case.x @ case.add("W_" + name, draw(8, 2)) + case.add("b_" + name, draw(2))).T

    def titans(case, beta, eta, alpha, **others):
        keys, motion = F.normalize(case.k, dim=-1), {}
        def step(memory, value, t):
            before = motion.get(value.shape[-1], torch.zeros_like(memory)) if t > 0 else torch.zeros_like(memory)
            new = eta[:, t, None, None] * before - beta[:, t, None, None] * gradient(memory, keys[:, t], value)
            motion[value.shape[-1]] = new
            return (1 - alpha[:, t, None, None]) * memory + new
        finish(case, others.pop("algorithm"), *recurrence(case, step), stages={"write_strengths": beta}, **others)

    case = Heads(885, n=N)
    titans(case, *[sigmoid_of(case, name) for name in ["beta", "eta", "forget"]], algorithm={"type": "titans"})
    case = Heads(886, n=N)
    beta, alpha = sigmoid_of(case, "beta"), sigmoid_of(case, "forget")
    titans(case, beta, torch.zeros_like(beta), alpha, algorithm={"type": "titans", "momentum": False},
           name="titans_without_momentum")
    case = Heads(887, n=N)
    beta, eta = sigmoid_of(case, "beta"), sigmoid_of(case, "eta")
    titans(case, beta, eta, torch.zeros_like(beta), algorithm={"type": "titans", "forgets": False},
           name="titans_that_forget_nothing")

    case = Heads(888, n=N)
    beta, keys, begun = sigmoid_of(case, "beta"), F.normalize(case.k, dim=-1), {}
    def step(memory, value, t):
        if t % 4 == 0:
            begun[value.shape[-1]] = memory
        return memory - beta[:, t, None, None] * gradient(begun[value.shape[-1]], keys[:, t], value)
    finish(case, {"type": "ttt"}, *recurrence(case, step), stages={"write_strengths": beta})

    case = Heads(898, n=N)
    beta, keys, begun, added = sigmoid_of(case, "beta"), F.normalize(case.k, dim=-1), {}, {}
    def mean_step(memory, value, t):
        width, place = value.shape[-1], t % 3
        if place == 0:
            begun[width], added[width] = memory, torch.zeros_like(memory)
        added[width] = added[width] + beta[:, t, None, None] * gradient(begun[width], keys[:, t], value)
        return begun[width] - added[width] / (place + 1)
    finish(case, {"type": "ttt", "batch": 3, "mean": True}, *recurrence(case, mean_step), name="ttt_by_means")


def build_global_vectors():
    """Fastformer and MobileViTv2 as their authors' code has them, heads apart."""
    case = Heads(889, n=N)
    w_q, w_k = (case.add(name, draw(8)).reshape(2, -1, 1) for name in ["w_query", "w_key"])
    W = case.add("W_values", draw(8, 8, scale=0.5))
    alpha = torch.softmax(case.q @ w_q / math.sqrt(case.d), 1)
    global_query = (alpha * case.q).sum(1, keepdim=True)
    p = global_query * case.k
    beta = torch.softmax(p @ w_k / math.sqrt(case.d), 1)
    global_key = (beta * p).sum(1, keepdim=True)
    values = (global_key * case.v).transpose(0, 1).reshape(N, -1)
    finish(case, {"type": "fastformer"}, beta.transpose(1, 2).expand(-1, N, -1), case.split(values @ W) + case.q,
           is_causal=False, stages={"global_query": global_query, "global_key": global_key})

    # SwiftFormer's EfficientAdditiveAttention: its models have one head; of two each has a global query.
    for number, heads in [(986, 1), (987, 2)]:
        case = Heads(number, n=N, heads=heads)
        w = case.add("w_global", draw(8)).reshape(heads, -1, 1)
        W, b = case.add("W_mixed", draw(8, 8, scale=0.5)), case.add("b_mixed", draw(8))
        query, key = F.normalize(case.q, dim=-1), F.normalize(case.v, dim=-1)
        A = F.normalize(query @ w * case.d ** -0.5, dim=1)
        G = torch.sum(A * query, dim=1, keepdim=True)
        mixed = F.linear((G * key).transpose(0, 1).reshape(N, -1), W.T, b)
        finish(case, {"type": "efficient_additive"}, A.transpose(1, 2).expand(-1, N, -1), case.split(mixed) + query,
               "efficient_additive" if heads == 1 else "efficient_additive_of_two_heads", is_causal=False,
               stages={"global_query": G})

    case = Heads(897, n=N)
    scores = torch.softmax(case.q @ case.add("w_context", draw(8)).reshape(2, -1, 1), 1)
    vector = (scores * case.k).sum(1, keepdim=True)
    finish(case, {"type": "separable"}, scores.transpose(1, 2).expand(-1, N, -1), F.relu(case.v) * vector,
           is_causal=False, stages={"context_vector": vector})


def by_channel(case, exponents, algorithm, name, is_causal=True):
    """exponents [n, m, h d_v]: a softmax over the keys for each channel, opened by sigmoid(q)."""
    weights = torch.softmax(exponents, 1)
    values, queries = (x.transpose(0, 1).reshape(N, -1) for x in [case.v, case.q])
    context = torch.sigmoid(queries) * torch.einsum("ijc,jc->ic", weights, values)
    shown = weights.reshape(N, N, case.heads, -1).mean(-1).permute(2, 0, 1)
    finish(case, algorithm, shown, case.split(context), name, is_causal)


def build_channels():
    case = Heads(840, n=N)
    keys = case.k.transpose(0, 1).reshape(N, -1)
    decay, first = case.add("time_decay", draw(8, scale=0.5)), case.add("time_first", draw(8))
    far = (torch.arange(N)[:, None] - 1 - torch.arange(N)[None])[..., None]
    exponents = torch.where(far >= 0, keys[None] - far * torch.exp(decay), keys[None] + first)
    by_channel(case, exponents.masked_fill(~causal(N)[..., None], float("-inf")), {"type": "rwkv4"}, "rwkv4")

    for number, biases in enumerate(["simple", "full", "local"], start=841):
        case = Heads(number, n=N)
        keys = case.k.transpose(0, 1).reshape(N, -1)
        w = torch.zeros(N, N)
        if biases != "simple":
            w = case.add("position_biases", draw(N, N))
        if biases == "local":
            w = w.triu(-1).tril(1)  # |i - j| < 2; the others still take part
        by_channel(case, keys[None] + w[..., None],
                   {"type": "attention_free", "biases": biases} | ({"window": 2} if biases == "local" else {}),
                   "attention_free_" + biases, is_causal=False)


def build_logarithms():
    """LASER as its authors print it: attention to the exponentials of the values, and the logarithm of that."""
    def answer(weights, v):
        largest = v.max(-2, keepdim=True).values
        means = weights @ torch.exp(v - largest)
        return means, torch.log(means) + largest

    case = Heads(875, n=N)
    weights = masked_softmax(case.products() / math.sqrt(case.d), causal(N))
    means, context = answer(weights, case.v)
    finish(case, {"type": "laser"}, weights, context, stages={"mean_exponentials": means})
    case = Heads(876, n=N, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    weights = masked_softmax(case.products() / math.sqrt(case.d))
    finish(case, {"type": "laser"}, weights, answer(weights, case.v)[1], name="laser_of_one_key_head", is_causal=False)
    case = Cross(877, 4, N, 3)
    weights = masked_softmax(case.products() / math.sqrt(3))
    row("algorithm", "laser_of_another_sequence", case.spec | {"algorithm": {"type": "laser"}}, case.inputs, {},
        weights, answer(weights, case.value)[1])


def build_memories():
    case = Heads(850, n=N)
    state = case.q
    for _ in range(2):
        state = torch.softmax(1.5 * state @ case.k.transpose(1, 2), -1) @ case.k
    finish(case, {"type": "hopfield", "steps": 3, "beta": 1.5}, torch.softmax(1.5 * state @ case.k.transpose(1, 2), -1),
           is_causal=False)

    case = Heads(851, n=N)
    M_k, M_v = case.add("M_k", draw(5, case.d)), case.add("M_v", draw(5, case.d))
    tokens = torch.softmax(F.linear(case.q, M_k), 1)
    slots = F.normalize(tokens, p=1, dim=-1)
    for unused in ["W_k", "W_v"]:
        del case.parameters[unused]
    finish(case, {"type": "external_memory", "slots": 5}, slots @ tokens.transpose(1, 2), slots @ M_v, is_causal=False)

    # A Turing machine's read head: content, interpolation, shift (a circular convolution), sharpening.
    case = Cross(852, 5, N, 3)
    W, b = draw(3, 6), draw(6)
    controls = case.query @ W + b
    weights, rows = F.one_hot(torch.tensor(0), N).to(torch.float64), []
    for query, control in zip(case.query, controls):
        lengths = query.norm() * case.key.norm(dim=-1)
        content = torch.softmax(F.softplus(control[0]) * (case.key @ query) / lengths, 0)
        share = torch.sigmoid(control[1])
        mixed = share * content + (1 - share) * weights
        back, stay, ahead = torch.softmax(control[3:], 0)
        moved = back * torch.roll(mixed, -1) + stay * mixed + ahead * torch.roll(mixed, 1)
        weights = F.normalize(moved ** (1 + F.softplus(control[2])), p=1, dim=0)
        rows.append(weights)
    weights = torch.stack(rows)
    row("algorithm", "turing", case.spec | {"algorithm": {"type": "turing"}}, case.inputs,
        {"W_control": W, "b_control": b}, weights, weights @ case.value)


def build_written_memory():
    """A memory that is written to, token by token, and read: by the heads of a Turing machine, and by those of a
    differentiable neural computer."""
    cells = 4
    sigmoid, softplus = torch.sigmoid, F.softplus
    for number, has_links in [(853, False), (854, True)]:
        case = Heads(number, n=N)
        numbers = 8 if has_links else 12
        said = case.x @ case.add("W_memory", draw(8, 2 * numbers, scale=1.2)) + case.add("b_memory", draw(2 * numbers))
        erase = sigmoid(case.x @ case.add("W_erase", draw(8, 8)) + case.add("b_erase", draw(8)))
        maps, contexts, all_writes, all_reads = [], [], [], []
        for head in range(2):
            controls, e = said[:, head * numbers:][:, :numbers], erase[:, 4 * head:][:, :4]
            M, T = torch.zeros(cells, 4), torch.zeros(4, cells, N)
            w = r = torch.zeros(cells) if has_links else torch.eye(cells)[0]
            usage, precedence, L = torch.zeros(cells), torch.zeros(cells), torch.zeros(cells, cells)
            near = lambda key, beta: torch.softmax(beta * F.cosine_similarity(M, key[None], dim=-1), 0)

            def walked(before, key, c):
                mixed = sigmoid(c[1]) * near(key, softplus(c[0])) + (1 - sigmoid(c[1])) * before
                back, stay, ahead = torch.softmax(c[3:6], 0)
                moved = back * torch.roll(mixed, -1) + stay * mixed + ahead * torch.roll(mixed, 1)
                return F.normalize(moved ** (1 + softplus(c[2])), p=1, dim=0)

            rows, reads, writes, read_rows = [], [], [], []
            for t in range(N):
                c, k, q = controls[t], case.k[head, t], case.q[head, t]
                if has_links:
                    usage = (usage + w - usage * w) * (1 - sigmoid(c[2]) * r)
                    order = torch.argsort(usage, stable=True)
                    left = torch.cumprod(torch.cat([torch.ones(1), usage[order][:-1]]), 0)
                    free = torch.zeros(cells).scatter(0, order, (1 - usage[order]) * left)
                    w = sigmoid(c[4]) * (sigmoid(c[3]) * free + (1 - sigmoid(c[3])) * near(k, 1 + softplus(c[1])))
                else:
                    w = walked(w, k, c[6:])
                M = M * (1 - torch.outer(w, e[t])) + torch.outer(w, case.v[head, t])
                T = T * (1 - w[None, :, None] * e[t][:, None, None])
                T[:, :, t] = T[:, :, t] + w
                if has_links:
                    L = ((1 - w[:, None] - w[None]) * L + torch.outer(w, precedence)) * (1 - torch.eye(cells))
                    precedence = (1 - w.sum()) * precedence + w
                    modes = torch.softmax(c[5:8], 0)
                    r = modes[0] * L.T @ r + modes[1] * near(q, 1 + softplus(c[0])) + modes[2] * L @ r
                else:
                    r = walked(r, q, c[:6])
                reads.append(r @ M)
                rows.append(torch.einsum("i,cij->cj", r, T).mean(0))
                writes.append(w)
                read_rows.append(r)
            for list_of, of_head in [(maps, rows), (contexts, reads), (all_writes, writes), (all_reads, read_rows)]:
                list_of.append(torch.stack(of_head))
        finish(case, {"type": "turing", "memory": "written", "cells": cells} |
               ({"addressing": "links"} if has_links else {}), torch.stack(maps), torch.stack(contexts),
               name="turing_memory_with_links" if has_links else "turing_memory",
               stages={"write_weights": torch.stack(all_writes), "read_weights": torch.stack(all_reads)})


def build_execution():
    case = Heads(860, n=N)
    weights = masked_softmax(case.products() / 2, causal(N))
    finish(case, {"type": "online_softmax", "tile": 2}, weights)
    case = Heads(861, n=N)
    recent = causal(N).triu(-2)
    finish(case, {"type": "kv_cache", "capacity": 3}, masked_softmax(case.products() / 2, recent))

    # Native sparse attention, branch by branch (Yuan et al. 2025, equations 5 to 12), blocks of 2 over 8 tokens.
    n, size = 8, 2
    case = Heads(862, n=n)
    gates = torch.sigmoid(case.x @ case.add("W_branch", draw(8, 6)) + case.add("b_branch", draw(6)))
    gates = gates.reshape(n, 2, 3).permute(1, 0, 2)
    scores = case.products() / 2
    own, block = torch.arange(n) // size, torch.arange(n // size)
    whole = (block[None] + 1) * size - 1 <= torch.arange(n)[:, None]
    means = case.k.reshape(2, -1, size, case.d).mean(2)
    compressed = torch.nan_to_num(masked_softmax(case.q @ means.transpose(1, 2) / 2, whole))
    forced = (block[None] == own[:, None]) * 3e3 + (block[None] == 0) * 2e3 + (block[None] == own[:, None] - 1) * 1e3
    order = (compressed + forced).masked_fill(block[None] > own[:, None], -1)
    best = torch.zeros_like(order).scatter(-1, order.topk(3, -1).indices, 1) * (order >= 0) > 0
    spread = lambda x: torch.repeat_interleave(x, size, -1)
    branches = [spread(compressed) / size, masked_softmax(scores, spread(best) & causal(n)),
                masked_softmax(scores, causal(n).triu(-2))]
    weights = sum(gates[..., index, None] * branch for index, branch in enumerate(branches))
    finish(case, {"type": "native_sparse", "block": size, "selected": 3, "window": 3}, weights,
           stages={"compressed_weights": compressed, "selected_weights": branches[1], "window_weights": branches[2],
                   "branch_gates": gates})


def build():
    build_features()
    build_low_rank()
    build_points()
    build_features_on_features()
    build_decays()
    build_delta_rules()
    build_second_order()
    build_lookahead()
    build_erased_values()
    build_matrix_memories()
    build_bonus_states()
    build_levels()
    build_delta_writes()
    build_pointwise()
    build_fourier()
    build_slots()
    build_keys_of_gates()
    build_tempered_keys()
    build_memory_mixture()
    build_learned_memories()
    build_global_vectors()
    build_channels()
    build_logarithms()
    build_memories()
    build_written_memory()
    build_execution()
