#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_location_aware() {
    Mechanism mechanism;
    mechanism.name = "Location-aware attention";
    mechanism.also_known_as = {"hybrid attention", "Chorowski attention", "convolutional attention features"};
    mechanism.family = "Scores";
    mechanism.order = 2100;
    mechanism.formula = R"(@location_features{f_{ij}} = F \ast @previous_weights{a_{i-1}},\quad )"
                        R"(@scores{s_{ij} = v^\top @energy{\tanh\left(W_1^\top @query{q_i} + W_2^\top )"
                        R"(@key{k_j} + U^\top @location_features{f_{ij}}\right)}},\quad )"
                        R"(@output{@weights{\operatorname{softmax}(@scaled_scores{\gamma\,@scores{S}})}\,)"
                        R"(@value{V}})";
    mechanism.papers = {{"Chorowski, Bahdanau, Serdyuk, Cho and Bengio, Attention-Based Models for Speech "
                         "Recognition (equations 8 and 9)",
                         2015}};
    mechanism.explanation =
        "In speech the same sound comes back many times, and content alone cannot tell which one is meant. "
        "So the score also sees where the last query looked: small filters F slide over the previous row of "
        "weights, and what they find around a key is one more term inside the tanh. A filter can learn “one "
        "step to the right of the last peak”, and the peak walks through the recording. Each row needs the "
        "finished row before it, so rows come one after another. Tacotron 2 lets the filters read the sum of "
        "all rows so far. Before the first query the row is uniform.";
    mechanism.cost = "n m (d_a + r w + r d_a + d_v) + (n + m) d d_a multiply-adds per head with r "
                     "filters of width w; memory n m";
    mechanism.correction =
        "The convolution runs along the keys, over the weights of one query; printed as F ∗ α "
        "without an index it is easily read as one over time.";
    mechanism.equivalences = {
        equal_when("additive", "Without the filters’ part, U = 0, it is additive attention.",
                   {.there = {{"source", std::string("cross")}}, .parameters = {{"U", "zeros"}}}),
    };
    mechanism.related = {"additive", "location", "coverage"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::location_aware;
    compose(mechanism, spec,
            component_knobs(spec) + activation_knob() + score_bias_knob() + projections_knob());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for =
        "Step through the rows: the previous weights of a row are the weights of the row above it, "
        "the first is uniform. Two equal query words get different rows.";
    mechanism.properties.streaming = true;
    return mechanism;
}

}  // namespace headlight
