#pragma once

#include "core/kernels/activation.inc.h"
#include "core/kernels/arithmetic.h"

namespace headlight::kernels { namespace {

/// A vector's place in rows of numbers. Behind the end of a row it reads zeros and writes nothing.
template <class Real>
struct Place {
    Index first;
    Index left;

    Packet<Real> operator()(const Real* from) const { return load_part(from + first, left, Real(0)); }
    void set(Real* to, Packet<Real> value) const { store_part<Real>(to + first, left, value); }
    void add(Real* to, Packet<Real> value) const { set(to, (*this)(to) + value); }
};

template <class Real, class Function>
void for_each_place(Index count, const Function& function) {
    for (Index i = 0; i < count; i += lanes<Real>)
        function(Place<Real>{i, count - i});
}

template <class Real>
void add(const Real* from, Index count, Real* to) {
    for_each_place<Real>(count, [&](auto at) { at.add(to, at(from)); });
}

template <class Real>
void add_scaled(Real factor, const Real* from, Index count, Real* to) {
    for_each_place<Real>(count, [&](auto at) { at.add(to, factor * at(from)); });
}

/// Some vectors of `to`, from number `first` on, stay in registers while the rows go by: each becomes
/// sum = more(number of the row, the row's numbers, sum).
template <int vectors, class Real, class More>
void sum_strips(const Real* numbers, MatrixView<const Real> rows, Index first, Real* to, const More& more) {
    Packet<Real> sums[vectors];
    const auto part = [&](const Real* row, int vector) {
        const Index at = first + vector * lanes<Real>;
        return load_part(row + at, rows.columns - at, Real(0));
    };
    for (int vector = 0; vector < vectors; ++vector)
        sums[vector] = part(to, vector);
    for (Index r = 0; r < rows.rows; ++r) {
        const Packet<Real> number = fill(numbers[r]);
        for (int vector = 0; vector < vectors; ++vector)
            sums[vector] = more(number, part(rows.row(r), vector), sums[vector]);
    }
    for (int vector = 0; vector < vectors; ++vector) {
        const Index at = first + vector * lanes<Real>;
        store_part(to + at, rows.columns - at, sums[vector]);
    }
}

template <class Real, class More>
void sum_over_rows(const Real* numbers, MatrixView<const Real> rows, Real* to, const More& more) {
    constexpr int together = 8;
    Index first = 0;
    for (; first + (together - 1) * lanes<Real> < rows.columns; first += together * lanes<Real>)
        sum_strips<together>(numbers, rows, first, to, more);
    for (; first < rows.columns; first += lanes<Real>)
        sum_strips<1>(numbers, rows, first, to, more);
}

template <class Real>
void add_scaled_rows(const Real* factors, MatrixView<const Real> rows, Real* to) {
    sum_over_rows(factors, rows, to, [](Packet<Real> factor, Packet<Real> row, Packet<Real> sum) {
        return packet::pmadd(factor, row, sum);
    });
}

template <class Real>
void subtract_squared_distances(const Real* x, MatrixView<const Real> rows, Real* to) {
    sum_over_rows(x, rows, to, [](Packet<Real> number, Packet<Real> row, Packet<Real> sum) {
        const Packet<Real> difference = packet::psub(number, row);
        return packet::psub(sum, packet::pmul(difference, difference));
    });
}

template <class Real>
void add_products(const Real* a, const Real* b, Index count, Real* to) {
    for_each_place<Real>(count, [&](auto at) { at.add(to, at(a) * at(b)); });
}

template <class Real>
void add_column_sums(const Real* from, Index rows, Index columns, Real* to) {
    for_each_place<Real>(columns, [&](auto at) {
        Packet<Real> sum = at(to);
        for (Index r = 0; r < rows; ++r)
            sum = sum + at(from + r * columns);
        at.set(to, sum);
    });
}

template <class Real>
void exponential(const Real* from, Index count, Real* to) {
    for_each_place<Real>(count, [&](auto at) { at.set(to, exp_of<Real>(at(from))); });
}

template <class Real>
void logarithm(const Real* from, Index count, Real* to) {
    for_each_place<Real>(count, [&](auto at) { at.set(to, packet::plog(at(from))); });
}

template <class Real>
void log_sigmoid(const Real* from, Index count, Real* to) {
    for_each_place<Real>(count, [&](auto at) {
        const Packet<Real> x = at(from);
        const Packet<Real> smaller = exp_of_nonpositive<Real>(packet::pnegate(packet::pabs(x)));
        at.set(to, packet::psub(packet::pmin(x, fill(Real(0))), packet::generic_plog1p(smaller)));
    });
}

template <class Real>
Real sum(const Real* from, Index count) {
    Packet<Real> sums = fill(Real(0));
    for_each_place<Real>(count, [&](auto at) { sums = sums + at(from); });
    return packet::predux(sums);
}

template <class Real>
Real inner_product(const Real* a, const Real* b, Index count) {
    Packet<Real> sum = fill(Real(0));
    for_each_place<Real>(count, [&](auto at) { sum = packet::pmadd(at(a), at(b), sum); });
    return packet::predux(sum);
}

template <class Real>
void inner_products(const Real* a, MatrixView<const Real> rows, Real factor, Real* to) {
    constexpr Index together = 4;  // sums that do not wait for each other
    const Index whole = rows.rows - rows.rows % together, columns = rows.columns, stride = rows.stride;
    for (Index r = 0; r < whole; r += together) {
        const Real* const row = rows.data + r * stride;
        Packet<Real> sums[together] = {fill(Real(0)), fill(Real(0)), fill(Real(0)), fill(Real(0))};
        for_each_place<Real>(columns, [&](auto at) {
            const Packet<Real> part = at(a);
#pragma GCC unroll 4
            for (Index i = 0; i < together; ++i)
                sums[i] = packet::pmadd(part, at(row + i * stride), sums[i]);
        });
#pragma GCC unroll 4
        for (Index i = 0; i < together; ++i)
            to[r + i] = factor * packet::predux(sums[i]);
    }
    for (Index r = whole; r < rows.rows; ++r)
        to[r] = factor * inner_product(a, rows.data + r * stride, columns);
}

/// The derivative of an activation where its value is known.
template <Activation activation, class Real>
Packet<Real> slope(Packet<Real> value) {
    const Packet<Real> one = fill(Real(1));
    if constexpr (activation == Activation::tanh)
        return one - value * value;
    else if constexpr (activation == Activation::sigmoid)
        return value * (one - value);
    else if constexpr (activation == Activation::relu)
        return packet::pselect(packet::pcmp_lt(fill(Real(0)), value), one, fill(Real(0)));
    else
        return one;
}

template <class Real>
void multiply_by_slopes(Activation activation, const Real* values, Index count, Real* gradient) {
    with_activation(activation, [&]<Activation which>() {
        for_each_place<Real>(
            count, [&](auto at) { at.set(gradient, at(gradient) * slope<which, Real>(at(values))); });
    });
}

template <class Real>
void add_softmax_slopes(const Real* p, const Real* grad_p, Index rows, Index columns, Real factor,
                        Real* grad_s) {
    for (Index r = 0; r < rows; ++r, p += columns, grad_p += columns, grad_s += columns) {
        const Packet<Real> mean = fill(inner_product(p, grad_p, columns));
        for_each_place<Real>(columns, [&](auto at) { at.add(grad_s, factor * at(p) * (at(grad_p) - mean)); });
    }
}

template <class Real>
void layer_norm(const LayerNormRows<Real>& norm) {
    const Real count = static_cast<Real>(norm.width);
    for (Index r = 0; r < norm.rows; ++r) {
        const Real* in = norm.in + r * norm.width;
        Real *normal = norm.normal + r * norm.width, *out = norm.out + r * norm.width;
        Packet<Real> sum = fill(Real(0)), squares = fill(Real(0));
        for_each_place<Real>(norm.width, [&](auto at) { sum = sum + at(in); });
        const Packet<Real> mean = fill(packet::predux(sum) / count);
        for_each_place<Real>(norm.width, [&](auto at) { at.set(normal, at(in) - mean); });
        for_each_place<Real>(norm.width, [&](auto at) { squares = squares + at(normal) * at(normal); });
        const Packet<Real> variance = fill(packet::predux(squares) / count + norm.epsilon);
        const Packet<Real> scale = fill(Real(1)) / packet::psqrt(variance);
        norm.scales[r] = packet::pfirst(scale);
        for_each_place<Real>(norm.width, [&](auto at) {
            const Packet<Real> z = at(normal) * scale;
            at.set(normal, z);
            at.set(out, z * at(norm.gain) + at(norm.bias));
        });
    }
}

template <class Real>
void add_layer_norm_slopes(const LayerNormSlopes<Real>& norm) {
    const Real count = static_cast<Real>(norm.width);
    for (Index r = 0; r < norm.rows; ++r) {
        const Real *of_out = norm.of_out + r * norm.width, *normal = norm.normal + r * norm.width;
        Packet<Real> sum = fill(Real(0)), along = fill(Real(0));  // of the gradient at z; of its part along z
        for_each_place<Real>(norm.width, [&](auto at) {
            const Packet<Real> of = at(of_out), z = at(normal), grad_z = of * at(norm.gain);
            at.add(norm.of_gain, of * z);
            at.add(norm.of_bias, of);
            sum = sum + grad_z;
            along = along + grad_z * z;
        });
        if (!norm.of_in)
            continue;
        const Packet<Real> scale = fill(norm.scales[r]), mean = fill(packet::predux(sum) / count),
                           part = fill(packet::predux(along) / count);
        for_each_place<Real>(norm.width, [&](auto at) {
            const Packet<Real> grad_z = at(of_out) * at(norm.gain);
            at.add(norm.of_in + r * norm.width, scale * (grad_z - mean - at(normal) * part));
        });
    }
}

template <class Real>
void score_energy_row(const EnergyRow<Real>& row) {
    with_activation(row.activation, [&]<Activation which>() {
        const Index width = row.key.columns;
        const Real* key = row.key.data;
        for (Index j = 0; j < row.key.rows; ++j, key += row.key.stride) {
            Real* energies = row.energies + j * width;
            Packet<Real> score = fill(Real(0));
            for_each_place<Real>(width, [&](auto at) {
                const Packet<Real> energy = activate<which, Real>(at(row.query) + at(key));
                at.set(energies, energy);
                score = score + at(row.v) * energy;
            });
            row.scores[j] = packet::predux(score);
        }
    });
}

template <class Real>
void add_energy_slopes(const EnergySlopes<Real>& row) {
    with_activation(row.activation, [&]<Activation which>() {
        const Index width = row.of_key.columns;
        for_each_place<Real>(width, [&](auto at) {
            Packet<Real> of_query = fill(Real(0)), grad_v = fill(Real(0));
            const Packet<Real> v = at(row.v);
            for (Index j = 0; j < row.of_key.rows; ++j) {
                if (row.of_scores[j] == 0)  // of masked keys
                    continue;
                const Packet<Real> of_score = fill(row.of_scores[j]), energy = at(row.energies + j * width);
                const Packet<Real> of_sum = of_score * v * slope<which, Real>(energy);
                at.add(row.of_key.data + j * row.of_key.stride, of_sum);
                of_query = of_query + of_sum;
                grad_v = grad_v + of_score * energy;
            }
            at.add(row.of_query, of_query);
            at.add(row.grad_v, grad_v);
        });
    });
}

template <class Real>
void adam(const AdamFactors<Real>& by, const Real* gradient, Index count, Real* first, Real* second,
          Real* weights) {
    for_each_place<Real>(count, [&](auto at) {
        const Packet<Real> slope = by.shorten * at(gradient);
        const Packet<Real> mean = at(first) + by.first_rest * (slope - at(first));
        const Packet<Real> square = at(second) + by.second_rest * (slope * slope - at(second));
        at.set(first, mean);
        at.set(second, square);
        at.set(weights, by.kept * at(weights) -
                            by.first_scale * mean /
                                (packet::psqrt(Packet<Real>(by.second_scale * square)) + fill(by.epsilon)));
    });
}

}}  // namespace headlight::kernels
