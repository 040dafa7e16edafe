"""Gates and attentions of images, from PyTorch's convolutions, poolings and folds of images.

Images are [channel, row, column] here and [place, channel] in the file, row by row.
"""
import math

import torch
import torch.nn.functional as F

from golden import Heads, draw, row, seed


def as_tokens(image):
    return image.flatten(1).T


def gated(name, spec, image, parameters, factors, stages=None):
    """The image times its gates; the map is a diagonal, the mean gate of each place."""
    factors = factors.expand_as(image)
    row("algorithm", name, {"algorithm": spec}, {"query": as_tokens(image)}, parameters,
        torch.diag(as_tokens(factors).mean(1)), as_tokens(image * factors), stages)


def point(image, matrix):
    """A convolution of 1 x 1 by a matrix (in, out)."""
    return F.conv2d(image[None], matrix.T[..., None, None])[0]


def build_coordinate():
    seed(950)
    image = draw(6, 3, 4)
    given = {"W_squeeze": draw(6, 2), "W_rows": draw(2, 6), "W_columns": draw(2, 6)}
    rows, columns = F.adaptive_avg_pool2d(image, (3, 1)), F.adaptive_avg_pool2d(image, (1, 4))
    both = torch.cat([rows, columns.transpose(1, 2)], 1)  # [channel, rows + columns, 1]
    hidden = F.hardswish(point(both, given["W_squeeze"]))
    of_rows = torch.sigmoid(point(hidden[:, :3], given["W_rows"]))
    of_columns = torch.sigmoid(point(hidden[:, 3:].transpose(1, 2), given["W_columns"]))
    gated("coordinate", {"type": "coordinate", "columns": 4, "reduction": 3}, image, given, of_rows * of_columns,
          {"row_gate": of_rows[..., 0].T, "column_gate": of_columns[:, 0].T})


