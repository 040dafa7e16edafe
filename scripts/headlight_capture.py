#!/usr/bin/env python3
"""Brings the attention of a PyTorch model to Headlight, as a capture that opens like any other file.

Needs NumPy beside what you run; nothing is imported that your program has not imported. Copy this file next to it.

Weights that a model returns, as Hugging Face's transformers do with output_attentions=True:

    outputs = model(**inputs, output_attentions=True)          # of generate() too, with return_dict_in_generate=True
    headlight_capture.save_weights("bert.npz", outputs, tokens=tokenizer.convert_ids_to_tokens(ids))

Weights of every torch.nn.MultiheadAttention, written to the disk while the model runs:

    with headlight_capture.hooked(model, "mine.npz", tokens=tokens):
        model(x)

Queries and keys, of n tokens n d numbers instead of n n, from which Headlight recomputes the weights:

    with headlight_capture.QueryKeyCapture("long.npz", tokens=tokens) as capture:
        ...                                                    # wherever a layer has them, projected and rotated:
        capture.record(layer, query, key, scale=0.125, causal=True, window=None, softcap=None, sinks=None)

Of a model of transformers (one that has `set_attn_implementation`) `capture.attach(model)` does that for every layer.

With values=True (both of these) the values of the keys are written beside them, so that Headlight can draw the norm of
each weight times its value.

Queries, keys and decay of linear layers (retention, gated linear attention, state spaces), which never form weights;
Headlight recomputes those that they imply, scale q_i . (a_{j+1} ... a_i k_j), and marks them as implied:

    headlight_capture.save_implied("linear.npz", query, key, decay, scale=0.125, tokens=tokens)

Where several processes share a model (tensor parallel: each has some heads; pipelines: some layers) each gives its
part, counted from 0, and how many there are; Headlight opens the parts as one:

    headlight_capture.QueryKeyCapture("long.npz", part=(rank, ranks), parts="head")

Where each process reads a text of its own (data parallel, FSDP) it has every head, and no part: give each a file of
its own. With device_map one process has all of the model, and there is nothing to share out.

    headlight_capture.py --check long.npz weights.npz          # recomputed against the weights of the model itself

reads parts as well, and says for each head how far the two are apart, of implied weights as a share of the largest, and where the comparison
could not have failed.
"""
import argparse
import contextlib
import glob
import itertools
import json
import os
import pathlib
import re
import sys
import tempfile
import zipfile

import numpy as np

__all__ = ["QueryKeyCapture", "check", "hooked", "save_implied", "save_weights"]

TERMS = ("scale", "causal", "window", "softcap", "sinks")


# What transformers hand to the attention of a layer: options that terms are made of, and those that change no score.
# Any other could, and is refused.
TOLD = ("scaling", "is_causal", "sliding_window", "softcap", "s_aux")
HARMLESS = ("dropout", "position_ids", "cache_position", "output_attentions", "output_hidden_states", "use_cache",
            "return_dict", "deterministic", "num_items_in_batch")


class CaptureError(ValueError):
    """What cannot be captured, in one line."""


def as_array(tensor):
    """A tensor of any library, on any device, as float32 or as what it is."""
    if hasattr(tensor, "detach"):
        tensor = tensor.detach()
        if str(tensor.dtype) == "torch.bfloat16":  # unknown to NumPy
            tensor = tensor.float()
        tensor = tensor.cpu().numpy()
    return np.asarray(tensor)


def require_axes(where, array, *axes):
    """That an array has as many axes as are named."""
    if array.ndim != len(axes):
        raise CaptureError(f"{where}: expected [{', '.join(axes)}], got {list(array.shape)}")


def text_of(array, item, where):
    """What is of one text in an array whose first axis is the batch."""
    if not 0 <= item < len(array):
        raise CaptureError(f"{where}: expected item from 0 to {len(array) - 1}, as there are texts in the batch, got {item}")
    return array[item]


AXES = ("batch", "window", "head", "query", "key")


