"""Feature maps that heads learn, bands beside linear maps, averages of tokens, and states of other kinds: written by
the trapezoid rule, of one number for each feature, of learners with a layer norm or two layers."""
import math

import torch
import torch.nn.functional as F

from filters import convolved, number
from golden import Heads, causal, draw, masked_softmax, mixed_bits
from mixers import N, by_channel, finish, outer, recurrence, shares


def build_features():
    for seed, name in [(1500, "softmax"), (1501, "relu")]:
        case = Heads(seed, n=N)
        maps = {}
        for which, x in [("q", case.q), ("k", case.k)]:
            W = case.add("W_map_" + which, draw(8, 4)).reshape(2, 4, 4)
            y = x @ W + case.add("b_map_" + which, draw(8, scale=0.5)).reshape(2, 1, 4)
            maps[which] = torch.softmax(torch.cat([y, -y], -1), -1) if name == "softmax" else F.relu(y + 2)
            if name == "relu":  # so that no row is empty
                case.parameters["b_map_" + which] = case.parameters["b_map_" + which] + 2
        finish(case, {"type": "learned_features", "map": name}, shares(maps["q"] @ maps["k"].transpose(1, 2)),
               name="learned_features_" + name, stages={"query_features": maps["q"], "key_features": maps["k"]})

    case = Heads(1502, n=N)

    def focused(x):
        x = F.relu(x)
        return F.normalize(x ** 2.5, dim=-1) * x.norm(dim=-1, keepdim=True)

    q, k = focused(case.q), focused(case.k)
    products = q @ k.transpose(1, 2)
    sums = products.sum(-1, keepdim=True)
    weights = products / torch.where(sums == 0, torch.ones_like(sums), sums)
    kernel = case.add("value_filter", draw(2, 3))
    near = torch.stack([F.conv1d(v.T[:, None], w[None, None], padding=1)[:, 0].T for v, w in zip(case.v, kernel)])
    finish(case, {"type": "learned_features", "map": "focused", "power": 2.5, "convolution": 3}, weights,
           weights @ case.v + near, name="learned_features_focused", is_causal=False)


def build_balanced_linear():
    """InLine and MALA by the means of keys and values, as their authors' code has it, without a map; and with one."""
    for seed, name, rule, is_causal in [(1590, "inline", "subtract", False), (1591, "mala", "magnitude", False),
                                        (1592, "inline_causal", "subtract", True)]:
        case = Heads(seed, n=N)
        phi = {"inline": lambda x: x, "mala": lambda x: F.elu(x) + 1, "inline_causal": F.relu}[name]
        q, k = phi(case.q), phi(case.k)
        if is_causal:
            seen = torch.arange(1, N + 1)[:, None]
            products = (q @ k.transpose(1, 2)).tril()
            weights = (products - products.sum(-1, keepdim=True) / seen + 1 / seen).tril()
            finish(case, {"type": "balanced_linear", "map": "relu", "scaled": False}, weights, name=name)
            continue
        scale = case.d ** -0.5
        mean_k, mean_v = k.mean(1, keepdim=True), case.v.mean(1, keepdim=True)
        state = k.transpose(1, 2) @ case.v * scale / N
        z = q @ mean_k.transpose(1, 2) * scale
        maps = q @ k.transpose(1, 2) * scale / N
        if rule == "subtract":
            weights, context = maps - z / N + 1 / N, q @ state + (1 - z) * mean_v
        else:
            weights, context = maps * (1 + 1 / z) - z / N, q @ state * (1 + 1 / z) - z * mean_v
        spec = {"type": "balanced_linear"} | ({"rule": "magnitude", "map": "elu"} if rule == "magnitude" else {})
        if rule == "magnitude":  # and the local filter beside it
            kernel = case.add("value_filter", draw(2, 3))
            context = context + torch.stack([F.conv1d(v.T[:, None], w[None, None], padding=1)[:, 0].T
                                             for v, w in zip(case.v, kernel)])
            spec |= {"convolution": 3}
        finish(case, spec, weights, context, name=name, is_causal=False)


