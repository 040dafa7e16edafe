#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_sinkhorn() {
    Mechanism mechanism;
    mechanism.name = "Sinkhorn attention";
    mechanism.also_known_as = {"Sinkformer", "doubly stochastic attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5570;
    mechanism.formula = R"(@output{o_i} = \sum_j @weights{e^{s_{ij} + r_i + c_j}}\,@value{v_j},\quad\sum_j )"
                        R"(@weights{A_{ij}} = 1,\quad \sum_i @weights{A_{ij}} = \frac{n}{m})";
    mechanism.papers = {
        {"Sander, Ablin, Blondel and Peyré, Sinkformers: Transformers with Doubly Stochastic Attention",
         2022}};
    mechanism.explanation =
        "Softmax makes every row sum to 1 but lets one key collect the looks of all queries. Sinkhorn’s "
        "algorithm brings the columns to equal sums as well: divide rows by their sums, then columns by "
        "theirs, then rows again, until both hold. Each query spends 1 and each key receives its share. It "
        "is the plan of transport between queries and keys that scores highest when its entropy counts as "
        "well (entropy-regularised transport), and softmax is its first step. The columns hold only after "
        "many iterations; this form ends with the rows, which always do.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds and 2 k n m exponentials per head for k iterations; memory n m.";
    mechanism.correction =
        "It looks at whole columns and so at later queries: with a causal mask the weights of "
        "early rows would still depend on later ones.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "the first step is the softmax of the rows",
                                         {.here = {{"iterations", 1}}})};
    mechanism.related = {"dustbin", "dual_softmax", "slot", "soft"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::sinkhorn;
    compose(mechanism, spec,
            without(component_knobs(spec), {"dustbin", "bin_score"}) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "With 1 iteration the columns differ in brightness; with 100 every column sums to 1 like every row.";
    mechanism.properties = {.permutation_equivariant = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
