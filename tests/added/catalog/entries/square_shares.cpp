#include "core/attention/spec_words.h"
#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_square_shares() {
    Mechanism mechanism;
    mechanism.name = "Shares of squares";
    mechanism.also_known_as = {"square_shares of a test"};
    mechanism.family = "Scores";
    mechanism.order = last_lesson + 1;
    mechanism.formula = R"(@weights{A}, @weights{s})";
    mechanism.papers = {{"Nobody, A paper of a test", 2024}};
    mechanism.explanation = "What lies far from 0 has most of the row, whatever its sign.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head; memory n m.";
    mechanism.related = {"sparsemax"};

    AttentionSpec spec;
    spec.normalizer.type = *value_of<NormalizerType>("square_shares");
    spec.projections.type = ProjectionType::learned;
    compose(mechanism, spec, component_knobs(spec) + std::vector{temperature_knob(), heads_knob()});

    mechanism.example.query = "a king and a queen met a man and a woman";
    mechanism.example.look_for = "How it differs from sparsemax.";
    return mechanism;
}

}  // namespace headlight
