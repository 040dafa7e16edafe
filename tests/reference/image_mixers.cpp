#include "tests/reference/image_mixers.h"

#include "tests/reference/image_gates.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace headlight::reference {
namespace {

using Complex = std::complex<Number>;
using Step = std::ptrdiff_t;

/// vector W + b
Row affine_of(const Row& vector, const Matrix& W, const Row& b) {
    Row result = b;
    for (std::size_t to = 0; to < W.cols; ++to)
        for (std::size_t from = 0; from < W.rows; ++from)
            result[to] += vector[from] * W(from, to);
    return result;
}

/// e^(i angle)
Complex wave(Number angle) { return {std::cos(angle), std::sin(angle)}; }

/// Numbers of a grid [rows, columns], filtered; `filter` has half of the waves along the columns.
Row filtered(const Row& image, std::size_t rows, std::size_t columns, const std::vector<Complex>& filter) {
    const std::size_t across = columns / 2 + 1;
    const auto turn = [&](std::size_t u, std::size_t row, std::size_t v, std::size_t column) {
        return 2 * std::numbers::pi_v<Number> *
               (static_cast<Number>(u * row) / static_cast<Number>(rows) +
                static_cast<Number>(v * column) / static_cast<Number>(columns));
    };
    std::vector<Complex> spectrum(rows * across);
    for (std::size_t u = 0; u < rows; ++u)
        for (std::size_t v = 0; v < across; ++v) {
            for (std::size_t row = 0; row < rows; ++row)
                for (std::size_t column = 0; column < columns; ++column)
                    spectrum[u * across + v] +=
                        image[row * columns + column] * wave(-turn(u, row, v, column));
            spectrum[u * across + v] *= filter[u * across + v];
        }
    Row result(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
        // Back along each column of the half spectrum; what is left out is the mirror, conjugate.
        std::vector<Complex> half(across);
        for (std::size_t v = 0; v < across; ++v)
            for (std::size_t u = 0; u < rows; ++u)
                half[v] += spectrum[u * across + v] * wave(turn(u, row, 0, 0)) / static_cast<Number>(rows);
        for (std::size_t column = 0; column < columns; ++column) {
            Complex sum = half[0].real();
            for (std::size_t v = 1; v < columns; ++v) {
                const Complex whole = 2 * v == columns ? Complex(half[v].real())
                                      : v < across     ? half[v]
                                                       : std::conj(half[columns - v]);
                sum += whole * wave(turn(0, 0, v, column));
            }
            result[row * columns + column] = sum.real() / static_cast<Number>(columns);
        }
    }
    return result;
}

}  // namespace

HeadResult deformable(const Head& head, const Deformable& given) {
    const std::size_t n = head.q.rows;
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        const Row steps = affine_of(head.q.row(i), given.to_offsets, given.offsets);
        const Row shares = softmax_of_all(affine_of(head.q.row(i), given.to_scores, given.scores));
        for (std::size_t point = 0; point < given.levels * given.points; ++point) {
            const std::size_t side = std::size_t(1) << (point / given.points);
            const auto in_level = [&](std::size_t line) {
                return (static_cast<Number>(line) + Number(1) / 2) / static_cast<Number>(side) -
                       Number(1) / 2;
            };
            const Number y = in_level(i / given.columns) + steps[2 * point],
                         x = in_level(i % given.columns) + steps[2 * point + 1];
            for (const Number row : {std::floor(y), std::floor(y) + 1})
                for (const Number column : {std::floor(x), std::floor(x) + 1}) {
                    std::vector<std::size_t> patch;
                    for (std::size_t j = 0; j < n; ++j)
                        if (static_cast<Number>(j / given.columns / side) == row &&
                            static_cast<Number>(j % given.columns / side) == column)
                            patch.push_back(j);
                    for (const std::size_t j : patch) {
                        const Number weight = shares[point] * (1 - std::abs(y - row)) *
                                              (1 - std::abs(x - column)) / static_cast<Number>(patch.size());
                        result.weights(i, j) += weight;
                        for (std::size_t c = 0; c < head.v.cols; ++c)
                            result.context(i, c) += weight * head.v(j, c);
                    }
                }
        }
    }
    return result;
}

HeadResult global_filter(const Head& head, const GlobalFilter& filter) {
    const std::size_t n = head.q.rows, d = head.q.cols;
    const std::size_t columns = std::min(filter.columns, n), rows = (n + columns - 1) / columns;
    HeadResult result{Matrix(n, n), Matrix(n, d)};
    std::vector<Complex> mean_filter(filter.real.rows);
    for (std::size_t c = 0; c < d; ++c) {
        std::vector<Complex> of_channel;
        for (std::size_t f = 0; f < filter.real.rows; ++f) {
            of_channel.emplace_back(filter.real(f, c), filter.imaginary(f, c));
            mean_filter[f] += of_channel.back() / static_cast<Number>(d);
        }
        Row image(rows * columns, Number(0));
        for (std::size_t place = 0; place < n; ++place)
            image[place] = head.q(place, c);
        const Row out = filtered(image, rows, columns, of_channel);
        for (std::size_t place = 0; place < n; ++place)
            result.context(place, c) = out[place];
    }
    // What an image of one place becomes.
    for (std::size_t j = 0; j < n; ++j) {
        Row image(rows * columns, Number(0));
        image[j] = 1;
        const Row out = filtered(image, rows, columns, mean_filter);
        for (std::size_t i = 0; i < n; ++i)
            result.weights(i, j) = out[i];
    }
    return result;
}

