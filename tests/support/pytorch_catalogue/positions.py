"""Position terms: two heads of learned projections over one sequence."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, row


def distances(n):
    """i - j"""
    return torch.arange(n)[:, None] - torch.arange(n)[None]


def finish(case, name, spec, scores, allowed=None, stages=None):
    case.row("position", name, spec, masked_softmax(scores, allowed), stages=stages)


CAUSAL = {"mask": {"type": "causal"}}


# Rotations, as products of complex numbers.

def frequencies(d, base=10000.0):
    return base ** (-torch.arange(0, d, 2).to(torch.float64) / d)


def rotate(vectors, angles, layout, size=1.0):
    """vectors [h, n, d], angles [n, d / 2]"""
    d = vectors.shape[-1]
    pairs = (vectors.reshape(*vectors.shape[:-1], d // 2, 2) if layout == "interleaved"
             else torch.stack([vectors[..., :d // 2], vectors[..., d // 2:]], -1))
    turned = torch.view_as_real(torch.view_as_complex(pairs.contiguous())
                                * torch.polar(torch.as_tensor(size).expand(angles.shape).clone(), angles))
    return turned.flatten(-2) if layout == "interleaved" else torch.cat(turned.unbind(-1), -1)


def rope(number, name, options, theta, layout="half", size=1.0, dimensions=None, n=6, width=16):
    case = Heads(number, n=n, width=width)
    angles = torch.arange(n).to(torch.float64)[:, None] * theta(dimensions or case.d)
    dimensions = dimensions or case.d
    turn = lambda x: torch.cat([rotate(x[..., :dimensions], angles, layout, size), x[..., dimensions:]], -1)
    scores = turn(case.q) @ turn(case.k).transpose(1, 2) / math.sqrt(case.d)
    finish(case, name, {"position": {"type": "rope"} | options}, scores, stages={"scaled_scores": scores})


def fope(number, name, options, ignores_zero, length, kv_heads=2):
    """FourierEmbedding of the authors' code with separate bases and heads; fourier_ignore_zero is `ignores_zero`."""
    n, d, pairs = 7, 16, 8
    case = Heads(number, n=n, width=2 * d, kv_heads=kv_heads)
    if kv_heads == 1:
        case.spec["heads"] = {"type": "multi_query", "heads": 2}
    inv_freq = frequencies(d)
    inv_freq[inv_freq < 2 * math.pi / length] = 0
    if ignores_zero:
        inv_freq = inv_freq[inv_freq != 0]
    input_dim = len(inv_freq)
    output_dim = min(input_dim, d // 4) if ignores_zero else pairs
    step_eye = torch.zeros(input_dim, output_dim)
    step = math.ceil(input_dim / output_dim)
    for i in range(output_dim):
        if i * step < input_dim:
            step_eye[i * step, i] = 1
    coef = lambda key: step_eye + case.add(key, draw(kv_heads * input_dim, output_dim, scale=0.3)).reshape(
        kv_heads, input_dim, output_dim)
    cos_coef, sin_coef = coef("fope_cosines"), coef("fope_sines")
    freqs = torch.arange(n).to(torch.float64)[:, None] * inv_freq

    def turn(t):
        series = lambda waves, coefs: F.pad(torch.einsum("tD, hDd -> htd", waves, coefs), (0, pairs - output_dim), value=1)
        cos, sin = (torch.cat([x, x], -1) for x in [series(freqs.cos(), cos_coef), series(freqs.sin(), sin_coef)])
        first, second = t.chunk(2, -1)
        return t * cos + torch.cat([-second, first], -1) * sin

    scores = turn(case.q) @ turn(case.k).transpose(1, 2) / math.sqrt(d)
    case.row("position", name, {"position": {"type": "fope", "original_length": length} | options} | CAUSAL,
             masked_softmax(scores, causal(n)), torch.softmax(scores.masked_fill(~causal(n), float("-inf")), -1) @ case.v)


def yarn(d, factor=4.0, original=64, base=10000.0):
    """As Hugging Face's modeling_rope_utils; the ramp runs over the pairs."""
    place = lambda turns: d * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(base))
    low, high = max(math.floor(place(32)), 0), min(math.ceil(place(1)), d - 1)
    ramp = torch.clamp((torch.arange(d // 2).to(torch.float64) - low) / max(high - low, 0.001), 0, 1)
    return frequencies(d, base) * (1 - ramp) + frequencies(d, base) / factor * ramp


def yarn_by_turns(d, factor=4.0, original=64, base=10000.0):
    """As the paper writes it: the ramp runs over the turns within the original length."""
    theta = frequencies(d, base)
    kept = torch.clamp((original * theta / (2 * math.pi) - 1) / (32 - 1), 0, 1)
    return (1 - kept) * theta / factor + kept * theta


def fastest(share):
    """As the listing in the appendix of Barbero et al.: the slow timescales are infinite."""
    def theta(d, base=10000.0):
        turned = int(share * d // 2)
        timescale = base ** (2 / d * torch.arange(turned).to(torch.float64))
        return 1 / F.pad(timescale, (0, d // 2 - turned), value=math.inf)
    return theta


def llama3(d, factor=8.0, original=16, base=10000.0):
    theta = frequencies(d, base)
    wavelength = 2 * math.pi / theta
    smooth = (original / wavelength - 1.0) / (4.0 - 1.0)
    between = (1 - smooth) * theta / factor + smooth * theta
    return torch.where(wavelength > original / 1.0, theta / factor,
                       torch.where(wavelength < original / 4.0, theta, between))


def build_rotations():
    rope(300, "rope_half", {}, frequencies)

    # Half of each token is that of the one before, as shift_tokens of x-transformers has it.
    case = Heads(368, n=6)
    shifted = torch.cat([case.x[:, :4], F.pad(case.x[:, 4:], (0, 0, 1, -1))], 1)
    q, k, v = (case.split(shifted @ case.parameters[name]) for name in ["W_q", "W_k", "W_v"])
    weights = masked_softmax(q @ k.transpose(1, 2) / 2, causal(6))
    case.row("position", "token_shift",
             {"position": {"type": "convolutional", "kernel": "shift", "size": 2, "window": "past"}} | CAUSAL,
             weights, weights @ v)

    # The last two heads of four turn, as rotate_num_heads of x-transformers has it; one pair each, of speed 1.
    case = Heads(367, n=6, heads=4)
    angles = torch.cat([torch.zeros(2, 6), torch.arange(6.0).expand(2, -1)])
    turned = lambda x: torch.view_as_real(torch.view_as_complex(x.contiguous())
                                          * torch.polar(torch.ones_like(angles), angles))
    finish(case, "rope_of_two_heads", {"position": {"type": "rope", "turned_heads": 2}},
           turned(case.q) @ turned(case.k).transpose(1, 2) / math.sqrt(2))
    # RoPE++: the imaginary part of the complex products beside their real part, with one query, key and value. The paper
    # writes it as minus that of their conjugates.
    case = Heads(2112, n=6, width=16, heads=4, kv_heads=2,
                 spec={"heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}})
    q, k = (torch.view_as_complex(t.view(2, 6, 2, 2).transpose(2, 3).contiguous()) for t in (case.q[::2], case.k))
    turns = torch.polar(torch.ones(6, 2), torch.arange(6.0)[:, None] * frequencies(4))
    products = torch.einsum("hip,hjp->hij", q * turns, (k * turns).conj())
    scores = torch.stack([products.real, products.imag], 1).reshape(4, 6, 6) / 2
    weights = masked_softmax(scores, causal(6))
    case.row("position", "rope_of_quarter_heads",
             {"position": {"type": "rope", "quarter_heads": True}} | CAUSAL, weights,
             weights @ case.v.repeat_interleave(2, 0), {"scaled_scores": scores})
    rope(301, "rope_interleaved", {"layout": "interleaved", "base": 500}, lambda d: frequencies(d, 500.0),
         "interleaved")
    rope(302, "rope_partial", {"dimensions": 4}, frequencies, dimensions=4)
    rope(303, "rope_linear", {"scaling": "linear", "factor": 4}, lambda d: frequencies(d) / 4)
    rope(304, "rope_ntk", {"scaling": "ntk", "factor": 4}, lambda d: frequencies(d, 10000.0 * 4 ** (d / (d - 2))))
    rope(305, "rope_dynamic_ntk", {"scaling": "dynamic_ntk", "factor": 2, "original_length": 4},
         lambda d: frequencies(d, 10000.0 * ((2 * 6 / 4) - (2 - 1)) ** (d / (d - 2))))
    rope(306, "rope_yarn", {"scaling": "yarn", "factor": 4, "original_length": 64}, yarn,
         size=0.1 * math.log(4.0) + 1)
    rope(307, "rope_llama3", {"scaling": "llama3", "factor": 8, "original_length": 16}, llama3)
    rope(309, "rope_yarn_by_turns",
         {"scaling": "yarn", "yarn_ramp": "turns", "factor": 4, "original_length": 64}, yarn_by_turns,
         size=0.1 * math.log(4.0) + 1)
    factors = torch.tensor([1.0, 1.3, 2.0, 5.0])  # Phi3LongRoPEScaledRotaryEmbedding, behind the original length
    rope(393, "rope_longrope", {"scaling": "longrope", "factor": 4, "original_length": 16,
                                "pair_factors": [100, 130, 200, 500]}, lambda d: frequencies(d) / factors,
         size=math.sqrt(1 + math.log(4) / math.log(16)))
    for number, share in [(350, 0.25), (351, 0.6)]:
        rope(number, f"rope_p_{round(100 * share)}", {"turned_share": share}, fastest(share))

    case = Heads(308, n=6, width=16)
    d, places = case.d, torch.arange(6).to(torch.float64)[:, None]
    zeta = ((torch.arange(0, d, 2) / d + 0.4) / 1.4) ** (places / 64)
    angles = places * frequencies(d)
    turn = lambda x, size: rotate(x, angles, "interleaved", size)
    scores = turn(case.q, zeta) @ turn(case.k, 1 / zeta).transpose(1, 2) / math.sqrt(d)
    finish(case, "xpos", {"position": {"type": "xpos", "scale_base": 64}} | CAUSAL, scores, causal(6))


# Positions of several coordinates.

def scene(n, columns, rows=None, text=0):
    """Position ids as Qwen2-VL counts them: frame, row and column [3, n] of a text and the cells behind it."""
    cells = torch.arange(n - text)
    frame_size = columns * (rows or n)
    ids = torch.stack([cells // frame_size, cells % frame_size // columns, cells % columns])
    return torch.cat([torch.arange(text).expand(3, -1), ids + text], 1)


def grid_rope(number, name, options, angles, layout="half", n=8):
    """angles(d): those of every pair [n, d / 2]"""
    case = Heads(number, n=n, width=16)
    turned = [rotate(x, angles(case.d), layout) for x in [case.q, case.k]]
    scores = turned[0] @ turned[1].transpose(1, 2) / math.sqrt(case.d)
    finish(case, name, {"position": {"type": "grid_rope"} | options}, scores,
           stages={"rotated_query": turned[0], "rotated_key": turned[1]})


def sam_2_memory(number):
    """SAM 2's RoPEAttention of a frame of 2 x 2 cells to two earlier ones and two object pointers behind them. Its first
    half of the pairs is turned by columns: features change places before, and their products stay."""
    case = Cross(number, 4, 10, 8)
    columns_first = torch.cat([torch.arange(4, 8), torch.arange(4)])
    freqs = 1.0 / 10000 ** (torch.arange(0, 8, 4)[:2] / 8)
    t = torch.arange(4).to(torch.float64)
    freqs = torch.cat([torch.outer(t % 2, freqs), torch.outer(torch.div(t, 2, rounding_mode="floor"), freqs)], -1)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)

    def turned(x, cis):
        return torch.view_as_real(torch.view_as_complex(x.reshape(len(x), -1, 2)) * cis).flatten(1)

    q, k = case.query[:, columns_first], case.key[:, columns_first]
    k = torch.cat([turned(k[:8], freqs_cis.repeat(2, 1)), k[8:]])
    weights = torch.softmax(turned(q, freqs_cis) @ k.T / math.sqrt(8), -1)
    row("position", "grid_rope_of_earlier_frames",
        case.spec | {"position": {"type": "grid_rope", "columns": 2, "rows": 2, "unplaced": 2, "layout": "interleaved"}},
        case.inputs, {}, weights, weights @ case.value)


def axial(n, columns):
    """Half of the pairs for the rows, half for the columns, as Qwen2-VL's VisionRotaryEmbedding."""
    _, row, column = scene(n, columns).to(torch.float64)
    return lambda d: torch.cat([torch.outer(row, frequencies(d // 2)), torch.outer(column, frequencies(d // 2))], -1)


def m_rope(ids, sections):
    """Angles of all pairs by each coordinate, then of each section its own: mrope_section of Qwen2-VL."""
    def angles(d):
        each = ids.to(torch.float64)[..., None] * frequencies(d)
        return torch.cat([chunk[i % 3] for i, chunk in enumerate(each.split(sections, dim=-1))], -1)
    return angles


def offsets_of_window(n, columns, window):
    """Swin's relative_position_index over a grid of which farther offsets are held at the border."""
    row, column = torch.arange(n) // columns, torch.arange(n) % columns
    away = lambda x: (x[:, None] - x[None]).clamp(1 - window, window - 1) + window - 1
    return away(row) * (2 * window - 1) + away(column)


def grid_bias(number, name, options, columns, network=None, heads=2, n=8):
    case = Heads(number, n=n, heads=heads)
    if network is None:
        window = options["window"]
        table = case.add("grid_table", draw((2 * window - 1) ** 2, heads))
        bias = table[offsets_of_window(n, columns, window)].permute(2, 0, 1)
    else:
        cells = torch.stack([torch.arange(n) // columns, torch.arange(n) % columns], -1).to(torch.float64)
        bias = network(case, cells[:, None] - cells[None])
    finish(case, name, {"position": options | {"columns": columns}}, case.products() / math.sqrt(case.d) + bias,
           stages={"position_bias": bias})


def continuous(squeeze, shape):
    def bias(case, offsets):
        W_1, b_1, W_2 = (case.add(name, draw(*extent)) for name, extent in
                         [("W_grid_1", (2, 5)), ("b_grid_1", (5,)), ("W_grid_2", (5, case.heads))])
        return shape(F.relu(squeeze(offsets) @ W_1 + b_1) @ W_2).permute(2, 0, 1)
    return bias


def dynamic_bias(number, name, options, columns=0, n=7, spec=None):
    """torch's own layers: Linear, LayerNorm, SiLU or ReLU."""
    case = Heads(number, n=n)
    hidden, depth = 4, options.get("depth", 2)
    linear = lambda inside, outside, W, b: load(torch.nn.Linear(inside, outside), case, W, b)
    layers = []
    for l in range(1, depth + 1):
        layers.append(linear((2 if columns else 1) if l == 1 else hidden, hidden, f"W_offset_{l}", f"b_offset_{l}"))
        if options.get("norm"):
            norm = torch.nn.LayerNorm(hidden)
            norm.weight.data = case.add(f"g_offset_{l}", draw(hidden))
            norm.bias.data = case.add(f"s_offset_{l}", draw(hidden))
            layers.append(norm)
        layers.append(torch.nn.ReLU() if options.get("activation") == "relu" else torch.nn.SiLU())
    layers.append(linear(hidden, 2, "W_offset_out", "b_offset_out"))
    places = torch.arange(n).to(torch.float64)
    coordinates = [torch.div(places, columns, rounding_mode="floor"), places % columns] if columns else [places]
    offsets = torch.stack([x[:, None] - x[None] for x in coordinates], -1)
    if options.get("logarithm"):
        offsets = torch.sign(offsets) * torch.log(1 + offsets.abs())
    bias = torch.nn.Sequential(*layers)(offsets).permute(2, 0, 1).detach()
    finish(case, name, {"position": {"type": "dynamic_bias", "columns": columns, "hidden": hidden} | options}
           | (spec or {}), case.products() / math.sqrt(case.d) + bias, causal(n) if spec else None,
           {"position_bias": bias})


def load(layer, case, W, b):
    layer.weight.data = case.add(W, draw(layer.in_features, layer.out_features)).T
    layer.bias.data = case.add(b, draw(layer.out_features))
    return layer


def pope(number, name, kv_heads, spec):
    """Complex numbers of the sizes and phases; the real part of q* k."""
    case = Heads(number, n=6, kv_heads=kv_heads, spec=spec)
    delta = case.add("delta_pope", draw(kv_heads, case.d, scale=3.0)).clamp(-2 * math.pi, 0)
    theta = 10000.0 ** (-torch.arange(case.d).to(torch.float64) / case.d)
    phases = torch.arange(6).to(torch.float64)[:, None] * theta
    q = torch.polar(F.softplus(case.q), phases.expand(2, -1, -1).clone())
    k = torch.polar(F.softplus(case.k), phases + delta[:, None]).repeat_interleave(2 // kv_heads, 0)
    scores = (q.conj() @ k.transpose(1, 2)).real / math.sqrt(case.d)
    case.v = case.v.repeat_interleave(2 // kv_heads, 0)
    finish(case, name, {"position": {"type": "pope"}} | CAUSAL, scores, causal(6))


def build_grids():
    fope(396, "fope", {}, True, 100)
    fope(397, "fope_of_all_pairs", {"slow": "still"}, False, 20, kv_heads=1)
    grid_rope(352, "grid_rope", {"columns": 3}, axial(8, 3))
    grid_rope(353, "grid_rope_interleaved", {"columns": 3, "layout": "interleaved"}, axial(8, 3), "interleaved")
    grid_rope(354, "m_rope", {"columns": 2, "rows": 2, "text": 2, "sections": [1, 2, 1], "speeds": "shared"},
              m_rope(scene(8, 2, 2, 2), [1, 2, 1]))
    sam_2_memory(2150)
    grid_bias(355, "grid_bias", {"type": "grid_bias", "window": 2}, 3)
    grid_bias(356, "grid_bias_of_a_wide_window", {"type": "grid_bias", "window": 3}, 3)
    grid_bias(357, "grid_bias_continuous", {"type": "grid_bias", "form": "continuous", "hidden": 5}, 3,
              continuous(lambda x: torch.sign(x) * torch.log(1 + x.abs()), lambda x: x))
    grid_bias(358, "grid_bias_released", {"type": "grid_bias", "form": "released", "hidden": 5, "window": 3}, 3,
              continuous(lambda x: torch.sign(x) * torch.log2(x.abs() * 8 / 2 + 1) / math.log2(8),
                         lambda x: 16 * torch.sigmoid(x)))
    dynamic_bias(359, "dynamic_bias", {})
    dynamic_bias(360, "dynamic_bias_of_logarithms", {"logarithm": True, "depth": 1}, spec=CAUSAL)
    dynamic_bias(361, "dynamic_bias_on_a_grid", {"norm": True, "activation": "relu", "depth": 3}, 3)
    pope(362, "pope", 2, {})
    pope(363, "pope_of_shared_keys", 1, {"heads": {"type": "multi_query", "heads": 2}})


# What is added to the token vectors.

def build_added():
    steps = torch.arange(5).to(torch.float64)[:, None] * frequencies(8)
    table = torch.nn.Embedding(5, 8)
    for number, kind in enumerate(["learned", "sinusoidal"], start=310):
        case = Heads(number, n=5)
        if kind == "learned":
            table.weight.data = case.add("E_pos", draw(5, 8))
            term = table(torch.arange(5))
        else:
            term = torch.stack([steps.sin(), steps.cos()], -1).flatten(-2)
        q, k, v = (case.split((case.x + term) @ case.parameters[W]) for W in ["W_q", "W_k", "W_v"])
        weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), -1)
        case.row("position", kind, {"position": {"type": kind}}, weights, weights @ v, stages={"position": term})
    # A table of four places, stretched over seven.
    case = Heads(312, n=7)
    rows = case.add("E_pos", draw(4, 8))
    term = F.interpolate(rows.T[None], size=7, mode="linear", align_corners=True)[0].T
    q, k, v = (case.split((case.x + term) @ case.parameters[W]) for W in ["W_q", "W_k", "W_v"])
    weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), -1)
    case.row("position", "learned_stretched", {"position": {"type": "learned", "trained": 4}}, weights, weights @ v,
             stages={"position": term})


# Learned vectors and numbers of distances.

def shaw(number, name, values):
    case = Heads(number, n=6)
    a_K = case.add("a_K", draw(5, case.d))
    index = torch.clamp(-distances(6), -2, 2) + 2
    scores = (case.products() + torch.einsum("hid,ijd->hij", case.q, a_K[index])) / math.sqrt(case.d)
    weights = torch.softmax(scores, -1)
    context = weights @ case.v
    if values:
        a_V = case.add("a_V", draw(5, case.d))
        context = context + torch.einsum("hij,ijd->hid", weights, a_V[index])
    case.row("position", name, {"position": {"type": "shaw", "distance": 2, "values": values}}, weights, context)


def t5_bucket(relative, bidirectional, buckets, most):
    """Raffel et al.'s own code, as Hugging Face has it; relative = key - query."""
    result = torch.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        result = (relative > 0).long() * buckets
        relative = relative.abs()
    else:
        relative = -torch.clamp(relative, max=0)
    exact = buckets // 2
    far = exact + (torch.log(relative.clamp(min=1) / exact) / math.log(most / exact) * (buckets - exact)).long()
    return result + torch.where(relative < exact, relative, far.clamp(max=buckets - 1))


def t5(number, name, bidirectional):
    case = Heads(number, n=10, width=4)
    table = case.add("relative_bias", draw(8, 2))
    bias = table[t5_bucket(-distances(10), bidirectional, 8, 9)].permute(2, 0, 1)
    spec = {"score": {"type": "dot"},
            "position": {"type": "t5", "buckets": 8, "max_distance": 9, "bidirectional": bidirectional}}
    finish(case, name, spec | ({} if bidirectional else CAUSAL), case.products() + bias,
           None if bidirectional else causal(10), {"position_bias": bias})


def gated_t5(number):
    """WavLM's attention as Hugging Face has it: eight numbers of each head's part of a token, four for each gate."""
    case = Heads(number, n=8, width=8)
    table = case.add("relative_bias", draw(8, 2))
    linear, bias, const = draw(4, 8), draw(8), draw(2)
    case.add("W_bias_gate", linear.view(4, 2, 4).sum(-1))
    case.add("b_bias_gate", bias.view(2, 4).sum(-1))
    case.add("c_bias_gate", const)
    parts = case.x.view(8, 2, 4).permute(1, 0, 2)
    a, b = torch.sigmoid((parts @ linear + bias).view(2, 8, 2, 4).sum(-1)).chunk(2, dim=-1)
    gate = a * (b * const.view(2, 1, 1) - 1.0) + 2.0
    biases = gate * table[t5_bucket(-distances(8), True, 8, 9)].permute(2, 0, 1)
    finish(case, "t5_gated", {"position": {"type": "t5", "buckets": 8, "max_distance": 9, "gate": True}},
           case.products() / math.sqrt(case.d) + biases, None, {"position_bias": biases, "bias_gate": gate})


def page(number, name, options, boxes=None, n=8):
    """LayoutLMv2's _calculate_1d and 2d_position_embeddings: the left edge of each box and its lower one, key minus
    query; over the root in LayoutLMv3."""
    case = Heads(number, n=n, width=8)
    line, x, y = (case.add(key, draw(rows, 2)) for key, rows in [("line_table", 8), ("x_table", 16), ("y_table", 16)])
    places = torch.arange(n)
    lefts, bottoms = boxes if boxes else (40 * (places % 3), 40 * (places // 3))

    def of(table, at, buckets, most):
        return table[t5_bucket(at[None] - at[:, None], True, buckets, most)].permute(2, 0, 1)

    parts = {"line_biases": of(line, places, 8, 9), "column_biases": of(x, torch.as_tensor(lefts), 16, 90),
             "row_biases": of(y, torch.as_tensor(bottoms), 16, 90)}
    bias = sum(parts.values()) / (math.sqrt(case.d) if options.get("scaled") else 1)
    given = {"lefts": boxes[0], "bottoms": boxes[1]} if boxes else {"columns": 3}
    spec = {"position": {"type": "page", "buckets": 8, "max_distance": 9, "page_buckets": 16, "page_distance": 90}
            | given | options}
    finish(case, name, spec, case.products() / math.sqrt(case.d) + bias, None, {"position_bias": bias} | parts)


def alibi_slopes(heads):
    """The authors' get_slopes: powers of two, then every second slope of twice as many."""
    power = lambda n: [2 ** (-8 / n * (h + 1)) for h in range(n)]
    below = 2 ** math.floor(math.log2(heads))
    return torch.tensor(power(below) + power(2 * below)[0::2][:heads - below])


def alibi(number, name, form, heads, width, options=None, is_causal=True):
    case = Heads(number, n=6, width=width, heads=heads)
    away = {"signed": distances(6), "absolute": distances(6).abs(), "key_only": -torch.arange(6)[None].expand(6, -1)}
    slopes = alibi_slopes(heads) if options is None else torch.full((heads,), options["slope"])
    bias = -slopes[:, None, None] * away[form]
    spec = {"position": {"type": "alibi", "form": form} | (options or {})} | (CAUSAL if is_causal else {})
    finish(case, name, spec, case.products() / math.sqrt(case.d) + bias, causal(6) if is_causal else None)


def transformer_xl():
    """rel_shift of the authors' code: only the causal part of its result means anything."""
    case, n = Heads(330, n=6), 6
    W_r = case.add("W_r", draw(8, 8, scale=0.5))
    u, v = case.add("u_content", draw(2, 4)), case.add("u_position", draw(2, 4))
    angles = torch.arange(n - 1, -1, -1).to(torch.float64)[:, None] * frequencies(8)
    R = case.split(torch.stack([angles.sin(), angles.cos()], -1).flatten(-2) @ W_r)
    shifted = F.pad((case.q + v[:, None]) @ R.transpose(1, 2), (1, 0)).reshape(2, n + 1, n)[:, 1:]
    scores = ((case.q + u[:, None]) @ case.k.transpose(1, 2) + shifted) / math.sqrt(case.d)
    finish(case, "transformer_xl", {"position": {"type": "transformer_xl"}} | CAUSAL, scores, causal(n),
           {"content_scores": case.products()})


def deberta(number, name, terms, released=False):
    """Gathers along clamped indices; released: with the indices of Hugging Face's modeling_deberta_v2."""
    case, span = Heads(number, n=6), 2
    P = case.add("P_relative", draw(2 * span, 8))
    scores = case.products()
    relative = distances(6)
    if terms != "position_to_content":
        keys = (P @ case.add("W_kr", draw(8, 8, scale=0.5))).reshape(-1, 2, case.d).transpose(0, 1)
        index = torch.clamp(relative + span, 0, 2 * span - 1).expand(2, -1, -1)
        scores = scores + torch.gather(case.q @ keys.transpose(1, 2), -1, index)
    if terms != "content_to_position":
        queries = (P @ case.add("W_qr", draw(8, 8, scale=0.5))).reshape(-1, 2, case.d).transpose(0, 1)
        # Row j of k . q^r at delta(j, i), then turned round; the released code clamps minus the distance.
        index = torch.clamp((-relative if released else relative) + span, 0, 2 * span - 1).expand(2, -1, -1)
        scores = scores + torch.gather(case.k @ queries.transpose(1, 2), -1, index).transpose(1, 2)
    scale = math.sqrt(case.d * (3 if terms == "both" else 2))
    options = {"distance": span, "terms": terms} | ({"p2c": "released"} if released else {})
    finish(case, name, {"position": {"type": "deberta"} | options}, scores / scale)


def build_tables():
    shaw(320, "shaw", True)
    shaw(321, "shaw_without_values", False)
    t5(322, "t5_encoder", True)
    t5(323, "t5_decoder", False)
    gated_t5(336)
    page(2110, "page", {})
    page(2111, "page_of_boxes", {"scaled": True},
         ([71, 203, 518, 71, 377, 460, 71, 633], [112, 112, 112, 151, 151, 151, 907, 907]))
    alibi(324, "alibi", "signed", 2, 8)
    alibi(325, "alibi_of_6_heads", "signed", 6, 12)
    alibi(326, "alibi_absolute", "absolute", 2, 8, is_causal=False)
    alibi(327, "alibi_key_only", "key_only", 2, 8, {"slope": 0.3})
    transformer_xl()
    deberta(331, "deberta", "both")
    deberta(332, "deberta_content_to_position", "content_to_position")
    deberta(333, "deberta_position_to_content", "position_to_content")
    deberta(334, "deberta_released", "both", released=True)
    deberta(335, "deberta_released_position_to_content", "position_to_content", released=True)


# Terms of the content, and curves of the distance.

def distance_curves(number, name, n, curves, reach, spec):
    """A profile over the distance for each query and head, gathered where a key is within its reach."""
    case = Heads(number, n=n)
    states = case.split(case.x @ case.add("W_curves", draw(8, 2 * curves, scale=0.5)))
    profiles = states @ case.add("curves", draw(curves, reach))
    back = distances(n)
    bias = torch.gather(profiles, -1, back.clamp(0, reach - 1).expand(2, -1, -1))
    bias = bias.masked_fill((back < 0) | (back >= reach), 0.0)
    options = {"type": "distance_curves", "curves": curves, "reach": reach}
    finish(case, name, {"position": options} | spec, case.products() / math.sqrt(case.d) + bias,
           causal(n) if spec else None, {"position_bias": bias})


def build_contents():
    case = Heads(340, n=6)
    e_p = case.add("e_p", draw(case.d, 4))
    scores = case.products() / math.sqrt(case.d)
    gates = torch.sigmoid(scores) * causal(6)
    places = torch.flip(torch.cumsum(torch.flip(gates, [-1]), -1), [-1]).clamp(max=3)
    each = case.q @ e_p  # the authors' code: interpolation between the products with whole places
    low, high = each.gather(-1, places.floor().long()), each.gather(-1, places.ceil().long())
    part = places - places.floor()
    finish(case, "cope", {"position": {"type": "cope", "positions": 4}} | CAUSAL,
           scores + high * part + low * (1 - part), causal(6), {"gates": gates, "counted_positions": places})

    case = Heads(341, n=6)
    W_f, b_f = case.add("W_f", draw(8, 2, scale=0.5)), case.add("b_f", draw(2))
    decay = torch.cumsum(F.logsigmoid(case.x @ W_f + b_f), 0).T
    bias = decay[:, :, None] - decay[:, None]
    finish(case, "forgetting", {"position": {"type": "forgetting"}} | CAUSAL,
           case.products() / math.sqrt(case.d) + bias, causal(6))

    # x-transformers' DataDependentAlibi without its causal flag: one projection for both kinds of gates, two cumsums.
    case = Heads(2014, n=6)
    W = torch.cat([case.add("W_f", draw(8, 2, scale=0.5)), case.add("W_f_behind", draw(8, 2, scale=0.5))], 1)
    b = torch.cat([case.add("b_f", draw(2)), case.add("b_f_behind", draw(2))])
    before, behind = F.logsigmoid(case.x @ W + b).T.cumsum(-1).chunk(2)
    bias = (before[:, :, None] - before[:, None]).tril() + (behind[:, None] - behind[:, :, None]).triu()
    finish(case, "two_sided_forgetting", {"position": {"type": "forgetting", "two_sided": True}},
           case.products() / math.sqrt(case.d) + bias, None, {"position_bias": bias})

    case = Heads(395, n=6)
    q, k = (case.split(case.x @ case.add(name, draw(8, 2 * 3, scale=0.5))) for name in ["W_gate_query", "W_gate_key"])
    numbers = q @ k.transpose(1, 2) / math.sqrt(3)
    logs = F.logsigmoid(numbers).masked_fill(torch.ones(6, 6, dtype=torch.bool).triu(), 0)
    finish(case, "pair_forgetting", {"position": {"type": "pair_forgetting", "width": 3}} | CAUSAL,
           case.products() / math.sqrt(case.d) + logs.flip(-1).cumsum(-1).flip(-1), causal(6))

    case, n = Heads(342, n=6), 6
    directions = F.normalize(case.split(case.x @ case.add("W_path", draw(8, 8, scale=0.5))), dim=-1)
    strengths = 0.8 * 2 * torch.sigmoid(case.x @ case.add("W_beta", draw(8, 2, scale=0.5))).T
    reflections = (torch.eye(case.d) - strengths[..., None, None]
                   * directions[..., :, None] * directions[..., None, :])
    scores = torch.zeros(2, n, n)
    for i in range(n):
        for j in range(i + 1):
            way = torch.eye(case.d).expand(2, -1, -1)
            for t in range(j + 1, i + 1):
                way = way @ reflections[:, t]
            scores[:, i, j] = torch.einsum("ha,hab,hb->h", case.k[:, j], way, case.q[:, i]) / math.sqrt(case.d)
    finish(case, "path", {"position": {"type": "path", "strength": 0.8}} | CAUSAL, scores, causal(6),
           {"path_directions": directions, "path_strengths": strengths})

    for number, form in enumerate(["logarithm", "power"], start=343):
        case = Heads(number, n=6)
        r_1, r_2 = case.add("r_1", torch.tensor([0.7, 1.6])), case.add("r_2", torch.tensor([1.3, 0.4]))
        r_1, r_2, far = r_1[:, None, None], r_2[:, None, None], distances(6).abs().to(torch.float64)
        bias = -r_1 * (torch.log1p(r_2 * far) if form == "logarithm" else torch.pow(far, r_2))
        finish(case, "kerple_" + form, {"position": {"type": "kerple", "form": form, "r_1": 0, "r_2": 0}},
               case.products() / math.sqrt(case.d) + bias, stages={"position_bias": bias})

    # Hard-coded Gaussian heads: a normal density around the token before, the token and the token after.
    case = Heads(366, n=6, heads=4)
    middle = torch.tensor([-1.0, 0.0, 1.0, -1.0])[:, None, None]
    place = torch.arange(6, dtype=torch.float64)
    density = torch.exp(torch.distributions.Normal(place[:, None] + middle, 1.0).log_prob(place[None, None]))
    case.row("position", "hard_coded_gaussian",
             {"score": {"type": "cosine", "beta": 0},
              "position": {"type": "kerple", "form": "power", "r_1": 0.5, "r_2": 2, "middles": [-1, 0, 1]}},
             density / density.sum(-1, keepdim=True))

    case = Heads(345, n=6)
    ratios = 8.0 * torch.arange(1, 3) / 2
    waves = torch.cos(distances(6)[..., None] * frequencies(16)).sum(-1)
    bias = waves / ratios[:, None, None]
    finish(case, "sandwich", {"position": {"type": "sandwich", "width": 16}} | CAUSAL,
           case.products() / math.sqrt(case.d) + bias, causal(6), {"position_bias": bias})

    case = Heads(346, n=7)
    network = torch.nn.Sequential(torch.nn.Linear(1, 5), torch.nn.ReLU(), torch.nn.Linear(5, 2))
    for layer, index in [(0, 1), (2, 2)]:
        inside, outside = network[layer].in_features, network[layer].out_features
        network[layer].weight.data = case.add(f"W_fire_{index}", draw(inside, outside)).T
        network[layer].bias.data = case.add(f"b_fire_{index}", draw(outside))
    psi = lambda x: torch.log(0.5 * x + 1)
    longest = torch.arange(7).to(torch.float64).clamp(min=3)[:, None]
    share = psi(distances(7).clamp(min=0).to(torch.float64)) / psi(longest)
    bias = network(share[..., None]).permute(2, 0, 1).detach()
    finish(case, "fire", {"position": {"type": "fire", "hidden": 5, "c": 0.5, "L": 3}} | CAUSAL,
           case.products() / math.sqrt(case.d) + bias, causal(7))

    distance_curves(347, "distance_curves", 7, 3, 3, {})
    distance_curves(348, "distance_curves_causal", 6, 2, 8, CAUSAL)


# Products that fade, places apart from words, tables of two offsets, distances in groups, paths of a graph.

def wall(number, name, kv_heads, spec):
    """As naive_wall_attn of flash-linear-attention: powers of 2 of cumulated gates, for pairs of one query head."""
    case = Heads(number, n=6, kv_heads=kv_heads, spec=spec)
    W, b = case.add("W_wall", draw(8, 8, scale=0.5)), case.add("b_wall", draw(8) + 1)
    P = torch.cumsum(F.logsigmoid(case.split(case.x @ W + b, 2)), 1) / math.log(2)
    k = case.k.repeat_interleave(2 // kv_heads, 0)
    case.v = case.v.repeat_interleave(2 // kv_heads, 0)
    scores = (case.q[:, :, None] * k[:, None] * torch.exp2(P[:, :, None] - P[:, None])).sum(-1) / math.sqrt(case.d)
    finish(case, name, {"position": {"type": "wall"}} | CAUSAL, scores, causal(6))


def tupe(number, name, options, resets):
    """The authors' reset: two numbers in place of the row and the column of [CLS]."""
    case = Heads(number, n=6)
    places = case.add("P_untied", draw(6, 8))
    pos_q, pos_k = (case.split(places @ case.add(U, draw(8, 8, scale=0.5))) for U in ["U_Q", "U_K"])
    scaling = float(case.d * 2) ** -0.5
    bias = (pos_q * scaling) @ pos_k.transpose(1, 2)
    if resets:
        cls_2_other, other_2_cls = case.add("theta_1", draw(2)), case.add("theta_2", draw(2))
        bias[:, :, 0] = other_2_cls.view(-1, 1)
        bias[:, 0, :] = cls_2_other.view(-1, 1)
    finish(case, name, {"position": {"type": "tupe"} | options}, case.products() * scaling + bias,
           stages={"position_bias": bias})


def get_rel_pos(size, table):
    """SAM's, of a table as long as an image has offsets: [size, size, d]"""
    coordinates = torch.arange(size)
    return table[coordinates[:, None] - coordinates[None] + size - 1]


def decomposed(number, name, rows, columns, options):
    """add_decomposed_rel_pos of SAM and MViTv2, over a whole grid; the tables hold no more than it has."""
    case = Heads(number, n=rows * columns)
    tables = [case.add(name, draw(2 * size - 1, case.d)) for name, size in [("R_h", rows), ("R_w", columns)]]
    q = case.q.reshape(2, rows, columns, case.d)
    of_rows = torch.einsum("bhwc,hkc->bhwk", q, get_rel_pos(rows, tables[0]))
    of_columns = torch.einsum("bhwc,wkc->bhwk", q, get_rel_pos(columns, tables[1]))
    terms = (of_rows[..., None] + of_columns[..., None, :]).reshape(2, rows * columns, rows * columns)
    bias = terms / math.sqrt(case.d) if options.get("scaled", True) else terms
    finish(case, name, {"position": {"type": "decomposed", "columns": columns, "window": rows} | options},
           case.products() / math.sqrt(case.d) + bias, stages={"position_bias": bias})


def rotary_values(number, name, options, layout="half", turns_products=True, spec=None):
    """As deepseek_v4 of Hugging Face: the values turned, and what comes out turned back at the query's place."""
    case, n = Heads(number, n=6, width=16), 6
    angles = torch.outer(torch.arange(n).to(torch.float64), frequencies(case.d))
    turn = lambda x, by: rotate(x, by, layout)
    q, k = [turn(x, angles) if turns_products else x for x in [case.q, case.k]]
    weights = masked_softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), causal(n) if spec else None)
    turned = weights @ turn(case.v, angles)
    case.row("position", name, {"position": {"type": "rotary_values"} | options} | (spec or {}), weights,
             turn(turned, -angles), {"turned_context": turned})


def self_extend(number, name, options, far_places, layout="half", n=9, window=3):
    """Two maps, of neighbours and of groups, merged as in the authors' self_extend_forward."""
    case = Heads(number, n=n, width=16)
    places = torch.arange(n).to(torch.float64)
    turn = lambda x, at: rotate(x, torch.outer(at, frequencies(case.d)), layout)
    group_q, group_k = far_places(places)
    neighbor = turn(case.q, places) @ turn(case.k, places).transpose(1, 2) / math.sqrt(case.d)
    group = turn(case.q, group_q) @ turn(case.k, group_k).transpose(1, 2) / math.sqrt(case.d)
    mask = torch.tril(torch.ones(n, n))
    mask[window:, :-window] -= torch.tril(torch.ones(n - window, n - window))
    finish(case, name, {"position": {"type": "self_extend", "window": window, "layout": layout} | options} | CAUSAL,
           torch.where(mask.bool(), neighbor, group), causal(n))


def dual_chunk(number, name, chunk, window, layout="half", n=11):
    """ChunkLlama's three attentions chunk by chunk, with the positions of the paper: its code has the last one more."""
    case = Heads(number, n=n, width=16)
    turn = lambda x, at: rotate(x, torch.outer(at.to(torch.float64), frequencies(case.d)), layout)
    places = torch.arange(n)
    q_t = torch.arange(chunk)
    qc_t = (q_t + chunk).clamp(max=chunk + window - 1)
    keys = turn(case.k, places % chunk)
    scores = torch.zeros(2, n, n)
    for begin in range(0, n, chunk):
        end = min(begin + chunk, n)
        queries = case.q[:, begin:end]
        scores[:, begin:end, begin:end] = turn(queries, q_t[:end - begin]) @ keys[:, begin:end].transpose(1, 2)
        previous = max(begin - chunk, 0)
        scores[:, begin:end, previous:begin] = turn(queries, qc_t[:end - begin]) @ keys[:, previous:begin].transpose(1, 2)
        farthest = torch.full((end - begin,), chunk + window - 1)
        scores[:, begin:end, :previous] = turn(queries, farthest) @ keys[:, :previous].transpose(1, 2)
    finish(case, name, {"position": {"type": "dual_chunk", "chunk": chunk, "window": window, "layout": layout}} | CAUSAL,
           scores / math.sqrt(case.d), causal(n))


def places_in_cache(number, name, layout="half"):
    """StreamingLLM step by step: what the cache holds is turned by its place in it, the query by the last one."""
    case, n = Heads(number, n=9, width=16), 9
    weights = torch.zeros(2, n, n)
    for step in range(n):
        cache = [j for j in range(step + 1) if j < 2 or step - j < 3]
        turn = lambda x, at: rotate(x, torch.outer(at.to(torch.float64), frequencies(case.d)), layout)
        keys = turn(case.k[:, cache], torch.arange(len(cache)))
        query = turn(case.q[:, step:step + 1], torch.tensor([len(cache) - 1]))
        weights[:, step, cache] = torch.softmax(query @ keys.transpose(1, 2) / math.sqrt(case.d), -1)[:, 0]
    mask = {"all": [{"type": "causal"}, {"any": [{"type": "sinks", "sinks": 2}, {"type": "window", "size": 3}]}]}
    case.row("position", name, {"position": {"type": "self_extend", "far": "cache", "layout": layout}, "mask": mask},
             weights)


def temperature(number, name, length, growth, spec=None):
    """Llama 4's attn_scales."""
    case, n = Heads(number, n=7), 7
    positions = torch.arange(n).to(torch.float64)
    scales = torch.log(torch.floor((positions + 1.0) / length) + 1.0) * growth + 1.0
    q = case.q * scales[:, None]
    finish(case, name, {"position": {"type": "temperature_tuning", "length": length, "growth": growth}} | (spec or {}),
           q @ case.k.transpose(1, 2) / math.sqrt(case.d), causal(n) if spec else None, {"tempered_query": q})


def graphormer(number, name, options, edges, longest, n=7):
    """shortest_path_distances of attention-gym: the shortest of all ways over a third node, node by node."""
    case = Heads(number, n=n)
    unreachable = max(n, longest + 1)
    dist = torch.full((n, n), unreachable)
    for a, b in edges:
        dist[a, b] = dist[b, a] = 1
    dist.fill_diagonal_(0)
    for k in range(n):
        dist = torch.minimum(dist, dist[:, k, None] + dist[k])
    table = case.add("spatial_bias", draw(longest + 2, 2))
    bias = table[dist.clamp_max(longest + 1)].permute(2, 0, 1)
    if "edge_kinds" in options:  # of a forest: there is one path at most
        kinds = dict(zip(edges, options["edge_kinds"]))
        numbers = case.add("edge_bias", draw((max(kinds.values()) + 1) * longest, 2))

        def path(start, end, seen=()):
            """Kinds of the edges from one node to another; none where there is no path."""
            if start == end:
                return []
            for edge, kind in kinds.items():
                if start in edge and edge not in seen:
                    rest = path(sum(edge) - start, end, seen + (edge,))
                    if rest is not None:
                        return [kind] + rest
            return None

        terms = torch.zeros(2, n, n)
        for i in range(n):
            for j in range(n):
                found = path(i, j)
                if found and len(found) <= longest:
                    terms[:, i, j] = sum(numbers[kind * longest + step] for step, kind in enumerate(found)) / len(found)
        bias = bias + terms
    finish(case, name, {"position": {"type": "graphormer", "distance": longest} | options},
           case.products() / math.sqrt(case.d) + bias, stages={"position_bias": bias})


def added_to_tokens(case, name, position, term, stages=None):
    q, k, v = (case.split((case.x + term) @ case.parameters[W]) for W in ["W_q", "W_k", "W_v"])
    weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), -1)
    case.row("position", name, {"position": position}, weights, weights @ v, stages={"position": term} | (stages or {}))


def segments(number, name):
    """BERT's BertEmbeddings without its norm."""
    case = Heads(number, n=6)
    places, types = torch.nn.Embedding(6, 8), torch.nn.Embedding(3, 8)
    places.weight.data, types.weight.data = case.add("E_pos", draw(6, 8)), case.add("E_segment", draw(3, 8))
    term = places(torch.arange(6)) + types(torch.tensor([0, 0, 0, 1, 2, 2]))
    added_to_tokens(case, name, {"type": "learned", "segments": [3, 1]}, term)


def complex_order(number, name, base=10000.0):
    """Equation 6 of Wang et al., with the speeds of a word from its vector."""
    case = Heads(number, n=6)
    own = math.pi * torch.tanh(case.x @ case.add("W_order", draw(8, 4, scale=0.3)))
    speeds = frequencies(8, base) + own
    words = torch.view_as_complex(case.x.reshape(6, 4, 2).contiguous())
    phases = words.angle() + speeds * torch.arange(6).to(torch.float64)[:, None]
    turned = torch.view_as_real(torch.polar(words.abs(), phases)).flatten(-2)
    added_to_tokens(case, name, {"type": "complex_order", "base": base}, turned - case.x,
                    {"word_speeds": speeds.expand(2, -1, -1), "turned_words": turned.expand(2, -1, -1)})


def turned_and(number, name, position, bias):
    """Rotary queries and keys, and a bias [h, n, n] of the case on their scaled scores."""
    case = Heads(number, n=6)
    angles = torch.arange(6).to(torch.float64)[:, None] * frequencies(case.d)
    scores = rotate(case.q, angles, "half") @ rotate(case.k, angles, "half").transpose(1, 2) / math.sqrt(case.d)
    added = bias(case)
    finish(case, name, {"position": {"type": "rope"} | position} | CAUSAL, scores + added, causal(6),
           {"scaled_scores": scores, "position_bias": added})


def forget(case):
    decay = torch.cumsum(F.logsigmoid(case.x @ case.add("W_f", draw(8, 2, scale=0.5)) + case.add("b_f", draw(2))), 0).T
    return -(decay[:, :, None] - decay[:, None]).abs()


def convolutional(number, name, options, n=8, columns=None, looks_back=False):
    """A PEG of CPVT: a depthwise convolution of torch, padded with zeros, beside the tokens themselves."""
    case, size = Heads(number, n=n), options.get("size", 3)
    taps = case.add("K_place", draw(size ** 2 if columns else size, 8, scale=0.5))
    bias = case.add("b_place", draw(8))
    before, after = (size - 1, 0) if looks_back else (size // 2, size // 2)
    if columns:
        image = F.pad(case.x.T.reshape(1, 8, n // columns, columns), (before, after, before, after))
        term = F.conv2d(image, taps.T.reshape(8, 1, size, size), bias, groups=8)
    else:
        term = F.conv1d(F.pad(case.x.T[None], (before, after)), taps.T[:, None], bias, groups=8)
    term = term.reshape(8, n).T
    q, k, v = (case.split((case.x + term) @ case.parameters[W]) for W in ["W_q", "W_k", "W_v"])
    weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), -1)
    case.row("position", name, {"position": {"type": "convolutional"} | options}, weights, weights @ v,
             stages={"position": term})


def outer_product(number, name, spec, allowed=None):
    """OuterProductMean of AlphaFold over an alignment of three sequences, and its linear layer to heads."""
    case = Heads(number, n=12)
    A, B, W = (case.add(key, draw(*shape, scale=0.5)) for key, shape in
               [("W_outer_first", (8, 3)), ("W_outer_second", (8, 3)), ("W_pairs", (6, 3))])
    first, second = (case.x @ A).reshape(3, 4, 3), (case.x @ B).reshape(3, 4, 3)
    mean = torch.einsum("sic,sjd->ijcd", first, second) / 3
    bias = torch.einsum("ijcd,hcd->hij", mean, W.reshape(2, 3, 3)).repeat(1, 3, 3)
    finish(case, name, {"position": {"type": "outer_product", "columns": 4, "width": 3}} | spec,
           case.products() / math.sqrt(case.d) + bias, allowed, {"position_bias": bias})


def invariant_points(number, name, pairs):
    """Algorithm 22, also without its pairs: matrices of turns from quaternions, points as [token, head, point, coordinate]."""
    case, n, points, values = Heads(number, n=6), 6, 2, 3
    frame = case.x @ case.add("W_frame", draw(8, 7, scale=0.3)) + case.add("b_frame", draw(7))
    a, b, c, d = F.normalize(frame[:, :4] + torch.tensor([1.0, 0, 0, 0]), dim=-1).unbind(-1)
    turn = torch.stack([a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c),
                        2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b),
                        2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d], -1).reshape(n, 3, 3)

    def in_space(name, count):
        own = (case.x @ case.add("W_points_" + name, draw(8, 6 * count, scale=0.3))).reshape(n, 2, 3, count)
        return torch.einsum("nab,nhbp->nhpa", turn, own) + frame[:, None, None, 4:]

    asked, offered = in_space("q", points), in_space("k", points)
    rate = F.softplus(case.add("g_points", draw(2)))
    apart = ((asked[:, None] - offered[None]) ** 2).sum((-1, -2)).permute(2, 0, 1)  # [h, n, n]
    terms = -rate[:, None, None] * math.sqrt(2 / (9 * points)) / 2 * apart
    if pairs:
        first, second = (case.x @ case.add("W_pair_" + side, draw(8, pairs, scale=0.4)) for side in ["first", "second"])
        of_pairs = first[:, None] * second[None]  # [n, n, pairs]
        terms = terms + torch.einsum("ijc,hc->hij", of_pairs, case.add("W_pair_bias", draw(2, pairs)))
    share = math.sqrt(1 / 3 if pairs else 1 / 2)
    bias = share * terms
    weights = torch.softmax(share * case.products() / math.sqrt(case.d) + bias, -1)
    found = torch.einsum("hij,jhpa->ihpa", weights, in_space("v", values)) - frame[:, None, None, 4:]
    own = torch.einsum("nba,nhpb->nhap", turn, found)  # [n, h, coordinate, point]
    lengths = torch.sqrt((found ** 2).sum(-1) + 1e-8)
    features = torch.cat([own.flatten(2), lengths], -1)  # [n, h, 4 points]
    W = case.add("W_points_o", draw(8 * values, 4, scale=0.3)).reshape(2, 4 * values, 4)
    context = weights @ case.v + torch.einsum("nhf,hfd->hnd", features, W)
    if pairs:
        W = case.add("W_pair_o", draw(2 * pairs, 4, scale=0.4)).reshape(2, pairs, 4)
        context = context + torch.einsum("hij,ijc,hcd->hid", weights, of_pairs, W)
    options = {"points": points, "value_points": values} | ({"pairs": pairs} if pairs else {})
    case.row("position", name, {"position": {"type": "invariant_points"} | options}, weights, context,
             stages={"position_bias": bias})


def build_relative():
    outer_product(392, "outer_product", {})
    same = torch.arange(12) // 4
    outer_product(393, "rows_of_an_alignment", {"mask": {"type": "blocks", "size": 4}}, same[:, None] == same)
    invariant_points(394, "invariant_points", 0)
    invariant_points(395, "invariant_points_with_pairs", 3)
    wall(370, "wall", 2, {})
    wall(371, "wall_of_shared_keys", 1, {"heads": {"type": "multi_query", "heads": 2}})
    tupe(372, "tupe", {}, True)
    tupe(373, "tupe_of_tied_first_tokens", {"first": False}, False)
    decomposed(374, "decomposed", 3, 3, {})
    decomposed(375, "decomposed_as_released", 2, 2, {"scaled": False})
    rotary_values(376, "rotary_values", {}, spec=CAUSAL)
    rotary_values(377, "rotary_values_interleaved", {"layout": "interleaved"}, "interleaved")
    rotary_values(378, "rotary_values_alone", {"products": False}, turns_products=False)
    groups = lambda size, window: lambda p: (p // size + window - window // size, p // size)
    self_extend(379, "self_extend", {"group": 2}, groups(2, 3))
    self_extend(380, "self_extend_interleaved", {"group": 3}, groups(3, 4), "interleaved", n=11, window=4)
    self_extend(381, "leaky_rerope", {"group": 4, "far": "leaky"}, lambda p: (p / 4 + 3 - 3 / 4, p / 4))
    dual_chunk(397, "dual_chunk", 3, 2)
    dual_chunk(398, "dual_chunk_interleaved", 4, 6, "interleaved", n=13)
    places_in_cache(395, "places_in_cache")
    places_in_cache(396, "places_in_cache_interleaved", "interleaved")
    self_extend(382, "rerope", {"far": "constant"}, lambda p: (torch.full_like(p, 3), torch.zeros_like(p)))
    temperature(383, "temperature_tuning", 2, 0.5)
    temperature(384, "temperature_tuning_causal", 3, 0.1, CAUSAL)
    graphormer(385, "graphormer", {"graph": "none", "edges": [0, 2, 2, 3, 3, 1, 5, 6]},
               [(0, 2), (2, 3), (3, 1), (5, 6)], 2)
    graphormer(391, "graphormer_with_kinds", {"graph": "none", "edges": [0, 2, 2, 3, 3, 1, 5, 6],
                                              "edge_kinds": [1, 0, 2, 1]}, [(0, 2), (2, 3), (3, 1), (5, 6)], 3)
    graphormer(386, "graphormer_of_a_ring", {"graph": "ring"}, [(i, (i + 1) % 7) for i in range(7)], 4)
    convolutional(388, "convolutional", {})
    convolutional(389, "convolutional_of_the_past", {"window": "past", "size": 4}, looks_back=True)
    convolutional(390, "convolutional_on_a_grid", {"columns": 4}, n=12, columns=4)
    turned_and(391, "rope_and_alibi", {"second": "alibi"},
               lambda case: -torch.tensor([2.0 ** -4, 2.0 ** -8])[:, None, None] * distances(6))
    turned_and(392, "rope_and_forgetting", {"second": "forgetting"}, forget)
    segments(394, "learned_with_segments")
    complex_order(395, "complex_order")
    complex_order(396, "complex_order_of_a_small_base", 50)
    graphormer(387, "graphormer_with_a_shortcut", {"edges": [0, 5]}, [(i, i + 1) for i in range(6)] + [(0, 5)], 3)


def build():
    build_rotations()
    build_added()
    build_tables()
    build_contents()
    build_grids()
    build_relative()