def build_polarity():
    """PolaFormer by its authors' code: features of both signs side by side, two states, halves of the values."""
    for seed, name, is_causal in [(1593, "polarity", False), (1594, "polarity_causal", True)]:
        case = Heads(seed, n=N)
        power, scale = case.add("polar_power", draw(8)), case.add("polar_scale", draw(8))
        W = case.add("W_polar_gate", draw(8, 8, scale=0.5))
        power, scale = (1 + 4 * torch.sigmoid(power)).reshape(2, 1, 4), F.softplus(scale).reshape(2, 1, 4)
        parts = lambda x: (F.relu(x / scale) ** power, F.relu(-x / scale) ** power)
        (q_pos, q_neg), (k_pos, k_neg) = parts(case.q), parts(case.k)
        q_sim, q_opp = torch.cat([q_pos, q_neg], -1), torch.cat([q_neg, q_pos], -1)
        k = torch.cat([k_pos, k_neg], -1)
        v_1, v_2 = case.v.chunk(2, -1)
        if is_causal:
            seen = torch.arange(1, N + 1)[:, None]
            products = [(q @ k.transpose(1, 2)).tril() / seen for q in (q_sim, q_opp)]
            maps = [p / (p.sum(-1, keepdim=True) + 1e-6) for p in products]
            context = torch.cat([maps[0] @ v_1, maps[1] @ v_2], -1)
        else:
            halves, maps = [], []
            for q, v in [(q_sim, v_1), (q_opp, v_2)]:
                z = 1 / (q @ k.mean(1, keepdim=True).transpose(1, 2) + 1e-6)
                halves.append(q @ (k.transpose(1, 2) @ v / N) * z)
                maps.append(q @ k.transpose(1, 2) / N * z)
            context = torch.cat(halves, -1)
        gate = case.split(case.x @ W)
        finish(case, {"type": "polarity"}, sum(maps) / 2, context * gate, name=name, is_causal=is_causal,
               stages={"like_weights": maps[0], "unlike_weights": maps[1]})


def normals(name, count):
    """Normal numbers as the engine draws them for a name from the seed 1, by SplitMix64 and Box and Muller."""
    stream = lambda seed, index: mixed_bits(mixed_bits(seed) ^ index)
    hashed = 0xCBF29CE484222325
    for letter in name.encode():
        hashed = (hashed ^ letter) * 0x100000001B3 % 2 ** 64
    uniform = torch.tensor([(stream(stream(1, hashed), i) >> 11) / 2 ** 53 for i in range(2 * count)])
    return torch.sqrt(-2 * torch.log(1 - uniform[::2])) * torch.cos(2 * math.pi * uniform[1::2])


def build_random_features():
    """RFA by its states: features of sines and cosines, S and z, and with its gate."""
    for seed, name, tau, gated in [(2015, "fourier_features", 0.8, False), (2016, "fourier_features_gated", 1.0, True)]:
        case = Heads(seed, n=N)
        D = 5
        W = normals("fourier_directions", 2 * D * case.d).reshape(2, D, case.d)
        W = W * case.add("direction_scales", draw(2 * case.d)).reshape(2, 1, case.d) / tau
        def phi(x):
            angles = F.normalize(x, dim=-1) @ W.transpose(1, 2)
            return torch.cat([angles.sin(), angles.cos()], -1) / math.sqrt(D)
        q, k = phi(case.q), phi(case.k)
        g = torch.zeros(2, N)
        if gated:
            g = torch.sigmoid(case.x @ case.add("W_recency", draw(8, 2)) + case.add("b_recency", draw(2))).T
        answers = []
        for values in [torch.eye(N).expand(2, -1, -1), case.v]:
            S, z, out = torch.zeros(2, 2 * D, values.shape[-1]), torch.zeros(2, 2 * D), []
            for t in range(N):
                keep, write = (g[:, t], 1 - g[:, t]) if gated else (torch.ones(2), torch.ones(2))
                S = keep[:, None, None] * S + write[:, None, None] * k[:, t, :, None] * values[:, t, None]
                z = keep[:, None] * z + write[:, None] * k[:, t]
                out.append(torch.einsum("hr,hrv->hv", q[:, t], S) / (q[:, t] * z).sum(-1, keepdim=True))
            answers.append(torch.stack(out, 1))
        spec = {"type": "fourier_features", "features": D} | ({"gated": True} if gated else {"temperature": tau})
        finish(case, spec, *answers, name=name, stages={"query_features": q, "key_features": k})


