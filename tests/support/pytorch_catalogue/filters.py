"""States that are corrected in other ways than the delta rule's, filters along the text, matrices of places, and what
reads the output once more; windows that differ from head to head."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, row, seed
from mixers import N, finish, outer, recurrence


def number(case, name, scale=0.5):
    """y W + b of each head, [h, n, 1]."""
    return (case.x @ case.add("W_" + name, draw(8, 2, scale=scale)) + case.add("b_" + name, draw(2))).T[..., None]


def log_gate(case, name, rate):
    return -torch.exp(case.add(rate, draw(2)))[:, None, None] * F.softplus(number(case, name))


def build_preconditioned():
    """The recurrence of the squares beside that of the state, token by token."""
    for seed, forgets in [(1310, True), (1311, False)]:
        case = Heads(seed, n=N)
        beta, counted = torch.sigmoid(number(case, "beta")), torch.sigmoid(number(case, "curvature"))
        center = case.add("curvature_center", draw(2, scale=0.5))[:, None]
        keep = torch.exp(log_gate(case, "dt", "A_log")) if forgets else torch.ones(2, N, 1)
        left = torch.exp(log_gate(case, "dt_curvature", "A_log_curvature")) if forgets else torch.ones(2, N, 1)
        key, squares, factors = F.normalize(case.k, dim=-1), torch.zeros(2, case.d), []
        for t in range(N):
            squares = left[:, t] * squares + counted[:, t] * key[:, t] ** 2
            r = torch.log(squares + 1e-6) - center
            factors.append(torch.exp(-math.log(1.8) * r / (1 + r.abs())))
        factors = torch.stack(factors, 1)

        def step(state, value, t):
            state = keep[:, t, :, None] * state
            error = beta[:, t] * (value - torch.einsum("hd,hdv->hv", key[:, t], state))
            return state + outer(factors[:, t] * key[:, t], error)

        finish(case, {"type": "precond_delta", "range": 1.8, "forgets": forgets}, *recurrence(case, step),
               name="precond_delta" if forgets else "precond_delta_that_keeps_all", stages={"preconditioner": factors})


def build_oja():
    for seed, forgets in [(1312, True), (1313, False)]:
        case = Heads(seed, n=N)
        beta = torch.sigmoid(number(case, "beta"))
        gates = torch.ones(2, N, 4)
        if forgets:
            raw = case.x @ case.add("W_value_gates", draw(8, 8, scale=0.5)) + case.add("b_value_gates", draw(8))
            gates = torch.sigmoid(case.split(raw)) ** (1 / 4)
        value, query = F.normalize(case.v, dim=-1), case.q / math.sqrt(case.d)
        state, written, out = torch.zeros(2, case.d, 4), [], []
        for t in range(N):
            state = state * gates[:, t, None]
            written.append(beta[:, t] * (case.k[:, t] - torch.einsum("hdv,hv->hd", state, value[:, t])))
            state = state + outer(written[-1], value[:, t])
            out.append(torch.einsum("hd,hdv->hv", query[:, t], state))
        written, sums = torch.stack(written, 1), torch.cumsum(torch.log(gates), 1)
        left = torch.exp(sums[:, :, None] - sums[:, None]).mean(-1)
        finish(case, {"type": "gated_oja", "temperature": 4, "forgets": forgets},
               (query @ written.transpose(1, 2) * left).tril(), torch.stack(out, 1),
               name="gated_oja" if forgets else "gated_oja_that_keeps_all", stages={"solved_keys": written})


def build_kalma():
    for seed, mixed in [(1314, True), (1315, False)]:
        case = Heads(seed, n=N)
        keep = torch.exp(log_gate(case, "dt", "A_log")[..., None])
        beta = torch.sigmoid(number(case, "beta")) + 1e-6
        share = torch.sigmoid(number(case, "sharpening")) if mixed else torch.ones(2, N, 1)
        key, query = beta * F.normalize(case.k, dim=-1), F.normalize(case.q, dim=-1)
        products, asks = torch.zeros(2, case.d, case.d), []
        for t in range(N):
            products = keep[:, t] * products + outer(key[:, t], key[:, t])
            ridge = 0.1 * torch.linalg.matrix_norm(products)[:, None, None] * torch.eye(case.d)
            x = torch.linalg.solve(products + ridge, query[:, t])
            asks.append(query[:, t] + share[:, t] * (x - query[:, t]))
        case.q = torch.stack(asks, 1)
        finish(case, {"type": "gated_kalma", "ridge": 0.1, "mixed": mixed},
               *recurrence(case, lambda S, v, t: keep[:, t] * S + outer(key[:, t], beta[:, t] * v)),
               name="gated_kalma" if mixed else "gated_kalma_of_the_whole_fit",
               stages={"sharpened_query": case.q} if mixed else {"solved_queries": case.q})


def convolved(case, filters, name, algorithm, has_gates):
    """filters [channel, lag]; what goes into them is transformed, multiplied and transformed back, as FFTs do it."""
    channels = lambda x: x.transpose(0, 1).reshape(N, -1).T
    q, k, v = channels(case.q), channels(case.k), channels(case.v)
    if not has_gates:
        q, k = torch.ones_like(q), torch.ones_like(k)
    mixed = torch.fft.irfft(torch.fft.rfft(filters, n=2 * N) * torch.fft.rfft(k * v, n=2 * N), n=2 * N)[:, :N]
    lags = (torch.arange(N)[:, None] - torch.arange(N)[None]).clamp(min=0)
    maps = (q[:, :, None] * filters[:, lags] * k[:, None]).tril()
    finish(case, algorithm, maps.reshape(2, 4, N, N).mean(1), case.split((q * mixed).T), name=name,
           stages={"channel_filters": filters})


def build_filters():
    """S4D as its authors' short code has it, and the network of Hyena."""
    for seed, has_gates in [(1316, False), (1317, True)]:
        case = Heads(seed, n=N)
        step = torch.exp(case.add("filter_step", draw(8, scale=0.5)))[:, None]
        A = torch.complex(-torch.exp(case.add("filter_rates", draw(8, 3))),
                          math.pi * torch.arange(3) + case.add("filter_turns", draw(8, 3)))
        C = torch.complex(case.add("C_real", draw(8, 3)), case.add("C_imaginary", draw(8, 3)))
        powers = torch.exp((A * step)[..., None] * torch.arange(N))
        filters = 2 * torch.einsum("cs,csl->cl", C * (torch.exp(A * step) - 1) / A, powers).real
        filters[:, 0] += case.add("filter_own", draw(8))
        convolved(case, filters, "long_convolution" if has_gates else "s4d",
                  {"type": "long_convolution", "states": 3, "gates": has_gates}, has_gates)

    case = Heads(1318, n=N)
    L, bands, t = 9, 3, torch.arange(N).double()[:, None]
    angles = torch.linspace(1e-4, bands - 1, bands)[None] * 2 * math.pi * t / L
    z = torch.cat([t / (L - 1), torch.cos(angles), -torch.sin(angles)], -1)
    for layer, width in [("1", 7), ("2", 5)]:
        weight, bias = case.add("W_filter_" + layer, draw(width, 5, scale=0.5)), case.add("b_filter_" + layer, draw(5))
        z = torch.sin(2 * (z @ weight + bias))
    window = torch.exp(-t / (L - 1) * torch.linspace(math.log(1e-2) / 1.5, math.log(1e-2) / 0.3, 8)[None].abs())
    filters = (z @ case.add("W_filter_out", draw(5, 8)) * window).T.contiguous()
    filters[:, 0] += case.add("filter_own", draw(8))
    convolved(case, filters, "hyena", {"type": "long_convolution", "filter": "network", "length": L, "bands": bands,
                                       "hidden": 5, "frequency": 2}, True)


