#pragma once

#include "core/attention/component.h"
#include "core/attention/selections/kept_pairs.h"

namespace headlight {

// What selections share that choose by the weights of a softmax, whatever normaliser follows.

/// The softmax of the scores among the keys that the mask allows, as the tensor `name`.
inline Expression write_shares_of_scores(Composer& composer, const Expression& scores,
                                         const std::string& name) {
    const Expression open = composer.let(name + "_scores", open_over_temperature(composer, scores));
    return softmax_of(composer, name, open);
}

/// How many of the largest numbers of each row, `sorted` from the largest, come to `share`, a number or one
/// for each row: those before which less has been added up.
inline Expression count_for_share(const Expression& sorted, const Expression& share) {
    return sum_of_columns(as_number(is_above(share, cumulative_sum(sorted) - sorted)));
}

/// The stage of the softmax that a selection chooses by.
inline DeclaredStage declared_full_shares() {
    return made_stage("full_shares", "Weights of all keys", {"the softmax by which keys are chosen"},
                      {.lights = "weights", .role = StageRole::weights, .is_share = true});
}

}  // namespace headlight
