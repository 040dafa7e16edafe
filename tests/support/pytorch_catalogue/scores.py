"""Scores of a query and a key."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, row


def cross(case, name, score, scores, parameters=None, spec=None, allowed=None, stages=None):
    weights = masked_softmax(scores, allowed)
    row("score", name, case.spec | {"score": score} | (spec or {}), case.inputs, parameters or {}, weights,
        weights @ case.value, stages)


def linear(weight, bias=None):
    """A torch layer of a matrix that is stored (in, out)."""
    layer = torch.nn.Linear(*weight.shape, bias=bias is not None)
    layer.weight.data = weight.T
    if bias is not None:
        layer.bias.data = bias
    return layer


def build_geometry():
    case = Cross(400, 4, 5, 3)
    q, k = case.pairs()
    cosines = F.cosine_similarity(q, k, dim=-1)
    cross(case, "cosine", {"type": "cosine", "beta": 3}, 3 * cosines)

    # l2norm of groups of features, as x-transformers has it (qk_norm_groups); keys alone, as Reformer.
    case = Cross(431, 4, 5, 6)
    grouped = lambda x: F.normalize(x.view(-1, 3, 2), dim=-1).flatten(1)
    cross(case, "cosine_of_groups", {"type": "cosine", "beta": 3, "groups": 3},
          3 * grouped(case.query) @ grouped(case.key).T)
    case = Cross(432, 4, 5, 3)
    cross(case, "cosine_of_keys", {"type": "cosine", "beta": 0.5, "divided": "keys"},
          0.5 * case.query @ F.normalize(case.key, dim=-1).T)

    case = Heads(401, n=5)
    log_tau = case.add("log_tau", torch.tensor([1.2, 5.5]))
    cosines = F.cosine_similarity(case.q[:, :, None], case.k[:, None], dim=-1)
    scores = cosines * torch.clamp(log_tau, max=math.log(100)).exp()[:, None, None]
    case.row("score", "scaled_cosine", {"score": {"type": "scaled_cosine"}}, torch.softmax(scores, -1))

    case = Cross(402, 4, 5, 3)
    scores = -torch.cdist(case.query, case.key) ** 2 / (2 * 0.8 ** 2)
    cross(case, "gaussian", {"type": "gaussian", "sigma": 0.8}, scores, stages={"scaled_scores": scores})
    case = Cross(403, 4, 5, 3)
    cross(case, "euclidean", {"type": "euclidean"}, -torch.cdist(case.query, case.key) ** 2 / math.sqrt(3))

    case = Cross(409, 4, 5, 3)
    scores = -torch.cdist(case.query, case.key, p=1)
    cross(case, "manhattan", {"type": "manhattan"}, scores, stages={"scores": scores})

    case = Cross(450, 4, 5, 3)
    points = [torch.cat([torch.cosh(r), torch.sinh(r) * x / r], -1)  # of the hyperboloid, its axis first
              for x in [case.query, case.key] for r in [x.norm(dim=-1, keepdim=True)]]
    inner = points[0][:, 1:] @ points[1][:, 1:].T - points[0][:, :1] @ points[1][:, :1].T
    cross(case, "hyperbolic", {"type": "hyperbolic", "beta": 0.7}, -0.7 * torch.acosh(-inner))

    for number, norm in enumerate(["l2", "layer", "rms"], start=404):
        case = Cross(number, 4, 5, 4)
        g_q, g_k = draw(4), draw(4)
        each = {"l2": lambda x, g: F.normalize(x, dim=-1), "layer": lambda x, g: F.layer_norm(x, (4,), g, eps=1e-6),
                "rms": lambda x, g: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * g}[norm]
        scores = each(case.query, g_q) @ each(case.key, g_k).T / 2
        cross(case, "qk_norm_" + norm, {"type": "scaled_dot", "vector_norm": norm}, scores,
              {} if norm == "l2" else {"g_q": g_q, "g_k": g_k})

    case = Cross(407, 5, 5, 4, scale=2.0)
    scores = 3 * torch.tanh(case.products() / 2 / 3)
    cross(case, "softcap", {"type": "scaled_dot", "softcap": 3}, scores, spec={"mask": {"type": "causal"}},
          allowed=causal(5))
    case = Cross(408, 4, 5, 4)
    cross(case, "learned_scale", {"type": "learned_scale"}, case.products() * 0.35, {"g": torch.tensor([0.35])})
    case = Cross(451, 4, 5, 4)
    w = draw(4)
    cross(case, "dimension_scale", {"type": "dimension_scale"},
          case.query * F.softplus(w) / math.log(2) / math.sqrt(4) @ case.key.T, {"w_dimension": w})


def build_networks():
    case = Cross(410, 4, 5, 3, key_width=2)
    w, b = draw(5, 1), draw(1)
    cross(case, "linear", {"type": "linear", "bias": True}, linear(w, b)(torch.cat(case.pairs(), -1)).squeeze(-1),
          {"w": w[:, 0], "b": b})
    case = Cross(411, 4, 5, 3)
    (q, k), w, b = case.pairs(), draw(9, 1), draw(1)
    cross(case, "trilinear", {"type": "trilinear", "bias": True},
          linear(w, b)(torch.cat([q, k, q * k], -1)).squeeze(-1), {"w": w[:, 0], "b": b})

    case = Cross(412, 4, 5, 3, key_width=4)
    W_1, W_2, b, v, g = draw(3, 5), draw(4, 5), draw(5), draw(5, 1), torch.tensor([1.7])
    layer = torch.nn.utils.weight_norm(linear(v))
    layer.weight_g.data = g[:, None]
    energy = torch.tanh(linear(W_1, b)(case.query)[:, None] + linear(W_2)(case.key)[None])
    cross(case, "normalized_additive", {"type": "normalized_additive", "bias": True, "attention_dimension": 5},
          layer(energy).squeeze(-1), {"W_1": W_1, "W_2": W_2, "b": b, "v": v[:, 0], "g": g})

    case = Cross(413, 4, 5, 3)
    (q, k), v = case.pairs(), draw(3)
    cross(case, "elementwise_additive", {"type": "elementwise_additive"}, (torch.tanh(q + k) * v).sum(-1), {"v": v})
    case = Cross(414, 4, 5, 3)
    (q, k), s, g = case.pairs(), torch.tensor([0.6]), torch.tensor([1.4])
    cross(case, "elementwise_concat", {"type": "elementwise_concat"}, g * torch.tanh(s * (q + k)).sum(-1),
          {"s": s, "g": g})

    case = Cross(415, 3, 4, 3)
    (q, k), W, b, deep, v = case.pairs(), draw(12, 5, scale=0.5), draw(5), draw(5, 5), draw(5, 1)
    network = torch.nn.Sequential(linear(W, b), torch.nn.Tanh(), linear(deep), torch.nn.Tanh(), linear(v))
    cross(case, "mlp", {"type": "mlp", "bias": True, "attention_dimension": 5},
          network(torch.cat([q, k, q - k, q * k], -1)).squeeze(-1), {"W": W, "b": b, "W_deep": deep, "v": v[:, 0]})
    case = Cross(416, 3, 4, 3)
    W, v = draw(6, 4), draw(4, 1)
    network = torch.nn.Sequential(linear(W), torch.nn.ReLU(), linear(v))
    cross(case, "mlp_of_the_pair",
          {"type": "mlp", "features": "pair", "layers": 1, "activation": "relu", "attention_dimension": 4},
          network(torch.cat(case.pairs(), -1)).squeeze(-1), {"W": W, "v": v[:, 0]})

    case = Cross(451, 4, 5, 3, key_width=4)
    W_1, W_2, v = draw(3, 5), draw(4, 5), draw(5, 1)
    factors = torch.tanh(linear(W_1)(case.query))[:, None] * torch.tanh(linear(W_2)(case.key))[None]
    cross(case, "bilinear_pooling", {"type": "bilinear_pooling", "attention_dimension": 5},
          linear(v)(factors).squeeze(-1), {"W_1": W_1, "W_2": W_2, "v": v[:, 0]})

    neighbours = torch.tensor([[1, 1, 0, 0, 1], [0, 1, 1, 0, 0], [0, 1, 1, 1, 0], [1, 0, 0, 1, 1], [0, 0, 0, 0, 1]]) > 0
    mask = {"mask": {"type": "matrix", "allowed": neighbours.int().tolist()}}
    case = Cross(417, 5, 5, 3)
    w, b = draw(6, 1), draw(1)
    cross(case, "graph", {"type": "graph", "bias": True, "slope": 0.3},
          F.leaky_relu(linear(w, b)(torch.cat(case.pairs(), -1)).squeeze(-1), 0.3), {"w": w[:, 0], "b": b}, mask,
          neighbours)
    case = Cross(418, 5, 5, 3)
    W_1, W_2, v = draw(3, 4), draw(3, 4), draw(4, 1)
    energy = F.leaky_relu(linear(W_1)(case.query)[:, None] + linear(W_2)(case.key)[None], 0.2)
    cross(case, "dynamic_graph", {"type": "dynamic_graph", "attention_dimension": 4}, linear(v)(energy).squeeze(-1),
          {"W_1": W_1, "W_2": W_2, "v": v[:, 0]}, mask, neighbours)


def build_places():
    case = Cross(420, 4, 5, 3)
    W_slots = draw(3, 5)
    cross(case, "location", {"type": "location"}, linear(W_slots)(case.query), {"W_slots": W_slots})
    case = Cross(421, 4, 5, 3)
    W_1, b, W_slots = draw(3, 6), draw(6), draw(6, 5)
    network = torch.nn.Sequential(linear(W_1, b), torch.nn.ReLU(), linear(W_slots))
    cross(case, "dense_synthesizer", {"type": "dense_synthesizer", "bias": True, "attention_dimension": 6},
          network(case.query), {"W_1": W_1, "b": b, "W_slots": W_slots})
    case = Cross(422, 4, 5, 3)
    R = draw(4, 5)
    cross(case, "random_synthesizer", {"type": "random_synthesizer"}, R, {"R": R})
    case = Cross(423, 4, 5, 3)
    R_1, R_2 = draw(4, 2), draw(5, 2)
    cross(case, "factorised_synthesizer", {"type": "random_synthesizer", "rank": 2}, F.linear(R_1, R_2),
          {"R_1": R_1, "R_2": R_2})


def build_windows():
    """Bells that walk along the places of the keys, from 1; weights without a softmax."""
    for number, form in enumerate(["exponential", "density"], start=452):
        case = Cross(number, 4, 6, 3)
        W, b = draw(3, 6, scale=0.5), draw(6, scale=0.5)
        places, centre, scores = torch.arange(1, 7).to(W.dtype), torch.zeros(2, 1), []
        for said in linear(W, b)(case.query):
            a, width, step = said.reshape(3, 2, 1)
            if form == "exponential":  # Graves 2013, equations 46 to 51
                centre = centre + torch.exp(step)
                bells = torch.exp(a) * torch.exp(-torch.exp(width) * (centre - places) ** 2)
            else:  # Battenberg et al. 2020, table 1, V2
                centre = centre + F.softplus(step)
                density = torch.distributions.Normal(centre, F.softplus(width)).log_prob(places.expand(2, 6))
                bells = torch.softmax(a, 0) * density.exp()
            scores.append(bells.sum(0))
        scores = torch.stack(scores)
        row("score", "gaussian_window_" + form,
            case.spec | {"score": {"type": "gaussian_window", "form": form, "bells": 2},
                         "normalizer": {"type": "none"}},
            case.inputs, {"W_window": W, "b_window": b}, scores, scores @ case.value)


def step_by_step(case, name, score, energy, v, parameters, start, remember, sharpening=1.0):
    """Queries one after another; energy(query, memory) [m, d_a], memory what `remember` makes of the last row."""
    memory, weights = start, []
    for query in case.query:
        weights.append(torch.softmax(sharpening * linear(v)(energy(query, memory)).squeeze(-1), 0))
        memory = remember(memory, weights[-1])
    weights = torch.stack(weights).detach()
    row("score", name, case.spec | {"score": score}, case.inputs, parameters | {"v": v[:, 0]}, weights,
        weights @ case.value)


def build_histories():
    for number, cumulative in enumerate([False, True], start=430):
        case = Cross(number, 4, 6, 3)
        W_1, W_2, b, v = draw(3, 4), draw(3, 4), draw(4), draw(4, 1)
        filters, U = draw(2, 3), draw(2, 4)
        convolution = torch.nn.Conv1d(1, 2, 3, padding=1, bias=False)
        convolution.weight.data = filters[:, None]
        energy = lambda q, memory: torch.tanh(linear(W_1)(q) + linear(W_2, b)(case.key)
                                              + linear(U)(convolution(memory[None]).T))
        step_by_step(case, "location_aware_cumulative" if cumulative else "location_aware",
                     {"type": "location_aware", "bias": True, "filters": 2, "width": 3, "attention_dimension": 4,
                      "cumulative": cumulative, "sharpening": 2},
                     energy, v, {"W_1": W_1, "W_2": W_2, "b": b, "F": filters, "U": U},
                     torch.zeros(6) if cumulative else torch.full((6,), 1 / 6),
                     lambda memory, weights: memory + weights if cumulative else weights, 2.0)

    case = Cross(432, 4, 6, 3)
    W_1, W_2, w_c, b, v = draw(3, 4), draw(3, 4), draw(4), draw(4), draw(4, 1)
    energy = lambda q, c: torch.tanh(linear(W_1)(q) + linear(W_2, b)(case.key) + linear(w_c[None])(c[:, None]))
    step_by_step(case, "coverage", {"type": "coverage", "bias": True, "attention_dimension": 4}, energy, v,
                 {"W_1": W_1, "W_2": W_2, "w_c": w_c, "b": b}, torch.zeros(6), torch.add)


def build_maps():
    """Scores made of several others."""
    n = 6
    case = Heads(440, n=n)
    theta = case.add("theta", draw(4, 3, scale=0.7))
    products = (case.products() / math.sqrt(case.d)).masked_fill(~causal(n), 0)
    # Equation 4: theta[i', j'] meets query i - i' and key j - j', j' from -1 to 1. conv2d correlates: turn it round.
    kernel = torch.flip(theta.reshape(2, 1, 2, 3), [2, 3])
    scores = F.conv2d(F.pad(products[None], (1, 1, 1, 0)), kernel, groups=2)[0]
    case.row("score", "multi_token",
             {"score": {"type": "multi_token", "query_width": 2, "key_width": 3}, "mask": {"type": "causal"}},
             masked_softmax(scores, causal(n)), stages={"token_scores": products})

    # What each head finds is normalised by itself, and less is taken of it in deeper layers.
    case = Heads(442, n=n)
    theta, gain = case.add("theta", draw(4, 3, scale=0.7)), case.add("g_found", draw(4))
    products = (case.products() / math.sqrt(case.d)).masked_fill(~causal(n), 0)
    kernel = torch.flip(theta.reshape(2, 1, 2, 3), [2, 3])
    weights = masked_softmax(F.conv2d(F.pad(products[None], (1, 1, 1, 0)), kernel, groups=2)[0], causal(n))
    found = weights @ case.v
    normed = found * torch.rsqrt(found.pow(2).mean(-1, keepdim=True) + 1e-5) * gain
    case.row("score", "multi_token_with_a_norm_of_each_head",
             {"score": {"type": "multi_token", "query_width": 2, "key_width": 3},
              "algorithm": {"type": "head_norm", "layer": 4}, "mask": {"type": "causal"}},
             weights, normed * (1 - (0.8 - 0.6 * math.exp(-0.3 * 4))), stages={"attended": found})

    case = Heads(441, n=n)
    scores = case.products() / math.sqrt(case.d)
    taken = torch.relu(scores[0]).tril(-1)  # nobody erases its own key,
    taken[:, 0] = 0  # nor the first
    erased = F.pad(torch.cumsum(taken, 0), (0, 0, 1, -1))
    case.row("score", "selective", {"score": {"type": "selective"}, "mask": {"type": "causal"}},
             masked_softmax(scores - erased, causal(n)), stages={"erased": erased.expand(2, -1, -1)})


def build():
    build_geometry()
    build_networks()
    build_places()
    build_windows()
    build_histories()
    build_maps()
