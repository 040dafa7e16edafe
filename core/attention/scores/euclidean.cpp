#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/key_columns.h"

namespace headlight {

ScoreComponent declare_scores_euclidean() {
    ScoreComponent component;
    component.meaning = "−|q − k|² / √d_k: the nearest key, not the longest, scores highest (Kim, "
                        "Papamakarios and Mnih 2021)";
    component.scale = [](const Plan& plan) {
        return 1 / std::sqrt(static_cast<double>(plan.head_key_width()));
    };
    component.is_product = true;
    component.memory = key_columns_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { score_by_distance(plan, pipeline); };
    component.define = define_negative_distances;
    component.define_scale = define_root_scale;
    return component;
}

}  // namespace headlight