def build_near_and_far():
    for seed, kernels, is_causal in [(1503, 1, False), (1504, 2, True)]:
        case = Heads(seed, n=7)
        near, far = case.add("near_share", draw(2)), case.add("far_share", draw(2, kernels))
        places = torch.arange(7)
        band = (places[:, None] - places[None]).abs() <= 1
        allowed = causal(7) if is_causal else torch.ones(7, 7, dtype=torch.bool)
        scores = case.products() / math.sqrt(case.d)
        first = torch.softmax(scores.masked_fill(~(band & allowed), float("-inf")), -1)
        weights = near[:, None, None] * first
        for index, sign in enumerate([1, -1][:kernels]):
            phi = lambda x: F.elu(sign * x) + 1
            products = (phi(case.q) @ phi(case.k).transpose(1, 2)) * allowed
            weights = weights + far[:, index, None, None] * products / products.sum(-1, keepdim=True)
        finish(case, {"type": "near_and_far", "reach": 1, "kernels": kernels}, weights,
               name=f"near_and_far_{kernels}", is_causal=is_causal, stages={"near_weights": first})


def build_delta_correction():
    """Contexts of a window, and what those of full rows have beyond it, repeated as the authors do."""
    for seed, n, options, is_causal in [(1540, 9, {"stride": 3, "window": 2, "first": 1}, True),
                                        (1541, 6, {"stride": 2, "window": 3, "first": 0}, False)]:
        case = Heads(seed, n=n)
        seen = causal(n) if is_causal else torch.ones(n, n, dtype=torch.bool)
        newest = seen & (torch.arange(n) >= seen.sum(-1, keepdim=True) - options["window"])
        newest[:, :options["first"]] = seen[:, :options["first"]]
        scores = case.products() / math.sqrt(case.d)
        sparse, full = masked_softmax(scores, newest), masked_softmax(scores, seen)
        repeat = lambda rows: rows[:, ::options["stride"]].repeat_interleave(options["stride"], 1)[:, :n]
        context = sparse @ case.v + repeat(full @ case.v - sparse @ case.v)
        finish(case, {"type": "delta_correction"} | options, sparse + repeat(full) - repeat(sparse), context,
               name="delta_correction" if is_causal else "delta_correction_of_all_keys", is_causal=is_causal,
               stages={"sparse_weights": sparse, "full_weights": repeat(full)})


def build_mamba3():
    """The state token by token, as the authors' reference has it."""
    for seed, options in [(1505, {"turned_share": 1}), (1506, {"trapezoid": False, "turned_share": 0.5}),
                          (1507, {"norm": False, "turned_share": 0, "scaled": True})]:
        case = Heads(seed, n=N)
        dt, rate = F.softplus(number(case, "dt")), F.softplus(number(case, "rate"))
        lam = torch.sigmoid(number(case, "trapezoid")) if options.get("trapezoid", True) else torch.ones(2, N, 1)
        pairs = int(options["turned_share"] * case.d / 2)
        q, k = case.q, case.k
        if options.get("norm", True):
            norm = lambda x: x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + 1e-5)
            q = norm(q) + case.add("C_bias", draw(8)).reshape(2, 1, 4)
            k = norm(k) + case.add("B_bias", draw(8)).reshape(2, 1, 4)
        if pairs:
            turns = math.pi * torch.tanh(case.x @ case.add("W_turn", draw(8, pairs, scale=0.5)))
            phases = torch.polar(torch.ones(2, N, pairs), torch.cumsum(dt * turns, 1))

            def turned(x):
                head = torch.view_as_real(torch.view_as_complex(x[..., :2 * pairs].reshape(2, N, pairs, 2)) * phases)
                return torch.cat([head.flatten(2), x[..., 2 * pairs:]], -1)

            q, k = turned(q), turned(k)
        case.q = q if options.get("scaled") else q * math.sqrt(case.d)  # recurrence() divides by that
        before = {}

        def step(state, value, t):
            alpha = torch.exp(-dt * rate)[:, t, :, None]
            width = value.shape[-1]
            state = alpha * state
            if t:
                state = state + ((1 - lam) * dt)[:, t, :, None] * alpha * before[width]
            before[width] = outer(k[:, t], value)
            return state + (lam * dt)[:, t, :, None] * before[width]

        finish(case, {"type": "mamba3"} | options, *recurrence(case, step), name=f"mamba3_{seed}")