def axes_of(array, axes, where):
    """What each axis is of: as it is said, or where there is one meaning."""
    if axes is None and array.ndim in (2, 4):
        return AXES[3:] if array.ndim == 2 else ("batch", "head", "query", "key")
    if axes is None and array.ndim == 3 and len(array) == 1:
        return ("head", "query", "key")  # the one text of averaged heads is the same map
    if axes is None:
        raise CaptureError(f"{where}: expected [batch, head, query, key], got {list(array.shape)}: say what its axes are, "
                           "axes=('head', 'query', 'key') of one text or axes=('batch', 'query', 'key') of averaged heads")
    if not {"query", "key"} <= set(axes) <= set(AXES) or len(set(axes)) < len(axes) or {"batch", "window"} <= set(axes):
        raise CaptureError(f"expected axes of 'batch' or 'window', 'head', 'query' and 'key', each once, got {tuple(axes)}")
    require_axes(where, array, *axes)
    return tuple(axes)


def map_of(array, item, axes, where):
    """[head, query, key] of one text, or of one window. Averaged heads are one head."""
    array = as_array(array)
    axes = axes_of(array, axes, where)
    chosen = [name for name in axes if name in ("batch", "window")]
    array = array.transpose([axes.index(name) for name in (*chosen, "head", "query", "key") if name in axes])
    if chosen:
        array = text_of(array, item, where)
    return array if "head" in axes else array[None]


class Archive:
    """Arrays [layer, head, ...] that arrive layer by layer: each goes to the disk at once, and all of them into one
    archive at the end. Nothing is left behind where the model fails."""

    def __init__(self, path, dtype, part=None, parts="head"):
        self.path, self.dtype, self.parts = pathlib.Path(path), np.dtype(dtype), parts
        self.dtypes = {}  # {name: of arrays that need another}
        if self.path.suffix != ".npz":
            raise CaptureError(f"{path}: expected a file named .npz, got {self.path.suffix or 'no extension'}")
        if parts not in ("head", "layer"):
            raise CaptureError(f'expected parts "head" or "layer", got "{parts}"')
        if part is not None and not 0 <= part[0] < part[1]:
            raise CaptureError(f"expected part=(number from 0, how many), got {tuple(part)}")
        if part is not None:
            self.path = self.path.with_suffix(f".{part[0] + 1}-of-{part[1]}.npz")
        self.folder = tempfile.TemporaryDirectory(prefix=".headlight-", dir=self.path.absolute().parent)
        self.layers = {}  # {name: {layer: file}}
        self.shapes = {}

    def add(self, name, layer, array):
        """Adds what one layer has of a kind of maps ("", "cross"), or of queries and keys ("q", "k")."""
        if layer in self.layers.setdefault(name, {}):
            raise CaptureError(f"{name or 'attention'}, layer {layer}: expected one forward pass, got another: "
                               "open a capture for each")
        if array.shape != self.shapes.setdefault(name, array.shape):
            raise CaptureError(f"{name or 'attention'}, layer {layer}: expected shape {list(self.shapes[name])} as "
                               f"other layers have, got {list(array.shape)}: capture layers that are alike")
        file = pathlib.Path(self.folder.name) / f"{list(self.layers).index(name)}-{layer}"
        np.ascontiguousarray(array, dtype=self.dtypes.get(name, self.dtype)).tofile(file)
        self.layers[name][layer] = file

    def rename(self, before, after):
        """The maps of one kind, and their values."""
        names = {before: after, name_of_values(before): name_of_values(after)}
        self.layers = {names.get(name, name): layers for name, layers in self.layers.items()}
        self.shapes = {names.get(name, name): shape for name, shape in self.shapes.items()}

    def close(self, notes):
        if not self.layers:
            raise CaptureError(f"{self.path}: expected attention, got none: no layer that is captured has run")
        whole = pathlib.Path(self.folder.name) / "whole"
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED, allowZip64=True) as archive:
            for name, layers in self.layers.items():
                shape = (len(layers),) + self.shapes[name]
                with archive.open(f"{name or 'attention'}.npy", "w", force_zip64=True) as entry:
                    np.lib.format.write_array_header_1_0(
                        entry, {"descr": self.dtypes.get(name, self.dtype).str, "fortran_order": False, "shape": shape})
                    for layer in sorted(layers):
                        entry.write(layers[layer].read_bytes())
        if numbers := self.layer_numbers():
            notes = {**notes, "layer_numbers": numbers}
        beside = pathlib.Path(self.folder.name) / "notes"
        beside.write_text(json.dumps({**notes, "parts": self.parts}, ensure_ascii=False), encoding="utf-8")
        os.replace(beside, self.path.with_suffix(".json"))
        os.replace(whole, self.path)
        self.folder.cleanup()

    def layer_numbers(self):
        """{name: numbers of its layers in the model}, where these are some of its layers alone."""
        return {name or "attention": sorted(layers) for name, layers in self.layers.items()
                if not is_of_values(name) and sorted(layers) != list(range(len(layers)))}

    def abandon(self):
        self.folder.cleanup()


