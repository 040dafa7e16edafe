#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_coverage() {
    Mechanism mechanism;
    mechanism.name = "Attention with coverage";
    mechanism.also_known_as = {"coverage mechanism", "coverage-aware attention"};
    mechanism.family = "Scores";
    mechanism.order = 2200;
    mechanism.formula = R"(@coverage{c_{ij} = \sum_{t < i} a_{tj}},\quad )"
                        R"(@scores{s_{ij} = v^\top @energy{\tanh\left(W_1^\top @query{q_i} + W_2^\top )"
                        R"(@key{k_j} + w_c\,@coverage{c_{ij}}\right)}},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scores{S})}\,@value{V}})";
    mechanism.papers = {{"Tu et al., Modeling Coverage for Neural Machine Translation (the idea)", 2016},
                        {"See, Liu and Manning, Get To The Point: Summarization with Pointer-Generator "
                         "Networks (equation 11)",
                         2017}};
    mechanism.explanation =
        "Summarisers repeat themselves, because a query does not know what the queries before it have looked "
        "at. Coverage tells it: for every key the weights that it has had so far are added up, and the sum "
        "enters the score through a vector w_c. A trained w_c makes covered keys unattractive. To teach it, "
        "the coverage loss is added to the model’s loss: for each row the sum over the keys of the smaller "
        "of weight and coverage, which grows when a row looks at what was looked at before. After the last "
        "query the coverage is the column sums of the map.";
    mechanism.cost = "n m (2 d_a + d_v) + (n + m) d d_a multiply-adds per head; memory n m";
    mechanism.correction =
        "The loss uses the coverage before the step, not after it: with the step’s own weights in "
        "the sum, min(a, c) would always be a.";
    mechanism.equivalences = {
        equal_when("additive", "With w_c = 0 coverage is counted but not listened to.",
                   {.there = {{"source", std::string("cross")}}, .parameters = {{"w_c", "zeros"}}}),
    };
    mechanism.related = {"additive", "location_aware"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::coverage;
    compose(mechanism, spec,
            {activation_knob(), score_bias_knob(), attention_dimension_knob(), projections_knob()});

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "Watch the coverage fill from row to row: each adds the weights of the row above. The loss "
        "of the first row is 0, later rows pay for looking where others did.";
    mechanism.example.stage = "coverage";
    mechanism.properties.streaming = true;
    return mechanism;
}

}  // namespace headlight
