"""Maps that are coarse where tokens are far apart or where little is to be seen, chances of equal hashes, and keys in
parts that are merged by their log-sums."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, masked_softmax, row


def block_means(x, size):
    """[h, n, d] to [h, blocks, d]; the last block may have fewer."""
    return torch.stack([part.mean(1) for part in x.split(size, 1)], 1)


def spread_out(blocks, size, n, m):
    """[h, blocks, blocks] to the pairs [h, n, m]."""
    return blocks.repeat_interleave(size, 1).repeat_interleave(size, 2)[:, :n, :m]


def build_h_transformer():
    """From the coarsest level to the finest, each written over the one before where blocks are neighbours."""
    for name, number, n, block in [("h_transformer", 1101, 11, 2), ("h_transformer_of_single_tokens", 1102, 6, 1)]:
        case = Heads(number, n=n)
        places = torch.arange(n)
        scores = None
        for width in [8, 4, 2, 1]:
            coarse = block_means(case.q, width) @ block_means(case.k, width).transpose(1, 2) / math.sqrt(case.d)
            of_pairs = spread_out(coarse, width, n, n)
            blocks = places // (block * width)
            near = (blocks[:, None] - blocks[None]).abs() <= 1
            scores = of_pairs if scores is None else torch.where(near, of_pairs, scores)
        case.row("algorithm", name, {"algorithm": {"type": "h_transformer", "block": block}}, torch.softmax(scores, -1),
                 stages={"scores": scores})


def build_multiresolution():
    for name, number, spec in [("multiresolution", 1103, {}), ("multiresolution_without_coarse_blocks", 1104,
                                                               {"coarse": False})]:
        case = Heads(number, n=8)
        coarse = block_means(case.q, 3) @ block_means(case.k, 3).transpose(1, 2) / math.sqrt(case.d)
        best = torch.zeros(2, 9, dtype=torch.bool).scatter(1, coarse.flatten(1).topk(4).indices, True).reshape(2, 3, 3)
        refined = spread_out(best, 3, 8, 8)
        others = spread_out(coarse, 3, 8, 8)
        if spec:
            others = torch.full_like(others, float("-inf"))
        scores = torch.where(refined, case.products() / math.sqrt(case.d), others)
        case.row("algorithm", name, {"algorithm": {"type": "multiresolution", "block": 3, "refined": 4} | spec},
                 torch.nan_to_num(torch.softmax(scores, -1)), stages={"coarse_scores": coarse})


def build_yoso():
    case = Heads(1105, n=5)
    cosines = F.normalize(case.q, dim=-1) @ F.normalize(case.k, dim=-1).transpose(1, 2)
    chances = (1 - torch.acos(cosines) / math.pi) ** 8
    weights = torch.where(causal(5), chances, torch.zeros_like(chances))
    case.row("algorithm", "yoso", {"algorithm": {"type": "yoso"}, "mask": {"type": "causal"}}, weights,
             F.normalize(weights @ case.v, dim=-1))
    case = Cross(1106, n=4, m=6, width=5)
    cosines = F.cosine_similarity(*case.pairs(), dim=-1)
    weights = (1 - torch.acos(cosines) / math.pi) ** 3
    row("algorithm", "yoso_of_two_sequences",
        case.spec | {"algorithm": {"type": "yoso", "hashes": 3, "normalized": False}}, case.inputs, {}, weights,
        weights @ case.value)


def build_split_keys():
    case = Heads(1107, n=7)
    scores = (case.products() / math.sqrt(case.d)).masked_fill(~causal(7), float("-inf"))
    log_sums = torch.stack([part.logsumexp(-1) for part in scores.split(3, -1)], -1)
    parts = torch.cat([torch.nan_to_num(torch.softmax(part, -1)) for part in scores.split(3, -1)], -1)
    shares = torch.softmax(log_sums, -1)
    case.row("algorithm", "split_keys", {"algorithm": {"type": "split_keys", "parts": 3}, "mask": {"type": "causal"}},
             masked_softmax(scores), stages={"part_weights": parts, "part_shares": shares})


def build():
    build_h_transformer()
    build_multiresolution()
    build_yoso()
    build_split_keys()
