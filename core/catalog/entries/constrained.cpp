#include "core/catalog/knob.h"

#include <vector>

namespace headlight {
namespace {

Knob bound_knob() {
    return {{.name = "bound",
             .label = "Bound",
             .kind = MechanismParameter::Kind::integer,
             .standard = Index(30),
             .minimum = 1,
             .maximum = 100,
             .help = "What no weight may pass, in hundredths. A spec can have another bound for each key."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                spec.normalizer.options["bounds"] = std::vector<Index>{std::get<Index>(value)};
            }};
}

}  // namespace

Mechanism declare_constrained() {
    Mechanism mechanism;
    mechanism.name = "Constrained softmax";
    mechanism.also_known_as = {"constrained sparsemax", "upper bounds on weights"};
    mechanism.family = "Normalisers";
    mechanism.order = 5612;
    mechanism.formula = R"(@output{o_i} = \sum_j @weights{\min\left(u_j,\,e^{@scaled_scores{s_{ij}} - )"
                        R"(\tau_i}\right)}\,@value{v_j},\quad\sum_j @weights{A_{ij}} = 1)";
    mechanism.papers = {
        {"Martins and Kreutzer, Learning What’s Easy: Fully Differentiable Neural Easy-First Taggers", 2017},
        {"Malaviya, Ferreira and Martins, Sparse and Constrained Attention for Neural Machine Translation",
         2018}};
    mechanism.explanation =
        "A row of weights sums to 1, but no weight may pass the bound of its key. Where the softmax would "
        "give a key more, it gets its bound, and what it does not get goes to the others in the ratios that "
        "they had, until none of them passes its own. So a row cannot rest on one word. The second form "
        "does the same with sparsemax: scores less a threshold, cut off at 0 and at the bound. In the papers "
        "the bounds are what is left: a tagger may visit each word once, a source word of a translation has "
        "only so much attention to give, and each row takes away from what the next ones may have. Here the "
        "bounds are the same for all rows: one number, or in a spec one for each key.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head, and a pass over a row for each key that can be held "
        "at its bound: 3 where all bounds are 0.3; memory n m.";
    mechanism.correction =
        "A bound is not a cut: cutting off the softmax at 0.3 would leave a row that sums to less. Where all "
        "bounds together are below 1 nothing else is possible, and every weight is its bound. A key at its "
        "bound has no gradient: its score may grow, and nothing changes.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with a bound of 1 no weight can pass it",
                   {.here = {{"bound", Index(100)}}}),
        equal_when("sparsemax", "with a bound of 1 no weight can pass it",
                   {.here = {{"bound", Index(100)}, {"nearest", std::string("sparsemax")}}})};
    mechanism.related = {"budget", "sparsemax", "scaled_dot_product", "coverage"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::constrained;
    compose(mechanism, spec,
            std::vector<Knob>{bound_knob()} + component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the cat and the dog play with the ball";
    mechanism.example.look_for =
        "No cell is darker than 0.3: a word that would look at itself alone looks at itself with 0.3, and "
        "what is left is shared by the words that suit it next.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight
