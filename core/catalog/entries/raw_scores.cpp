#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_raw_scores() {
    Mechanism mechanism;
    mechanism.name = "Raw scores as weights";
    mechanism.also_known_as = {"unnormalised attention", "attention without softmax"};
    mechanism.family = "Normalisers";
    mechanism.order = 5630;
    mechanism.formula =
        R"(@weights{A} = @scores{@query{Q}\,@key{K}^\top},\quad @output{@weights{A}\,@value{V}})";
    mechanism.papers = {{"Katharopoulos et al., Transformers are RNNs: Fast Autoregressive Transformers with "
                         "Linear Attention",
                         2020}};
    mechanism.explanation =
        "No normaliser: the scores are the weights, and a forbidden key gets 0. Everything is now a product "
        "of matrices, so that the brackets may be moved: (Q K) V costs n² and Q (K V) costs n, which is the "
        "seed of all linear attention. Without a softmax nothing is positive, rows sum to anything, and "
        "longer texts make larger outputs. Linear attention adds a positive feature map and a sum to divide "
        "by; retention leaves the sum out and normalises each head’s output instead.";
    mechanism.correction =
        "Nothing is divided by √d here; where it is, that is no temperature: it scales every output alike. A "
        "mask has to put zeros into the weights, since minus infinity in a score would be a weight of minus "
        "infinity.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head with the map; 2 n d d_v with the brackets moved. "
                     "Memory n m or d d_v.";
    mechanism.related = {"soft", "relu", "cog"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    spec.normalizer.type = NormalizerType::none;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "The map is symmetric, has a few negative cells around “kitten”, and the squared lengths "
        "of the word vectors on its diagonal.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
