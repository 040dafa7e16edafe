"""What the tables of this folder share: inputs of two decimals, sequences with heads, rows of the data file.

Everything is float64. Inputs have two decimals, so that the file holds exactly the numbers that torch computed with;
what it computed is written with 12 digits. Matrices are (in, out).
"""
import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

rows = []
names = set()
NEVER = float("-inf")


def seed(number):
    torch.manual_seed(number)


def draw(*shape, scale=1.0):
    """Normal numbers of two decimals."""
    return torch.round(torch.randn(*shape) * scale * 100) / 100


def mixed_bits(x):
    """One step of SplitMix64."""
    x = (x + 0x9E3779B97F4A7C15) % 2 ** 64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) % 2 ** 64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) % 2 ** 64
    return x ^ (x >> 31)


def numbers(tensor):
    """Nested lists of 12 significant digits."""
    if tensor.dim() == 0:
        value = float(f"{tensor.item():.12g}")
        return int(value) if value == int(value) else value
    return [numbers(row) for row in tensor]


def row(axis, name, spec, inputs, parameters, weights, output, stages=None, tolerance=None):
    """weights [n, m] or [head, n, m]; stages: further tensors by the names that the trace has for them."""
    assert (axis, name) not in names, name
    names.add((axis, name))
    weights, output = torch.as_tensor(weights).detach(), torch.as_tensor(output).detach()
    assert torch.isfinite(weights).all() and torch.isfinite(output).all(), name
    entry = {"axis": axis, "name": name, "spec": spec,
             "inputs": {key: numbers(value) for key, value in inputs.items()},
             "parameters": {key: numbers(torch.as_tensor(value).detach()) for key, value in parameters.items()},
             "weights": numbers(weights), "output": numbers(output)}
    if stages:
        entry["stages"] = {key: numbers(torch.as_tensor(value).detach()) for key, value in stages.items()}
    if tolerance:
        entry["tolerance"] = tolerance
    rows.append(entry)


def causal(n, m=None):
    """True where a query may look."""
    return torch.ones(n, n if m is None else m, dtype=torch.bool).tril()


def masked_softmax(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, NEVER)
    return torch.softmax(scores, dim=-1)


class Cross:
    """One query sequence and another of keys and values, without projections."""

    def __init__(self, number, n, m, width, key_width=None, value_width=3, scale=1.0):
        seed(number)
        self.n, self.m, self.width = n, m, width
        self.query = draw(n, width, scale=scale)
        self.key = draw(m, key_width or width, scale=scale)
        self.value = draw(m, value_width)
        self.inputs = {"query": self.query, "key": self.key, "value": self.value}
        self.spec = {"source": {"type": "cross"}}

    def alone(self):
        """Self attention over the keys."""
        self.query = self.value = self.key
        self.inputs, self.spec = {"query": self.key}, {"source": {"type": "self"}}
        return self

    def products(self):
        return self.query @ self.key.T

    def pairs(self):
        """Queries and keys side by side, [n, m, width] each."""
        return (self.query[:, None].expand(self.n, self.m, -1), self.key[None].expand(self.n, self.m, -1))


class Heads:
    """Self attention of several heads with learned projections; x W split into contiguous blocks of columns."""

    def __init__(self, number, n, width=8, heads=2, kv_heads=None, spec=None, query_width=None, scale=1.0):
        seed(number)
        self.n, self.heads, self.kv_heads = n, heads, kv_heads or heads
        self.x = draw(n, width, scale=scale)
        query_width = query_width or width
        key_width = query_width // heads * self.kv_heads
        value_width = width // heads * self.kv_heads
        self.parameters = {"W_q": draw(width, query_width, scale=0.5), "W_k": draw(width, key_width, scale=0.5),
                           "W_v": draw(width, value_width, scale=0.5), "W_o": draw(width, width, scale=0.5)}
        self.spec = {"projections": {"type": "learned"}, "heads": {"type": "multi", "heads": heads}} | (spec or {})
        self.inputs = {"query": self.x}
        self.q = self.split(self.x @ self.parameters["W_q"], heads)
        self.k = self.split(self.x @ self.parameters["W_k"], self.kv_heads)
        self.v = self.split(self.x @ self.parameters["W_v"], self.kv_heads)
        self.d = query_width // heads

    def split(self, tensor, heads=None):
        """[n, h d] to [h, n, d]"""
        return tensor.reshape(self.n, heads or self.heads, -1).transpose(0, 1)

    def add(self, name, tensor):
        self.parameters[name] = tensor
        return tensor

    def products(self):
        return self.q @ self.k.transpose(1, 2)

    def merge(self, context):
        """[h, n, d_v] to the output [n, width]"""
        return context.transpose(0, 1).reshape(self.n, -1) @ self.parameters["W_o"]

    def row(self, axis, name, spec, weights, context=None, stages=None, tolerance=None):
        context = weights @ self.v if context is None else context
        row(axis, name, self.spec | spec, self.inputs, self.parameters, weights, self.merge(context), stages,
            tolerance)
