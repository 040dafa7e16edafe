#include "core/model/model_words.h"

namespace headlight {

template <>
std::span<const Word<nn::CellType>> words() {
    static constexpr Word<nn::CellType> list[] = {
        {nn::CellType::rnn, "rnn", "a plain recurrent cell"},
        {nn::CellType::gru, "gru", "a gated recurrent unit"},
        {nn::CellType::lstm, "lstm", "a long short-term memory"},
    };
    return list;
}

template <>
std::span<const Word<DecoderStyle>> words() {
    static constexpr Word<DecoderStyle> list[] = {
        {DecoderStyle::bahdanau, "bahdanau", "asks with its last state, then makes the new one"},
        {DecoderStyle::luong, "luong", "makes its new state, then asks with it"},
        {DecoderStyle::wrapper, "wrapper", "as TensorFlow's AttentionWrapper times it"},
        {DecoderStyle::dense, "dense", "has no state, and asks with the last word and its place"},
    };
    return list;
}

template <>
std::span<const Word<TransformerKind>> words() {
    static constexpr Word<TransformerKind> list[] = {
        {TransformerKind::encoder_decoder, "encoder_decoder", "reads a source and says a target"},
        {TransformerKind::decoder, "decoder", "goes on with what it has read"},
        {TransformerKind::encoder, "encoder", "reads a source and says one label"},
    };
    return list;
}

template <>
std::span<const Word<NormPlacement>> words() {
    static constexpr Word<NormPlacement> list[] = {
        {NormPlacement::before, "before", "x + f(norm(x))"},
        {NormPlacement::after, "after", "norm(x + f(x))"},
    };
    return list;
}

template <>
std::span<const Word<PositionEncoding>> words() {
    static constexpr Word<PositionEncoding> list[] = {
        {PositionEncoding::sinusoidal, "sinusoidal", "sine waves added to the token vectors"},
        {PositionEncoding::learned, "learned", "a learned vector for each place"},
        {PositionEncoding::rotary, "rotary", "queries and keys turned by their places"},
        {PositionEncoding::alibi, "alibi", "scores lowered by the distance"},
        {PositionEncoding::distances, "distances", "scores raised by what a query has of the distance"},
        {PositionEncoding::none, "none", "only what the attention itself knows of places"},
    };
    return list;
}

template <>
std::span<const Word<Mixer>> words() {
    static constexpr Word<Mixer> list[] = {
        {Mixer::attention, "attention", "every token looks at those of its sequence"},
        {Mixer::convolution, "convolution", "gated sums of a token's neighbours"},
    };
    return list;
}

template <>
std::span<const Word<Pooling>> words() {
    static constexpr Word<Pooling> list[] = {
        {Pooling::mean, "mean", "every token counts alike"},
        {Pooling::attention, "attention", "what a learned query is given"},
    };
    return list;
}

template <>
std::span<const Word<LocalWindow::Kind>> words() {
    using Kind = LocalWindow::Kind;
    static constexpr Word<Kind> list[] = {
        {Kind::none, "none", "every key"},
        {Kind::monotonic, "monotonic", "the keys around the query's own place (local-m)"},
        {Kind::predicted, "predicted", "the keys around a place that is predicted (local-p)"},
    };
    return list;
}

template <>
std::span<const Word<Reinforcement::Baseline>> words() {
    using Baseline = Reinforcement::Baseline;
    static constexpr Word<Baseline> list[] = {
        {Baseline::none, "none", "nothing is expected"},
        {Baseline::average, "average", "one learned number"},
        {Baseline::state, "state", "a linear function of what the attention is asked with"},
    };
    return list;
}

template <>
std::span<const Word<nn::Schedule::Shape>> words() {
    using enum nn::Schedule::Shape;
    static constexpr Word<nn::Schedule::Shape> list[] = {
        {constant, "constant", "the same rate all along"},
        {linear, "linear", "down to 0 at the last step"},
        {cosine, "cosine", "half a cosine wave down to 0 at the last step"},
        {inverse_root, "inverse_root", "by the square root of the step"},
    };
    return list;
}

}  // namespace headlight
