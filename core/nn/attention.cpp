#include "core/nn/attention.h"

#include "core/attention/normalizers/rows.h"
#include "core/nn/attention_parts.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace headlight::nn {

namespace {

template <class Real>
void check([[maybe_unused]] const Pairing& pairing, [[maybe_unused]] Variable<Real> query,
           [[maybe_unused]] Variable<Real> key) {
    assert(query.rows == pairing.queries * pairing.batch && key.rows == pairing.keys * pairing.batch);
    assert(query.columns == key.columns && query.columns % pairing.heads == 0);
}

}  // namespace

template <class Real>
Variable<Real> dot_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query, Variable<Real> key,
                          Real factor) {
    check(pairing, query, key);
    const Variable<Real> scores = tape.variable(pairing.map_rows(), pairing.keys);
    const PairProducts<Real> products(tape, pairing, query.columns / pairing.heads);
    for_each_head(pairing, [&](Index sequence, Index head, Index row) {
        products.compare(head_of(query.view(), pairing, sequence, head),
                         head_of(key.view(), pairing, sequence, head),
                         scores.view().row_range(row, pairing.queries), false);
    });
    for (Index i = 0; i < scores.size(); ++i)
        scores.value[i] *= factor;
    tape.on_backward([=](Tape<Real>& t) {
        Real* of_scores = scores.gradient();
        for (Index i = 0; i < scores.size(); ++i)
            of_scores[i] *= factor;  // which nobody reads after this
        const PairProducts<Real> back(t, pairing, query.columns / pairing.heads);
        for_each_head(pairing, [&](Index sequence, Index head, Index row) {
            const auto of = [&](MatrixView<Real> all) { return head_of(all, pairing, sequence, head); };
            const MatrixView<Real> map = scores.gradient_view().row_range(row, pairing.queries);
            if (query.has_gradient())
                back.gather(map, of(key.view()), of(query.gradient_view()));
            if (key.has_gradient())
                back.scatter(map, of(query.view()), of(key.gradient_view()));
        });
    });
    return scores;
}

template <class Real>
Variable<Real> mix_values(Tape<Real>& tape, const Pairing& pairing, Variable<Real> weights,
                          Variable<Real> value) {
    assert(weights.rows == pairing.map_rows() && weights.columns == pairing.keys);
    assert(value.rows == pairing.keys * pairing.batch);
    const Variable<Real> context = tape.variable(pairing.queries * pairing.batch, value.columns);
    std::fill_n(context.value, context.size(), Real(0));
    const PairProducts<Real> products(tape, pairing, value.columns / pairing.heads);
    for_each_head(pairing, [&](Index sequence, Index head, Index row) {
        products.gather(weights.view().row_range(row, pairing.queries),
                        head_of(value.view(), pairing, sequence, head),
                        head_of(context.view(), pairing, sequence, head));
    });
    tape.on_backward([=](Tape<Real>& t) {
        const PairProducts<Real> back(t, pairing, value.columns / pairing.heads);
        for_each_head(pairing, [&](Index sequence, Index head, Index row) {
            const auto of = [&](MatrixView<Real> all) { return head_of(all, pairing, sequence, head); };
            const auto map = [&](MatrixView<Real> all) { return all.row_range(row, pairing.queries); };
            if (weights.has_gradient())
                back.compare(of(context.gradient_view()), of(value.view()), map(weights.gradient_view()),
                             true);
            if (value.has_gradient())
                back.scatter(map(weights.view()), of(context.gradient_view()), of(value.gradient_view()));
        });
    });
    return context;
}

namespace {

template <class Real>
struct Energies {
    Pairing pairing;
    Activation activation;
    Variable<Real> query, key, v, scores;
    Real* values;  ///< [b h n, m a], after the activation
    Index width;   ///< a
};

template <class Real>
void run_backward(Tape<Real>& tape, const Energies<Real>& e) {
    for_each_head(e.pairing, [&](Index sequence, Index head, Index first) {
        const MatrixView<Real> query = head_of(e.query.gradient_view(), e.pairing, sequence, head);
        const MatrixView<Real> key = head_of(e.key.gradient_view(), e.pairing, sequence, head);
        for (Index i = 0; i < e.pairing.queries; ++i)
            tape.arithmetic().add_energy_slopes(
                {.activation = e.activation,
                 .v = e.v.value,
                 .energies = e.values + (first + i) * e.pairing.keys * e.width,
                 .of_scores = e.scores.gradient_row(first + i),
                 .of_query = query.row(i),
                 .of_key = key,
                 .grad_v = e.v.gradient()});
    });
}

}  // namespace

