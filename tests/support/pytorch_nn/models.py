#!/usr/bin/env python3
"""Golden outputs and gradients of cells, layers, optimisers and whole models from PyTorch.

    /usr/bin/python3 tests/support/pytorch_nn/models.py > tests/support/pytorch_nn/models.json

Written with torch 1.13 (Debian's python3-torch) from the papers' formulas and torch's own layers, never from the
engine. Needed only to make the file again. Weights have the names and shapes that a model's layout has, (in, out).
"""
import json
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
torch.manual_seed(4)
GATES = {"rnn": 1, "gru": 3, "lstm": 4}
BATCH = {"source": [[1, 2, 0, 2], [3, 1], [0, 0, 1]], "inputs": [[0, 2, 3], [0, 4], [0, 1, 1]],
         "labels": [[2, 3, 1], [4, 1], [1, 1, 1]]}
SOURCE_WORDS, TARGET_WORDS, DIVISOR = 4, 5, 2.0


def draw(*shape):
    """Normal numbers of two decimals."""
    return (torch.round(torch.randn(*shape) * 70) / 100).requires_grad_()


def numbers(tensor):
    """Nested lists of 12 significant digits."""
    tensor = tensor.detach()
    return float(f"{tensor.item():.12g}") if tensor.dim() == 0 else [numbers(row) for row in tensor]


def all_numbers(tensors):
    return {name: numbers(tensor) for name, tensor in tensors.items()}


def gradients(tensors):
    return {name: numbers(torch.zeros_like(x) if x.grad is None else x.grad) for name, x in tensors.items()}


# Cells: nn.RNN, nn.GRU, nn.LSTM along packed sequences of different lengths, [t, b, d].

def cells():
    rows = []
    for cell, layer in {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}.items():
        for bidirectional in [False, True]:
            steps, lengths, inputs, width = 4, [4, 2, 3], 2, 3
            made = layer(inputs, width, bidirectional=bidirectional)
            x, factors = draw(steps, 3, inputs), draw(steps, 3, width * (1 + bidirectional)).detach()
            weights, p = {}, dict(made.named_parameters())
            for direction, end in [("forward", ""), ("backward", "_reverse")][:1 + bidirectional]:
                for ours, theirs in [("W_input", "weight_ih_l0"), ("b_input", "bias_ih_l0"),
                                     ("W_hidden", "weight_hh_l0"), ("b_hidden", "bias_hh_l0")]:
                    with torch.no_grad():
                        p[theirs + end].copy_(draw(*p[theirs + end].shape))
                    weights[direction + "." + ours] = p[theirs + end]
            packed = pack_padded_sequence(x, lengths, enforce_sorted=False)
            states = pad_packed_sequence(made(packed)[0])[0]
            (states * factors).sum().backward()
            turned = lambda w: w.T if w.dim() == 2 else w[None]
            rows.append({"name": cell + ("_bidirectional" if bidirectional else ""), "cell": cell, "width": width,
                         "lengths": lengths, "x": numbers(x), "factors": numbers(factors), "states": numbers(states),
                         "x_gradient": numbers(x.grad),
                         "weights": {name: numbers(turned(w)) for name, w in weights.items()},
                         "gradients": {name: numbers(turned(w.grad)) for name, w in weights.items()}})
    return rows


def layers():
    x, gain, bias, factors = draw(3, 5), draw(1, 5), draw(1, 5), draw(3, 5).detach()
    y = F.layer_norm(x, (5,), gain[0], bias[0])
    (y * factors).sum().backward()
    norm = {"inputs": all_numbers({"x": x, "gain": gain, "bias": bias}), "factors": numbers(factors),
            "output": numbers(y), "gradients": gradients({"x": x, "gain": gain, "bias": bias})}
    logits, labels = draw(4, 3), [2, -1, 0, 0]
    loss = F.cross_entropy(logits, torch.tensor(labels), ignore_index=-1, reduction="sum") / 3
    loss.backward()
    entropy = {"inputs": all_numbers({"logits": logits}), "labels": labels, "divisor": 3, "output": numbers(loss),
               "gradients": gradients({"logits": logits})}
    return {"layer_norm": norm, "cross_entropy": entropy}


def optimizers():
    rows = []
    for name, made, options in [("adam", torch.optim.Adam, {}), ("adamw", torch.optim.AdamW, {"weight_decay": 0.1}),
                                ("decays", torch.optim.Adam, {"betas": (0.8, 0.95), "eps": 1e-3})]:
        weights = draw(4)
        row = {"name": name, "rate": 0.05, "weights": numbers(weights), "steps": [], "first_decay": 0.9,
               "second_decay": 0.999, "epsilon": options.get("eps", 1e-8),
               "weight_decay": options.get("weight_decay", 0)}
        if "betas" in options:
            row["first_decay"], row["second_decay"] = options["betas"]
        optimizer = made([weights], lr=0.05, **options)
        for _ in range(5):
            weights.grad = draw(4).detach()
            optimizer.step()
            row["steps"].append({"gradient": numbers(weights.grad), "weights": numbers(weights)})
        rows.append(row)
    return rows


# Models: the loss of a batch and its gradient for every weight.

def parameters(shapes):
    return {name: draw(*shape) for name, shape in shapes.items()}


def model_row(name, configuration, p, losses):
    loss = sum(losses) / DIVISOR
    loss.backward()
    return {"name": name, **configuration, "weights": all_numbers(p), "loss": numbers(loss), "gradients": gradients(p)}


def step(cell, p, name, x, state):
    """One step of torch's own cell; the state is (h, c) of an LSTM, (h, None) of others."""
    W, b, U, c = (p[f"{name}.{each}"] for each in ["W_input", "b_input", "W_hidden", "b_hidden"])
    if cell == "lstm":
        return torch.lstm_cell(x, list(state), W.T, U.T, b[0], c[0])
    function = torch.gru_cell if cell == "gru" else torch.rnn_tanh_cell
    return function(x, state[0], W.T, U.T, b[0], c[0]), None


def score(kind, p, q, keys, covered):
    """Scores of one query [1, d] with keys [m, d_k], which have been looked at with `covered` [m] before: [m]"""
    if kind == "dot":
        return (keys @ q.T)[:, 0]
    if kind == "general":
        return (q @ p["attention.W"] @ keys.T)[0]
    energy = q @ p["attention.W_1"] + keys @ p["attention.W_2"]
    if kind == "coverage":  # See, Liu & Manning 2017, equation 11
        energy = energy + covered[:, None] * p["attention.w_c"]
    return torch.tanh(energy) @ p["attention.v"][0]


