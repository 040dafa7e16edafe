#pragma once

#include "core/attention/algorithms/image_grid.h"

namespace headlight {

// What mechanisms share whose queries look at a few points of an image, between its places: a point is made
// of the four places around it, bilinearly.

/// How much of each place a point has that lies `from` along rows or columns: 1 at a place, less in a line up
/// to the next one.
inline Expression nearness(const Expression& from, const Expression& places) {
    return relu_of(1 - absolute_of(from - places));
}

/// Assigns `scores` [h, n, points] as `point_scores`, and their softmax as `point_weights`, which it returns.
inline Expression write_point_weights(Composer& composer, const Expression& scores, const std::string& note) {
    return softmax_of(composer, "point_weights", composer.let("point_scores", scores, note));
}

/// The stages of both, and that of `weights`, in which each point is shared out among places: what scores and
/// shares are made from, and how.
inline std::vector<DeclaredStage> declared_image_point_stages(const std::vector<StageOperand>& score_operands,
                                                              const std::string& score_operation,
                                                              const StageOperand& shares,
                                                              const std::string& sharing_operation) {
    return {made_stage("point_scores", "Scores of the points", {"", score_operands, score_operation},
                       {.lights = "point_weights", .has_features = true}),
            declared_softmax_stage("point_scores", "point_weights", "Weights of the points",
                                   "what each point has of the query",
                                   {.lights = "weights", .has_features = true}),
            declared_weights_stage({"each point shared out among the four places around it",
                                    {{"point_weights"}, shares},
                                    sharing_operation},
                                   {.is_share = true})};
}

}  // namespace headlight
