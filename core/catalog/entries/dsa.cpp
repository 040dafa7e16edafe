#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_dsa() {
    Mechanism mechanism;
    mechanism.name = "DeepSeek sparse attention";
    mechanism.also_known_as = {"DSA", "lightning indexer"};
    mechanism.family = "Selections";
    mechanism.order = 5480;
    mechanism.formula =
        masked_formula(R"(j \le i \text{ and } @index_scores{I_{ij} = \sum_h w_{ih} \max(0,\, q^I_{ih} )"
                       R"(\cdot k^I_j)} \text{ is among the } k \text{ largest})");
    mechanism.papers = {{"DeepSeek-AI, DeepSeek-V3.2-Exp (section 2.1)", 2025}};
    mechanism.explanation =
        "A second, much smaller attention decides where the real one looks. The indexer has a few narrow "
        "queries for each token, one narrow key, and scores a pair by the weighted sum of what its heads "
        "find positive: no softmax, cheap enough to run over everything in low precision. The k keys with "
        "the largest index scores, the same ones for all heads, go into ordinary attention, which in the "
        "model is multi-head latent attention with k = 2048; that takes the indexer as its selection here "
        "too. The indexer is trained to imitate the full map; here it is untrained and its choice arbitrary.";
    mechanism.cost = masked_cost("n m h_I d_I multiply-adds for the index over all heads, and n k (d + d_v) "
                                 "per head: still n m, but with a small factor.");
    mechanism.correction = "Scaling the weights of the index by a positive number changes no choice; the "
                           "code’s factors of 1/√d_I and 1/√h_I do only that.";
    mechanism.equivalences = {
        equal_when("causal", "k is at least the number of keys", {.here = {{"k", Index(65536)}}})};
    mechanism.related = {"moba", "quest", "top_k"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::indexer;
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "paris is in france and london is in england now";
    mechanism.example.look_for = "Hold the index scores against the weights: where the index is high a "
                                 "weight may be, elsewhere it is exactly 0.";
    mechanism.example.stage = "index_scores";
    mechanism.properties = {.causal = true, .streaming = true, .data_dependent_mask = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
