#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_headwise_gate() {
    Mechanism mechanism;
    mechanism.name = "Attention with a gate per head";
    mechanism.also_known_as = {"headwise gated attention"};
    mechanism.family = "Heads";
    mechanism.order = 3820;
    mechanism.formula =
        R"(@output{\left[@gated_context{@context{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{)"
        R"(@scores{@query{Q_h}\,@key{K_h}^\top}}{\sqrt{d_k}}}\right)}\,@value{V_h}} \odot @gate{\sigma(x)"
        R"(\,w_{g,h} + b_{g,h})}}\right]_h W_o})";
    mechanism.papers = {
        {"Qiu et al., Gated Attention for Large Language Models (the headwise variant)", 2025},
        {"Bondarenko, Nagel and Blankevoort, Quantizable Transformers", 2023}};
    mechanism.explanation =
        "One gate for each head and token, a number between 0 and 1 worked out from the query’s token "
        "vector, multiplies all of the head’s context. A token can switch a head off where it has nothing to "
        "say, which softmax alone does not allow: without the gate a head that wants to do nothing has to "
        "find a key whose value is nearly zero, and large models grow outliers to make one. It needs only H "
        "columns of parameters where the elementwise gate needs H d_v. Bondarenko and others proposed it in "
        "2023 to make models easier to quantise, with the bias set so that gates begin open.";
    mechanism.cost = "As multi-head attention, and n D H multiply-adds for the gates.";
    mechanism.correction = "A gate of exactly 1 is never reached: with W_gate zero and a bias b it is "
                           "sigmoid(b), so b = 0 halves every head.";
    mechanism.related = {"gated", "multi_head"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .gate = Gate::headwise};
    compose(mechanism, spec,
            {heads_knob(), causal_knob(), projection_bias_knob(), source_knob(), temperature_knob()});

    mechanism.example.query = "she left the house before the rain had stopped";
    mechanism.example.look_for =
        "The gate is one column per head: read along a row how much of each head that word lets through.";
    mechanism.example.stage = "gate";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
