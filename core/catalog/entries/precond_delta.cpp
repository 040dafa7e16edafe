#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_precond_delta() {
    Mechanism mechanism;
    mechanism.name = "Preconditioned DeltaNet";
    mechanism.also_known_as = {"PGDN", "preconditioned delta rule", "curvature-aware delta rule"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3527;
    mechanism.formula =
        R"(S_t = \alpha_t\,S_{t-1} + @written_key{@write_strengths{\beta_t}\,(@preconditioner{M_t} \circ )"
        R"(@unit_key_direction{k_t})}^\top (@value{v_t} - k_t\,\alpha_t S_{t-1}),\quad )"
        R"(M_t = r^{-z / (1 + |z|)},\quad z = \ln(@curvature{A_t} + 10^{-6}) - c,\quad )"
        R"(A_t = \alpha'_t\,A_{t-1} + \beta'_t\,k_t \circ k_t,\quad )"
        R"(@output{o_t = \frac{@query{q_t}}{\sqrt{d}}\,S_t = \sum_{j \le t} @weights{A_{tj}}\,v_j},\quad )"
        R"(A = @read_products{R}\,@inverse{(I + @asked_products{L})^{-1}})";
    mechanism.papers = {{"Tumma, Loo and Rus, Preconditioned DeltaNet: Curvature-aware Sequence Modeling for "
                         "Linear Recurrences",
                         2026}};
    mechanism.explanation =
        "The delta rule is one step down the slope of an error: what the state answers to a key should be "
        "its value. A slope says which way, not how far. Where keys have used a feature much, the error is "
        "steep there and a small step is enough; where they have used it little, a larger one is needed. "
        "That is the curvature, and dividing a step by it is called preconditioning. Here it is kept feature "
        "by feature: A adds up the squares of the keys, and older ones fade by a gate of their own. Its "
        "logarithm, from a learned centre on, is squashed between −1 and 1 and becomes a power of r: a "
        "feature of a key is written up to r times as strongly, or as little as 1 / r. What is asked stays "
        "the plain key, and so does what the query reads by.";
    mechanism.cost =
        "4 n d d_v multiply-adds per head, as Gated DeltaNet, and 3 n d for the squares; state d "
        "d_v + d. As computed here, where the map is shown, of the order of n³ + n² d.";
    mechanism.correction =
        "The preconditioner multiplies what is written, not the key that asks: with both the state would "
        "answer to another key than the one that comes back. r must not be above 2, or a write might be so "
        "strong that it takes out more than twice what was there. Squares are of keys of length 1, so that A "
        "is a share of the features and not their size. The convolutions and the gated norm of the authors’ "
        "layer are left out, and queries keep their length, which the layer sets to 1. With a gate for each "
        "feature it is preconditioned Kimi delta attention: set `gates`.";
    mechanism.equivalences = {equal_when("gated_delta", "with r = 1 every feature is written as it is",
                                         {.here = {{"range", 1.0}}})};
    mechanism.related = {"gated_delta", "delta", "gated_delta_2", "mesa"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::precond_delta;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.values = {{"forgets", false}};
    mechanism.example.look_for =
        "Step back to the preconditioner: nothing fades here, so its columns fall from word to word, for the "
        "squares of the keys only grow. Every number lies between 2/3 and 3/2.";
    mechanism.example.beside = "gated_delta";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
