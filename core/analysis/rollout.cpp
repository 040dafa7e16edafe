#include "core/analysis/rollout.h"

#include "core/tensor/error.h"

#include <algorithm>

namespace headlight {
namespace {

void require_maps(std::span<const Tensor> layers) {
    if (layers.empty())
        throw Error({"attention rollout", "layers", "at least one layer", "none"});
    const Index tokens = layers[0].rank() == 3 ? layers[0].extent(2) : 0;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const Tensor& weights = layers[layer];
        const std::string where = "layer " + std::to_string(layer);
        if (weights.empty() || weights.rank() != 3 || weights.extent(1) != tokens ||
            weights.extent(2) != tokens)
            throw Error({"attention rollout", where, "weights [head, token, token] over one sequence",
                         to_string(weights.shape())});
        if (const double least = std::ranges::min(weights.values()); !(least >= 0))
            throw Error({"attention rollout", where, "weights of 0 and more", std::to_string(least)});
    }
}

/// A + I, each row divided by its sum.
Tensor with_residual(const Tensor& weights) {
    const Index heads = weights.extent(0), tokens = weights.extent(2);
    Tensor mixing({tokens, tokens});
    for (Index head = 0; head < heads; ++head)
        for (Index cell = 0; cell < mixing.size(); ++cell)
            mixing[cell] += weights[head * mixing.size() + cell] / static_cast<double>(heads);
    for (Index token = 0; token < tokens; ++token) {
        mixing(token, token) += 1;
        double sum = 0;
        for (const double share : mixing.row(token))
            sum += share;
        for (double& share : mixing.row(token))
            share /= sum;
    }
    return mixing;
}

}  // namespace

Tensor attention_rollout(std::span<const Tensor> layers) {
    require_maps(layers);
    Tensor rollout = with_residual(layers[0]);
    for (const Tensor& layer : layers.subspan(1)) {
        const Tensor mixing = with_residual(layer);
        Tensor further(rollout.shape());
        for (Index to = 0; to < rollout.rows(); ++to)
            for (Index via = 0; via < rollout.rows(); ++via)
                for (Index from = 0; from < rollout.rows(); ++from)
                    further(to, from) += mixing(to, via) * rollout(via, from);
        rollout = std::move(further);
    }
    return rollout;
}

}  // namespace headlight
