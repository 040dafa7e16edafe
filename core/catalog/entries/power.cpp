#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_power() {
    Mechanism mechanism;
    mechanism.name = "Power attention";
    mechanism.also_known_as = {"symmetric power attention", "sympow", "power retention"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3345;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{@kernel_values{(@products{@query{q_i} \cdot @key{k_j}})^p}}{\sum_{j \le )"
        R"(i} \ldots}},\quad @output{O = A\,@value{V}},\quad p = 2, 4, \ldots)";
    mechanism.papers = {{"Buckman et al., Symmetric Power Transformers", 2024},
                        {"Gelada et al., Scaling Context Requires Rethinking Attention", 2025}};
    mechanism.explanation =
        "The state of linear attention is as small as its features are few, and its rows are flat. Power "
        "attention takes the p-th power of the product of query and key, with p even, so that no weight is "
        "negative. Such a power is itself a product of features, namely all monomials of p entries, so "
        "that p sets the size of the state, whatever the width of the model: with d = 64 there are 2,080 "
        "features for p = 2 and 766,480 for p = 4. The larger p is, the more the largest product of a row "
        "stands out. The sign is lost: a product of −3 weighs as much as one of 3, unlike in softmax. The "
        "models of the papers also turn queries and keys, which is the position part here, and have gates "
        "that forget, which are left out.";
    mechanism.cost =
        "2 n F d_v multiply-adds per head with F = (d + p − 1)! / (p! (d − 1)!) features, d (d + 1) "
        "/ 2 for p = 2; state F d_v. From the map, as here, n m (d + d_v)";
    mechanism.correction =
        "Only even powers give shares: with an odd p weights would be signed and the sum of a row could be "
        "0. The authors’ first kernels do not divide by that sum but normalise each output as layer "
        "normalisation does.";
    mechanism.equivalences = {equal_when("rebased", "with p = 2 it is ReBased with scale 1 and shift 0",
                                         {.here = {{"power", std::string("2")}}, .tolerance = 1e-9})};
    mechanism.related = {"rebased", "based", "linear"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::power;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.look_for =
        "With p = 4 the map is close to that of causal softmax attention beside it: for vectors of this "
        "length the fourth power grows about as fast as the exponential. With p at 2 the rows are flatter, "
        "those of ReBased.";
    mechanism.example.beside = "causal";
    mechanism.example.values = {{"power", std::string("4")}};
    mechanism.properties.row_stochastic = false;  // of a query that is orthogonal to all keys
    mechanism.properties.causal = true;
    mechanism.properties.streaming = true;
    return mechanism;
}

}  // namespace headlight