def hidden_pairs(queries, keys, causal, window):
    """[query, key]: what causality and a window forbid. The last query stands at the last key."""
    behind = np.arange(queries)[:, None] + (keys - queries) - np.arange(keys)[None, :]
    hidden = behind < 0 if causal or window else np.zeros(behind.shape, bool)
    return hidden | (behind >= window) if window else hidden


def require_mask(layer, mask, item, queries, causal, window):
    """That a mask [batch, 1 or head, query, key], of truths or of numbers that are added, says nothing but that."""
    mask = mask[min(item, len(mask) - 1)]
    if mask.ndim != 3 or mask.shape[1] != queries:
        raise CaptureError(f"layer {layer}: expected a mask [batch, head, query, key], got one for each token, as of "
                           "packed or padded texts: capture one text at a time")
    hidden = ~mask if mask.dtype == bool else mask < -1e4
    if mask.dtype != bool and (mask[~hidden] != 0).any():
        raise CaptureError(f"layer {layer}: expected a mask, got numbers that are added to the scores: capture the "
                           "weights instead")
    if (hidden != hidden_pairs(mask.shape[1], mask.shape[2], causal, window)).any():
        raise CaptureError(f"layer {layer}: expected a mask as {'causality' if causal else 'no causality'} and window "
                           f"{window} make it, got another, as of padding or of a prefix: capture the weights instead, "
                           "or one text without padding")


def notes_of(tokens, query_tokens, key_tokens):
    """What stands beside the numbers."""
    notes = {"tokens": tokens, "query_tokens": query_tokens, "key_tokens": key_tokens}
    return {name: [str(token) for token in value] for name, value in notes.items() if value is not None}


def name_of_values(name):
    """What the values of the maps of that name are called."""
    return f"{name or 'attention'}.v"


def is_of_values(name):
    return name == "v" or name.endswith(".v")


def values_of(module, value, item):
    """What a torch.nn.MultiheadAttention makes of its values: [head, token, d] of one text."""
    if module.bias_v is not None or module.add_zero_attn:
        raise CaptureError("values: expected as many keys as there are tokens, got a MultiheadAttention that adds some "
                           "(add_bias_kv, add_zero_attn): capture the weights alone")
    if value.dim() == 3:
        value = value[item] if module.batch_first else value[:, item]
    width = module.embed_dim
    matrix = module.v_proj_weight if module.in_proj_weight is None else module.in_proj_weight[2 * width:]
    rows = value @ matrix.T
    if module.in_proj_bias is not None:
        rows = rows + module.in_proj_bias[2 * width:]
    return as_array(rows).reshape(len(rows), module.num_heads, -1).swapaxes(0, 1)


def chosen(array, heads):
    return array if heads is None else array[list(heads)]


def grown(steps):
    """A layer of each step of generate(), [head, rows, keys so far], as one map: keys that come later have 0."""
    keys = max(step.shape[-1] for step in steps)
    return np.concatenate([np.pad(step, ((0, 0), (0, 0), (0, keys - step.shape[-1]))) for step in steps], axis=1)


def is_generated(attentions):
    """Steps of generate(), each with its layers, and not the layers of a forward pass."""
    return isinstance(attentions[0], (tuple, list))


def rows_of_steps(outputs, steps, item):
    """The row of each step's arrays that belongs to the answer `item`. A search moves beams from row to row; then
    beam_indices of the output say where the answer's beam was."""
    rows = len(as_array(steps[0][0]))
    indices = getattr(outputs, "beam_indices", None)
    if indices is not None:
        way = text_of(as_array(indices), item, "beam_indices")[:len(steps)]
        return [int(row) for row in itertools.takewhile(lambda row: row >= 0, way)]  # -1: it has ended
    texts = getattr(outputs, "encoder_attentions", None)
    are_answers = hasattr(outputs, "sequences") and not hasattr(outputs, "beam_indices")
    if rows > 1 and not are_answers and not (texts and len(as_array(texts[0])) == rows):
        raise CaptureError(f"expected beam_indices beside steps of {rows} rows, which may be beams that change places, got "
                           "none: save the whole output of generate(..., output_scores=True, return_dict_in_generate=True)")
    return [item] * len(steps)


