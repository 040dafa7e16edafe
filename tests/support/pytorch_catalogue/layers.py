"""A few layers of attention one above the other, of which each also reads something of those below it."""
import math

import torch
import torch.nn.functional as F

from golden import NEVER, Cross, Heads, causal, draw, masked_softmax, row

LAYERS = 3


class Layers(Heads):
    """Matrices of the layers above the first, which are drawn layer below layer, as (in, out)."""

    def __init__(self, number, layers=LAYERS, **rest):
        super().__init__(number, **rest)
        width, above = self.x.shape[1], layers - 1
        self.layers = layers
        for name, of_first in [("W_q_layers", "W_q"), ("W_k_layers", "W_k"), ("W_v_layers", "W_v")]:
            self.add(name, draw(above * width, self.parameters[of_first].shape[1], scale=0.5))
        self.add("W_o_layers", draw(above * self.parameters["W_o"].shape[0], width, scale=0.5))

    def vectors(self, x, letter, layer):
        """Vectors of the layer 0, 1, ..., [h, n, d] for each head that reads them."""
        heads = self.heads if letter == "q" else self.kv_heads
        matrix = self.parameters["W_" + letter] if layer == 0 else \
            self.parameters[f"W_{letter}_layers"].chunk(self.layers - 1)[layer - 1]
        return self.split(x @ matrix, heads).repeat_interleave(self.heads // heads, 0)

    def found(self, context, layer):
        return context.transpose(0, 1).reshape(self.n, -1) @ self.parameters["W_o_layers"].chunk(self.layers - 1)[layer]


def for_heads(case, x):
    return x.expand(case.heads, -1, -1)


def stack(case, link, allowed=None, mixed=None, looks_down=None):
    """Returns weights, context, and what else is recorded, for each head."""
    x, outputs, S, maps, depth = case.x, [case.x], 0, [], []
    for layer in range(case.layers):
        q, k, v = [case.vectors(x, letter, layer) for letter in "qkv"]
        own = q @ k.transpose(1, 2) / math.sqrt(case.d)
        S = own + S if link == "scores" else own
        A = masked_softmax(S, allowed)
        maps.append(A)
        if layer == 0:
            first = v
        elif mixed:
            v = mixed(layer - 1, first, v, x)
        context = A @ v
        if layer + 1 == case.layers:
            stages = {"layer_weights": torch.cat(maps, -1), "layer_input": for_heads(case, x)}
            if link == "scores":
                stages |= {"layer_scores": own, "scores": S}
            if mixed:
                stages |= {"mixed_values": v}
            if looks_down is not None:
                D = torch.stack([F.pad(each.mean(0), (0, case.layers - each.shape[1]))
                                 for each in [torch.ones(case.n, 1)] + depth])
                stages |= {"depth_weights": for_heads(case, depth[-1]), "depth_map": for_heads(case, D)}
            return A, context, stages
        outputs.append(case.found(context, layer))
        if looks_down is not None:
            v_i = torch.stack(outputs)
            keys = v_i * torch.rsqrt(v_i.square().mean(-1, keepdim=True) + 1e-6)
            alpha = torch.softmax(torch.einsum("lnd,d->ln", keys, looks_down[layer]), 0)
            x = torch.einsum("ln,lnd->nd", alpha, v_i)
            depth.append(alpha.T)
        else:
            x = x + outputs[-1]


def algorithm(link, **rest):
    return {"algorithm": {"type": "layer_stack", "layers": LAYERS, "link": link} | rest}


def build_layer_stack():
    case = Layers(1400, n=5)
    case.row("algorithm", "layer_stack", algorithm("none"), *stack(case, "none"))
    case = Layers(1401, n=5, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    case.row("algorithm", "realformer", algorithm("scores") | {"mask": {"type": "causal"}},
             *stack(case, "scores", causal(5)))

    case = Layers(1402, n=5, heads=2, kv_heads=1, spec={"heads": {"type": "multi_query", "heads": 2}})
    case.row("algorithm", "value_residual", algorithm("values"),
             *stack(case, "values", mixed=lambda layer, first, v, x: torch.lerp(first, v, 0.5)))
    case = Layers(1403, n=5)
    shares = case.add("value_shares", draw(LAYERS - 1, 2))
    case.row("algorithm", "value_residual_learned", algorithm("learned_values"),
             *stack(case, "values", mixed=lambda layer, first, v, x: shares[layer, 0] * first + shares[layer, 1] * v))
    # Gates as in x-transformers: a linear layer of the token with a number for each head.
    case = Layers(1404, n=5)
    W, b = case.add("W_value_gate", draw((LAYERS - 1) * 8, 2)), case.add("b_value_gate", draw(LAYERS - 1, 2))
    gate = lambda layer, x: torch.sigmoid(x @ W.chunk(LAYERS - 1)[layer] + b[layer]).T[..., None]
    case.row("algorithm", "value_residual_gated", algorithm("gated_values"),
             *stack(case, "values", mixed=lambda layer, first, v, x: torch.lerp(first, v, gate(layer, x))))

    case = Layers(1405, n=5)
    case.row("algorithm", "attention_residuals", algorithm("outputs"),
             *stack(case, "outputs", looks_down=case.add("w_depth", draw(LAYERS - 1, 8))))


def build_object_queries():
    """Queries look at each other, then at the second sequence; the other time by torch's own layer of several heads."""
    case = Cross(1406, n=3, m=6, width=4, value_width=4)
    x, maps = case.query, []
    for _ in range(2):
        among = torch.softmax(x @ x.T / 2, -1)
        asking = x + among @ x
        A = torch.softmax(asking @ case.key.T / 2, -1)
        maps.append(A)
        given, x = x, asking + A @ case.value
    row("algorithm", "object_queries", case.spec | {"algorithm": {"type": "layer_stack", "among": True}}, case.inputs,
        {}, A, A @ case.value,
        {"among_weights": among[None], "layer_weights": torch.cat(maps, -1)[None], "layer_input": given[None]})

    case = Cross(1407, n=3, m=6, width=4, value_width=4)
    given = {"W_q": draw(4, 4), "W_k": draw(4, 4), "W_v": draw(4, 4), "W_o": draw(4, 4)}
    given |= {f"W_{letter}_among": draw(4, 4) for letter in "qkvo"}
    layer = torch.nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
    second = torch.nn.MultiheadAttention(4, 2, bias=False, batch_first=True)
    with torch.no_grad():
        for to, ending in [(layer, "_among"), (second, "")]:
            to.in_proj_weight.copy_(torch.cat([given["W_" + letter + ending].T for letter in "qkv"]))
            to.out_proj.weight.copy_(given["W_o" + ending].T)
    x = case.query[None]
    found, among = layer(x, x, x, average_attn_weights=False)
    # Values are given apart, and go through W_v as well.
    output, A = second(x + found, case.key[None], case.value[None], average_attn_weights=False)
    row("algorithm", "object_queries_of_heads",
        case.spec | {"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": 2},
                     "algorithm": {"type": "layer_stack", "layers": 1, "among": True}},
        case.inputs, given, A[0], output[0], {"among_weights": among[0]})


def build_two_stream():
    """Yang et al. 2019, equation 4, without norms and feed-forward layers; in the released code both streams have one
    set of matrices too."""
    case = Layers(1408, layers=2, n=5)
    order = [3, 0, 4, 2, 1]
    turns = torch.empty(5).long()
    turns[order] = torch.arange(5)
    may_see = turns[None] <= turns[:, None]
    may_ask = turns[None] < turns[:, None]
    places = torch.arange(5.0)[:, None] / 10000 ** (torch.arange(0, 8, 2) / 8)
    term = torch.stack([places.sin(), places.cos()], -1).reshape(5, 8)
    w = case.add("w_stream", draw(8))
    h, g, maps = case.x + term, w + term, []
    for layer in range(2):
        k, v = case.vectors(h, "k", layer), case.vectors(h, "v", layer)
        scores = lambda x: case.vectors(x, "q", layer) @ k.transpose(1, 2) / math.sqrt(case.d)
        # The first of the order sees nothing, and gets zeros.
        asked = torch.nan_to_num(torch.softmax(scores(g).masked_fill(~may_ask, NEVER), -1), nan=0.0)
        seen = masked_softmax(scores(h), may_see)
        maps.append(asked)
        before = g
        if layer == 0:
            g, h = g + case.found(asked @ v, 0), h + case.found(seen @ v, 0)
    case.row("algorithm", "two_stream",
             {"algorithm": {"type": "two_stream"}, "position": {"type": "sinusoidal"},
              "mask": {"type": "permutation", "order": order}},
             asked, asked @ v, {"content_stream_weights": seen, "layer_weights": torch.cat(maps, -1),
                                "query_stream": for_heads(case, before)})


def build_set_blocks():
    """MAB of the Set Transformer's code, twice, and layers of the points between the two."""
    by_head = lambda x: x.reshape(len(x), 2, -1).transpose(0, 1)
    joined = lambda x: x.transpose(0, 1).reshape(x.shape[1], -1)
    attend = lambda q, k: torch.softmax(q @ k.transpose(1, 2) / 2, -1)
    for name, number, layers, norm in [("set_transformer", 1409, 0, lambda x: F.layer_norm(x, x.shape[-1:])),
                                       ("perceiver", 1410, 2, None), ("inducing_points_block", 1411, 1, lambda x: x)]:
        case = Heads(number, n=6)
        P = case.add("points", draw(3, 8))
        given = {name: case.add(name, draw(8, 8, scale=0.5)) for name in ["W_point"] + (
            ["W_point_value", "W_of_points", "W_of_tokens"] if norm else [])}
        biases = {name: case.add(name, draw(8)) for name in (["b_of_points", "b_of_tokens"] if norm else [])}

        def block(asks, found, of):
            H = norm(joined(asks + found))
            return norm(H + F.relu(H @ given["W_of_" + of] + biases["b_of_" + of]))

        pack = attend(by_head(P), case.k)
        Y = block(by_head(P), pack @ case.v, "points") if norm else joined(pack @ case.v)
        looks = {letter: case.add(f"W_{letter}_points", draw(layers * 8, 8, scale=0.5)).split(8)
                 for letter in "qkvo"} if layers else {}
        stages = {"pack_weights": pack}
        for layer in range(layers):
            q, k, v = [by_head(Y @ looks[letter][layer]) for letter in "qkv"]
            stages["latent_weights"] = attend(q, k)
            Y = Y + joined(attend(q, k) @ v) @ looks["o"][layer]
        unpack = attend(case.q, by_head(Y @ given["W_point"]))
        found = unpack @ by_head(Y @ given["W_point_value"] if norm else Y)
        context = by_head(block(case.q, found, "tokens")) if norm else found
        kind = "none" if not norm else "normed" if name == "set_transformer" else "plain"
        case.row("algorithm", name,
                 {"algorithm": {"type": "inducing_points", "points": 3, "layers": layers, "block": kind}},
                 unpack @ pack, context, stages | {"unpack_weights": unpack})


def build():
    build_layer_stack()
    build_set_blocks()
    build_object_queries()
    build_two_stream()
