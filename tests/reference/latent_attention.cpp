#include "tests/reference/latent_attention.h"

#include <cmath>
#include <complex>

namespace headlight::reference {
namespace {

/// Neighbours as one complex number, times e^(i angle).
Row rotated(const Row& vector, std::size_t position, Number base) {
    Row result;
    for (std::size_t i = 0; i < vector.size(); i += 2) {
        const Number power = static_cast<Number>(i) / static_cast<Number>(vector.size());
        const std::complex<Number> turned =
            std::complex(vector[i], vector[i + 1]) *
            std::polar(Number(1), static_cast<Number>(position) / std::pow(base, power));
        result.push_back(turned.real());
        result.push_back(turned.imag());
    }
    return result;
}

Matrix normalized(Matrix rows, const Row& gain) {
    for (std::size_t r = 0; r < rows.rows; ++r) {
        Number mean_square = 1e-6;
        for (std::size_t c = 0; c < rows.cols; ++c)
            mean_square += rows(r, c) * rows(r, c) / static_cast<Number>(rows.cols);
        for (std::size_t c = 0; c < rows.cols; ++c)
            rows(r, c) *= gain[c] / std::sqrt(mean_square);
    }
    return rows;
}

Row part(const Row& row, std::size_t first, std::size_t count) {
    return {row.begin() + static_cast<std::ptrdiff_t>(first),
            row.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

}  // namespace

HeadResult latent_attention(const Head& head, const Latent& latent) {
    const Matrix c = normalized(project(head.y, {latent.compress, {}}), latent.gain);
    const Matrix keys = columns_of_head(project(c, {latent.to_key, {}}), head.number, latent.heads);
    const Matrix values = columns_of_head(project(c, {latent.to_value, {}}), head.number, latent.heads);
    const Matrix rotary =
        latent.to_rotary.rows > 0 ? project(head.y, {latent.to_rotary, {}}) : Matrix(head.y.rows, 0);
    Matrix scores(head.q.rows, head.y.rows);
    for (std::size_t i = 0; i < head.q.rows; ++i) {
        const Row content = part(head.q.row(i), 0, keys.cols);
        const Row turned = rotated(part(head.q.row(i), keys.cols, rotary.cols), i, latent.base);
        for (std::size_t j = 0; j < head.y.rows; ++j)
            scores(i, j) =
                (product(content, keys.row(j)) + product(turned, rotated(rotary.row(j), j, latent.base))) /
                std::sqrt(static_cast<Number>(head.q.cols));
    }
    HeadResult result{latent.weigh(head, scores, head.allowed), Matrix(head.q.rows, values.cols)};
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            for (std::size_t f = 0; f < values.cols && result.weights(i, j) != 0; ++f)
                result.context(i, f) += result.weights(i, j) * values(j, f);
    return result;
}

}  // namespace headlight::reference
