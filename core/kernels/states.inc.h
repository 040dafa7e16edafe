#pragma once

#include "core/kernels/loops.inc.h"

namespace headlight::kernels { namespace {

// A state [rows, columns] through which tokens pass. Its columns know nothing of each other, so that all
// tokens go through a few columns before the next ones; and every number has the same operations in the same
// order, however many tokens are given at once.

/// Rows of a tile that stays in registers, two vectors wide, beside what a token brings.
inline constexpr int state_rows = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32 ? 8 : 4;
/// Vectors of columns that tokens of the delta rule go through together.
inline constexpr int delta_vectors = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32 ? 4 : 2;

/// What is left of a vector of the state when a token has faded it and written `what` into it.
template <bool fades, class Real>
Packet<Real> faded_and_written(Packet<Real> state, Packet<Real> kept, Packet<Real> written,
                               Packet<Real> what) {
    return packet::pmadd(written, what, fades ? packet::pmul(kept, state) : state);
}

/// `vectors` of columns of a row: those behind the end of the row are zeros, and nothing is written there.
template <int vectors, class Real>
struct Strip {
    Packet<Real> values[vectors];

    static Strip of(const Real* from, Index columns) {
        Strip strip;
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            strip.values[v] = load_part<Real>(from + v * lanes<Real>, columns - v * lanes<Real>, Real(0));
        return strip;
    }
    void store(Real* to, Index columns) const {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            store_part<Real>(to + v * lanes<Real>, columns - v * lanes<Real>, values[v]);
    }
    void add(Packet<Real> factor, const Strip& more) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            values[v] = packet::pmadd(factor, more.values[v], values[v]);
    }
    template <bool fades>
    void fade_and_write(Packet<Real> kept, Packet<Real> written, const Strip& what) {
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v)
            values[v] = faded_and_written<fades, Real>(values[v], kept, written, what.values[v]);
    }
};

/// Some rows of a strip stay in registers while all tokens write to them and read them.
template <int rows, int vectors, bool fades, bool reads, class Real>
void pass_tile(const StateTokens<Real> step, Index row, Index column) {
    const Index columns = step.state.columns - column;
    Real* const state = step.state.row(row) + column;
    Strip<vectors, Real> tile[rows];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
        tile[r] = Strip<vectors, Real>::of(state + r * step.state.stride, columns);
    const Index kept_step = step.kept_step, tokens = step.what.rows;
    const Real *written = step.written.data + row, *what = step.what.data + column;
    const Real* kept = fades ? step.kept.data + row * kept_step : nullptr;
    const Real* query = reads ? step.query.data + row : nullptr;
    Real* answer = reads ? step.answer.data + column : nullptr;
    for (Index token = 0; token < tokens; ++token) {
        const auto value = Strip<vectors, Real>::of(what, columns);
        Strip<vectors, Real> sums = value;
        if constexpr (reads)
            sums = Strip<vectors, Real>::of(answer, columns);
        const Real* gate = kept;
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
            tile[r].template fade_and_write<fades>(fades ? fill(*gate) : value.values[0], fill(written[r]),
                                                   value);
            if constexpr (fades)
                gate += kept_step;
            if constexpr (reads)
                sums.add(fill(query[r]), tile[r]);
        }
        written += step.written.stride;
        what += step.what.stride;
        if constexpr (fades)
            kept += step.kept.stride;
        if constexpr (reads) {
            sums.store(answer, columns);
            answer += step.answer.stride;
            query += step.query.stride;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r)
        tile[r].store(state + r * step.state.stride, columns);
}

template <int vectors, bool fades, bool reads, class Real>
void pass_strip(const StateTokens<Real>& step, Index column) {
    Index row = 0;
    for (; row + state_rows <= step.state.rows; row += state_rows)
        pass_tile<state_rows, vectors, fades, reads>(step, row, column);
    for (; row < step.state.rows; ++row)
        pass_tile<1, vectors, fades, reads>(step, row, column);
}

