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

Matrix layer_normalized_rows(Matrix rows, const Row& gain, const Row& shift) {
    const auto width = static_cast<Number>(rows.cols);
    for (std::size_t r = 0; r < rows.rows; ++r) {
        Number mean = 0, variance = 1e-5;
        for (std::size_t c = 0; c < rows.cols; ++c)
            mean += rows(r, c) / width;
        for (std::size_t c = 0; c < rows.cols; ++c)
            variance += (rows(r, c) - mean) * (rows(r, c) - mean) / width;
        for (std::size_t c = 0; c < rows.cols; ++c)
            rows(r, c) = (rows(r, c) - mean) / std::sqrt(variance) * gain[c] + shift[c];
    }
    return rows;
}

Matrix merged_latents(const Matrix& latents, const Latent& latent) {
    const std::size_t width = latents.cols;
    Matrix result(latents.rows, width);
    for (std::size_t token = 0; token < latents.rows; ++token)
        for (std::size_t i = token / latent.merged * latent.merged; i <= token; ++i) {
            const auto group = static_cast<Number>(i / latent.merged);
            Number score = 0;
            for (std::size_t w = 0; w < latent.merge_place.cols; ++w) {
                Number asked = latent.merge_place_shift[w], told = latent.merge_latent_shift[w];
                for (std::size_t c = 0; c < width; ++c) {
                    const Number angle = group / std::pow(Number(10000), static_cast<Number>(c / 2 * 2) /
                                                                             static_cast<Number>(width));
                    asked += (c % 2 == 0 ? std::sin(angle) : std::cos(angle)) * latent.merge_place(c, w);
                    told += latents(i, c) * latent.merge_latent(c, w);
                }
                score += asked * told;
            }
            for (std::size_t c = 0; c < width; ++c)
                result(token, c) += latents(i, c) / (1 + std::exp(-score));
        }
    return result;
}

/// Returns those of the keys that may be seen, which are the first ones, that the cache of merged latents
/// has.
Allowed cached_pairs(Allowed allowed, std::size_t merged) {
    for (auto& row : allowed)
        for (std::size_t key = 0; key < row.size(); ++key) {
            const bool is_newest = key + 1 == row.size() || !row[key + 1];
            row[key] = row[key] && (is_newest || (key + 1) % merged == 0);
        }
    return allowed;
}

Row part(const Row& row, std::size_t first, std::size_t count) {
    return {row.begin() + static_cast<std::ptrdiff_t>(first),
            row.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

}  // namespace

HeadResult latent_attention(const Head& head, const Latent& latent) {
    const Matrix compressed = project(head.y, {latent.compress, {}});
    const Matrix own = latent.shift.empty() ? normalized(compressed, latent.gain)
                                            : layer_normalized_rows(compressed, latent.gain, latent.shift);
    const Matrix c = latent.merged > 1 ? merged_latents(own, latent) : own;
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
    HeadResult result{latent.weigh(head, scores, cached_pairs(head.allowed, latent.merged)),
                      Matrix(head.q.rows, values.cols)};
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j)
            for (std::size_t f = 0; f < values.cols && result.weights(i, j) != 0; ++f)
                result.context(i, f) += result.weights(i, j) * values(j, f);
    return result;
}

}  // namespace headlight::reference
