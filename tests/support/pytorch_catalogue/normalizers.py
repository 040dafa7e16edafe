"""Rows of scores to weights. Each function maps scores [n, m], -infinity where forbidden, to weights [n, m]."""
import itertools
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, NEVER, causal, draw, mixed_bits, numbers, row, seed

jacobians = []


def allowed_keys(s):
    return torch.isfinite(s).sum(-1, keepdim=True).to(s.dtype)


def zero_forbidden(weights, s):
    return torch.where(torch.isfinite(s), weights, torch.zeros_like(weights))


def newton(tau, f):
    """tau, found without gradients, and the implicit function theorem's gradient: one step of Newton's from there."""
    free = tau.detach().requires_grad_()
    slope, = torch.autograd.grad(f(free).sum(), free, create_graph=False)
    return tau.detach() - f(tau.detach()) / slope.detach()


def bisect(f, low, high):
    """Where the falling f is 0, for each row."""
    with torch.no_grad():
        for _ in range(200):
            middle = (low + high) / 2
            low, high = torch.where(f(middle) > 0, middle, low), torch.where(f(middle) > 0, high, middle)
    return newton((low + high) / 2, f)


def length_scaled(strength):
    return lambda s: torch.softmax(torch.where(torch.isfinite(s), s * strength * torch.log(allowed_keys(s)), s), -1)


def off_by_one(s):
    return torch.softmax(F.pad(s, (1, 0)), -1)[..., 1:]


def sink(logit):
    return lambda s: torch.softmax(torch.cat([s, torch.full_like(s[..., :1], logit)], -1), -1)[..., :-1]


def clipped(low, high):
    return lambda s: zero_forbidden(torch.clamp((high - low) * torch.softmax(s, -1) + low, 0, 1), s)


def sparsemax(s):
    ordered = torch.sort(s, descending=True).values
    k = torch.arange(1, s.shape[-1] + 1).to(s.dtype)
    sums = torch.cumsum(ordered, -1)
    size = ((1 + k * ordered) > sums).sum(-1, keepdim=True)
    return torch.relu(s - (sums.gather(-1, size - 1) - 1) / size)


def entmax(alpha):
    def weights(s):
        z = (alpha - 1) * s
        power = lambda tau: torch.relu(z - tau) ** (1 / (alpha - 1))
        top = z.max(-1, keepdim=True).values
        return power(bisect(lambda tau: power(tau).sum(-1, keepdim=True) - 1, top - 1, top))
    return weights


def budget(total):
    def weights(s):
        share = lambda tau: torch.clamp(s - tau, 0, 1)
        low, high = s.min(-1, keepdim=True).values - 1, s.max(-1, keepdim=True).values
        return share(bisect(lambda tau: share(tau).sum(-1, keepdim=True) - total, low, high))
    return weights


def bounds_of(s, bounds):
    """Keys beyond have the last."""
    return torch.tensor([bounds[min(key, len(bounds) - 1)] for key in range(s.shape[-1])])


def constrained_softmax(bounds):
    """Algorithm 1 of Martins and Kreutzer: what is left to the free keys, until none of them passes its bound."""
    def weights(s):
        u, free, p = bounds_of(s, bounds).expand(s.shape), torch.isfinite(s), torch.zeros_like(s)
        for _ in range(s.shape[-1] + 1):
            powers = torch.exp(s - s.max(-1, keepdim=True).values) * free
            left = 1 - (p * ~free).sum(-1, keepdim=True)
            total = powers.sum(-1, keepdim=True)
            share = left * powers / torch.where(total > 0, total, torch.ones_like(total))
            held = free & (share > u)
            p = torch.where(held, u, torch.where(free, share, p))
            free = free & ~held
        return p
    return weights


def constrained_sparsemax(bounds):
    def weights(s):
        u = bounds_of(s, bounds)
        share = lambda tau: torch.minimum(torch.relu(s - tau), u)
        lowest = torch.where(torch.isfinite(s), s, s.max(-1, keepdim=True).values).min(-1, keepdim=True).values
        return share(bisect(lambda tau: share(tau).sum(-1, keepdim=True) - 1, lowest - 1,
                            s.max(-1, keepdim=True).values))
    return weights


def of_open_keys(rule):
    """rule(s) of the finite scores of each row, the others as they are."""
    def drawn(s):
        rows = []
        for scores in s:
            is_open = torch.isfinite(scores)
            rows.append(scores.masked_scatter(is_open, rule(scores[is_open])))
        return torch.stack(rows)
    return drawn


