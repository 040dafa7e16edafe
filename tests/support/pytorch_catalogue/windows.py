"""Images whose places mix their windows or are gated by halves or by a coarser image; maxima and rounded keys in the
place of what a softmax is made of."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, row, seed
from grids import as_tokens, gated, point


def build_contextual():
    """A grouped convolution, and unfolded values; the weights are those of values that are the unit matrix."""
    for name, number, side, spec in [("contextual", 990, 3, {}),
                                     ("contextual_sum_of_shares", 991, 3, {"softmax": True, "fusion": "sum"}),
                                     ("contextual_of_one_place", 992, 1, {"fusion": "sum"})]:
        case = Heads(number, n=12)
        taps = side ** 2
        kernels = case.add("W_context", draw(2 * taps * 4, 4, scale=0.5)).reshape(2, side, side, 4, 4)
        W_hidden, W_neighbours = case.add("W_context_hidden", draw(8, 2)), case.add("W_neighbours", draw(2, taps))
        image = case.k.transpose(1, 2).reshape(1, 8, 3, 4)
        weight = kernels.permute(0, 4, 3, 1, 2).reshape(8, 4, side, side)  # from [head, down, right, in, out]
        static = F.conv2d(image, weight, padding=side // 2, groups=2).reshape(2, 4, 12).transpose(1, 2)
        mixing = F.relu(torch.cat([static, case.q], -1) @ W_hidden) @ W_neighbours
        if spec.get("softmax"):
            mixing = torch.softmax(mixing, -1)

        def mixed(values):
            """[h, n, d]"""
            images = values.transpose(1, 2).reshape(2, -1, 3, 4)
            windows = F.unfold(images, side, padding=side // 2).reshape(2, -1, taps, 12)
            return torch.einsum("hnt,hdtn->hnd", mixing, windows)

        dynamic = mixed(case.v)
        context = static + dynamic
        if spec.get("fusion") != "sum":
            W_fusion_hidden, W_fusion = case.add("W_fusion_hidden", draw(4, 2)), case.add("W_fusion", draw(2, 8))
            scores = F.relu(context.mean(1) @ W_fusion_hidden) @ W_fusion
            shares = torch.softmax(scores.reshape(2, 2, 1, 4), 1)  # [head, static and dynamic, 1, channel]
            context = shares[:, 0] * static + shares[:, 1] * dynamic
        case.row("algorithm", name,
                 {"algorithm": {"type": "contextual", "columns": 4, "kernel": f"{side}x{side}"} | spec},
                 mixed(torch.eye(12).expand(2, -1, -1)), context, stages={"static_context": static})


def build_shuffle():
    """Groups as images of a batch; torch's own norm of groups and shuffle of channels."""
    for name, number, groups, spec in [("shuffle", 993, 2, {}), ("shuffle_left_out", 994, 1, {"shuffle": False})]:
        seed(number)
        image = draw(8, 3, 4)
        half = 4 // groups
        given = {f"{letter}_group_{part}": draw(half) for part in ["channel", "place"] for letter in "wb"}

        def gate(part, z):
            w, b = (given[f"{letter}_group_{part}"].reshape(1, -1, 1, 1) for letter in "wb")
            return torch.sigmoid(w * z + b)

        first, second = image.reshape(groups, -1, 3, 4).chunk(2, 1)
        of_channels = gate("channel", F.adaptive_avg_pool2d(first, 1))
        of_places = gate("place", F.group_norm(second, half))
        gates = torch.cat([of_channels.expand_as(first), of_places], 1).reshape(8, 3, 4)
        output = image * gates
        if spec.get("shuffle", True):
            output = F.channel_shuffle(output[None], 2)[0]
        row("algorithm", name, {"algorithm": {"type": "shuffle", "groups": groups} | spec}, {"query": as_tokens(image)},
            given, torch.diag(as_tokens(gates).mean(1)), as_tokens(output), {"feature_gates": as_tokens(gates)})


def build_attention_gate():
    """The signal is pooled and made as large again."""
    for name, number, ratio in [("attention_gate", 995, 2), ("attention_gate_of_places", 996, 1)]:
        seed(number)
        image = draw(6, 4, 4)
        given = {"W_gated": draw(6, 3), "W_signal": draw(6, 3), "b_signal": draw(3), "w_psi": draw(3), "b_psi": draw(1)}
        signal = F.interpolate(F.avg_pool2d(image[None], ratio), scale_factor=ratio, mode="nearest")[0]
        hidden = F.relu(point(image, given["W_gated"]) + point(signal, given["W_signal"])
                        + given["b_signal"][:, None, None])
        gates = torch.sigmoid(point(hidden, given["w_psi"][:, None]) + given["b_psi"])
        gated(name, {"type": "attention_gate", "columns": 4, "ratio": ratio}, image, given, gates,
              {"spatial_gate": as_tokens(gates)})
    build_given_signal()


