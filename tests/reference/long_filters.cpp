#include "tests/reference/long_filters.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/linear_system.h"

#include <cmath>
#include <complex>
#include <numbers>

namespace headlight::reference {
namespace {

constexpr Number half_turn_of_waves = std::numbers::pi_v<Number>;

/// sin(frequency (x W + b))
Row sines(const Row& x, const Matrix& W, const Row& b, Number frequency) {
    Row result;
    for (std::size_t column = 0; column < W.cols; ++column) {
        Number sum = b[column];
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += x[i] * W(i, column);
        result.push_back(std::sin(frequency * sum));
    }
    return result;
}

Number evenly(Number first, Number last, std::size_t number, std::size_t count) {
    return count == 1 ? first
                      : first + (last - first) * static_cast<Number>(number) / static_cast<Number>(count - 1);
}

/// LN of one row, as PyTorch has it.
Row without_mean(const Row& x) {
    const auto width = static_cast<Number>(x.size());
    Number mean = 0, variance = 0;
    for (const Number each : x)
        mean += each / width;
    for (const Number each : x)
        variance += (each - mean) * (each - mean) / width;
    Row result;
    for (const Number each : x)
        result.push_back((each - mean) / std::sqrt(variance + Number(1e-5)));
    return result;
}

/// o W + x W' + b of row t.
Row of_both_rows(const Matrix& o, const Matrix& x, std::size_t t, const Matrix& of_o, const Matrix& of_x,
                 const Row& b) {
    Row sum = b;
    for (std::size_t column = 0; column < sum.size(); ++column) {
        for (std::size_t i = 0; i < o.cols; ++i)
            sum[column] += o(t, i) * of_o(i, column);
        for (std::size_t i = 0; i < of_x.rows; ++i)  // none where the token is not read
            sum[column] += x(t, i) * of_x(i, column);
    }
    return sum;
}

}  // namespace

Row filter_of_states(const ChannelStates& channel, std::size_t lags) {
    using Complex = std::complex<Number>;
    Row filter(lags, Number(0));
    for (std::size_t number = 0; number < channel.rates.size(); ++number) {
        const Complex A(-std::exp(channel.rates[number]),
                        half_turn_of_waves * static_cast<Number>(number) + channel.turns[number]);
        const Complex kept = std::exp(channel.step * A);
        const Complex C(channel.C_real[number], channel.C_imaginary[number]);
        Complex state = (kept - Number(1)) / A;
        for (std::size_t lag = 0; lag < lags; ++lag) {
            filter[lag] += 2 * (C * state).real();
            state *= kept;
        }
    }
    return filter;
}

Matrix filters_of_network(const FilterNetwork& network, std::size_t lags) {
    const std::size_t channels = network.W_out.cols;
    const auto length = static_cast<Number>(network.length);
    Matrix filters(lags, channels);
    for (std::size_t lag = 0; lag < lags; ++lag) {
        const auto t = static_cast<Number>(lag);
        Row features{t / (length - 1)};
        for (const bool is_sine : {false, true})
            for (std::size_t band = 0; band < network.bands; ++band) {
                const Number waves =
                    evenly(Number(1e-4), static_cast<Number>(network.bands - 1), band, network.bands);
                const Number angle = waves * 2 * half_turn_of_waves * t / length;
                features.push_back(is_sine ? -std::sin(angle) : std::cos(angle));
            }
        const Row first = sines(features, network.W_1, network.b_1, network.frequency),
                  second = sines(first, network.W_2, network.b_2, network.frequency);
        for (std::size_t channel = 0; channel < channels; ++channel) {
            const Number closing = evenly(std::log(Number(100)) / Number(1.5),
                                          std::log(Number(100)) / Number(0.3), channel, channels);
            Number sum = 0;
            for (std::size_t i = 0; i < second.size(); ++i)
                sum += second[i] * network.W_out(i, channel);
            filters(lag, channel) = sum * std::exp(-t / (length - 1) * closing);
        }
    }
    return filters;
}

Row filter_of_matrix(const CoupledStates& channel, std::size_t lags) {
    const std::size_t states = channel.C.size();
    const auto root = [](std::size_t s) { return std::sqrt(static_cast<Number>(2 * s + 1)); };
    Matrix behind(states, states), before(states, states);
    Row input;
    for (std::size_t r = 0; r < states; ++r) {
        input.push_back(channel.step * root(r));
        for (std::size_t c = 0; c < states; ++c) {
            const Number hippo = r == c  ? -static_cast<Number>(r + 1)
                                 : r > c ? -root(r) * root(c)
                                         : 0;
            const Number half = channel.step / 2 * (hippo + channel.more(r, c));
            behind(r, c) = (r == c ? 1 : 0) - half;
            before(r, c) = (r == c ? 1 : 0) + half;
        }
    }
    Row filter, state = solved(behind, input);
    for (std::size_t lag = 0; lag < lags; ++lag) {
        filter.push_back(product(channel.C, state));
        Row moved;
        for (std::size_t r = 0; r < states; ++r)
            moved.push_back(product(before.row(r), state));
        state = solved(behind, moved);
    }
    return filter;
}

HeadResult long_convolution(const Head& head, const Matrix& filters, bool has_gates,
                            const std::vector<FurtherFilter>& further) {
    const std::size_t n = head.q.rows, width = head.v.cols;
    HeadResult result{Matrix(n, n), Matrix(n, width)};
    const auto convolved = [&](const Matrix& by, std::size_t c, const Matrix& gated) {
        Matrix mixed(n, gated.cols);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j <= i; ++j)
                for (std::size_t column = 0; column < gated.cols && head.allowed[i][j]; ++column)
                    mixed(i, column) += by(i - j, c) * gated(j, column);
        return mixed;
    };
    for (std::size_t c = 0; c < width; ++c) {
        Matrix z(n, n + 1);  // a unit matrix, and the values
        for (std::size_t j = 0; j < n; ++j) {
            const Number key = has_gates ? head.k(j, c) : Number(1);
            z(j, j) = key;
            z(j, n) = key * head.v(j, c);
        }
        z = convolved(filters, c, z);
        for (const FurtherFilter& next : further) {
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t column = 0; column <= n; ++column)
                    z(i, column) *= next.gate(i, c);
            z = convolved(next.filters, c, z);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const Number query = has_gates ? head.q(i, c) : Number(1);
            for (std::size_t j = 0; j < n; ++j)
                result.weights(i, j) += query * z(i, j) / static_cast<Number>(width);
            result.context(i, c) = query * z(i, n);
        }
    }
    return result;
}

