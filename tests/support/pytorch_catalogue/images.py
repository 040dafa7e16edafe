#!/usr/bin/env python3
"""Golden numbers of image gates and non-local blocks, from PyTorch's convolutions and poolings of images.

    /usr/bin/python3 tests/support/pytorch_catalogue/images.py > tests/support/pytorch_catalogue/images.json

Written with torch 1.13 (Debian's python3-torch). Images are [channel, row, column] here, as torch has them, and
[place, channel] in the file, row by row, as sequences of tokens are. Everything is computed in float64.
"""
import json
import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
rows = []


def numbers(tensor):
    """Nested lists, rounded to 10 significant digits."""
    if tensor.dim() == 0:
        return float(f"{tensor.item():.10g}")
    return [numbers(row) for row in tensor]


def add(name, spec, tokens, parameters, weights, output):
    rows.append({
        "axis": "image",
        "name": name,
        "spec": spec,
        "inputs": {"query": numbers(tokens)},
        "parameters": {key: numbers(value) for key, value in parameters.items()},
        "weights": numbers(weights),  # [head, query, key]
        "output": numbers(output),
        "tolerance": 1e-8,  # parameters of ten digits
    })


def as_tokens(image):
    return image.flatten(1).T


def mean_gates(gates):
    """[channel, row, column] gates as the diagonal map that stands for them."""
    return torch.diag(as_tokens(gates).mean(1))[None]


def gate_layers(channels, hidden):
    squeeze = torch.nn.Conv2d(channels, hidden, 1, bias=False)
    excite = torch.nn.Conv2d(hidden, channels, 1, bias=False)
    parameters = {"W_squeeze": squeeze.weight[:, :, 0, 0].T, "W_excite": excite.weight[:, :, 0, 0].T}
    return (lambda z: excite(F.relu(squeeze(z)))), parameters


