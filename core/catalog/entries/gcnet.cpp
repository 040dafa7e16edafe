#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gcnet() {
    Mechanism mechanism;
    mechanism.name = "Global context";
    mechanism.also_known_as = {"GCNet", "simplified non-local block"};
    mechanism.family = "Images";
    mechanism.order = 3975;
    mechanism.formula =
        R"(@output{z_i = @tokens{x_i} + @update{\gamma @context{\sum_j @weights{\frac{\exp(@scores{w^\top )"
        R"(@key{k_j}})}{\sum_l \exp(w^\top k_l)}}\,@value{v_j}}}})";
    mechanism.papers = {{"Cao, Xu, Lin, Wei and Hu, GCNet: Non-local Networks Meet Squeeze-Excitation "
                         "Networks and Beyond (section 3.2)",
                         2019}};
    mechanism.explanation =
        "In trained non-local blocks, its authors found, the maps of different places of an image hardly "
        "differ: all look at the same places. Then it is enough to ask once. One learned vector scores every "
        "place, a softmax makes shares of the scores, and one weighted mean, the global context, is added to "
        "every place alike. That is a non-local block whose score has lost its query, and half of "
        "squeeze-and-excitation: a squeeze that chooses where it looks. Here it is put together from just "
        "that, the linear score, whose query part cancels in the softmax, and the sum of the non-local "
        "block; words stand for patches.";
    mechanism.cost =
        "n (d + d_v) multiply-adds when the one row is worked out once, as the paper does; here n² "
        "(1 + d_v), for every query has its row in the map.";
    mechanism.correction =
        "The full block of the paper sends the mean through two narrow layers with a layer norm before it is "
        "added; this is the simplified non-local block that it starts from. It adds to every place, "
        "squeeze-and-excitation multiplies.";
    mechanism.equivalences = {equal_when("linear_score",
                                         "without the input, and with γ = 1, it is the linear score",
                                         {.here = {{"residual", false}}})};
    mechanism.related = {"non_local", "linear_score", "squeeze_excitation"};

    AttentionSpec spec;
    spec.score.type = ScoreType::linear;
    spec.algorithm.type = AlgorithmType::non_local;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for =
        "Every row of the weights is the same, and so is every row of the update: each "
        "word gets the same sum of all words added to it.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
