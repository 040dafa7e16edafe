#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_soft() {
    Mechanism mechanism;
    mechanism.name = "Soft attention";
    mechanism.also_known_as = {"softmax attention", "soft alignment", "attention with temperature"};
    mechanism.family = "Normalisers";
    mechanism.order = 400;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(\frac{@scores{@query{Q}\,)"
                        R"(@key{K}^\top}}{\tau}\right)}\,@value{V}},\quad\operatorname{softmax}(s)_j = )"
                        R"(\frac{e^{s_j}}{\sum_{k} e^{s_k}})";
    mechanism.papers = {
        {"Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align and Translate",
         2015}};
    mechanism.explanation =
        "Soft attention looks at every key a little: the softmax along the keys makes each row of scores "
        "positive and lets it sum to 1, and the output is the mean of the values under these weights. Only "
        "differences count, for adding a number to a whole row changes nothing. No allowed weight is ever "
        "exactly 0. Dividing the scores by their sum instead would fail for negative scores. The "
        "temperature decides how soft: toward 0 the largest score takes everything, toward infinity all "
        "allowed keys weigh the same. Being smooth, it is trained by ordinary gradients.";

    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.correction =
        "The softmax runs along the keys, so that each query’s weights sum to 1; several articles leave the "
        "axis out. Code that sums over axis 1 is right only where that axis is the keys. Dividing the scores "
        "by their sum is another formula and fails for negative scores.";
    mechanism.equivalences = {
        equal_when("dot", "at temperature 1 only the name differs", {.here = {{"temperature", 1.0}}})};
    mechanism.related = {"hard", "length_scaled", "entmax", "sparsemax", "off_by_one"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    compose(mechanism, spec, {temperature_knob(), source_knob(), projections_knob(), projection_bias_knob()});

    mechanism.example.query = "summer is hot and winter is cold";
    mechanism.example.look_for = "Each word stands on itself. Raise the temperature to 8 and “summer” and "
                                 "“winter” find each other; raise it further and every row becomes uniform.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
