#!/usr/bin/env python3
"""More golden rows, from plain Python: the functions of a folder of calculations (la.py, check1.py, check2.py).

    /usr/bin/python3 tests/support/pytorch_catalogue/from_reference.py FOLDER \
        > tests/support/pytorch_catalogue/reference.json

They know neither torch nor the engine; torch draws the inputs and nothing else. Needed only to make the file again.
"""
import contextlib
import io
import json
import math
import pathlib
import sys

import torch

import golden
from golden import Cross, draw, row

folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder))


def script(name):
    """What a script defines; its functions read the Q, K ... of the dictionary, which may be replaced."""
    space = {"__name__": name}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile((folder / f"{name}.py").read_text(), name, "exec"), space)
    return space


la, basics, mixers = script("la"), script("check1"), script("check2")
N, WIDTH = 6, 4
CAUSAL = {"mask": {"type": "causal"}}


def case_of(number):
    case = Cross(number, N, N, WIDTH)
    return case, case.query.tolist(), case.key.tolist(), case.value.tolist()


def add(case, name, spec, weights, output=None, parameters=None, tolerance=None):
    weights = torch.tensor(weights)
    row("reference", name, case.spec | spec, case.inputs, parameters or {}, weights,
        weights @ case.value if output is None else torch.tensor(output), tolerance=tolerance)


def scaled(Q, K):
    return la["sc"](la["mm"](Q, la["T"](K)), 1 / math.sqrt(WIDTH))


def build_normalizers():
    rules = {"sparsemax": ({"type": "sparsemax"}, la["sparsemax"]), "entmax_1_5": ({"type": "entmax"}, la["entmax15"]),
             "entmax_1_33": ({"type": "entmax", "alpha": 1.33}, lambda s: la["entmax"](s, 1.33)),
             "off_by_one": ({"type": "off_by_one"}, basics["sm1"]),
             "softpick": ({"type": "softpick"}, basics["softpick"])}
    for number, (name, (normalizer, weights)) in enumerate(rules.items(), start=1000):
        case, Q, K, V = case_of(number)
        # The script adds 1e-8 to softpick's sum, as the paper's listing does.
        add(case, name, {"normalizer": normalizer}, [weights(s) for s in scaled(Q, K)],
            tolerance=1e-7 if name == "softpick" else None)

    case, Q, K, V = case_of(1010)
    previous, weights = [1.0] + [0.0] * (N - 1), []
    for scores in scaled(Q, K):
        previous = basics["mono_rec"]([1 / (1 + math.exp(-s)) for s in scores], previous)
        weights.append(previous)
    add(case, "monotonic", {"normalizer": {"type": "monotonic"}}, weights)

    case, Q, K, V = case_of(1011)
    S = scaled(Q, K)
    add(case, "stick_breaking", CAUSAL | {"normalizer": {"type": "stick_breaking", "own_key": False}},
        [basics["sb"](S, i)[0] for i in range(N)])


def build_positions():
    for number, (layout, turn) in enumerate([("interleaved", basics["rope_int"]), ("half", basics["rope_half"])],
                                            start=1020):
        case, Q, K, V = case_of(number)
        theta = basics["freqs"](WIDTH)
        rotated = [[turn(x, place, theta) for place, x in enumerate(rows)] for rows in [Q, K]]
        add(case, "rope_" + layout, CAUSAL | {"position": {"type": "rope", "layout": layout}},
            la["smrows"](la["maskS"](scaled(*rotated), la["causal"](N))))

    case = Cross(1022, N, N, WIDTH).alone()
    Q = K = case.key.tolist()
    W_path, W_beta = draw(WIDTH, WIDTH), draw(WIDTH, 1)
    strengths = (2 * torch.sigmoid(case.key @ W_beta)).flatten().tolist()
    mixers.update(Q=Q, K=K, n=N, rd=math.sqrt(WIDTH), rm_w=(case.key @ W_path).tolist())
    add(case, "path", CAUSAL | {"position": {"type": "path"}}, mixers["path"](strengths),
        parameters={"W_path": W_path, "W_beta": W_beta})


def build_mixers():
    case, Q, K, V = case_of(1030)
    add(case, "linear", CAUSAL | {"algorithm": {"type": "linear"}}, *mixers["lin_par"](Q, K, V, la["causal"](N)))

    unit = la["eye"](N)
    case, Q, K, V = case_of(1031)
    W, b = draw(WIDTH, WIDTH), draw(WIDTH)
    mixers.update(Q=Q, K=K, gk=(torch.nn.functional.logsigmoid(case.key @ W + b) / 16).tolist(), n=N, d=WIDTH)
    add(case, "gla", CAUSAL | {"algorithm": {"type": "gated_linear", "scaled": False}}, mixers["gla"](unit),
        mixers["gla"](V), {"W_alpha": W, "b_alpha": b})

    plain = CAUSAL | {"algorithm": {"type": "delta", "scaled": False}}
    for number, name in enumerate(["delta", "gated_delta", "kimi_delta"], start=1032):
        case, Q, K, V = case_of(number)
        W, b = draw(WIDTH, 1), draw(1)
        mixers.update(Q=Q, K=K, Kn=torch.nn.functional.normalize(case.key, dim=-1).tolist(),
                      beta=torch.sigmoid(case.key @ W + b).flatten().tolist())
        parameters, gates = {"W_beta": W, "b_beta": b}, None
        if name != "delta":
            width = 1 if name == "gated_delta" else WIDTH
            matrix, bias = ("W_dt", "b_dt") if name == "gated_delta" else ("W_alpha", "b_alpha")
            parameters |= {matrix: draw(WIDTH, width), bias: draw(width), "A_log": draw(1)}
            steps = torch.nn.functional.softplus(case.key @ parameters[matrix] + parameters[bias])
            gates = (-torch.exp(parameters["A_log"]) * steps).expand(-1, WIDTH).tolist()
        spec = plain | {"algorithm": {"type": name, "scaled": False}}
        add(case, name, spec, mixers["delta"](unit, gates), mixers["delta"](V, gates), parameters)

    # Six steps towards the pseudo-inverse, which is not yet reached.
    case, Q, K, V = case_of(1035)
    kernel = la["smrows"](scaled(Q, K))
    weights = la["mm"](la["mm"](kernel, mixers["pinv_it"](kernel, 6)), kernel)
    add(case, "nystrom_of_six_steps", {"algorithm": {"type": "nystrom", "landmarks": N, "iterations": 6}}, weights)

    case, Q, K, V = case_of(1036)
    W, b = draw(WIDTH, 6), draw(6)
    place, weights = [1.0] + [0.0] * (N - 1), []
    for query, control in zip(Q, case.query @ W + b):
        strength, sharpening = (torch.nn.functional.softplus(control[i]).item() for i in [0, 2])
        shift = torch.softmax(control[3:], 0).tolist()
        place = mixers["ntm"](query, K, strength, torch.sigmoid(control[1]).item(), place,
                              {N - 1: shift[0], 0: shift[1], 1: shift[2]}, 1 + sharpening)[-1]
        weights.append(place)
    # The script adds 1e-8 to the product of lengths, which equation 6 does not have.
    add(case, "ntm", {"algorithm": {"type": "turing"}}, weights, parameters={"W_control": W, "b_control": b},
        tolerance=1e-7)


build_normalizers()
build_positions()
build_mixers()
print('{"generator": "tests/support/pytorch_catalogue/from_reference.py", "rows": [')
print(",\n".join(json.dumps(entry, separators=(",", ":")) for entry in golden.rows) + "\n]}")
