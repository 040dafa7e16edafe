#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_spatial_reduction() {
    Mechanism mechanism;
    mechanism.name = "Spatial-reduction attention";
    mechanism.also_known_as = {"PVT", "SRA", "pyramid vision transformer"};
    mechanism.family = "Images";
    mechanism.order = 3948;
    mechanism.formula = R"(@output{O = @pooled_weights{P}\,@pooled_values{V'}},\quad )"
                        R"(@pooled_weights{P = \operatorname{softmax}\left(@pooled_scores{\frac{@query{Q}\,)"
                        R"(@pooled_keys{K'}^\top}{\sqrt{d}}}\right)},\quad @pooled_keys{K' = y\,W_k},\quad )"
                        R"(@pooled_values{V' = y\,W_v},\quad )"
                        R"(@reduced_tokens{y = \operatorname{norm}([x_1; \ldots; x_{R^2}]\,W_R)},\quad )"
                        R"(@weights{A_{ij} = \frac{1}{R^2} P_{i,\,\text{patch}(j)}})";
    mechanism.papers = {
        {"Wang et al., Pyramid Vision Transformer: A Versatile Backbone for Dense Prediction without "
         "Convolutions",
         2021}};
    mechanism.explanation =
        "An image has many places, and what lies next to each other is much alike. So the queries stay "
        "as they are, one for each place, and the keys are made fewer: the tokens of each patch of R × "
        "R places are put side by side, a matrix makes one vector of them, a norm follows, and keys "
        "and values are made of these. It is a convolution whose stride is its size. The map has n "
        "rows and n / R² columns. In the network R is 8 where the image is large and 1 where it has "
        "become small, so that the number of patches stays the same from stage to stage. The map shown "
        "spreads the weight of a patch equally over its tokens. Linformer pools keys in the same "
        "spirit, but by a matrix of all places that fits one length; here neighbours on the grid are "
        "pooled, by the same matrix everywhere. Here words stand for places, four in a row.";
    mechanism.cost = "2 n² d / R² multiply-adds per head, n d² for the patches, and "
                     "a map of n² / R²; a cache holds n / R² keys and values.";
    mechanism.correction =
        "Queries are not reduced: every place has an answer of its own. With a ratio of 1 there is neither "
        "matrix nor norm, and it is plain attention. The learned matrix may weigh the places of a patch "
        "unequally and even negatively, so that the equal parts shown are those of the weight and not of the "
        "value; with means and no norm they are exact. Gain and shift of the norm are left out here. EMSA "
        "has a convolution for each channel by itself.";
    mechanism.related = {"linformer", "inducing_points", "agent", "swin"};

    AttentionSpec spec;
    spec.algorithm = {AlgorithmType::spatial_reduction, {{"columns", Index(4)}}};
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "red blue cat dog green black horse cow";
    mechanism.example.stage = "pooled_weights";
    mechanism.example.look_for =
        "Eight words, four in a row, and two columns: one patch of red, blue, green and black, and one "
        "of the animals. Step to the weights: the four words of a patch have the same number in every "
        "row. With a ratio of 1 there are eight columns.";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