def build_given_signal():
    """The signal is another layer's, of 2 × 3 places and as many features as the image of 4 × 5."""
    seed(997)
    image, coarse = draw(6, 4, 5), draw(6, 2, 3)
    given = {"W_gated": draw(6, 3), "W_signal": draw(6, 3), "b_signal": draw(3), "w_psi": draw(3), "b_psi": draw(1)}
    signal = F.interpolate(coarse[None], scale_factor=2, mode="nearest")[0, :, :, :5]
    hidden = F.relu(point(image, given["W_gated"]) + point(signal, given["W_signal"]) + given["b_signal"][:, None, None])
    gates = torch.sigmoid(point(hidden, given["w_psi"][:, None]) + given["b_psi"])
    places = torch.arange(6).reshape(2, 3).repeat_interleave(2, 0).repeat_interleave(2, 1)[:, :5].flatten()
    row("algorithm", "attention_gate_of_a_given_signal",
        {"source": {"type": "cross"}, "algorithm": {"type": "attention_gate", "columns": 5, "ratio": 2}},
        {"query": as_tokens(image), "key": as_tokens(coarse), "value": as_tokens(coarse)}, given,
        F.one_hot(places, 6) * as_tokens(gates), as_tokens(image * gates), {"spatial_gate": as_tokens(gates)})


def largest_offers(q, k, v, allowed):
    """Weights [.., n, m], contexts [.., n, d] and scores of maxima."""
    differences = q[..., :, None, :] - k[..., None, :, :]
    scores = differences.amin(-1) - differences.amax(-1)
    offers = scores.masked_fill(~allowed, float("-inf"))[..., None] + v[..., None, :, :]
    best, winner = offers.max(-2)  # [.., n, d]
    return F.one_hot(winner, k.shape[-2]).double().mean(-2), best, scores


def build_tropical():
    case = Heads(997, n=6)
    weights, context, scores = largest_offers(case.q, case.k, case.v, causal(6))
    case.row("algorithm", "tropical", {"algorithm": {"type": "tropical"}, "mask": {"type": "causal"}}, weights, context,
             {"scores": scores})
    case = Cross(998, n=4, m=6, width=5)
    weights, context, scores = largest_offers(case.query, case.key, case.value, torch.ones(4, 6, dtype=torch.bool))
    row("algorithm", "tropical_of_two_sequences", case.spec | {"algorithm": {"type": "tropical"}}, case.inputs, {},
        weights, context, {"scores": scores})


def of_few_bits(x, bits, dim):
    """The nearest of 2^bits numbers between the smallest and the largest along an axis."""
    low, high = x.amin(dim, keepdim=True), x.amax(dim, keepdim=True)
    step = (high - low) / (2 ** bits - 1)
    return torch.where(step > 0, low + step * torch.round((x - low) / step), x)


def build_cache():
    for name, number, bits, group, keys in [("quantized_cache", 999, 2, 4, "channel"),
                                            ("quantized_cache_by_token", 1000, 4, 32, "token")]:
        case = Heads(number, n=6)
        if keys == "channel":
            key = torch.cat([of_few_bits(part, bits, 1) for part in case.k.split(group, 1)], 1)
        else:
            key = of_few_bits(case.k, bits, 2)
        attend = lambda k: torch.softmax(case.q @ k.transpose(1, 2) / math.sqrt(case.d), -1)
        case.row("algorithm", name,
                 {"algorithm": {"type": "quantized_cache", "bits": bits, "group": group, "keys": keys}}, attend(key),
                 attend(key) @ of_few_bits(case.v, bits, 2),
                 {"rounded_key": key, "weight_errors": attend(key) - attend(case.k)})
    # KIVI's residual, and SageAttention: whole numbers for queries and for keys without their mean.
    case = Heads(1003, n=7)
    newest = lambda rounded, x: torch.cat([rounded, x[:, 5:]], 1)
    key = newest(torch.cat([of_few_bits(part, 2, 1) for part in case.k[:, :5].split(3, 1)], 1), case.k)
    value = newest(of_few_bits(case.v[:, :5], 2, 2), case.v)
    weights = torch.softmax(case.q @ key.transpose(1, 2) / math.sqrt(case.d), -1)
    case.row("algorithm", "quantized_cache_of_old_tokens",
             {"algorithm": {"type": "quantized_cache", "bits": 2, "group": 3, "recent": 2}}, weights, weights @ value)
    case = Heads(1004, n=7)
    key = of_few_bits(case.k - case.k.mean(1, keepdim=True), 4, 2)
    query = of_few_bits(case.q, 4, 2)
    weights = torch.softmax(query @ key.transpose(1, 2) / math.sqrt(case.d), -1)
    case.row("algorithm", "quantized_cache_of_sage_attention",
             {"algorithm": {"type": "quantized_cache", "bits": 4, "keys": "token", "values": False, "queries": True,
                            "smooth": True}}, weights, stages={"rounded_query": query})


