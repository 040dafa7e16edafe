#include "core/attention/scores/cosine.h"
#include "core/attention/component.h"
#include "core/attention/scores/defined_scores.h"
#include "core/attention/work.h"

namespace headlight {

ScoreComponent declare_scores_cosine() {
    ScoreComponent component;
    component.type = ScoreType::cosine;
    component.word = "cosine";
    component.meaning = "β q · k / (|q| |k|), the cosine of the angle times a key strength; 0 for a vector "
                        "of zeros (Graves, Wayne and Danihelka 2014, equations 5 and 6)";
    component.options = {
        {.name = "beta",
         .label = "Key strength β",
         .standard = 5.0,
         .minimum = 0,
         .maximum = 100,
         .help = "What the cosine is multiplied by: 0 makes every row uniform, large numbers leave only the "
                 "nearest key."},
    };
    component.scale = [](const Plan& plan) { return option<double>(plan.spec.score.options, "beta"); };
    component.multiply_adds = [](const Plan& plan) {
        return work_of_pairs(plan, plan.head_query_width()) + work_of_tokens(plan, plan.head_query_width());
    };
    component.memory = directions_memory;
    component.steps = [](const Plan& plan, auto& pipeline) { compare_directions(plan, pipeline); };
    component.define = define_cosines;
    return component;
}

}  // namespace headlight
