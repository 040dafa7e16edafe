#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_convolutional() {
    Mechanism mechanism;
    mechanism.name = "Convolutional positions (CPVT)";
    mechanism.also_known_as = {"conditional positional encoding", "PEG", "convolutional position embedding"};
    mechanism.family = "Positions";
    mechanism.order = 5388;
    mechanism.formula =
        R"(@output{@weights{\operatorname{softmax}\left(@scaled_scores{\frac{@scores{@query{X' W_q}\,()"
        R"(@key{X' W_k})^\top}}{\sqrt{d_k}}}\right)}\,@value{X' W_v}},\quad )"
        R"(x'_i = @tokens{x_i} + @position{\sum_r K_r \odot x_{i+r} + b})";
    mechanism.papers = {{"Chu et al., Conditional Positional Encodings for Vision Transformers", 2023}};
    mechanism.explanation =
        "A table of places has an end, and whoever moves a picture by a row gives every patch another "
        "vector. Here the vector that is added to a token is made of the tokens around it: each feature has "
        "a small kernel of its own, which slides over the text or the grid. Inside, a token with the same "
        "neighbours gets the same vector wherever it stands. At the ends the kernel lies on nothing, which "
        "counts as zeros, so that tokens there get other vectors, and later layers pass on how far the end "
        "is away. Any length and any size of picture will do. CPVT puts such a layer behind the first block "
        "of a vision transformer; wav2vec 2.0 has a long kernel over time, whose features are mixed in "
        "groups. Here the text is a line, or with “columns” a grid, and padding counts as zeros. A kernel "
        "that is no parameter makes a token shift of it, as in RWKV and x-transformers: with two places that "
        "look back, half of the features of each token are those of the token before, and queries, keys and "
        "values are made of both.";
    mechanism.cost = "n d for each place of the kernel beside n m (d_k + d_v)";
    mechanism.correction =
        "What is learned is no position but a filter: without zeros at the ends nothing would tell places "
        "apart. A kernel that stands in the middle of its token reads what comes next, which a causal mask "
        "does not prevent; set “window” to “past” for a decoder.";
    mechanism.equivalences = {equal_when("scaled_dot_product", "with kernels of zeros nothing is added",
                                         {.parameters = {{"K_place", "zeros"}, {"b_place", "zeros"}}})};
    mechanism.related = {"learned_positions", "sinusoidal", "dynamic_convolution", "grid_bias"};

    AttentionSpec spec;
    spec.position.type = PositionType::convolutional;
    compose(mechanism, spec, component_knobs(spec) + projection_knobs() + causal_knob());

    mechanism.example.query = "row row row row row row row row row row";
    mechanism.example.look_for =
        "One word ten times over: all words inside get the same vector, for all have the same neighbours. "
        "The first and the last one get others, since a neighbour is missing on one side.";
    mechanism.example.stage = "position";
    mechanism.properties.needs_whole_text = true;
    return mechanism;
}

}  // namespace headlight