def total_variation(fusing):
    """argmin |y - s|^2 / 2 + fusing sum |y_{j+1} - y_j|: of all ways to say for each neighbour whether it is less, more
    or the same, the best one; equal ones are their mean, and as much more or less as the ends pull."""
    def drawn(s):
        best, least = s, math.inf
        for signs in itertools.product([-1, 0, 1], repeat=len(s) - 1):
            ends = [i + 1 for i, sign in enumerate(signs) if sign] + [len(s)]
            parts, start = [], 0
            for end in ends:
                before, after = signs[start - 1] if start else 0, signs[end - 1] if end < len(s) else 0
                pull = fusing * (after - before) / (end - start)
                parts.append((s[start:end].mean() + pull).expand(end - start))
                start = end
            y = torch.cat(parts)
            value = ((y - s) ** 2).sum().item() / 2 + fusing * (y[1:] - y[:-1]).abs().sum().item()
            if value < least - 1e-12:
                best, least = y, value
        return best
    return drawn


def oscar(fusing):
    """argmin |y - s|^2 / 2 + fusing sum_{i<j} max(y_i, y_j): the minimax formula of the nearest descending numbers."""
    def drawn(s):
        order = torch.argsort(-s)
        n = len(s)
        lowered = s[order] - fusing * torch.arange(n - 1, -1, -1)
        mean = lambda first, last: lowered[first:last + 1].mean()
        pooled = torch.stack([torch.stack([torch.stack([mean(first, last) for first in range(i + 1)]).min()
                                           for last in range(i, n)]).max() for i in range(n)])
        return pooled[torch.argsort(order)]
    return drawn


def fused(rule):
    """Niculae and Blondel 2017, propositions 2 and 3: the nearest point of the simplex comes last."""
    return lambda s: sparsemax(of_open_keys(rule)(s))


def normmax(alpha):
    """The gradient of the norm: (p / |p|)^(alpha - 1) = s - tau on the support, and |p / |p|| = 1."""
    def weights(s):
        ratio = lambda tau: torch.relu(s - tau) ** (1 / (alpha - 1))
        top = s.max(-1, keepdim=True).values
        p = ratio(bisect(lambda tau: (ratio(tau) ** alpha).sum(-1, keepdim=True) - 1, top - 1, top))
        return p / p.sum(-1, keepdim=True)
    return weights


def sigmoid(bias=None):
    return lambda s: torch.sigmoid(s + (-torch.log(allowed_keys(s)) if bias is None else bias))


def relu(power):
    return lambda s: torch.relu(s) ** power / allowed_keys(s)


def softpick(s):
    e = torch.expm1(s)
    return torch.relu(e) / zero_forbidden(e.abs(), s).sum(-1, keepdim=True)


def signed_softmax(s):
    return torch.sign(s) * torch.softmax(s.abs(), -1)


def taylor(degree):
    def weights(s):
        series = sum(s ** k / math.factorial(k) for k in range(degree + 1))
        return series / series.sum(-1, keepdim=True)
    return weights


def shares_of(function):
    """f(s) over the sum of the row's."""
    def weights(s):
        values = zero_forbidden(function(s), s)
        return values / values.sum(-1, keepdim=True)
    return weights


def stable(s):
    """s(x) of StableMax (Prieto et al. 2025)."""
    return torch.where(s >= 0, s + 1, 1 / (1 - s.clamp(max=0)))


def over_row(by):
    """Scores over a number of their row's allowed ones."""
    def weights(s):
        count, open_scores = allowed_keys(s), zero_forbidden(s, s)
        if by == "deviation":
            centred = zero_forbidden(open_scores - open_scores.sum(-1, keepdim=True) / count, s)
            return centred / torch.sqrt((centred ** 2).sum(-1, keepdim=True) / count + 1e-5)
        if by == "count":
            return open_scores / torch.sqrt(count)
        return open_scores / (open_scores.sum(-1, keepdim=True) if by == "sum" else
                              torch.linalg.vector_norm(open_scores, dim=-1, keepdim=True))
    return weights


def adaptive_span(z, ramp):
    """Softmax first, then the mask and a second division, as the authors' code has it; distances of the paper."""
    def weights(s):
        far = (torch.arange(s.shape[-2])[:, None] - torch.arange(s.shape[-1])).clamp(min=0)
        faded = torch.softmax(s, -1) * ((z - far) / ramp + 1).clamp(0, 1)
        return faded / faded.sum(-1, keepdim=True)
    return weights


