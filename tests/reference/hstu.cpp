#include "tests/reference/hstu.h"

#include "tests/reference/linear_mixers.h"
#include "tests/reference/vector_norm.h"

namespace headlight::reference {
namespace {

Number swish(Number x) { return x * sigmoid(x); }

Row passed(const Row& vector, bool activates) {
    Row result;
    for (const Number x : vector)
        result.push_back(activates ? swish(x) : x);
    return result;
}

/// silu(q . k) / n, and the sum of the values that it weighs.
HeadResult pooled(const Head& head, const Hstu& layer) {
    const Number n = static_cast<Number>(layer.length > 0 ? layer.length : head.k.rows);
    HeadResult result{Matrix(head.q.rows, head.k.rows), Matrix(head.q.rows, head.v.cols)};
    for (std::size_t i = 0; i < head.q.rows; ++i)
        for (std::size_t j = 0; j < head.k.rows; ++j) {
            if (!head.allowed[i][j])
                continue;
            const Row value = passed(head.v.row(j), layer.activates);
            const Number score =
                product(passed(head.q.row(i), layer.activates), passed(head.k.row(j), layer.activates));
            result.weights(i, j) = swish(score) / n;
            for (std::size_t c = 0; c < value.size(); ++c)
                result.context(i, c) += result.weights(i, j) * value[c];
        }
    return result;
}

}  // namespace

std::vector<HeadResult> hstu(const std::vector<Head>& heads, const Hstu& layer) {
    std::vector<HeadResult> results;
    for (const Head& head : heads)
        results.push_back(pooled(head, layer));
    const Matrix gates = project(heads.front().x, {layer.to_gate, {}});
    for (std::size_t i = 0; i < gates.rows; ++i) {
        Row together;
        for (const HeadResult& head : results)
            for (const Number number : head.context.row(i))
                together.push_back(number);
        const Row normalized = layer_normalized(together, Row(together.size(), Number(1)));
        std::size_t at = 0;
        for (HeadResult& head : results)
            for (std::size_t c = 0; c < head.context.cols; ++c, ++at)
                head.context(i, c) = normalized[at] * swish(gates(i, at));
    }
    return results;
}

}  // namespace headlight::reference
