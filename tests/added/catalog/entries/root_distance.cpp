#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_root_distance() {
    Mechanism mechanism;
    mechanism.name = "Roots of distances";
    mechanism.also_known_as = {"root_distance of a test"};
    mechanism.family = "Scores";
    mechanism.order = last_lesson + 1;
    mechanism.formula = R"(@weights{A}, @position_bias{s})";
    mechanism.papers = {{"Nobody, A paper of a test", 2024}};
    mechanism.explanation = "Near keys are told apart more than far ones.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m.";
    mechanism.related = {"alibi"};

    AttentionSpec spec;
    spec.position.type = *value_of<PositionType>("root_distance");
    spec.projections.type = ProjectionType::learned;
    compose(mechanism, spec, component_knobs(spec) + std::vector{temperature_knob(), heads_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "How it differs from alibi.";
    return mechanism;
}

}  // namespace headlight
