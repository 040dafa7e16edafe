#include "core/analysis/rollout.h"

#include "core/kernels/kernels.h"
#include "core/map/site_name.h"
#include "core/map/trace_maps.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// Pictures are made while somebody waits for them: about 50 ms of products.
constexpr double most_multiply_adds = 1 << 28;

void require_maps(std::span<const LayerWeights> layers, Index tokens) {
    if (layers.empty())
        throw Error({"attention rollout", "layers", "at least one layer", "none"});
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const std::string where = "layer " + std::to_string(layer + 1);
        if (layers[layer].empty())
            throw Error({"attention rollout", where, "at least one head", "none"});
        for (const Storage<const double>& head : layers[layer]) {
            if (std::ssize(head) != tokens * tokens)
                throw Error({"attention rollout", where,
                             "weights of " + std::to_string(tokens) + " tokens looking at one another",
                             std::to_string(head.size()) + " numbers"});
            const auto least = std::ranges::min_element(head);
            if (least != head.end() && !(*least >= 0))
                throw Error({"attention rollout", where, "weights of 0 and more", std::to_string(*least)});
        }
    }
}

/// A + I, each row divided by its sum: the rows `first` to `first + count`, [count, tokens].
Tensor with_residual(const LayerWeights& heads, Index tokens, Index first, Index count) {
    Tensor mixing({count, tokens});
    for (const Storage<const double>& head : heads)
        for (Index cell = 0; cell < mixing.size(); ++cell)
            mixing[cell] += head[static_cast<std::size_t>(first * tokens + cell)];
    for (Index row = 0; row < count; ++row) {
        double sum = 0;
        for (double& share : mixing.row(row))
            share /= static_cast<double>(heads.size());
        mixing(row, first + row) += 1;
        for (const double share : mixing.row(row))
            sum += share;
        for (double& share : mixing.row(row))
            share /= sum;
    }
    return mixing;
}

Tensor times(const Tensor& left, const Tensor& right) {
    Tensor product({left.rows(), right.cols()});
    const auto& kernels = kernels::table<double>(kernels::chosen_level());
    std::vector<double> room(
        static_cast<std::size_t>(kernels::packed_size<double>(right.rows(), right.cols())));
    const auto packed = kernels.pack(right.view(), room.data());
    kernels.multiply({.left = left.view(), .right = packed, .out = product.view()});
    return product;
}

/// The weights at the sites of one kind up to the layer of a site, the first layer first; null where there
/// are none. Empty where the site is of no layer. It may have any number: among as many layers as there are
/// stages one is missing before.
std::vector<const Stage*> stages_up_to(const Trace& trace, const std::string& site) {
    const SiteName asked = parse_site(site);
    if (!asked.layer)
        return {};
    const auto count = static_cast<std::size_t>(*asked.layer) + 1;
    std::vector<const Stage*> layers(std::min(count, trace.stages().size()), nullptr);
    for (const Stage& stage : trace.stages()) {
        const SiteName name = parse_site(stage.site);
        if (stage.name == "weights" && name.kind == asked.kind && name.layer &&
            *name.layer < std::ssize(layers))
            layers[static_cast<std::size_t>(*name.layer)] = &stage;
    }
    return layers;
}

bool has_site_of(const Trace& trace, const std::string& kind) {
    return std::ranges::any_of(trace.stages(), [&](const Stage& stage) {
        return stage.name == "weights" && parse_site(stage.site).kind == kind;
    });
}

}  // namespace

Tensor attention_rollout(std::span<const LayerWeights> layers, Index tokens, Index first, Index count) {
    require_maps(layers, tokens);
    Tensor rows = with_residual(layers.back(), tokens, first, count);
    for (std::size_t layer = layers.size() - 1; layer-- > 0;) {
        Interruption::check();
        rows = times(rows, with_residual(layers[layer], tokens, 0, tokens));
    }
    return rows;
}

std::string rollout_lack(const Trace& trace, const std::string& site) {
    const std::vector<const Stage*> layers = stages_up_to(trace, site);
    if (layers.empty())
        return "a rollout goes through the layers of a model, and there are none here";
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
        if (!layers[layer])
            return "the weights of layer " + std::to_string(layer + 1) + ", which lies before, are not there";
    const TokenLabels& labels = trace.tokens_at(site);
    const Index tokens = layers.back()->extent(Axis::key);
    const auto is_over_tokens = [&](const Stage* weights) {
        return weights->has_axis(Axis::query) && weights->has_axis(Axis::key) &&
               weights->extent(Axis::query) == tokens && weights->extent(Axis::key) == tokens;
    };
    if (!std::ranges::all_of(layers, is_over_tokens) || !(labels.key.empty() || labels.key == labels.query))
        return "a rollout is of tokens that look at one another";
    if (parse_site(site).kind == "decoder" && has_site_of(trace, "cross"))
        return "what comes through the cross-attention would be missing";
    const auto has_other_keys = [&](const Stage* weights) {
        const AttentionSpec* spec = trace.known_spec_at(weights->site);
        return spec && spec->source.type == SourceType::cross;
    };
    if (std::ranges::any_of(layers, has_other_keys))
        return "a layer gets values that another has made, and a rollout follows its own input";
    const double multiply_adds =
        std::pow(static_cast<double>(tokens), 3) * static_cast<double>(layers.size() - 1);
    const auto is_large = [](const Stage* weights) { return weights->is_large(); };
    if (multiply_adds > most_multiply_adds || std::ranges::any_of(layers, is_large))
        return "the maps are too large to be multiplied";
    const auto may_be_negative = [&](const Stage* weights) { return is_implied(trace, *weights); };
    if (std::ranges::any_of(layers, may_be_negative))
        return "weights that a linear layer implies may be negative: they are no shares";
    return {};
}

std::vector<LayerWeights> layers_up_to(const Trace& trace, const std::string& site) {
    if (const std::string lacks = rollout_lack(trace, site); !lacks.empty())
        throw Error({"draw attention rollout", site, "weights of every layer over one sequence", lacks});
    std::vector<LayerWeights> layers;
    for (const Stage* weights : stages_up_to(trace, site)) {
        layers.emplace_back();
        for (Index head = 0; head < weights->heads(); ++head)
            layers.back().push_back(trace.shared_matrix(*weights, head));
    }
    return layers;
}

}  // namespace headlight
