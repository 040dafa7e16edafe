#include "tests/reference/learner_steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::reference {
namespace {

constexpr Number gelu_cube = 0.044715L;

Number gelu_bend(Number x) {
    return std::tanh(std::sqrt(2 / std::numbers::pi_v<Number>) * (x + gelu_cube * x * x * x));
}
Number gelu_of_unit(Number x) { return x / 2 * (1 + gelu_bend(x)); }
Number gelu_slope(Number x) {
    const Number t = gelu_bend(x);
    return (1 + t) / 2 +
           x / 2 * (1 - t * t) * std::sqrt(2 / std::numbers::pi_v<Number>) * (1 + 3 * gelu_cube * x * x);
}

Row answer_of_layer(const Layer& layer, const Row& x) {
    Row result = layer.b;
    for (std::size_t c = 0; c < result.size(); ++c)
        for (std::size_t a = 0; a < x.size(); ++a)
            result[c] += x[a] * layer.W(a, c);
    return result;
}

Row through_gelu(Row x) {
    std::ranges::transform(x, x.begin(), gelu_of_unit);
    return x;
}

/// The layer and a step along x and `step`.
void take_step(Layer& layer, const Row& x, const Row& step, Number size) {
    for (std::size_t c = 0; c < step.size(); ++c) {
        layer.b[c] += size * step[c];
        for (std::size_t a = 0; a < x.size(); ++a)
            layer.W(a, c) += size * x[a] * step[c];
    }
}

/// What a token writes to each layer, and along what.
struct WrittenStep {
    std::vector<Row> along, step;
};

WrittenStep step_of_token(const LearnerSteps& rule, const std::vector<Layer>& layers, const Row& key,
                          const Row& value) {
    const bool has_hidden = layers.size() == 2;
    WrittenStep written;
    const Row inputs = has_hidden ? answer_of_layer(layers.front(), key) : Row();
    const Row units = has_hidden ? through_gelu(inputs) : key;
    const Row answer = answer_of_layer(layers.back(), units);
    Row target = value, step;
    for (std::size_t c = 0; c < value.size(); ++c) {
        target[c] -= rule.has_norm() ? key[c] : 0;
        step.push_back(target[c] - answer[c]);
    }
    if (rule.has_norm())
        step = step_through_norm(answer, target, rule.gamma, rule.beta);
    if (has_hidden) {
        Row below;
        for (std::size_t u = 0; u < units.size(); ++u) {
            Number sum = 0;
            for (std::size_t c = 0; c < step.size(); ++c)
                sum += layers.back().W(u, c) * step[c];
            below.push_back(sum * gelu_slope(inputs[u]));
        }
        written.along.push_back(key);
        written.step.push_back(below);
    }
    written.along.push_back(units);
    written.step.push_back(step);
    return written;
}

}  // namespace

Row normed_by_learner(const Row& x, const Row& gamma, const Row& beta) {
    const auto width = static_cast<Number>(x.size());
    Number mean = 0, variance = 0;
    for (const Number each : x)
        mean += each / width;
    for (const Number each : x)
        variance += (each - mean) * (each - mean) / width;
    Row result;
    for (std::size_t c = 0; c < x.size(); ++c)
        result.push_back(gamma[c] * (x[c] - mean) / std::sqrt(variance + Number(1e-6)) + beta[c]);
    return result;
}

Row step_through_norm(const Row& x, const Row& target, const Row& gamma, const Row& beta) {
    const auto width = static_cast<Number>(x.size());
    const Row ones(x.size(), Number(1)), zeros(x.size(), Number(0));
    const Row normed = normed_by_learner(x, ones, zeros);
    Number mean = 0, variance = 0, mean_of_gradient = 0, along = 0;
    for (const Number each : x)
        mean += each / width;
    for (const Number each : x)
        variance += (each - mean) * (each - mean) / width;
    Row gradient;
    for (std::size_t c = 0; c < x.size(); ++c) {
        gradient.push_back((gamma[c] * normed[c] + beta[c] - target[c]) * gamma[c]);
        mean_of_gradient += gradient[c] / width;
        along += gradient[c] * normed[c] / width;
    }
    for (std::size_t c = 0; c < x.size(); ++c)
        gradient[c] =
            -(gradient[c] - mean_of_gradient - normed[c] * along) / std::sqrt(variance + Number(1e-6));
    return gradient;
}

HeadResult learner_steps(const Head& head, const LearnerSteps& rule) {
    const std::size_t n = head.k.rows, width = head.v.cols;
    std::vector<std::vector<Layer>> after{rule.layers};  // what 0, 1, 2, ... tokens have left
    std::vector<WrittenStep> written;
    std::vector<Layer> begun = rule.layers;
    for (std::size_t t = 0; t < n; ++t) {
        if (t % rule.batch == 0)
            begun = after.back();
        written.push_back(step_of_token(rule, begun, head.k.row(t), head.v.row(t)));
        std::vector<Layer> layers = begun;
        const std::size_t first = t / rule.batch * rule.batch;
        const Number share = rule.is_mean ? 1 / static_cast<Number>(t - first + 1) : Number(1);
        for (std::size_t j = first; j <= t; ++j)
            for (std::size_t layer = 0; layer < layers.size(); ++layer)
                take_step(layers[layer], written[j].along[layer], written[j].step[layer],
                          share * rule.sizes[j]);
        after.push_back(layers);
    }
    HeadResult result{Matrix(n, n), Matrix(n, width)};
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t read =
            std::min(static_cast<std::size_t>(std::ranges::count(head.allowed[i], true)), i + 1);
        const std::vector<Layer>& layers = after[read];
        Row asked = head.q.row(i);
        for (Number& each : asked)
            each *= rule.scale;
        if (layers.size() == 2)
            asked = through_gelu(answer_of_layer(layers.front(), asked));
        const Row answer = answer_of_layer(layers.back(), asked);
        const Row normed = rule.has_norm() ? normed_by_learner(answer, rule.gamma, rule.beta) : answer;
        for (std::size_t c = 0; c < width; ++c)
            result.context(i, c) = normed[c] + (rule.has_norm() ? head.q(i, c) : Number(0));
        for (std::size_t j = 0; j < read; ++j) {
            const std::size_t last = (read - 1) / rule.batch;
            const std::size_t of_batch = j / rule.batch == last ? (read - 1) % rule.batch + 1 : rule.batch;
            const Number share = rule.is_mean ? 1 / static_cast<Number>(of_batch) : Number(1);
            result.weights(i, j) = share * rule.sizes[j] * (product(asked, written[j].along.back()) + 1);
        }
    }
    return result;
}

}  // namespace headlight::reference
