#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_budget() {
    Mechanism mechanism;
    mechanism.name = "Budget attention";
    mechanism.also_known_as = {"constrained sparsemax", "k-subsets"};
    mechanism.family = "Normalisers";
    mechanism.order = 5610;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\operatorname{clip}\left(@scaled_scores{s_{ij}} - @threshold{)"
        R"(\tau_i},\,0,\,1\right)}\,@value{v_j},\quad\sum_j @weights{A_{ij}} = B)";
    mechanism.papers = {
        {"Malaviya, Ferreira and Martins, Sparse and Constrained Attention for Neural Machine Translation",
         2018}};
    mechanism.explanation =
        "No weight may pass 1 and each row spends a budget of B. Think of choosing B keys: the best ones get "
        "a full 1, those far below get 0, and the ones at the edge get something between, so that small "
        "changes of the scores still count. The scores lose a threshold as in sparsemax and are then cut off "
        "on both sides. With B = 1 it is sparsemax. The cited paper keeps the sum at 1 and gives each weight "
        "a bound of its own, for coverage in translation, where a source word has only so much attention to "
        "give; with bounds of 1/B and all scores divided by B its weights are these, divided by B.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head, and about ten passes over a row for its threshold; "
        "memory n m.";
    mechanism.correction =
        "With fewer keys than the budget every weight is 1 and the row sums to the number of "
        "keys: the budget cannot be spent.";
    mechanism.equivalences = {equal_when("sparsemax",
                                         "with a budget of 1 no weight can pass 1, and the formulas are one",
                                         {.here = {{"budget", 1.0}}})};
    mechanism.related = {"sparsemax", "entmax", "hard"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::budget;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "Rows with two full cells, all that a budget of 2 can fill, and rows that spread it over three or "
        "more. Raise B by 1 and each row gains about one key.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
