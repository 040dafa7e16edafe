#pragma once

#include "core/attention/spec.h"
#include "core/model/onlooker.h"
#include "core/model/sequences.h"
#include "core/nn/recurrent.h"

#include <cstdint>

namespace headlight {

/// When a recurrent decoder asks its attention, and what for.
enum class DecoderStyle {
    bahdanau,  ///< query s_{i-1}; then s_i = cell(s_{i-1}, [y_{i-1}; c_i])            (Bahdanau et al. 2015,
               ///< A.2)
    luong,     ///< query h_t = cell(h_{t-1}, [y_{t-1}; a_{t-1}]); then a_t = tanh(W_c [c_t; h_t])
            ///<                                                                    (Luong et al. 2015, eq. 5)
    wrapper,  ///< as luong with a_t = W_c [h_t; c_t], the timing of TensorFlow's AttentionWrapper, which asks
              ///< with the new state whatever the score
};

/// An encoder and a decoder of recurrent cells with attention between them.
struct RecurrentConfiguration {
    Index source_vocabulary = 0;
    Index target_vocabulary = 0;
    Index embedding = 64;  ///< width of a token's vector, on both sides
    Index width = 128;     ///< h, of the decoder's states and of the encoder's in each direction
    nn::CellType cell = nn::CellType::gru;
    bool bidirectional = true;
    DecoderStyle style = DecoderStyle::bahdanau;
    bool input_feeding = true;  ///< luong: a_{t-1} is part of the cell's input
    Score score;
    Normalizer normalizer;
};

/// The weights of a score between a decoder's states and an encoder's, by the names of
/// core/attention/parameters.h.
struct AttentionWeights {
    nn::Weight general;     ///< W, [d_q, d_k]; concat: [d_q + d_k, d_a]
    nn::Weight query, key;  ///< W_1 [d_q, d_a], W_2 [d_k, d_a]
    nn::Weight bias;        ///< b, [1, d_a]
    nn::Weight v;           ///< [1, d_a]
    nn::Weight factor;      ///< g
};

/// A batch's source, read: what decoding starts from.
template <class Real>
struct Encoded {
    nn::Variable<Real> states;       ///< [m b, d_k]
    nn::Variable<Real> prepared;     ///< what the score makes of them once for all queries
    nn::State<Real> first;           ///< of the decoder
    std::span<const Index> lengths;  ///< [b]
    Index steps = 0;                 ///< m
};

/// What a decoder carries from step to step.
template <class Real>
struct Carried {
    nn::State<Real> state;
    nn::Variable<Real> attentional;  ///< a_t, [b, h]: luong and wrapper
    Index steps = 0;                 ///< taken so far
};

/// One step of a decoder.
template <class Real>
struct Decoded {
    Carried<Real> next;
    nn::Variable<Real> readout;  ///< [b, r]: the logits are these times W_output
};

class RecurrentModel {
public:
    explicit RecurrentModel(const RecurrentConfiguration& configuration);

    const RecurrentConfiguration& configuration() const { return configuration_; }
    const nn::ParameterLayout& layout() const { return layout_; }

    template <class Real>
    Encoded<Real> encode(nn::Tape<Real>& tape, const Sequences& source) const;
    template <class Real>
    Carried<Real> start(nn::Tape<Real>& tape, const Encoded<Real>& encoded) const;
    /// One step for every sequence of the batch, whose newest tokens are `tokens` [b].
    template <class Real>
    Decoded<Real> step(nn::Tape<Real>& tape, const Encoded<Real>& encoded, const Carried<Real>& carried,
                       std::span<const Index> tokens, Onlooker<Real>* onlooker = nullptr) const;
    /// [n, r] -> [n, target vocabulary]
    template <class Real>
    nn::Variable<Real> logits(nn::Tape<Real>& tape, nn::Variable<Real> readout) const;

    /// The mean cross-entropy of the labels, the decoder being given the true tokens so far.
    template <class Real>
    nn::Variable<Real> loss(nn::Tape<Real>& tape, const Batch& batch, Real divisor) const;

private:
    Index key_width() const { return configuration_.width * (configuration_.bidirectional ? 2 : 1); }
    void add_attention();
    template <class Real>
    nn::Variable<Real> prepare(nn::Tape<Real>& tape, nn::Variable<Real> states) const;
    template <class Real>
    nn::Variable<Real> score(nn::Tape<Real>& tape, const Encoded<Real>& encoded,
                             nn::Variable<Real> query) const;

    RecurrentConfiguration configuration_;
    nn::ParameterLayout layout_;
    nn::Weight source_embedding_, target_embedding_;
    nn::Cell forward_, backward_, decoder_;
    nn::Weight first_, first_bias_;
    AttentionWeights attention_;
    nn::Weight combine_, combine_bias_;  ///< bahdanau: the maxout's; else W_c
    nn::Weight output_, output_bias_;
};

}  // namespace headlight
