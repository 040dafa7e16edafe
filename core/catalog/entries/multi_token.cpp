#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_multi_token() {
    Mechanism mechanism;
    mechanism.name = "Multi-token attention";
    mechanism.also_known_as = {"MTA", "key-query convolution"};
    mechanism.family = "Scores";
    mechanism.order = 5220;
    mechanism.formula = R"(@scores{s_{ij} = \sum_{a,b} \theta_{ab}\,@token_scores{\frac{q_{i-a} \cdot )"
                        R"(k_{j-b}}{\sqrt{d_k}}}},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@masked_scores{S})}\,@value{V}})";
    mechanism.papers = {
        {"Golovneva, Wang, Weston and Sukhbaatar, Multi-Token Attention (section 3.1)", 2025}};
    mechanism.explanation =
        "A query and a key are single tokens, so a single weight cannot ask for “the sentence that has Alice "
        "and also a rabbit”. Here the scores of neighbouring queries and keys are mixed by a small kernel θ "
        "before the softmax, as an image filter mixes neighbouring pixels: a score becomes high where "
        "several tokens find something close by. Forbidden pairs count as 0 in the mixture and are cut off "
        "after it, so nothing leaks from the future. The kernel is learned for each head; until then every "
        "place of it weighs the same, which blurs. The paper also mixes heads, as talking heads do, and "
        "normalises what each of them finds: a spec has the algorithm head_norm for it.";
    mechanism.cost = "n m (d + c_q c_k + d_v) multiply-adds per head with a kernel of c_q queries "
                     "and c_k keys; memory n m";
    mechanism.correction =
        "Row a of θ is for the query a places back and column b for the key ⌊c_k / 2⌋ − b places ahead, as "
        "in a convolution; libraries whose convolution does not flip the kernel have both in the opposite "
        "order. The mask is needed twice: zeros before the kernel, −∞ after it. With −∞ before, one "
        "forbidden pair would forbid all of its neighbours.";
    mechanism.equivalences = {
        equal_when("causal", "A kernel of one query and one key leaves the scores as they are.",
                   {.here = {{"query_width", Index(1)}, {"key_width", Index(1)}}}),
    };
    mechanism.related = {"causal", "scaled_dot_product"};

    AttentionSpec spec;
    spec.score.type = ScoreType::multi_token;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the black cat slept and the white dog ran";
    mechanism.example.look_for =
        "In the scores of single tokens the diagonal is bright. After the kernel no word stands out alone: "
        "the weight of each row is spread over several neighbours.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