def stick_breaking(own_key):
    """From the last allowed key back; beta_k log-space sums by a reversed cumulative sum (Tan et al. 2025)."""
    def weights(s):
        if not own_key:
            s = s.masked_fill(torch.eye(*s.shape[-2:], dtype=torch.bool), NEVER)
        keeps = zero_forbidden(F.logsigmoid(-s), s)
        after = torch.flip(torch.cumsum(torch.flip(keeps, [-1]), -1), [-1]) - keeps
        return torch.sigmoid(s) * torch.exp(after)
    return weights


def monotonic(s):
    """The parallel form: p cumprod(1 - p) cumsum(a / cumprod(1 - p)), exclusive products (Raffel et al., eq. 11)."""
    previous = F.one_hot(torch.tensor(0), s.shape[-1]).to(s.dtype)
    rows = []
    for p in torch.sigmoid(s):
        passed = torch.cumprod(torch.cat([torch.ones(1), 1 - p[:-1]]), 0)
        previous = p * passed * torch.cumsum(previous / passed, 0)
        rows.append(previous)
    return torch.stack(rows)


def hard_monotonic(s):
    place, rows = 0, torch.zeros_like(s)
    for weights, probabilities in zip(rows, torch.sigmoid(s)):
        stops = (probabilities > 0.5).nonzero().flatten()
        stops = stops[stops >= place]
        place = int(stops[0]) if len(stops) else s.shape[-1]
        if place < s.shape[-1]:
            weights[place] = 1
    return rows


def chunkwise(width):
    """Each stop shares its weight by a softmax over the chunk that ends there (Chiu and Raffel 2018, equation 10)."""
    def weights(s):
        keys = s.shape[-1]
        ends, members = torch.meshgrid(torch.arange(keys), torch.arange(keys), indexing="ij")
        chunk = (members <= ends) & (members > ends - (width or keys))
        shares = torch.softmax(s[:, None].expand(-1, keys, -1).masked_fill(~chunk, NEVER), -1)
        return torch.einsum("ik,ikj->ij", monotonic(s), shares)
    return weights


def sinkhorn(iterations):
    def weights(s):
        n, m = s.shape
        for step in range(iterations):
            if step:
                s = s - torch.logsumexp(s, 0, keepdim=True) + math.log(n / m)
            s = s - torch.logsumexp(s, 1, keepdim=True)
        return torch.exp(s)
    return weights


def transport_with_dustbin(iterations, bin_score):
    """SuperGlue's log_sinkhorn_iterations of the couplings, here with the rows last."""
    def weights(s):
        n, m = s.shape
        alpha = torch.as_tensor(bin_score).to(s.dtype)
        couplings = torch.cat([torch.cat([s, alpha.expand(n, 1)], 1), alpha.expand(1, m + 1)], 0)
        log_mu = torch.cat([torch.zeros(n), torch.tensor([math.log(m)])])
        log_nu = torch.cat([torch.zeros(m), torch.tensor([math.log(n)])])
        v = torch.zeros(m + 1)
        for step in range(iterations):
            if step:
                v = log_nu - torch.logsumexp(couplings + u[:, None], 0)
            u = log_mu - torch.logsumexp(couplings + v, 1)
        return torch.exp(couplings + u[:, None] + v)[:-1, :-1]
    return weights


def slot(s):
    shares = torch.softmax(s, 0)
    return shares / shares.sum(-1, keepdim=True)


def prob_sparse(active, drawn=0):
    """Informer's measure over all keys, or over some that are drawn, and the mean of the values for lazy queries."""
    def weights(s):
        may = torch.isfinite(s)
        count = may.sum(-1, keepdim=True)
        looked_at = may.clone()
        if drawn:
            stream = lambda seed, index: mixed_bits(mixed_bits(seed) ^ index)
            hit = torch.zeros_like(may)
            for i in range(s.shape[0]):
                for number in range(drawn):
                    hit[i, stream(stream(0, i), number) % s.shape[1]] = True
            looked_at = may & hit
        found = looked_at.any(-1)
        total = torch.where(looked_at, s, torch.zeros_like(s)).sum(-1)
        spread = s.masked_fill(~looked_at, NEVER).amax(-1) - total / looked_at.sum(-1).clamp_min(1)
        spread = torch.where(found, spread, torch.zeros_like(spread))
        chosen = torch.zeros(s.shape[0], dtype=torch.bool).scatter(0, spread.topk(active).indices, True)
        return torch.where(chosen[:, None], torch.softmax(s, -1), may.to(s.dtype) / count)
    return weights


