// One step of a recurrent decoder, and what it says.

#include "core/model/recurrent_model.h"
#include "core/model/vocabulary.h"
#include "core/nn/attention.h"
#include "core/nn/copy.h"
#include "core/nn/operations.h"
#include "core/nn/positions.h"

#include <algorithm>
#include <array>
#include <limits>

namespace headlight {

using namespace nn;

namespace {

/// The larger of each two neighbours: [n, 2 d] -> [n, d]                  (Goodfellow et al. 2013)
template <class Real>
Variable<Real> maxout(Tape<Real>& tape, Variable<Real> a) {
    const Variable<Real> y = tape.variable(a.rows, a.columns / 2);
    for (Index i = 0; i < y.size(); ++i)
        y.value[i] = std::max(a.value[2 * i], a.value[2 * i + 1]);
    tape.on_backward([=](Tape<Real>&) {
        Real* of_a = a.gradient();
        const Real* of_y = y.gradient();
        for (Index i = 0; i < y.size(); ++i)
            of_a[2 * i + (a.value[2 * i] < a.value[2 * i + 1] ? 1 : 0)] += of_y[i];
    });
    return y;
}

/// Logits of nothing but the end of the text: [rows, words]
template <class Real>
Variable<Real> only_the_end(Tape<Real>& tape, Index rows, Index words) {
    const Variable<Real> logits = tape.constant(rows, words);
    std::fill_n(logits.value, logits.size(), -std::numeric_limits<Real>::infinity());
    for (Index row = 0; row < rows; ++row)
        logits.row(row)[Vocabulary::end] = 0;
    return logits;
}

}  // namespace

template <class Real>
Variable<Real> RecurrentModel::attend_by_program(Tape<Real>& tape, const Encoded<Real>& encoded,
                                                 Variable<Real> query, std::span<const Index> tokens,
                                                 SiteCall call, Hook<Real>* hook) const {
    // A text that is over asks for nothing.
    std::vector<Index> asked;
    asked.reserve(tokens.size());
    for (const Index token : tokens)
        asked.push_back(token == Sequences::none ? 0 : 1);
    const Index batch = std::ssize(asked);
    Variable<Real> maps;
    const Variable<Real> context =
        graph_->attend(tape, {batch, query, encoded.states, asked, encoded.lengths, 0}, graph_weights_,
                       hook ? &maps : nullptr);
    if (hook) {
        call.pairing.heads = graph_->spec().heads.count();
        call.stream = GraphAttention::draws();
        hook->attended(call, query, maps);
    }
    return context;
}

template <class Real>
RecurrentModel::Asked<Real> RecurrentModel::ask(Tape<Real>& tape, const Attention& attention,
                                                const Encoded<Real>& encoded, Variable<Real> query,
                                                const SiteCall& call, AttentionState<Real>& state,
                                                Hook<Real>* hook) const {
    const ScoreWeights& weights = attention.score_weights;
    const Variable<Real> map = scores(tape, call.pairing, attention.score,
                                      normalized_queries(tape, call.pairing, attention.score, query, weights),
                                      encoded.keys, weights, &state.score);
    const Attended<Real> attended =
        attend(tape, call, attention, {query, map, encoded.states, {encoded.lengths, false}}, state, hook);
    return {attended.context, attended.weights};
}

template <class Real>
Variable<Real> RecurrentModel::climb(Tape<Real>& tape, Variable<Real> below, Variable<Real> context,
                                     const Carried<Real>& before, Carried<Real>& after) const {
    for (std::size_t i = 0; i < decoder_above_.size(); ++i) {
        const Cell& cell = decoder_above_[i];
        const Variable<Real> given = context.value ? join_columns(tape, below, context) : below;
        const Variable<Real> gates = affine(tape, given, cell.input, cell.input_bias);
        after.above.push_back(scan(tape, cell, gates, before.above[i]).at(0, below.rows));
        const Variable<Real> said = after.above.back().hidden;
        below = i < first_residual ? said : add(tape, said, below);
    }
    return below;
}

template <class Real>
Decoded<Real> RecurrentModel::step(Tape<Real>& tape, const Attention& attention, const Encoded<Real>& encoded,
                                   const Carried<Real>& carried, std::span<const Index> tokens,
                                   Hook<Real>* hook) const {
    require_places(attention, carried.steps + 1, 0);
    const Index batch = carried.state.hidden.rows, embedding = configuration_.embedding;
    const Variable<Real> embedded = take_rows(tape, tape.weight(target_embedding_), tokens);
    Variable<Real> gates;  // of the first layer
    Weight fed;            // by which it is given what comes beside the token
    if (has_states()) {
        gates = affine(tape, embedded, decoder_.input.row_range(0, embedding), decoder_.input_bias);
        fed = decoder_.input.row_range(embedding, decoder_.input.rows - embedding);
    }

    Decoded<Real> decoded;
    decoded.next.steps = carried.steps + 1;
    decoded.next.attention = carried.attention;
    const auto context_for = [&](Variable<Real> query) {
        Asked<Real> asked;
        for (Index hop = 0; hop < configuration_.hops; ++hop) {
            if (hop > 0)
                query = add(tape, query, asked.context);
            // Every hop is the same query of the sequence.
            AttentionState<Real> state = carried.attention;
            const SiteCall call{site_of_hop(hop), encoded.pairing(), carried.steps, state.normalizer.stream};
            if (graph_)
                asked.context = attend_by_program(tape, encoded, query, tokens, call, hook);
            else
                asked = ask(tape, attention, encoded, query, call, state, hook);
            decoded.next.attention = state;
        }
        decoded.weights = asked.weights;
        return asked.context;
    };
    // The first layer's new state, with what it is given beside the token.
    const auto move_on = [&](Variable<Real> given) {
        const Variable<Real> input = fed.rows > 0 ? add_product(tape, gates, given, fed) : gates;
        decoded.next.state = scan(tape, decoder_, input, carried.state).at(0, batch);
        return decoded.next.state.hidden;
    };
    Variable<Real> context, top;
    if (asks_first()) {
        context = context_for(carried.state.hidden);
        top = climb(tape, move_on(context), context, carried, decoded.next);
        decoded.readout = top;
        if (has_combination()) {
            const Variable<Real> known =
                join_columns<Real>(tape, std::array{carried.state.hidden, embedded, context});
            decoded.readout = maxout(tape, affine(tape, known, combine_, combine_bias_));
        }
    } else {
        if (has_states())
            top = climb(tape, move_on(carried.attentional), {}, carried, decoded.next);
        else
            top = decoded.next.state.hidden =
                affine(tape, add_sinusoids(tape, embedded, batch, carried.steps), dense_, dense_bias_,
                       Activation::tanh);
        context = context_for(top);
        if (has_combination()) {
            const bool is_wrapper = configuration_.style == DecoderStyle::wrapper;
            const Variable<Real> both =
                is_wrapper ? join_columns(tape, top, context) : join_columns(tape, context, top);
            const Variable<Real> combined = product(tape, both, combine_);
            decoded.readout = is_wrapper ? combined : activate(tape, combined, Activation::tanh);
        }
        decoded.next.attentional = decoded.readout;
    }
    if (configuration_.quotes())
        decoded.gate = affine(tape, join_columns<Real>(tape, std::array{context, top, embedded}), pointer_,
                              pointer_bias_);
    return decoded;
}

template <class Real>
Variable<Real> RecurrentModel::logits(Tape<Real>& tape, const Encoded<Real>& encoded,
                                      std::span<const Decoded<Real>> decoded, Hook<Real>* hook) const {
    const auto all = [&](Variable<Real> Decoded<Real>::*member) {
        std::vector<Variable<Real>> parts;
        for (const Decoded<Real>& each : decoded)
            parts.push_back(each.*member);
        return parts.size() == 1 ? parts.front() : join_rows(tape, std::span<const Variable<Real>>(parts));
    };
    if (!configuration_.quotes())
        return affine(tape, all(&Decoded<Real>::readout), output_, output_bias_);
    const Variable<Real> weights = all(&Decoded<Real>::weights), gate = all(&Decoded<Real>::gate);
    const Variable<Real> written = configuration_.points
                                       ? only_the_end(tape, gate.rows, configuration_.target_vocabulary)
                                       : affine(tape, all(&Decoded<Real>::readout), output_, output_bias_);
    const std::span<const Index> words(encoded.words);
    if (hook)
        hook->mixture(copy_mixture(tape, written, weights, gate, words));
    return copy_logits(tape, written, weights, gate, words);
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Decoded<Real> RecurrentModel::step(Tape<Real>&, const Attention&, const Encoded<Real>&,         \
                                                const Carried<Real>&, std::span<const Index>, Hook<Real>*)   \
        const;                                                                                               \
    template Variable<Real> RecurrentModel::logits(Tape<Real>&, const Encoded<Real>&,                        \
                                                   std::span<const Decoded<Real>>, Hook<Real>*) const;
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight
