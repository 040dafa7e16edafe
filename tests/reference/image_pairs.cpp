#include "tests/reference/image_pairs.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {
namespace {

using Step = std::ptrdiff_t;

/// A grid of places, of which the last row may lack some.
struct PlacesOfImage {
    Step places, columns;

    PlacesOfImage(std::size_t count, std::size_t grid_columns)
        : places(static_cast<Step>(count)), columns(static_cast<Step>(std::min(grid_columns, count))) {}
    Step rows() const { return (places + columns - 1) / columns; }
    bool has(Step row, Step column) const {
        return row >= 0 && column >= 0 && column < columns && row * columns + column < places;
    }
    std::size_t at(Step row, Step column) const { return static_cast<std::size_t>(row * columns + column); }
};

Number gelu_by_tanh(Number x) {
    return x / 2 *
           (1 + std::tanh(std::sqrt(2 / std::numbers::pi_v<Number>) * (x + Number(0.044715) * x * x * x)));
}

/// Where a point ends: row and column.
Row place_of_point(const Head& head, const SharedPoints& given, const PlacesOfImage& image, Step patch_row,
                   Step patch_column) {
    const std::size_t d = head.q.cols;
    const Step stride = static_cast<Step>(given.stride), side = static_cast<Step>(given.side);
    const Step row = std::min(patch_row * stride + stride / 2, image.rows() - 1),
               column = std::min(patch_column * stride + stride / 2, image.columns - 1);
    Row around = given.shift;
    for (Step tap = 0; tap < side * side; ++tap) {
        const Step y = row + tap / side - side / 2, x = column + tap % side - side / 2;
        for (std::size_t c = 0; c < d && image.has(y, x); ++c)
            around[c] += given.kernel(static_cast<std::size_t>(tap), c) * head.q(image.at(y, x), c);
    }
    Number mean = 0, variance = 0;
    for (const Number number : around)
        mean += number / static_cast<Number>(d);
    for (const Number number : around)
        variance += (number - mean) * (number - mean) / static_cast<Number>(d);
    const auto middle = [&](Step patch, Step length) {
        return static_cast<Number>(patch * stride + std::min((patch + 1) * stride, length) - 1) / 2;
    };
    Row place{middle(patch_row, image.rows()), middle(patch_column, image.columns)};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        Number sum = 0;
        for (std::size_t c = 0; c < d; ++c)
            sum +=
                gelu_by_tanh((around[c] - mean) / std::sqrt(variance + Number(1e-5))) * given.steps(c, axis);
        place[axis] += given.reach * std::tanh(sum);
    }
    return place;
}

}  // namespace

HeadResult shared_points(const Head& head, const SharedPoints& given) {
    const std::size_t n = head.q.rows;
    const PlacesOfImage image(n, given.columns);
    const Step stride = static_cast<Step>(given.stride);
    std::vector<Row> points;
    for (Step row = 0; row * stride < image.rows(); ++row)
        for (Step column = 0; column * stride < image.columns; ++column)
            points.push_back(place_of_point(head, given, image, row, column));
    Matrix shares(points.size(), n), keys(points.size(), head.k.cols), values(points.size(), head.v.cols);
    for (std::size_t point = 0; point < points.size(); ++point) {
        const Number y = points[point][0], x = points[point][1];
        for (const Number row : {std::floor(y), std::floor(y) + 1})
            for (const Number column : {std::floor(x), std::floor(x) + 1}) {
                if (!image.has(static_cast<Step>(row), static_cast<Step>(column)))
                    continue;
                const std::size_t j = image.at(static_cast<Step>(row), static_cast<Step>(column));
                const Number share = (1 - std::abs(y - row)) * (1 - std::abs(x - column));
                shares(point, j) += share;
                for (std::size_t c = 0; c < keys.cols; ++c)
                    keys(point, c) += share * head.k(j, c);
                for (std::size_t c = 0; c < values.cols; ++c)
                    values(point, c) += share * head.v(j, c);
            }
    }
    const Step down = 2 * image.rows() - 1, right = 2 * image.columns - 1;
    HeadResult result{Matrix(n, n), Matrix(n, head.v.cols)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        for (std::size_t point = 0; point < points.size(); ++point) {
            Number score =
                product_of_rows(head.q, i, keys, point) / std::sqrt(static_cast<Number>(head.k.cols));
            const Number y = static_cast<Number>(static_cast<Step>(i) / image.columns) - points[point][0],
                         x = static_cast<Number>(static_cast<Step>(i) % image.columns) - points[point][1];
            for (const Number row : {std::floor(y), std::floor(y) + 1})
                for (const Number column : {std::floor(x), std::floor(x) + 1}) {
                    const Step a = static_cast<Step>(row) + down / 2,
                               b = static_cast<Step>(column) + right / 2;
                    if (!given.table.empty() && a >= 0 && a < down && b >= 0 && b < right)
                        score += given.table[static_cast<std::size_t>(a * right + b)] *
                                 (1 - std::abs(y - row)) * (1 - std::abs(x - column));
                }
            scores.push_back(score);
        }
        const Row weights = softmax_of_all(scores);
        for (std::size_t point = 0; point < points.size(); ++point) {
            for (std::size_t j = 0; j < n; ++j)
                result.weights(i, j) += weights[point] * shares(point, j);
            for (std::size_t c = 0; c < values.cols; ++c)
                result.context(i, c) += weights[point] * values(point, c);
        }
    }
    return result;
}

