#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hopfield() {
    Mechanism mechanism;
    mechanism.name = "Modern Hopfield retrieval";
    mechanism.also_known_as = {"dense associative memory"};
    mechanism.family = "Memory";
    mechanism.order = 5730;
    mechanism.formula =
        R"(@states{\xi_0 = @query{q},\quad )"
        R"(\xi_{t+1} = \operatorname{softmax}(\beta\,\xi_t\,@key{K}^\top)\,@key{K}},\quad )"
        R"(@output{@weights{\operatorname{softmax}\left(@masked_scores{\beta\,\xi_T\,@key{K}^\top}\right)})"
        R"(\,@value{V}})";
    mechanism.papers = {{"Ramsauer et al., Hopfield Networks is All You Need", 2021}};
    mechanism.explanation =
        "The keys are patterns stored in an associative memory, and a query is a cue that falls into the "
        "pattern it resembles. Each update replaces the query by the mean of the keys under its own softmax "
        "weights, and makes an energy smaller until nothing moves. One update is exactly attention; several "
        "show where attention would go if it were asked again with its answer. With a large β the query "
        "lands on a single pattern, with a small one it settles between patterns that are alike, and with a "
        "very small one on the mean of all. The rows of the map sharpen or flatten from update to update; "
        "the energies are recorded.";
    mechanism.cost =
        "T n m · 2 d multiply-adds per head for T updates, less one for reading values; memory n m.";
    mechanism.correction = "The classic Hopfield network of 1982 has a quadratic energy and stores about "
                           "0.14 d patterns; this one has the log of a sum of exponentials and stores "
                           "exponentially many. Only the latter’s update is attention.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "one update with β = 1/√d is attention",
                                         {.here = {{"steps", Index(1)}}})};
    mechanism.related = {"scaled_dot_product", "shared_key_value", "ntm"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::hopfield;
    compose(mechanism, spec, component_knobs(spec) + source_knob() + projections_knob());

    mechanism.example.query = "king queen man woman apple orange banana";
    mechanism.example.look_for =
        "With each update the rows of king and queen grow alike, and those of man and woman. Take 50 "
        "updates: every word comes to one mean; with β at 0.3 king falls into queen and man into woman while "
        "each fruit keeps to itself; at 1 every word does.";
    mechanism.properties.permutation_equivariant = true;
    mechanism.tolerance = 1e-4;  // between two patterns each update enlarges the rounding of the one before
    return mechanism;
}

}  // namespace headlight
