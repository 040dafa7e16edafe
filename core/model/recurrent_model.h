#pragma once

#include "core/model/attend.h"
#include "core/model/common_settings.h"
#include "core/model/host.h"
#include "core/model/reinforcement.h"
#include "core/model/sequences.h"
#include "core/model/source_vectors.h"
#include "core/nn/graph_attention.h"
#include "core/nn/recurrent.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// When a recurrent decoder asks its attention, and what for.
enum class DecoderStyle {
    bahdanau,  ///< query s_{i-1}; then s_i = cell(s_{i-1}, [y_{i-1}; c_i])            (Bahdanau et al. 2015,
               ///< A.2)
    luong,     ///< query h_t = cell(h_{t-1}, [y_{t-1}; a_{t-1}]); then a_t = tanh(W_c [c_t; h_t])
            ///<                                                                    (Luong et al. 2015, eq. 5)
    wrapper,  ///< as luong with a_t = W_c [h_t; c_t], the timing of TensorFlow's AttentionWrapper, which asks
              ///< with the new state whatever the score
    dense,    ///< no state: query h_t = tanh(W [y_{t-1} + place]); then a_t = tanh(W_c [c_t; h_t]), as in
              ///< tutorials whose decoder is one dense layer
};

inline constexpr Index most_recurrent_layers = 8, most_hops = 8;

inline constexpr double largest_coverage_loss = 1000;

/// An encoder and a decoder of recurrent cells with attention between them. `width` is h, of the decoder's
/// states and of the encoder's in each direction; score and normaliser are any but those that couple queries,
/// and hard attention is trained by drawing. The weights of a mechanism's program, asked with one query a
/// step, pass no gradient on: such a model neither copies nor has a coverage loss, nor a window.
struct RecurrentConfiguration : CommonSettings {
    RecurrentConfiguration() { longest = 64; }

    Index embedding = 64;  ///< width of a token's vector, on both sides
    nn::CellType cell = nn::CellType::gru;
    bool bidirectional = true;
    DecoderStyle style = DecoderStyle::bahdanau;
    /// A whole mechanism, computed by its program, in place of score and normaliser (mechanism_at()).
    std::optional<AttentionSpec> mechanism{};
    bool input_feeding = true;  ///< luong: a_{t-1} is part of the cell's input
    LocalWindow window;
    Reinforcement reinforcement;  ///< of hard attention
    /// It may say a word by copying it from the source: the pointer-generator (See, Liu & Manning 2017).
    bool copies = false;
    /// Layers of cells, of the encoder and of the decoder. Those above the first read in one direction; of a
    /// bahdanau decoder the first asks, and all are given its context; of the others the last one asks. From
    /// the third on each adds what it was given to what it says (GNMT, Wu et al. 2016, sections 3.1 and 3.2).
    Index layers = 1;
    /// How often a step asks, each time with its query and what it was given before: u + o of memory
    /// networks, whose hops have one set of weights (Sukhbaatar et al. 2015, section 2.2). Keys are as wide
    /// as queries.
    Index hops = 1;
    /// It says nothing but words of its source, where its weights are all that it says, or that the text ends
    /// (pointer networks; Vinyals, Fortunato & Jaitly 2015, section 2.3).
    bool points = false;
    /// Its weights are a part of what it says.
    bool quotes() const { return copies || points; }
    /// Which target word each source word is, Sequences::none for those that are none: [source vocabulary].
    /// Empty: that of the same number.
    std::vector<Index> copied_as;
    /// lambda of the coverage loss, which makes it costly to look at a word again: for each word that is said
    /// lambda sum_j min(a_j, c_j), c the weights of all steps before (See, Liu & Manning 2017, equations 12
    /// and 13). Of training only; 0: there is none.
    double coverage_loss = 0;
};

/// A batch's source, read: what decoding starts from.
template <class Real>
struct Encoded {
    nn::Variable<Real> states;  ///< [m b, d_k]
    nn::ScoreKeys<Real> keys;   ///< what the score makes of them once for all queries; none of a program
    nn::State<Real> first;      ///< of the decoder's first layer
    std::vector<nn::State<Real>> above;  ///< of those above it
    std::span<const Index> lengths;      ///< [b]
    Index steps = 0;                     ///< m
    std::vector<Index> words;            ///< that can be copied, [m b]

    /// Pairs one query of each sequence with its keys.
    nn::Pairing pairing() const {
        return {.batch = std::ssize(lengths), .heads = 1, .queries = 1, .keys = steps};
    }
};

/// What a decoder carries from step to step.
template <class Real>
struct Carried {
    nn::State<Real> state;               ///< of the first layer
    std::vector<nn::State<Real>> above;  ///< of those above it
    nn::Variable<Real> attentional;      ///< a_t, [b, h]: luong and wrapper
    AttentionState<Real> attention;
    Index steps = 0;  ///< taken so far
};

/// One step of a decoder.
template <class Real>
struct Decoded {
    Carried<Real> next;
    nn::Variable<Real> readout;  ///< [b, r]: the logits are these times W_output; none of one that points
    nn::Variable<Real> weights;  ///< [b, m]; none of a mechanism's program
    nn::Variable<Real> gate;     ///< [b, 1], of a model that copies or points: of writing, before the sigmoid
};

class RecurrentModel {
public:
    explicit RecurrentModel(const RecurrentConfiguration& configuration);

    const RecurrentConfiguration& configuration() const { return configuration_; }
    const nn::ParameterLayout& layout() const { return layout_; }
    std::vector<SiteDescription> sites() const;
    MostTokens most_tokens() const;

