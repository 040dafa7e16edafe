"""Linear, recurrent and low-rank families, and other graphs of stages.

A mixer that is linear in its values shows its weights where the values are the unit matrix: step by step for those
that are written as a state here, from a closed form for the others; never as the engine's default form has it.
"""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, row

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
    # Of two heads on one key head, without its own mask, and with one that hides tokens in between.
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
    build_pointwise()
    build_fourier()
    build_channels()
    build_logarithms()
    build_memories()
    build_execution()
