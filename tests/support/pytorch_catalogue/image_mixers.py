"""Images that are mixed by points that a place chooses, by waves, by kernels of many sizes or by maps of places and of
channels; triangles of edges on a grid; a softmax for each feature, and relu with a norm in the place of a softmax."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, NEVER, causal, draw, row, seed
from grids import as_tokens, point


def build_deformable():
    """torch's own bilinear sampling; the weights are those of values that are the unit matrix."""
    for name, number, points in [("deformable", 1200, 3), ("deformable_of_one_point", 1201, 1)]:
        case = Heads(number, n=12)
        W_offsets, b_offsets = case.add("W_offsets", draw(8, 2 * points)), case.add("b_offsets", draw(2, 2 * points))
        W_points, b_points = case.add("W_points", draw(8, points)), case.add("b_points", draw(2, points))
        steps = case.q @ W_offsets.reshape(2, 4, -1) + b_offsets[:, None]  # [h, n, down and right of each point]
        shares = torch.softmax(case.q @ W_points.reshape(2, 4, -1) + b_points[:, None], -1)
        places = torch.arange(12)
        down = (places // 4)[None, :, None] + steps[..., 0::2]
        right = (places % 4)[None, :, None] + steps[..., 1::2]
        grid = torch.stack([(2 * right + 1) / 4 - 1, (2 * down + 1) / 3 - 1], -1)  # [h, n, point, x and y]

        def sampled(values):
            """[h, n, d]"""
            images = values.transpose(1, 2).reshape(2, -1, 3, 4)
            found = F.grid_sample(images, grid, mode="bilinear", padding_mode="zeros", align_corners=False)
            return torch.einsum("hdnk,hnk->hnd", found, shares)

        case.row("algorithm", name, {"algorithm": {"type": "deformable", "columns": 4, "points": points}},
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
    """Bands of unfolded values, as DynamicConv1dTBC of the authors has them."""
    for name, number, is_past in [("muse", 1214, False), ("muse_of_the_past", 1215, True)]:
        case = Heads(number, n=6)
        gate = case.add("g_sizes", draw(2))
        scores = case.products() / math.sqrt(case.d)
        weights = torch.softmax(scores.masked_fill(~causal(6), NEVER) if is_past else scores, -1)
        values = case.v.transpose(0, 1).reshape(6, 8)
        for share, size in zip(torch.softmax(gate, 0), [3, 5]):
            W = case.add(f"W_muse_{size // 2}", draw(8, 2 * size))
            kernels = torch.softmax((values @ W).reshape(6, 2, size), -1).transpose(0, 1)
            before = size - 1 if is_past else size // 2
            band = torch.zeros(2, 6, 6 + size - 1)
            for i in range(6):
                band[:, i, i:i + size] = kernels[:, i]
            weights = weights + share * band[:, :, before:before + 6]
        case.row("algorithm", name,
                 {"algorithm": {"type": "muse", "window": "past"}, "mask": {"type": "causal"}} if is_past else
                 {"algorithm": {"type": "muse"}}, weights)


def build():
    build_deformable()
    build_filter()
    build_pyramid()
    build_dual()
    build_triangle()
    build_features()
    build_rectified()
    build_muse()
