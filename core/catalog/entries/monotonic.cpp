#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_monotonic() {
    Mechanism mechanism;
    mechanism.name = "Monotonic attention";
    mechanism.also_known_as = {"online attention", "hard monotonic attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 5540;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = )"
        R"(@stopping_probabilities{p_{ij}} \sum_{k \le j} @weights{A_{i-1,k}} \prod_{l=k}^{j-1} \left(1 - )"
        R"(p_{il}\right),\quad@stopping_probabilities{p_{ij}} = \sigma\left(@scaled_scores{s_{ij}} + r)"
        R"(\right))";
    mechanism.papers = {{"Raffel, Luong, Liu, Weiss and Eck, Online and Linear-Time Attention by Enforcing "
                         "Monotonic Alignments",
                         2017}};
    mechanism.explanation =
        "For speech and translation in the same order the reader should only move forward. Each "
        "query begins where the one before it stopped, asks key after key “stop here?” and stops "
        "with probability p, the sigmoid of the score. In training the weights are the chances of "
        "stopping at each key, summed over all ways to get there; in use the query stops at the "
        "first key with p above one half. A query that runs off the end has stopped nowhere, so "
        "that rows may sum to less than 1, and those after it stay there.";
    mechanism.cost = "n m d multiply-adds for the scores, n m for the chances and n m d_v for the values per "
                     "head; memory n m. In hard "
                     "mode a decoder asks each key once: n + m scores.";
    mechanism.correction =
        "The parallel form with cumulative products divides by a product that may be 0 where p = "
        "1; the recursion used here has no such division.";
    mechanism.equivalences = {
        equal_when("mocha", "chunks of one key are the keys themselves", {.there = {{"width", 1}}})};
    mechanism.related = {"mocha", "stick_breaking", "hard"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::dot;
    spec.normalizer.type = NormalizerType::monotonic;
    spec.normalizer.options["bias"] = -14.5;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + projection_knobs());

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "the kitten sleeps on the couch";
    mechanism.example.look_for =
        "A staircase: no row stops before the row above it, so that the second “the” stays with "
        "“on” rather than go back or look ahead. In hard mode each row has one bright cell.";
    mechanism.properties = {.row_stochastic = false, .streaming = true};
    return mechanism;
}

}  // namespace headlight