def build_triplet():
    """Three branches that turn the image, pool its first axis, and convolve what is left."""
    def gate(image, kernel):
        planes = torch.stack([image.mean(0), image.amax(0)])
        side = math.isqrt(kernel.numel() // 2)
        return torch.sigmoid(F.conv2d(planes[None], kernel.reshape(1, 2, side, side), padding=side // 2))[0]

    for number, side, is_spatial in [(951, 3, True), (952, 5, False)]:
        seed(number)
        image = draw(5, 3, 4)
        given = {name: draw(2 * side * side, scale=0.5) for name in ["w_row_channel", "w_column_channel"]}
        of_rows = gate(image.permute(2, 1, 0), given["w_row_channel"])  # [1, row, channel]
        of_columns = gate(image.permute(1, 2, 0), given["w_column_channel"])  # [1, column, channel]
        gates = of_rows.permute(2, 1, 0) + of_columns.permute(2, 0, 1)
        if is_spatial:
            given["w_spatial"] = draw(2 * side * side, scale=0.5)
            gates = (gates + gate(image, given["w_spatial"])) / 3
        else:
            gates = gates / 2
        gated("triplet" if is_spatial else "triplet_of_lines",
              {"type": "triplet", "columns": 4, "kernel": f"{side}x{side}", "spatial": is_spatial}, image, given, gates,
              {"row_channel_gate": of_rows[0], "column_channel_gate": of_columns[0]})


def build_pooling():
    """PoolFormer: a pooling less its input. The map is what it makes of an image for each place, 1 there and 0 elsewhere."""
    seed(986)
    image, places = draw(5, 3, 4), torch.eye(12).view(12, 3, 4)
    pool = lambda x: F.avg_pool2d(x, 3, stride=1, padding=1, count_include_pad=False)
    row("algorithm", "poolformer",
        {"algorithm": {"type": "shaped", "form": "difference"}, "score": {"type": "cosine", "beta": 0},
         "mask": {"type": "halo", "columns": 4, "size": 1, "halo": 1}},
        {"query": as_tokens(image)}, {}, as_tokens(pool(places) - places), as_tokens(pool(image) - image),
        {"soft_weights": as_tokens(pool(places))})


def build_scse():
    """Roy et al.: the image gated by channels and the image gated by places, and what is made of the two."""
    for number, combined in [(980, "sum"), (981, "maximum"), (982, "product")]:
        seed(number)
        image = draw(6, 3, 4)
        given = {"W_squeeze": draw(6, 3), "W_excite": draw(3, 6), "w_place_gate": draw(6)}
        hidden = F.relu(point(F.adaptive_avg_pool2d(image, 1), given["W_squeeze"]))
        channels = torch.sigmoid(point(hidden, given["W_excite"]))
        places = torch.sigmoid(point(image, given["w_place_gate"][:, None]))
        larger, smaller = torch.maximum(channels, places), torch.minimum(channels, places)
        factors = {"sum": channels + places, "maximum": torch.where(image >= 0, larger, smaller),
                   "product": channels * places}[combined]
        if combined == "maximum":
            assert torch.equal(image * factors, torch.maximum(image * channels, image * places))
        gated(f"scse_by_{combined}", {"type": "scse", "reduction": 2, "combined": combined}, image, given, factors,
              {"place_gate": as_tokens(places)})


def build_large_kernel():
    """VAN's LKA without biases: two convolutions of each channel by itself, the second one dilated, and one of 1 x 1."""
    for number, dilation, side, name in [(983, 3, 3, "large_kernel"), (984, 2, 5, "large_kernel_of_five")]:
        seed(number)
        image = draw(4, 4, 5)
        near = 2 * dilation - 1
        given = {"W_near_kernel": draw(near * near, 4, scale=0.5), "W_far_kernel": draw(side * side, 4, scale=0.5),
                 "W_far_mix": draw(4, 4, scale=0.5)}
        kernel = lambda key, width: given[key].T.reshape(4, 1, width, width)
        features = F.conv2d(image[None], kernel("W_near_kernel", near), padding=near // 2, groups=4)
        features = F.conv2d(features, kernel("W_far_kernel", side), padding=side // 2 * dilation, dilation=dilation,
                            groups=4)
        gated(name, {"type": "large_kernel", "columns": 5, "kernel": f"{side}x{side}", "dilation": dilation}, image,
              given, point(features[0], given["W_far_mix"]), {"far_convolved": as_tokens(features[0])})


def build_focal_modulation():
    """FocalModulation of the authors' code: one linear layer f, convolutions of each channel behind one another, h."""
    for name, number, side, levels in [("focal_modulation", 988, 3, 2), ("focal_modulation_of_three_levels", 989, 1, 3)]:
        seed(number)
        image, C = draw(4, 4, 5), 4
        given = {"W_focal": draw(C, C), "b_focal": draw(C), "W_focal_gates": draw(C, levels + 1),
                 "b_focal_gates": draw(levels + 1), "W_modulator": draw(C, C), "b_modulator": draw(C)}
        f = torch.cat([given["W_focal"], given["W_focal_gates"]], 1)
        x = point(image, f) + torch.cat([given["b_focal"], given["b_focal_gates"]])[:, None, None]
        ctx, gates = torch.split(x[None], (C, levels + 1), 1)
        ctx_all, stages = 0, {"focal_gates": as_tokens(gates[0])}
        for level in range(levels):
            width = 2 * level + side
            kernel = given[f"W_focal_kernel_{level + 1}"] = draw(width * width, C, scale=0.5)
            ctx = F.gelu(F.conv2d(ctx, kernel.T.reshape(C, 1, width, width), padding=width // 2, groups=C))
            ctx_all = ctx_all + ctx * gates[:, level:level + 1]
            stages[f"focal_level_{level + 1}"] = as_tokens(ctx[0])
        ctx_global = F.gelu(ctx.mean(2, keepdim=True).mean(3, keepdim=True))
        ctx_all = ctx_all + ctx_global * gates[:, levels:]
        modulator = point(ctx_all[0], given["W_modulator"]) + given["b_modulator"][:, None, None]
        gated(name, {"type": "focal_modulation", "columns": 5, "kernel": f"{side}x{side}", "levels": levels}, image, given,
              modulator, stages)


def build_bam():
    for number, dilation in [(953, 1), (954, 2)]:
        seed(number)
        image = draw(6, 4, 5)
        given = {"W_squeeze": draw(6, 3), "W_excite": draw(3, 6), "W_reduce": draw(6, 3),
                 "W_dilated_1": draw(27, 3, scale=0.5), "W_dilated_2": draw(27, 3, scale=0.5), "w_place": draw(3)}
        of_channels = point(F.relu(point(F.adaptive_avg_pool2d(image, 1), given["W_squeeze"])), given["W_excite"])
        places = F.relu(point(image, given["W_reduce"]))
        for name in ["W_dilated_1", "W_dilated_2"]:
            kernel = given[name].reshape(3, 3, 3, 3).permute(3, 2, 0, 1)  # from [down, right, in, out]
            places = F.relu(F.conv2d(places[None], kernel, padding=dilation, dilation=dilation))[0]
        of_places = point(places, given["w_place"][:, None])
        gated(f"bam_dilated_by_{dilation}", {"type": "bam", "columns": 5, "reduction": 2, "dilation": dilation}, image,
              given, 1 + torch.sigmoid(of_channels + of_places), {"spatial_scores": as_tokens(of_places)})


def build_kernels():
    """Convolutions with a kernel for each channel; the weights are those of images of one place."""
    seed(962)
    image = draw(4, 3, 4)
    given = {"W_kernels": draw(18, 4, scale=0.5), "W_squeeze": draw(4, 2), "W_select": draw(2, 8)}

    def branches(images):
        """[n, channel, row, column]"""
        return [F.conv2d(images, given["W_kernels"][9 * b:9 * b + 9].T.reshape(4, 1, 3, 3), padding=b + 1,
                         dilation=b + 1, groups=4) for b in range(2)]

    activated = torch.stack([F.relu(branch[0]) for branch in branches(image[None])])
    scores = F.relu(activated.sum(0).mean((1, 2)) @ given["W_squeeze"]) @ given["W_select"]
    shares = torch.softmax(scores.reshape(2, 4), 0)
    units = torch.eye(12).reshape(12, 1, 3, 4).expand(-1, 4, -1, -1)
    weights = sum((share[:, None, None] * branch).mean(1) for share, branch in zip(shares, branches(units)))
    row("algorithm", "selective_kernel", {"algorithm": {"type": "selective_kernel", "columns": 4, "reduction": 2}},
        {"query": as_tokens(image)}, given, weights.flatten(1).T,
        as_tokens((shares[..., None, None] * activated).sum(0)), {"kernel_shares": shares.T})


def build_groups():
    """Each group as an image of its own; the deviation over all places, as the paper has it."""
    seed(955)
    image = draw(6, 2, 4)
    given = {"gamma_group": draw(3), "beta_group": draw(3)}
    groups = image.reshape(3, 2, 2, 4)
    alike = (groups * groups.mean((2, 3), keepdim=True)).sum(1)
    centred = alike - alike.mean((1, 2), keepdim=True)
    normal = centred / (alike.std((1, 2), unbiased=False, keepdim=True) + 1e-5)
    gates = torch.sigmoid(given["gamma_group"][:, None, None] * normal + given["beta_group"][:, None, None])
    gated("group_enhance", {"type": "group_enhance", "groups": 3}, image, given,
          gates.repeat_interleave(2, 0), {"group_gates": as_tokens(gates)})


def build_polarized():
    seed(956)
    image = draw(6, 3, 3)
    given = {"w_place_query": draw(6), "W_channel_values": draw(6, 3), "W_channel_gate": draw(3, 6),
             "W_place_queries": draw(6, 3), "W_place_values": draw(6, 3)}

    def of_channels(image):
        shares = F.softmax(point(image, given["w_place_query"][:, None]).flatten(), 0)
        z = point(image, given["W_channel_values"]).flatten(1) @ shares
        return torch.sigmoid(F.layer_norm(z @ given["W_channel_gate"], (6,)))[:, None, None]

    def of_places(image):
        shares = F.softmax(F.adaptive_avg_pool2d(point(image, given["W_place_queries"]), 1).flatten(), 0)
        return torch.sigmoid(torch.einsum("c,chw->hw", shares, point(image, given["W_place_values"])))[None]

    gated("polarized", {"type": "polarized"}, image, given, of_channels(image) + of_places(image))
    once = image * of_channels(image)
    gated("polarized_sequential", {"type": "polarized", "arrangement": "sequential"}, image, given,
          of_channels(image) * of_places(once))


def build_outlook():
    """Unfolded, mixed and folded; the weights are those of values that are the unit matrix."""
    for number, side, columns, is_scaled in [(957, 3, 4, True), (958, 1, 3, False)]:
        case = Heads(number, n=12)
        W = case.add("W_outlook", draw(8, side ** 4, scale=0.7)).reshape(2, 4, side ** 4)
        scores = case.q @ W / (math.sqrt(case.d) if is_scaled else 1)
        mixing = torch.softmax(scores.reshape(2, 12, side ** 2, side ** 2), -1)

        def looked_at(values):
            """[h, n, d]"""
            images = values.transpose(1, 2).reshape(2, -1, 12 // columns, columns)
            windows = F.unfold(images, side, padding=side // 2).reshape(2, -1, side ** 2, 12)
            mixed = torch.einsum("hnst,hdtn->hdsn", mixing, windows)
            folded = F.fold(mixed.reshape(2, -1, 12), (12 // columns, columns), side, padding=side // 2)
            return folded.flatten(2).transpose(1, 2)

        case.row("algorithm", "outlook" if side > 1 else "outlook_of_one_place",
                 {"algorithm": {"type": "outlook", "columns": columns, "kernel": f"{side}x{side}",
                                "scaled": is_scaled}},
                 looked_at(torch.eye(12).expand(2, -1, -1)), looked_at(case.v))


def build_involution():
    """The authors' einsum over F.unfold, with a kernel for each head; the weights are those of the unit matrix."""
    case = Heads(985, n=12)
    W = case.add("W_kernel_hidden", draw(8, 2, scale=0.7)).reshape(2, 4, 2)
    W_taps = case.add("W_kernel_taps", draw(4, 9, scale=0.7)).reshape(2, 2, 9)
    kernels = (F.relu(case.q @ W) @ W_taps).transpose(1, 2)  # [head, tap, place]

    def summed(values):
        """[h, n, d]"""
        images = values.transpose(1, 2).reshape(2, -1, 3, 4)
        windows = F.unfold(images, 3, padding=1).reshape(2, -1, 9, 12)
        return (kernels[:, None] * windows).sum(2).transpose(1, 2)

    case.row("algorithm", "involution", {"algorithm": {"type": "involution", "columns": 4, "reduction": 2}},
             summed(torch.eye(12).expand(2, -1, -1)), summed(case.v))


def build_reduction():
    """A convolution whose stride is its size; torch's own mean over patches."""
    for name, number, spec in [("spatial_reduction", 959, {}),
                               ("spatial_reduction_by_means", 960, {"pooling": "mean", "norm": False}),
                               ("spatial_reduction_by_1", 961, {"ratio": 1})]:
        case = Heads(number, n=16)
        del case.parameters["W_k"], case.parameters["W_v"]
        W_key, W_value = (case.add(name, draw(8, 8, scale=0.5)) for name in ["W_patch_key", "W_patch_value"])
        image = case.x.T.reshape(1, 8, 4, 4)
        side = spec.get("ratio", 2)
        if side == 1:
            reduced = case.x
        elif spec.get("pooling") == "mean":
            reduced = as_tokens(F.avg_pool2d(image, 2)[0])
        else:
            matrix = case.add("W_patch", draw(32, 8, scale=0.5))
            kernel = matrix.reshape(2, 2, 8, 8).permute(3, 2, 0, 1)  # from [down, right, in, out]
            reduced = F.layer_norm(as_tokens(F.conv2d(image, kernel, stride=2)[0]), (8,))
        heads = lambda tokens: tokens.reshape(len(tokens), 2, -1).transpose(0, 1)
        shares = torch.softmax(case.q @ heads(reduced @ W_key).transpose(1, 2) / math.sqrt(case.d), -1)
        places = torch.arange(16).reshape(4, 4)
        patch = (places // 4 // side * (4 // side) + places % 4 // side).flatten()
        case.row("algorithm", name, {"algorithm": {"type": "spatial_reduction", "columns": 4} | spec},
                 shares[..., patch] / side ** 2, shares @ heads(reduced @ W_value),
                 stages={"pooled_weights": shares})


def build():
    build_coordinate()
    build_triplet()
    build_bam()
    build_scse()
    build_large_kernel()
    build_focal_modulation()
    build_pooling()
    build_kernels()
    build_groups()
    build_polarized()
    build_outlook()
    build_involution()
    build_reduction()
