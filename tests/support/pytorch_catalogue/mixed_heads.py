"""Heads that share vectors, maps or values, and what each of them counts for."""
import math

import torch
import torch.nn.functional as F

from golden import Cross, Heads, causal, draw, masked_softmax, row
from mixers import N, finish

GROUPED = {"heads": {"type": "grouped_query", "heads": 4, "kv_heads": 2}}


def build_tensor_products():
    """A(x) [n, h, R] and B(x) [n, R, d] multiplied token by token, as bmm of the authors' code."""
    def multiplied(A, B):
        return (torch.bmm(A, B.transpose(0, 1)) / A.shape[-1]).transpose(0, 1)  # [h, n, d]

    def tokens_of(case, name, rank):
        return (case.x @ case.add(name, draw(8, case.heads * rank, scale=0.5))).view(N, case.heads, rank)

    case = Heads(960, n=N, heads=4, kv_heads=2, spec=GROUPED)
    q = multiplied(tokens_of(case, "W_factors_q", 4), case.q)
    k = multiplied(tokens_of(case, "W_factors_k", 2), case.k)
    v = multiplied(tokens_of(case, "W_factors_v", 2), case.v)
    weights = masked_softmax(q @ k.transpose(1, 2) / math.sqrt(case.d), causal(N))
    finish(case, {"type": "tensor_product"}, weights, weights @ v,
           stages={"mixed_query": q, "mixed_key": k, "mixed_value": v})

    case = Heads(961, n=N, heads=4, kv_heads=2, spec=GROUPED)
    A_k, A_v = case.add("A_k", draw(4, 2)), case.add("A_v", draw(4, 2))
    k, v = torch.einsum("hr,rnd->hnd", A_k, case.k) / 2, torch.einsum("hr,rnd->hnd", A_v, case.v) / 2
    weights = masked_softmax(case.q @ k.transpose(1, 2) / math.sqrt(case.d))
    finish(case, {"type": "tensor_product", "factors": "fixed", "factored_queries": False}, weights, weights @ v,
           name="tensor_product_of_fixed_factors", is_causal=False)


def build_differences():
    """2 h query heads from one matrix, of which 2 i and 2 i + 1 share a head of keys and values."""
    def twice(case, heads):
        first, second = case.parameters["W_q"], case.add("W_second_query", draw(8, 8, scale=0.5))
        W = torch.stack([first.view(8, heads, -1), second.view(8, heads, -1)], 2).reshape(8, -1)
        share = torch.sigmoid(case.x @ case.add("W_second_share", draw(8, heads, scale=0.5)))
        q = (case.x @ W).view(N, 2 * heads, -1).transpose(0, 1)
        groups = 2 * heads // case.kv_heads
        repeated = [t.repeat_interleave(groups, 0) for t in [case.k, case.v]]
        return q @ repeated[0].transpose(1, 2) / math.sqrt(case.d), repeated[1], share.T[..., None]

    case = Heads(962, n=N)
    scores, v, share = twice(case, 2)
    maps = masked_softmax(scores, causal(N))
    attended = maps @ v
    finish(case, {"type": "differential_2"}, maps[0::2] - share * maps[1::2], attended[0::2] - share * attended[1::2],
           stages={"second_weights": maps[1::2]})
    case = Heads(963, n=N, heads=4, kv_heads=2, spec=GROUPED)
    scores, v, share = twice(case, 4)
    maps = masked_softmax(scores)
    attended = maps @ v
    finish(case, {"type": "differential_2"}, maps[0::2] - share * maps[1::2], attended[0::2] - share * attended[1::2],
           name="differential_2_of_groups", is_causal=False)

    # Heads of signal and, last in each group, one of noise, as the layer of Motif 3 orders them.
    case = Heads(985, n=N, heads=4, kv_heads=2, spec=GROUPED)
    W = torch.cat([case.parameters["W_q"].view(8, 2, -1), case.add("W_second_query", draw(8, 4, scale=0.5)).view(8, 2, -1)],
                  2).reshape(8, -1)
    share = torch.sigmoid(case.x @ case.add("W_second_share", draw(8, 4, scale=0.5)))
    q = (case.x @ W).view(N, 6, -1).transpose(0, 1)
    maps = masked_softmax(q @ case.k.repeat_interleave(3, 0).transpose(1, 2) / math.sqrt(case.d), causal(N))
    o = (maps @ case.v.repeat_interleave(3, 0)).transpose(0, 1).reshape(N, 2, 3, -1)
    signal, noise = o[:, :, :2].reshape(N, 4, -1), o[:, :, 2:].expand(-1, -1, 2, -1).reshape(N, 4, -1)
    maps = maps.view(2, 3, N, N)
    noise_maps = maps[:, 2:].expand(-1, 2, -1, -1).reshape(4, N, N)
    finish(case, {"type": "differential_2", "noise": "group"},
           maps[:, :2].reshape(4, N, N) - share.T[..., None] * noise_maps,
           (signal - share[..., None] * noise).transpose(0, 1), name="grouped_differential",
           stages={"second_weights": noise_maps})


