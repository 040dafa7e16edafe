#pragma once

#include "core/attention/spec.h"
#include "core/model/cache.h"
#include "core/model/hook.h"
#include "core/model/sequences.h"
#include "core/nn/tape.h"
#include "core/tensor/tensor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight {

/// What a model remembers of the sequences of a batch between two steps: a value, to be kept for stepping
/// back and copied for trying something else. The states of a text share what they look back at, so that
/// keeping one for each step takes memory for the steps, not for their square. To step back is to go on from
/// an older state: what was read behind it is then cut off, or left to the states that still want it.
struct DecodingState {
    std::vector<FloatTensor> parts;        ///< replaced by each step
    std::shared_ptr<TextCache> memory;     ///< null where nothing is remembered
    std::shared_ptr<const void> newest{};  ///< keeps the newest step in it
    Index steps = 0;
};

/// What a site computes, in the engine's words: running its spec on what it was asked with gives every stage
/// of it.
struct SiteDescription {
    std::string name;
    AttentionSpec spec;
    /// By the names of core/attention/parameters.h.
    std::vector<std::pair<std::string, nn::Weight>> parameters;
    bool in_encoder = false;
    bool is_program = false;       ///< computed by the program of its spec; nothing inside can be changed
    bool looks_at_source = false;  ///< its keys are the encoded source; otherwise its own sequence
    /// The site whose keys and values it attends to: its key tokens are what that one was asked with. Empty:
    /// its own.
    std::string keys_of{};
    /// Its queries are places whose words are not known: each is that of the word that its step says.
    bool guesses = false;
    /// Learned vectors that ask in its one step, each a row beside the others, in place of what the step says
    /// or has read; 0: none.
    Index seeds = 0;
    /// So many first tokens of the source are a question, and its keys, or where it is in the encoder its
    /// queries, are those behind them; there the question is its keys. 0: no question.
    Index question = 0;
};

/// How many tokens a sequence can have, of a model that has learned numbers for so many places; any number
/// where nothing is said.
struct MostTokens {
    std::optional<Index> source, target;
};

/// A batch whose source has been read, saying its targets token by token.
class Decoding {
public:
    virtual ~Decoding() = default;
    /// What the decoder looks at, [m b, d]; empty without a source.
    virtual FloatTensor source_states() const = 0;
    virtual DecodingState start() const = 0;
    /// Reads one more token of each sequence, [b], and says what may follow: logits [b, v]. `state` becomes
    /// that after the step.
    virtual FloatTensor next(DecodingState& state, std::span<const Index> tokens, Hook<float>* hook) = 0;
    /// Reads several more, each sequence to its own end, and says what may follow each: logits [steps b, v].
    /// As next() of one after another, in one go where the model can.
    virtual FloatTensor read(DecodingState& state, const Sequences& tokens);
};

/// A model that attends: what training and decoding ask of it. Its weights are elsewhere, so that one host
/// serves a training run and those who watch it.
class Host {
public:
    virtual ~Host() = default;
    virtual const nn::ParameterLayout& layout() const = 0;
    /// Every place that attends, in the order in which a step passes them, the encoder's first.
    virtual std::vector<SiteDescription> sites() const = 0;
    /// Longer sequences are refused with an Error by who reads them.
    virtual MostTokens most_tokens() const = 0;
    /// Numbers that a step adds to what a DecodingState has of one sequence, beside one or two for each key.
    virtual Index numbers_of_step() const = 0;
    /// The cross-entropy of the labels, summed and divided: [1, 1]. `stream` is that of random numbers of the
    /// step.
    virtual nn::Variable<float> loss(nn::Tape<float>& tape, const Batch& batch, float divisor,
                                     std::uint64_t stream) const = 0;
    /// Reads the sources, empty ones for a model without. `weights` must outlive the result.
    virtual std::unique_ptr<Decoding> read(std::span<const float> weights, const Sequences& source,
                                           Hook<float>* hook) const = 0;
    /// True of a model that says one label of its source: start() and next() are then called once, with no
    /// token.
    virtual bool is_classifier() const { return false; }
};

}  // namespace headlight
