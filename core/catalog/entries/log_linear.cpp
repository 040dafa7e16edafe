#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_log_linear() {
    Mechanism mechanism;
    mechanism.name = "Log-linear attention";
    mechanism.also_known_as = {"hierarchical linear attention", "log-linear Mamba-2"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3422;
    mechanism.formula =
        R"(@output{O = @weights{\left(@similarities{@query{Q}\,@key{K}^\top} \odot @decay_mask{M^S} \odot )"
        R"(@level_mask{M^H}\right)}\,@value{V}},\quad M^S_{ij} = e^{G_i - G_j},\quad )"
        R"(G_i = \sum_{l \le i} @log_gates{\ln a_l},\quad )"
        R"(M^H_{ij} = @level_weights{\lambda_i}^{\left(@levels{\ell(i,j)}\right)} \text{ for } j \le i,)"
        R"(\quad o_i = \sum_{\ell} \lambda_i^{(\ell)}\, q_i\, S_i^{(\ell)})";
    mechanism.papers = {{"Guo et al., Log-Linear Attention", 2026}};
    mechanism.explanation =
        "Linear attention puts all of the past into one state, softmax attention keeps every token apart. "
        "Here there is a state for each of a few blocks of the past: the token itself, and before it blocks "
        "of 1, 2, 4, … tokens, the nearer the smaller. Which blocks there are, the binary digits of the "
        "place say: the token at place 13, 1101 in binary, has 8 + 4 + 1 tokens before it, in blocks of "
        "these sizes, so that a text of n tokens has ⌈log₂ n⌉ + 1 states at most. Such blocks make a Fenwick "
        "tree. Every token lies in exactly one of them, and each query weighs each level by a number λ of "
        "its own. Near tokens can thus be told apart finely and far ones roughly. When a block is full, its "
        "state is added to that of a larger one, and nothing is computed anew. In the formula Mᴴ holds the λ "
        "of the level ℓ(i, j) in which query i finds key j, and S is the state of a level. The states fade "
        "by the gates a of Mamba-2 as well, which is Mˢ. With all λ = 1 they add up to one state again.";
    mechanism.cost =
        "n d d_v (2 + 2 log₂ n) multiply-adds per head at most, token by token: to fade and to read a state "
        "for each level; state (⌈log₂ n⌉ + 1) d d_v. From the map, as here, n² (d + d_v)";
    mechanism.correction =
        "The levels follow from the places alone, not from what the tokens say, and a key does not keep "
        "its level: it moves up as queries go on, by leaps at round numbers. λ is made from the token: the "
        "authors’ code takes softplus(L ∘ x W) with a learned L for each head and level; here L is a part of "
        "W, and there is a bias. Log-linear Mamba-2 multiplies the values by the step Δ as well, which is a "
        "knob. Gates and levels act on any linear attention; the paper has a gated delta rule, too.";
    mechanism.equivalences = {
        equal_when(
            "mamba2",
            "with W_lambda = 0 every λ is softplus(ln(e − 1)) = 1, and no level is told from another",
            {.there = {{"discretize", false}}, .tolerance = 1e-12, .parameters = {{"W_lambda", "zeros"}}}),
        equal_when(
            "mamba2", "with W_lambda = 0 and steps that write, it is Mamba-2 whole",
            {.here = {{"discretize", true}}, .tolerance = 1e-12, .parameters = {{"W_lambda", "zeros"}}})};
    mechanism.related = {"mamba2", "gla", "linear", "log_sparse"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::log_linear;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "“blue” is at place 9, 1001 in binary: its row has one number for the first eight tokens, another "
        "for “was”, and a third for itself. The row of the second “door”, at place 7, has four: for four "
        "tokens, two, one, and its own.";
    mechanism.example.stage = "level_mask";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