def layers_of(attentions, rows, item, axes, name):
    """[head, query, key] of each layer: of a forward pass, or of `rows` of the steps of generate(), [step]."""
    def where(layer):
        return f"{name or 'attention'}, layer {layer}"
    if is_generated(attentions):
        return [grown([map_of(step[layer], row, axes, where(layer)) for step, row in zip(attentions, rows)])
                for layer in range(len(attentions[0]))]
    return [None if layer is None else map_of(layer, item, axes, where(number))
            for number, layer in enumerate(attentions)]


def text_of_answer(kinds, rows, item):
    """Which text of the encoder the answer `item` is to: several beams or answers belong to one."""
    encoder = next((layer for layer in kinds["encoder"] or () if layer is not None), None)
    steps = next((kinds[name] for name in ("cross", "decoder") if kinds[name] and is_generated(kinds[name])), None)
    if encoder is None or not steps:
        return item
    return rows[0] // max(1, len(as_array(steps[0][0])) // len(as_array(encoder)))


def save_weights(path, outputs, *, tokens=None, query_tokens=None, key_tokens=None, layers=None, heads=None,
                 values=None, dtype="float16", item=0, axes=None, part=None, parts="head"):
    """Writes what a model has returned: an output of transformers, or a list with [batch, head, query, key] of each
    layer. `layers` and `heads` choose some, counted from 0; layers keep their numbers. `item` is the text among those of
    the batch, or the answer among those of generate(), whose beams are followed from row to row. `axes` says what other
    arrays are of: ("batch", "query", "key") where heads were averaged, ("window", "head", "query", "key") of windows,
    whose `item` is one. Of an encoder-decoder `query_tokens` are the target's, `key_tokens` the source's. `values` are
    those of the keys, a list with [batch, head, token, d] of each layer, with as many heads as the weights."""
    kinds = {"": getattr(outputs, "attentions", None), "encoder": getattr(outputs, "encoder_attentions", None),
             "decoder": getattr(outputs, "decoder_attentions", None),
             "cross": getattr(outputs, "cross_attentions", None)}
    if isinstance(outputs, (tuple, list)):
        kinds[""] = outputs
    archive = Archive(path, dtype, part, parts)
    try:
        steps = next((each for each in kinds.values() if each and is_generated(each)), None)
        rows = rows_of_steps(outputs, steps, item) if steps else [item]
        for name, attentions in kinds.items():
            if not attentions:
                continue
            text = text_of_answer(kinds, rows, item) if name == "encoder" else item
            for number, layer in enumerate(layers_of(attentions, rows, text, axes, name)):
                if layer is not None and (layers is None or number in layers):
                    archive.add(name, number, chosen(layer, heads))
        for number, layer in enumerate([] if values is None else values):
            if layers is None or number in layers:
                where, array = f"values, layer {number}", as_array(layer)
                require_axes(where, array, "batch", "head", "token", "d")
                archive.add(name_of_values(""), number, chosen(text_of(array, item, where), heads))
        archive.close(notes_of(tokens, query_tokens, key_tokens))
    except BaseException:
        archive.abandon()
        raise


def require_vectors(layer, query, key):
    """That queries [head, token, d] and keys [key head, token, d] belong together."""
    require_axes(f"q, layer {layer}", query, "head", "token", "d")
    require_axes(f"k, layer {layer}", key, "key head", "token", "d")
    if len(query) % len(key) or query.shape[-1] != key.shape[-1]:
        raise CaptureError(f"k, layer {layer}: expected heads that those of q, {len(query)}, are shared out to, and as many "
                           f"dimensions, {query.shape[-1]}, got {list(key.shape)}")


