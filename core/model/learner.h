#pragma once

#include "core/nn/optimizer.h"
#include "core/nn/tape.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace headlight {

/// Weights in training: gradients of a batch's parts on as many threads, one optimiser. The parts are added
/// up in their order, so that the same parts give the same bytes.
class Learner {
public:
    /// The loss of one part of a batch on the tape; called from several threads at once.
    using Loss = std::function<nn::Variable<float>(nn::Tape<float>&, Index part)>;

    Learner(const nn::ParameterLayout& layout, std::uint64_t seed, const nn::AdamOptions& options = {});

    /// Bytes that so many weights take in training, with what is kept of each beside it.
    static double weights_memory(Index weights, Index parts);

    /// Returns the loss, the sum over the parts. All of it or nothing: what interrupts it (interruption.h)
    /// leaves weights and optimizer as they were. Throws Error before the parts take more than
    /// memory_limit().
    double step(Index parts, const Loss& loss, double rate);
    /// Gives back the memory that steps work in, many times that of the weights. The next step takes it
    /// again.
    void rest() { parts_.clear(); }

    std::span<const float> weights() const { return weights_; }
    /// As many as there are. They are copied, for the tapes of the parts look at where the weights are.
    void set_weights(std::span<const float> weights) { std::ranges::copy(weights, weights_.begin()); }
    nn::Adam<float>& optimizer() { return optimizer_; }
    const nn::Adam<float>& optimizer() const { return optimizer_; }

private:
    struct Part {
        std::vector<float> gradient;
        std::unique_ptr<nn::Tape<float>> tape;
        double loss = 0;
    };

    std::vector<float> weights_;
    nn::Adam<float> optimizer_;
    std::vector<Part> parts_;
};

}  // namespace headlight
