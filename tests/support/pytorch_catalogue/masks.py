"""Patterns of allowed pairs, made as the papers' codes make them: from bands, blocks, grids and shifts."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, causal, masked_softmax, row


def band(n, below, above):
    """-above <= i - j <= below"""
    ones = torch.ones(n, n)
    return (ones.tril(above) * ones.triu(-below)) > 0


def repeat(n, step):
    """i - j is a multiple of step."""
    return torch.eye(step).repeat(math.ceil(n / step), math.ceil(n / step))[:n, :n] > 0


def blocks(*lengths):
    return torch.block_diag(*[torch.ones(length, length) for length in lengths]) > 0


def among(n, keys):
    """True in the columns of those keys."""
    return torch.zeros(n, n).index_fill(1, torch.as_tensor(keys), 1) > 0


def ancestors(parents):
    """All of the transitive closure's powers: adjacency matrices multiplied until nothing is new."""
    step = torch.eye(len(parents))
    for child, parent in enumerate(parents):
        if parent >= 0:
            step[child, parent] = 1
    return torch.linalg.matrix_power(step, len(parents)) > 0


def windows(regions, size):
    """Swin's window_partition of a map of region numbers; pairs in one window and in one region."""
    side = regions.shape[0]
    number = torch.arange(side * side).reshape(side, side)
    cut = lambda x: x.reshape(side // size, size, side // size, size).permute(0, 2, 1, 3).reshape(-1, size * size)
    allowed = torch.zeros(side * side, side * side, dtype=torch.bool)
    for places, labels in zip(cut(number), cut(regions)):
        allowed[places[:, None], places[None]] = labels[:, None] == labels[None]
    return allowed


def shifted_windows(side, size, shift):
    """Swin's own attention mask: nine regions on the shifted image, which is then turned back."""
    image = torch.zeros(side, side)
    slices = [slice(0, -size), slice(-size, -shift), slice(-shift, None)]
    for count, (rows, columns) in enumerate((r, c) for r in slices for c in slices):
        image[rows, columns] = count
    allowed = windows(image, size)
    # Token t of the shifted image is token back[t] of the image.
    back = torch.roll(torch.arange(side * side).reshape(side, side), (-shift, -shift), (0, 1)).flatten()
    turned = torch.zeros_like(allowed)
    turned[back[:, None], back[None]] = allowed
    return turned


def neighbourhood(side, size):
    """The window's corner is clamped, so that it stays inside."""
    corner = torch.clamp(torch.arange(side) - size // 2, 0, side - size)
    near = (torch.arange(side)[None] >= corner[:, None]) & (torch.arange(side)[None] < corner[:, None] + size)
    return torch.kron(near.int(), near.int()) > 0  # rows and columns by themselves


def dilated_neighbourhood(rows, columns, size, step):
    """The image as step x step images of every step-th cell, and the neighbourhood on each of them."""
    def near(count):
        seen = torch.zeros(count, count)
        for first in range(step):
            places = torch.arange(first, count, step)
            corner = torch.clamp(torch.arange(len(places)) - size // 2, 0, max(len(places) - size, 0))
            for place, start in zip(places, corner):
                seen[place, places[start:start + size]] = 1
        return seen
    return torch.kron(near(rows), near(columns)) > 0


def local(n, m, radius):
    places = torch.clamp(torch.arange(n), max=m - 1)[:, None]
    return (torch.arange(m)[None] - places).abs() <= radius


def halo(side, size, width):
    """The keys of each block as F.unfold cuts them out of the padded image, numbered from 1; 0 is padding."""
    numbers = torch.arange(1, side * side + 1).reshape(1, 1, side, side).to(torch.float64)
    cut = lambda kernel, padding: F.unfold(numbers, kernel, stride=size, padding=padding)[0].T.long()
    allowed = torch.zeros(side * side, side * side, dtype=torch.bool)
    for queries, keys in zip(cut(size, 0), cut(size + 2 * width, width)):
        keys = keys[keys > 0]
        allowed[queries[:, None] - 1, keys[None] - 1] = True
    return allowed


def net(rows, columns, down, across):
    """MaxViT's grid attention: the image as (G rows' step) x (G columns' step), attended along both G."""
    number = torch.arange(rows * columns)
    groups = number.reshape(rows // down, down, columns // across, across).permute(1, 3, 0, 2).flatten(2).flatten(0, 1)
    allowed = torch.zeros(rows * columns, rows * columns, dtype=torch.bool)
    for group in groups:
        allowed[group[:, None], group[None]] = True
    return allowed


def sliding_tiles(rows, columns, tile, window):
    """The mask between tiles, then every tile becomes tile x tile cells."""
    def near(tiles):
        left, right = window // 2, window // 2 + window % 2 - 1
        centre = torch.arange(tiles).clamp(left, tiles - 1 - right)[:, None]
        at = torch.arange(tiles)[None]
        return ((at >= centre - left) & (at <= centre + right)).repeat_interleave(tile, 0).repeat_interleave(tile, 1)
    return torch.kron(near(rows // tile).int(), near(columns // tile).int()) > 0


def radial(frames, places, first):
    """The four-dimensional mask of Li et al. 2025, equation 4, flattened as the paper says; the first frame is a sink."""
    i, j, k, l = torch.meshgrid(*[torch.arange(count) for count in (frames, frames, places, places)], indexing="ij")
    apart = (i - j).abs()
    band = 2 ** torch.floor(torch.log2(apart.clamp(min=1).to(torch.float64))).long()
    near = (band <= places) & ((k - l).abs() + 1 <= places / band)
    rare = (apart % torch.ceil(band / places).long() == 0) & (k == l)
    return (near | rare | (first & (j == 0))).permute(0, 2, 1, 3).reshape(frames * places, frames * places)


def block_diffusion(length, size):
    """Three masks in quarters of the square: M_BD, M_OBC over M_BC; noised tokens first."""
    block = torch.arange(length) // size
    later, same = block[:, None] > block[None], block[:, None] == block[None]
    return torch.cat([torch.cat([same, later], 1), torch.cat([torch.zeros_like(same), later | same], 1)], 0)


def images(queries, image_tokens, intervals):
    """A column for each image, which its tokens share."""
    place = torch.arange(queries)[:, None]
    first, end = torch.tensor(intervals).T
    return ((place >= first) & (place < end)).repeat_interleave(image_tokens, 1)


def table():
    n = 7
    look_back = causal(n)
    pattern = lambda word, **options: {"type": word} | options
    longformer = {"any": [pattern("symmetric_window", reach=1), pattern("global", tokens=[0, 4])]}
    hubs = among(n, [0, 4])
    streaming = {"all": [pattern("causal"), {"any": [pattern("sinks", sinks=2), pattern("window", size=2)]}]}
    drawn = torch.tensor([[2, 5], [6, 3], [0, 4], [1, 6], [0, 2], [3, 1], [4, 0]])
    random = torch.zeros(n, n).scatter(1, drawn, 1) > 0
    bigbird = {"any": [pattern("symmetric_window", reach=1), pattern("global"),
                       {"type": "matrix", "allowed": random.int().tolist()}]}
    turns = torch.tensor([3, 0, 6, 2, 5, 1, 4]).argsort()
    log_sparse = torch.eye(n) + sum(torch.diag(torch.ones(n - 2 ** k), -(2 ** k)) for k in range(3))
    return [
        ("padding", n, {"type": "padding", "key_lengths": 4}, among(n, range(4))),
        ("window", n, pattern("window", size=3), band(n, 2, 0)),
        ("symmetric_window", n, pattern("symmetric_window", reach=2), band(n, 2, 2)),
        ("dilated", n, pattern("dilated", reach=4, step=2), band(n, 4, 4) & repeat(n, 2)),
        ("strided", n, pattern("strided", stride=3), (band(n, 2, 0) | repeat(n, 3)) & look_back),
        ("strided_part_B", n, pattern("strided", stride=3, part="B"), repeat(n, 3) & look_back),
        ("fixed", n, pattern("fixed", stride=3, summary=1),
         (blocks(3, 3, 1) | among(n, [2, 5])) & look_back),
        ("fixed_part_B", 7, {"any": [pattern("fixed", stride=3, summary=2, part="B"), pattern("sinks", sinks=1)]},
         (among(n, [1, 2, 4, 5]) & look_back) | among(n, [0])),
        ("longformer", n, longformer, band(n, 1, 1) | hubs | hubs.T),
        ("bigbird", n, bigbird, band(n, 1, 1) | among(n, [0]) | among(n, [0]).T | random),
        ("blocks", n, pattern("blocks", size=3), blocks(3, 3, 1)),
        ("shifted_blocks", n, pattern("shifted_blocks", size=4, shift=2), blocks(2, 4, 1)),
        ("documents", n, {"all": [pattern("causal"), pattern("documents", lengths=[2, 4])]},
         blocks(2, 4, 1) & look_back),
        ("prefix", n, pattern("prefix", length=3), look_back | among(n, range(3))),
        ("streaming_sinks", n, streaming, (among(n, [0, 1]) | band(n, 1, 0)) & look_back),
        ("local_m", n, pattern("local", radius=1), local(n, n, 1)),
        ("log_sparse", n, pattern("logarithmic"), log_sparse > 0),
        ("tree", n, pattern("tree", parents=[-1, 0, 1, 1, 2, 3, 0]), ancestors([-1, 0, 1, 1, 2, 3, 0])),
        ("swin", 16, pattern("grid_window", columns=4, size=2), windows(torch.zeros(4, 4), 2)),
        ("shifted_swin", 16, pattern("shifted_grid_window", columns=4, size=2), shifted_windows(4, 2, 1)),
        ("axial", 12, pattern("axial", columns=4),
         (torch.kron(torch.eye(3), torch.ones(4, 4)) + torch.kron(torch.ones(3, 3), torch.eye(4))) > 0),
        ("neighbourhood", 16, pattern("neighbourhood", columns=4, size=3), neighbourhood(4, 3)),
        ("causal_bottom_right", (4, 7), {"type": "causal", "align": "bottom_right"},
         torch.ones(4, 7).tril(diagonal=3) > 0),
        ("wait_k", (4, 7), pattern("wait_k", k=3), torch.ones(4, 7).tril(diagonal=2) > 0),
        ("halo", 16, pattern("halo", columns=4, size=2, halo=1), halo(4, 2, 1)),
        ("grid_stride", 24, pattern("grid_stride", columns=6, down=2, across=3), net(4, 6, 2, 3)),
        ("sliding_tile", 24, pattern("sliding_tile", columns=6, tile=2, window=2), sliding_tiles(4, 6, 2, 2)),
        ("block_diffusion", 12, pattern("block_diffusion", size=2), block_diffusion(6, 2)),
        ("flamingo", (6, 6), pattern("flamingo", image_tokens=2, starts=[0, 2, 3]),
         images(6, 2, [[0, 2], [2, 3], [3, 6]])),
        ("flamingo_intervals", (6, 6), pattern("flamingo", image_tokens=3, starts=[0, 1], ends=[5]),
         images(6, 3, [[0, 5], [1, 6]])),
        ("permutation", n, pattern("permutation", order=[3, 0, 6, 2, 5, 1, 4]), turns[None] <= turns[:, None]),
        ("radial", 20, pattern("radial", frame=4), radial(5, 4, True)),
        ("radial_without_a_sink", 18, pattern("radial", frame=2, first=False), radial(9, 2, False)),
        ("dilated_neighbourhood", 35, pattern("neighbourhood", columns=7, size=3, dilation=2),
         dilated_neighbourhood(5, 7, 3, 2)),
    ]


def build():
    for number, (name, extent, mask, allowed) in enumerate(table(), start=600):
        n, m = extent if isinstance(extent, tuple) else (extent, extent)
        case = Cross(number, n, m, 2, value_width=2)
        weights = masked_softmax(case.products() / math.sqrt(2), allowed)
        row("mask", name, case.spec | {"mask": mask}, case.inputs, {}, weights, weights @ case.value)

    # The mask inside the scale and a finite mask: article 000's formula as torch computes it.
    case = Cross(640, 5, 5, 2)
    scores = (case.products() + (~causal(5)) * -2.5) / math.sqrt(2)
    weights = torch.softmax(scores, -1)
    row("mask", "finite_mask_before_scale",
        case.spec | {"mask": {"type": "causal"}, "mask_order": "before_scale", "mask_value": -2.5}, case.inputs, {},
        weights, weights @ case.value)
