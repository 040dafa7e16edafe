#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_non_local() {
    Mechanism mechanism;
    mechanism.name = "Non-local block";
    mechanism.also_known_as = {"non-local neural network", "SAGAN self-attention", "embedded Gaussian"};
    mechanism.family = "Images";
    mechanism.order = 3970;
    mechanism.formula =
        R"(@output{Z = @tokens{X} + @update{\gamma\,@context{@weights{\operatorname{softmax}\left(@scores{)"
        R"(@query{\theta(X)}\,@key{\phi(X)}^\top}\right)}\,@value{g(X)}}}})";
    mechanism.papers = {
        {"Wang, Girshick, Gupta and He, Non-local Neural Networks (equations 1 and 6)", 2018},
        {"Zhang et al., Self-Attention Generative Adversarial Networks (γ, equation 3)", 2019}};
    mechanism.explanation =
        "A convolution sees a few neighbours; to link two far corners of an image it takes many layers. The "
        "non-local block links every place with every other at once: dot products, a softmax, a weighted "
        "mean, and what comes out is added to the input. With θ, φ and g left out that is the Gaussian form, "
        "with them as learned projections the embedded one, which is self-attention without the scale. The "
        "sum lets the block be put into a network that is already trained: the last matrix, or in SAGAN the "
        "number γ, starts at 0, and the block changes nothing until it has learned to. Slide γ from 0 to "
        "watch it join. Here the words of a text stand for the patches of an image.";
    mechanism.cost = "n² (d + d_v) multiply-adds, n d for the sum; memory n². The papers halve the width, or "
                     "keep an eighth of it, and may pool keys and values.";
    mechanism.correction = "It divides by no √d, unlike the attention of Transformers, which it is often "
                           "printed as. And γ does not "
                           "weigh attention against the input: the input is always added whole.";
    mechanism.equivalences = {
        equal_when("dot", "without the input, and with γ = 1, it is attention with plain dot products",
                   {.here = {{"residual", false}}}),
        equal_when("dot", "the embedded form is the same with learned projections",
                   {.here = {{"residual", false}, {"projections", std::string("learned")}},
                    .there = {{"projections", std::string("learned")}}})};
    mechanism.related = {"dot", "gcnet", "cbam", "swin", "axial"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    spec.algorithm.type = AlgorithmType::non_local;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + temperature_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.look_for =
        "Nearly a diagonal, for nothing divides by √d; only cat prefers dog to itself. With a temperature of "
        "8, the root of 64 features, colours look at colours and animals at animals, wherever they lie. Step "
        "to the output: the words themselves plus γ times what they gathered, with γ = 0 the words alone.";
    mechanism.properties.permutation_equivariant = true;
    return mechanism;
}

}  // namespace headlight