def dual_softmax(s):
    """As LoFTR's coarse matching has it."""
    return torch.softmax(s, 0) * torch.softmax(s, 1)


def chain(neither, right, left, both):
    """Marginals of a linear-chain CRF over 0 and 1 by the sum over all 2^m choices (Kim et al. 2017)."""
    def weights(s):
        m = s.shape[-1]
        choices = torch.cartesian_prod(*[torch.arange(2)] * m).reshape(-1, m)
        theta = torch.tensor([[neither, right], [left, both]])
        rows = []
        for scores in s:
            allowed = torch.isfinite(scores)
            pairs = theta[choices[:, :-1], choices[:, 1:]] * (allowed[:-1] & allowed[1:]).to(s.dtype)
            total = (choices * torch.where(allowed, scores, torch.zeros_like(scores))).sum(-1) + pairs.sum(-1)
            total = total.masked_fill(((choices == 1) & ~allowed).any(-1), NEVER)
            rows.append(torch.softmax(total, 0) @ choices.to(s.dtype))
        return torch.stack(rows)
    return weights


def tree(root):
    """Chances of arcs as derivatives of ln det of the Laplacian, each token a row (Koo et al. 2007)."""
    def weights(s):
        with torch.enable_grad():
            free = s.detach().clone().requires_grad_()
            arcs = torch.exp(free) * (1 - torch.eye(s.shape[-1]))
            laplacian = torch.diag(arcs.sum(-1) + math.exp(root)) - arcs
            return torch.autograd.grad(torch.logdet(laplacian), free)[0]
    return weights


def forward_attention(s):
    """y = softmax; what stays and what comes, times y, over its sum (Zhang, Ling and Dai 2018)."""
    previous = F.one_hot(torch.tensor(0), s.shape[-1]).to(s.dtype)
    rows = []
    for y in torch.softmax(s, -1):
        arrives = (previous + F.pad(previous, (1, -1))) * y
        previous = arrives / arrives.sum()
        rows.append(previous)
    return torch.stack(rows)


def stepwise(s):
    """To stay with p, to go on with 1 - p (He, Deng and He 2019, equation 8)."""
    previous = F.one_hot(torch.tensor(0), s.shape[-1]).to(s.dtype)
    rows = []
    for p in torch.sigmoid(s):
        previous = previous * p + F.pad(previous * (1 - p), (1, -1))
        rows.append(previous)
    return torch.stack(rows)


def argmax(s):
    return F.one_hot(s.argmax(-1), s.shape[-1]).to(s.dtype)


