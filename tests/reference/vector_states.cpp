#include "tests/reference/vector_states.h"

#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>

namespace headlight::reference {

HeadResult vector_states(const Head& head, Number least) {
    const std::size_t n = head.q.rows, m = head.k.rows, width = head.v.cols;
    HeadResult result{Matrix(n, m), Matrix(n, width)};
    for (std::size_t c = 0; c < width; ++c) {
        Number state = 0;
        Row held(m, Number(0));  // how much of each token is in the state
        std::vector<Number> states{state};
        std::vector<Row> all_held{held};
        for (std::size_t t = 0; t < m; ++t) {
            const Number written = (1 - least) * sigmoid(-head.k(t, c));
            const Number kept = least + (1 - least) * sigmoid(head.k(t, c));
            state = kept * state + written * head.v(t, c) * sigmoid(head.v(t, c));
            for (Number& each : held)
                each *= kept;
            held[t] = written;
            states.push_back(state);
            all_held.push_back(held);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const auto seen = static_cast<std::size_t>(std::ranges::count(head.allowed[i], true));
            result.context(i, c) = head.q(i, c) * sigmoid(head.q(i, c)) * states[seen];
            for (std::size_t j = 0; j < m; ++j)
                result.weights(i, j) += all_held[seen][j] / static_cast<Number>(width);
        }
    }
    return result;
}

}  // namespace headlight::reference
