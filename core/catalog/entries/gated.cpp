#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gated() {
    Mechanism mechanism;
    mechanism.name = "Gated attention";
    mechanism.also_known_as = {"gated attention output", "sigmoid output gate"};
    mechanism.family = "Heads";
    mechanism.order = 3810;
    mechanism.formula =
        R"(@output{\left[@gated_context{@context{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{)"
        R"(@scores{@query{Q_h}\,@key{K_h}^\top}}{\sqrt{d_k}}}\right)}\,@value{V_h}} \odot @gate{\sigma(X )"
        R"(W_{g,h} + b_{g,h})}}\right]_h W_o})";
    mechanism.papers = {{"Qiu et al., Gated Attention for Large Language Models: Non-linearity, Sparsity, "
                         "and Attention-Sink-Free",
                         2025}};
    mechanism.explanation =
        "After a head has mixed its values, each number of its context is multiplied by a gate between 0 and "
        "1, worked out from the query’s own token vector. So a token can refuse what its head brings, "
        "feature by feature, without having to park its attention on the first token: softmax rows must sum "
        "to 1 and models learn to dump what they do not need on a sink. With the gate the sink all but "
        "disappears and training is steadier. The gate also puts a bend between the value and the output "
        "matrix, which would otherwise be one product of matrices. Qwen3-Next has it under a causal mask; in "
        "AlphaFold, where every residue sees all others, the same gate stands without one, and so it does "
        "here: no gate depends on the mask.";
    mechanism.cost = "As multi-head attention, and n D H d_v multiply-adds for the gate.";
    mechanism.correction =
        "The gate stands after the weighted sum and before W_o; it is not the gate of gated linear "
        "attention, which decays a state, and it changes no weight in the map.";
    mechanism.related = {"headwise_gate", "multi_head", "sink_logit", "off_by_one"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .gate = Gate::elementwise};
    compose(mechanism, spec,
            {heads_knob(), causal_knob(), projection_bias_knob(), source_knob(), temperature_knob()});

    mechanism.example.query = "she left the house before the rain had stopped";
    mechanism.example.look_for =
        "The gate is a number for every word and every feature of the heads’ contexts: what one word lets "
        "through, another dims. The weights are those of multi-head attention.";
    mechanism.example.stage = "gate";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
