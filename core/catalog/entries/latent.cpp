#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_latent() {
    Mechanism mechanism;
    mechanism.name = "Multi-head latent attention";
    mechanism.also_known_as = {"MLA"};
    mechanism.family = "Heads";
    mechanism.order = 3100;
    mechanism.formula =
        R"(@latent{C = \operatorname{norm}(X W_c)},\quad )"
        R"(@weights{A_h = \operatorname{softmax}\left(@masked_scores{\frac{@content_scores{@query{Q_h^C})"
        R"(\,(C\,W_h^K)^\top} + @rotary_scores{Q_h^R\,{K^R}^\top}}{\sqrt{d_C + d_R}}}\right)},\quad )"
        R"(@output{\left[@context{A_h\,@value{C\,W_h^V}}\right]_h W_o})";
    mechanism.papers = {
        {"DeepSeek-AI, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model",
         2024}};
    mechanism.explanation =
        "For each token only a short latent vector is kept, together with one small rotary key that all "
        "heads share; every head makes its keys and values from the latent by matrices of its own. So the "
        "cache is as small as with a few grouped heads, while each head still has keys of its own, though "
        "all of them lie in the space that the latent spans. Rotation by position would stand between the "
        "two matrices of the product, so position has a part of the score to itself. Since the rest is a "
        "product of matrices, they can be multiplied in another order: the absorbed form compares "
        "transformed queries with the latents themselves, with the same numbers. DeepSeek compresses the "
        "queries too; here they are projected as usual.";
    mechanism.cost = "n m (d_C + d_R + d_v) multiply-adds per head, and m d_c (d_C + d_v) to make keys and "
                     "values; absorbed n m (2 d_c + d_R) with nothing to make. The cache holds d_c + d_R "
                     "numbers per token, whatever the number of heads.";
    mechanism.correction =
        "The latent’s norm adds 1e-6 to the mean square under the root, as DeepSeek’s code has it. "
        "The scale is 1/√(d_C + d_R), the width of both parts together. The latent is normalised before it "
        "is multiplied, which the paper’s formulas leave out and its code has.";
    mechanism.equivalences = {equal_when("latent", "the order of a product of matrices does not change it",
                                         {.here = {{"absorbed", true}}, .there = {{"absorbed", false}}})};
    mechanism.related = {"multi_head", "grouped_query", "multi_query", "kv_cache", "temporal_latent"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::multi;
    spec.algorithm.type = AlgorithmType::latent;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + without(component_knobs(spec), {"merged", "norm"}) +
                causal_knob());

    mechanism.example.query = "the river was wide and the boat was very slow";
    mechanism.example.look_for =
        "Scores come in two parts: content, from the latents, and position, from one narrow rotary key "
        "that all heads share. Turn on absorbed: keys and values vanish, the weights stay.";
    mechanism.example.stage = "rotary_scores";
    return mechanism;
}

}  // namespace headlight
