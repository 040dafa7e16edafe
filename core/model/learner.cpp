#include "core/model/learner.h"

#include "core/nn/chunks.h"
#include "core/tensor/memory.h"
#include "core/tensor/parallel.h"

namespace headlight {

double Learner::weights_memory(Index weights, Index parts) {
    // The weights, two moments of each, and a gradient of each part.
    return static_cast<double>(sizeof(float)) * static_cast<double>(3 + parts) * static_cast<double>(weights);
}

Learner::Learner(const nn::ParameterLayout& layout, std::uint64_t seed, const nn::AdamOptions& options)
    : weights_(layout.initial_values<float>(seed)), optimizer_(layout.size(), options) {}

double Learner::step(Index parts, const Loss& loss, double rate) {
    while (std::ssize(parts_) < parts) {
        Part& part = parts_.emplace_back();
        part.gradient.resize(weights_.size());
        part.tape = std::make_unique<nn::Tape<float>>(weights_, part.gradient);
        // The parts are alike: what one takes, all take.
        const double beside = weights_memory(std::ssize(weights_), parts);
        part.tape->ask_before_growing([beside, parts](Index bytes) {
            require_memory("train", "a batch",
                           beside + static_cast<double>(bytes) * static_cast<double>(parts), " or more");
        });
    }
    parallel_for(parts, static_cast<int>(parts), [&](Index number, int) {
        Part& part = parts_[static_cast<std::size_t>(number)];
        std::ranges::fill(part.gradient, 0.0f);
        part.tape->clear();
        const nn::Variable<float> sum = loss(*part.tape, number);
        part.loss = static_cast<double>(*sum.value);
        part.tape->backward(sum);
    });
    // From here on the weights change: half a step would be no step of any training.
    Interruption::check();
    const Interruption none(nullptr);
    double sum = 0;
    for (Index number = 0; number < parts; ++number)
        sum += parts_[static_cast<std::size_t>(number)].loss;
    std::vector<float>& gradient = parts_.front().gradient;
    const kernels::Arithmetic<float>& by = parts_.front().tape->arithmetic();
    nn::for_each_chunk(std::ssize(gradient), static_cast<int>(parts), [&](Index first, Index count) {
        for (std::size_t other = 1; other < static_cast<std::size_t>(parts); ++other)
            by.add(parts_[other].gradient.data() + first, count, gradient.data() + first);
    });
    optimizer_.step(weights_, gradient, rate, static_cast<int>(parts));
    return sum;
}

}  // namespace headlight