# name, the spec's normalizer, the function, whether it couples rows, whether it runs under a causal mask too. The
# numbers of a row follow from its place: new ones come last.
TABLE = [
    ("softmax_warm", {"type": "softmax", "temperature": 2.5}, lambda s: torch.softmax(s / 2.5, -1), False, True),
    ("hard", {"type": "hard"}, argmax, None, True),
    ("none", {"type": "none"}, lambda s: torch.where(torch.isfinite(s), s, torch.zeros_like(s)), False, True),
    ("length_scaled", {"type": "length_scaled", "strength": 0.6}, length_scaled(0.6), False, True),
    ("off_by_one", {"type": "off_by_one"}, off_by_one, False, True),
    ("sink_of_one_half", {"type": "sink", "logit": 0.5}, sink(0.5), False, True),
    ("clipped", {"type": "clipped", "low": -0.1, "high": 1.05}, clipped(-0.1, 1.05), False, True),
    ("sparsemax", {"type": "sparsemax"}, sparsemax, False, True),
    ("entmax_1_25", {"type": "entmax", "alpha": 1.25}, entmax(1.25), False, False),
    ("entmax_1_5", {"type": "entmax", "alpha": 1.5}, entmax(1.5), False, True),
    ("entmax_3", {"type": "entmax", "alpha": 3}, entmax(3), False, False),
    ("sigmoid", {"type": "sigmoid"}, sigmoid(), False, True),
    ("sigmoid_of_a_bias", {"type": "sigmoid", "bias": -0.75}, sigmoid(-0.75), False, False),
    ("relu", {"type": "relu"}, relu(1), False, True),
    ("relu_squared", {"type": "relu", "power": "2"}, relu(2), False, True),
    ("softpick", {"type": "softpick"}, softpick, False, True),
    ("monotonic", {"type": "monotonic"}, monotonic, True, False),
    ("monotonic_biased", {"type": "monotonic", "bias": -1}, lambda s: monotonic(s - 1), True, False),
    ("monotonic_hard", {"type": "monotonic", "alignment": "hard"}, hard_monotonic, None, False),
    ("chunkwise", {"type": "chunkwise", "width": 2}, chunkwise(2), True, False),
    ("chunkwise_without_a_limit", {"type": "chunkwise", "width": 0}, chunkwise(0), True, False),
    ("stick_breaking", {"type": "stick_breaking"}, stick_breaking(True), False, True),
    ("stick_breaking_without_own_key", {"type": "stick_breaking", "own_key": False}, stick_breaking(False), True, True),
    ("sinkhorn", {"type": "sinkhorn", "iterations": 7}, sinkhorn(7), True, False),
    ("slot", {"type": "slot"}, slot, True, False),
    ("signed_softmax", {"type": "signed_softmax"}, signed_softmax, False, False),
    ("taylor_2", {"type": "taylor"}, taylor(2), False, False),
    ("taylor_4", {"type": "taylor", "degree": "4"}, taylor(4), False, False),
    ("budget", {"type": "budget", "budget": 1.7}, budget(1.7), False, False),
    ("normmax", {"type": "normmax"}, normmax(2), False, False),
    ("normmax_3", {"type": "normmax", "alpha": 3}, normmax(3), False, False),
    ("function_shares_softplus", {"type": "function_shares"}, shares_of(F.softplus), False, True),
    ("function_shares_stablemax", {"type": "function_shares", "function": "stablemax"}, shares_of(stable), False, True),
    ("function_shares_power_2", {"type": "function_shares", "function": "power"}, shares_of(torch.square), False, True),
    ("function_shares_power_4", {"type": "function_shares", "function": "power", "power": "4"},
     shares_of(lambda s: s ** 4), False, True),
    ("adaptive_span", {"type": "adaptive_span", "span": 0.5, "ramp": 2}, adaptive_span(0.5, 2), True, True),
    ("adaptive_span_of_a_window", {"type": "adaptive_span", "span": 1.0, "ramp": 1}, adaptive_span(1.0, 1), None,
     True),
    ("dual_softmax", {"type": "dual_softmax"}, dual_softmax, True, False),
    ("chain", {"type": "chain", "coupling": 1.5}, chain(0.0, 0.0, 0.0, 1.5), False, True),
    ("tree_of_another_sequence", {"type": "tree", "root": 0.5}, sink(0.5), False, False),
    ("forward", {"type": "forward"}, forward_attention, True, True),
    ("stepwise", {"type": "forward", "rule": "stepwise"}, stepwise, True, False),
    ("row_norm", {"type": "row_norm"}, over_row("deviation"), False, True),
    ("row_norm_of_lengths", {"type": "row_norm", "by": "length"}, over_row("length"), False, True),
    ("row_norm_of_counts", {"type": "row_norm", "by": "count"}, over_row("count"), False, True),
    ("row_norm_of_sums", {"type": "row_norm", "by": "sum"}, over_row("sum"), False, True),
    ("prob_sparse", {"type": "prob_sparse", "active": 2}, prob_sparse(2), True, True),
    ("prob_sparse_of_drawn_keys", {"type": "prob_sparse", "active": 2, "drawn": 3}, prob_sparse(2, 3), True, True),
    ("constrained_softmax", {"type": "constrained", "bounds": [40, 25, 60]}, constrained_softmax([0.4, 0.25, 0.6]),
     False, False),
    ("constrained_sparsemax", {"type": "constrained", "nearest": "sparsemax", "bounds": [45, 35]},
     constrained_sparsemax([0.45, 0.35]), False, False),
    ("fused", {"type": "fused", "fusing": 0.48}, fused(total_variation(0.48)), False, True),
    ("fused_of_all", {"type": "fused", "which": "all", "fusing": 0.15}, fused(oscar(0.15)), False, True),
    ("sinkhorn_beside_a_dustbin", {"type": "sinkhorn", "iterations": 6, "dustbin": True, "bin_score": 0.4},
     transport_with_dustbin(6, 0.4), True, False),
]


