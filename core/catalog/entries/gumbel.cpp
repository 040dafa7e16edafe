#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_gumbel() {
    Mechanism mechanism;
    mechanism.name = "Gumbel-softmax";
    mechanism.also_known_as = {"concrete distribution", "relaxed one-hot"};
    mechanism.family = "Normalisers";
    mechanism.order = 1910;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\operatorname{softmax}\left(\frac{@scaled_scores{s_i} + )"
        R"(@noise{g_i}}{\tau}\right)_j}\,@value{v_j},\quad @noise{g_{ij}} = -\ln(-\ln u_{ij}))";
    mechanism.papers = {{"Jang, Gu and Poole, Categorical Reparameterization with Gumbel-Softmax", 2017}};
    mechanism.explanation =
        "Add Gumbel noise to every score and take the largest: the key found this way is a draw "
        "from the softmax of the scores, exactly. The softmax of the noisy scores at temperature "
        "τ is a smooth picture of that draw. At low τ it is nearly one-hot, at high τ nearly "
        "uniform. Because the noise does not depend on the scores, gradients pass through, unlike "
        "through a drawn index. The hard form gives the one-hot draw forward and uses the smooth "
        "one for the gradient only. Another seed gives another draw.";
    mechanism.cost = "n m (d + d_v) multiply-adds and n m exponentials per head; memory n m. Two logarithms "
                     "for every pair.";
    mechanism.correction =
        "The temperature divides score plus noise. Dividing the scores alone would change the "
        "odds that the draw has.";
    mechanism.related = {"hard", "soft"};

    AttentionSpec spec;
    spec.normalizer.type = NormalizerType::gumbel;
    compose(mechanism, spec, component_knobs(spec) + temperature_knob() + token_knobs());

    mechanism.example.query = "the dog chased the cat and the cat ran";
    mechanism.example.look_for =
        "The three rows of “the” have equal scores and yet differ: the noise does. Lower the "
        "temperature and one cell a row remains; turn hard on for the draw itself.";
    mechanism.properties = {.streaming = false, .random = true};
    return mechanism;
}

}  // namespace headlight
