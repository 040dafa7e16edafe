#include "core/attention/scores/defined_scores.h"
#include "core/attention/scores/key_columns.h"

namespace headlight {

ScoreComponent declare_scores_gaussian() {
    ScoreComponent component;
    component.meaning = "−|q − k|² / (2σ²): with a softmax the weights are those of kernel regression "
                        "(Nadaraya 1964, Watson 1964)";
    component.options = {
        number_option("sigma", "Width σ", 1.0, logarithmic_range(0.01, 100),
                      "How far a query sees: a narrow bell leaves the nearest key alone, a wide one makes "
                      "every row uniform."),
    };
    component.scale = [](const Plan& plan) {
        const double sigma = plan.score().number("sigma");
        return 1 / (2 * sigma * sigma);
    };
    component.is_product = true;
    component.memory = key_columns_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { score_by_distance(plan, pipeline); };
    component.define = define_negative_distances;
    return component;
}

}  // namespace headlight