HeadResult spatial_gating(const Head& head, const Matrix& W, const Row& b, bool has_norm) {
    const std::size_t n = head.q.rows, m = head.k.rows, width = head.v.cols;
    HeadResult result{Matrix(n, m), Matrix(n, width)};
    for (std::size_t i = 0; i < n; ++i) {
        Row gate(width, b[i]);
        for (std::size_t j = 0; j < m; ++j) {
            if (!head.allowed[i][j])
                continue;
            result.weights(i, j) = W(i, j);
            const Row value = has_norm ? without_mean(head.v.row(j)) : head.v.row(j);
            for (std::size_t c = 0; c < width; ++c)
                gate[c] += W(i, j) * value[c];
        }
        for (std::size_t c = 0; c < width; ++c)
            result.context(i, c) = head.q(i, c) * gate[c];
    }
    return result;
}

Matrix attention_on_attention(const Matrix& x, const Matrix& output, const AttentionOnAttention& gate) {
    Matrix found = output;
    for (std::size_t t = 0; t < output.rows && gate.found_1.rows > 0; ++t)
        for (std::size_t c = 0; c < output.cols; ++c) {
            found(t, c) = gate.b_found_2[c];
            for (std::size_t unit = 0; unit < gate.found_1.cols; ++unit) {
                Number sum = gate.b_found_1[unit];
                for (std::size_t from = 0; from < output.cols; ++from)
                    sum += output(t, from) * gate.found_1(from, unit);
                found(t, c) += std::max(sum, Number(0)) * gate.found_2(unit, c);
            }
        }
    Matrix result = output;
    for (std::size_t t = 0; t < output.rows; ++t) {
        const Row information =
            of_both_rows(found, x, t, gate.information_o, gate.information_q, gate.b_information);
        const Row relevance = of_both_rows(found, x, t, gate.relevance_o, gate.relevance_q, gate.b_relevance);
        for (std::size_t c = 0; c < output.cols; ++c)
            result(t, c) = gate.has_both_gates
                               ? sigmoid(information[c]) * x(t, c) + sigmoid(relevance[c]) * found(t, c)
                               : information[c] * sigmoid(relevance[c]);
    }
    return result;
}

}  // namespace headlight::reference
