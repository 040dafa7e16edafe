#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_cross() {
    Mechanism mechanism;
    mechanism.name = "Cross-attention";
    mechanism.also_known_as = {"encoder-decoder attention", "source-target attention"};
    mechanism.family = "Sources";
    mechanism.order = 1400;
    mechanism.formula = R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{)"
                        R"(@query{Q_{\text{target}}}\,@key{K_{\text{source}}}^\top}}{\sqrt{d_k}}}\right)}\,)"
                        R"(@value{V_{\text{source}}}})";
    mechanism.papers = {{"Vaswani et al., Attention Is All You Need (section 3.2.3)", 2017},
                        {"Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to Align "
                         "and Translate (the idea)",
                         2015}};
    mechanism.explanation =
        "One sequence asks, another answers: queries come from the decoder, keys and values from the "
        "encoder, and the map has a row for each target word and a column for each source word. The softmax "
        "runs over the source words. No causal mask is needed, for the whole source is known; its padding "
        "is masked. The order of the source plays no part unless positions tell it. In recurrent decoders "
        "the models differ in time: Bahdanau asks with the previous state of the decoder, Luong with the "
        "current one.";
    mechanism.cost =
        "n m (d + d_v) multiply-adds per head; memory n m. The m keys and values are worked out once "
        "for the whole decoding.";
    mechanism.correction =
        "Which sequence asks is often printed the wrong way round: the queries are the target’s, the softmax "
        "runs over the source, and the sum over source words weighs the source’s values.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product",
                   "it is scaled dot-product attention whose keys and values come from a second sequence",
                   {.there = {{"source", std::string("cross")}}})};
    mechanism.related = {"scaled_dot_product", "local_m", "local_p", "wait_k", "flamingo", "self_attention"};

    AttentionSpec spec;
    spec.source.type = SourceType::cross;
    spec.score.type = ScoreType::scaled_dot;
    compose(mechanism, spec,
            {projections_knob(), projection_bias_knob(), temperature_knob(), key_lengths_knob()});

    mechanism.example.query = "the cat sleeps on the sofa";
    mechanism.example.key = "a kitten rests on our couch";
    mechanism.example.look_for = "Words of like meaning find each other across the sentences: “cat” looks "
                                 "most at “kitten”, “sofa” at “couch”.";
    mechanism.properties = {.permutation_equivariant = true, .streaming = true};
    return mechanism;
}

}  // namespace headlight
