#include "core/catalog/masked_entry.h"

namespace headlight {

Mechanism declare_local_p() {
    Mechanism mechanism;
    mechanism.name = "Local attention, predictive";
    mechanism.also_known_as = {"local-p", "predicted window with a Gaussian"};
    mechanism.family = "Selections";
    mechanism.order = 2010;
    mechanism.formula =
        R"(@centres{p_i = S\,\sigma\left(v_p^\top @centre_energy{\tanh(W_p^\top @query{q_i})}\right)},)"
        R"(\quad )"
        R"(@weights{a_{ij} = @windowed_weights{\operatorname{softmax}_{|j - p_i| \le D}()"
        R"(@masked_scores{s_{ij}})}\,@gaussian{\exp\left(-\frac{(j - p_i)^2}{2 \sigma_D^2}\right)}},\quad )"
        R"(@output{@weights{A}\,@value{V}})";
    mechanism.papers = {{"Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine "
                         "Translation (equations 9 and 10)",
                         2015}};
    mechanism.explanation =
        "Each query predicts where in the source to look: a small network gives a number between 0 and 1, "
        "times the length of the source. The softmax runs over the keys within D of that place, and a "
        "Gaussian around it, with a deviation of D/2, fades the window out, so that the place can be "
        "learned: the window’s edges have no gradient, the Gaussian has. The weights are not normalised "
        "again, so a row sums to less than 1, the less the further its best key is from the place. W_p and "
        "v_p are untrained here and the places are arbitrary.";
    mechanism.cost = masked_cost("n (2 D + 1) (d + d_v) + n d² multiply-adds per head when only the window "
                                 "is scored; memory n (2 D + 1).");
    mechanism.correction =
        "Summaries often add “and renormalise”. The paper does not; the authors’ code has an option, later "
        "than the paper, that multiplies the scores by the Gaussian and normalises then. It also computes S "
        "− 1 instead of S, counts words from 1 and centres the window on the whole number below p.";
    mechanism.equivalences = {
        equal_when("cross", "the window covers the source and the Gaussian is flat",
                   {.here = {{"radius", Index(65536)}, {"sigma", 1000.0}}, .tolerance = 1e-3})};
    mechanism.related = {"local_m", "cross", "moba"};

    AttentionSpec spec;
    spec.score.type = ScoreType::scaled_dot;
    spec.source.type = SourceType::cross;
    spec.selection.type = SelectionType::predicted_window;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs());

    mechanism.example.query = "we drank a cold beer last night";
    mechanism.example.key = "yesterday evening we drank one cold beer";
    mechanism.example.look_for = "Each row is a hill around its own place p and the row sums stay below 1: "
                                 "that is in the formula, not an error.";
    mechanism.properties = {
        .row_stochastic = false, .data_dependent_mask = true, .sparse = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
