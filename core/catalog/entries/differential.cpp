#include "core/catalog/knob.h"

namespace headlight {
namespace {

/// Heads and the width of their halves together: the projections are as wide as both need.
Knob halves_knob() {
    return {{.name = "half_width",
             .label = "Width of each half",
             .kind = MechanismParameter::Kind::integer,
             .standard = Index(8),
             .minimum = 1,
             .maximum = 128,
             .help = "Numbers in each of the two queries and keys that a head splits into."},
            [](AttentionSpec& spec, const ParameterValue& value) {
                spec.projections.dimension = 2 * std::get<Index>(value) * spec.heads.heads;
            }};
}

}  // namespace
Mechanism declare_differential() {
    Mechanism mechanism;
    mechanism.name = "Differential attention";
    mechanism.also_known_as = {"DIFF Transformer"};
    mechanism.family = "Heads";
    mechanism.order = 3800;
    mechanism.formula =
        R"(@weights{A = @first_weights{\operatorname{softmax}\left(@first_scores{\frac{Q_1 K_1^\top}{)"
        R"(\sqrt{d}}}\right)} - @lambda{\lambda}\,@second_weights{\operatorname{softmax}\left()"
        R"(@second_scores{\frac{Q_2 K_2^\top}{\sqrt{d}}}\right)}},\quad )"
        R"(@context{(1 - \lambda_0)\,\operatorname{norm}(@difference_context{A\,@value{V}})})";
    mechanism.papers = {{"Ye et al., Differential Transformer", 2025}};
    mechanism.explanation =
        "Softmax cannot give a key no weight at all, and over a long text the little that each irrelevant "
        "key gets adds up. Here each head draws two maps, from the two halves of its queries and keys, and "
        "the second is taken off the first, as a noise-cancelling microphone does: what both agree on, the "
        "background, cancels, and what stands out in the first remains. The learned number λ says how much "
        "is taken off; it starts higher in deeper layers. Weights may be negative and a row sums to 1 − λ. "
        "Because the size of the result varies, each head’s context is normalised on its own and multiplied "
        "by 1 − λ₀.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, d the width of both halves together: as much as "
                     "one head of that width, but two maps of n m numbers.";
    mechanism.correction =
        "The norm of each head’s context adds 1e-5 to the mean square under the root, as the authors’ code "
        "has it. λ is made of four learned vectors, exp(λ_q1 · λ_k1) − exp(λ_q2 · λ_k2) + λ₀ with λ₀ = 0.8 − "
        "0.6 exp(−0.3 l) and l counted from 0; it is shared by the heads of a layer. A second version of "
        "2026 gives every token and head a λ of its own and drops the norm; it is another mechanism.";
    mechanism.related = {"differential_2", "dint", "multi_head", "talking_heads", "gated", "cog"};

    AttentionSpec spec;
    spec.projections.type = ProjectionType::learned;
    spec.heads = {.type = HeadsType::multi, .heads = 2};
    spec.algorithm.type = AlgorithmType::differential;
    spec.algorithm.options["layer"] = Index(8);  // λ is then large enough to see
    compose(mechanism, spec,
            std::vector<Knob>{halves_knob()} + without(component_knobs(spec), {"integral"}) + causal_knob() +
                source_knob());

    mechanism.example.query = "the king and the queen lived in a great castle";
    mechanism.example.look_for = "Compare first weights, second weights and weights: what both maps share is "
                                 "gone, some cells are negative, and every row sums to 1 − λ.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