def build_head_gates():
    """The router of the paper, that of the authors' code, and numbers of heads."""
    def chosen(shares, active):
        return shares * F.one_hot(torch.topk(shares, active).indices, shares.shape[-1]).sum(1)

    case = Heads(964, n=N, heads=4)
    routed = chosen(torch.softmax(case.x @ case.add("W_routed", draw(8, 3)), -1), 2)
    shared = torch.softmax(case.x @ case.add("W_shared", draw(8, 1)), -1)
    kinds = torch.softmax(case.x @ case.add("W_kinds", draw(8, 2)), -1)
    gates = torch.cat([kinds[:, :1] * shared, kinds[:, 1:] * routed], 1)
    weights = masked_softmax(case.products() / math.sqrt(case.d), causal(N))
    finish(case, {"type": "head_mixture"}, weights, torch.einsum("ne,end->end", gates, weights @ case.v))

    case = Heads(965, n=N, heads=4)
    routed = chosen(torch.softmax(case.x @ case.add("W_routed", draw(8, 2)), -1), 1)
    routed = routed / routed.sum(1, keepdim=True) * 1
    shared = torch.softmax(case.x @ case.add("W_shared", draw(8, 2)), -1) * 2
    kinds = torch.softmax(case.x @ case.add("W_kinds", draw(8, 2)), -1) * 2
    gates = torch.cat([kinds[:, :1] * shared, kinds[:, 1:] * routed], 1)
    weights = masked_softmax(case.products() / math.sqrt(case.d))
    finish(case, {"type": "head_mixture", "shared": 2, "active": 1, "renormalized": True}, weights,
           torch.einsum("ne,end->end", gates, weights @ case.v), name="head_mixture_renormalized", is_causal=False)

    case = Heads(966, n=N)
    factors = case.add("s_head", draw(2))
    weights = masked_softmax(case.products() / math.sqrt(case.d), causal(N))
    finish(case, {"type": "head_scale"}, weights, torch.einsum("hnd,h->hnd", weights @ case.v, factors))

    # The gates as they are when the model is used: one between 0 and 1, one at each end.
    case = Heads(976, n=N, heads=4)
    gates = torch.clamp(torch.sigmoid(case.add("a_head", torch.tensor([0.4, 5.0, -5.0, -1.2]))) * 1.2 - 0.1, 0, 1)
    weights = masked_softmax(case.products() / math.sqrt(case.d))
    finish(case, {"type": "head_scale", "gates": "l0"}, weights, gates[:, None, None] * (weights @ case.v),
           name="head_gates_of_l0", is_causal=False)

    # RMSNorm of the values of each head, as x-transformers has it: F.normalize times the root of the width.
    case = Heads(977, n=N, heads=4, kv_heads=2, spec=GROUPED)
    factors, gain = case.add("s_head", draw(4)), case.add("g_value", draw(4))
    values = F.normalize(case.v, dim=-1) * math.sqrt(2) * gain.view(2, 1, 2)
    repeated = [t.repeat_interleave(2, 0) for t in [case.k, values]]
    weights = masked_softmax(case.q @ repeated[0].transpose(1, 2) / math.sqrt(case.d), causal(N))
    finish(case, {"type": "head_scale", "normed_values": True}, weights,
           factors[:, None, None] * (weights @ repeated[1]), name="head_scale_of_normalised_values")


