#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_hard() {
    Mechanism mechanism;
    mechanism.name = "Hard attention";
    mechanism.also_known_as = {"argmax attention", "stochastic attention"};
    mechanism.family = "Normalisers";
    mechanism.order = 1900;
    mechanism.formula =
        R"(@output{@weights{\operatorname{onehot}\left(j^\ast_i\right)}\,@value{V}},\quad )"
        R"(j^\ast_i = \arg\max_j @scores{s_{ij}}\;\text{ or }\; j^\ast_i \sim \operatorname{softmax}\left()"
        R"(@scores{s_i} / \tau\right))";
    mechanism.papers = {
        {"Xu et al., Show, Attend and Tell: Neural Image Caption Generation with Visual Attention", 2015}};
    mechanism.explanation =
        "Each query looks at exactly one key and takes its value. The key is either the one with the largest "
        "score (of equal ones the first), or it is drawn at random with the soft weights as probabilities. "
        "Choosing has no gradient; the sampled form is trained with REINFORCE, which on average gives the "
        "gradient of the expected reward, at the price of variance. The largest score is the limit of soft "
        "attention at temperature 0. Repeated draws add up to the soft weights. It was made for captions: "
        "each word of one looks at the patches of a picture (`--image`), by the additive score, and a gate "
        "of the asking state says how much of what it sees counts (`heads.gate=headwise`).";

    mechanism.cost =
        "n m d multiply-adds for the scores per head, n d_v to take the values; memory n m here, "
        "n without the map.";
    mechanism.correction =
        "Only the sampled form depends on the seed; the argmax gives the same weights with every seed. The "
        "estimate of REINFORCE has the soft gradient as its mean; a baseline lowers its variance and does "
        "not change the mean. The argmax has no gradient of its own: frameworks that train it use that of "
        "the softmax in its place (straight through).";
    mechanism.related = {"soft", "gumbel", "sparsemax", "monotonic"};

    AttentionSpec spec;
    spec.score.type = ScoreType::dot;
    spec.normalizer.type = NormalizerType::hard;
    compose(mechanism, spec,
            {hard_mode_knob(), draws_knob(), temperature_knob(), source_knob(), projections_knob(),
             projection_bias_knob()});

    mechanism.example.query = "the dog chased the cat and the cat ran";
    mechanism.example.look_for =
        "One bright cell in each row. The three columns of “the” tie and the first is chosen; “cat” chooses "
        "“dog”, whose longer vector makes the larger product.";
    mechanism.properties.random = true;
    return mechanism;
}

}  // namespace headlight
