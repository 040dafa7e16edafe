#include "core/io/session_words.h"

namespace headlight {

template <>
std::span<const Word<TokenSplit>> words() {
    static constexpr Word<TokenSplit> list[] = {
        {TokenSplit::words, "words", "words and punctuation marks"},
        {TokenSplit::characters, "characters", "what a reader sees as one character, white space included"},
    };
    return list;
}

template <>
std::span<const Word<VectorKind>> words() {
    static constexpr Word<VectorKind> list[] = {
        {VectorKind::english, "english", "trained word vectors; unknown words get their hashed vector"},
        {VectorKind::hashed, "hashed", "a vector made from the spelling: same word, same vector"},
        {VectorKind::one_hot, "one_hot", "an axis of its own for each distinct token"},
        {VectorKind::random, "random", "drawn from the seed for each position"},
    };
    return list;
}

template <>
std::span<const Word<Reduction>> words() {
    static constexpr Word<Reduction> list[] = {
        {Reduction::truncate, "truncate", "the first numbers of each vector"},
        {Reduction::project, "project", "a seeded random projection of the whole vector"},
    };
    return list;
}

template <>
std::span<const Word<Counterpart::Kind>> words() {
    static constexpr Word<Counterpart::Kind> list[] = {
        {Counterpart::Kind::text, "text", "another text in the place of what is read"},
        {Counterpart::Kind::model, "model", "another model that reads the same"},
        {Counterpart::Kind::capture, "capture", "another capture of as many layers and heads"},
    };
    return list;
}

template <>
std::span<const Word<ParameterOrigin>> words() {
    static constexpr Word<ParameterOrigin> list[] = {
        {ParameterOrigin::xavier, "xavier", "drawn from the seed"},
        {ParameterOrigin::identity, "identity", "matrices that change nothing, biases 0, v and g 1"},
        {ParameterOrigin::file, "file", "those of the inputs file; what it lacks is drawn"},
    };
    return list;
}

template <>
std::span<const Word<Level>> words() {
    static constexpr Word<Level> list[] = {
        {Level::box, "box", "what goes in and what comes out"},
        {Level::parts, "parts", "the parts that it is composed of"},
        {Level::tensors, "tensors", "its stages with their shapes"},
        {Level::arithmetic, "arithmetic", "how the number of the selected cell came about"},
        {Level::formula, "formula", "the lines of the formula, to be changed"},
        {Level::spreadsheet, "spreadsheet", "every number as a cell with its formula"},
        {Level::code, "code", "the lines of Python that compute it"},
    };
    return list;
}

template <>
std::span<const Word<PlayMode>> words() {
    static constexpr Word<PlayMode> list[] = {
        {PlayMode::stage, "stage", "the stages of the formula"},
        {PlayMode::step, "step", "the rows as they are decoded"},
        {PlayMode::head, "head", "the heads"},
    };
    return list;
}

template <>
std::span<const Word<ScaleKind>> words() {
    static constexpr Word<ScaleKind> list[] = {
        {ScaleKind::linear, "linear", "colours follow the number"},
        {ScaleKind::logarithmic, "logarithmic", "colours follow its logarithm"},
    };
    return list;
}

template <>
std::span<const Word<DrawnWeights>> words() {
    static constexpr Word<DrawnWeights> list[] = {
        {DrawnWeights::raw, "raw", "weights as they are"},
        {DrawnWeights::value_norms, "value_norms", "the norm of each weight times its value times W_o"},
    };
    return list;
}

template <>
std::span<const Word<Intervention::Kind>> words() {
    using Kind = Intervention::Kind;
    static constexpr Word<Kind> list[] = {
        {Kind::set_weight, "set_weight", "one weight is given, the others share the rest"},
        {Kind::zero_column, "zero_column",
         "the key gets no weight; the row then sums to less, unless it is renormalised"},
        {Kind::forbid_key, "forbid_key", "the mask forbids the key; the others get its share"},
        {Kind::uniform_row, "uniform_row", "every allowed key alike"},
        {Kind::copy_head, "copy_head", "the weights of another head"},
        {Kind::mute_head, "mute_head", "no weight at all"},
    };
    return list;
}

template <>
std::span<const Word<WordChoice::Way>> words() {
    using Way = WordChoice::Way;
    static constexpr Word<Way> list[] = {
        {Way::greedy, "greedy", "the likeliest word at each step"},
        {Way::beam, "beam", "the likeliest text among several that grow side by side"},
        {Way::sample, "sample", "words that are drawn"},
    };
    return list;
}

}  // namespace headlight
