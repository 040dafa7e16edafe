#!/usr/bin/env python3
"""Golden rows of very large, very small and nearly degenerate numbers, from exact and 1,500-digit arithmetic.

    /usr/bin/python3 tests/support/exact_numbers/generate.py > tests/support/exact_numbers/golden.json

Plain Python, nothing but its decimal module, from the papers' formulas and never from the engine. Needed only to make
the file again; building and testing read the file. Each row holds a spec, inputs, parameters and the weights and output
that must come out of them. What goes in are doubles and is taken exactly; what comes out is rounded once, at the end.
"""
import decimal
import json
from decimal import Decimal as D

decimal.getcontext().prec = 1500
decimal.getcontext().Emax = 999999
decimal.getcontext().Emin = -999999

rows = []
CROSS = {"source": {"type": "cross"}}
CAUSAL = {"mask": {"type": "causal"}}
SIZES = [1e-300, 1e-160, 1e-13, 1e-4, 1.0, 1e16, 1e154, 1e300]


def exact(numbers):
    return [[D(x) for x in row] for row in numbers]


def rounded(matrix):
    return [[float(x) for x in row] for row in matrix]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), D(0))


def mixed(weights, values):
    return [[dot(row, column) for column in zip(*values)] for row in weights]


def add(name, spec, inputs, weights, parameters=None, output=None):
    if output is None:
        output = mixed(weights, exact(inputs["value"]))
    rows.append({"name": name, "spec": spec, "inputs": inputs, "parameters": parameters or {},
                 "weights": rounded(weights), "output": rounded(output)})


# Normalisers: one query of 1 over keys that are the scores.

def softmax(s):
    top = max(s)
    powers = [(x - top).exp() if x - top > -5000 else D(0) for x in s]
    return [p / sum(powers) for p in powers]


def bisect(low, high, f, steps=400):
    """Where the falling f is 0."""
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return low


def sparsemax(s):
    """The definition: the projection onto the simplex, by trying every size of the support."""
    ordered = sorted(s, reverse=True)
    for k in range(len(s), 0, -1):
        tau = (sum(ordered[:k]) - 1) / k
        if ordered[k - 1] > tau:
            return [max(x - tau, D(0)) for x in s]


def entmax(alpha):
    def weights(s):
        a, top = D(alpha) - 1, max(s)
        share = lambda x, tau: (((a * (x - top) - tau).ln() / a).exp() if a * (x - top) > tau else D(0))
        decimal.getcontext().prec = 60
        tau = bisect(D(-1), D(0), lambda each: sum(share(x, each) for x in s) - 1)
        found = [share(x, tau) for x in s]
        decimal.getcontext().prec = 1500
        return [each / sum(found) for each in found]
    return weights


def normmax(alpha):
    def weights(s):
        top = max(s)
        power = lambda x, tau, p: ((x - top - tau).ln() * p).exp() if x - top > tau else D(0)
        decimal.getcontext().prec = 60
        tau = bisect(D(-1), D(0), lambda each: sum(power(x, each, D(alpha) / (D(alpha) - 1)) for x in s) - 1)
        found = [power(x, tau, 1 / (D(alpha) - 1)) for x in s]
        decimal.getcontext().prec = 1500
        return [each / sum(found) for each in found]
    return weights


def budget(total):
    def weights(s):
        share = lambda tau: [min(max(x - tau, D(0)), D(1)) for x in s]
        # From 1e300 down to the last digits of a 1.
        return share(bisect(min(s) - 1, max(s), lambda tau: sum(share(tau)) - total, steps=1200))
    return weights


def build_normalizers():
    rules = {"softmax": ({"type": "softmax"}, softmax), "sparsemax": ({"type": "sparsemax"}, sparsemax),
             "entmax_2": ({"type": "entmax", "alpha": 2}, sparsemax),
             "entmax_1_5": ({"type": "entmax"}, entmax(1.5)),
             "entmax_1_33": ({"type": "entmax", "alpha": 1.33}, entmax(1.33)),
             "normmax": ({"type": "normmax", "alpha": 3}, normmax(3)),
             "budget": ({"type": "budget", "budget": 2}, budget(2))}
    around = lambda size: [size + each for each in [0.5, -0.25, 0.75, 0.125]]
    scores = {f"around_{size:g}": around(size) for size in [0.0, 1e12, 1e15, 1e16, 1e300]}
    scores |= {f"times_{size:g}": [size * each for each in [0.5, -0.25, 0.75, 0.125]] for size in [1e-300, 1e16, 1e300]}
    near_one = {f"entmax_1_and_{a:g}": ({"type": "entmax", "alpha": 1 + a}, entmax(1 + a))
                for a in [1e-6, 1e-8, 1e-10, 1e-12, 1e-15]}
    for name, (normalizer, weights) in (rules | near_one).items():
        for place, s in scores.items():
            if name in near_one and place not in ["around_0", "around_1e+15"]:
                continue
            inputs = {"query": [[1.0]], "key": [[x] for x in s], "value": [[1.0], [2.0], [3.0], [5.0]]}
            add(f"{name}_{place}", CROSS | {"score": {"type": "dot"}, "normalizer": normalizer}, inputs,
                [weights([D(x) for x in s])])