def build_mamba3_of_several_inputs():
    """MIMO: three keys and three queries of each token; of the values mimo_x goes in, of what is read mimo_o comes out."""
    R, case = 3, Heads(1532, n=N)
    dt, rate = F.softplus(number(case, "dt")), F.softplus(number(case, "rate"))
    lam = torch.sigmoid(number(case, "trapezoid"))

    def ranks(own, letter, bias):
        W = case.add("W_rank_" + letter, draw(8, (R - 1) * 8, scale=0.5))
        more = (case.x @ W).reshape(N, R - 1, 2, 4).permute(1, 2, 0, 3)
        x = torch.cat([own[None], more])
        x = x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + 1e-5)
        biases = [case.add(bias, draw(8)), case.add(bias + "_of_ranks", draw((R - 1) * 8))]
        return x + torch.cat(biases).reshape(R, 2, 1, 4)

    C, B = ranks(case.q, "q", "C_bias"), ranks(case.k, "k", "B_bias")
    turns = math.pi * torch.tanh(case.x @ case.add("W_turn", draw(8, 1, scale=0.5)))
    phases = torch.polar(torch.ones(2, N, 1), torch.cumsum(dt * turns, 1))
    turned = lambda x: torch.cat([torch.view_as_real(torch.view_as_complex(
        x[..., :2].reshape(R, 2, N, 1, 2).contiguous()) * phases).flatten(-2), x[..., 2:]], -1)
    C, B = turned(C), turned(B)
    mimo_x, mimo_o = (case.add(name, draw(R, 8)).reshape(R, 2, 4) for name in ["rank_in", "rank_out"])
    alpha = torch.exp(-dt * rate)

    def answers(values):
        """values [N, heads, d_v] of one number for each feature."""
        state, before, out = torch.zeros(2, 4, 4), torch.zeros(2, 4, 4), []
        for t in range(N):
            write = torch.einsum("rhn,rhp,hp->hnp", B[:, :, t], mimo_x, values[t])
            state = alpha[:, t, :, None] * (state + ((1 - lam) * dt)[:, t, :, None] * before)
            state, before = state + (lam * dt)[:, t, :, None] * write, write
            out.append(torch.einsum("rhn,hnp,rhp->hp", C[:, :, t], state, mimo_o))
        return torch.stack(out, 1)

    ones = lambda j: torch.eye(N)[:, j, None, None].expand(-1, 2, 4)
    maps = torch.stack([answers(ones(j)).mean(-1) for j in range(N)], -1)
    finish(case, {"type": "mamba3", "ranks": R}, maps, answers(case.v.transpose(0, 1)), name="mamba3_of_several_inputs")


