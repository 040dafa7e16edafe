#pragma once

#include "core/model/recurrent_model.h"
#include "core/model/transformer_model.h"

#include <memory>
#include <variant>
#include <vector>

namespace headlight {

/// How much there is of a model's parts: 1, or 0 of segments, where its family has none of them.
struct ModelCounts {
    Index heads = 1;
    Index layers = 1;   ///< of an encoder, and of a decoder beside it
    Index turns = 1;    ///< how often its layers are gone through
    Index segment = 0;  ///< tokens that it reads at a time; 0: the whole text
    Index hops = 1;     ///< how often a step asks
};

/// A model as data, of either family: what is written to files, tried, trained and shown. Whoever uses models
/// asks this what they do; which family it is matters to who makes one, writes it or names its settings.
struct ModelSpec : std::variant<RecurrentConfiguration, TransformerConfiguration> {
    using variant::variant;

    bool is_recurrent() const { return std::holds_alternative<RecurrentConfiguration>(*this); }
    CommonSettings& common();
    const CommonSettings& common() const;
    ModelCounts counts() const;

    /// It goes on with what it has read, and has no source: source and target are one text.
    bool reads_one_text() const;
    /// It says one label of its source.
    bool says_label() const;
    /// Layers of it attend to the text that they are given.
    bool attends_to_itself() const;
    /// It learns its texts in orders that are drawn, and guesses words at any place.
    bool reads_in_any_order() const;
    /// It says nothing but words of its source.
    bool points() const;
    /// Its weights are a part of what it says.
    bool quotes() const;
    /// What looking again costs it in training; 0: nothing.
    double coverage_loss() const;
    /// The whole mechanism that it attends with wherever it can; null where score and normaliser say how, or
    /// layers list their own.
    const AttentionSpec* mechanism() const;
    /// Where its attention looks; everywhere, unless said otherwise.
    LocalWindow window() const;
    /// Numbers that a step adds to what a DecodingState has of one sequence, beside one or two for each key.
    Index numbers_of_step() const;

    /// Which target word each source word is (RecurrentConfiguration::copied_as), of a model that quotes.
    void quote_words_as(std::vector<Index> target_words);
};

/// Throws Error for a model that there cannot be.
std::unique_ptr<Host> make_host(const ModelSpec& spec);

}  // namespace headlight
