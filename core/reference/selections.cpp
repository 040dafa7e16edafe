#include "core/reference/selections.h"

namespace headlight::reference {

Allowed top_k(const Matrix& scores, const Allowed& allowed, std::size_t k) {
    Allowed kept = allowed;
    for (std::size_t i = 0; i < scores.rows; ++i)
        for (std::size_t j = 0; j < scores.cols; ++j) {
            std::size_t larger = 0;
            for (std::size_t other = 0; other < scores.cols; ++other)
                larger += allowed[i][other] && scores(i, other) > scores(i, j);
            kept[i][j] = allowed[i][j] && larger < k;
        }
    return kept;
}

}  // namespace headlight::reference
