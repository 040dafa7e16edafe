#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_pope() {
    Mechanism mechanism;
    mechanism.name = "PoPE";
    mechanism.also_known_as = {"polar coordinate positional embedding", "polar positions"};
    mechanism.family = "Positions";
    mechanism.order = 2580;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{)"
                        R"(\sum_c @query_magnitudes{\mu(@query{q_{ic}})}\,@key_magnitudes{\mu()"
                        R"(@key{k_{jc}})}\,\cos((i - j)\,\theta_c - \delta_c)}}{\sqrt{d_k}}}\right)}\,)"
                        R"(@value{V}},\quad \mu(x) = \ln(1 + e^x),\ \theta_c = 10000^{-c/d})";
    mechanism.papers = {{"Gopalakrishnan et al., Decoupling the “What” and “Where” With Polar Coordinate "
                         "Positional Embeddings",
                         2026}};
    mechanism.explanation =
        "A pair of features that RoPE turns is a hand of a clock, and the content has set it before the "
        "place turns it. Where two hands meet depends on both, so that a head cannot ask for a word "
        "wherever it stands, or for a place whatever stands there. PoPE keeps them apart. What a feature "
        "says is the length of its hand alone, made positive by the softplus μ; where it points is decided "
        "by the place alone. Every feature has a hand of its own, so that there are twice as many speeds "
        "as in RoPE. The score is the sum of the products of lengths, each times the cosine of the angle "
        "between. With δ, learned for each feature of the keys, a head can look for the distance at which "
        "that cosine is largest; at δ = 0 it is the token’s own place. In practice each query and key "
        "becomes a vector of cosines and one of sines, twice as wide, and any kernel for products will do.";
    mechanism.cost = "n m (2 d_k + d_v): products of vectors twice as wide";
    mechanism.correction =
        "The wide vectors have 2 d features, and the scale stays 1 / √d of the head; a kernel that takes "
        "it from the width it sees divides by √(2 d).";
    mechanism.related = {"rope", "p_rope", "xpos"};

    AttentionSpec spec;
    spec.position.type = PositionType::pope;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: a word sees itself most, its neighbours next and far ones least, in a "
        "band that is the same at every place but for the ends of the text.";
    mechanism.example.beside = "rope";
    return mechanism;
}

}  // namespace headlight
