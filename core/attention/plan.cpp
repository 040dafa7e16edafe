#include "core/attention/plan.h"

#include "core/attention/finite.h"
#include "core/attention/spec_words.h"
#include "core/attention/widths.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

constexpr double most_weights = 0x1p30;  // 8 GiB of doubles

void require_matrix(const Tensor& tensor, const std::string& name) {
    if (tensor.rank() != 2)
        throw Error({"token vectors", name, "a matrix with a row for each token",
                     "a tensor of shape " + to_string(tensor.shape())});
    if (tensor.rows() == 0)
        throw Error({"token vectors", name, "at least one token", "an empty sequence"});
    if (tensor.cols() == 0)
        throw Error({"token vectors", name, "at least one number for each token",
                     "shape " + to_string(tensor.shape())});
}

void require_labels(const std::vector<std::string>& labels, Index tokens, const std::string& name) {
    if (!labels.empty() && std::ssize(labels) != tokens)
        throw Error({"token labels", name, std::to_string(tokens) + ", one for each row",
                     std::to_string(labels.size())});
}

void check_sequences(const Inputs& inputs) {
    require_matrix(inputs.query, "query");
    if (inputs.key)
        require_matrix(*inputs.key, "key");
    if (inputs.value)
        require_matrix(*inputs.value, "value");
    const Index keys = inputs.key_tokens().rows();
    if (inputs.value_tokens().rows() != keys)
        throw Error({"token vectors", "value", std::to_string(keys) + " rows, one for each key",
                     std::to_string(inputs.value->rows())});
    require_labels(inputs.tokens.query, inputs.query.rows(), "tokens.query");
    require_labels(inputs.tokens.key, keys, "tokens.key");
}

void check_numbers(const AttentionSpec& spec) {
    const Normalizer& normalizer = spec.normalizer;
    if (!std::isfinite(normalizer.temperature) || normalizer.temperature <= 0)
        throw Error({"normalizer", "normalizer.temperature", "a finite number above 0",
                     std::to_string(normalizer.temperature)});
    if (normalizer.draws < 1 || normalizer.draws > most_draws)
        throw Error({"normalizer", "normalizer.draws", "1 to " + std::to_string(most_draws),
                     std::to_string(normalizer.draws)});
    if (spec.mask_value && !std::isfinite(*spec.mask_value))
        throw Error({"mask", "mask_value", "a finite number; leave it out for minus infinity",
                     std::to_string(*spec.mask_value)});
}

void check_names(const std::map<std::string, Tensor>& given) {
    const auto& known = known_parameters();
    for (const auto& [name, tensor] : given) {
        if (std::ranges::find(known, name, &ParameterInfo::name) != known.end())
            continue;
        std::vector<std::string> names;
        for (const ParameterInfo& info : known)
            names.push_back(info.name);
        throw Error({"parameter", "parameters", list_of(names), quoted_with_hint(excerpt(name), names)});
    }
}

void check_size(const std::string& what, std::initializer_list<Index> extents) {
    double elements = 1;
    std::string shape;
    for (const Index extent : extents) {
        elements *= static_cast<double>(extent);
        shape += (shape.empty() ? "" : " × ") + std::to_string(extent);
    }
    if (elements > most_weights)
        throw Error({what, "", "at most 8 GiB", shape + " numbers"});
}

double scale_of(const AttentionSpec& spec, const Plan& plan) {
    switch (spec.score.type) {
    case ScoreType::scaled_dot:
        return 1 / std::sqrt(static_cast<double>(plan.head_key_width()));
    case ScoreType::learned_scale:
        return plan.parameter("g").values().front();
    default:
        return 1;
    }
}

/// Keys whose vectors are read. A finite mask value forbids nothing: every key then has a weight.
std::vector<std::uint8_t> read_keys(const Plan& plan) {
    return plan.spec.mask_value ? std::vector<std::uint8_t>() : plan.allowed.used_keys();
}

void check_finite(const Plan& plan) {
    require_finite(plan.inputs.query, "query");
    const auto read = read_keys(plan);
    if (plan.inputs.key)
        require_finite(*plan.inputs.key, "key", read);
    if (plan.inputs.value)
        require_finite(*plan.inputs.value, "value", read);
    for (const ParameterInfo& info : plan.parameters)
        require_finite(plan.parameter(info.name), info.name);
}

}  // namespace

Plan plan(const AttentionSpec& spec, const Inputs& given, const PlanOptions& options) {
    const Inputs inputs = inputs_for(spec.source.type, given);
    check_sequences(inputs);
    check_numbers(spec);
    check_names(inputs.parameters);

    const TokenDimensions tokens{inputs.query.cols(), inputs.key_tokens().cols(),
                                 inputs.value_tokens().cols()};
    const Widths widths = widths_of(spec, tokens, inputs.parameters);
    const Index heads = spec.heads.count();
    const Index queries = inputs.query.rows();
    const Index keys = inputs.key_tokens().rows();
    check_size("attention weights", {heads, queries, keys});
    check_size("projections",
               {std::max(queries, keys), std::max({widths.query, widths.key, widths.value, widths.output})});

    Plan plan{
        .spec = spec,
        .inputs = inputs,
        .seed = options.seed,
        .parameters = required_parameters(spec, tokens, inputs.parameters),
        .heads = heads,
        .queries = queries,
        .keys = keys,
        .query_width = widths.query,
        .key_width = widths.key,
        .value_width = widths.value,
        .output_width = widths.output,
        .attention_width = widths.attention,
        .allowed = AllowedPairs(spec.mask, queries, keys),
    };
    plan.inputs.parameters = resolve_parameters(plan.parameters, inputs.parameters, options.seed);
    plan.scale = scale_of(spec, plan);
    check_finite(plan);
    return plan;
}

}  // namespace headlight
