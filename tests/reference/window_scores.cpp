#include "tests/reference/window_scores.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {

Matrix gaussian_window_scores(const Head& head, const Matrix& W, const Row& b, bool has_densities) {
    const std::size_t bells = W.cols / 3;
    Matrix scores(head.q.rows, head.k.rows);
    Row centre(bells, Number(0));
    for (std::size_t i = 0; i < scores.rows; ++i) {
        Row said = b;
        for (std::size_t c = 0; c < said.size(); ++c) {
            for (std::size_t d = 0; d < head.q.cols; ++d)
                said[c] += head.q(i, d) * W(d, c);
            said[c] = std::min(said[c], Number(100));
        }
        Number shares = 0;
        const Number most =
            *std::max_element(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(bells));
        for (std::size_t k = 0; k < bells; ++k)
            shares += std::exp(said[k] - most);
        for (std::size_t k = 0; k < bells; ++k) {
            const Number width = said[bells + k], step = said[2 * bells + k];
            centre[k] += has_densities ? softplus(step) : std::exp(step);
            for (std::size_t j = 0; j < scores.cols; ++j) {
                const Number away = centre[k] - static_cast<Number>(j + 1);
                if (!has_densities) {
                    scores(i, j) += std::exp(said[k]) * std::exp(-std::exp(width) * away * away);
                    continue;
                }
                const Number sigma = std::max(softplus(width), Number(1e-5));
                scores(i, j) += std::exp(said[k] - most) / shares *
                                std::exp(-away * away / (2 * sigma * sigma)) /
                                (std::sqrt(2 * std::numbers::pi_v<Number>) * sigma);
            }
        }
    }
    return scores;
}

}  // namespace headlight::reference