def decay_of(layer, decay, decay_is, key):
    """The decay of a layer, checked: [head], [head, token] or [head, token, d]."""
    array = as_array(decay)
    if array.ndim < 1 or array.shape[1:] not in ((), key.shape[1:2], key.shape[1:]):
        raise CaptureError(f"decay, layer {layer}: expected [head], [head, {key.shape[1]}] or [head, "
                           f"{key.shape[1]}, {key.shape[2]}], as the keys have, got {list(array.shape)}")
    if decay_is not in ("factor", "log"):
        raise CaptureError(f'expected decay_is "factor" or "log", got "{decay_is}"')
    is_decay = array <= 0 if decay_is == "log" else (array >= 0) & (array <= 1)
    if not is_decay.all():
        raise CaptureError(f"decay, layer {layer}: expected " +
                           ("logarithms of at most 0" if decay_is == "log" else "factors from 0 to 1") +
                           f", got {array[~is_decay].flat[0]}")
    return array


def save_implied(path, query, key, decay=None, *, scale, value=None, decay_is="factor", causal=True, normalised=False,
                 tokens=None, dtype="float16", part=None, parts="head"):
    """Writes what the weights of linear layers follow from: of each layer queries [head, token, d] and keys [key head,
    token, d], as features, rotated and with their write strengths, and how much of what came before it each token
    leaves: [head], [head, token] or [head, token, d], factors or their logarithms. The decay is kept as float32 at
    least: rounded to float16 a slow one would be none. `value`, [key head, token, d] of each layer, is kept beside them."""
    if len({len(query), len(key), len(query if decay is None else decay)}) > 1:
        raise CaptureError(f"{path}: expected as many layers of q, k and decay, got {len(query)}, {len(key)}" +
                           ("" if decay is None else f", {len(decay)}"))
    if value is not None and len(value) != len(key):
        raise CaptureError(f"{path}: expected values of {len(key)} layers, as there are keys, got {len(value)}")
    archive = Archive(path, dtype, part, parts)
    archive.dtypes["decay"] = np.promote_types(archive.dtype, np.float32)
    try:
        for layer, (queries, keys) in enumerate(zip(query, key)):
            queries, keys = as_array(queries), as_array(keys)
            require_vectors(layer, queries, keys)
            archive.add("q", layer, queries)
            archive.add("k", layer, keys)
            if value is not None:
                values = as_array(value[layer])
                require_axes(f"values, layer {layer}", values, "key head", "token", "d")
                archive.add("v", layer, values)
            if decay is not None:
                archive.add("decay", layer, decay_of(layer, decay[layer], decay_is, keys))
        archive.close({**notes_of(tokens, None, None),
                       "terms": {"weights": "implied", "scale": scale, "causal": causal, "normalised": normalised,
                                 "decay": None if decay is None else decay_is}})
    except BaseException:
        archive.abandon()
        raise


@contextlib.contextmanager
def hooked(model, path, *, tokens=None, query_tokens=None, key_tokens=None, layers=None, heads=None, dtype="float16",
           values=False, item=0, part=None, parts="head"):
    """Captures every torch.nn.MultiheadAttention of the model while the block lasts. Of a torch.nn.Transformer its
    encoder, decoder and cross attention are told apart; elsewhere layers count in the order of the modules. `values`
    asks for those of the keys as well. The model computes what it always does; its fast path, which has no weights, is
    closed meanwhile."""
    torch = sys.modules["torch"]
    archive, undone = Archive(path, dtype, part, parts), []

    def capture(name, number, module):
        original = module.forward

        def forward(query, key, value, *arguments, need_weights=True, average_attn_weights=True, **rest):
            output, weights = original(query, key, value, *arguments, need_weights=True, average_attn_weights=False,
                                       **rest)
            maps = as_array(weights)
            where = f"{name or 'attention'}, layer {number}"
            archive.add(name, number, chosen(maps if maps.ndim == 3 else text_of(maps, item, where), heads))
            if values:
                archive.add(name_of_values(name), number, chosen(values_of(module, value, item), heads))
            if not need_weights:
                return output, None
            return output, weights.mean(dim=-3) if average_attn_weights else weights

        module.forward = forward
        undone.append(lambda: delattr(module, "forward"))

    def close_fast_path(module, attribute, value):
        before = getattr(module, attribute)
        setattr(module, attribute, value)
        undone.append(lambda: setattr(module, attribute, before))

    counted = {}
    for place, module in model.named_modules():
        if isinstance(module, torch.nn.TransformerEncoderLayer):
            close_fast_path(module, "activation_relu_or_gelu", 0)
        if isinstance(module, torch.nn.TransformerEncoder):
            close_fast_path(module, "enable_nested_tensor", False)
        if isinstance(module, torch.nn.MultiheadAttention):
            path_of_module = place.split(".")
            name = ("cross" if path_of_module[-1] == "multihead_attn" else
                    next((side for side in ("encoder", "decoder") if side in path_of_module), ""))
            number = counted[name] = counted.get(name, -1) + 1
            if layers is None or number in layers:
                capture(name, number, module)
    try:
        if not counted:
            raise CaptureError("expected a model with torch.nn.MultiheadAttention, got none in it")
        yield
        kinds = {name.removesuffix(".v") for name in archive.layers}
        if kinds in ({"encoder"}, {"decoder"}):
            archive.rename(*kinds, "")
        archive.close(notes_of(tokens, query_tokens, key_tokens))
    finally:
        for undo in reversed(undone):
            undo()
        archive.abandon()


