#include "core/model/learner.h"

#include "core/attention/parallel.h"

namespace headlight {

Learner::Learner(const nn::ParameterLayout& layout, std::uint64_t seed, const nn::AdamOptions& options)
    : weights_(layout.initial_values<float>(seed)), optimizer_(layout.size(), options) {}

Learner::Result Learner::step(Index parts, const Loss& loss, double rate) {
    while (std::ssize(parts_) < parts) {
        Part& part = parts_.emplace_back();
        part.gradient.resize(weights_.size());
        part.tape = std::make_unique<nn::Tape<float>>(weights_, part.gradient);
    }
    parallel_for(parts, static_cast<int>(parts), [&](Index number, int) {
        Part& part = parts_[static_cast<std::size_t>(number)];
        std::ranges::fill(part.gradient, 0.0f);
        part.tape->clear();
        const nn::Variable<float> sum = loss(*part.tape, number);
        part.loss = static_cast<double>(*sum.value);
        part.tape->backward(sum);
    });
    Result result;
    std::vector<float>& gradient = parts_.front().gradient;
    for (Index number = 0; number < parts; ++number) {
        const Part& part = parts_[static_cast<std::size_t>(number)];
        result.loss += part.loss;
        for (std::size_t i = 0; number > 0 && i < gradient.size(); ++i)
            gradient[i] += part.gradient[i];
    }
    result.gradient_norm = optimizer_.step(weights_, gradient, rate);
    return result;
}

}  // namespace headlight