def build_places():
    """gMLP: a Conv1d over the places is this matrix."""
    for seed, is_causal, norm in [(1319, False, True), (1320, True, False)]:
        case = Heads(seed, n=N)
        W, b = case.add("W_places", draw(2 * N, N)).reshape(2, N, N), case.add("b_places", draw(2, N))
        W = W.tril() if is_causal else W
        value = F.layer_norm(case.v, (4,)) if norm else case.v
        gate = torch.stack([F.conv1d(v[None], w[..., None], bias)[0] for v, w, bias in zip(value, W, b)])
        finish(case, {"type": "spatial_gating", "norm": norm}, W, case.q * gate,
               name="spatial_gating" if norm else "spatial_gating_causal", is_causal=is_causal,
               stages={"place_gate": gate})


def build_attention_on_attention():
    """A linear layer over both side by side, and torch's gated linear unit."""
    case = Heads(1321, n=N)
    weights = torch.softmax(case.products() / math.sqrt(case.d), -1)
    found = case.merge(weights @ case.v)
    parts = {name: case.add(f"W_{name}", draw(8, 8, scale=0.5))
             for name in ["information_o", "information_q", "relevance_o", "relevance_q"]}
    bias = torch.cat([case.add("b_information", draw(8)), case.add("b_relevance", draw(8))])
    W = torch.cat([torch.cat([parts["information_" + of], parts["relevance_" + of]], 1) for of in "oq"])
    row("algorithm", "attention_on_attention", case.spec | {"algorithm": {"type": "attention_on_attention"}},
        case.inputs, case.parameters, weights, F.glu(torch.cat([found, case.x], -1) @ W + bias, -1))

    # As in x-transformers (on_attn): the gated linear unit of what attention gives alone.
    case = Heads(1331, n=N)
    weights = torch.softmax(case.products() / math.sqrt(case.d), -1)
    W = torch.cat([case.add("W_information_o", draw(8, 8, scale=0.5)),
                   case.add("W_relevance_o", draw(8, 8, scale=0.5))], 1)
    row("algorithm", "attention_on_attention_of_the_output",
        case.spec | {"algorithm": {"type": "attention_on_attention", "reads_query": False}},
        case.inputs, case.parameters, weights, F.glu(case.merge(weights @ case.v) @ W, -1))

    # An average attention network: a mean of what was before, its layer, and two gates of one linear layer.
    seed(1331)
    x = draw(N, 6)
    given = {"W_found_1": draw(6, 5), "b_found_1": draw(5), "W_found_2": draw(5, 6), "b_found_2": draw(6)}
    given |= {f"W_{name}": draw(6, 6) for name in ["information_o", "information_q", "relevance_o", "relevance_q"]}
    given |= {"b_information": draw(6), "b_relevance": draw(6)}
    averages = torch.cumsum(x, 0) / torch.arange(1, N + 1)[:, None]
    g = F.relu(averages @ given["W_found_1"] + given["b_found_1"]) @ given["W_found_2"] + given["b_found_2"]
    W = torch.cat([torch.cat([given["W_information_" + of], given["W_relevance_" + of]], 1) for of in "qo"])
    bias = torch.cat([given["b_information"], given["b_relevance"]])
    own, past = torch.sigmoid(torch.cat([x, g], -1) @ W + bias).chunk(2, -1)
    row("algorithm", "average_attention_network",
        {"score": {"type": "cosine", "beta": 0}, "mask": {"type": "causal"},
         "algorithm": {"type": "attention_on_attention", "gates": "both", "units": 5}},
        {"query": x}, given, causal(N) / torch.arange(1, N + 1)[:, None], own * x + past * g)