template <class Real>
Variable<Real> energy_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query,
                             Variable<Real> key, Variable<Real> v, Activation activation) {
    check(pairing, query, key);
    const Index width = query.columns / pairing.heads;
    assert(v.size() == width);
    // What is not differentiated gets a gradient that nobody reads, so that the loops above need not ask.
    const Energies<Real> energies{.pairing = pairing,
                                  .activation = activation,
                                  .query = tape.with_gradient(query),
                                  .key = tape.with_gradient(key),
                                  .v = tape.with_gradient(v),
                                  .scores = tape.variable(pairing.map_rows(), pairing.keys),
                                  .values = tape.room(pairing.map_rows() * pairing.keys * width),
                                  .width = width};
    for_each_head(pairing, [&](Index sequence, Index head, Index first) {
        const MatrixView<Real> queries = head_of(query.view(), pairing, sequence, head);
        const MatrixView<Real> keys = head_of(key.view(), pairing, sequence, head);
        for (Index i = 0; i < pairing.queries; ++i)
            tape.arithmetic().score_energy_row(
                {.activation = activation,
                 .query = queries.row(i),
                 .key = keys,
                 .v = v.value,
                 .energies = energies.values + (first + i) * pairing.keys * width,
                 .scores = energies.scores.row(first + i)});
    });
    tape.on_backward([energies](Tape<Real>& t) { run_backward(t, energies); });
    return energies.scores;
}

template <class Real>
Variable<Real> mask_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                           const Allowed& allowed) {
    if (allowed.key_lengths.empty() && !allowed.causal && allowed.first == 0)
        return scores;
    const Variable<Real> masked = tape.variable(scores.rows, scores.columns);
    // One past the last key of each row: what counts lies side by side.
    auto* ends = tape.room_for_indices(std::vector<Index>(static_cast<std::size_t>(scores.rows)));
    for_each_head(pairing, [&](Index sequence, Index, Index first) {
        for (Index i = 0; i < pairing.queries; ++i)
            ends[first + i] = end_of_keys(pairing, allowed, sequence, i);
    });
    constexpr Real forbidden = -std::numeric_limits<Real>::infinity();
    const Index begin = allowed.first;
    for (Index r = 0; r < scores.rows; ++r) {
        ends[r] = std::max(ends[r], begin);
        std::fill_n(masked.row(r), begin, forbidden);
        std::copy(scores.row(r) + begin, scores.row(r) + ends[r], masked.row(r) + begin);
        std::fill(masked.row(r) + ends[r], masked.row(r) + pairing.keys, forbidden);
    }
    tape.on_backward([=](Tape<Real>& t) {
        for (Index r = 0; scores.has_gradient() && r < scores.rows; ++r)
            t.arithmetic().add(masked.gradient_row(r) + begin, ends[r] - begin,
                               scores.gradient_row(r) + begin);
    });
    return masked;
}

template <class Real>
Variable<Real> softmax(Tape<Real>& tape, Variable<Real> scores, Real temperature) {
    const Variable<Real> weights = tape.variable(scores.rows, scores.columns);
    std::copy_n(scores.value, scores.size(), weights.value);
    for (Index r = 0; r < weights.rows; ++r)
        softmax_row(weights.row(r), weights.columns, tape.kernels(), Unrecorded(), temperature);
    tape.on_backward([=](Tape<Real>& t) {
        if (scores.has_gradient())
            t.arithmetic().add_softmax_slopes(weights.value, weights.gradient(), weights.rows,
                                              weights.columns, 1 / temperature, scores.gradient());
    });
    return weights;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> dot_scores(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>, Real);   \
    template Variable<Real> mix_values(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>);         \
    template Variable<Real> energy_scores(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>,       \
                                          Variable<Real>, Activation);                                       \
    template Variable<Real> mask_scores(Tape<Real>&, const Pairing&, Variable<Real>, const Allowed&);        \
    template Variable<Real> softmax(Tape<Real>&, Variable<Real>, Real);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
