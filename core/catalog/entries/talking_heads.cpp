#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_talking_heads() {
    Mechanism mechanism;
    mechanism.name = "Talking-heads attention";
    mechanism.also_known_as = {"head mixing"};
    mechanism.family = "Heads";
    mechanism.order = 5700;
    mechanism.formula =
        R"(@weights{A'_g = \sum_h P'_{gh} \operatorname{softmax}\left(@mixed_scores{\sum_{h^{*}} P_{h )"
        R"(h^{*}}\,@scaled_scores{\frac{@scores{@query{Q_{h^{*}}}\,@key{K_{h^{*}}}^\top}}{\sqrt{d_k}}}})"
        R"(\right)},\quad @output{\left[@context{A'_g\,@value{V_g}}\right]_g W_o})";
    mechanism.papers = {{"Shazeer, Lan, Cheng, Ding and Hou, Talking-Heads Attention", 2020}};
    mechanism.explanation =
        "Heads normally work apart until their contexts are put side by side. Here they talk twice: before "
        "the softmax the scores of a cell are mixed over the heads by a small learned matrix, and after it "
        "the weights are mixed by another. So a head’s map can be a blend of what several heads found, and a "
        "head of values can follow several patterns at once. Both matrices have only H² numbers. Mixing "
        "after the softmax has its price: rows no longer sum to 1, and weights may be negative. With both "
        "matrices the identity it is multi-head attention again. CaiT uses it for images.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head and 2 n m H for the mixing; all H maps of a query "
                     "have to be there at once.";
    mechanism.correction =
        "The paper’s form replaces the scores by the mixed ones. Some implementations add the mixed ones to "
        "the scores, a residual that has to be known when weights are copied.";
    mechanism.equivalences = {
        equal_when("multi_head", "both mixing matrices are the identity",
                   {.parameters = {{"P_scores", "identity"}, {"P_weights", "identity"}}})};
    mechanism.related = {"multi_head", "differential", "interleaved_heads"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads.type = HeadsType::talking;
    compose(mechanism, spec,
            {heads_knob(), causal_knob(), projection_bias_knob(), source_knob(), temperature_knob()});

    mechanism.example.query = "two boys played football and three girls played music";
    mechanism.example.look_for = "The rows of the weights do not sum to 1: each map is a blend of all heads’ "
                                 "softmax maps, and a blend may be negative.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