def build_mega():
    for seed, heads, is_causal, has_step in [(1508, 1, True, False), (1509, 2, False, False), (1530, 2, True, True),
                                             (1531, 1, False, True)]:
        case = Heads(seed, n=N, heads=heads)
        d, x = case.d, case.q
        del case.parameters["W_k"], case.parameters["W_v"]
        alpha, delta = (torch.sigmoid(case.add("ema_" + name, draw(d, 3))) for name in ["alpha", "delta"])
        beta, eta = case.add("ema_beta", draw(d, 3)), case.add("ema_eta", draw(d, 3))
        state, means = torch.zeros(heads, d, 3), []
        for t in range(N):
            state = (1 - alpha * delta) * state + alpha * beta * x[:, t, :, None]
            means.append((eta * state).sum(-1) / math.sqrt(3))
        m = F.silu(torch.stack(means, 1) + case.add("ema_omega", draw(d)) * x)
        layer = lambda name, y: y @ case.add("W_" + name, draw(d, d, scale=0.5)) + case.add("b_" + name, draw(d))
        z = F.silu(layer("average", m))
        q = case.add("gamma_q", draw(d)) * z + case.add("beta_q", draw(d))
        k = case.add("gamma_k", draw(d)) * z + case.add("beta_k", draw(d))
        bias = case.add("distance_bias", draw(2, N))
        far = torch.arange(N)[None] - torch.arange(N)[:, None]
        allowed = causal(N) if is_causal else torch.ones(N, N, dtype=torch.bool)
        scores = q @ k.transpose(1, 2) / (allowed.sum(-1, keepdim=True) if has_step else math.sqrt(d))
        scores = scores + bias[(far > 0).long(), far.abs()]
        weights = torch.softmax(scores.masked_fill(~allowed, float("-inf")), -1)
        if has_step:
            bell = torch.distributions.Normal(math.sqrt(1 / 2), math.sqrt(1 / (4 * math.pi)))
            weights = bell.cdf(scores) * allowed
        found = weights @ F.silu(layer("unit_value", x)) * F.silu(layer("unit_reset", m))
        h = F.silu(layer("unit_candidate", m) + found @ case.add("U_unit", draw(d, d, scale=0.5)))
        u = torch.sigmoid(layer("unit_update", m))
        step = {"weigh": "laplace"} if has_step else {}
        finish(case, {"type": "mega", "averages": 3} | step, weights, u * h + (1 - u) * x,
               name=f"mega_of_{heads}_heads" + ("_by_a_step" if has_step else ""), is_causal=is_causal, stages={"moving_average": m})


def build_hgrn():
    for seed, least in [(1510, 0.0), (1511, 0.3)]:
        case = Heads(seed, n=N)
        f = least + (1 - least) * torch.sigmoid(case.k)
        state, held, states, maps = torch.zeros(2, 4), torch.zeros(2, 4, N), [], []
        for t in range(N):
            state = f[:, t] * state + (1 - f[:, t]) * F.silu(case.v[:, t])
            held = f[:, t, :, None] * held
            held[:, :, t] = 1 - f[:, t]
            states.append(state)
            maps.append(held.mean(1))
        states = torch.stack(states, 1)
        finish(case, {"type": "hgrn", "lower_bound": least}, torch.stack(maps, 1), F.silu(case.q) * states,
               name=f"hgrn_{seed}", stages={"feature_states": states})


def build_lightning():
    for seed, silu, layer in [(1512, "queries_keys", 3), (1513, "all", 1)]:
        case = Heads(seed, n=N)
        slopes = torch.tensor([2.0 ** -4, 2.0 ** -8]) * (1 - (layer - 1) / 4 + 1e-5)
        case.q, case.k = F.silu(case.q), F.silu(case.k)
        if silu == "all":
            case.v = F.silu(case.v)
        far = torch.arange(N)[:, None] - torch.arange(N)[None]
        weights = (case.products() * torch.exp(-slopes[:, None, None] * far)).tril()
        finish(case, {"type": "retention", "decays": "layer", "layer": layer, "layers": 5, "silu": silu,
                      "scaled": False}, weights, name="lightning_" + silu)


def build_hashes():
    """The filter along the values of YOSO."""
    case = Heads(1514, n=N)
    cosines = F.normalize(case.q, dim=-1) @ F.normalize(case.k, dim=-1).transpose(1, 2)
    weights = (1 - torch.acos(cosines) / math.pi) ** 4
    kernel = case.add("value_filter", draw(2, 5))
    near = torch.stack([F.conv1d(v.T[:, None], w[None, None], padding=2)[:, 0].T for v, w in zip(case.v, kernel)])
    finish(case, {"type": "yoso", "hashes": 4, "convolution": 5}, weights,
           F.normalize(weights @ case.v, dim=-1) + near, name="yoso_with_filter", is_causal=False)


def build_attention_free():
    """AFT-conv: a bias for each distance below 2 and each head."""
    case = Heads(1521, n=N)
    w = case.add("distance_biases", draw(2, 3))
    far = torch.arange(N)[None] - torch.arange(N)[:, None] + 1
    biases = torch.where((far >= 0) & (far < 3), w[:, far.clamp(0, 2)], torch.zeros(2, N, N))
    exponents = case.k[:, None] + biases[..., None]  # [h, n, m, d]
    by_channel(case, exponents.permute(1, 2, 0, 3).flatten(2),
               {"type": "attention_free", "biases": "conv", "window": 2}, "attention_free_conv", is_causal=False)


