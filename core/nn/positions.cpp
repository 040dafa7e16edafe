#include "core/nn/positions.h"

#include "core/attention/positions/alibi.h"
#include "core/attention/rotary.h"
#include "core/attention/rotation.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace headlight::nn {

template <class Real>
Variable<Real> add_sinusoids(Tape<Real>& tape, Variable<Real> x, Index batch, Index first) {
    std::vector<Index> places(static_cast<std::size_t>(x.rows));
    for (Index r = 0; r < x.rows; ++r)
        places[static_cast<std::size_t>(r)] = first + r / batch;
    return add_sinusoids(tape, x, std::span<const Index>(places));
}

template <class Real>
Variable<Real> add_sinusoids(Tape<Real>& tape, Variable<Real> x, std::span<const Index> places) {
    assert(std::ssize(places) == x.rows);
    const Variable<Real> y = tape.variable(x.rows, x.columns);
    if (places.empty())
        return y;
    // Rows of a batch have the same few places: the waves of each are worked out once.
    const auto [least, most] = std::ranges::minmax(places);
    const MatrixView<Real> waves =
        row_major(tape.scratch((most - least + 1) * x.columns), most - least + 1, x.columns);
    fill_sinusoids(least, waves);
    for (Index r = 0; r < y.rows; ++r) {
        const Real* wave = waves.row(places[static_cast<std::size_t>(r)] - least);
        for (Index c = 0; c < y.columns; ++c)
            y.row(r)[c] = x.row(r)[c] + wave[c];
    }
    tape.pass_gradient(y, x);
    return y;
}

template <class Real>
Variable<Real> rotate(Tape<Real>& tape, Variable<Real> x, Index batch, Index heads, Index first) {
    const Index width = x.columns / heads, places = x.rows / batch;
    assert(width % 2 == 0);
    const RotationTable<Real> table = fill_rotations(
        rotary_frequencies(width, standard_base), first, false, [](Index, Index) { return 1.0; },
        tape.constant(places, width / 2).view(), tape.constant(places, width / 2).view());
    const Variable<Real> y = tape.variable(x.rows, x.columns);
    std::copy_n(x.value, x.size(), y.value);
    for (Index r = 0; r < y.rows; ++r)
        for (Index head = 0; head < heads; ++head)
            table.rotate(y.row(r) + head * width, r / batch);
    tape.on_backward([=](Tape<Real>& t) {
        if (!x.has_gradient())
            return;
        // Nobody reads the gradient of y after this.
        for (Index r = 0; r < y.rows; ++r)
            for (Index head = 0; head < heads; ++head)
                table.rotate_back(y.gradient_row(r) + head * width, r / batch);
        t.arithmetic().add(y.gradient(), y.size(), x.gradient());
    });
    return y;
}

template <class Real>
Variable<Real> add_alibi(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores) {
    const Variable<Real> y = tape.variable(scores.rows, scores.columns);
    for (Index r = 0; r < y.rows; ++r) {
        const Index place = pairing.keys - pairing.queries + r % pairing.queries;
        const double slope = alibi_slope(r / pairing.queries % pairing.heads, pairing.heads);
        fill_alibi(slope, AlibiForm::absolute_distance, place, y.row(r), y.columns);
    }
    tape.arithmetic().add(scores.value, y.size(), y.value);
    tape.pass_gradient(y, scores);
    return y;
}

template <class Real>
Variable<Real> distance_sinusoids(Tape<Real>& tape, const Pairing& pairing, Index width) {
    const Variable<Real> waves = tape.constant(pairing.queries + pairing.keys - 1, width);
    fill_sinusoids(1 - pairing.queries, waves.view());
    return waves;
}

template <class Real>
Variable<Real> add_distance_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> scores,
                                   Variable<Real> of_distances) {
    assert(of_distances.rows == pairing.map_rows());
    assert(of_distances.columns == pairing.queries + pairing.keys - 1);
    const Variable<Real> y = tape.variable(scores.rows, scores.columns);
    // Calls visit(row of the map, row of the distances, the column of the first key's distance): those of
    // the keys after it lie before that one.
    const auto for_each_row = [pairing](const auto& visit) {
        for (Index sequence = 0; sequence < pairing.batch; ++sequence)
            for (Index head = 0; head < pairing.heads; ++head)
                for (Index query = 0; query < pairing.queries; ++query)
                    visit(pairing.map_row(sequence, head, query),
                          (head * pairing.queries + query) * pairing.batch + sequence,
                          pairing.keys - 1 + query);
    };
    for_each_row([&](Index row, Index distances, Index first) {
        for (Index j = 0; j < pairing.keys; ++j)
            y.row(row)[j] = scores.row(row)[j] + of_distances.row(distances)[first - j];
    });
    tape.pass_gradient(y, scores);
    tape.on_backward([=](Tape<Real>&) {
        if (!of_distances.has_gradient())
            return;
        for_each_row([&](Index row, Index distances, Index first) {
            for (Index j = 0; j < pairing.keys; ++j)
                of_distances.gradient_row(distances)[first - j] += y.gradient_row(row)[j];
        });
    });
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> add_sinusoids(Tape<Real>&, Variable<Real>, Index, Index);                        \
    template Variable<Real> add_sinusoids(Tape<Real>&, Variable<Real>, std::span<const Index>);              \
    template Variable<Real> rotate(Tape<Real>&, Variable<Real>, Index, Index, Index);                        \
    template Variable<Real> add_alibi(Tape<Real>&, const Pairing&, Variable<Real>);                          \
    template Variable<Real> distance_sinusoids(Tape<Real>&, const Pairing&, Index);                          \
    template Variable<Real> add_distance_scores(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
