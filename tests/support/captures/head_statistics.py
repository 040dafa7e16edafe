"""What a head looks at, computed with whole matrices: each statistic is a pattern [query, key] laid over the map, where
Headlight walks along its rows."""
import numpy as np


def mean_on(weights, pattern):
    """Mean of the mass on the pattern, over the rows that have a place in it; None where none has."""
    rows = pattern.any(-1)
    return float((weights * pattern).sum(-1)[rows].mean()) if rows.any() else None


def head_statistics(weights, query_tokens, key_tokens, is_delimiter):
    """Of one map [query, key]; a text looks at itself where both lists of tokens are the same object."""
    n, m = weights.shape
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    logarithms = np.log2(weights, where=weights > 0, out=np.zeros_like(weights))
    delimiters = np.array([is_delimiter(token) for token in key_tokens])
    said = {
        "entropy": float(-(weights * logarithms).sum(-1).mean()),
        "distance": float((weights * abs(i - j)).sum(-1).mean()),
        "top_1": float(weights.max(-1).mean()),
        "first_token": float(weights[:, 0].mean()),
        "previous_token": mean_on(weights, j == i - 1),
        "diagonal": mean_on(weights, j == i),
        "next_token": mean_on(weights, j == i + 1),
        "duplicate": None,
        "induction": None,
        "delimiter": mean_on(weights, np.broadcast_to(delimiters[None, :], (n, m))),
    }
    if query_tokens is key_tokens:
        same = np.array(query_tokens)[:, None] == np.array(key_tokens)[None, :]
        duplicate = np.tril(same, -1)
        induction = np.zeros_like(duplicate)
        induction[:, 1:] = duplicate[:, :-1]
        said["duplicate"], said["induction"] = mean_on(weights, duplicate), mean_on(weights, induction)
    return said