def build_output_gates():
    """Gates before W_o, of the rows of all heads side by side."""
    def rows_of(case, weights):
        return (weights @ case.v).transpose(0, 1).reshape(N, -1)

    case = Heads(978, n=N)
    weights = masked_softmax(case.products() / math.sqrt(case.d), causal(N))
    found = rows_of(case, weights)
    raw = (case.x @ case.add("W_open_x", draw(8, 8, scale=0.5)) + found @ case.add("W_open_o", draw(8, 8, scale=0.5))
           + case.add("b_open", draw(8)))
    finish(case, {"type": "output_gate"}, weights, case.split(found * torch.sigmoid(raw)))

    case = Heads(979, n=N)
    weights = masked_softmax(case.products() / math.sqrt(case.d))
    found = rows_of(case, weights)
    raw = found @ case.add("D_open_o", draw(8, 3, scale=0.5)) @ case.add("U_open_o", draw(3, 8)) + case.add(
        "b_open", draw(8))
    finish(case, {"type": "output_gate", "reads": "output", "function": "silu", "rank": 3}, weights,
           case.split(found * F.silu(raw)), name="output_gate_of_low_rank", is_causal=False)


def build_switch_heads():
    """topk and a matrix of outputs for each expert; the paper's sum over heads and experts."""
    def gates(tokens, router, heads, experts, active):
        raw = torch.sigmoid(tokens @ router).view(N, heads, experts)
        return raw * F.one_hot(torch.topk(raw, active).indices, experts).sum(2)

    for number, heads, experts, active, is_causal in [(980, 2, 2, 1, True), (981, 1, 4, 2, False)]:
        case = Heads(number, n=N, heads=heads)
        of_values = gates(case.x, case.add("W_value_router", draw(8, heads * experts)), heads, experts, active)
        of_outputs = gates(case.x, case.add("W_output_router", draw(8, heads * experts)), heads, experts, active)
        W_v = case.parameters["W_v"].view(8, heads, experts, -1)
        W_o = case.parameters["W_o"].view(heads, experts, -1, 8)
        values = torch.einsum("nhe,nd,dhew->hnw", of_values, case.x, W_v)
        weights = masked_softmax(case.products() / math.sqrt(case.d), causal(N) if is_causal else None)
        output = torch.einsum("nhe,hnw,hewo->no", of_outputs, weights @ values, W_o)
        algorithm = {"type": "switch_head", "experts": experts, "active": active}
        row("algorithm", f"switch_head_of_{experts}_experts",
            case.spec | {"algorithm": algorithm} | ({"mask": {"type": "causal"}} if is_causal else {}),
            case.inputs, case.parameters, weights, output, {"mixed_value": values})


