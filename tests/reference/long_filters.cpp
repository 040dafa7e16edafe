#include "tests/reference/long_filters.h"

#include "tests/reference/linear_mixers.h"

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
        for (std::size_t i = 0; i < x.cols; ++i)
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

HeadResult long_convolution(const Head& head, const Matrix& filters, bool has_gates) {
    const std::size_t n = head.q.rows, width = head.v.cols;
    HeadResult result{Matrix(n, n), Matrix(n, width)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            for (std::size_t c = 0; c < width && head.allowed[i][j]; ++c) {
                const Number weight = filters(i - j, c) * (has_gates ? head.q(i, c) * head.k(j, c) : 1);
                result.weights(i, j) += weight / static_cast<Number>(width);
                result.context(i, c) += weight * head.v(j, c);
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
    Matrix result = output;
    for (std::size_t t = 0; t < output.rows; ++t) {
        const Row information =
            of_both_rows(output, x, t, gate.information_o, gate.information_q, gate.b_information);
        const Row relevance =
            of_both_rows(output, x, t, gate.relevance_o, gate.relevance_q, gate.b_relevance);
        for (std::size_t c = 0; c < output.cols; ++c)
            result(t, c) = information[c] * sigmoid(relevance[c]);
    }
    return result;
}

}  // namespace headlight::reference
