#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_castle() {
    Mechanism mechanism;
    mechanism.name = "Lookahead keys (CASTLE)";
    mechanism.also_known_as = {"causal attention with lookahead keys"};
    mechanism.family = "Scores";
    mechanism.order = 5235;
    mechanism.formula =
        R"(@output{o_t = \sum_{s \le t} @weights{\operatorname{softmax}_s\left(@scores{\frac{@query{q_t} )"
        R"(\cdot @key{k_s}}{\sqrt{d}} - \operatorname{silu}\left(@lookahead_scores{\frac{q_t \cdot u_s^t}{)"
        R"(\sqrt{d}}}\right)}\right)}\,@value{v_s}},\quad )"
        R"(u_s^t = \sum_{s < j \le t} @lookahead_weights{\sigma\left(\frac{@lookahead_query{q_s^u} \cdot )"
        R"(@lookahead_key{k_j^u}}{\sqrt{d}}\right)}\,@lookahead_value{v_j^u})";
    mechanism.papers = {{"Song et al., Causal Attention with Lookahead Keys", 2025}};
    mechanism.explanation =
        "In causal attention the key of a word is made when the word is read, and stays as it is: in “the "
        "old man the boat” the key of “man” is that of a person for good, although “the boat” shows that it "
        "was a verb. Here each token has a second key, which every token that follows adds to: a vector of "
        "its own, as far as a sigmoid of the product qᵘ · kᵘ lets it through. A query finds in these "
        "lookahead keys what was said up to itself and nothing later, so that attention stays causal; its "
        "own is still 0. Their product with the query is taken off the score by way of silu, which hardly "
        "goes below 0: any amount can be taken off, and at most 0.28 added. Values are not rewritten. With "
        "vᵘ = 0 causal attention remains.";
    mechanism.cost =
        "n² (3 d + n + d_v) multiply-adds per head as computed here, where the sums over j are a "
        "product of two maps; block by block, as in the paper, of the order of n² d. A cache keeps "
        "k, v, qᵘ and u of each token, and every step rewrites all u.";
    mechanism.correction =
        "No query looks ahead: it is the keys that do, up to the token of the query. The sum runs over the "
        "tokens strictly after s, and a lookahead key belongs to a pair of tokens, s and t, not to s alone.";
    mechanism.equivalences = {equal_when("causal", "with W_vu = 0 later tokens tell nothing",
                                         {.tolerance = 1e-12, .parameters = {{"W_vu", "zeros"}}})};
    mechanism.related = {"causal", "selective", "forgetting", "path"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::castle;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "the old man the boat while the young rest ashore";
    mechanism.example.look_for =
        "The three copies of “the” have one vector, and in the row of the last causal attention gives each "
        "of them 0.27. Here they have 0.24, 0.28 and 0.29: the more has followed a copy, the more its key "
        "has changed, and the last one’s not at all.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
