#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_softpick() {
    Mechanism mechanism;
    mechanism.name = "Softpick";
    mechanism.also_known_as = {"rectified softmax"};
    mechanism.family = "Normalisers";
    mechanism.order = 5530;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = \frac{\max\left(0,)"
        R"(\,e^{s_{ij}} - 1\right)}{@row_sum{\sum_k \left|e^{s_{ik}} - 1\right|}})";
    mechanism.papers = {
        {"Zuhri, Fuadi and Aji, Softpick: No Attention Sink, No Massive Activations with Rectified Softmax",
         2025}};
    mechanism.explanation =
        "Softmax in which a score of 0 is worth nothing: from each exponential 1 is taken off, "
        "and what is below 0 is cut. Keys of negative score get an exact 0, yet they stay in the "
        "sum below the line, so that a row that finds nothing good sums to less than 1. A head "
        "that wants to be silent just makes its scores negative and needs no sink token, and no "
        "huge activations come with it. A row of nothing but zero scores is a row of zeros; the "
        "authors’ code adds 10⁻⁶ to the sum for that.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.correction =
        "Not max(0, s) / (1 + sum of |s|), as one public library has it. Computed with the "
        "largest score taken off first: (e^(s−m) − e^(−m)), because e^s overflows.";
    mechanism.related = {"off_by_one", "sink_logit", "relu"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::softpick;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "“kitten” gives “government”, “tax” and even “the” exactly nothing, and its row sums to "
        "less than 1: their scores are below 0, which has a meaning here.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
