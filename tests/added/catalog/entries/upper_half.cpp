#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_upper_half() {
    Mechanism mechanism;
    mechanism.name = "The upper half of the scores";
    mechanism.also_known_as = {"upper_half of a test"};
    mechanism.family = "Selections";
    mechanism.order = last_lesson + 1;
    mechanism.formula = R"(@weights{A}, @output{s})";
    mechanism.papers = {{"Nobody, A paper of a test", 2024}};
    mechanism.explanation = "Keys far below the best one of their row are left out.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m.";
    mechanism.related = {"top_k"};

    AttentionSpec spec;
    spec.selection.type = *value_of<SelectionType>("upper_half");
    spec.projections.type = ProjectionType::learned;
    compose(mechanism, spec, component_knobs(spec) + std::vector{temperature_knob(), heads_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "How it differs from top_k.";
    return mechanism;
}

}  // namespace headlight
