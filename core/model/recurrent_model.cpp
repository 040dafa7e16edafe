#include "core/model/recurrent_model.h"

#include "core/model/attend.h"
#include "core/nn/attention.h"
#include "core/nn/operations.h"
#include "core/tensor/error.h"

#include <cmath>

namespace headlight {

using namespace nn;

RecurrentModel::RecurrentModel(const RecurrentConfiguration& configuration) : configuration_(configuration) {
    const RecurrentConfiguration& c = configuration_;
    const bool feeds = c.style != DecoderStyle::luong || c.input_feeding;
    source_embedding_ = layout_.add("source_embedding", c.source_vocabulary, c.embedding);
    target_embedding_ = layout_.add("target_embedding", c.target_vocabulary, c.embedding);
    forward_ = add_cell(layout_, "encoder.forward", c.cell, c.embedding, c.width);
    if (c.bidirectional) {
        backward_ = add_cell(layout_, "encoder.backward", c.cell, c.embedding, c.width);
        first_ = layout_.add("decoder.W_first", c.width, c.width);
        first_bias_ = layout_.add("decoder.b_first", 1, c.width, Initial::zero);
    }
    const Index fed = c.style == DecoderStyle::bahdanau ? key_width() : feeds ? c.width : 0;
    decoder_ = add_cell(layout_, "decoder", c.cell, c.embedding + fed, c.width);
    add_attention();
    if (c.style == DecoderStyle::bahdanau) {
        combine_ = layout_.add("readout.W", c.width + c.embedding + key_width(), 2 * c.width);
        combine_bias_ = layout_.add("readout.b", 1, 2 * c.width, Initial::zero);
    } else {
        combine_ = layout_.add("W_c", c.width + key_width(), c.width);
    }
    output_ = layout_.add("W_output", c.width, c.target_vocabulary);
    output_bias_ = layout_.add("b_output", 1, c.target_vocabulary, Initial::zero);
}

void RecurrentModel::add_attention() {
    const Score& score = configuration_.score;
    const Index query = configuration_.width, key = key_width();
    const Index width = score.attention_dimension.value_or(query);
    const auto add = [&](const char* name, Index rows, Index columns, Initial initial = Initial::xavier) {
        return layout_.add("attention." + std::string(name), rows, columns, initial);
    };
    switch (score.type) {
    case ScoreType::learned_scale:
        attention_.factor = add("g", 1, 1, Initial::one);
        [[fallthrough]];
    case ScoreType::dot:
    case ScoreType::scaled_dot:
        if (query != key)
            throw Error(
                {"make a recurrent model", "score",
                 "one that compares vectors of different widths (general, additive, concat)",
                 "a dot product of " + std::to_string(query) + " and " + std::to_string(key) + " numbers"});
        return;
    case ScoreType::general:
        attention_.general = add("W", query, key);
        return;
    case ScoreType::concat: {
        const Weight both = add("W", query + key, width);
        attention_.query = both.row_range(0, query);
        attention_.key = both.row_range(query, key);
        break;
    }
    case ScoreType::additive:
        attention_.query = add("W_1", query, width);
        attention_.key = add("W_2", key, width);
        break;
    default:
        throw Error({"make a recurrent model", "score",
                     "dot, scaled_dot, learned_scale, general, concat or additive", "another one"});
    }
    if (score.bias)
        attention_.bias = add("b", 1, width, Initial::zero);
    attention_.v = add("v", 1, width);
}

template <class Real>
Variable<Real> RecurrentModel::prepare(Tape<Real>& tape, Variable<Real> states) const {
    switch (configuration_.score.type) {
    case ScoreType::concat:
    case ScoreType::additive:
        return configuration_.score.bias ? affine(tape, states, attention_.key, attention_.bias)
                                         : product(tape, states, attention_.key);
    default:
        return states;
    }
}

template <class Real>
Variable<Real> RecurrentModel::score(Tape<Real>& tape, const Encoded<Real>& encoded,
                                     Variable<Real> query) const {
    const Pairing pairing{.batch = query.rows, .heads = 1, .queries = 1, .keys = encoded.steps};
    const auto compare = [&](Variable<Real> asked, Real factor) {
        return dot_scores(tape, pairing, asked, encoded.prepared, factor);
    };
    switch (configuration_.score.type) {
    case ScoreType::scaled_dot:
        return compare(query, 1 / std::sqrt(static_cast<Real>(query.columns)));
    case ScoreType::general:
        return compare(product(tape, query, attention_.general), Real(1));
    case ScoreType::concat:
    case ScoreType::additive:
        return energy_scores(tape, pairing, product(tape, query, attention_.query), encoded.prepared,
                             tape.weight(attention_.v), configuration_.score.activation);
    default:
        return compare(query, Real(1));
    }
}

template <class Real>
Encoded<Real> RecurrentModel::encode(Tape<Real>& tape, const Sequences& source) const {
    const Variable<Real> embedded = take_rows(tape, tape.weight(source_embedding_), source.tokens);
    const auto read = [&](const Cell& cell, Direction direction) {
        const Variable<Real> gates = affine(tape, embedded, cell.input, cell.input_bias);
        return scan(tape, cell, gates, zero_state(tape, cell, source.batch), source.lengths, direction);
    };
    Encoded<Real> encoded;
    encoded.steps = source.steps;
    encoded.lengths = source.lengths;
    const States<Real> forward = read(forward_, Direction::forward);
    if (configuration_.bidirectional) {
        const States<Real> backward = read(backward_, Direction::backward);
        encoded.states = join_columns(tape, forward.hidden, backward.hidden);
        // s_0 from the state that has read the whole source backward (Bahdanau et al. 2015, A.2.2)
        encoded.first = zero_state(tape, decoder_, source.batch);
        encoded.first.hidden = activate(
            tape, affine(tape, backward.at(0, source.batch).hidden, first_, first_bias_), Activation::tanh);
    } else {
        encoded.states = forward.hidden;
        encoded.first = forward.at(source.steps - 1, source.batch);
    }
    encoded.prepared = prepare(tape, encoded.states);
    return encoded;
}

template <class Real>
Carried<Real> RecurrentModel::start(Tape<Real>& tape, const Encoded<Real>& encoded) const {
    return {encoded.first, zero_state(tape, decoder_, encoded.first.hidden.rows).hidden, 0};
}

namespace {

/// The larger of each two neighbours: [n, 2 d] -> [n, d]                  (Goodfellow et al. 2013)
template <class Real>
Variable<Real> maxout(Tape<Real>& tape, Variable<Real> a) {
    const Variable<Real> y = tape.variable(a.rows, a.columns / 2);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = std::max(a.value[2 * i], a.value[2 * i + 1]);
    tape.on_backward([=](Tape<Real>&) {
        for (Index i = 0; i < y.size(); ++i)
            a.gradient[2 * i + (a.value[2 * i] < a.value[2 * i + 1] ? 1 : 0)] += y.gradient[i];
    });
    return y;
}

}  // namespace

template <class Real>
Decoded<Real> RecurrentModel::step(Tape<Real>& tape, const Encoded<Real>& encoded,
                                   const Carried<Real>& carried, std::span<const Index> tokens,
                                   Onlooker<Real>* onlooker) const {
    const Index batch = carried.state.hidden.rows, embedding = configuration_.embedding;
    const Pairing pairing{.batch = batch, .heads = 1, .queries = 1, .keys = encoded.steps};
    const Variable<Real> embedded = take_rows(tape, tape.weight(target_embedding_), tokens);
    const Variable<Real> gates =
        affine(tape, embedded, decoder_.input.row_range(0, embedding), decoder_.input_bias);
    const Weight fed = decoder_.input.row_range(embedding, decoder_.input.rows - embedding);

    Decoded<Real> decoded;
    decoded.next.steps = carried.steps + 1;
    const auto context_for = [&](Variable<Real> query) {
        const SiteCall call{"decoder.cross", pairing, carried.steps};
        return attend(tape, call, query, score(tape, encoded, query), encoded.states,
                      {encoded.lengths, false}, configuration_.normalizer, onlooker)
            .context;
    };
    if (configuration_.style == DecoderStyle::bahdanau) {
        const Variable<Real> context = context_for(carried.state.hidden);
        const States<Real> next = scan(tape, decoder_, add_product(tape, gates, context, fed), carried.state);
        decoded.next.state = next.at(0, batch);
        const Variable<Real> known =
            join_columns(tape, join_columns(tape, carried.state.hidden, embedded), context);
        decoded.readout = maxout(tape, affine(tape, known, combine_, combine_bias_));
        return decoded;
    }
    const bool feeds = fed.rows > 0;
    const States<Real> next = scan(
        tape, decoder_, feeds ? add_product(tape, gates, carried.attentional, fed) : gates, carried.state);
    decoded.next.state = next.at(0, batch);
    const Variable<Real> hidden = decoded.next.state.hidden;
    const Variable<Real> context = context_for(hidden);
    const bool is_wrapper = configuration_.style == DecoderStyle::wrapper;
    const Variable<Real> both =
        is_wrapper ? join_columns(tape, hidden, context) : join_columns(tape, context, hidden);
    const Variable<Real> combined = product(tape, both, combine_);
    decoded.next.attentional = is_wrapper ? combined : activate(tape, combined, Activation::tanh);
    decoded.readout = decoded.next.attentional;
    return decoded;
}

template <class Real>
Variable<Real> RecurrentModel::logits(Tape<Real>& tape, Variable<Real> readout) const {
    return affine(tape, readout, output_, output_bias_);
}

template <class Real>
Variable<Real> RecurrentModel::loss(Tape<Real>& tape, const Batch& batch, Real divisor) const {
    const Encoded<Real> encoded = encode(tape, batch.source);
    Carried<Real> carried = start(tape, encoded);
    std::vector<Variable<Real>> readouts;
    for (Index t = 0; t < batch.inputs.steps; ++t) {
        const Decoded<Real> decoded = step(tape, encoded, carried, batch.inputs.at(t));
        carried = decoded.next;
        readouts.push_back(decoded.readout);
    }
    return cross_entropy<Real>(tape, logits(tape, join_rows<Real>(tape, readouts)), batch.labels.tokens,
                               divisor);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Encoded<Real> RecurrentModel::encode(Tape<Real>&, const Sequences&) const;                      \
    template Carried<Real> RecurrentModel::start(Tape<Real>&, const Encoded<Real>&) const;                   \
    template Decoded<Real> RecurrentModel::step(Tape<Real>&, const Encoded<Real>&, const Carried<Real>&,     \
                                                std::span<const Index>, Onlooker<Real>*) const;              \
    template Variable<Real> RecurrentModel::logits(Tape<Real>&, Variable<Real>) const;                       \
    template Variable<Real> RecurrentModel::loss(Tape<Real>&, const Batch&, Real) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