def add_jacobian(name, normalizer, weights, couples_rows):
    """d weights / d scores, [n m, n m], where queries are the scores and keys the unit matrix."""
    seed(900)
    shape = (3, 4) if couples_rows else (1, 6)
    if "own_key" in name:
        shape = (4, 4)
    scores = torch.round(torch.randn(*shape) * 70) / 100
    matrix = torch.autograd.functional.jacobian(weights, scores)
    jacobians.append({"name": name, "normalizer": normalizer, "scores": numbers(scores),
                      "jacobian": numbers(matrix.reshape(scores.numel(), scores.numel()))})


def build():
    for number, (name, normalizer, weights, couples_rows, is_causal) in enumerate(TABLE, start=100):
        case = Cross(number, n=4, m=6, width=3)
        expected = weights(case.products()) if "own_key" not in name else None
        if expected is not None:
            row("normalizer", name, case.spec | {"score": {"type": "dot"}, "normalizer": normalizer}, case.inputs, {},
                expected, expected @ case.value)
        if is_causal:
            case = Cross(number + 50, n=5, m=5, width=3)
            expected = weights(case.products().masked_fill(~causal(5), NEVER))
            row("normalizer", name + "_causal",
                case.spec | {"score": {"type": "dot"}, "mask": {"type": "causal"}, "normalizer": normalizer},
                case.inputs, {}, expected, expected @ case.value)
        if couples_rows is not None:
            add_jacobian(name, normalizer, weights, couples_rows)

    # A logit and a strength for each head.
    case = Heads(200, n=5)
    b_sink = case.add("b_sink", torch.tensor([0.4, -1.1]))
    scores = case.products() / math.sqrt(case.d)
    case.row("normalizer", "sink_for_each_head", {"normalizer": {"type": "sink"}},
             torch.stack([sink(b)(s) for b, s in zip(b_sink, scores)]))
    case = Heads(201, n=5)
    strength = case.add("s_length", torch.tensor([0.3, 1.2]))
    scores = (case.products() / math.sqrt(case.d)).masked_fill(~causal(5), NEVER)
    case.row("normalizer", "length_scaled_for_each_head",
             {"mask": {"type": "causal"}, "normalizer": {"type": "length_scaled", "strength": 0}},
             torch.stack([length_scaled(b)(s) for b, s in zip(strength, scores)]))

    case = Heads(203, n=5)
    spans = case.add("z_span", torch.tensor([0.5, 2.25]))
    scores = (case.products() / math.sqrt(case.d)).masked_fill(~causal(5), NEVER)
    case.row("normalizer", "adaptive_span_for_each_head",
             {"mask": {"type": "causal"}, "normalizer": {"type": "adaptive_span", "ramp": 2}},
             torch.stack([adaptive_span(z, 2)(s) for z, s in zip(spans, scores)]))

    case = Heads(204, n=5)
    b_root = case.add("b_root", torch.tensor([0.4, -0.8]))
    scores = case.products() / math.sqrt(case.d)
    case.row("normalizer", "tree", {"normalizer": {"type": "tree", "root": -20}},
             torch.stack([tree(root.item())(s) for root, s in zip(b_root, scores)]))
    case = Cross(205, n=4, m=6, width=3)
    theta = draw(2, 2)
    expected = chain(*theta.flatten().tolist())(case.products())
    row("normalizer", "chain_of_four_numbers",
        case.spec | {"score": {"type": "dot"}, "normalizer": {"type": "chain", "coupling": -20}}, case.inputs,
        {"T_chain": theta}, expected, expected @ case.value)

    case = Heads(260, n=5)
    b_bin = case.add("b_bin", torch.tensor([0.6, -0.5]))
    scores = case.products() / math.sqrt(case.d)
    case.row("normalizer", "dustbin_for_each_head",
             {"normalizer": {"type": "sinkhorn", "iterations": 4, "dustbin": True}},
             torch.stack([transport_with_dustbin(4, b)(s) for b, s in zip(b_bin, scores)]))

    # torch's own "zero attention": one more key and value of zeros, behind the others.
    case = Heads(202, n=5)
    W_q, W_k, W_v, W_o = (case.parameters[name] for name in ["W_q", "W_k", "W_v", "W_o"])
    output, weights = F.multi_head_attention_forward(
        case.x[:, None], case.x[:, None], case.x[:, None], 8, 2, torch.cat([W_q.T, W_k.T, W_v.T]), torch.zeros(24),
        None, None, True, 0.0, W_o.T, torch.zeros(8), need_weights=True, average_attn_weights=False)
    row("normalizer", "off_by_one_as_zero_attention", case.spec | {"normalizer": {"type": "off_by_one"}}, case.inputs,
        case.parameters, weights[0, :, :, :-1], output[:, 0])
