#include "tests/oracle/oracle.h"

#include "core/attention/component.h"
#include "tests/oracle/own_oracles.h"

#include <algorithm>
#include <iterator>

namespace headlight {
namespace {

using reference::Allowed;

reference::Matrix matrix(const Tensor& tensor) {
    return {static_cast<std::size_t>(tensor.rank() == 2 ? tensor.rows() : 1),
            static_cast<std::size_t>(tensor.rank() == 2 ? tensor.cols() : tensor.size()),
            {tensor.values().begin(), tensor.values().end()}};
}

Allowed allowed_pairs(const Mask& mask, std::size_t n, std::size_t m) {
    struct Translate {
        std::size_t n, m;
        Allowed operator()(const NoMask&) const { return reference::everything(n, m); }
        Allowed operator()(const CausalMask& rule) const {
            return rule.alignment == CausalAlignment::top_left ? reference::causal_top_left(n, m)
                                                               : reference::causal_bottom_right(n, m);
        }
        Allowed operator()(const PaddingMask& rule) const {
            return reference::padding(n, m, static_cast<std::size_t>(rule.key_lengths.value_or(Index(m))));
        }
        Allowed operator()(const MatrixMask& rule) const { return rule.allowed; }
        Allowed operator()(const PatternMask& rule) const { return pattern_oracle(rule, n, m); }
        Allowed operator()(const AllOf& rule) const {
            Allowed allowed = reference::everything(n, m);
            for (const Mask& each : rule.masks)
                allowed = reference::both(allowed, allowed_pairs(each, n, m));
            return allowed;
        }
        Allowed operator()(const AnyOf& rule) const {
            Allowed allowed = reference::opposite(reference::everything(n, m));
            for (const Mask& each : rule.masks)
                allowed = reference::either(allowed, allowed_pairs(each, n, m));
            return allowed;
        }
        Allowed operator()(const Not& rule) const {
            return reference::opposite(allowed_pairs(rule.mask.front(), n, m));
        }
    };
    return std::visit(Translate{n, m}, mask.rule);
}

reference::Activation activation(Activation word) {
    switch (word) {
    case Activation::tanh:
        return reference::Activation::tanh;
    case Activation::relu:
        return reference::Activation::relu;
    case Activation::sigmoid:
        return reference::Activation::sigmoid;
    case Activation::identity:
        return reference::Activation::identity;
    }
    return reference::Activation::identity;
}

reference::ScoreRule score_rule(const Score& score, const OracleParameters& parameters) {
    using Type = reference::ScoreRule::Type;
    reference::ScoreRule rule;
    rule.activation = activation(score.activation);
    switch (score.type) {
    case ScoreType::dot:
        rule.type = Type::dot;
        break;
    case ScoreType::scaled_dot:
        rule.type = Type::scaled_dot;
        break;
    case ScoreType::self_similarity:
        rule.type = Type::self_similarity;
        break;
    case ScoreType::learned_scale:
        rule.type = Type::learned_scale;
        rule.g = parameters.row("g").front();
        break;
    case ScoreType::general:
        rule.type = Type::general;
        rule.W = parameters.matrix("W");
        break;
    case ScoreType::concat:
        rule.type = Type::concat;
        rule.W = parameters.matrix("W");
        rule.v = parameters.row("v");
        if (score.bias)
            rule.b = parameters.row("b");
        break;
    case ScoreType::additive:
        rule.type = Type::additive;
        rule.W_1 = parameters.matrix("W_1");
        rule.W_2 = parameters.matrix("W_2");
        rule.v = parameters.row("v");
        if (score.bias)
            rule.b = parameters.row("b");
        break;
    default:  // components replace the rule
        break;
    }
    return rule;
}

reference::Choice choice(const Normalizer& normalizer) {
    if (normalizer.type != NormalizerType::hard)
        return reference::Choice::soft;
    return normalizer.mode == HardMode::argmax ? reference::Choice::argmax : reference::Choice::sample;
}

/// Projections of q, k, v and of the heads' contexts.
void add_projections(const OracleParts& parts, reference::Setting& setting) {
    const AttentionSpec& spec = parts.spec;
    const Sharing sharing = spec.heads.sharing;
    setting.values_are_keys = sharing == Sharing::key_value;
    if (spec.projections.type != ProjectionType::learned)
        return;
    const auto linear = [&](const std::string& suffix) {
        return reference::Linear{parts.parameters.matrix("W_" + suffix),
                                 spec.projections.bias ? parts.parameters.row("b_" + suffix)
                                                       : reference::Row{}};
    };
    if (spec.score.type != ScoreType::self_similarity) {
        setting.to_query = linear("q");
        setting.to_key = linear(sharing == Sharing::query_key ? "q" : "k");
    }
    if (sharing != Sharing::key_value)
        setting.to_value = linear("v");
    if (spec.heads.type != HeadsType::single)
        setting.to_output = linear("o");
}

/// Whether the component has an oracle in a file of its own, which then has said what it does.
bool add_own(std::string_view axis, std::string_view word, const OracleParts& parts,
             reference::Setting& setting) {
    for (const OwnOracle& own : own_oracles())
        if (own.axis == axis && own.word == word) {
            own.add(parts, setting);
            return true;
        }
    return false;
}

}  // namespace

reference::Matrix OracleParameters::matrix(const std::string& name) const {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? reference::Matrix{} : headlight::matrix(found->second);
}

reference::Row OracleParameters::row(const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
        return {};
    return {found->second.values().begin(), found->second.values().end()};
}

OracleResult scalar_oracle(const AttentionSpec& given, const Inputs& inputs, std::uint64_t seed) {
    const AttentionSpec spec = complete_spec(given);
    const OracleParts parts{spec, OracleParameters(inputs.parameters),
                            static_cast<std::size_t>(inputs.query.rows()),
                            static_cast<std::size_t>(inputs.key_tokens().rows()), seed};
    reference::Setting setting;
    setting.query_tokens = matrix(inputs.query);
    setting.key_tokens = matrix(inputs.key_tokens());
    setting.value_tokens = matrix(inputs.value_tokens());
    setting.sinusoidal_position =
        spec.position.type == PositionType::sinusoidal || spec.position.second == PositionType::sinusoidal;
    add_projections(parts, setting);
    setting.heads = static_cast<std::size_t>(spec.heads.count());
    setting.kv_heads = static_cast<std::size_t>(spec.heads.kv_count());
    setting.score = score_rule(spec.score, parts.parameters);
    setting.softcap = spec.score.softcap;
    setting.allowed = allowed_pairs(spec.mask, parts.queries, parts.keys);
    setting.mask_value = spec.mask_value;
    setting.mask_before_scale = spec.mask_order == MaskOrder::before_scale;
    setting.temperature = spec.normalizer.temperature;
    setting.choice = choice(spec.normalizer);
    setting.seed = seed;
    const auto add = [&](std::string_view axis, const auto* component, const auto& add_by_table) {
        if (!component || !add_own(axis, component->word, parts, setting))
            add_by_table(parts, setting);
    };
    const ScoreComponent* score = component_of(spec.score.type);
    // A component without a scale of its own has none: the rule that it replaces would be divided by sqrt(d).
    if (score)
        setting.scale = 1;
    add("scores", score, add_score_oracle);
    // What changes the scores stands before what reads them.
    const auto add_positions = [&](bool has_bias) {
        for (const PositionType type : {spec.position.type, spec.position.second}) {
            const PositionComponent* position = component_of(type);
            if (position && position->has_bias == has_bias &&
                !add_own("positions", position->word, parts, setting))
                add_position_oracle(parts, type, setting);
        }
    };
    add_positions(false);
    add_positions(true);
    add("selections", component_of(spec.selection.type), add_selection_oracle);
    add("normalizers", component_of(spec.normalizer.type), add_normalizer_oracle);
    add_head_oracle(parts, setting);
    add("algorithms", component_of(spec.algorithm.type), add_algorithm_oracle);

    const reference::Result answer = reference::attend(setting);
    OracleResult result;
    const auto append = [](const std::vector<reference::Number>& from, std::vector<double>& to) {
        std::ranges::transform(from, std::back_inserter(to),
                               [](reference::Number number) { return static_cast<double>(number); });
    };
    for (const reference::Matrix& head : answer.weights)
        append(head.values, result.weights);
    append(answer.output.values, result.output);
    return result;
}

}  // namespace headlight