def build_clusters():
    """Lloyd's steps head by head; the best keys of a cluster divided up anew."""
    for name, number, clusters, steps, kept in [("clustered", 1001, 2, 3, 0), ("clustered_improved", 1002, 3, 2, 2)]:
        case = Heads(number, n=6)
        weights = []
        for q, k in zip(case.q, case.k):
            centres = q[[cluster * 6 // clusters for cluster in range(clusters)]]
            for _ in range(steps):
                nearest = torch.cdist(q, centres).argmin(1)
                centres = torch.stack([q[nearest == cluster].mean(0) if (nearest == cluster).any() else centre
                                       for cluster, centre in enumerate(centres)])
            shared = torch.softmax(centres @ k.T / math.sqrt(case.d), -1)[nearest]
            if kept:
                best = shared.topk(kept, -1).indices
                exact = torch.softmax((q @ k.T / math.sqrt(case.d)).gather(1, best), -1)
                shared = shared.scatter(1, best, shared.gather(1, best).sum(1, keepdim=True) * exact)
            weights.append(shared)
        case.row("algorithm", name,
                 {"algorithm": {"type": "clustered", "clusters": clusters, "steps": steps, "exact_keys": kept}},
                 torch.stack(weights))


def in_windows(tokens):
    """[16, c], a grid of 4 x 4, to its windows of 2 x 2, [window, place, c]."""
    return tokens.reshape(2, 2, 2, 2, -1).transpose(1, 2).reshape(4, 4, -1)


def out_of_windows(places):
    """[window, head, place, c] to [head, 16, c]."""
    return places.transpose(0, 1).reshape(len(places[0]), 2, 2, 2, 2, -1).transpose(2, 3).flatten(1, 4)


def build_window_tokens():
    """SepViT's windows as a batch, each with its token before the others; the map by unit values."""
    case = Heads(2110, n=16)
    token = case.add("window_token", draw(8))
    gain, shift = case.add("g_window_token", draw(4)), case.add("b_window_token", draw(4))
    layers = [(case.add(f"W_window_{side}", draw(8, 4, scale=0.7)).reshape(2, 4, 4),
               case.add(f"b_window_{side}", draw(8)).reshape(2, 1, 4)) for side in ["query", "key"]]
    windows = torch.cat([token.expand(4, 1, -1), in_windows(case.x)], 1)
    q, k, v = ((windows @ case.parameters[name]).reshape(4, 5, 2, 4).transpose(1, 2) for name in ["W_q", "W_k", "W_v"])
    attn = torch.softmax(q @ k.transpose(-1, -2) * case.d ** -0.5, -1)
    out = attn @ v
    window_tokens, inside = out[:, :, 0].transpose(0, 1), out[:, :, 1:]
    active = F.gelu(F.layer_norm(window_tokens, (4,), gain, shift))
    w_q, w_k = (active @ W + b for W, b in layers)
    w_attn = torch.softmax(w_q @ w_k.transpose(1, 2) * case.d ** -0.5, -1)
    mixed = lambda values: out_of_windows(torch.einsum("hij,jhwd->ihwd", w_attn, values))
    unit = in_windows(torch.eye(16))[:, None]
    case.row("algorithm", "window_tokens", {"algorithm": {"type": "window_tokens", "columns": 4}},
             mixed(attn[:, :, 1:, 1:] @ unit), mixed(inside), stages={"window_tokens": window_tokens})


def build_region_tokens():
    """RegionViT's two looks by one attention, without norms; regions before the tokens in them."""
    for name, number, has_biases in [("region_tokens", 2111, True), ("region_tokens_without_biases", 2112, False)]:
        case = Heads(number, n=16)
        regions = in_windows(case.x).reshape(4, 32) @ case.add("W_region", draw(32, 8, scale=0.4))
        regions = regions + case.add("b_region", draw(8))
        bias = torch.zeros(2, 5, 5)
        if has_biases:
            table = case.add("B_region", draw(2, 9))
            row, column = torch.arange(4) // 2, torch.arange(4) % 2
            bias[:, 1:, 1:] = table[:, (row[None] - row[:, None] + 1) * 3 + column[None] - column[:, None] + 1]

        def attention(tokens, bias):
            """[batch, tokens, 8]: weights, contexts of each head, output."""
            q, k, v = ((tokens @ case.parameters[name]).reshape(*tokens.shape[:2], 2, 4).transpose(1, 2)
                       for name in ["W_q", "W_k", "W_v"])
            attn = torch.softmax(q @ k.transpose(-1, -2) * case.d ** -0.5 + bias, -1)
            return attn, attn @ v, (attn @ v).transpose(1, 2).flatten(2) @ case.parameters["W_o"]

        regions = regions + attention(regions[None], 0)[2][0]
        attn, out, _ = attention(torch.cat([regions[:, None], in_windows(case.x)], 1), bias)
        unit = in_windows(torch.eye(16))[:, None]
        case.row("algorithm", name, {"algorithm": {"type": "region_tokens", "columns": 4, "biases": has_biases}},
                 out_of_windows(attn[:, :, 1:, 1:] @ unit), out_of_windows(out[:, :, 1:]),
                 stages={"informed_regions": regions.expand(2, -1, -1)})


def build():
    build_contextual()
    build_shuffle()
    build_attention_gate()
    build_tropical()
    build_cache()
    build_clusters()
    build_window_tokens()
    build_region_tokens()
