"""Images that are mixed by points that a place chooses, by waves, by kernels of many sizes or by maps of places and of
channels; triangles of edges on a grid; a softmax for each feature, and relu with a norm in the place of a softmax."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, NEVER, causal, draw, row, seed
from grids import as_tokens, point


def build_deformable():
    """torch's own bilinear sampling, and its own means of patches; the weights are those of values that are the unit
    matrix."""
    for name, number, points, levels in [("deformable", 1200, 3, 1), ("deformable_of_one_point", 1201, 1, 1),
                                         ("deformable_of_three_sizes", 1216, 2, 3)]:
        case, count = Heads(number, n=12), levels * points
        W_offsets, b_offsets = case.add("W_offsets", draw(8, 2 * count)), case.add("b_offsets", draw(2, 2 * count))
        W_points, b_points = case.add("W_points", draw(8, count)), case.add("b_points", draw(2, count))
        steps = case.q @ W_offsets.reshape(2, 4, -1) + b_offsets[:, None]  # [h, n, down and right of each point]
        shares = torch.softmax(case.q @ W_points.reshape(2, 4, -1) + b_points[:, None], -1)
        places = torch.arange(12)

        def sampled(values):
            """[h, n, d]"""
            images, result = values.transpose(1, 2).reshape(2, -1, 3, 4), 0
            for level in range(levels):
                side, its = 2 ** level, slice(level * points, (level + 1) * points)
                small = F.avg_pool2d(images, side, ceil_mode=True, count_include_pad=False)
                height, width = small.shape[-2:]
                # From the middle of the place; a place of the smaller image has the length 1 there.
                down = ((places // 4 + 0.5) / side)[None, :, None] + steps[..., 0::2][..., its]
                right = ((places % 4 + 0.5) / side)[None, :, None] + steps[..., 1::2][..., its]
                grid = torch.stack([2 * right / width - 1, 2 * down / height - 1], -1)  # [h, n, point, x and y]
                found = F.grid_sample(small, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
                result = result + torch.einsum("hdnk,hnk->hnd", found, shares[..., its])
            return result

        options = {"points": points} | ({"levels": levels} if levels > 1 else {})
        case.row("algorithm", name, {"algorithm": {"type": "deformable", "columns": 4} | options},
                 sampled(torch.eye(12).expand(2, -1, -1)), sampled(case.v), {"sampling_offsets": steps})


def build_filter():
    """torch's own transforms of real images."""
    for name, number, rows, columns in [("global_filter", 1202, 3, 4), ("global_filter_of_odd_columns", 1203, 2, 5)]:
        seed(number)
        image = draw(6, rows, columns)
        waves = rows * (columns // 2 + 1)
        given = {"W_filter_cosine": draw(waves, 6), "W_filter_sine": draw(waves, 6)}
        filters = torch.complex(given["W_filter_cosine"], given["W_filter_sine"]).T.reshape(6, rows, -1)

        def filtered(images):
            return torch.fft.irfft2(torch.fft.rfft2(images, norm="ortho") * filters, s=(rows, columns), norm="ortho")

        units = torch.eye(rows * columns).reshape(-1, 1, rows, columns).expand(-1, 6, -1, -1)
        row("algorithm", name, {"algorithm": {"type": "global_filter", "columns": columns}},
            {"query": as_tokens(image)}, given, filtered(units).mean(1).flatten(1).T, as_tokens(filtered(image)))


def build_pyramid():
    """The module of squeeze and excitation is one for all groups; the weights are those of images of one place."""
    for name, number, groups in [("pyramid_split", 1204, 2), ("pyramid_split_of_three", 1205, 3)]:
        seed(number)
        width = 6 // groups
        image = draw(6, 3, 4)
        given = {f"W_pyramid_{g + 1}": draw((2 * g + 3) ** 2 * width, width, scale=0.4) for g in range(groups)}
        given |= {"W_squeeze": draw(width, 1), "W_excite": draw(1, width)}

        def convolved(images):
            """[n, channel, row, column] to that of each group."""
            result = []
            for g, part in enumerate(images.chunk(groups, 1)):
                side = 2 * g + 3
                kernel = given[f"W_pyramid_{g + 1}"].reshape(side, side, width, width).permute(3, 2, 0, 1)
                result.append(F.conv2d(part, kernel, padding=side // 2))
            return result

        features = [part[0] for part in convolved(image[None])]
        gates = torch.stack([torch.sigmoid(point(F.relu(point(part.mean((1, 2), keepdim=True), given["W_squeeze"])),
                                                 given["W_excite"])) for part in features])
        shares = torch.softmax(gates, 0)
        output = torch.cat([part * share for part, share in zip(features, shares)])
        units = torch.eye(12).reshape(12, 1, 3, 4).expand(-1, 6, -1, -1)
        weights = torch.cat([part * share for part, share in zip(convolved(units), shares)], 1).mean(1)
        row("algorithm", name, {"algorithm": {"type": "pyramid_split", "columns": 4, "groups": groups, "reduction": 4}},
            {"query": as_tokens(image)}, given, weights.flatten(1).T, as_tokens(output),
            {"pyramid_shares": shares.reshape(groups, width).T})


def build_dual():
    for name, number, spec in [("dual", 1206, {"alpha": 0.7, "beta": -0.4}),
                               ("dual_unlike", 1207, {"channels": "unlike", "residual": False, "scaled": True})]:
        case = Heads(number, n=6)
        scores = case.products() / (math.sqrt(case.d) if spec.get("scaled") else 1)
        weights = torch.softmax(scores, -1)
        energies = case.v.transpose(1, 2) @ case.v
        if spec.get("channels") == "unlike":
            energies = energies.amax(-1, keepdim=True) - energies
        mixed = (torch.softmax(energies, -1) @ case.v.transpose(1, 2)).transpose(1, 2)
        context = spec.get("alpha", 1) * weights @ case.v + spec.get("beta", 1) * mixed
        if spec.get("residual", True):
            context = context + 2 * case.v
        case.row("algorithm", name, {"algorithm": {"type": "dual"} | spec}, weights, context,
                 {"feature_weights": torch.softmax(energies, -1)})


def build_triangle():
    """Edges [i, j] of four nodes."""
    for name, number, node in [("triangle_starting", 1208, "starting"), ("triangle_ending", 1209, "ending")]:
        case = Heads(number, n=16)
        b = (case.x @ case.add("W_sides", draw(8, 2))).T.reshape(2, 4, 4)
        q, k, v = (x.reshape(2, 4, 4, -1) for x in (case.q, case.k, case.v))
        weights = torch.zeros(2, 4, 4, 4, 4)
        if node == "starting":
            scores = torch.einsum("hijc,hikc->hijk", q, k) / math.sqrt(case.d) + b[:, None]
            shares = torch.softmax(scores, -1)
            context = torch.einsum("hijk,hikc->hijc", shares, v)
            for i in range(4):
                weights[:, i, :, i, :] = shares[:, i]
        else:
            scores = torch.einsum("hijc,hkjc->hijk", q, k) / math.sqrt(case.d) + b.transpose(1, 2)[:, :, None]
            shares = torch.softmax(scores, -1)
            context = torch.einsum("hijk,hkjc->hijc", shares, v)
            for j in range(4):
                weights[:, :, j, :, j] = shares[:, :, j]
        case.row("algorithm", name, {"algorithm": {"type": "triangle", "columns": 4, "node": node}},
                 weights.reshape(2, 16, 16), context.reshape(2, 16, -1))


def shares_of_features(q, k, allowed, W_query, W_key, shift, bound):
    """[.., n, m, feature]"""
    sums = (q @ W_query)[..., :, None, :] + (k @ W_key)[..., None, :, :] + shift
    return torch.softmax((bound * torch.tanh(sums / bound)).masked_fill(~allowed[..., None], NEVER), -2)


def build_features():
    names = ["W_features_query", "W_features_key", "b_features"]
    case = Heads(1210, n=5)
    given = [case.add(name, draw(*shape)) for name, shape in zip(names, [(4, 4), (4, 4), (4,)])]
    shares = shares_of_features(case.q, case.k, causal(5), *given, 5)
    case.row("algorithm", "multi_dimensional", {"algorithm": {"type": "multi_dimensional"}, "mask": {"type": "causal"}},
             shares.mean(-1), torch.einsum("hnmc,hmc->hnc", shares, case.v))
    case = Cross(1211, n=4, m=6, width=5)
    given = dict(zip(names, [draw(5, 3), draw(5, 3), draw(3)]))
    shares = shares_of_features(case.query, case.key, torch.ones(4, 6, dtype=torch.bool), *given.values(), 1.5)
    row("algorithm", "multi_dimensional_of_two_sequences",
        case.spec | {"algorithm": {"type": "multi_dimensional", "bound": 1.5}}, case.inputs, given, shares.mean(-1),
        torch.einsum("nmc,mc->nc", shares, case.value))


def build_rectified():
    for name, number, is_gated in [("rectified", 1212, True), ("rectified_without_a_gate", 1213, False)]:
        case = Heads(number, n=6)
        gain = case.add("g_rectified", draw(8))
        weights = F.relu(case.products() / math.sqrt(case.d)).masked_fill(~causal(6), 0)
        z = (weights @ case.v).transpose(0, 1).reshape(6, 8)
        normal = gain * z * torch.rsqrt((z ** 2).mean(-1, keepdim=True) + 1e-8)
        if is_gated:
            normal = normal * torch.sigmoid(case.add("w_gate", draw(8)) * z)
        case.row("algorithm", name, {"algorithm": {"type": "rectified", "gated": is_gated}, "mask": {"type": "causal"}},
                 weights, case.split(normal))


def build_muse():
    """Bands of unfolded values, as DynamicConv1dTBC of the authors has them; a matrix behind the branch of the kernels,
    and kernels that all tokens share, as LightweightConv1d has them."""
    for name, number, is_past, is_own in [("muse", 1214, False, False), ("muse_of_the_past", 1215, True, False),
                                          ("muse_of_two_matrices", 1217, False, True)]:
        case = Heads(number, n=6)
        gate = case.add("g_sizes", draw(2))
        scores = case.products() / math.sqrt(case.d)
        weights = torch.softmax(scores.masked_fill(~causal(6), NEVER) if is_past else scores, -1)
        values, bands = case.v.transpose(0, 1).reshape(6, 8), 0
        for share, size in zip(torch.softmax(gate, 0), [3, 5]):
            if is_own:
                plain = case.add(f"k_muse_{size // 2}", draw(2, size))
                kernels = torch.softmax(plain, -1)[:, None].expand(-1, 6, -1)
            else:
                W = case.add(f"W_muse_{size // 2}", draw(8, 2 * size))
                kernels = torch.softmax((values @ W).reshape(6, 2, size), -1).transpose(0, 1)
            before = size - 1 if is_past else size // 2
            band = torch.zeros(2, 6, 6 + size - 1)
            for i in range(6):
                band[:, i, i:i + size] = kernels[:, i]
            bands = bands + share * band[:, :, before:before + 6]
        if is_own:
            W = case.add("W_convolution", draw(8, 8, scale=0.5))
            convolved = case.split((bands @ case.v).transpose(0, 1).reshape(6, 8) @ W)
            case.row("algorithm", name, {"algorithm": {"type": "muse", "kernel": "plain", "output": "own"}},
                     weights + bands, weights @ case.v + convolved)
            continue
        weights = weights + bands
        case.row("algorithm", name,
                 {"algorithm": {"type": "muse", "window": "past"}, "mask": {"type": "causal"}} if is_past else
                 {"algorithm": {"type": "muse"}}, weights)


def sampled_at(images, places):
    """What lies in images [h, c, rows, columns] at places [h, .., row and column], bilinearly: [h, c, ..]."""
    rows, columns = images.shape[-2:]
    grid = torch.stack([(2 * places[..., 1] + 1) / columns - 1, (2 * places[..., 0] + 1) / rows - 1], -1)
    return F.grid_sample(images, grid, mode="bilinear", padding_mode="zeros", align_corners=False)


def build_shared_points():
    """A depthwise convolution of torch around the middle of each patch, torch's norm and GELU, its sampling of values
    and of a table of biases as a picture."""
    for name, number, has_bias in [("shared_points", 1218, True), ("shared_points_without_bias", 1219, False)]:
        case = Heads(number, n=12)
        taps, shift = case.add("W_points_kernel", draw(9, 4)), case.add("b_points_kernel", draw(4))
        W_steps = case.add("W_steps", draw(4, 2))
        image = case.q.transpose(1, 2).reshape(2, 4, 3, 4)
        around = F.conv2d(image, taps.T.reshape(4, 1, 3, 3), shift, padding=1, groups=4)
        around = around[:, :, [1, 2]][..., [1, 3]].flatten(2).transpose(1, 2)  # [h, 4 points, d]
        steps = 1.5 * torch.tanh(F.gelu(F.layer_norm(around, (4,)), approximate="tanh") @ W_steps)
        places = torch.tensor([[0.5, 0.5], [0.5, 2.5], [2, 0.5], [2, 2.5]]) + steps

        def found(values):
            return sampled_at(values.transpose(1, 2).reshape(2, -1, 3, 4), places[:, None])[:, :, 0].transpose(1, 2)

        keys, values, shares = found(case.k), found(case.v), found(torch.eye(12).expand(2, -1, -1))
        scores = case.q @ keys.transpose(1, 2) / math.sqrt(case.d)
        if has_bias:
            table = case.add("place_bias", draw(2, 5 * 7)).reshape(2, 1, 5, 7)
            own = torch.stack([torch.arange(12) // 4, torch.arange(12) % 4], -1)
            differences = own[None, :, None] - places[:, None]  # [h, n, point, 2]
            scores = scores + sampled_at(table, differences + torch.tensor([2, 3]))[:, 0]
        weights = torch.softmax(scores, -1)
        options = {"columns": 4, "stride": 2, "reach": 1.5, "bias": has_bias}
        case.row("algorithm", name, {"algorithm": {"type": "shared_points"} | options}, weights @ shares,
                 weights @ values, {"point_steps": steps})


def build_convolution_mix():
    """As the authors' module has it, but for the window at the edges: fully connected layers over the heads, and a
    convolution whose kernels are shifts."""
    case = Heads(1220, n=12)
    W_grid, pieces = case.add("W_grid", draw(2, 4)), case.add("W_pieces", draw(18, 6))
    alpha, beta = case.add("rate_attention", draw(1)), case.add("rate_convolution", draw(1))
    place = torch.stack([torch.linspace(-1, 1, 4).repeat(3), torch.linspace(-1, 1, 3).repeat_interleave(4)], -1) @ W_grid
    keys = case.k[:, None] + (place[:, None] - place[None])[None]  # [h, n, m, d]
    row_of, column_of = torch.arange(12) // 4, torch.arange(12) % 4
    is_near = ((row_of[:, None] - row_of).abs() <= 1) & ((column_of[:, None] - column_of).abs() <= 1)
    scores = torch.einsum("hid,hijd->hij", case.q, keys) / math.sqrt(case.d)
    weights = torch.softmax(scores.masked_fill(~is_near, NEVER), -1)
    layers = torch.einsum("oi,ind->ond", pieces, torch.cat([case.q, case.k, case.v]))  # [9 taps of 2 heads, n, d]
    layers = layers.reshape(9, 2, 12, 4).permute(1, 3, 0, 2).reshape(8, 9, 3, 4)  # [h d, tap, rows, columns]
    shifts = torch.eye(9).reshape(1, 9, 3, 3)
    shifted = F.conv2d(layers, shifts, padding=1)[:, 0].reshape(2, 4, 12).transpose(1, 2)
    case.row("algorithm", "convolution_mix", {"algorithm": {"type": "convolution_mix", "columns": 4}}, weights,
             alpha * (weights @ case.v) + beta * shifted)


def build():
    build_shared_points()
    build_convolution_mix()
    build_deformable()
    build_filter()
    build_pyramid()
    build_dual()
    build_triangle()
    build_features()
    build_rectified()
    build_muse()
