#include "core/attention/normalizers/rows.h"
#include "core/nn/attention_parts.h"

#include <cassert>

namespace headlight::nn {

namespace {

/// The tokens of a sequence lie as far apart as the batch is wide: head by head they would come from memory
/// again and again. So the rows of one sequence are brought side by side, all heads of them, and back again.
template <class Real>
class SequenceRows {
public:
    SequenceRows(const Pairing& pairing, Index tokens, Index columns, Real* place)
        : batch_(pairing.batch), width_(columns / pairing.heads), tokens_(tokens), columns_(columns),
          place_(place) {}

    Real* end() const { return place_ + tokens_ * columns_; }
    Strip<Real> head(Index number) const { return {place_ + number * width_, columns_}; }
    void clear() const { std::fill_n(place_, tokens_ * columns_, Real(0)); }
    void take(const Real* all, Index sequence) const {
        for (Index t = 0; t < tokens_; ++t)
            std::copy_n(all + of_all(t, sequence), columns_, row(t));
    }
    void put(Index sequence, Real* all) const {
        for (Index t = 0; t < tokens_; ++t)
            std::copy_n(row(t), columns_, all + of_all(t, sequence));
    }
    void add_to(const Arithmetic<Real>& arithmetic, Index sequence, Real* all) const {
        for (Index t = 0; t < tokens_; ++t)
            arithmetic.add(row(t), columns_, all + of_all(t, sequence));
    }

private:
    Real* row(Index token) const { return place_ + token * columns_; }
    Index of_all(Index token, Index sequence) const { return (token * batch_ + sequence) * columns_; }

    Index batch_, width_, tokens_, columns_;
    Real* place_;
};

template <class Real>
struct SoftAttention {
    Pairing pairing;
    Variable<Real> query, key, value, context;
    Real* weights;  ///< [b h n, m]
    Real factor, temperature;

    Real* map(Index sequence, Index head) const {
        return weights + pairing.map_row(sequence, head, 0) * pairing.keys;
    }
    Index map_size() const { return pairing.queries * pairing.keys; }
    /// Returns the numbers of the vectors of one sequence.
    Index size() const {
        return pairing.queries * (query.columns + context.columns) +
               pairing.keys * (key.columns + value.columns);
    }
    Index packing_size() const {
        return std::max(PairProducts<Real>::packing_size(pairing, query.columns / pairing.heads),
                        PairProducts<Real>::packing_size(pairing, value.columns / pairing.heads));
    }
};

/// The vectors of one sequence, or their gradients.
template <class Real>
struct Sequence {
    Sequence(const SoftAttention<Real>& a, Real* place)
        : query(a.pairing, a.pairing.queries, a.query.columns, place),
          key(a.pairing, a.pairing.keys, a.key.columns, query.end()),
          value(a.pairing, a.pairing.keys, a.value.columns, key.end()),
          context(a.pairing, a.pairing.queries, a.context.columns, value.end()) {}

    SequenceRows<Real> query, key, value, context;
};

template <class Real>
void run(Tape<Real>& tape, const SoftAttention<Real>& a, const Allowed& allowed) {
    const Pairing& pairing = a.pairing;
    Real* place = tape.scratch(a.size() + a.packing_size());
    const Sequence<Real> at(a, place);
    const PairProducts<Real> of_scores(tape, pairing, a.query.columns / pairing.heads, at.context.end()),
        of_values(tape, pairing, a.value.columns / pairing.heads, at.context.end());
    for (Index sequence = 0; sequence < pairing.batch; ++sequence) {
        at.query.take(a.query.value, sequence);
        at.key.take(a.key.value, sequence);
        at.value.take(a.value.value, sequence);
        at.context.clear();
        for (Index head = 0; head < pairing.heads; ++head) {
            Real* map = a.map(sequence, head);
            of_scores.compare(at.query.head(head), at.key.head(head), map, false);
            for (Index i = 0; i < pairing.queries; ++i) {
                Real* row = map + i * pairing.keys;
                const Index end = end_of_keys(pairing, allowed, sequence, i);
                for (Index j = 0; j < end; ++j)
                    row[j] *= a.factor;
                softmax_row(row, end, tape.kernels(), Unrecorded(), a.temperature);
                std::fill(row + end, row + pairing.keys, Real(0));
            }
            of_values.gather(map, at.value.head(head), at.context.head(head));
        }
        at.context.put(sequence, a.context.value);
    }
}

/// Where the gradients of an operand's sequences go.
template <class Real>
class Receiver {
public:
    Receiver(Tape<Real>& tape, Variable<Real> operand, bool is_alone)
        : arithmetic_(tape.arithmetic()), untouched_(is_alone ? operand.untouched_gradient() : nullptr),
          gradient_(operand.gradient()) {}

