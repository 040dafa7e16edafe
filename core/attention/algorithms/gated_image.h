#pragma once

#include "core/attention/algorithms/feature_map.h"
#include "core/attention/algorithms/row_norms.h"

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
    return declared_weights_stage(
        {"the mean gate of each place: it looks at itself alone", {{gates}}, "mean of\neach row\n→"},
        {.is_share = is_share});
}

/// The stage of `context`, the features times the stage `gates`.
inline DeclaredStage declared_gated_features(const std::string& gates = "feature_gates") {
    return made_stage("context", "Context", {"every number times its gate", {{"query"}, {gates, "∘"}}, "="},
                      {.colours_of = "query", .lights = "output"});
}

}  // namespace headlight