def build_grouped_latents():
    def own(case, *names):
        """Without the matrices of keys and values, which these make themselves."""
        for name in names or ["W_k", "W_v"]:
            del case.parameters[name]

    def turned(x):
        """Neighbours as complex numbers."""
        d = x.shape[-1]
        angles = torch.arange(N)[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    case = Heads(982, n=N, heads=2)
    own(case)
    state = case.split(case.x @ case.add("W_tied", draw(8, 8, scale=0.5)))
    rotary = turned(case.x @ case.add("W_group_rotary", draw(8, 2, scale=0.5)))
    key = torch.cat([state[..., :2], rotary.expand(2, -1, -1)], -1)
    query = torch.cat([case.q[..., :2], turned(case.q[..., 2:])], -1)
    weights = masked_softmax(query @ key.transpose(1, 2) / 2, causal(N))
    finish(case, {"type": "grouped_latents"}, weights, weights @ state, name="grouped_latents_tied")

    case = Heads(983, n=N, heads=4, query_width=16)
    own(case)
    latents = (case.x @ case.add("W_group_latent", draw(8, 6, scale=0.5))).view(N, 2, 3).transpose(0, 1)
    latents = latents / torch.sqrt(latents.pow(2).mean(-1, keepdim=True) + 1e-6)
    latents = latents * case.add("g_group_latent", draw(6)).view(2, 1, 3)
    rotary = turned(case.x @ case.add("W_group_rotary", draw(8, 2, scale=0.5)))
    W_key, W_value = case.add("W_group_key", draw(3, 8)), case.add("W_group_value", draw(3, 8))
    of_heads = latents.repeat_interleave(2, 0)
    made = lambda W: torch.einsum("hnc,chd->hnd", of_heads, W.view(3, 4, 2))
    key = torch.cat([made(W_key), rotary.expand(4, -1, -1)], -1)
    query = torch.cat([case.q[..., :2], turned(case.q[..., 2:])], -1)
    weights = masked_softmax(query @ key.transpose(1, 2) / 2)
    finish(case, {"type": "grouped_latents", "form": "latent", "latent_width": 3}, weights,
           weights @ made(W_value), name="grouped_latents_of_two_groups", is_causal=False)

    case = Heads(984, n=N, heads=4)
    own(case)
    D, U = case.add("D_query", draw(8, 3, scale=0.5)), case.add("U_query", draw(3, 8))
    key, value = case.x @ case.add("W_shared_key", draw(8, 2)), case.x @ case.add("W_shared_value", draw(8, 2))
    query = case.split(case.x @ (case.parameters["W_q"] @ D) @ U)
    weights = masked_softmax(query @ key.T / math.sqrt(2), causal(N))
    finish(case, {"type": "grouped_latents", "form": "factorised", "groups": 1, "rank": 3}, weights,
           weights @ value, name="factorised_queries")


def build_grouped_outputs():
    """A matrix that is a block for each group, and one behind it."""
    case = Heads(985, n=N, heads=4)
    del case.parameters["W_o"]
    A, B = case.add("A_output", draw(8, 3, scale=0.5)), case.add("B_output", draw(6, 8))
    weights = masked_softmax(case.products() / math.sqrt(case.d), causal(N))
    found = (weights @ case.v).transpose(0, 1).reshape(N, -1)
    row("algorithm", "grouped_output",
        case.spec | {"algorithm": {"type": "grouped_output", "rank": 3}, "mask": {"type": "causal"}},
        case.inputs, case.parameters, weights, found @ torch.block_diag(A[:4], A[4:]) @ B)


def build_compositions():
    """All searches with all retrievals at once: [search, retrieval, n, d]."""
    def composed(case, width, allowed):
        weights = masked_softmax(case.q @ case.k.repeat_interleave(case.heads // case.kv_heads, 0).transpose(1, 2)
                                 / math.sqrt(case.d), allowed)
        found = torch.einsum("snm,rmd->srnd", weights, case.v)
        asked = case.split(case.x @ case.add("W_retrieval_query", draw(8, case.heads * width)))
        answers = found @ case.add("W_retrieval_key", draw(case.v.shape[-1], width))
        choice = torch.softmax(torch.einsum("snw,srnw->snr", asked, answers) / math.sqrt(width), -1)
        return weights, torch.einsum("snr,srnd->snd", choice, found), choice

    case = Heads(967, n=N)
    weights, context, choice = composed(case, 4, causal(N))
    finish(case, {"type": "compositional"}, weights, context, stages={"retrieval_weights": choice})
    case = Heads(968, n=N, heads=4, kv_heads=2, spec=GROUPED)
    weights, context, _ = composed(case, 3, None)
    finish(case, {"type": "compositional", "selection_width": 3}, weights, context,
           name="compositional_of_two_retrievals", is_causal=False)


def build_collaborations():
    case = Heads(969, n=N)
    M = case.add("M_heads", draw(2, 8))
    Q, K = case.x @ case.parameters["W_q"], case.x @ case.parameters["W_k"]
    weights = masked_softmax(torch.einsum("nd,hd,md->hnm", Q, M, K) / math.sqrt(case.d), causal(N))
    finish(case, {"type": "collaborative"}, weights)


def build_interleaved_heads():
    """einsum "mhp,mnd->hpnd", the pseudo-tokens of a token one after another, and one mask for the longer text."""
    def turned(x):
        """Neighbours as complex numbers."""
        d = x.shape[-1]
        angles = torch.arange(x.shape[1])[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)

    for number, heads, pseudo, collapse, strict, rotary, is_causal in [(986, 2, 2, "own", True, True, True),
                                                                      (987, 4, 3, "all", False, False, True),
                                                                      (988, 2, 3, "own", False, True, False)]:
        case = Heads(number, n=N, heads=heads)

        def interleaved(of, vectors):
            M = case.add(f"M_pseudo_{of}", draw(pseudo * heads, heads)).view(pseudo, heads, heads)
            return torch.einsum("phm,mnd->hnpd", M, vectors).reshape(heads, N * pseudo, -1)

        q, k, v = interleaved("query", case.q), interleaved("key", case.k), interleaved("value", case.v)
        if rotary:
            q, k = turned(q), turned(k)
        places = torch.arange(N * pseudo)
        order = places if strict else places // pseudo
        shares = masked_softmax(q @ k.transpose(1, 2) / math.sqrt(case.d),
                                order[:, None] >= order if is_causal else None)
        found = (shares @ v).view(heads, N, pseudo, -1)
        R = case.add("R_collapse", draw(heads, pseudo if collapse == "own" else heads * pseudo))
        context = (torch.einsum("hp,hnpd->hnd", R, found) if collapse == "own" else
                   torch.einsum("hgp,gnpd->hnd", R.view(heads, heads, pseudo), found))
        weights = shares.view(heads, N, pseudo, N, pseudo).sum(-1).mean(2)
        finish(case, {"type": "interleaved_heads", "pseudo": pseudo, "collapse": collapse, "strict": strict,
                      "rotary": rotary}, weights, context, is_causal=is_causal,
               name="interleaved_heads" + {986: "", 987: "_of_all_heads", 988: "_of_a_whole_text"}[number],
               stages={"pseudo_key": k, "pseudo_weights": shares})


def build_areas():
    """Sums of neighbours by windows of each size, as unfold has them; areas that a query sees whole."""
    def attended(q, k, v, widest, d, allowed=None, are_means=False):
        m = k.shape[-2]
        windows = lambda x: [x.unfold(-2, size, 1).sum(-1) for size in range(1, widest + 1)]
        sizes = torch.cat([torch.full((m - size + 1,), float(size)) for size in range(1, widest + 1)])
        keys, values = torch.cat(windows(k), -2) / sizes[:, None], torch.cat(windows(v), -2)
        whole = None
        if allowed is not None:
            seen = torch.cat(windows(allowed.double().T), -2).T
            whole = seen == sizes
        given = masked_softmax(q @ keys.transpose(-2, -1) / math.sqrt(d), whole)
        return given @ (values / sizes[:, None] if are_means else values)

    unit = torch.eye(N)
    case = Heads(970, n=N)
    finish(case, {"type": "area"}, attended(case.q, case.k, unit.expand(2, -1, -1), 3, case.d, causal(N)),
           attended(case.q, case.k, case.v, 3, case.d, causal(N)))
    case = Cross(971, 4, N, 3)
    weights = attended(case.query, case.key, unit, 2, 3, are_means=True)
    row("algorithm", "area_of_means", case.spec | {"algorithm": {"type": "area", "widest": 2, "values": "mean"}},
        case.inputs, {}, weights, weights @ case.value)


def build_simplices():
    """The cube of scores [h, n, m, m] at once, as the paper's einsum has it."""
    def attended(case, allowed, pairs):
        groups = case.heads // case.kv_heads
        k, v, k2, v2 = (t.repeat_interleave(groups, 0) for t in [
            case.k, case.v, *(case.split(case.x @ case.add(name, draw(8, 8 // groups, scale=0.5)), case.kv_heads)
                              for name in ["W_second_key", "W_second_value"])])
        cube = torch.einsum("hnd,hjd,hld->hnjl", case.q, k, k2) / math.sqrt(case.d)
        weights = masked_softmax(cube.flatten(2), (allowed[:, :, None] & allowed[:, None] & pairs).flatten(1))
        weights = weights.view_as(cube)
        return weights.sum(-1), torch.einsum("hnjl,hjd,hld->hnd", weights, v, v2)

    case = Heads(972, n=N)
    finish(case, {"type": "simplicial"}, *attended(case, causal(N), torch.ones(N, N, dtype=torch.bool)))
    case = Heads(973, n=N, heads=4, kv_heads=2, spec=GROUPED)
    back = torch.arange(N)[:, None] - torch.arange(N)
    finish(case, {"type": "simplicial", "window": 2},
           *attended(case, torch.ones(N, N, dtype=torch.bool), (back >= 0) & (back < 2)),
           name="simplicial_of_neighbours", is_causal=False)


def build_dynamic_compositions():
    """Matrices of heads for every token, as the authors' code caches them for the keys: w1ᵀ w2 + diag(tanh)."""
    def matrices(case, site, rank):
        hidden = F.gelu(case.x @ case.add("W_hidden_" + site, draw(8, 4 * case.heads, scale=0.5)), approximate="tanh")
        mixing = hidden @ case.add("W_mixing_" + site, draw(4 * case.heads, 2 * rank * case.heads, scale=0.5))
        w1, w2 = mixing.view(N, 2, rank, case.heads).unbind(1)
        w1 = w1 * torch.rsqrt(w1.pow(2).mean(-1, keepdim=True) + 1e-6)
        own = torch.tanh(case.x @ case.add("W_own_" + site, draw(8, case.heads, scale=0.5)))
        return torch.einsum("trh,trg->thg", w1, w2) + torch.diag_embed(own)

    def composed(case, maps, name, rank, sides):
        added = torch.einsum("hij,ihg->gij", maps, matrices(case, name + "_q", rank))
        if sides == "both":
            added = added + torch.einsum("hij,jhg->gij", maps, matrices(case, name + "_k", rank))
        return maps + added

    for number, name, rank, sides, is_causal in [(974, "dynamically_composed", 2, "both", True),
                                                 (975, "dynamically_composed_by_queries", 1, "queries", False)]:
        case = Heads(number, n=N)
        scores = composed(case, case.products() / math.sqrt(case.d), "scores", rank, sides)
        soft = masked_softmax(scores, causal(N) if is_causal else None)
        finish(case, {"type": "dynamically_composed", "rank": rank, "sides": sides},
               composed(case, soft, "weights", rank, sides), name=name, is_causal=is_causal,
               stages={"weights_of_heads": soft})


def build_hybrid_heads():
    """Hymba's block, attention with rope as it has it and the scan of Mamba token by token, behind RMS norms with gains;
    and the hybrid module of x-transformers, a norm of each head and lerp by a sigmoid."""
    for number, algorithm, name in [(2100, {"states": 3}, None),
                                    (2101, {"states": 2, "norm": "heads", "mix": "learned"}, "hybrid_heads_by_shares")]:
        case = Heads(number, n=N, heads=4, kv_heads=2, spec=GROUPED)
        states = algorithm["states"]
        u, gate = case.x @ case.add("W_state", draw(8, 8, scale=0.5)), case.x @ case.add("W_state_gate", draw(8, 8))
        B, C = (case.x @ case.add(key, draw(8, states, scale=0.5)) for key in ["W_state_write", "W_state_read"])
        dt = F.softplus(case.x @ case.add("W_dt", draw(8, 8, scale=0.5)) + case.add("b_dt", draw(8)))
        A = -torch.exp(case.add("A_log", draw(8, states)))
        state, scanned = torch.zeros(8, states), []
        units, columns = torch.zeros(8, states, N), []
        for t in range(N):
            fading = torch.exp(dt[t, :, None] * A)
            state = fading * state + (dt[t] * u[t])[:, None] * B[t]
            units = fading[..., None] * units
            units[:, :, t] = dt[t, :, None] * B[t]
            scanned.append(state @ C[t])
            columns.append(torch.einsum("csj,s->cj", units, C[t]))
        ssm = torch.stack(scanned) * F.silu(gate)
        maps = torch.stack(columns, 1).view(4, 2, N, N).mean(1)
        places = torch.arange(N)[:, None] * torch.ones(1)  # two features of a head: one pair, of speed 1
        def turned(x):
            first, second = x.chunk(2, -1)
            return torch.cat([first * places.cos() - second * places.sin(),
                              second * places.cos() + first * places.sin()], -1)
        k, v = turned(case.k).repeat_interleave(2, 0), case.v.repeat_interleave(2, 0)
        weights = masked_softmax(turned(case.q) @ k.transpose(1, 2) / math.sqrt(case.d), causal(N))
        attended = (weights @ v).transpose(0, 1).reshape(N, 8)
        gains = case.add("g_attended", draw(8)), case.add("g_state", draw(8))

        def norm(x, gain):
            if algorithm.get("norm") == "heads":
                x = x.view(N, 4, 2)
                gain = gain.view(4, 2)
            return (gain * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)).reshape(N, 8)

        out, hybrid = norm(attended, gains[0]), norm(ssm, gains[1])
        if algorithm.get("mix") == "learned":
            mix = torch.sigmoid(case.x @ case.add("W_mix", draw(8, 4))).repeat_interleave(2, 1)
            out = out.lerp(hybrid, mix)
        else:
            out = (out + hybrid) / 2
        case.row("algorithm", name or "hybrid_heads",
                 {"algorithm": {"type": "hybrid_heads"} | algorithm, "position": {"type": "rope"},
                  "mask": {"type": "causal"}}, weights, case.split(out),
                 {"state_weights": maps, "channel_steps": case.split(dt), "state_found": case.split(ssm)})


def build():
    build_tensor_products()
    build_differences()
    build_head_gates()
    build_output_gates()
    build_switch_heads()
    build_grouped_latents()
    build_grouped_outputs()
    build_compositions()
    build_collaborations()
    build_interleaved_heads()
    build_areas()
    build_simplices()
    build_dynamic_compositions()
    build_hybrid_heads()
