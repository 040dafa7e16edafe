#include "core/nn/operations.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace headlight::nn {

template <class Real>
Variable<Real> join_columns(Tape<Real>& tape, std::span<const Variable<Real>> parts) {
    Index columns = 0;
    for (const Variable<Real>& part : parts)
        columns += part.columns;
    const Variable<Real> y = tape.variable(parts.front().rows, columns);
    Index first = 0;
    for (const Variable<Real>& part : parts) {
        assert(part.rows == y.rows);
        for (Index r = 0; r < y.rows; ++r)
            std::copy_n(part.row(r), part.columns, y.row(r) + first);
        tape.on_backward([y, part, first](Tape<Real>& t) {
            for (Index r = 0; part.has_gradient() && r < y.rows; ++r)
                t.arithmetic().add(y.gradient_row(r) + first, part.columns, part.gradient_row(r));
        });
        first += part.columns;
    }
    return y;
}

template <class Real>
Variable<Real> join_columns(Tape<Real>& tape, Variable<Real> a, Variable<Real> b) {
    return join_columns<Real>(tape, std::array{a, b});
}

template <class Real>
Variable<Real> column_range(Tape<Real>& tape, Variable<Real> a, Index first, Index count) {
    assert(first >= 0 && first + count <= a.columns);
    const Variable<Real> y = tape.variable(a.rows, count);
    for (Index r = 0; r < y.rows; ++r)
        std::copy_n(a.row(r) + first, count, y.row(r));
    tape.on_backward([=](Tape<Real>& t) {
        for (Index r = 0; a.has_gradient() && r < y.rows; ++r)
            t.arithmetic().add(y.gradient_row(r), count, a.gradient_row(r) + first);
    });
    return y;
}

template <class Real>
Variable<Real> join_rows(Tape<Real>& tape, std::span<const Variable<Real>> parts) {
    Index rows = 0;
    for (const Variable<Real>& part : parts)
        rows += part.rows;
    const Variable<Real> y = tape.variable(rows, parts.front().columns);
    Index first = 0;
    for (const Variable<Real>& part : parts) {
        assert(part.columns == y.columns);
        const Variable<Real> place = y.row_range(first, part.rows);
        std::copy_n(part.value, part.size(), place.value);
        tape.pass_gradient(place, part);
        first += part.rows;
    }
    return y;
}

template <class Real>
Variable<Real> take_rows(Tape<Real>& tape, Variable<Real> a, std::span<const Index> rows) {
    const Variable<Real> y = tape.variable(static_cast<Index>(rows.size()), a.columns);
    const Index* from = tape.room_for_indices(rows);
    for (Index r = 0; r < y.rows; ++r) {
        assert(from[r] < a.rows);
        if (from[r] < 0)
            std::fill_n(y.row(r), y.columns, Real(0));
        else
            std::copy_n(a.row(from[r]), y.columns, y.row(r));
    }
    tape.on_backward([=](Tape<Real>& t) {
        for (Index r = 0; a.has_gradient() && r < y.rows; ++r)
            if (from[r] >= 0)
                t.arithmetic().add(y.gradient_row(r), y.columns, a.gradient_row(from[r]));
    });
    return y;
}

#define HEADLIGHT_INSTANTIATE(Real)                                                                          \
    template Variable<Real> join_columns(Tape<Real>&, std::span<const Variable<Real>>);                      \
    template Variable<Real> join_columns(Tape<Real>&, Variable<Real>, Variable<Real>);                       \
    template Variable<Real> column_range(Tape<Real>&, Variable<Real>, Index, Index);                         \
    template Variable<Real> join_rows(Tape<Real>&, std::span<const Variable<Real>>);                         \
    template Variable<Real> take_rows(Tape<Real>&, Variable<Real>, std::span<const Index>);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
