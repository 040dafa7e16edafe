#include "core/reference/normalizers_of_maps.h"

#include "core/reference/softmax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headlight::reference {
namespace {

bool is_empty(const std::vector<bool>& allowed) {
    return std::find(allowed.begin(), allowed.end(), true) == allowed.end();
}

void divide_rows(Matrix& map) {
    for (std::size_t i = 0; i < map.rows; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < map.cols; ++j)
            sum += map(i, j);
        for (std::size_t j = 0; j < map.cols && sum > 0; ++j)
            map(i, j) /= sum;
    }
}

double column_sum(const Matrix& map, std::size_t j) {
    double sum = 0;
    for (std::size_t i = 0; i < map.rows; ++i)
        sum += map(i, j);
    return sum;
}

}  // namespace

Matrix sinkhorn(const Matrix& scores, const Allowed& allowed, double temperature, std::size_t iterations) {
    Matrix map(scores.rows, scores.cols);
    double rows = 0, columns = 0;
    for (std::size_t i = 0; i < map.rows; ++i) {
        const Row weights = softmax(scores.row(i), allowed[i], temperature);
        for (std::size_t j = 0; j < map.cols; ++j)
            map(i, j) = weights[j];
        rows += is_empty(allowed[i]) ? 0 : 1;
    }
    for (std::size_t j = 0; j < map.cols; ++j)
        columns += column_sum(map, j) > 0 ? 1 : 0;
    for (std::size_t iteration = 1; iteration < iterations; ++iteration) {
        for (std::size_t j = 0; j < map.cols; ++j) {
            const double sum = column_sum(map, j);
            for (std::size_t i = 0; i < map.rows && sum > 0; ++i)
                map(i, j) *= rows / columns / sum;
        }
        divide_rows(map);
    }
    return map;
}

Matrix slot(const Matrix& scores, const Allowed& allowed, double temperature) {
    Matrix map(scores.rows, scores.cols);
    for (std::size_t j = 0; j < map.cols; ++j) {
        Row column;
        std::vector<bool> may;
        for (std::size_t i = 0; i < map.rows; ++i) {
            column.push_back(scores(i, j));
            may.push_back(allowed[i][j]);
        }
        const Row shares = softmax(column, may, temperature);
        for (std::size_t i = 0; i < map.rows; ++i)
            map(i, j) = shares[i];
    }
    divide_rows(map);
    return map;
}

Matrix monotonic(const Matrix& scores, const Allowed& allowed, double temperature, double bias, bool hard) {
    Matrix map(scores.rows, scores.cols);
    Row before(scores.cols, 0.0);
    before[0] = 1;
    for (std::size_t i = 0; i < map.rows; ++i) {
        if (is_empty(allowed[i]))
            continue;
        Row p(scores.cols, 0.0);
        for (std::size_t j = 0; j < p.size(); ++j) {
            if (allowed[i][j])
                p[j] = 1 / (1 + std::exp(-(scores(i, j) / temperature + bias)));
            if (hard)
                p[j] = p[j] > 0.5 ? 1 : 0;
        }
        for (std::size_t start = 0; start < p.size(); ++start) {
            double arrives = before[start];
            for (std::size_t j = start; j < p.size(); ++j) {
                map(i, j) += arrives * p[j];
                arrives *= 1 - p[j];
            }
        }
        before = map.row(i);
    }
    return map;
}

Matrix chunkwise(const Matrix& scores, const Allowed& allowed, double temperature, double bias, bool hard,
                 std::size_t width) {
    const Matrix stops = monotonic(scores, allowed, temperature, bias, hard);
    const std::size_t w = width == 0 ? scores.cols : width;
    Matrix map(scores.rows, scores.cols);
    for (std::size_t i = 0; i < map.rows; ++i) {
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < map.cols; ++j)
            if (allowed[i][j])
                largest = std::max(largest, scores(i, j));
        const auto power = [&](std::size_t j) {
            return allowed[i][j] ? std::exp((scores(i, j) - largest) / temperature) : 0.0;
        };
        for (std::size_t j = 0; j < map.cols; ++j)
            for (std::size_t k = j; k < std::min(j + w, map.cols); ++k) {
                double sum = 0;
                for (std::size_t l = k + 1 > w ? k + 1 - w : 0; l <= k; ++l)
                    sum += power(l);
                if (stops(i, k) > 0)
                    map(i, j) += stops(i, k) * power(j) / sum;
            }
    }
    return map;
}

}  // namespace headlight::reference