class QueryKeyCapture:
    """Queries and keys of one forward pass, as a model multiplies them."""

    def __init__(self, path, *, tokens=None, dtype="float16", item=0, layers=None, values=False, part=None,
                 parts="head"):
        self.archive, self.notes = Archive(path, dtype, part, parts), notes_of(tokens, None, None)
        self.values = values
        self.item, self.layers, self.terms, self.undone = item, layers, {}, []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for undo in reversed(self.undone):
            undo()
        try:
            if kind is None:
                self.archive.close({**self.notes, "terms": self._terms()})
        finally:
            self.archive.abandon()

    def record(self, layer, query, key, value=None, **terms):
        """query [batch, head, token, d] and key [batch, key head, token, d] of a layer, counted from 0; and value, as
        many as key, which is written where the capture was opened with values=True. Terms are those of the file: a
        model that does something else to its scores cannot be recomputed, and is refused."""
        unknown = sorted(set(terms) - set(TERMS))
        if unknown:
            raise CaptureError(f"layer {layer}: expected terms {', '.join(TERMS)}, got {', '.join(unknown)}: "
                               "capture the weights instead")
        if "scale" not in terms:
            raise CaptureError(f"layer {layer}: expected the scale that query . key is multiplied by, got none")
        if self.layers is not None and layer not in self.layers:
            return
        if self.values and value is None:
            raise CaptureError(f"layer {layer}: expected the values of its keys, as values=True asks for, got none")
        query, key = self._of_text(layer, "q", query), self._of_text(layer, "k", key)
        require_vectors(layer, query, key)
        self.archive.add("q", layer, query)
        self.archive.add("k", layer, key)
        if self.values:
            self.archive.add("v", layer, self._of_text(layer, "v", value))
        self.terms[layer] = {name: terms.get(name) for name in TERMS}

    def _of_text(self, layer, name, array):
        where, array = f"{name}, layer {layer}", as_array(array)
        require_axes(where, array, "batch", "head", "token", "d")
        return text_of(array, self.item, where)

    def attach(self, model):
        """Records every layer of a model of transformers, whichever attention it runs, until the block ends."""
        transformers = sys.modules["transformers"]
        functions = sys.modules["transformers.modeling_utils"].ALL_ATTENTION_FUNCTIONS
        inner = model.config._attn_implementation
        if inner not in functions and inner != "eager":
            raise CaptureError(f"expected attention as transformers {transformers.__version__} registers it, got {inner}")

        def attend(module, query, key, value, attention_mask, **options):
            causal = options.get("is_causal")
            causal = bool(getattr(module, "is_causal", True) if causal is None else causal)
            window, layer = options.get("sliding_window"), module.layer_idx
            scale = query.shape[-1] ** -0.5 if options.get("scaling") is None else options["scaling"]
            if attention_mask is None and causal and inner == "eager" and query.shape[-2] > 1:
                raise CaptureError(f"layer {layer}: expected a mask, as eager attention is causal by its mask alone, got none")
            if attention_mask is not None:
                require_mask(layer, as_array(attention_mask), self.item, query.shape[-2], causal, window)
            self.record(layer, query, key, value,
                        scale=scale, causal=causal, window=window, softcap=options.get("softcap"),
                        sinks=None if options.get("s_aux") is None else as_array(options["s_aux"]).tolist(),
                        **{name: value for name, value in options.items()
                           if value is not None and name not in TOLD and name not in HARMLESS})
            run = functions[inner] if inner in functions else sys.modules[type(module).__module__].eager_attention_forward
            return run(module, query, key, value, attention_mask, **options)

        # transformers makes a mask by the name of the implementation, and none for a name that it does not know: the
        # model would run without causality, window and padding.
        masking = sys.modules.get("transformers.masking_utils")
        masks = None if masking is None else masking.ALL_MASK_ATTENTION_FUNCTIONS
        if masks is not None and inner in masks:
            masks.register("headlight_capture", masks[inner])
        functions.register("headlight_capture", attend)
        model.set_attn_implementation("headlight_capture")
        self.undone.append(lambda: model.set_attn_implementation(inner))

    def _terms(self):
        """One set for the file: what layers may differ in is a list."""
        terms = [self.terms[layer] for layer in sorted(self.terms)]
        first = dict(terms[0])
        for name in ("scale", "causal", "softcap"):
            if any(each[name] != first[name] for each in terms):
                raise CaptureError(f"expected one {name} for all layers, got several: capture the layers apart")
        first["causal"] = bool(first["causal"])
        windows = [each["window"] for each in terms]
        first["window"] = windows[0] if len(set(windows)) == 1 else windows
        sinks = [each["sinks"] for each in terms]
        if any(each is None for each in sinks) and any(each is not None for each in sinks):
            raise CaptureError("expected sinks in every layer or in none, got both: capture the layers apart")
        first["sinks"] = None if sinks[0] is None else [[float(number) for number in as_array(each)] for each in sinks]
        return first


