#include "tests/reference/learned_features.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {
namespace {

using FeatureMap = LearnedFeatures::Map;

/// x W + b
Row through_layer(const Row& x, const Matrix& W, const Row& b) {
    Row result = b;
    for (std::size_t c = 0; c < W.cols; ++c)
        for (std::size_t a = 0; a < x.size(); ++a)
            result[c] += x[a] * W(a, c);
    return result;
}

Row learned_features_of(const LearnedFeatures& features, const Row& x, const Matrix& W, const Row& b) {
    Row result;
    if (features.map == FeatureMap::focused) {
        Number square = 0, square_of_powers = 0;
        for (const Number each : x) {
            const Number above = std::max(each, Number(0));
            result.push_back(std::pow(above, features.power));
            square += above * above;
            square_of_powers += result.back() * result.back();
        }
        for (Number& each : result)
            each *= square_of_powers > 0 ? std::sqrt(square) / std::sqrt(square_of_powers) : 0;
        return result;
    }
    const Row mapped = through_layer(x, W, b);
    if (features.map == FeatureMap::relu) {
        for (const Number each : mapped)
            result.push_back(std::max(each, Number(0)));
        return result;
    }
    Number largest = 0, sum = 0;
    for (const Number each : mapped)
        largest = std::max(largest, std::abs(each));
    for (const int sign : {1, -1})
        for (const Number each : mapped)
            result.push_back(std::exp(static_cast<Number>(sign) * each - largest));
    for (const Number each : result)
        sum += each;
    for (Number& each : result)
        each /= sum;
    return result;
}

}  // namespace

HeadResult learned_features(const Head& head, const LearnedFeatures& features) {
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row query = learned_features_of(features, head.q.row(i), features.W_q, features.b_q);
        Number sum = 0;
        for (std::size_t j = 0; j < head.k.rows; ++j)
            if (head.allowed[i][j]) {
                result.weights(i, j) =
                    product(query, learned_features_of(features, head.k.row(j), features.W_k, features.b_k));
                sum += result.weights(i, j);
            }
        for (std::size_t j = 0; j < head.k.rows && sum > 0; ++j) {
            result.weights(i, j) /= sum;
            for (std::size_t c = 0; c < head.v.cols; ++c)
                result.context(i, c) += result.weights(i, j) * head.v(j, c);
        }
    }
    add_filtered_values(head, features.filter, result.context);
    return result;
}

void add_filtered_values(const Head& head, const Row& filter, Matrix& context) {
    for (std::size_t i = 0; i < context.rows; ++i)
        for (std::size_t t = 0; t < filter.size(); ++t) {
            const std::size_t place = i + t, before = filter.size() / 2;
            if (place < before || place - before >= head.v.rows || !head.allowed[i][place - before])
                continue;
            for (std::size_t c = 0; c < context.cols; ++c)
                context(i, c) += filter[t] * head.v(place - before, c);
        }
}

}  // namespace headlight::reference
