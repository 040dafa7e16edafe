#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_temporal_latent() {
    Mechanism mechanism;
    mechanism.name = "Multi-head temporal latent attention";
    mechanism.also_known_as = {"MTLA", "latents merged in time"};
    mechanism.family = "Heads";
    mechanism.order = 3105;
    mechanism.formula = R"(@latent{\hat c_j = \sum_{i \in \text{group } t,\; i \le j} @merge_weights{\sigma)"
                        R"(\left(p_t W_p \cdot c_i W_c\right)}\,@token_latent{c_i}},\quad )"
                        R"(@weights{A_h = \operatorname{softmax}\left(@masked_scores{\frac{@content_scores{)"
                        R"(@query{Q_h^C}\,(\hat C\,W_h^K)^\top} + Q_h^R\,{K^R}^\top}{\sqrt{d_C + d_R}}})"
                        R"(\right)},\quad @output{\left[@context{A_h\,@value{\hat C\,W_h^V}}\right]_h W_o})";
    mechanism.papers = {{"Deng and Woodland, Multi-head Temporal Latent Attention", 2025}};
    mechanism.explanation =
        "Latent attention makes what is cached of a token short; here there are fewer of them as well. "
        "Groups of r neighbouring tokens share one latent: each token’s is multiplied by a weight between 0 "
        "and 1, which the latent and the place of its group decide, and added. While a group is not whole, "
        "its latent grows in the cache with each token; then a new one begins. So a query sees one latent "
        "for each group before its own, and of its own what was added up to it. The rotary key of a group is "
        "that of its newest token. To train on a whole text at once, what the cache holds at each token has "
        "to be there side by side: a sum for each token, and a mask that shows of earlier groups the last "
        "sum alone. The paper has it for speech, whose neighbours are alike.";
    mechanism.cost =
        "n m / r (d_C + d_R + d_v) multiply-adds per head, and m d_c (d_C + d_v) to make keys and "
        "values; m d_c² / 2 to merge. The cache holds (d_c + d_R) / r numbers per token.";
    mechanism.correction =
        "Only the sums at the ends of groups stay. Those between, in the map’s empty columns, are seen by "
        "the one query whose token was added last. The weights of merging are no shares: each is a sigmoid "
        "by itself, and a group’s do not sum to 1. The latents have a layer norm, with a shift, where "
        "DeepSeek’s have a root mean square.";
    mechanism.equivalences = {
        equal_when(
            "latent", "with groups of one token and the other norm nothing is merged",
            {.here = {{"merged", Index(1)}, {"norm", std::string("rms")}}, .there = {{"causal", true}}}),
        equal_when("temporal_latent", "the order of a product of matrices does not change it",
                   {.here = {{"absorbed", true}}, .there = {{"absorbed", false}}})};
    mechanism.related = {"latent", "grouped_latents", "compressed_entries", "token_merging"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::multi;
    spec.algorithm = {AlgorithmType::latent, {{"merged", Index(2)}, {"norm", std::string("layer")}}};
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, std::vector<Knob>{heads_knob()} + component_knobs(spec));

    mechanism.example.query = "the river was wide and the boat was very slow";
    mechanism.example.look_for =
        "Every second column is a group: “river”, “wide” ... hold two words each. The other columns have one "
        "cell, on the diagonal: a word whose group is not whole yet.";
    mechanism.properties = {.causal = true, .streaming = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
