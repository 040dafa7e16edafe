#include "tests/reference/scores.h"

#include <cmath>

namespace headlight::reference {

Number activate(Activation activation, Number x) {
    switch (activation) {
    case Activation::tanh:
        return std::tanh(x);
    case Activation::relu:
        return x > 0 ? x : Number(0);
    case Activation::sigmoid:
        return 1 / (1 + std::exp(-x));
    case Activation::identity:
        return x;
    }
    return x;
}

Number dot_score(const Row& q, const Row& k) {
    Number sum = 0;
    for (std::size_t c = 0; c < q.size(); ++c)
        sum += q[c] * k[c];
    return sum;
}

Number general_score(const Row& q, const Row& k, const Matrix& W) {
    Number sum = 0;
    for (std::size_t r = 0; r < q.size(); ++r)
        for (std::size_t c = 0; c < k.size(); ++c)
            sum += q[r] * W(r, c) * k[c];
    return sum;
}

Number concat_score(const Row& q, const Row& k, const Matrix& W, const Row& b, const Row& v,
                    Activation activation) {
    Row pair = q;
    pair.insert(pair.end(), k.begin(), k.end());
    Number score = 0;
    for (std::size_t a = 0; a < v.size(); ++a) {
        Number sum = b.empty() ? Number(0) : b[a];
        for (std::size_t c = 0; c < pair.size(); ++c)
            sum += pair[c] * W(c, a);
        score += v[a] * activate(activation, sum);
    }
    return score;
}

Number additive_score(const Row& q, const Row& k, const Matrix& W_1, const Matrix& W_2, const Row& b,
                      const Row& v, Activation activation) {
    Number score = 0;
    for (std::size_t a = 0; a < v.size(); ++a) {
        Number sum = b.empty() ? Number(0) : b[a];
        for (std::size_t c = 0; c < q.size(); ++c)
            sum += q[c] * W_1(c, a);
        for (std::size_t c = 0; c < k.size(); ++c)
            sum += k[c] * W_2(c, a);
        score += v[a] * activate(activation, sum);
    }
    return score;
}

}  // namespace headlight::reference