def recurrent(name, style, cell="gru", kind="additive", bidirectional=True, feeding=True, radius=0, copied_as=None,
              coverage_loss=None):
    E, h = 2, 4
    g, k = GATES[cell], h * (1 + bidirectional)
    cells = ["encoder.forward"] + ["encoder.backward"] * bidirectional + ["decoder"]
    fed = k if style == "bahdanau" else h if feeding or style == "wrapper" else 0
    shapes = {"source_embedding": (SOURCE_WORDS, E), "target_embedding": (TARGET_WORDS, E)}
    for each in cells:
        shapes.update({each + ".W_input": (E + (fed if each == "decoder" else 0), g * h), each + ".b_input": (1, g * h),
                       each + ".W_hidden": (h, g * h), each + ".b_hidden": (1, g * h)})
    if bidirectional:
        shapes.update({"decoder.W_first": (h, h), "decoder.b_first": (1, h)})
    if kind == "general":
        shapes["attention.W"] = (h, k)
    if kind in ["additive", "coverage"]:
        shapes.update({"attention.W_1": (h, h), "attention.W_2": (k, h), "attention.v": (1, h)})
    if kind == "coverage":
        shapes["attention.w_c"] = (1, h)
    if radius:
        shapes.update({"attention.W_p": (h, h), "attention.v_p": (1, h)})
    if copied_as:
        shapes.update({"pointer.W": (k + h + E, 1), "pointer.b": (1, 1)})
    if style == "bahdanau":
        shapes.update({"readout.W": (h + E + k, 2 * h), "readout.b": (1, 2 * h)})
    else:
        shapes["W_c"] = (h + k, h)
    shapes.update({"W_output": (h, TARGET_WORDS), "b_output": (1, TARGET_WORDS)})
    p = parameters(shapes)

    def zeros():
        return torch.zeros(1, h), torch.zeros(1, h)

    def run(name, tokens):
        states, state = [], zeros()
        for token in tokens:
            state = step(cell, p, name, p["source_embedding"][token][None], state)
            states.append(state)
        return states

    def look(q, keys, covered):
        m = len(keys)
        scores = score(kind, p, q, keys, covered)
        if not radius:
            weights = torch.softmax(scores, 0)
            return weights, weights[None] @ keys
        place = torch.arange(m).double()  # local-p: Luong et al. 2015, equations 9 and 10
        centre = m * torch.sigmoid(torch.tanh(q @ p["attention.W_p"]) @ p["attention.v_p"][0])
        scores = torch.where((place - centre).abs() <= radius, scores, torch.tensor(-math.inf))
        weights = torch.softmax(scores, 0) * torch.exp(-(place - centre) ** 2 / (2 * (radius / 2) ** 2))
        return weights, weights[None] @ keys

    losses = []
    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        forward = run("encoder.forward", source)
        keys = torch.cat([each[0] for each in forward])
        state = forward[-1]
        if bidirectional:
            backward = run("encoder.backward", source[::-1])[::-1]
            keys = torch.cat([keys, torch.cat([each[0] for each in backward])], 1)
            state = torch.tanh(backward[0][0] @ p["decoder.W_first"] + p["decoder.b_first"]), torch.zeros(1, h)
        attentional, covered = torch.zeros(1, h), torch.zeros(len(keys))
        for token, label in zip(inputs, labels):
            y = p["target_embedding"][token][None]
            if style == "bahdanau":  # Bahdanau et al. 2015, A.2.2, the readout's maxout over pairs
                s = state[0]
                weights, context = look(s, keys, covered)
                state = step(cell, p, "decoder", torch.cat([y, context], 1), state)
                readout = (torch.cat([s, y, context], 1) @ p["readout.W"] + p["readout.b"]).reshape(h, 2)
                readout = readout.max(1).values[None]
            else:
                state = step(cell, p, "decoder", torch.cat([y, attentional], 1) if fed else y, state)
                weights, context = look(state[0], keys, covered)
                if style == "luong":
                    attentional = torch.tanh(torch.cat([context, state[0]], 1) @ p["W_c"])
                else:  # as AttentionWrapper: Dense([output; context]) without activation
                    attentional = torch.cat([state[0], context], 1) @ p["W_c"]
                readout = attentional
            logits = (readout @ p["W_output"] + p["b_output"])[0]
            if copied_as:  # See, Liu & Manning 2017, equations 8 and 9; over what can be said
                generate = torch.sigmoid(torch.cat([context, state[0], y], 1) @ p["pointer.W"] + p["pointer.b"])[0, 0]
                said = generate * torch.softmax(logits, 0)
                for j, word in enumerate(source):
                    if copied_as[word] >= 0:
                        said = said + (1 - generate) * weights[j] * F.one_hot(torch.tensor(copied_as[word]), TARGET_WORDS)
                losses.append(-torch.log(said[label] / said.sum()))
            else:
                losses.append(F.cross_entropy(logits[None], torch.tensor([label]), reduction="sum"))
            if coverage_loss:  # See, Liu & Manning 2017, equations 10, 12 and 13
                losses.append(coverage_loss * torch.minimum(weights, covered).sum())
            covered = covered + weights
    return model_row(name, ({"coverage_loss": coverage_loss} if coverage_loss else {}) | {"style": style, "cell": cell, "score": kind, "bidirectional": bidirectional,
                            "feeding": feeding, "radius": radius, "copied_as": copied_as or [], "embedding": E,
                            "width": h}, p, losses)


def sinusoids(length, d):
    places, table = torch.arange(length).double(), torch.zeros(length, d)
    for i in range(0, d, 2):
        table[:, i] = torch.sin(places / 10000 ** (i / d))
        table[:, i + 1] = torch.cos(places / 10000 ** (i / d))
    return table