def build_co_attention():
    """BiDAF, DCN and ESIM, each with the linear layer that comes next."""
    for number, kind in [(1332, "bidaf"), (1333, "dcn"), (1334, "esim")]:
        case = Cross(number, n=4, m=6, width=5, value_width=5)
        given = {"W_merged": draw(15 if kind == "dcn" else 20, 5), "b_merged": draw(5)}
        x, S = case.query, case.products()
        weights = torch.softmax(S, -1)
        found = weights @ case.value
        if kind == "bidaf":
            most = torch.softmax(S.amax(-1), 0) @ x
            merged = torch.cat([x, found, x * found, x * most], -1)
        elif kind == "dcn":
            merged = torch.cat([x, found, weights @ (torch.softmax(S, 0).T @ x)], -1)
        else:
            merged = torch.cat([x, found, x - found, x * found], -1)
        output = merged @ given["W_merged"] + given["b_merged"]
        row("algorithm", "co_attention_of_" + kind,
            case.spec | {"score": {"type": "dot"}, "algorithm": {"type": "co_attention", "kind": kind}}, case.inputs,
            given, weights, F.relu(output) if kind == "esim" else output, {"merged": merged})


def build_autocorrelation():
    """As the authors' code: by Fourier transforms, the lags that topk gives, and torch.roll."""
    for number, name, over in [(1335, "autocorrelation", "length"), (1336, "autocorrelation_of_features", "features")]:
        case = Heads(number, n=N)
        spectrum = torch.fft.rfft(case.q, dim=1) * torch.conj(torch.fft.rfft(case.k, dim=1))
        likeness = torch.fft.irfft(spectrum, n=N, dim=1).sum(-1) / (N if over == "length" else case.d)  # [h, lags]
        best = torch.topk(likeness, int(1.5 * math.log(N)), dim=-1)
        shares = torch.softmax(best.values, -1)
        context, weights = torch.zeros_like(case.v), torch.zeros(2, N, N)
        for head in range(2):
            for share, lag in zip(shares[head], best.indices[head].tolist()):
                context[head] += share * torch.roll(case.v[head], -lag, 0)
                weights[head] += share * torch.roll(torch.eye(N), -lag, 0)
        case.row("algorithm", name, {"algorithm": {"type": "autocorrelation", "factor": 1.5, "over": over}}, weights,
                 context)


