#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_off_by_one() {
    Mechanism mechanism;
    mechanism.name = "Softmax off by one";
    mechanism.also_known_as = {"softmax_1", "quiet attention", "softmax with a zero key"};
    mechanism.family = "Normalisers";
    mechanism.order = 2900;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{A_{ij}}\,@value{v_j},\quad@weights{A_{ij}} = \frac{)"
        R"(@exponentials{e^{s_{ij}}}}{1 + \sum_k e^{s_{ik}}})";
    mechanism.papers = {{"Miller, Attention Is Off By One", 2023}};
    mechanism.explanation =
        "Softmax cannot say “nothing here”: its weights sum to 1 even when no key fits, so that "
        "heads learn to park what they do not need on some harmless token. Adding 1 to the sum is "
        "as if each row had one more key of score 0 with a value of zeros. When all scores are "
        "low the query now looks at nothing. What the row does not spend is shown as the weight "
        "of no key. When the scores are high the 1 does not matter and softmax is back.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m.";
    mechanism.correction =
        "The row’s sum is the sigmoid of the logarithm of the sum of exponentials; it is not 1, "
        "and the output is smaller, not only elsewhere.";
    mechanism.equivalences = {equal_when("sink_logit", "a sink of logit 0 adds exp(0) = 1 to the sum",
                                         {.there = {{"logit", 0.0}}})};
    mechanism.related = {"sink_logit", "persistent_memory", "softpick", "soft"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::off_by_one;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the government raises the tax while my kitten sleeps";
    mechanism.example.look_for =
        "The weight of no key is largest for “kitten” and “sleeps”, which fit least of what is "
        "here. Raise the temperature and it becomes the share of one key among n + 1.";
    mechanism.properties = {.row_stochastic = false, .permutation_equivariant = true};
    return mechanism;
}

}  // namespace headlight