def hidden_layers(case, t, L, bands):
    angles = torch.linspace(1e-4, bands - 1, bands)[None] * 2 * math.pi * t / L
    z = torch.cat([t / (L - 1), torch.cos(angles), -torch.sin(angles)], -1)
    for layer, width in [("1", 2 * bands + 1), ("2", 5)]:
        z = torch.sin(z @ case.add("W_filter_" + layer, draw(width, 5, scale=0.5))
                      + case.add("b_filter_" + layer, draw(5)))
    return z


def build_filters():
    """S4 by its recurrence, and Hyena of order 3 by two convolutions."""
    case = Heads(1515, n=N)
    states = 3
    r = torch.sqrt(2.0 * torch.arange(states) + 1)
    A = -torch.tril(torch.outer(r, r), -1) - torch.diag(torch.arange(states) + 1.0)
    A = A + case.add("A_more", draw(states, states, scale=0.2))
    step, C = torch.exp(case.add("filter_step", draw(8, scale=0.5))), case.add("C_real", draw(8, states))
    filters = torch.zeros(8, N)
    for c in range(8):
        behind = torch.eye(states) - step[c] / 2 * A
        state = torch.linalg.solve(behind, step[c] * r)
        for t in range(N):
            filters[c, t] = C[c] @ state
            state = torch.linalg.solve(behind, (torch.eye(states) + step[c] / 2 * A) @ state)
    filters[:, 0] += case.add("filter_own", draw(8))
    convolved(case, filters, "s4", {"type": "long_convolution", "filter": "matrix", "states": states, "gates": False},
              False)

    case = Heads(1516, n=N)
    L, t = 9, torch.arange(N).double()[:, None]
    z = hidden_layers(case, t, L, 2)
    window = torch.exp(-t / (L - 1) * torch.linspace(math.log(1e-2) / 1.5, math.log(1e-2) / 0.3, 8)[None].abs())
    all_filters = []
    for suffix in ["", "_2"]:
        f = (z @ case.add("W_filter_out" + suffix, draw(5, 8)) * window).T.contiguous()
        f[:, 0] += case.add("filter_own" + suffix, draw(8))
        all_filters.append(f)
    gate = (case.x @ case.add("W_between_2", draw(8, 8, scale=0.5))).T
    channels = lambda x: x.transpose(0, 1).reshape(N, -1).T
    q, k, v = channels(case.q), channels(case.k), channels(case.v)
    conv = lambda f, x: torch.fft.irfft(torch.fft.rfft(f, n=2 * N) * torch.fft.rfft(x, n=2 * N), n=2 * N)[..., :N]
    context = q * conv(all_filters[1], gate * conv(all_filters[0], k * v))
    units = torch.eye(N)[:, None].expand(-1, 8, -1)  # what each token alone gives to all others
    maps = (q * conv(all_filters[1], gate * conv(all_filters[0], k * units))).permute(1, 2, 0)
    finish(case, {"type": "long_convolution", "filter": "network", "order": 3, "length": L, "bands": 2, "hidden": 5},
           maps.reshape(2, 4, N, N).mean(1), case.split(context.T), name="hyena_of_order_3",
           stages={"channel_filters_2": all_filters[1]})


