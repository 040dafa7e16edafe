#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_every_nth() {
    Mechanism mechanism;
    mechanism.name = "Every n-th key";
    mechanism.also_known_as = {"every_nth of a test"};
    mechanism.family = "Scores";
    mechanism.order = last_lesson + 1;
    mechanism.formula = R"(@weights{A}, @output{s})";
    mechanism.papers = {{"Nobody, A paper of a test", 2024}};
    mechanism.explanation = "A query sees itself and every third key before it.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m.";
    mechanism.related = {"strided"};

    AttentionSpec spec;
    spec.mask.rule = PatternMask{*value_of<MaskPattern>("every_nth"), {}};
    spec.projections.type = ProjectionType::learned;
    compose(mechanism, spec, component_knobs(spec) + std::vector{temperature_knob(), heads_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "How it differs from strided.";
    return mechanism;
}

}  // namespace headlight