    template <class Real>
    Encoded<Real> encode(nn::Tape<Real>& tape, const Sequences& source) const;
    /// `stream` is that of what the attention draws.
    template <class Real>
    Carried<Real> start(nn::Tape<Real>& tape, const Encoded<Real>& encoded, std::uint64_t stream = 0) const;
    /// One step for every sequence of the batch, whose newest tokens are `tokens` [b].
    template <class Real>
    Decoded<Real> step(nn::Tape<Real>& tape, const Encoded<Real>& encoded, const Carried<Real>& carried,
                       std::span<const Index> tokens, Hook<Real>* hook = nullptr) const {
        return step(tape, attention_, encoded, carried, tokens, hook);
    }
    /// What may follow: [b, target vocabulary].
    template <class Real>
    nn::Variable<Real> logits(nn::Tape<Real>& tape, const Encoded<Real>& encoded,
                              const Decoded<Real>& decoded, Hook<Real>* hook = nullptr) const {
        return logits(tape, encoded, std::span(&decoded, 1), hook);
    }

    /// The cross-entropy of the labels, summed and divided, the decoder being given the true tokens so far;
    /// and the coverage loss, if it has one.
    template <class Real>
    nn::Variable<Real> loss(nn::Tape<Real>& tape, const Batch& batch, Real divisor,
                            std::uint64_t stream = 0) const;

private:
    /// From this one on, counted from 0 above the first, each layer adds what it was given.
    static constexpr std::size_t first_residual = 1;

    /// Layers above the first of an encoder read in one direction.
    bool keeps_both_directions() const { return configuration_.bidirectional && configuration_.layers == 1; }
    Index key_width() const { return configuration_.width * (keeps_both_directions() ? 2 : 1); }
    /// How wide that is which the decoder is given of the source in each step.
    Index context_width() const { return graph_ ? graph_->output_width() : key_width(); }
    bool is_hard() const { return !graph_ && configuration_.normalizer.type == NormalizerType::hard; }
    bool asks_first() const { return configuration_.style == DecoderStyle::bahdanau; }
    bool has_states() const { return configuration_.style != DecoderStyle::dense; }
    /// Its cell is given a_{t-1} too.
    bool feeds_back() const;
    /// Context and state are made one vector.
    bool has_combination() const;
    std::string site_of_hop(Index hop) const;
    void make_graph();
    void add_encoder();
    void add_decoder();
    void add_attention_or_program();
    void add_pointer();
    template <class Real>
    Decoded<Real> step(nn::Tape<Real>& tape, const Attention& attention, const Encoded<Real>& encoded,
                       const Carried<Real>& carried, std::span<const Index> tokens, Hook<Real>* hook) const;
    /// What a decoder is given of the source.
    template <class Real>
    struct Asked {
        nn::Variable<Real> context, weights;  ///< [b, context width], [b, m]
    };
    /// Asks once, as the site of this hop.
    template <class Real>
    Asked<Real> ask(nn::Tape<Real>& tape, const Attention& attention, const Encoded<Real>& encoded,
                    nn::Variable<Real> query, const SiteCall& call, AttentionState<Real>& state,
                    Hook<Real>* hook) const;
    /// Through the layers above the first, which are given the context too where there is one: what the last
    /// one says.
    template <class Real>
    nn::Variable<Real> climb(nn::Tape<Real>& tape, nn::Variable<Real> below, nn::Variable<Real> context,
                             const Carried<Real>& before, Carried<Real>& after) const;
    /// The context of a step by the mechanism's program: [b, context width].
    template <class Real>
    nn::Variable<Real> attend_by_program(nn::Tape<Real>& tape, const Encoded<Real>& encoded,
                                         nn::Variable<Real> query, std::span<const Index> tokens,
                                         SiteCall call, Hook<Real>* hook) const;
    /// Returns the logits of several steps, one below the other.
    template <class Real>
    nn::Variable<Real> logits(nn::Tape<Real>& tape, const Encoded<Real>& encoded,
                              std::span<const Decoded<Real>> decoded, Hook<Real>* hook) const;
    /// All steps that read `inputs`.
    template <class Real>
    std::vector<Decoded<Real>> decode(nn::Tape<Real>& tape, const Attention& attention,
                                      const Encoded<Real>& encoded, const Sequences& inputs,
                                      std::uint64_t stream, Hook<Real>* hook) const;
    /// The coverage loss of all steps, divided as the cross-entropy is.
    template <class Real>
    nn::Variable<Real> coverage_loss(nn::Tape<Real>& tape, std::span<const Decoded<Real>> decoded,
                                     const Sequences& labels, Real divisor) const;

    RecurrentConfiguration configuration_;
    nn::ParameterLayout layout_;
    nn::Weight source_embedding_, target_embedding_;
    nn::Cell forward_, backward_, decoder_;
    std::vector<nn::Cell> encoder_above_, decoder_above_;
    nn::Weight first_, first_bias_;
    nn::Weight dense_, dense_bias_;  ///< in place of the decoder's cell, of DecoderStyle::dense
    Attention attention_;            ///< of a mechanism's program nothing but how many places it knows
    std::shared_ptr<const nn::GraphAttention> graph_;  ///< in place of it; null without a mechanism
    nn::NamedWeights graph_weights_;
    Attention drawing_;  ///< the same, hard attention drawing its keys: to learn with
    BaselineWeights baseline_;
    nn::Weight pointer_, pointer_bias_;
    nn::Weight combine_, combine_bias_;  ///< bahdanau: the maxout's, of one layer; else W_c
    nn::Weight output_, output_bias_;    ///< none of a model that points
};

}  // namespace headlight
