#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_louder() {
    Mechanism mechanism;
    mechanism.name = "Louder heads";
    mechanism.also_known_as = {"louder of a test"};
    mechanism.family = "Scores";
    mechanism.order = last_lesson + 1;
    mechanism.formula = R"(@weights{A}, @context{s})";
    mechanism.papers = {{"Nobody, A paper of a test", 2024}};
    mechanism.explanation = "Each head has a number that makes what it finds louder.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m.";
    mechanism.related = {"head_scale"};

    AttentionSpec spec;
    spec.algorithm.type = *value_of<AlgorithmType>("louder");
    spec.projections.type = ProjectionType::learned;
    compose(mechanism, spec, component_knobs(spec) + std::vector{temperature_knob(), heads_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "How it differs from head_scale.";
    return mechanism;
}

}  // namespace headlight