def build_windows():
    case = Heads(1322, n=7, heads=4)
    distance = (torch.arange(7)[:, None] - torch.arange(7)[None]).abs()
    allowed = torch.stack([distance <= reach for reach in [0, 2, 0, 2]])
    weights = masked_softmax(case.products() / math.sqrt(case.d), allowed & causal(7))
    case.row("selection", "head_windows",
             {"selection": {"type": "head_windows", "reaches": [0, 2]}, "mask": {"type": "causal"}}, weights)

    # The token before and the first, every third one, the first two beside a window as in DuoAttention, all.
    case = Heads(1330, n=7, heads=4)
    ahead = torch.arange(7)[None] - torch.arange(7)[:, None]
    place = torch.arange(7)
    allowed = torch.stack([(ahead == -1) | (place < 1), ahead % 3 == 0, (ahead.abs() <= 1) | (place < 2), ahead < 7])
    weights = masked_softmax(case.products() / math.sqrt(case.d), allowed)
    case.row("selection", "head_masks",
             {"selection": {"type": "head_windows", "reaches": [0, 9, 1, 9], "shifts": [-1, 0, 0, 0],
                            "strides": [1, 3, 1, 1], "first": [1, 0, 2, 0]}}, weights)


def build_stripes():
    """CSWin's img2windows: the image cut into stripes of two rows, and of two columns, for half of the heads each."""
    case = Heads(1331, n=24, heads=2)
    number = torch.arange(24).reshape(4, 6)

    def stripes(height, width):
        allowed = torch.zeros(24, 24, dtype=torch.bool)
        for stripe in number.reshape(4 // height, height, 6 // width, width).transpose(1, 2).flatten(2).flatten(0, 1):
            allowed[stripe[:, None], stripe[None]] = True
        return allowed

    weights = masked_softmax(case.products() / math.sqrt(case.d), torch.stack([stripes(2, 6), stripes(4, 2)]))
    case.row("selection", "stripes", {"selection": {"type": "stripes", "columns": 6, "width": 2}}, weights)


def build():
    build_preconditioned()
    build_oja()
    build_kalma()
    build_filters()
    build_places()
    build_attention_on_attention()
    build_co_attention()
    build_autocorrelation()
    build_windows()
    build_stripes()
