#include "tests/oracle/head_numbers.h"

#include "core/attention/options.h"
#include "tests/reference/linear_mixers.h"

#include <cmath>

namespace headlight {

using reference::Head;
using reference::Matrix;
using reference::Row;

Row numbers_of_head(const Row& all, std::size_t head, std::size_t width) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(head * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
}

Matrix rows_of_head(const Matrix& all, std::size_t head, std::size_t rows) {
    return Matrix(rows, all.cols, numbers_of_head(all.values, head, rows * all.cols));
}

std::size_t count_option(const OracleParts& parts, const std::string& name) {
    return static_cast<std::size_t>(parts.spec.algorithm.options.count(name));
}

Number scale_of_queries(const OracleParts& parts, const Head& head) {
    const bool is_scaled = parts.spec.algorithm.options.flag("scaled");
    return is_scaled ? 1 / std::sqrt(static_cast<Number>(head.q.cols)) : 1;
}

Matrix token_numbers(const OracleParts& parts, const Head& head, const std::string& name, std::size_t width) {
    return head_projection(head, parts.parameters.matrix("W_" + name), parts.parameters.row("b_" + name),
                           width);
}

Matrix token_sigmoids(const OracleParts& parts, const Head& head, const std::string& name, std::size_t width,
                      Number most) {
    Matrix result = token_numbers(parts, head, name, width);
    for (Number& each : result.values)
        each = most * reference::sigmoid(each);
    return result;
}

Matrix token_softplus(const OracleParts& parts, const Head& head, const std::string& name,
                      std::size_t width) {
    Matrix result = token_numbers(parts, head, name, width);
    for (Number& each : result.values)
        each = reference::softplus(each);
    return result;
}

Matrix token_gates(const OracleParts& parts, const Head& head, const std::string& name, std::size_t width,
                   const std::string& rate) {
    const Number decay = std::exp(parts.parameters.row(rate)[head.number]);
    Matrix result = token_softplus(parts, head, name, width);
    for (Number& each : result.values)
        each = std::exp(-decay * each);
    return result;
}

Matrix feature_gates(const OracleParts& parts, const Head& head, const std::string& name, std::size_t width) {
    if (!parts.spec.algorithm.options.flag("forgets"))
        return {};
    const Matrix numbers = token_gates(parts, head, name, width);
    Matrix gates(head.k.rows, head.k.cols);
    for (std::size_t j = 0; j < gates.rows; ++j)
        for (std::size_t c = 0; c < gates.cols; ++c)
            gates(j, c) = numbers(j, width == 1 ? 0 : c);
    return gates;
}

}  // namespace headlight
