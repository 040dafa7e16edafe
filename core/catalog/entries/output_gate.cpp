#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_output_gate() {
    Mechanism mechanism;
    mechanism.name = "Gate that reads the output";
    mechanism.also_known_as = {"hybrid gate", "HyGA", "SiLU gate", "low-rank gate"};
    mechanism.family = "Heads";
    mechanism.order = 3812;
    mechanism.formula =
        R"(@output{\left[@context{@attended{@weights{\operatorname{softmax}\left(@scores{\frac{@query{Q_h})"
        R"(\,@key{K_h}^\top}{\sqrt{d}}}\right)}\,@value{V_h}} \circ @output_gate{G_h}}\right]_h W_o},\quad )"
        R"(@output_gate{G} = \sigma\left(@gate_opening{X W + \hat{O} U + b}\right))";
    mechanism.papers = {{"Qiu et al., Gated Attention for Large Language Models: Non-linearity, Sparsity, "
                         "and Attention-Sink-Free",
                         2025}};
    mechanism.explanation =
        "The gate of gated attention is made of the query’s token: it knows what was asked for. Attention on "
        "attention reads what was found as well, but stands behind W_o. Here a gate stands before W_o, "
        "feature by feature, and can read either or both: what the heads found side by side, and the token "
        "that asked. So a head can be closed because of what another one found. Two matrices as wide as the "
        "model are many numbers for a gate; with a rank each is two thin ones, and the gate is made of a few "
        "numbers. SiLU in the place of the sigmoid has no upper bound: a feature may grow, or change its "
        "sign a little.";
    mechanism.cost = "n H d_v (D + H d_v) multiply-adds for the gate of both, n r (D + 3 H d_v) with rank r.";
    mechanism.correction =
        "The gate multiplies what attention has fetched and changes no weight: a map shows what was looked "
        "at, also where the gate then closes. That of the token alone, with a sigmoid, is gated attention. "
        "With SiLU and a bias of 0 a model begins with gates around 0; x-transformers begins with a bias of "
        "10, where both functions let everything through or more.";
    mechanism.equivalences = {equal_when(
        "gated",
        "A gate of the token alone is gated attention; both are half open where their matrices are 0.",
        {.here = {{"reads", std::string("token")}},
         .parameters = {{"W_open_x", "zeros"}, {"W_gate", "zeros"}}})};
    mechanism.related = {"gated", "attention_on_attention", "headwise_gate", "gau"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 8};
    spec.algorithm.type = AlgorithmType::output_gate;
    compose(mechanism, spec,
            std::vector<Knob>{heads_knob()} + component_knobs(spec) + causal_knob() + projection_bias_knob() +
                source_knob());

    mechanism.example.query = "the king and the queen drink tea";
    mechanism.example.look_for = "The gate of the first head, a column for each of its features. Both words "
                                 "“the” ask the same question and find the same, so their rows are equal, "
                                 "number by number. Other words open other features.";
    mechanism.example.stage = "output_gate";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
