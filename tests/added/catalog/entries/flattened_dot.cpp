#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_flattened_dot() {
    Mechanism mechanism;
    mechanism.name = "Flattened dot product";
    mechanism.also_known_as = {"flattened_dot of a test"};
    mechanism.family = "Scores";
    mechanism.order = last_lesson + 1;
    mechanism.formula = R"(@weights{A}, @scores{s})";
    mechanism.papers = {{"Nobody, A paper of a test", 2024}};
    mechanism.explanation = "Large products count hardly more than those of middle size.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m.";
    mechanism.related = {"scaled_dot_product"};

    AttentionSpec spec;
    spec.score.type = *value_of<ScoreType>("flattened_dot");
    spec.projections.type = ProjectionType::learned;
    compose(mechanism, spec, component_knobs(spec) + std::vector{temperature_knob(), heads_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "How it differs from scaled_dot_product.";
    return mechanism;
}

}  // namespace headlight
