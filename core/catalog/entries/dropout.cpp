#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_dropout() {
    Mechanism mechanism;
    mechanism.name = "Attention dropout";
    mechanism.also_known_as = {"DropAttention", "DropKey", "forgetful causal masking (FCM)"};
    mechanism.family = "Normalisers";
    mechanism.order = 5587;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\frac{b_{ij}}{1 - p}\operatorname{softmax}\left()"
        R"(@scaled_scores{s_i}\right)_j}\,@value{v_j},\quad b_{ij} \sim \operatorname{Bernoulli}(1 - p))";
    mechanism.papers = {
        paper_of("Radford, Narasimhan, Salimans and Sutskever",
                 {.title = "Improving Language Understanding by Generative Pre-Training",
                  .authors = "Radford, Alec and Narasimhan, Karthik and Salimans, Tim and Sutskever, Ilya",
                  .kind = Publication::Kind::other,
                  .venue = "https://openai.com/index/language-unsupervised",
                  .year = 2018},
                 "section 4.1"),
        {"Srivastava et al., Dropout: A Simple Way to Prevent Neural Networks from Overfitting (the idea)",
         2014},
        {"Li et al., DropKey for Vision Transformer", 2023},
        {"Liu et al., Towards Better Few-Shot and Finetuning Performance with Forgetful Causal Language "
         "Models",
         2022}};
    mechanism.explanation =
        "While a model learns, some of what it looks at is taken away at random, so that it cannot lean on a "
        "single word. Usual dropout throws weights away after the softmax and multiplies the others by "
        "1 / (1 − p): a row no longer sums to 1, but does on average over the draws. DropKey throws pairs "
        "away before the softmax: all weight goes to what is left, every row sums to 1, and a large weight "
        "that is dropped goes to its rivals instead of being lost. Forgetful masks take the same words from "
        "all queries and heads, as if they were not in the text, all but the first. When the model is used, "
        "nothing is dropped. One step of training is shown here; the seed draws it.";
    mechanism.cost = "n m (d + d_v) multiply-adds per head, and a random number for each pair or key.";
    mechanism.correction =
        "Dropout of weights keeps the mean of each weight, and DropKey does not: it needs no factor, and on "
        "average its softmax is flatter. A row of which everything was dropped gives 0 here; the code of "
        "DropKey takes a large number off the scores in place of minus infinity and would spread the row "
        "over all keys. The paper on forgetful masks draws p itself anew for each text.";
    mechanism.equivalences = {
        equal_when("scaled_dot_product", "with p = 0 nothing is dropped", {.here = {{"rate", 0.0}}})};
    mechanism.related = {"soft", "drop_head", "gumbel", "entmax"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::dropout;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the dog chased the cat and the cat ran";
    mechanism.example.look_for =
        "The three rows of “the” have equal scores, and not the same holes: the first has none. What is "
        "left of a row has grown by 1 / 0.7, whatever it lost. Choose pairs, and the rows sum to 1 again; "
        "choose keys, and the holes are columns.";
    mechanism.properties = {.row_stochastic = false, .random = true, .sparse = true};
    return mechanism;
}

}  // namespace headlight
