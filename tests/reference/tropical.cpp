#include "tests/reference/tropical.h"

#include <algorithm>
#include <optional>

namespace headlight::reference {

HeadResult tropical(const Head& head) {
    const std::size_t n = head.q.rows, m = head.k.rows, features = head.v.cols;
    HeadResult result{Matrix(n, m), Matrix(n, features)};
    for (std::size_t i = 0; i < n; ++i) {
        Row scores;
        for (std::size_t j = 0; j < m; ++j) {
            Row differences;
            for (std::size_t c = 0; c < head.q.cols; ++c)
                differences.push_back(head.q(i, c) - head.k(j, c));
            const auto [smallest, largest] = std::minmax_element(differences.begin(), differences.end());
            scores.push_back(*smallest - *largest);
        }
        for (std::size_t c = 0; c < features; ++c) {
            std::optional<std::size_t> winner;
            for (std::size_t j = 0; j < m; ++j)
                if (head.allowed[i][j] &&
                    (!winner || scores[j] + head.v(j, c) > scores[*winner] + head.v(*winner, c)))
                    winner = j;
            if (!winner)
                continue;
            result.weights(i, *winner) += 1 / static_cast<Number>(features);
            result.context(i, c) = scores[*winner] + head.v(*winner, c);
        }
    }
    return result;
}

}  // namespace headlight::reference
