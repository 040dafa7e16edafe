#include "core/catalog/knob.h"

#include <string>

namespace headlight {

Mechanism declare_s4d() {
    Mechanism mechanism;
    mechanism.name = "S4D";
    mechanism.also_known_as = {"S4", "structured state space", "long convolution"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3416;
    mechanism.formula =
        R"(@output{@context{o_{ic}} = \sum_{j \le i} @channel_filters{h_c(i - j)}\,@value{v_{jc}}},\quad )"
        R"(h_c(t) = 2 \operatorname{Re} \sum_s C_{cs}\,\frac{e^{\Delta_c A_{cs}} - 1}{A_{cs}}\,e^{t )"
        R"(\Delta_c A_{cs}} + D_c [t = 0],\quad A_{cs} = -e^{r_{cs}} + i\,(\pi s + f_{cs}),\quad )"
        R"(@weights{A_{ij} = \frac{1}{d} \sum_c h_c(i - j)})";
    mechanism.papers = {
        {"Gu, Goel, Gupta and Ré, On the Parameterization and Initialization of Diagonal State Space Models",
         2022},
        {"Gu, Goel and Ré, Efficiently Modeling Long Sequences with Structured State Spaces", 2022}};
    mechanism.explanation =
        "A linear system has states that fade and turn, and an input that is added to them: s ← e^(Δ A) s + "
        "B x. What it answers to a single input is an impulse that rings for a while, a sum of waves that "
        "die away. What it answers to a text is that ringing, begun again by every token and added up: a "
        "convolution with one long filter. S4 trains it as a convolution, all tokens at once, and runs it as "
        "a recurrence, token by token; both are the same numbers. With a diagonal A the filter is a sum of "
        "powers of complex numbers, of which each channel learns a few. Its real part says how fast a state "
        "fades, its imaginary part how fast it turns, and Δ how long the step from token to token is. So the "
        "map is a matrix with the same number along each diagonal, the same for every text. Mamba lets Δ, B "
        "and C depend on the token, and gives the convolution up.";
    mechanism.cost = "n log n multiply-adds for each channel by a fast Fourier transform, or n N for N "
                     "states token by token; N numbers of state a channel. As computed here, with all maps, "
                     "n² d_v.";
    mechanism.correction =
        "No token is compared with another, and a row does not sum to 1: the map is a property of the layer. "
        "The states are complex, of which only half are kept, the others being their mirror images: hence "
        "the 2 and the real part. B is 1, as in S4D, since C can learn its part. S4 itself has a matrix A "
        "that is diagonal but for a product of two vectors; S4D leaves that off, and "
        "`algorithm.filter=matrix` has it whole: HiPPO’s, by the bilinear rule, with real states that change "
        "one another. The activation and the gate behind the layer are left out. The frequencies begin with "
        "0, π, 2π ..., and what is learned is added to these.";
    mechanism.related = {"hyena", "mamba", "mamba2", "dynamic_convolution"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::long_convolution;
    spec.algorithm.options["gates"] = false;
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec,
            without(component_knobs(spec),
                    {"filter", "gates", "order", "length", "bands", "hidden", "frequency"}) +
                projections_knob());

    mechanism.example.query = "the door was red and then the door was blue";
    mechanism.example.look_for = "Along each diagonal the number is the same, whatever the words are: only "
                                 "the distance counts. Step back to the filters, a row for each channel.";
    mechanism.properties = signed_causal_mixer;
    return mechanism;
}

}  // namespace headlight