def build_learners():
    """Gradients by automatic differentiation, batch by batch."""
    for seed, norm, layers, is_mean in [(1517, True, 1, False), (1518, True, 2, True), (1519, False, 2, False)]:
        case = Heads(seed, n=N)
        beta = torch.sigmoid(case.x @ case.add("W_beta", draw(8, 2, scale=0.5)) + case.add("b_beta", draw(2))).T
        shapes = [("", 4, 4)] if layers == 1 else [("_1", 4, 3), ("_2", 3, 4)]
        weights = [(case.add("W_learner" + name, draw(2 * rows, columns, scale=0.5)).reshape(2, rows, columns),
                    case.add("b_learner" + name, draw(2 * columns, scale=0.5)).reshape(2, 1, columns))
                   for name, rows, columns in shapes]
        if norm:
            gamma = case.add("gamma_learner", draw(8) + 1).reshape(2, 1, 4)
            shift = case.add("beta_learner", draw(8, scale=0.3)).reshape(2, 1, 4)
        keys = case.k if norm else F.normalize(case.k, dim=-1)
        normed = lambda y: gamma * F.layer_norm(y, (4,), eps=1e-6) + shift if norm else y
        target = case.v - case.k if norm else case.v

        def learner(x, params):
            hidden = x
            for index, (W, b) in enumerate(params):
                hidden = x if index == 0 else F.gelu(answer, approximate="tanh")
                answer = hidden @ W + b
            return hidden, answer

        q, batch = case.q / math.sqrt(case.d), 4
        begun, context, rows, along = weights, [], torch.zeros(2, N, N), []
        for t in range(N):
            first = t // batch * batch
            if t == first and t:
                begun = now
            # Each head has a learner of its own; the answers' gradients are those of the tokens of the batch so far.
            params = [(W.clone().requires_grad_(), b.clone().requires_grad_()) for W, b in begun]
            tokens = slice(first, t + 1)
            hidden, answer = learner(keys[:, tokens], params)
            size = beta[:, tokens] / (t - first + 1 if is_mean else 1)
            loss = (((normed(answer) - target[:, tokens]) ** 2).sum(-1) / 2 * size).sum()
            flat = torch.autograd.grad(loss, [x for pair in params for x in pair])
            now = [(W.detach() - flat[2 * i], b.detach() - flat[2 * i + 1]) for i, (W, b) in enumerate(params)]
            asked, out = learner(q[:, t:t + 1], now)
            context.append(case.q[:, t:t + 1] + normed(out) if norm else out)
            along = along[:first] + [hidden[:, i].detach() for i in range(t - first + 1)]
            for j in range(t + 1):
                part = (t - first + 1 if j >= first else batch) if is_mean else 1
                rows[:, t, j] = beta[:, j] / part * ((asked[:, 0] * along[j]).sum(-1) + 1)
        spec = {"type": "ttt", "norm": norm, "learner": "mlp" if layers == 2 else "linear", "mean": is_mean}
        finish(case, spec | ({"units": 3} if layers == 2 else {}), rows.detach(), torch.cat(context, 1).detach(),
               name=f"ttt_{spec['learner']}_{'norm' if norm else 'plain'}")


def build_curvature():
    """The preconditioned delta rule with a gate for each feature."""
    case = Heads(1520, n=N)
    beta, counted = torch.sigmoid(number(case, "beta")), torch.sigmoid(number(case, "curvature"))
    center = case.add("curvature_center", draw(2, scale=0.5))[:, None]
    raw = case.split(case.x @ case.add("W_alpha", draw(8, 8, scale=0.5)) + case.add("b_alpha", draw(8)))
    keep = torch.exp(-torch.exp(case.add("A_log", draw(2)))[:, None, None] * F.softplus(raw))
    fade = number(case, "dt_curvature")
    left = torch.exp(-torch.exp(case.add("A_log_curvature", draw(2)))[:, None, None] * F.softplus(fade))
    key, squares, factors = F.normalize(case.k, dim=-1), torch.zeros(2, case.d), []
    for t in range(N):
        squares = left[:, t] * squares + counted[:, t] * key[:, t] ** 2
        r = torch.log(squares + 1e-6) - center
        factors.append(torch.exp(-math.log(1.5) * r / (1 + r.abs())))
    factors = torch.stack(factors, 1)

    def step(state, value, t):
        state = keep[:, t, :, None] * state
        error = beta[:, t] * (value - torch.einsum("hd,hdv->hv", key[:, t], state))
        return state + outer(factors[:, t] * key[:, t], error)

    finish(case, {"type": "precond_delta", "gates": "feature"}, *recurrence(case, step),
           name="precond_delta_by_feature", stages={"preconditioner": factors})


def build():
    build_features()
    build_balanced_linear()
    build_random_features()
    build_polarity()
    build_near_and_far()
    build_delta_correction()
    build_mamba3()
    build_mamba3_of_several_inputs()
    build_mega()
    build_hgrn()
    build_lightning()
    build_hashes()
    build_attention_free()
    build_filters()
    build_learners()
    build_curvature()