def squeeze_excitation(name, seed, channels, rows, columns, reduction):
    torch.manual_seed(seed)
    image = torch.randn(channels, rows, columns)
    layers, parameters = gate_layers(channels, channels // reduction)
    gates = torch.sigmoid(layers(F.adaptive_avg_pool2d(image, 1)))
    spec = {"algorithm": {"type": "squeeze_excitation", "reduction": reduction}}
    add(name, spec, as_tokens(image), parameters, mean_gates(gates.expand_as(image)), as_tokens(image * gates))


def channel_convolution(name, seed, channels, rows, columns, kernel):
    torch.manual_seed(seed)
    image = torch.randn(channels, rows, columns)
    slide = torch.nn.Conv1d(1, 1, kernel, padding=kernel // 2, bias=False)
    gates = torch.sigmoid(slide(image.mean((1, 2))[None]))[0, :, None, None]
    spec = {"algorithm": {"type": "squeeze_excitation", "excitation": "convolution", "kernel": str(kernel)}}
    add(name, spec, as_tokens(image), {"w_channels": slide.weight.flatten()}, mean_gates(gates.expand_as(image)),
        as_tokens(image * gates))


def energy_gate(name, seed, channels, rows, columns, smoothing):
    torch.manual_seed(seed)
    image = torch.randn(channels, rows, columns)
    variance, mean = torch.var_mean(image, (1, 2), unbiased=True, keepdim=True)
    gates = torch.sigmoid((image - mean) ** 2 / (4 * (variance + smoothing)) + 0.5)
    add(name, {"algorithm": {"type": "energy_gate", "lambda": smoothing}}, as_tokens(image), {}, mean_gates(gates),
        as_tokens(image * gates))


def convolutional_block(name, seed, channels, rows, columns, reduction, kernel):
    """Channel gates from both poolings, then a convolution over the means and the maxima of the channels."""
    torch.manual_seed(seed)
    image = torch.randn(channels, rows, columns)
    layers, parameters = gate_layers(channels, channels // reduction)
    of_channels = torch.sigmoid(layers(F.adaptive_avg_pool2d(image, 1)) + layers(F.adaptive_max_pool2d(image, 1)))
    gated = image * of_channels
    slide = torch.nn.Conv2d(2, 1, kernel, padding=kernel // 2, bias=False)
    of_places = torch.sigmoid(slide(torch.stack([gated.mean(0), gated.amax(0)])))
    parameters["w_spatial"] = slide.weight.flatten()
    spec = {"algorithm": {"type": "convolutional_block", "columns": columns, "reduction": reduction,
                          "kernel": f"{kernel}x{kernel}"}}
    add(name, spec, as_tokens(image), parameters, mean_gates(of_channels * of_places), as_tokens(gated * of_places))


def incomplete_block(name, seed, channels, columns, tokens, kernel):
    """Gates of places alone, on a grid whose last row lacks places: zeros for the convolution."""
    torch.manual_seed(seed)
    rows = math.ceil(tokens / columns)
    places = torch.randn(tokens, channels)
    planes = torch.zeros(2, rows * columns)
    planes[:, :tokens] = torch.stack([places.mean(1), places.amax(1)])
    slide = torch.nn.Conv2d(2, 1, kernel, padding=kernel // 2, bias=False)
    gates = torch.sigmoid(slide(planes.view(2, rows, columns))).flatten()[:tokens]
    spec = {"algorithm": {"type": "convolutional_block", "columns": columns, "gates": "places",
                          "kernel": f"{kernel}x{kernel}"}}
    add(name, spec, places, {"w_spatial": slide.weight.flatten()}, torch.diag(gates)[None], places * gates[:, None])


def non_local(name, seed, channels, inner, rows, columns, gamma):
    """The embedded Gaussian block of Wang et al. 2018, as convolutions of 1 x 1; gamma as SAGAN has it."""
    torch.manual_seed(seed)
    image = torch.randn(channels, rows, columns)
    theta, phi, g = (torch.nn.Conv2d(channels, inner, 1) for _ in range(3))
    last = torch.nn.Conv2d(inner, channels, 1)
    weights = F.softmax(theta(image).flatten(1).T @ phi(image).flatten(1), dim=-1)
    context = weights @ g(image).flatten(1).T
    z = gamma * last(context.T.view(inner, rows, columns)) + image
    parameters = {}
    for letter, layer in {"q": theta, "k": phi, "v": g, "o": last}.items():
        parameters |= {f"W_{letter}": layer.weight[:, :, 0, 0].T, f"b_{letter}": layer.bias}
    spec = {"projections": {"type": "learned", "bias": True, "dimension": inner}, "score": {"type": "dot"},
            "heads": {"type": "multi", "heads": 1}, "algorithm": {"type": "non_local", "gamma": gamma}}
    add(name, spec, as_tokens(image), parameters, weights[None], as_tokens(z))


squeeze_excitation("squeeze_excitation", 40, channels=8, rows=3, columns=4, reduction=2)
squeeze_excitation("squeeze_excitation_one_unit", 41, channels=6, rows=2, columns=5, reduction=6)
squeeze_excitation("squeeze_excitation_one_place", 42, channels=4, rows=1, columns=1, reduction=1)
channel_convolution("eca", 51, channels=7, rows=2, columns=3, kernel=3)
channel_convolution("eca_wider_than_the_channels", 52, channels=3, rows=2, columns=2, kernel=9)
energy_gate("simam", 53, channels=6, rows=3, columns=3, smoothing=1e-4)
energy_gate("simam_smooth", 54, channels=4, rows=2, columns=5, smoothing=0.5)
convolutional_block("cbam_3x3", 43, channels=8, rows=3, columns=4, reduction=2, kernel=3)
convolutional_block("cbam_7x7", 44, channels=4, rows=4, columns=5, reduction=4, kernel=7)
convolutional_block("cbam_one_row", 45, channels=6, rows=1, columns=6, reduction=3, kernel=5)
incomplete_block("cbam_incomplete_row", 46, channels=5, columns=4, tokens=10, kernel=3)
incomplete_block("cbam_incomplete_row_7x7", 47, channels=3, columns=3, tokens=7, kernel=7)
non_local("non_local", 48, channels=8, inner=4, rows=3, columns=3, gamma=1.0)
non_local("non_local_sagan", 49, channels=8, inner=1, rows=2, columns=4, gamma=0.3)
non_local("non_local_at_the_start", 50, channels=4, inner=2, rows=2, columns=3, gamma=0.0)

print('{"generator": "tests/support/pytorch_catalogue/images.py", "torch": "%s", "rows": [' % torch.__version__)
print(",\n".join(json.dumps(row) for row in rows))
print("]}")
