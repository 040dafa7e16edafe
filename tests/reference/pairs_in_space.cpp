#include "tests/reference/pairs_in_space.h"

#include <array>
#include <cmath>

namespace headlight::reference {
namespace {

using Point = std::array<Number, 3>;

struct FrameInSpace {
    std::array<Point, 3> turn;
    Point place;

    Point apply(const Point& p) const {
        Point result = place;
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
                result[a] += turn[a][b] * p[b];
        return result;
    }
    Point apply_inverse(const Point& p) const {
        Point result{0, 0, 0};
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t b = 0; b < 3; ++b)
                result[a] += turn[b][a] * (p[b] - place[b]);
        return result;
    }
};

/// x_t W
Row row_times(const Matrix& x, std::size_t t, const Matrix& W) {
    Row result(W.cols, Number(0));
    for (std::size_t to = 0; to < W.cols; ++to)
        for (std::size_t from = 0; from < W.rows; ++from)
            result[to] += x(t, from) * W(from, to);
    return result;
}

FrameInSpace frame_of_token(const Matrix& x, std::size_t t, const InvariantPoints& points) {
    Row numbers = row_times(x, t, points.frame);
    for (std::size_t c = 0; c < 7; ++c)
        numbers[c] += points.shift[c];
    numbers[0] += 1;
    const Number length = std::sqrt(numbers[0] * numbers[0] + numbers[1] * numbers[1] +
                                    numbers[2] * numbers[2] + numbers[3] * numbers[3]);
    for (std::size_t c = 0; c < 4 && length > 0; ++c)
        numbers[c] /= length;
    // v becomes v + 2 u x (u x v + a v), a the first number of the quaternion and u the others.
    const Number a = numbers[0];
    const Point u{numbers[1], numbers[2], numbers[3]};
    const auto cross = [](const Point& p, const Point& q) {
        return Point{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    };
    FrameInSpace frame{{}, {numbers[4], numbers[5], numbers[6]}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Point v{0, 0, 0};
        v[axis] = 1;
        Point inner = cross(u, v);
        for (std::size_t c = 0; c < 3; ++c)
            inner[c] += a * v[c];
        const Point outer = cross(u, inner);
        for (std::size_t c = 0; c < 3; ++c)
            frame.turn[c][axis] = v[c] + 2 * outer[c];
    }
    return frame;
}

/// Where the points that a token makes are in space.
std::vector<Point> points_of_token(const Matrix& x, std::size_t t, const Matrix& W,
                                   const FrameInSpace& frame) {
    const Row own = row_times(x, t, W);
    const std::size_t count = own.size() / 3;
    std::vector<Point> result;
    for (std::size_t p = 0; p < count; ++p)
        result.push_back(frame.apply({own[p], own[count + p], own[2 * count + p]}));
    return result;
}

}  // namespace

Matrix outer_product_bias(const Matrix& x, const OuterProduct& given, const std::vector<bool>& is_read) {
    const std::size_t n = x.rows, width = given.first.cols;
    Matrix bias(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            Matrix mean(width, width);
            Number rows = 0;
            for (std::size_t start = 0; start < n; start += given.columns) {
                const std::size_t a = start + i % given.columns, b = start + j % given.columns;
                if (a >= n || b >= n)
                    continue;
                rows += 1;
                const Row first = row_times(x, a, given.first), second = row_times(x, b, given.second);
                for (std::size_t c = 0; c < width && is_read[a] && is_read[b]; ++c)
                    for (std::size_t d = 0; d < width; ++d)
                        mean(c, d) += first[c] * second[d];
            }
            for (std::size_t c = 0; c < width; ++c)
                for (std::size_t d = 0; d < width; ++d)
                    bias(i, j) += mean(c, d) / rows * given.pairs(c, d);
        }
    return bias;
}

Matrix distance_bias(const Matrix& x, const InvariantPoints& points) {
    const std::size_t n = x.rows;
    std::vector<std::vector<Point>> asked, offered;
    for (std::size_t t = 0; t < n; ++t) {
        const FrameInSpace frame = frame_of_token(x, t, points);
        asked.push_back(points_of_token(x, t, points.asked, frame));
        offered.push_back(points_of_token(x, t, points.offered, frame));
    }
    const Number rate = std::log1p(std::exp(points.rate));
    Matrix bias(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            Number sum = 0;
            for (std::size_t p = 0; p < asked[i].size(); ++p)
                for (std::size_t c = 0; c < 3; ++c)
                    sum += (asked[i][p][c] - offered[j][p][c]) * (asked[i][p][c] - offered[j][p][c]);
            const Number of_points = std::sqrt(2 / (9 * static_cast<Number>(asked[i].size())));
            Number terms = -rate * of_points / 2 * sum;
            if (points.first.rows > 0) {
                const Row first = row_times(x, i, points.first), second = row_times(x, j, points.second);
                for (std::size_t c = 0; c < first.size(); ++c)
                    terms += first[c] * second[c] * points.of_pair[c];
            }
            bias(i, j) = terms / std::sqrt(Number(points.first.rows > 0 ? 3 : 2));
        }
    return bias;
}

Matrix points_found(const Matrix& x, const Matrix& weights, const InvariantPoints& points) {
    const std::size_t n = x.rows, count = points.given.cols / 3;
    std::vector<FrameInSpace> frames;
    std::vector<std::vector<Point>> given;
    for (std::size_t t = 0; t < n; ++t) {
        frames.push_back(frame_of_token(x, t, points));
        given.push_back(points_of_token(x, t, points.given, frames.back()));
    }
    Matrix context(n, points.to_context.cols);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t p = 0; p < count; ++p) {
            Point found{0, 0, 0};
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t c = 0; c < 3; ++c)
                    found[c] += weights(i, j) * given[j][p][c];
            const Point own = frames[i].apply_inverse(found);
            Number squares = Number(1e-8);
            for (const Number coordinate : own)
                squares += coordinate * coordinate;
            for (std::size_t to = 0; to < context.cols; ++to) {
                for (std::size_t c = 0; c < 3; ++c)
                    context(i, to) += own[c] * points.to_context(c * count + p, to);
                context(i, to) += std::sqrt(squares) * points.to_context(3 * count + p, to);
            }
        }
    for (std::size_t i = 0; i < n && points.first.rows > 0; ++i) {
        const Row first = row_times(x, i, points.first);
        for (std::size_t j = 0; j < n; ++j) {
            const Row second = row_times(x, j, points.second);
            for (std::size_t c = 0; c < first.size(); ++c)
                for (std::size_t to = 0; to < context.cols; ++to)
                    context(i, to) += weights(i, j) * first[c] * second[c] * points.pairs_to_context(c, to);
        }
    }
    return context;
}

}  // namespace headlight::reference