    void give(const SequenceRows<Real>& rows, Index sequence) const {
        if (untouched_)
            rows.put(sequence, untouched_);
        else if (gradient_)
            rows.add_to(arithmetic_, sequence, gradient_);
    }

private:
    const Arithmetic<Real>& arithmetic_;
    Real *untouched_, *gradient_;
};

template <class Real>
void run_backward(Tape<Real>& tape, const SoftAttention<Real>& a) {
    const Pairing& pairing = a.pairing;
    Real* place = tape.scratch(2 * a.size() + 2 * a.map_size() + a.packing_size());
    const Sequence<Real> at(a, place), of(a, at.context.end());
    Real *of_weights = of.context.end(), *of_map = of_weights + a.map_size();
    Real* packing = of_map + a.map_size();
    const PairProducts<Real> of_scores(tape, pairing, a.query.columns / pairing.heads, packing),
        of_values(tape, pairing, a.value.columns / pairing.heads, packing);
    // Operands may alias (self-attention passes the same rows as query and key), so gradients are then
    // accumulated, never assigned.
    const bool are_apart = !a.query.shares_gradient_with(a.key) && !a.query.shares_gradient_with(a.value) &&
                           !a.key.shares_gradient_with(a.value);
    const Receiver<Real> to_query(tape, a.query, are_apart), to_key(tape, a.key, are_apart),
        to_value(tape, a.value, are_apart);
    for (Index sequence = 0; sequence < pairing.batch; ++sequence) {
        at.query.take(a.query.value, sequence);
        at.key.take(a.key.value, sequence);
        at.value.take(a.value.value, sequence);
        of.context.take(a.context.gradient(), sequence);
        of.query.clear();
        of.key.clear();
        of.value.clear();
        for (Index head = 0; head < pairing.heads; ++head) {
            const Real* weights = a.map(sequence, head);
            const Strip<Real> of_context = of.context.head(head);
            of_values.compare(of_context, at.value.head(head), of_weights, false);
            of_values.scatter(weights, of_context, of.value.head(head));
            std::fill_n(of_map, a.map_size(), Real(0));
            tape.arithmetic().add_softmax_slopes(weights, of_weights, pairing.queries, pairing.keys,
                                                 1 / a.temperature, of_map);
            for (Index i = 0; i < a.map_size(); ++i)
                of_map[i] *= a.factor;
            of_scores.gather(of_map, at.key.head(head), of.query.head(head));
            of_scores.scatter(of_map, at.query.head(head), of.key.head(head));
        }
        to_query.give(of.query, sequence);
        to_key.give(of.key, sequence);
        to_value.give(of.value, sequence);
    }
}

}  // namespace

template <class Real>
Variable<Real> soft_attention(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query,
                              Variable<Real> key, Variable<Real> value, const Allowed& allowed, Real factor,
                              Real temperature) {
    assert(query.rows == pairing.queries * pairing.batch && key.rows == pairing.keys * pairing.batch);
    assert(query.columns == key.columns && value.rows == key.rows);
    const SoftAttention<Real> attention{.pairing = pairing,
                                        .query = query,
                                        .key = key,
                                        .value = value,
                                        .context =
                                            tape.variable(pairing.queries * pairing.batch, value.columns),
                                        .weights = tape.room(pairing.map_rows() * pairing.keys),
                                        .factor = factor,
                                        .temperature = temperature};
    run(tape, attention, allowed);
    tape.on_backward([attention](Tape<Real>& t) { run_backward(t, attention); });
    return attention.context;
}

template Variable<float> soft_attention(Tape<float>&, const Pairing&, Variable<float>, Variable<float>,
                                        Variable<float>, const Allowed&, float, float);
template Variable<double> soft_attention(Tape<double>&, const Pairing&, Variable<double>, Variable<double>,
                                         Variable<double>, const Allowed&, double, double);

}  // namespace headlight::nn
