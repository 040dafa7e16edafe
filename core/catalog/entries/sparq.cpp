#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_sparq() {
    Mechanism mechanism;
    mechanism.name = "SparQ attention";
    mechanism.also_known_as = {"sparse queries", "bandwidth-efficient attention"};
    mechanism.family = "Selections";
    mechanism.order = 5472;
    mechanism.formula =
        R"(@weights{A_{ij} = \alpha_i \operatorname{softmax}_{j \in K_i}\left(\frac{@scores{q_i \cdot )"
        R"(k_j}}{\sqrt{d_k}}\right) + \frac{1 - \alpha_i}{i}},\quad )"
        R"(@guessed_shares{\hat{s}_{ij} = \operatorname{softmax}_{j \le i}\left(\frac{\hat{q}_i \cdot k_j}{)"
        R"(\sqrt{d_k\, |\hat{q}_i|_1 / |q_i|_1}}\right)},\quad )"
        R"(K_i = \text{the } k \text{ largest of } \hat{s}_i,\quad )"
        R"(@read_share{\alpha_i = \sum_{j \in K_i} \hat{s}_{ij}})";
    mechanism.papers = {{"Ribar et al., SparQ Attention: Bandwidth-Efficient LLM Inference", 2024}};
    mechanism.explanation =
        "While a text is written, the time goes into reading the cache. But of a query’s numbers a few are "
        "large and most hardly count in its products. So first only the r features in which the query is "
        "largest are read of each key, and a softmax of these products guesses where the weight will be; it "
        "is divided by a smaller root, since what is left out made the products smaller. The k keys of the "
        "largest guesses are then read whole, with their values, and attended exactly. What the guess gave "
        "to all others, 1 − α, goes to the mean of all values, which costs nothing to keep: the best that "
        "can be said of keys that were not looked at. Nothing is dropped for good.";
    mechanism.cost = masked_cost("m r numbers read of the keys and 2 k d of keys and values for each query, "
                                 "in the place of 2 m d.");
    mechanism.correction =
        "The mean is of the values that the query may see, kept as a running one. With heads that share "
        "their keys the authors add up |q|, and then the guesses, of all heads of a group, which so read the "
        "same; here each head chooses for itself. A cache that is to be read by features holds its keys "
        "twice, once for each order.";
    mechanism.equivalences = {equal_when("causal", "every key is read", {.here = {{"k", Index(65536)}}})};
    mechanism.related = {"quest", "top_k", "dsa", "eviction"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.mask.rule = CausalMask{};
    spec.selection.type = SelectionType::sparq;
    compose(mechanism, spec, component_knobs(spec) + token_knobs());

    mechanism.example.query = "paris is in france and london is in england now";
    mechanism.example.look_for =
        "Three keys of each row stand out of a faint even ground, the share of the mean value; in the last "
        "row, whose guess is spread over many keys, the ground has half of the weight.";
    mechanism.example.beside = "causal";
    mechanism.properties = {.causal = true, .streaming = true, .data_dependent_mask = true};
    return mechanism;
}

}  // namespace headlight
