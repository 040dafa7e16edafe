#include "core/nn/operations.h"

#include <algorithm>
#include <cassert>

namespace headlight::nn {

template <class Real>
Variable<Real> join_columns(Tape<Real>& tape, Variable<Real> a, Variable<Real> b) {
    assert(a.rows == b.rows);
    const Variable<Real> y = tape.variable(a.rows, a.columns + b.columns);
    for (Index r = 0; r < y.rows; ++r) {
        std::copy_n(a.row(r), a.columns, y.row(r));
        std::copy_n(b.row(r), b.columns, y.row(r) + a.columns);
    }
    tape.on_backward([=](Tape<Real>& t) {
        for (Index r = 0; r < y.rows; ++r) {
            if (a.has_gradient())
                t.arithmetic().add(y.gradient_row(r), a.columns, a.gradient_row(r));
            if (b.has_gradient())
                t.arithmetic().add(y.gradient_row(r) + a.columns, b.columns, b.gradient_row(r));
        }
    });
    return y;
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
    template Variable<Real> join_columns(Tape<Real>&, Variable<Real>, Variable<Real>);                       \
    template Variable<Real> column_range(Tape<Real>&, Variable<Real>, Index, Index);                         \
    template Variable<Real> join_rows(Tape<Real>&, std::span<const Variable<Real>>);                         \
    template Variable<Real> take_rows(Tape<Real>&, Variable<Real>, std::span<const Index>);
HEADLIGHT_INSTANTIATE(float)
HEADLIGHT_INSTANTIATE(double)
#undef HEADLIGHT_INSTANTIATE

}  // namespace headlight::nn
