#include "core/catalog/knob.h"

namespace headlight {

Mechanism declare_fourier() {
    Mechanism mechanism;
    mechanism.name = "Fourier mixing (FNet)";
    mechanism.also_known_as = {"FNet", "Fourier sublayer"};
    mechanism.family = "Linear and recurrent";
    mechanism.order = 3560;
    mechanism.formula =
        R"(@context{\operatorname{Re}\left(F_n\,@query{X}\,F_d\right) = @weights{C_n}\,@cosine_features{X)"
        R"(\,C_d} - @sine_weights{S_n}\,@sine_features{X\,S_d}},\quad )"
        R"((C_n)_{ij} = \cos\frac{2 \pi i j}{n},\quad (S_n)_{ij} = \sin\frac{2 \pi i j}{n})";
    mechanism.papers = {{"Lee-Thorp et al., FNet: Mixing Tokens with Fourier Transforms", 2022}};
    mechanism.explanation =
        "How much of a Transformer is that tokens meet at all, and how much is who meets whom? FNet puts a "
        "Fourier transform in the place of attention: one over the features and one over the tokens, of "
        "which the real part is kept. No query asks for anything, nothing is learned, and every output has "
        "every token in it. The weights are waves: row i, counted from 0, turns i times over the text, and "
        "row 0 is the plain sum. With it BERT keeps more than nine tenths of its accuracy and trains much "
        "faster. The map is not all of it. A Fourier transform has sines as well, and the product of the "
        "two imaginary parts is real again: two maps mix, each with features of its own.";
    mechanism.cost =
        "n d (log n + log d) by fast transforms; as here, by matrices, 2 n d² + 2 n² d. No parameters, no "
        "cache: a new token changes every output";
    mechanism.correction =
        "Taking the real part after each of the two transforms is something else: it would leave out the "
        "sines. The transform is not divided by √n or n, and rows sum to n or 0. The model adds learned "
        "positions to its tokens all the same, and padding is transformed like any token. With heads, "
        "each transforms its own features; FNet has one.";
    mechanism.related = {"efficient", "linformer", "dense_synthesizer", "random_synthesizer"};

    AttentionSpec spec;
    spec.algorithm.type = AlgorithmType::fourier;
    compose(mechanism, spec, component_knobs(spec) + projections_knob());

    mechanism.example.query = "up and down and up and down and";
    mechanism.example.look_for =
        "The words have no part in these waves: any text of eight words has this map. The first row is 1 "
        "everywhere, the second turns once, the fifth goes up and down with every word. Rows six to eight "
        "look like rows four to two: seven turns at eight places have the same cosines as one, and only the "
        "sines tell them apart.";
    mechanism.properties = {.row_stochastic = false, .is_signed = true, .needs_whole_text = true};
    return mechanism;
}

}  // namespace headlight