def transformer(name, norm_first, learned_places):
    d, heads, inner, longest = 4, 2, 3, 5
    shapes = {}
    for side, words in [("source", SOURCE_WORDS), ("target", TARGET_WORDS)]:
        shapes[side + "_embedding"] = (words, d)
        if learned_places:
            shapes[side + "_places"] = (longest, d)
        part = "encoder" if side == "source" else "decoder"
        for site in ["self"] + ["cross"] * (part == "decoder"):
            at = f"{part}.0.{site}"
            shapes.update({at + ".norm.gain": (1, d), at + ".norm.bias": (1, d)})
            for letter in "qkvo":
                shapes.update({f"{at}.W_{letter}": (d, d), f"{at}.b_{letter}": (1, d)})
        at = f"{part}.0.feed_forward"
        shapes.update({at + ".norm.gain": (1, d), at + ".norm.bias": (1, d), at + ".W_1": (d, inner),
                       at + ".b_1": (1, inner), at + ".W_2": (inner, d), at + ".b_2": (1, d)})
        if norm_first:
            shapes.update({part + ".norm.gain": (1, d), part + ".norm.bias": (1, d)})
    shapes.update({"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)})
    p = parameters(shapes)

    options = {"dropout": 0.0, "activation": "relu", "batch_first": True, "norm_first": norm_first}
    encoder = nn.TransformerEncoderLayer(d, heads, inner, **options)
    decoder = nn.TransformerDecoderLayer(d, heads, inner, **options)

    def given(part, cross):
        """The layer's parameters as functions of ours."""
        sites = [("self_attn", f"{part}.0.self", "norm1")]
        sites += [("multihead_attn", f"{part}.0.cross", "norm2")] * cross
        feed, result = f"{part}.0.feed_forward", {}
        for theirs, ours, norm in sites + [(None, feed, "norm3" if cross else "norm2")]:
            result[norm + ".weight"], result[norm + ".bias"] = p[ours + ".norm.gain"][0], p[ours + ".norm.bias"][0]
            if theirs:
                result[theirs + ".in_proj_weight"] = torch.cat([p[f"{ours}.W_{x}"].T for x in "qkv"])
                result[theirs + ".in_proj_bias"] = torch.cat([p[f"{ours}.b_{x}"][0] for x in "qkv"])
                result[theirs + ".out_proj.weight"] = p[ours + ".W_o"].T
                result[theirs + ".out_proj.bias"] = p[ours + ".b_o"][0]
        for i in "12":
            result[f"linear{i}.weight"], result[f"linear{i}.bias"] = p[f"{feed}.W_{i}"].T, p[f"{feed}.b_{i}"][0]
        return result

    def embed(side, tokens):
        found = p[side + "_embedding"][tokens]
        return found + p[side + "_places"][:len(tokens)] if learned_places else \
            found * math.sqrt(d) + sinusoids(len(tokens), d)

    def last(part, x):
        return F.layer_norm(x, (d,), p[part + ".norm.gain"][0], p[part + ".norm.bias"][0]) if norm_first else x

    from torch.nn.utils.stateless import functional_call
    losses = []
    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        memory = last("encoder", functional_call(encoder, given("encoder", False), (embed("source", source)[None],)))
        mask = torch.triu(torch.full((len(inputs), len(inputs)), -math.inf), 1)
        x = functional_call(decoder, given("decoder", True), (embed("target", inputs)[None], memory), {"tgt_mask": mask})
        logits = last("decoder", x)[0] @ p["W_output"] + p["b_output"]
        losses.append(F.cross_entropy(logits, torch.tensor(labels), reduction="sum"))
    return model_row(name, {"norm_first": norm_first, "learned_places": learned_places, "width": d, "heads": heads,
                            "feed_forward": inner, "longest": longest}, p, losses)


# Hosts by their papers' formulas.

def cell_shapes(name, cell, inputs, h):
    g = GATES[cell]
    return {name + ".W_input": (inputs, g * h), name + ".b_input": (1, g * h), name + ".W_hidden": (h, g * h),
            name + ".b_hidden": (1, g * h)}


def read(p, cell, name, xs, h):
    """Every state of a cell along xs, [1, d] each."""
    states, state = [], (torch.zeros(1, h), torch.zeros(1, h))
    for x in xs:
        state = step(cell, p, name, x, state)
        states.append(state)
    return states


def additive(p, q, keys):
    return torch.softmax(torch.tanh(q @ p["attention.W_1"] + keys @ p["attention.W_2"]) @ p["attention.v"][0], 0)


def pointer_network():
    """Vinyals, Fortunato & Jaitly 2015, section 2.3: u_j = v^T tanh(W_1 e_j + W_2 d_i) is the answer; that the text
    ends is said by a gate."""
    E, h, cell = 2, 4, "lstm"
    shapes = {"source_embedding": (SOURCE_WORDS, E), "target_embedding": (TARGET_WORDS, E)}
    shapes |= cell_shapes("encoder.forward", cell, E, h) | cell_shapes("decoder", cell, E, h)
    shapes |= {"attention.W_1": (h, h), "attention.W_2": (h, h), "attention.v": (1, h), "pointer.W": (h + h + E, 1),
               "pointer.b": (1, 1)}
    p, copied_as, losses = parameters(shapes), [3, 2, 1, 4], []
    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        encoded = read(p, cell, "encoder.forward", [p["source_embedding"][w][None] for w in source], h)
        keys, state = torch.cat([each[0] for each in encoded]), encoded[-1]
        for token, label in zip(inputs, labels):
            y = p["target_embedding"][token][None]
            state = step(cell, p, "decoder", y, state)
            weights = additive(p, state[0], keys)
            context = weights[None] @ keys
            ends = torch.sigmoid(torch.cat([context, state[0], y], 1) @ p["pointer.W"] + p["pointer.b"])[0, 0]
            said = ends * F.one_hot(torch.tensor(1), TARGET_WORDS).double()
            for j, word in enumerate(source):
                said = said + (1 - ends) * weights[j] * F.one_hot(torch.tensor(copied_as[word]), TARGET_WORDS)
            losses.append(-torch.log(said[label] if said[label] > 1e-30 else torch.tensor(1e-30)))
    return model_row("pointer_network", {"copied_as": copied_as, "embedding": E, "width": h}, p, losses)


def gnmt():
    """Wu et al. 2016, sections 3.1 and 3.2: the first encoder layer reads in both directions, the decoder's first
    asks with what it said before and all are given the context; residuals from the third layer on."""
    E, h, cell = 2, 4, "lstm"
    shapes = {"source_embedding": (SOURCE_WORDS, E), "target_embedding": (TARGET_WORDS, E)}
    shapes |= cell_shapes("encoder.forward", cell, E, h) | cell_shapes("encoder.backward", cell, E, h)
    shapes |= cell_shapes("encoder.1", cell, 2 * h, h) | cell_shapes("encoder.2", cell, h, h)
    shapes |= {"decoder.W_first": (h, h), "decoder.b_first": (1, h)}
    shapes |= cell_shapes("decoder", cell, E + h, h)
    shapes |= cell_shapes("decoder.1", cell, 2 * h, h) | cell_shapes("decoder.2", cell, 2 * h, h)
    shapes |= {"attention.W_1": (h, h), "attention.W_2": (h, h), "attention.v": (1, h), "W_output": (h, TARGET_WORDS),
               "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        words = [p["source_embedding"][w][None] for w in source]
        forward = read(p, cell, "encoder.forward", words, h)
        backward = read(p, cell, "encoder.backward", words[::-1], h)[::-1]
        first = [torch.cat([f[0], b[0]], 1) for f, b in zip(forward, backward)]
        second = read(p, cell, "encoder.1", first, h)
        third = read(p, cell, "encoder.2", [each[0] for each in second], h)
        keys = torch.cat([c[0] + b[0] for b, c in zip(second, third)])
        states = [(torch.tanh(backward[0][0] @ p["decoder.W_first"] + p["decoder.b_first"]), torch.zeros(1, h)),
                  second[-1], third[-1]]
        for token, label in zip(inputs, labels):
            context = additive(p, states[0][0], keys)[None] @ keys
            y = p["target_embedding"][token][None]
            states[0] = step(cell, p, "decoder", torch.cat([y, context], 1), states[0])
            states[1] = step(cell, p, "decoder.1", torch.cat([states[0][0], context], 1), states[1])
            states[2] = step(cell, p, "decoder.2", torch.cat([states[1][0], context], 1), states[2])
            logits = (states[2][0] + states[1][0]) @ p["W_output"] + p["b_output"]
            losses.append(F.cross_entropy(logits, torch.tensor([label]), reduction="sum"))
    return model_row("gnmt", {"embedding": E, "width": h}, p, losses)


def hops():
    """Sukhbaatar et al. 2015, section 2.2, with one set of weights: u + o asks again; asked by Luong's decoder."""
    E, h, cell = 2, 4, "gru"
    shapes = {"source_embedding": (SOURCE_WORDS, E), "target_embedding": (TARGET_WORDS, E)}
    shapes |= cell_shapes("encoder.forward", cell, E, h) | cell_shapes("decoder", cell, E + h, h)
    shapes |= {"W_c": (2 * h, h), "W_output": (h, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        encoded = read(p, cell, "encoder.forward", [p["source_embedding"][w][None] for w in source], h)
        keys, state, attentional = torch.cat([each[0] for each in encoded]), encoded[-1], torch.zeros(1, h)
        for token, label in zip(inputs, labels):
            state = step(cell, p, "decoder", torch.cat([p["target_embedding"][token][None], attentional], 1), state)
            u = state[0]
            for hop in range(3):
                o = torch.softmax((keys @ u.T)[:, 0], 0)[None] @ keys
                u = u + o
            attentional = torch.tanh(torch.cat([o, state[0]], 1) @ p["W_c"])
            logits = attentional @ p["W_output"] + p["b_output"]
            losses.append(F.cross_entropy(logits, torch.tensor([label]), reduction="sum"))
    return model_row("hops", {"embedding": E, "width": h}, p, losses)


def dense():
    """A decoder of one dense layer: its query is made of the last word and its place."""
    E, h, cell = 2, 4, "gru"
    shapes = {"source_embedding": (SOURCE_WORDS, E), "target_embedding": (TARGET_WORDS, E)}
    shapes |= cell_shapes("encoder.forward", cell, E, h)
    shapes |= {"decoder.W_in": (E, h), "decoder.b_in": (1, h), "W_c": (2 * h, h), "W_output": (h, TARGET_WORDS),
               "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        encoded = read(p, cell, "encoder.forward", [p["source_embedding"][w][None] for w in source], h)
        keys = torch.cat([each[0] for each in encoded])
        query = torch.tanh((p["target_embedding"][inputs] + sinusoids(len(inputs), E)) @ p["decoder.W_in"]
                           + p["decoder.b_in"])
        context = torch.softmax(query @ keys.T / math.sqrt(h), 1) @ keys
        logits = torch.tanh(torch.cat([context, query], 1) @ p["W_c"]) @ p["W_output"] + p["b_output"]
        losses.append(F.cross_entropy(logits, torch.tensor(labels), reduction="sum"))
    return model_row("dense", {"embedding": E, "width": h}, p, losses)


def layer_of_transformer(p, d, heads):
    def norm(x, at):
        return F.layer_norm(x, (d,), p[at + ".norm.gain"][0], p[at + ".norm.bias"][0])

    def attend(x, y, at, mask):
        q, k, v = (z @ p[f"{at}.W_{c}"] + p[f"{at}.b_{c}"] for z, c in [(x, "q"), (y, "k"), (y, "v")])
        parts = []
        for a, b, c in zip(q.chunk(heads, 1), k.chunk(heads, 1), v.chunk(heads, 1)):
            scores = a @ b.T / math.sqrt(d // heads)
            if mask:
                scores = scores + torch.triu(torch.full(scores.shape, -math.inf), 1)
            parts.append(torch.softmax(scores, 1) @ c)
        return torch.cat(parts, 1) @ p[f"{at}.W_o"] + p[f"{at}.b_o"]

    return norm, attend


def site_shapes(at, d):
    shapes = {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d)}
    for letter in "qkvo":
        shapes |= {f"{at}.W_{letter}": (d, d), f"{at}.b_{letter}": (1, d)}
    return shapes


def universal():
    """Dehghani et al. 2019, section 2.1, with norms before: one layer, three turns, the waves of place and turn added
    before each (equation 6)."""
    d, heads, inner, turns = 4, 2, 3, 3
    shapes = {}
    for side, words, part in [("source", SOURCE_WORDS, "encoder"), ("target", TARGET_WORDS, "decoder")]:
        shapes[side + "_embedding"] = (words, d)
        for site in ["self"] + ["cross"] * (part == "decoder"):
            shapes |= site_shapes(f"{part}.0.{site}", d)
        at = f"{part}.0.feed_forward"
        shapes |= {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d), at + ".W_1": (d, inner), at + ".b_1": (1, inner),
                   at + ".W_2": (inner, d), at + ".b_2": (1, d), part + ".norm.gain": (1, d), part + ".norm.bias": (1, d)}
    shapes |= {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    norm, attend = layer_of_transformer(p, d, heads)

    def through(x, part, memory):
        for turn in range(1, turns + 1):
            x = x + sinusoids(len(x), d) + sinusoids(turns + 1, d)[turn]
            y = norm(x, f"{part}.0.self")
            x = x + attend(y, y, f"{part}.0.self", part == "decoder")
            if memory is not None:
                x = x + attend(norm(x, f"{part}.0.cross"), memory, f"{part}.0.cross", False)
            at = f"{part}.0.feed_forward"
            x = x + torch.relu(norm(x, at) @ p[at + ".W_1"] + p[at + ".b_1"]) @ p[at + ".W_2"] + p[at + ".b_2"]
        return norm(x, part)

    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        memory = through(p["source_embedding"][source] * math.sqrt(d), "encoder", None)
        logits = through(p["target_embedding"][inputs] * math.sqrt(d), "decoder", memory) @ p["W_output"] + p["b_output"]
        losses.append(F.cross_entropy(logits, torch.tensor(labels), reduction="sum"))
    return model_row("universal", {"width": d, "heads": heads, "feed_forward": inner, "turns": turns}, p, losses)


def convolutional():
    """After Gehring et al. 2017: gated linear units over three tokens by torch's own convolution, a decoder's over
    those before; each layer of the decoder looks at the source. Norms before, no feed-forward."""
    d, heads, reach = 4, 2, 3
    shapes = {}
    for side, words, part in [("source", SOURCE_WORDS, "encoder"), ("target", TARGET_WORDS, "decoder")]:
        shapes |= {side + "_embedding": (words, d), part + ".norm.gain": (1, d), part + ".norm.bias": (1, d)}
        at = f"{part}.0.convolution"
        shapes |= {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d), at + ".W": (reach * d, 2 * d),
                   at + ".b": (1, 2 * d)}
    shapes |= site_shapes("decoder.0.cross", d) | {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    norm, attend = layer_of_transformer(p, d, heads)

    def convolve(x, part):
        at = f"{part}.0.convolution"
        kernel = p[at + ".W"].reshape(reach, d, 2 * d).permute(2, 1, 0)
        before = reach // 2 if part == "encoder" else reach - 1
        padded = F.pad(norm(x, at).T[None], (before, reach - 1 - before))
        return x + F.glu(F.conv1d(padded, kernel, p[at + ".b"][0])[0].T, 1)

    for source, inputs, labels in zip(BATCH["source"], BATCH["inputs"], BATCH["labels"]):
        embed = lambda side, words: p[side + "_embedding"][words] * math.sqrt(d) + sinusoids(len(words), d)
        memory = norm(convolve(embed("source", source), "encoder"), "encoder")
        x = convolve(embed("target", inputs), "decoder")
        x = x + attend(norm(x, "decoder.0.cross"), memory, "decoder.0.cross", False)
        logits = norm(x, "decoder") @ p["W_output"] + p["b_output"]
        losses.append(F.cross_entropy(logits, torch.tensor(labels), reduction="sum"))
    return model_row("convolutional", {"width": d, "heads": heads, "reach": reach}, p, losses)


def set_transformer():
    """Lee et al. 2019, section 3: SAB(X) = MAB(X, X), and PMA with one seed as the authors' code has it, MAB(S, Z).
    The label is the first word of a text."""
    d, heads, inner = 4, 2, 3
    shapes = {"source_embedding": (SOURCE_WORDS, d), "seed": (1, d)}
    for part, site in [("encoder.0", "self"), ("decoder.0", "cross")]:
        at = part + ".feed_forward"
        shapes |= site_shapes(f"{part}.{site}", d)
        shapes |= {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d), at + ".W_1": (d, inner), at + ".b_1": (1, inner),
                   at + ".W_2": (inner, d), at + ".b_2": (1, d)}
    shapes |= {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    norm, attend = layer_of_transformer(p, d, heads)

    def mab(x, y, part, site):
        h = norm(x + attend(x, y, f"{part}.{site}", False), f"{part}.{site}")
        at = part + ".feed_forward"
        return norm(h + torch.relu(h @ p[at + ".W_1"] + p[at + ".b_1"]) @ p[at + ".W_2"] + p[at + ".b_2"], at)

    for source, labels in zip(BATCH["source"], BATCH["labels"]):
        x = p["source_embedding"][source] * math.sqrt(d)
        pooled = mab(p["seed"], mab(x, x, "encoder.0", "self"), "decoder.0", "cross")
        losses.append(F.cross_entropy(pooled @ p["W_output"] + p["b_output"], torch.tensor(labels[:1]), reduction="sum"))
    return model_row("set_transformer", {"width": d, "heads": heads, "feed_forward": inner}, p, losses)


def encoder_shapes(d, inner):
    """One layer of an encoder with norms before."""
    at = "encoder.0.feed_forward"
    shapes = {"source_embedding": (SOURCE_WORDS, d)} | site_shapes("encoder.0.self", d)
    return shapes | {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d), at + ".W_1": (d, inner), at + ".b_1": (1, inner),
                     at + ".W_2": (inner, d), at + ".b_2": (1, d), "encoder.norm.gain": (1, d), "encoder.norm.bias": (1, d)}


def encoder_layer(p, x, attend, norm):
    """`attend` gets the normalised tokens."""
    x = x + attend(norm(x, "encoder.0.self"))
    at = "encoder.0.feed_forward"
    x = x + torch.relu(norm(x, at) @ p[at + ".W_1"] + p[at + ".b_1"]) @ p[at + ".W_2"] + p[at + ".b_2"]
    return norm(x, "encoder")


def hierarchical(sentence):
    """Yang et al. 2016, equations 5 to 7 over the words of each sentence and 8 to 10 over the sentences; a layer of
    an encoder that reads each sentence for itself stands where the paper has its recurrent one, and none between."""
    d, heads, inner = 4, 2, 3
    shapes = encoder_shapes(d, inner)
    for level in ["word", "sentence"]:
        shapes |= {f"encoder.1.self.W_{level}": (d, d), f"encoder.1.self.b_{level}": (1, d),
                   f"encoder.1.self.u_{level}": (1, d)}
    shapes |= {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    norm, attend = layer_of_transformer(p, d, heads)

    def weighed(h, level):
        u = torch.tanh(h @ p[f"encoder.1.self.W_{level}"] + p[f"encoder.1.self.b_{level}"])
        return torch.softmax(u @ p[f"encoder.1.self.u_{level}"][0], 0) @ h

    for source, labels in zip(BATCH["source"], BATCH["labels"]):
        x = p["source_embedding"][source] * math.sqrt(d) + sinusoids(len(source), d)
        alone = lambda y: torch.cat([attend(s, s, "encoder.0.self", False) for s in torch.split(y, sentence)])
        h = encoder_layer(p, x, alone, norm)
        text = weighed(torch.stack([weighed(s, "word") for s in torch.split(h, sentence)]), "sentence")
        losses.append(F.cross_entropy(text @ p["W_output"] + p["b_output"][0], torch.tensor(labels[0]), reduction="sum"))
    return model_row("hierarchical", {"width": d, "heads": heads, "feed_forward": inner, "sentence": sentence}, p, losses)


def slots(count):
    """Locatello et al. 2020, algorithm 1, with three rounds: slots that begin as learned vectors, and norms without
    gains; the label is said by the mean of the slots."""
    d, heads, inner, at = 4, 2, 3, "decoder.0.cross"
    shapes = encoder_shapes(d, inner) | {"seed": (count, d)} | {f"{at}.W_{letter}": (d, d) for letter in "qkv"}
    shapes |= {at + ".W_cell": (d, 3 * d), at + ".b_cell": (1, 3 * d), at + ".U_cell": (d, 3 * d),
               at + ".c_cell": (1, 3 * d), at + ".W_slot_hidden": (d, 2 * d), at + ".b_slot_hidden": (1, 2 * d),
               at + ".W_slot": (2 * d, d), at + ".b_slot": (1, d)}
    shapes |= {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    norm, attend = layer_of_transformer(p, d, heads)
    for source, labels in zip(BATCH["source"], BATCH["labels"]):
        inputs = encoder_layer(p, p["source_embedding"][source] * math.sqrt(d),
                               lambda y: attend(y, y, "encoder.0.self", False), norm)
        k, v, state = inputs @ p[at + ".W_k"], inputs @ p[at + ".W_v"], p["seed"]
        for _ in range(3):
            q = F.layer_norm(state, (d,)) @ p[at + ".W_q"]
            shares = torch.softmax(q @ k.T / math.sqrt(d), 0)
            updates = (shares / shares.sum(1, keepdim=True)) @ v
            state = torch.gru_cell(updates, state, p[at + ".W_cell"].T, p[at + ".U_cell"].T, p[at + ".b_cell"][0],
                                   p[at + ".c_cell"][0])
            hidden = torch.relu(F.layer_norm(state, (d,)) @ p[at + ".W_slot_hidden"] + p[at + ".b_slot_hidden"])
            state = state + hidden @ p[at + ".W_slot"] + p[at + ".b_slot"]
        logits = state.mean(0) @ p["W_output"] + p["b_output"][0]
        losses.append(F.cross_entropy(logits, torch.tensor(labels[0]), reduction="sum"))
    return model_row("slots", {"width": d, "heads": heads, "feed_forward": inner, "seeds": count}, p, losses)


def query_shapes(d, inner):
    """A learned query that asks for a label, with norms before."""
    at = "decoder.0.feed_forward"
    shapes = {"seed": (1, d)} | site_shapes("decoder.0.cross", d)
    shapes |= {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d), at + ".W_1": (d, inner), at + ".b_1": (1, inner),
               at + ".W_2": (inner, d), at + ".b_2": (1, d), "decoder.norm.gain": (1, d), "decoder.norm.bias": (1, d)}
    return shapes | {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}


def asked_label(p, tokens, attend, norm):
    """What the learned query makes of the tokens: the label's logits."""
    at, y = "decoder.0.feed_forward", p["seed"]
    y = y + attend(norm(y, "decoder.0.cross"), tokens, "decoder.0.cross", False)
    y = y + torch.relu(norm(y, at) @ p[at + ".W_1"] + p[at + ".b_1"]) @ p[at + ".W_2"] + p[at + ".b_2"]
    return norm(y, "decoder") @ p["W_output"] + p["b_output"]


def coattention(question):
    """Seo et al. 2017, section 2, equations 1 and 2: S = w · [h; u; h ∘ u], U~ of the rows, h~ of the columns' largest, and
    [h; u~; h ∘ u~; h ∘ h~] through a matrix; layers of an encoder stand where the paper has recurrent ones, and a
    learned query, as in PMA with norms before, where it has an output layer."""
    d, heads, inner, at = 4, 2, 3, "encoder.1.self"
    shapes = encoder_shapes(d, inner) | {at + ".w": (1, 3 * d), at + ".W_merged": (4 * d, d), at + ".b_merged": (1, d)}
    p, losses = parameters(shapes | query_shapes(d, inner)), []
    norm, attend = layer_of_transformer(p, d, heads)
    for source, labels in zip(BATCH["source"], BATCH["labels"]):
        x = p["source_embedding"][source] * math.sqrt(d) + sinusoids(len(source), d)
        apart = lambda y: torch.cat([attend(s, s, "encoder.0.self", False) for s in [y[:question], y[question:]]])
        both = encoder_layer(p, x, apart, norm)
        u, h = both[:question], both[question:]
        pairs = torch.cat([h[:, None].expand(-1, len(u), -1), u[None].expand(len(h), -1, -1), h[:, None] * u[None]], 2)
        s = pairs @ p[at + ".w"][0]
        found, asked = torch.softmax(s, 1) @ u, torch.softmax(s.max(1).values, 0) @ h
        g = torch.cat([h, found, h * found, h * asked], 1) @ p[at + ".W_merged"] + p[at + ".b_merged"]
        losses.append(F.cross_entropy(asked_label(p, g, attend, norm), torch.tensor(labels[:1]), reduction="sum"))
    return model_row("coattention", {"width": d, "heads": heads, "feed_forward": inner, "question": question}, p, losses)


def triangles(points):
    """Jumper et al. 2021, supplement, algorithms 13 (around the starting node) and 14 (the ending node), W_o without a
    bias, a transition behind each, and a learned query where the paper has its structure. Tokens are pairs, row by row;
    those that a text is too short for have no say."""
    d, heads, inner = 4, 2, 3
    head = d // heads
    shapes = {"source_embedding": (SOURCE_WORDS, d), "encoder.norm.gain": (1, d), "encoder.norm.bias": (1, d)}
    for layer in range(2):
        at, ff = f"encoder.{layer}.self", f"encoder.{layer}.feed_forward"
        shapes |= {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d)} | {f"{at}.W_{letter}": (d, d) for letter in "qkvo"}
        shapes |= {at + ".W_sides": (d, heads), at + ".W_gate": (d, d), at + ".b_gate": (1, d)}
        shapes |= {ff + ".norm.gain": (1, d), ff + ".norm.bias": (1, d), ff + ".W_1": (d, inner), ff + ".b_1": (1, inner),
                   ff + ".W_2": (inner, d), ff + ".b_2": (1, d)}
    p, losses = parameters(shapes | query_shapes(d, inner)), []
    norm, attend = layer_of_transformer(p, d, heads)

    def around(z, at, ending):
        pair = lambda a, b: a * points + b
        q, k, v = (z @ p[f"{at}.W_{letter}"] for letter in "qkv")
        b, rows = z @ p[at + ".W_sides"], []
        for t in range(len(z)):
            i, j = divmod(t, points)
            met = [(pair(n, j), pair(n, i)) if ending else (pair(i, n), pair(j, n)) for n in range(points)]
            met = [(other, side) for other, side in met if other < len(z)]
            parts = []
            for h in range(heads):
                c = slice(h * head, (h + 1) * head)
                a = torch.softmax(torch.stack([q[t, c] @ k[other, c] / math.sqrt(head) +
                                               (b[side, h] if side < len(z) else 0) for other, side in met]), 0)
                parts.append(sum(weight * v[other, c] for weight, (other, _) in zip(a, met)))
            rows.append(torch.cat(parts))
        gate = torch.sigmoid(z @ p[at + ".W_gate"] + p[at + ".b_gate"])
        return (gate * torch.stack(rows)) @ p[at + ".W_o"]

    for source, labels in zip(BATCH["source"], BATCH["labels"]):
        x = p["source_embedding"][source] * math.sqrt(d)
        for layer in range(2):
            at, ff = f"encoder.{layer}.self", f"encoder.{layer}.feed_forward"
            x = x + around(norm(x, at), at, layer == 1)
            x = x + torch.relu(norm(x, ff) @ p[ff + ".W_1"] + p[ff + ".b_1"]) @ p[ff + ".W_2"] + p[ff + ".b_2"]
        logits = asked_label(p, norm(x, "encoder"), attend, norm)
        losses.append(F.cross_entropy(logits, torch.tensor(labels[:1]), reduction="sum"))
    return model_row("triangles", {"width": d, "heads": heads, "feed_forward": inner, "points": points}, p, losses)


def vision():
    """Dosovitskiy et al. 2021, equation 1 with the class token behind the layers (Touvron et al. 2021, CaiT): patches of
    three pixels times E, a learned place added to each, and a learned query that asks for the label."""
    d, heads, inner, places, pixels = 4, 2, 3, 5, 3
    look = torch.tensor([[(token * pixels + pixel) * 5 % 7 / 8 for pixel in range(pixels)] for token in range(SOURCE_WORDS)])
    shapes = encoder_shapes(d, inner) | {"source_embedding": (pixels, d), "source_places": (places, d)}
    p, losses = parameters(shapes | query_shapes(d, inner)), []
    norm, attend = layer_of_transformer(p, d, heads)
    for source, labels in zip(BATCH["source"], BATCH["labels"]):
        x = look[source] @ p["source_embedding"] + p["source_places"][:len(source)]
        tokens = encoder_layer(p, x, lambda y: attend(y, y, "encoder.0.self", False), norm)
        losses.append(F.cross_entropy(asked_label(p, tokens, attend, norm), torch.tensor(labels[:1]), reduction="sum"))
    return model_row("vision", {"width": d, "heads": heads, "feed_forward": inner, "places": places}, p, losses)


def transformer_xl(segment):
    """Dai et al. 2019, sections 3.2 and 3.3, with norms before: segment after segment, each with the hidden states of
    the one before, SG(h), in front of its keys; A_ij as in equation 5, shifted as in appendix B."""
    d, heads, inner, layers = 4, 2, 3, 2
    head = d // heads
    shapes = {"target_embedding": (TARGET_WORDS, d), "decoder.norm.gain": (1, d), "decoder.norm.bias": (1, d)}
    for i in range(layers):
        at = f"decoder.{i}.feed_forward"
        shapes |= site_shapes(f"decoder.{i}.self", d)
        shapes |= {f"decoder.{i}.self.W_r": (d, d), f"decoder.{i}.self.u_content": (heads, head),
                   f"decoder.{i}.self.u_position": (heads, head), at + ".norm.gain": (1, d), at + ".norm.bias": (1, d),
                   at + ".W_1": (d, inner), at + ".b_1": (1, inner), at + ".W_2": (inner, d), at + ".b_2": (1, d)}
    shapes |= {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    norm, _ = layer_of_transformer(p, d, heads)

    def by_heads(x):
        return x.reshape(len(x), heads, head)

    def attend(h, memory, at):
        n, m = len(h), len(h) + len(memory)
        asked, known = norm(h, at), norm(torch.cat([memory.detach(), h]), at)
        q = by_heads(asked @ p[at + ".W_q"] + p[at + ".b_q"])
        k = by_heads(known @ p[at + ".W_k"] + p[at + ".b_k"])
        v = by_heads(known @ p[at + ".W_v"] + p[at + ".b_v"])
        r = by_heads(sinusoids(m, d).flip(0) @ p[at + ".W_r"])  # of the distances m - 1, ..., 0
        content = torch.einsum("ihd,jhd->hij", q + p[at + ".u_content"], k)
        place = torch.einsum("ihd,jhd->hij", q + p[at + ".u_position"], r)
        place = F.pad(place, (1, 0)).reshape(heads, m + 1, n)[:, 1:].reshape(heads, n, m)  # the shift
        later = torch.triu(torch.ones(n, m), 1 + m - n).bool()
        weights = torch.softmax(((content + place) / math.sqrt(head)).masked_fill(later, -math.inf), 2)
        return torch.einsum("hij,jhd->ihd", weights, v).reshape(n, d) @ p[at + ".W_o"] + p[at + ".b_o"]

    for inputs, labels in zip(BATCH["inputs"], BATCH["labels"]):
        memories = [torch.zeros(0, d)] * layers
        for first in range(0, len(inputs), segment):
            h, given = p["target_embedding"][inputs[first:first + segment]] * math.sqrt(d), []
            for i in range(layers):
                given.append(h)
                h = h + attend(h, memories[i], f"decoder.{i}.self")
                at = f"decoder.{i}.feed_forward"
                h = h + torch.relu(norm(h, at) @ p[at + ".W_1"] + p[at + ".b_1"]) @ p[at + ".W_2"] + p[at + ".b_2"]
            memories = given
            logits = norm(h, "decoder") @ p["W_output"] + p["b_output"]
            losses.append(F.cross_entropy(logits, torch.tensor(labels[first:first + segment]), reduction="sum"))
    return model_row(f"transformer_xl_{segment}", {"width": d, "heads": heads, "feed_forward": inner,
                                                     "layers": layers, "segment": segment}, p, losses)


def two_streams(places):
    """Yang et al. 2019, section 2.3: g attends to the contents h of earlier turns, h to those and to itself, with the same
    weights; h begins as the word and g as w, here at their places, and with norms before. The words stay where they are,
    and masks say whose turn came before."""
    d, heads, inner, layers, orders = 4, 2, 3, 2, [[0, 2, 3, 1], [0, 2, 1], [0, 1, 3, 2]]
    shapes = {"target_embedding": (TARGET_WORDS, d), "guess_embedding": (1, d), "decoder.norm.gain": (1, d),
              "decoder.norm.bias": (1, d)} | ({"target_places": (places + 1, d)} if places else {})
    for i in range(layers):
        at = f"decoder.{i}.feed_forward"
        shapes |= site_shapes(f"decoder.{i}.self", d)
        shapes |= {at + ".norm.gain": (1, d), at + ".norm.bias": (1, d), at + ".W_1": (d, inner), at + ".b_1": (1, inner),
                   at + ".W_2": (inner, d), at + ".b_2": (1, d)}
    shapes |= {"W_output": (d, TARGET_WORDS), "b_output": (1, TARGET_WORDS)}
    p, losses = parameters(shapes), []
    norm, _ = layer_of_transformer(p, d, heads)

    def attend(asking, known, at, sees):
        by_heads = lambda x, c: (x @ p[f"{at}.W_{c}"] + p[f"{at}.b_{c}"]).reshape(len(x), heads, d // heads)
        scores = torch.einsum("ihd,jhd->hij", by_heads(asking, "q"), by_heads(known, "k")) / math.sqrt(d // heads)
        weights = torch.softmax(scores.masked_fill(~sees, -math.inf), 2)
        mixed = torch.einsum("hij,jhd->ihd", weights, by_heads(known, "v")).reshape(len(asking), d)
        return mixed @ p[at + ".W_o"] + p[at + ".b_o"]

    def with_feed_forward(x, at):
        return x + torch.relu(norm(x, at) @ p[at + ".W_1"] + p[at + ".b_1"]) @ p[at + ".W_2"] + p[at + ".b_2"]

    def at_places(x):
        return x + p["target_places"][:len(x)] if places else x * math.sqrt(d) + sinusoids(len(x), d)

    for inputs, labels, order in zip(BATCH["inputs"], BATCH["labels"], orders):
        words = inputs + labels[-1:]
        turns = torch.tensor([order.index(place) for place in range(len(words))])
        h, g = at_places(p["target_embedding"][words]), at_places(p["guess_embedding"].expand(len(words), d))[1:]
        for i in range(layers):
            at, known = f"decoder.{i}.self", norm(h, f"decoder.{i}.self")
            g = g + attend(norm(g, at), known, at, turns[None] < turns[1:, None])
            h = h + attend(known, known, at, turns[None] <= turns[:, None])
            g, h = (with_feed_forward(x, f"decoder.{i}.feed_forward") for x in [g, h])
        logits = norm(g, "decoder") @ p["W_output"] + p["b_output"]
        losses.append(F.cross_entropy(logits, torch.tensor(labels), reduction="sum"))
    return model_row("two_streams_" + ("learned" if places else "sinusoidal"),
                     {"width": d, "heads": heads, "feed_forward": inner, "layers": layers, "longest": places,
                      "orders": orders}, p, losses)


print(json.dumps({
    "generator": "tests/support/pytorch_nn/models.py", "torch": torch.__version__, "batch": BATCH, "divisor": DIVISOR,
    "source_words": SOURCE_WORDS, "target_words": TARGET_WORDS, "cells": cells(), "layers": layers(),
    "optimizers": optimizers(),
    "recurrent": [
        recurrent("bahdanau", "bahdanau"), recurrent("bahdanau_lstm", "bahdanau", "lstm"),
        recurrent("luong_general", "luong", kind="general"), recurrent("luong_lstm", "luong", "lstm"),
        recurrent("luong_dot_rnn_without_feeding", "luong", "rnn", "dot", False, False),
        recurrent("wrapper", "wrapper", "lstm"), recurrent("local_p", "luong", kind="general", radius=1),
        recurrent("pointer_bahdanau", "bahdanau", copied_as=[3, -1, 1, 4]),
        recurrent("pointer_luong", "luong", copied_as=[1, 2, 3, 4])],
    "transformers": [transformer("norm_before", True, False), transformer("norm_after", False, False),
                     transformer("norm_before_learned_places", True, True)],
    "coverage_losses": [
        recurrent("bahdanau", "bahdanau", coverage_loss=0.5),
        recurrent("bahdanau_coverage", "bahdanau", kind="coverage", coverage_loss=1.0),
        recurrent("pointer_luong_coverage", "luong", kind="coverage", copied_as=[1, 2, 3, 4], coverage_loss=1.0)],
    "hosts": [pointer_network(), gnmt(), hops(), dense(), universal(), convolutional(), transformer_xl(1),
              transformer_xl(2), set_transformer(), hierarchical(2), slots(3), coattention(1), triangles(2),
              two_streams(0), two_streams(5), vision()],
}, separators=(",", ":")).replace('{"name":', '\n{"name":'))
