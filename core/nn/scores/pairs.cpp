#include "core/nn/scores/parts.h"

#include <algorithm>

namespace headlight::nn {

namespace {

/// The vector of one head in a matrix of all: [n b, h d].
template <class Real>
Real* vector_of(Real* data, Variable<Real> all, const Pairing& pairing, Index token, Index sequence,
                Index head) {
    return data + (token * pairing.batch + sequence) * all.columns + head * (all.columns / pairing.heads);
}

/// Calls visit(row of the map, sequence, head, query, key).
template <class Visit>
void for_each_pair(const Pairing& pairing, const Visit& visit) {
    for_each_row(pairing, [&](Index sequence, Index head, Index query) {
        for (Index key = 0; key < pairing.keys; ++key)
            visit(pairing.map_row(sequence, head, query), sequence, head, query, key);
    });
}

}  // namespace

template <class Real>
Variable<Real> distance_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> query,
                               Variable<Real> key) {
    const Variable<Real> scores = tape.variable(pairing.map_rows(), pairing.keys);
    const Index width = query.columns / pairing.heads;
    for_each_pair(pairing, [&](Index row, Index sequence, Index head, Index i, Index j) {
        const Real* q = vector_of(query.value, query, pairing, i, sequence, head);
        const Real* k = vector_of(key.value, key, pairing, j, sequence, head);
        Real sum = 0;
        for (Index c = 0; c < width; ++c)
            sum -= (q[c] - k[c]) * (q[c] - k[c]);
        scores.row(row)[j] = sum;
    });
    tape.on_backward([=](Tape<Real>&) {
        for_each_pair(pairing, [&](Index row, Index sequence, Index head, Index i, Index j) {
            const auto of = [&](Real* data, Variable<Real> all, Index token) {
                return data ? vector_of(data, all, pairing, token, sequence, head) : nullptr;
            };
            const Real *q = of(query.value, query, i), *k = of(key.value, key, j);
            Real *grad_q = of(query.gradient(), query, i), *grad_k = of(key.gradient(), key, j);
            const Real slope = 2 * scores.gradient_row(row)[j];
            for (Index c = 0; grad_q && c < width; ++c)
                grad_q[c] -= slope * (q[c] - k[c]);
            for (Index c = 0; grad_k && c < width; ++c)
                grad_k[c] += slope * (q[c] - k[c]);
        });
    });
    return scores;
}

template <class Real>
Variable<Real> sum_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> left,
                          Variable<Real> right) {
    const Variable<Real> scores = tape.variable(pairing.map_rows(), pairing.keys);
    const auto place = [=](Index token, Index sequence, Index head) {
        return (token * pairing.batch + sequence) * pairing.heads + head;
    };
    for_each_pair(pairing, [&](Index row, Index sequence, Index head, Index i, Index j) {
        scores.row(row)[j] = left.value[place(i, sequence, head)] + right.value[place(j, sequence, head)];
    });
    tape.on_backward([=](Tape<Real>&) {
        for_each_pair(pairing, [&](Index row, Index sequence, Index head, Index i, Index j) {
            const Real gradient = scores.gradient_row(row)[j];
            if (left.has_gradient())
                left.gradient()[place(i, sequence, head)] += gradient;
            if (right.has_gradient())
                right.gradient()[place(j, sequence, head)] += gradient;
        });
    });
    return scores;
}

template <class Real>
Variable<Real> allowed_map(Tape<Real>& tape, const Pairing& pairing, const Allowed& allowed) {
    const Variable<Real> map = tape.constant(pairing.map_rows(), pairing.keys);
    std::fill_n(map.value, map.size(), Real(0));
    const Variable<Real> masked = mask_scores(tape, pairing, map, allowed);
    for (Index i = 0; i < map.size(); ++i)
        map.value[i] = masked.value[i] == 0 ? Real(1) : Real(0);
    return map;
}