/// By the delta rule, where what a token writes depends on all rows, token after token. What the next one
/// will predict is summed in the same walk over the rows as what this one leaves.
template <int vectors, bool fades, bool reads, class Real>
void pass_strip_by_delta_rule(const StateTokens<Real> step, Index column) {
    const Index tokens = step.what.rows, rows = step.state.rows, stride = step.state.stride;
    const Index columns = step.state.columns - column, kept_step = step.kept_step;
    const Strip<vectors, Real> nothing{};
    Strip<vectors, Real> predicted = nothing;
    for (Index row = 0; row < rows; ++row)
        predicted.add(fill(step.erased.data[row]),
                      Strip<vectors, Real>::of(step.state.row(row) + column, columns));
    for (Index token = 0; token < tokens; ++token) {
        predicted.store(step.predicted.row(token) + column, columns);
        auto error = Strip<vectors, Real>::of(step.what.row(token) + column, columns);
        error.add(fill(Real(-1)), predicted);
        predicted = nothing;
        Strip<vectors, Real> answer = nothing;
        if constexpr (reads)
            answer = Strip<vectors, Real>::of(step.answer.row(token) + column, columns);
        // Nobody asks for the prediction after the last one.
        const Real* const next = step.erased.row(token + 1 < tokens ? token + 1 : token);
        const Real* const written = step.written.row(token);
        const Real* const query = reads ? step.query.row(token) : nullptr;
        const Real* kept = fades ? step.kept.row(token) : nullptr;
        Real* state = step.state.data + column;
        for (Index row = 0; row < rows; ++row, state += stride) {
            auto now = Strip<vectors, Real>::of(state, columns);
            now.template fade_and_write<fades>(fades ? fill(*kept) : error.values[0], fill(written[row]),
                                               error);
            if constexpr (fades)
                kept += kept_step;
            now.store(state, columns);
            predicted.add(fill(next[row]), now);
            if constexpr (reads)
                answer.add(fill(query[row]), now);
        }
        if constexpr (reads)
            answer.store(step.answer.row(token) + column, columns);
    }
}

/// pass(vectors, first column) for all columns from `column` on, `together` vectors at a time where there are
/// as many, then one fewer.
template <int together, class Real, class Pass>
void for_each_strip(Index columns, const Pass& pass, Index column = 0) {
    for (; column < columns && (together == 1 || column + (together - 1) * lanes<Real> < columns);
         column += together * lanes<Real>)
        pass.template operator()<together>(column);
    if constexpr (together > 1)
        for_each_strip<together - 1, Real>(columns, pass, column);
}

template <class Real>
void pass_tokens(const StateTokens<Real>& step) {
    const auto pass = [&]<bool fades, bool reads>() {
        if (step.erased.data)
            for_each_strip<delta_vectors, Real>(step.state.columns, [&]<int vectors>(Index column) {
                pass_strip_by_delta_rule<vectors, fades, reads>(step, column);
            });
        else
            for_each_strip<2, Real>(step.state.columns, [&]<int vectors>(Index column) {
                pass_strip<vectors, fades, reads>(step, column);
            });
    };
    if (step.what.rows == 0)
        return;
    const bool fades = step.kept.data != nullptr, reads = step.query.data != nullptr;
    if (fades && reads)
        pass.template operator()<true, true>();
    else if (fades)
        pass.template operator()<true, false>();
    else if (reads)
        pass.template operator()<false, true>();
    else
        pass.template operator()<false, false>();
}

template <class Real>
void fade_and_add(const Real* kept, Index kept_step, Real factor, const Real* added, Index count, Real* to) {
    const Packet<Real> all = fill(factor), shared = fill(kept ? *kept : Real(1));
    for_each_place<Real>(count, [&](auto at) {
        const Packet<Real> gate = kept && kept_step != 0 ? at(kept) : shared;
        at.set(to, packet::pmadd(all, at(added), packet::pmul(gate, at(to))));
    });
}

template <class Real>
void add_to_channels(const ChannelStep<Real>& step) {
    const Packet<Real> zero = fill(Real(0)), one = fill(Real(1));
    for_each_place<Real>(step.channels, [&](auto at) {
        const Packet<Real> number = at(step.number), of_place = at(step.of_place);
        const Packet<Real> before = at(step.largest_number), before_of_place = at(step.largest_place);
        const Packet<Real> above =  // infinite at first
            packet::padd(packet::psub(number, before), packet::psub(of_place, before_of_place));
        // Where the larger counts as 1.
        const Packet<Real> smaller = exp_of_nonpositive<Real>(packet::pnegate(packet::pabs(above)));
        const Packet<Real> kept = packet::pselect(packet::pcmp_le(above, zero), one, smaller);
        const Packet<Real> written = packet::pselect(packet::pcmp_le(zero, above), one, smaller);
        at.set(step.values, packet::pmadd(written, at(step.value), packet::pmul(kept, at(step.values))));
        at.set(step.weights, packet::pmadd(kept, at(step.weights), written));
        const auto is_larger = packet::pcmp_lt(zero, above);
        at.set(step.largest_number, packet::pselect(is_larger, number, before));
        at.set(step.largest_place, packet::pselect(is_larger, of_place, before_of_place));
    });
}

template <class Real>
bool is_in_range(Real square) {
    return square >= std::numeric_limits<Real>::min() && square <= std::numeric_limits<Real>::max();
}

