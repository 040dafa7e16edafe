#include "core/catalog/knob.h"

#include <string>

namespace headlight {

Mechanism declare_lightnet() {
    Mechanism mechanism;
    mechanism.name = "LightNet";
    mechanism.also_known_as = {"additive decay", "you only scan once"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3414;
    mechanism.formula =
        R"(@output{o_i = @query{q_i}\,S_i},\quad )"
        R"(S_i = \operatorname{diag}\left(e^{z_{i-1} - z_i}\right) S_{i-1} + \left(e^{@key{k_i} - z_i})"
        R"(\right)^\top @value{v_i},\quad z_i = \ln \sum_{j \le i} e^{k_j},\quad )"
        R"(@weights{A_{ij} = \sum_c q_{ic}\,\frac{e^{k_{jc}}}{\sum_{l \le i} e^{k_{lc}}}})";
    mechanism.papers = {
        {"Qin et al., You Only Scan Once: Efficient Multi-dimension Sequential Modeling with LightNet",
         2024}};
    mechanism.explanation =
        "Gates that multiply need an order: what fades, fades with every step, and an image has no first "
        "pixel. LightNet lets the decay add up instead. Each feature of the state is a mean of the values, "
        "in which a token has the share e^k over the sum of e^k so far. When a token comes, the sum grows, "
        "and all that was there shrinks by the ratio of the sums: this is the gate, made of the keys "
        "themselves, and e^(k − z) is what the new token has. Written out no product is left, only a softmax "
        "of each feature over the tokens, which can be computed in one scan, in any number of dimensions. It "
        "is efficient attention but for the query, which is not turned into shares: each row of the map sums "
        "to the sum of its query’s features, whatever the keys.";
    mechanism.cost =
        "3 n d d_v multiply-adds per head: to fade, to write and to read; state d d_v + d for the sums";
    mechanism.correction =
        "e^(z − z′) looks like a gate that the token sets, but no token can make the memory forget what it "
        "likes: all of a feature fades by the same factor, and the ratio of two shares never changes. Large "
        "keys overflow in e^k; the largest so far has to be taken off, as in any softmax. The layer passes "
        "the query through SiLU, normalises and gates the output and adds a positional encoding of its own, "
        "all left out here.";
    mechanism.related = {"efficient", "hgrn2", "abc", "gla"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::hgrn2;
    spec.algorithm.options = {{"writing", std::string("shares")}};
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, without(component_knobs(spec), {"writing", "lower_bound"}) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for =
        "Compare the rows of the two copies of “door”: they have one query, and so their weights add up to "
        "one number, the sum of its features; but the second copy divides it among more words.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