template <class Real>
Variable<Real> convolve_map(Tape<Real>& tape, const Pairing& pairing, Variable<Real> map,
                            Variable<Real> kernel) {
    const Variable<Real> y = tape.variable(map.rows, map.columns);
    const Index height = kernel.rows / pairing.heads, width = kernel.columns;
    std::fill_n(y.value, y.size(), Real(0));
    // Calls visit(kernel number, row of y, row of the map, first key, end of keys, where the map is read).
    const auto for_each_shift = [=](const auto& visit) {
        for_each_row(pairing, [&](Index sequence, Index head, Index query) {
            const Index row = pairing.map_row(sequence, head, query);
            for (Index a = 0; a < height && a <= query; ++a)
                for (Index b = 0; b < width; ++b) {
                    const Index by = width / 2 - b;
                    visit((head * height + a) * width + b, row, row - a, std::max<Index>(0, -by),
                          std::min(pairing.keys, pairing.keys - by), by);
                }
        });
    };
    for_each_shift([&](Index number, Index row, Index from, Index first, Index end, Index by) {
        for (Index j = first; j < end; ++j)
            y.row(row)[j] += kernel.value[number] * map.row(from)[j + by];
    });
    tape.on_backward([=](Tape<Real>&) {
        for_each_shift([&](Index number, Index row, Index from, Index first, Index end, Index by) {
            const Real* grad_y = y.gradient_row(row);
            for (Index j = first; map.has_gradient() && j < end; ++j)
                map.gradient_row(from)[j + by] += kernel.value[number] * grad_y[j];
            for (Index j = first; kernel.has_gradient() && j < end; ++j)
                kernel.gradient()[number] += map.row(from)[j + by] * grad_y[j];
        });
    });
    return y;
}

template <class Real>
Variable<Real> erase_scores(Tape<Real>& tape, const Pairing& pairing, Variable<Real> map,
                            Variable<Real> allowed) {
    const Variable<Real> y = tape.variable(map.rows, map.columns);
    const auto erases = [=](Index sequence, Index query, Index key) {
        const Index row = pairing.map_row(sequence, 0, query);
        return key != 0 && key != query && allowed.row(row)[key] != 0 && map.row(row)[key] > 0;
    };
    for (Index s = 0; s < pairing.batch; ++s)
        for (Index j = 0; j < pairing.keys; ++j) {
            Real erased = 0;
            for (Index i = 0; i < pairing.queries; ++i) {
                for (Index h = 0; h < pairing.heads; ++h) {
                    const Index row = pairing.map_row(s, h, i);
                    y.row(row)[j] = map.row(row)[j] - erased;
                }
                erased += erases(s, i, j) ? map.row(pairing.map_row(s, 0, i))[j] : Real(0);
            }
        }
    tape.on_backward([=](Tape<Real>&) {
        if (!map.has_gradient())
            return;
        for (Index s = 0; s < pairing.batch; ++s)
            for (Index j = 0; j < pairing.keys; ++j) {
                Real of_erased = 0;  // of what the queries after this one have lost
                for (Index i = pairing.queries; i-- > 0;) {
                    if (erases(s, i, j))
                        map.gradient_row(pairing.map_row(s, 0, i))[j] += of_erased;
                    for (Index h = 0; h < pairing.heads; ++h) {
                        const Index row = pairing.map_row(s, h, i);
                        map.gradient_row(row)[j] += y.gradient_row(row)[j];
                        of_erased -= y.gradient_row(row)[j];
                    }
                }
            }
    });
    return y;
}

template <class Real>
Variable<Real> filter_rows(Tape<Real>& tape, Variable<Real> rows, Variable<Real> filters) {
    const Index keys = rows.columns, width = filters.columns, centre = (width - 1) / 2;
    const Variable<Real> y = tape.variable(rows.size(), filters.rows);
    // Calls visit(place in y, number of the filter's weight, place in rows).
    const auto for_each_product = [=](const auto& visit) {
        for (Index r = 0; r < rows.rows; ++r)
            for (Index key = 0; key < keys; ++key)
                for (Index f = 0; f < filters.rows; ++f)
                    for (Index t = std::max<Index>(0, centre - key); t < width && key + t - centre < keys;
                         ++t)
                        visit((r * keys + key) * filters.rows + f, f * width + t,
                              r * keys + key + t - centre);
    };
    std::fill_n(y.value, y.size(), Real(0));
    for_each_product(
        [&](Index to, Index weight, Index from) { y.value[to] += filters.value[weight] * rows.value[from]; });
    tape.on_backward([=](Tape<Real>&) {
        for_each_product([&](Index to, Index weight, Index from) {
            if (rows.has_gradient())
                rows.gradient()[from] += filters.value[weight] * y.gradient()[to];
            if (filters.has_gradient())
                filters.gradient()[weight] += rows.value[from] * y.gradient()[to];
        });
    });
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> distance_scores(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>);    \
    template Variable<Real> sum_scores(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>);         \
    template Variable<Real> allowed_map(Tape<Real>&, const Pairing&, const Allowed&);                        \
    template Variable<Real> convolve_map(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>);       \
    template Variable<Real> erase_scores(Tape<Real>&, const Pairing&, Variable<Real>, Variable<Real>);       \
    template Variable<Real> filter_rows(Tape<Real>&, Variable<Real>, Variable<Real>);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