/// sqrt(x^2 + y^2) where the squares are out of range.
template <class Real>
Real length_of_pair(Real x, Real y) {
    const Real a = x < 0 ? -x : x, b = y < 0 ? -y : y;
    const Real longer = a > b ? a : b, shorter = a > b ? b : a;
    const Real ratio = longer > 0 ? shorter / longer : Real(0);
    return longer * Real(__builtin_sqrt(1 + ratio * ratio));
}

/// What the diagonal makes of each token.
template <class Real>
struct Turns {
    static constexpr Index most = RotatedRow<Real>::most;
    Real lengths[most + 1], inverses[most + 1];  ///< of the diagonal, before the first key and after each
    Real cosines[most], sines[most], shares[most];

    /// The squares add up, so that no key waits for the root of the one before.
    explicit Turns(const RotatedRow<Real>& step) {
        const Index keys = step.keys.rows, diagonal = step.diagonal;
        Real numbers[most], squares[most], square = *step.square;
        for (Index key = 0; key < keys; ++key) {
            const Real number = numbers[key] = step.keys.data[key * step.keys.stride + diagonal];
            squares[key] = square += number * number;
        }
        *step.square = square;
        lengths[0] = step.row[diagonal];
        inverses[0] = *step.inverse;
        const Packet<Real> zero = fill(Real(0)), one = fill(Real(1));
        const auto for_each_key = [&](const auto& function) { for_each_place<Real>(keys, function); };
        for_each_key([&](auto at) {
            const Packet<Real> length = packet::psqrt(at(squares));
            at.set(lengths + 1, length);
            at.set(inverses + 1, packet::pdiv(one, length));
        });
        const bool all_in_range = keys == 0 || (is_in_range(squares[0]) && is_in_range(square));
        for (Index key = 0; key < keys && !all_in_range; ++key)
            if (!is_in_range(squares[key])) {
                lengths[key + 1] = length_of_pair(lengths[key], numbers[key]);
                inverses[key + 1] = 1 / lengths[key + 1];
            }
        for_each_key([&](auto at) {
            const Packet<Real> number = at(numbers), inverse = at(inverses + 1);
            const auto is_zero = packet::pcmp_eq(number, zero);  // nothing to rotate
            at.set(cosines, packet::pselect(is_zero, one, packet::pmul(at(lengths), inverse)));
            at.set(sines, packet::pselect(is_zero, zero, packet::pmul(number, inverse)));
        });
        for (Index query = 0; query < step.queries.rows; ++query)
            shares[query] = step.queries.data[query * step.queries.stride + diagonal] *
                            inverses[query < keys ? query + 1 : keys];
    }
};

/// Some vectors of the row stay in registers while all tokens pass.
template <int vectors, class Real>
void rotate_strip(const RotatedRow<Real> step, const Turns<Real>& turns, Index tokens, Index column) {
    using Part = Strip<vectors, Real>;
    const Index columns = step.size - column;
    Part row = Part::of(step.row + column, columns);
    for (Index token = 0; token < tokens; ++token) {
        if (token < step.keys.rows) {
            Real* const at = step.keys.data + token * step.keys.stride + column;
            const Packet<Real> cosine = fill(turns.cosines[token]), sine = fill(turns.sines[token]);
            Part key = Part::of(at, columns);
#pragma GCC unroll 4
            for (int v = 0; v < vectors; ++v) {
                const Packet<Real> before = row.values[v], other = key.values[v];
                row.values[v] = packet::pmadd(cosine, before, packet::pmul(sine, other));
                key.values[v] = packet::psub(packet::pmul(cosine, other), packet::pmul(sine, before));
            }
            key.store(at, columns);
        }
        if (token < step.queries.rows) {
            Real* const at = step.queries.data + token * step.queries.stride + column;
            Part query = Part::of(at, columns);
            query.add(fill(-turns.shares[token]), row);
            query.store(at, columns);
        }
    }
    row.store(step.row + column, columns);
}

template <class Real>
void rotate_into_row(const RotatedRow<Real>& step) {
    const Index keys = step.keys.rows, queries = step.queries.rows, tokens = keys > queries ? keys : queries;
    const Turns<Real> turns(step);
    // From whole vectors on: the zeros before the diagonal stay, and a query gets none of them.
    for_each_strip<4, Real>(
        step.size, [&]<int vectors>(Index column) { rotate_strip<vectors>(step, turns, tokens, column); },
        step.diagonal / lanes<Real> * lanes<Real>);
    step.row[step.diagonal] = turns.lengths[keys];
    *step.inverse = turns.inverses[keys];
    for (Index token = 0; token < keys; ++token)
        step.keys.data[token * step.keys.stride + step.diagonal] = 0;
    for (Index token = 0; token < queries; ++token)
        step.queries.data[token * step.queries.stride + step.diagonal] = turns.shares[token];
}

}}  // namespace headlight::kernels