# Checking

def recomputed(query, key, terms, layer):
    """[head, query, key] of a layer, in float64."""
    groups = query.shape[0] // key.shape[0]
    scores = query.astype(float) @ np.repeat(key.astype(float), groups, axis=0).swapaxes(-1, -2) * terms["scale"]
    if terms.get("softcap"):
        scores = terms["softcap"] * np.tanh(scores / terms["softcap"])
    window = terms.get("window")
    window = window[layer] if isinstance(window, list) else window
    scores[:, hidden_pairs(*scores.shape[1:], terms.get("causal"), window)] = -np.inf
    sinks = terms.get("sinks")
    rest = -np.inf if sinks is None else np.asarray(sinks)[layer if np.ndim(sinks) == 2 else slice(None)][:, None, None]
    largest = np.maximum(scores.max(-1, keepdims=True), rest)
    exponentials = np.exp(scores - largest)
    return exponentials / (exponentials.sum(-1, keepdims=True) + np.exp(rest - largest))


def implied(query, key, decay, terms):
    """[head, query, key] of a linear layer, in float64: what is left of each query on its way back to each key. Factors
    of at most 1 are multiplied, so that nothing overflows."""
    heads, tokens = query.shape[:2]
    left = query.astype(float) * terms["scale"]
    keys = np.repeat(key.astype(float), heads // len(key), axis=0)
    weights = np.zeros((heads, tokens, tokens))
    if decay is not None:
        factors = np.exp(decay.astype(float)) if terms["decay"] == "log" else decay.astype(float)
        factors = np.repeat(factors, heads // len(factors), axis=0)
        factors = np.broadcast_to(factors.reshape(factors.shape + (1,) * (3 - factors.ndim)), keys.shape)
    for place in reversed(range(tokens)):
        behind = slice(place, None) if terms.get("causal") else slice(None)
        weights[:, behind, place] = np.einsum("hnd,hd->hn", left[:, behind], keys[:, place])
        if decay is not None:
            left[:, behind] *= factors[:, None, place]
    if terms.get("normalised"):
        sums = weights.sum(-1, keepdims=True)
        weights = np.divide(weights, sums, out=np.zeros_like(weights), where=sums != 0)
    return weights


def read_whole(path):
    """{name: array} of a capture and what stands beside it; of parts, of which any or none is named, joined."""
    path = pathlib.Path(path)
    stem = re.sub(r"\.\d+-of-\d+$", "", path.stem)
    parts = {int(number[1]): each for each in path.parent.glob(f"{glob.escape(stem)}.*-of-*{path.suffix}")
             if (number := re.search(r"\.(\d+)-of-\d+$", each.stem))}
    is_one = stem == path.stem and (path.exists() or not parts)
    files = [path] if is_one else [parts[each] for each in sorted(parts)]
    if not is_one and any(not each.stem.endswith(f"-of-{len(files)}") for each in files):
        raise CaptureError(f"{path}: expected all parts of it, got {', '.join(each.name for each in files)}")
    beside = [each.with_suffix(".json") for each in files]
    notes = [json.loads(each.read_text(encoding="utf-8")) if each.exists() else {} for each in beside]
    arrays = [np.load(each) for each in files]
    axis = 0 if notes[0].get("parts") == "layer" else 1
    whole = {name: np.concatenate([part[name] for part in arrays], axis=axis) if len(arrays) > 1 else arrays[0][name]
             for name in arrays[0].files}
    if len(files) > 1 and axis == 0:  # counted from 0 through all parts
        notes[0].pop("layer_numbers", None)
    sinks = [each.get("terms", {}).get("sinks") for each in notes]
    if len(files) > 1 and sinks[0] is not None:
        notes[0]["terms"]["sinks"] = np.concatenate(sinks, axis=axis).tolist()
    return whole, notes[0]


def weights_like(arrays, query, path):
    """The name and the numbers of the array that has as many layers, heads and tokens."""
    for name, array in arrays.items():
        if array.ndim == 4 and array.shape[:3] == query.shape[:3] and not is_of_values(name):
            return name, array.astype(float)
    raise CaptureError(f"{path}: expected weights of {list(query.shape[:3])} layers, heads, tokens, got " +
                       " and ".join(str(list(array.shape)) for array in arrays.values()))


def numbers_of_layers(notes, name, layers):
    """The numbers of layers in their model, from 0."""
    return notes.get("layer_numbers", {}).get(name, list(range(layers)))


def check(queries_and_keys, weights):
    """Yields layer, head, the largest difference between the recomputed and the given weights, and whether a softmax
    without any of the terms but the scale and causality would have passed as well: then the check proves little. Of
    implied weights the difference is a share of the largest, and what could be left out are decay and division."""
    numbers, notes = read_whole(queries_and_keys)
    terms = notes["terms"]
    plain = {"scale": terms["scale"], "causal": terms.get("causal")}
    is_implied = terms.get("weights") == "implied"
    query, key = numbers["q"], numbers["k"]
    arrays, notes_of_weights = read_whole(weights)
    name, maps = weights_like(arrays, query, weights)
    layers = numbers_of_layers(notes, "q", len(query))
    if numbers_of_layers(notes_of_weights, name, len(query)) != layers:
        raise CaptureError(f"{weights}: expected layers {layers} (from 0), as {queries_and_keys} has, got others")
    for layer, number in enumerate(layers):
        if is_implied:
            decay = numbers["decay"][layer] if terms.get("decay") else None
            size = np.maximum(abs(maps[layer]).max((1, 2)), np.finfo(float).tiny)
            whole = implied(query[layer], key[layer], decay, terms)
            bare = implied(query[layer], key[layer], None, plain)
        else:
            size = 1
            whole = recomputed(query[layer], key[layer], terms, layer)
            bare = recomputed(query[layer], key[layer], plain, layer)
        difference = abs(whole - maps[layer]).max((1, 2)) / size
        without = abs(bare - maps[layer]).max((1, 2)) / size
        for head, (here, there) in enumerate(zip(difference, without)):
            yield number, head, float(here), bool(there <= max(here, 1e-5) * 2)


def main():
    parser = argparse.ArgumentParser(description="Compares a capture of queries and keys with the weights that the "
                                                 "model itself computed.")
    parser.add_argument("--check", nargs=2, metavar=("QUERIES_AND_KEYS", "WEIGHTS"), required=True)
    parser.add_argument("--tolerance", type=float, default=2e-3, help="of float16 (2e-3)")
    arguments = parser.parse_args()
    failed = 0
    try:
        for layer, head, difference, is_weak in check(*arguments.check):
            is_far = not difference <= arguments.tolerance  # what is no number is far, too
            failed += is_far
            print(f"layer {layer + 1}, head {head + 1}: {difference:.2e}"
                  + (" too far" if is_far else "")
                  + (" (what the terms say beside scale and causal changes nothing here: this could not fail for it)"
                     if is_weak and not is_far else ""))
    except (CaptureError, OSError, KeyError) as error:
        sys.exit(f"headlight_capture: {error}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
