#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_poolformer() {
    Mechanism mechanism;
    mechanism.name = "Pooling less the token (PoolFormer)";
    mechanism.also_known_as = {"PoolFormer", "MetaFormer"};
    mechanism.family = "Images";
    mechanism.order = 3985;
    mechanism.formula =
        R"(@output{o_i} = \sum_j @weights{\left(@soft_weights{A_{ij}} - I_{ij}\right)}\,@value{x_j},\quad )"
        R"(@soft_weights{A_{ij}} = \frac{1}{|N(i)|} \text{ if } j \in N(i), \text{ else } 0,\quad )"
        R"(N(i) = \{j : |r_i - r_j| \le h \text{ and } |c_i - c_j| \le h\})";
    mechanism.papers = {{"Yu et al., MetaFormer Is Actually What You Need for Vision", 2022}};
    mechanism.explanation =
        "How much of a Transformer is its attention? PoolFormer puts the plainest thing there that lets "
        "places meet: each gets the mean of the cells around it, and gives up what it is. Nothing is learned "
        "in it and no query meets a key, and yet the model learns to see, so that its authors hold the rest "
        "of the block for what counts and call it MetaFormer. As a map it is uniform over a neighbourhood, "
        "as attention is whose scores are all 0, less the identity. The identity is taken off because the "
        "block adds its input again behind it: what is left tells a place from its surroundings. Here words "
        "stand for the patches, four in a row.";
    mechanism.cost = "n (2 h + 1)² d additions for cells up to h away, and no parameters. Here the map of n² "
                     "pairs is made, with products that are all 0.";
    mechanism.correction =
        "The mean is over the cells that there are: PyTorch’s average pooling with count_include_pad=False. "
        "Without that word places at the border would be divided by cells outside the image. A row sums to "
        "0, not to 1: the whole image a little brighter gives the same.";
    mechanism.related = {"neighbourhood", "shaped", "fourier", "large_kernel"};

    AttentionSpec spec;
    spec.score = {.type = ScoreType::cosine, .options = {{"beta", 0.0}}};
    spec.mask.rule =
        PatternMask{MaskPattern::halo, {{"columns", Index(4)}, {"size", Index(1)}, {"halo", Index(1)}}};
    spec.algorithm = {AlgorithmType::shaped, {{"form", std::string("difference")}}};
    compose(mechanism, spec,
            without(component_knobs(spec), {"beta", "groups", "divided", "size", "form"}) +
                projection_knobs());

    mechanism.example.query = "red blue cat dog green black horse cow music sheep pig goat";
    mechanism.example.look_for =
        "Each word takes the same from all words next to it on the grid: red, in a corner, a quarter of each "
        "of four, horse in the middle a ninth of each of nine. Of itself it keeps that less 1: rows sum to "
        "0.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true};
    return mechanism;
}

}  // namespace headlight
