#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_random_feature() {
    Mechanism mechanism;
    mechanism.name = "Random feature attention";
    mechanism.also_known_as = {"RFA", "RFA-Gate", "random Fourier features"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3312;
    mechanism.formula =
        R"(@weights{A_{ij} = \frac{@similarities{@query_features{\phi(@query{q_i})} \cdot @key_features{)"
        R"(\phi(@key{k_j})}\,@recency{r_{ij}}}}{@row_sum{\sum_j \phi(q_i) \cdot \phi(k_j)\,r_{ij}}}},\quad )"
        R"(@output{O = A\,@value{V}},\quad )"
        R"(\phi(x) = \frac{1}{\sqrt{D}}\,(\sin w_1 \cdot \hat{x}, \ldots, \sin w_D \cdot \hat{x}, \cos w_1 )"
        R"(\cdot \hat{x}, \ldots, \cos w_D \cdot \hat{x}),\quad )"
        R"(@recency{r_{ij} = (1 - g_j) \prod_{l=j+1}^{i} g_l},\quad )"
        R"(@gates{g_i = \sigma(x_i \cdot w_g + b_g)})";
    mechanism.papers = {{"Peng et al., Random Feature Attention", 2021}};
    mechanism.explanation =
        "A wave of a random direction and length, seen from two places, is in step where they are near and "
        "out of step where they are far. The product of two points’ sines and cosines, averaged over many "
        "such waves, is therefore a bell: e^(−|x − y|²/2). For vectors of one length that is e^(x · y) but "
        "for a factor that a softmax divides away; so queries and keys are brought to the length 1, and "
        "linear attention with these features estimates softmax attention of cosines. How long the waves are "
        "is learned for each feature. With its gate the sum of the past becomes a fading mean, as in a "
        "recurrent cell: each token keeps g of what is there and adds 1 − g of itself, below the line as "
        "well as above it. It was one of the first linear attentions to have one.";
    mechanism.cost =
        "n D d multiply-adds per head for the waves of the queries and as many for the keys, and "
        "2 n D d_v each to write and to read; state 2 D (d_v + 1)";
    mechanism.correction =
        "An average of sines and cosines may come out below 0 where the exponential is small; so may a row "
        "sum, by which is divided. The authors’ code divides by its absolute value, 0.001 at least, and "
        "draws other directions while it learns; here the sum is that of the paper, and the directions are "
        "drawn once, for each head its own. Positive features, as the Performer has them, cannot cancel. The "
        "paper has a second map, relu(w · x), which is not here.";
    mechanism.related = {"performer", "linear", "retention", "gla"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::fourier_features;
    spec.algorithm.options = {{"gated", true}};
    spec.mask.rule = CausalMask{};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "the king met the queen and the man met the woman";
    mechanism.example.values = {{"temperature", 0.5}, {"gated", false}};
    mechanism.example.look_for =
        "The last “the” gives “king” less than nothing, −0.001, where an exponential of their cosine would "
        "be 0.026 of the row: the waves happen to cancel. With 256 directions it is 0.025. Switch `gated` on "
        "and the columns fade downwards.";
    mechanism.example.beside = "performer";
    mechanism.properties = signed_causal_mixer;
    mechanism.properties.random = true;
    return mechanism;
}

}  // namespace headlight