HeadResult pyramid_split(const Head& head, const PyramidSplit& given) {
    const std::size_t n = head.q.rows, groups = given.kernels.size(), width = head.q.cols / groups;
    HeadResult result{Matrix(n, n), Matrix(n, head.q.cols)};
    /// Calls visit(i, j, tap) for each place j that the kernel of place i meets.
    const auto for_each_tap = [&](std::size_t group, const auto& visit) {
        const auto reach = static_cast<Step>(group + 1), side = 2 * reach + 1;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const Step down = static_cast<Step>(j / given.columns) - static_cast<Step>(i / given.columns),
                           right =
                               static_cast<Step>(j % given.columns) - static_cast<Step>(i % given.columns);
                if (std::abs(down) <= reach && std::abs(right) <= reach)
                    visit(i, j, static_cast<std::size_t>((down + reach) * side + right + reach));
            }
    };
    std::vector<Matrix> features;
    Matrix gates(groups, width);
    for (std::size_t group = 0; group < groups; ++group) {
        Matrix convolved(n, width);
        for_each_tap(group, [&](std::size_t i, std::size_t j, std::size_t tap) {
            for (std::size_t from = 0; from < width; ++from)
                for (std::size_t to = 0; to < width; ++to)
                    convolved(i, to) +=
                        head.q(j, group * width + from) * given.kernels[group](tap * width + from, to);
        });
        Row means(width, Number(0));
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < width; ++c)
                means[c] += convolved(i, c) / static_cast<Number>(n);
        Row hidden = affine_of(means, given.squeeze, Row(given.squeeze.cols, Number(0)));
        for (Number& unit : hidden)
            unit = std::max(unit, Number(0));
        const Row excited = affine_of(hidden, given.excite, Row(width, Number(0)));
        for (std::size_t c = 0; c < width; ++c)
            gates(group, c) = 1 / (1 + std::exp(-excited[c]));
        features.push_back(convolved);
    }
    for (std::size_t c = 0; c < width; ++c) {
        Row of_groups;
        for (std::size_t group = 0; group < groups; ++group)
            of_groups.push_back(gates(group, c));
        const Row shares = softmax_of_all(of_groups);
        for (std::size_t group = 0; group < groups; ++group) {
            for (std::size_t i = 0; i < n; ++i)
                result.context(i, group * width + c) = shares[group] * features[group](i, c);
            for_each_tap(group, [&](std::size_t i, std::size_t j, std::size_t tap) {
                for (std::size_t from = 0; from < width; ++from)
                    result.weights(i, j) += shares[group] * given.kernels[group](tap * width + from, c) /
                                            static_cast<Number>(head.q.cols);
            });
        }
    }
    return result;
}

HeadResult dual_maps(const Head& head, const DualMaps& given) {
    const std::size_t n = head.q.rows, d = head.v.cols;
    HeadResult result{Matrix(n, n), Matrix(n, d)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        for (std::size_t j = 0; j < n; ++j)
            scores.push_back(given.scale * product_of_rows(head.q, i, head.k, j));
        const Row weights = softmax_of_all(scores);
        for (std::size_t j = 0; j < n; ++j) {
            result.weights(i, j) = weights[j];
            for (std::size_t c = 0; c < d; ++c)
                result.context(i, c) += given.alpha * weights[j] * head.v(j, c);
        }
    }
    for (std::size_t a = 0; a < d; ++a) {
        Row energies;
        for (std::size_t b = 0; b < d; ++b) {
            Number energy = 0;
            for (std::size_t i = 0; i < n; ++i)
                energy += head.v(i, a) * head.v(i, b);
            energies.push_back(energy);
        }
        const Number largest = *std::max_element(energies.begin(), energies.end());
        for (Number& energy : energies)
            energy = given.is_unlike ? largest - energy : energy;
        const Row weights = softmax_of_all(energies);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t b = 0; b < d; ++b)
                result.context(i, a) += given.beta * weights[b] * head.v(i, b);
            if (given.adds_values)
                result.context(i, a) += 2 * head.v(i, a);
        }
    }
    return result;
}

HeadResult triangle(const Head& head, const Triangle& given) {
    const std::size_t n = head.q.rows, nodes = given.nodes;
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    const auto is_edge = [&](std::size_t from, std::size_t to) {
        return to < nodes && from * nodes + to < n;
    };
    const auto b = [&](std::size_t from, std::size_t to) {
        return is_edge(from, to) ? given.sides[from * nodes + to] : Number(0);
    };
    for (std::size_t i = 0; i * nodes < n; ++i)
        for (std::size_t j = 0; is_edge(i, j); ++j) {
            const std::size_t edge = i * nodes + j;
            std::vector<std::size_t> others;
            Row scores;
            for (std::size_t k = 0; k < n; ++k) {
                const std::size_t from = given.is_starting ? i : k, to = given.is_starting ? k : j;
                if (!is_edge(from, to))
                    continue;
                others.push_back(from * nodes + to);
                scores.push_back(product_of_rows(head.q, edge, head.k, others.back()) /
                                     std::sqrt(static_cast<Number>(head.k.cols)) +
                                 (given.is_starting ? b(j, k) : b(k, i)));
            }
            const Row weights = softmax_of_all(scores);
            for (std::size_t at = 0; at < others.size(); ++at) {
                result.weights(edge, others[at]) = weights[at];
                for (std::size_t c = 0; c < head.v.cols; ++c)
                    result.context(edge, c) += weights[at] * head.v(others[at], c);
            }
        }
    return result;
}

}  // namespace headlight::reference
