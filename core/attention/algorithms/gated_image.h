#pragma once

#include "core/attention/algorithms/feature_map.h"

#include <string>

namespace headlight {

// What gates of images share that run by their definition; feature_map.h has what those with kernels share.

/// Refuses whatever is no image by itself, and positions that turn vectors: nothing would be turned.
inline void check_gated_image(const Plan& plan, const std::string& algorithm) {
    check_feature_map(plan, algorithm + " algorithm");
    refuse_turned_vectors(plan, algorithm, "an image is multiplied by gates, and no query meets a key");
}

/// The stage of `weights` that write_gates_as_weights() makes of the stage `gates`.
inline DeclaredStage declared_gates_as_weights(const std::string& gates = "feature_gates",
                                               bool is_share = true) {
    return {.name = "weights",
            .title = "Weights",
            .subtitle = "the mean gate of each place: it looks at itself alone",
            .operands = {{gates}},
            .operation = "mean of\neach row\n→",
            .lights = "output",
            .role = StageRole::weights,
            .is_share = is_share,
            .leaves_out_masked = true};
}

/// The stage of `context`, the features times the stage `gates`.
inline DeclaredStage declared_gated_features(const std::string& gates = "feature_gates") {
    return {.name = "context",
            .title = "Context",
            .subtitle = "every number times its gate",
            .operands = {{"query"}, {gates, "∘"}},
            .operation = "=",
            .colours_of = "query",
            .lights = "output"};
}

/// Layer normalisation of each row, without gain and shift: a matrix behind it has them in itself.
inline Expression layer_normalized(Composer& composer, const std::string& name, const Expression& x) {
    constexpr double added_variance = 1e-5;  // as PyTorch adds it
    const auto width = static_cast<double>(x.extent().columns);
    const Expression centred =
        composer.let(name + "_centred", x - sum_of_columns(x) / width, "each row without its mean");
    // Squares of large numbers overflow; of parts of the largest they do not.
    const Expression largest = composer.let(name + "_largest", larger_of(largest_amount(centred), 1),
                                            "the largest of each row, 1 at least");
    const Expression parts = composer.let(name + "_parts", centred / largest);
    return composer.let(
        name, parts / root_of(sum_of_columns(parts * parts) / width + added_variance / largest / largest),
        "over the standard deviation of its row");
}

}  // namespace headlight
