#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_routing() {
    Mechanism mechanism;
    mechanism.name = "Routing attention";
    mechanism.also_known_as = {"Routing Transformer", "k-means attention"};
    mechanism.family = "Selections";
    mechanism.order = 5490;
    mechanism.formula = R"(@query_affinities{\cos(q_i, \mu_c)},\; @key_affinities{\cos(k_j, \mu_c)},\quad )" +
                        masked_formula(R"(\text{some } \mu_c \text{ takes } q_i \text{ and } k_j)");
    mechanism.papers = {{"Roy, Saffar, Vaswani and Grangier, Efficient Content-Based Sparse Attention with "
                         "Routing Transformers",
                         2021}};
    mechanism.explanation =
        "Centroids, learned like those of k-means, stand for topics. Each takes the queries and the keys "
        "nearest to it, the same number for every centroid so that clusters are of one size, and attention "
        "runs within clusters. With about √n clusters a layer costs n √n. A token may be taken by several "
        "centroids, or by none: then its row is empty, and in the model other heads with local windows look "
        "after it. Centroids follow the tokens by a running mean during training; here they are drawn and do "
        "not move.";
    mechanism.cost = masked_cost("n c d multiply-adds per head for c centroids and n (n / c) (d + d_v) for "
                                 "clusters of n / c: n √n at c = √n.");
    mechanism.correction =
        "Under a causal mask the choice itself still looks ahead: which tokens a centroid takes depends on "
        "the whole sequence. Step by step generation cannot give the same.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "every centroid takes everybody",
                   {.here = {{"members", Index(65536)}}}),
        equal_when("scaled_dot_product", "there is one cluster", {.here = {{"clusters", Index(1)}}})};
    mechanism.related = {"reformer", "top_k", "moba"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.selection.type = SelectionType::clusters;
    compose(mechanism, spec, component_knobs(spec) + causal_knob() + token_knobs());

    mechanism.example.query = "the king and the queen met a man and a woman";
    mechanism.example.look_for =
        "Rows of one cluster have the same columns; a row without any cell is a word that no centroid took.";
    mechanism.properties = {
        .row_stochastic = false, .data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