std::vector<HeadResult> convolution_mix(const std::vector<Head>& heads, const ConvolutionMix& given) {
    const std::size_t n = heads[0].q.rows, d = heads[0].q.cols;
    const PlacesOfImage image(n, given.columns);
    const Step reach = static_cast<Step>(given.window) / 2, side = static_cast<Step>(given.side);
    const auto row_of = [&](std::size_t place) { return static_cast<Step>(place) / image.columns; };
    const auto column_of = [&](std::size_t place) { return static_cast<Step>(place) % image.columns; };
    const auto in_image = [](Step line, Step lines) {
        return lines < 2 ? Number(-1) : 2 * static_cast<Number>(line) / static_cast<Number>(lines - 1) - 1;
    };
    std::vector<HeadResult> results;
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const Head& head = heads[h];
        HeadResult result{Matrix(n, n), Matrix(n, d)};
        for (std::size_t i = 0; i < n; ++i) {
            Row scores(n, Number(0));
            std::vector<bool> is_near(n);
            for (std::size_t j = 0; j < n; ++j) {
                is_near[j] = std::abs(row_of(i) - row_of(j)) <= reach &&
                             std::abs(column_of(i) - column_of(j)) <= reach;
                const Number across = in_image(column_of(i), image.columns) -
                                      in_image(column_of(j), image.columns),
                             down = in_image(row_of(i), image.rows()) - in_image(row_of(j), image.rows());
                for (std::size_t c = 0; c < d; ++c)
                    scores[j] += head.q(i, c) *
                                 (head.k(j, c) + across * given.places(0, c) + down * given.places(1, c)) /
                                 std::sqrt(static_cast<Number>(d));
            }
            const Row weights = softmax(scores, is_near, 1);
            for (std::size_t j = 0; j < n; ++j) {
                result.weights(i, j) = weights[j];
                for (std::size_t c = 0; c < d; ++c)
                    result.context(i, c) += given.alpha * weights[j] * head.v(j, c);
            }
            for (Step tap = 0; tap < side * side; ++tap) {
                const Step y = row_of(i) + tap / side - side / 2, x = column_of(i) + tap % side - side / 2;
                if (!image.has(y, x))
                    continue;
                const std::size_t from = image.at(y, x),
                                  row = static_cast<std::size_t>(tap) * heads.size() + h;
                for (std::size_t other = 0; other < heads.size(); ++other)
                    for (std::size_t c = 0; c < d; ++c)
                        result.context(i, c) +=
                            given.beta *
                            (given.pieces(row, other) * heads[other].q(from, c) +
                             given.pieces(row, heads.size() + other) * heads[other].k(from, c) +
                             given.pieces(row, 2 * heads.size() + other) * heads[other].v(from, c));
            }
        }
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace headlight::reference
