#include "core/attention/component.h"
#include "core/attention/scores/defined_scores.h"

namespace headlight {
namespace {

Expression define_manhattan(Composer& composer) {
    return -sum_of_pairs(absolute_of(left_row(composer.query) - right_row(composer.key)));
}

}  // namespace

ScoreComponent declare_scores_manhattan() {
    ScoreComponent component;
    component.meaning =
        "−|q − k|₁: how far apart query and key are, feature by feature (Chen et al. 2020, AdderNet)";
    component.define = define_manhattan;
    return component;
}

}  // namespace headlight