# Vectors that are compared by their directions.

QUERY = [[0.5, -1.25, 0.75], [1.5, 0.25, -0.5]]
KEY = [[0.75, -1.0, 0.25], [-0.5, 0.5, 1.25], [0.25, 1.75, -0.125], [1.0, 0.125, 0.5]]
VALUE = [[1.0, 0.5], [-0.25, 2.0], [0.75, -1.5], [1.25, 0.125]]


def sized(matrix, size):
    return [[x * size for x in row] for row in matrix]


def direction(x):
    length = dot(x, x).sqrt()
    return [each / length for each in x] if length else x


def root_mean_square(x, offset):
    return (dot(x, x) / len(x) + D(offset)).sqrt()


def build_directions():
    for size in SIZES:
        inputs = {"query": sized(QUERY, size), "key": sized(KEY, size), "value": VALUE}
        q, k = exact(inputs["query"]), exact(inputs["key"])
        cosines = [[dot(direction(a), direction(b)) for b in k] for a in q]
        add(f"cosine_{size:g}", CROSS | {"score": {"type": "cosine", "beta": 4}}, inputs,
            [softmax([4 * x for x in row]) for row in cosines])
        add(f"scaled_cosine_{size:g}", CROSS | {"score": {"type": "scaled_cosine"}}, inputs,
            [softmax([D(0.5).exp() * x for x in row]) for row in cosines], {"log_tau": [0.5]})
        scale = 1 / D(3).sqrt()
        norms = {"l2": direction,
                 "rms": lambda x: [each / root_mean_square(x, 1e-6) for each in x],
                 "layer": lambda x: (lambda y: [each / root_mean_square(y, 1e-6) for each in y])(
                     [each - sum(x) / len(x) for each in x])}
        for norm, change in norms.items():
            parameters = {} if norm == "l2" else {"g_q": [1.0] * 3, "g_k": [1.0] * 3}
            add(f"{norm}_{size:g}", CROSS | {"score": {"type": "scaled_dot", "vector_norm": norm}}, inputs,
                [softmax([scale * dot(change(a), change(b)) for b in k]) for a in q], parameters)
    zero = {"query": [[0.0] * 3], "key": KEY, "value": VALUE}
    add("cosine_of_zeros", CROSS | {"score": {"type": "cosine"}}, zero, [[D(0.25)] * 4])


def delta(q, k, strength):
    """A = tril(Q K^T) (I + tril(beta K K^T, -1))^-1 beta, by substitution."""
    n, units = len(q), [direction(x) for x in k]
    weights = []
    for i in range(n):
        left, row = list(q[i]), [D(0)] * n
        for j in range(i, -1, -1):
            row[j] = strength * dot(left, units[j])
            left = [x - row[j] * y for x, y in zip(left, units[j])]
        weights.append(row)
    return weights


def build_mixers():
    for size in SIZES:
        tokens = sized(KEY, size)
        x = exact(tokens)
        weights = delta(x, x, D(0.5))
        # Not where a weight times a value is beyond a double.
        value = VALUE
        inputs = {"query": tokens, "key": tokens, "value": value}
        spec = CROSS | CAUSAL | {"algorithm": {"type": "delta", "scaled": False}}
        add(f"delta_{size:g}", spec, inputs, weights, {"W_beta": [[0.0]] * 3, "b_beta": [0.0]})

        inputs = {"query": sized(QUERY, size), "key": sized(KEY, size), "value": VALUE}
        strength = (1 + D(1).exp()).ln()
        add(f"turing_{size:g}", CROSS | {"algorithm": {"type": "turing", "addressing": "content"}}, inputs,
            [softmax([strength * dot(direction(a), direction(b)) for b in exact(inputs["key"])])
             for a in exact(inputs["query"])],
            {"W_control": [[0.0] * 6] * 3, "b_control": [1.0] + [0.0] * 5})

    # The weights are nearly one-hot, and what is left of 1 + E[s] - s is the 1.
    for size in [1.0, 1e8, 1e15, 1e16, 1e17, 1e100]:
        inputs = {"query": QUERY, "key": KEY, "value": VALUE}
        q, k = exact(QUERY), exact(KEY)
        weights = []
        W_r = [[size if i == j else 0.0 for j in range(3)] for i in range(3)]
        for a in q:
            p = softmax([dot(a, b) / D(3).sqrt() * 1000 for b in k])
            s = [D(size) * dot(a, b) for b in k]
            mean = dot(p, s)
            weights.append([each * (1 + mean - other) for each, other in zip(p, s)])
        add(f"parallax_{size:g}", CROSS | {"algorithm": {"type": "parallax"}, "normalizer": {"type": "softmax", "temperature": 0.001}},
            inputs, weights, {"W_r": W_r})


build_normalizers()
build_directions()
build_mixers()
print('{"generator": "tests/support/exact_numbers/generate.py", "rows": [')
print(",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]}")
