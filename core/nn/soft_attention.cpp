#include "core/attention/normalizers/rows.h"
#include "core/nn/attention_parts.h"

#include <cassert>
#include <type_traits>

namespace headlight::nn {

namespace {

// The tokens of a sequence lie as far apart as the batch is wide: head by head they would come from memory
// again and again. So the rows of one sequence are brought side by side, all heads of them, and back again.

template <class Real>
void copy_rows(MatrixView<const std::type_identity_t<Real>> from, MatrixView<Real> to) {
    for (Index r = 0; r < from.rows; ++r)
        std::copy_n(from.row(r), from.columns, to.row(r));
}

template <class Real>
void add_rows(const kernels::Arithmetic<Real>& arithmetic, MatrixView<const Real> from, MatrixView<Real> to) {
    for (Index r = 0; r < from.rows; ++r)
        arithmetic.add(from.row(r), from.columns, to.row(r));
}

/// Sets rows that have no gap between them to 0.
template <class Real>
void clear(MatrixView<Real> rows) {
    std::fill_n(rows.data, rows.rows * rows.columns, Real(0));
}

template <class Real>
struct SoftAttention {
    Pairing pairing;
    Variable<Real> query, key, value, context;
    MatrixView<Real> weights;  ///< [b h n, m]
    Real factor, temperature;

    MatrixView<Real> map(Index sequence, Index head) const {
        return weights.row_range(pairing.map_row(sequence, head, 0), pairing.queries);
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

/// The vectors of one sequence, or their gradients, side by side.
template <class Real>
struct Sequence {
    Sequence(const SoftAttention<Real>& a, Real* place)
        : query(row_major(place, a.pairing.queries, a.query.columns)),
          key(row_major(place + a.pairing.queries * a.query.columns, a.pairing.keys, a.key.columns)),
          value(row_major(key.data + a.pairing.keys * a.key.columns, a.pairing.keys, a.value.columns)),
          context(
              row_major(value.data + a.pairing.keys * a.value.columns, a.pairing.queries, a.context.columns)),
          end(place + a.size()) {}

    MatrixView<Real> query, key, value, context;
    Real* end;
};

template <class Real>
void run(Tape<Real>& tape, const SoftAttention<Real>& a, const Allowed& allowed) {
    const Pairing& pairing = a.pairing;
    Real* place = tape.scratch(a.size() + a.packing_size());
    const Sequence<Real> at(a, place);
    const PairProducts<Real> products(tape, at.end);
    for (Index sequence = 0; sequence < pairing.batch; ++sequence) {
        copy_rows(sequence_of(a.query.view(), pairing, sequence), at.query);
        copy_rows(sequence_of(a.key.view(), pairing, sequence), at.key);
        copy_rows(sequence_of(a.value.view(), pairing, sequence), at.value);
        clear(at.context);
        for (Index head = 0; head < pairing.heads; ++head) {
            const MatrixView<Real> map = a.map(sequence, head);
            products.compare(head_of(at.query, pairing, head), head_of(at.key, pairing, head), map, false);
            for (Index i = 0; i < pairing.queries; ++i) {
                Real* row = map.row(i);
                const Index end = end_of_keys(pairing, allowed, sequence, i);
                for (Index j = 0; j < end; ++j)
                    row[j] *= a.factor;
                softmax_row(row, end, tape.kernels(), Unrecorded(), a.temperature);
                std::fill(row + end, row + pairing.keys, Real(0));
            }
            products.gather(map, head_of(at.value, pairing, head), head_of(at.context, pairing, head));
        }
        copy_rows(at.context, sequence_of(a.context.view(), pairing, sequence));
    }
}

/// Where the gradients of an operand's sequences go.
template <class Real>
class Receiver {
public:
    Receiver(Tape<Real>& tape, const Pairing& pairing, Variable<Real> operand, bool is_alone)
        : arithmetic_(tape.arithmetic()), pairing_(pairing),
          is_untouched_(is_alone && operand.untouched_gradient()), gradient_(operand.gradient_view()) {}

    void give(MatrixView<Real> rows, Index sequence) const {
        if (is_untouched_)
            copy_rows(rows, sequence_of(gradient_, pairing_, sequence));
        else if (gradient_.data)
            add_rows<Real>(arithmetic_, rows, sequence_of(gradient_, pairing_, sequence));
    }

private:
    const kernels::Arithmetic<Real>& arithmetic_;
    const Pairing& pairing_;
    bool is_untouched_;
    MatrixView<Real> gradient_;
};

template <class Real>
void run_backward(Tape<Real>& tape, const SoftAttention<Real>& a) {
    const Pairing& pairing = a.pairing;
    Real* place = tape.scratch(2 * a.size() + 2 * a.map_size() + a.packing_size());
    const Sequence<Real> at(a, place), of(a, at.end);
    const MatrixView<Real> of_weights = row_major(of.end, pairing.queries, pairing.keys);
    const MatrixView<Real> of_map = row_major(of.end + a.map_size(), pairing.queries, pairing.keys);
    const PairProducts<Real> products(tape, of.end + 2 * a.map_size());
    // Operands may alias (self-attention passes the same rows as query and key), so gradients are then
    // accumulated, never assigned.
    const bool are_apart = !a.query.shares_gradient_with(a.key) && !a.query.shares_gradient_with(a.value) &&
                           !a.key.shares_gradient_with(a.value);
    const Receiver<Real> to_query(tape, pairing, a.query, are_apart), to_key(tape, pairing, a.key, are_apart),
        to_value(tape, pairing, a.value, are_apart);
    for (Index sequence = 0; sequence < pairing.batch; ++sequence) {
        copy_rows(sequence_of(a.query.view(), pairing, sequence), at.query);
        copy_rows(sequence_of(a.key.view(), pairing, sequence), at.key);
        copy_rows(sequence_of(a.value.view(), pairing, sequence), at.value);
        copy_rows(sequence_of(a.context.gradient_view(), pairing, sequence), of.context);
        clear(of.query);
        clear(of.key);
        clear(of.value);
        for (Index head = 0; head < pairing.heads; ++head) {
            const MatrixView<Real> weights = a.map(sequence, head);
            const MatrixView<Real> of_context = head_of(of.context, pairing, head);
            products.compare(of_context, head_of(at.value, pairing, head), of_weights, false);
            products.scatter(weights, of_context, head_of(of.value, pairing, head));
            clear(of_map);
            tape.arithmetic().add_softmax_slopes(weights.data, of_weights.data, pairing.queries, pairing.keys,
                                                 1 / a.temperature, of_map.data);
            for (Index i = 0; i < a.map_size(); ++i)
                of_map.data[i] *= a.factor;
            products.gather(of_map, head_of(at.key, pairing, head), head_of(of.query, pairing, head));
            products.scatter(of_map, head_of(at.query, pairing, head), head_of(of.key, pairing, head));
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
    assert(query.columns == key.columns && value.rows == key.rows && allowed.first == 0);
    const SoftAttention<Real> attention{
        .pairing = pairing,
        .query = query,
        .key = key,
        .value = value,
        .context = tape.variable(pairing.queries * pairing.batch, value.columns),
        .weights = row_major(tape.room(pairing.map_rows() * pairing.keys), pairing.map_rows(), pairing.keys),
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
