#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
#include "tests/reference/balanced_linear.h"
#include "tests/reference/delta_correction.h"
#include "tests/reference/fourier_features.h"
#include "tests/reference/learned_features.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/moving_average.h"
#include "tests/reference/near_and_far.h"
#include "tests/reference/polarity.h"
#include "tests/reference/trapezoid_states.h"
#include "tests/reference/vector_states.h"

#include <cmath>
#include <numbers>
#include <string>

namespace headlight {
namespace {

using reference::Head;
using reference::HeadResult;
using reference::Matrix;
using reference::Row;

HeadResult learned_features(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::string& map = options.word("map");
    reference::LearnedFeatures features;
    using enum reference::LearnedFeatures::Map;
    features.map = map == "softmax" ? softmax : map == "relu" ? relu : focused;
    features.power = options.number("power");
    if (map != "focused") {
        const std::size_t d = head.q.cols;
        const auto& parameters = parts.parameters;
        features.W_q = rows_of_head(parameters.matrix("W_map_q"), head.number, d);
        features.W_k = rows_of_head(parameters.matrix("W_map_k"), head.number, d);
        features.b_q = numbers_of_head(parameters.row("b_map_q"), head.number, d);
        features.b_k = numbers_of_head(parameters.row("b_map_k"), head.number, d);
    }
    if (options.count("convolution") > 0)
        features.filter = parts.parameters.matrix("value_filter").row(head.number);
    return reference::learned_features(head, features);
}

HeadResult balanced_linear(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::string& map = options.word("map");
    reference::BalancedLinear setting;
    using enum reference::BalancedLinear::Map;
    setting.map = map == "identity" ? identity : map == "relu" ? relu : elu;
    setting.is_scaled = options.flag("scaled");
    setting.by_magnitude = options.word("rule") == "magnitude";
    if (options.count("convolution") > 0)
        setting.filter = parts.parameters.matrix("value_filter").row(head.number);
    return reference::balanced_linear(head, setting);
}

HeadResult fourier_features(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::size_t count = count_option(parts, "features"), d = head.q.cols;
    const Matrix drawn =
        reference::random_normals((head.number + 1) * count, d, parts.seed, "fourier_directions");
    reference::FourierFeatures rule{.directions = rows_of_head(drawn, head.number, count),
                                    .gate_numbers = {}};
    const Row scales = numbers_of_head(parts.parameters.row("direction_scales"), head.number, d);
    for (std::size_t r = 0; r < count; ++r)
        for (std::size_t c = 0; c < d; ++c)
            rule.directions(r, c) *= scales[c] / options.number("temperature");
    if (options.flag("gated"))
        rule.gate_numbers = token_numbers(parts, head, "recency").values;
    return reference::fourier_features(head, rule);
}

HeadResult polarity(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::Polarity setting{
        .powers = numbers_of_head(parts.parameters.row("polar_power"), head.number, head.q.cols),
        .scales = numbers_of_head(parts.parameters.row("polar_scale"), head.number, head.q.cols),
        .reach = options.number("reach")};
    if (options.flag("gate"))
        setting.gate = reference::columns_of_head(
            reference::project(head.x, {parts.parameters.matrix("W_polar_gate"), {}}), head.number,
            static_cast<std::size_t>(parts.spec.heads.count()));
    if (options.count("convolution") > 0)
        setting.filter = parts.parameters.matrix("value_filter").row(head.number);
    return reference::polarity(head, setting);
}

HeadResult near_and_far(const OracleParts& parts, const Head& head) {
    return reference::near_and_far(
        head, {.reach = static_cast<std::size_t>(parts.spec.algorithm.options.count("reach")),
               .near = parts.parameters.row("near_share")[head.number],
               .far = parts.parameters.matrix("far_share").row(head.number)});
}

/// Queries and keys behind the head's own.
void add_ranks(const OracleParts& parts, const Head& head, reference::TrapezoidStates& rule) {
    const auto ranks = static_cast<std::size_t>(parts.spec.algorithm.options.count("ranks"));
    if (ranks == 1)
        return;
    const auto& parameters = parts.parameters;
    const std::size_t d = head.k.cols, heads = static_cast<std::size_t>(parts.spec.heads.count());
    const Matrix queries = reference::project(head.x, {parameters.matrix("W_rank_q"), {}}),
                 keys = reference::project(head.y, {parameters.matrix("W_rank_k"), {}});
    for (std::size_t rank = 0; rank + 1 < ranks; ++rank) {
        const std::size_t number = rank * heads + head.number, all = (ranks - 1) * heads;
        reference::TrapezoidStates::Rank one{reference::columns_of_head(queries, number, all),
                                             reference::columns_of_head(keys, number, all),
                                             {},
                                             {}};
        if (rule.has_norm) {
            one.bias_of_query = numbers_of_head(parameters.row("C_bias_of_ranks"), number, d);
            one.bias_of_key = numbers_of_head(parameters.row("B_bias_of_ranks"), number, d);
        }
        rule.ranks.push_back(one);
    }
    rule.in = reference::columns_of_head(parameters.matrix("rank_in"), head.number, heads);
    rule.out = reference::columns_of_head(parameters.matrix("rank_out"), head.number, heads);
}

HeadResult mamba3(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto& parameters = parts.parameters;
    const std::size_t d = head.k.cols;
    reference::TrapezoidStates rule;
    rule.steps = token_softplus(parts, head, "dt").values;
    rule.rates = token_softplus(parts, head, "rate").values;
    for (Number& rate : rule.rates)
        rate = std::max(rate, Number(1e-4));
    if (options.flag("trapezoid"))
        rule.shares = token_sigmoids(parts, head, "trapezoid").values;
    const auto pairs =
        static_cast<std::size_t>(std::floor(options.number("turned_share") * static_cast<double>(d) / 2));
    rule.turns = Matrix(head.k.rows, pairs);
    if (pairs > 0) {
        const Matrix W = parameters.matrix("W_turn");
        for (std::size_t t = 0; t < head.k.rows; ++t)
            for (std::size_t pair = 0; pair < pairs; ++pair) {
                Number raw = 0;
                for (std::size_t a = 0; a < W.rows; ++a)
                    raw += head.y(t, a) * W(a, pair);
                rule.turns(t, pair) = std::numbers::pi_v<Number> * std::tanh(raw);
            }
    }
    rule.has_norm = options.flag("norm");
    if (rule.has_norm) {
        rule.bias_of_query = numbers_of_head(parameters.row("C_bias"), head.number, d);
        rule.bias_of_key = numbers_of_head(parameters.row("B_bias"), head.number, d);
    }
    rule.scale = scale_of_queries(parts, head);
    add_ranks(parts, head, rule);
    return reference::trapezoid_states(head, rule);
}

reference::MovingAverageUnit moving_average_unit(const OracleParts& parts) {
    const OracleParameters& parameters = parts.parameters;
    return {.alpha = parameters.matrix("ema_alpha"),
            .delta = parameters.matrix("ema_delta"),
            .beta = parameters.matrix("ema_beta"),
            .eta = parameters.matrix("ema_eta"),
            .omega = parameters.row("ema_omega"),
            .W_average = parameters.matrix("W_average"),
            .W_value = parameters.matrix("W_unit_value"),
            .W_reset = parameters.matrix("W_unit_reset"),
            .W_candidate = parameters.matrix("W_unit_candidate"),
            .W_update = parameters.matrix("W_unit_update"),
            .U = parameters.matrix("U_unit"),
            .b_average = parameters.row("b_average"),
            .b_value = parameters.row("b_unit_value"),
            .b_reset = parameters.row("b_unit_reset"),
            .b_candidate = parameters.row("b_unit_candidate"),
            .b_update = parameters.row("b_unit_update"),
            .gamma_q = parameters.row("gamma_q"),
            .beta_q = parameters.row("beta_q"),
            .gamma_k = parameters.row("gamma_k"),
            .beta_k = parameters.row("beta_k"),
            .has_step = parts.spec.algorithm.options.word("weigh") == "laplace",
            .distance_bias = parameters.matrix("distance_bias")};
}

}  // namespace

void add_state_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::learned_features:
        setting.algorithm = [=](const Head& head) { return learned_features(parts, head); };
        return;
    case AlgorithmType::balanced_linear:
        setting.algorithm = [=](const Head& head) { return balanced_linear(parts, head); };
        return;
    case AlgorithmType::fourier_features:
        setting.algorithm = [=](const Head& head) { return fourier_features(parts, head); };
        return;
    case AlgorithmType::polarity:
        setting.algorithm = [=](const Head& head) { return polarity(parts, head); };
        return;
    case AlgorithmType::near_and_far:
        setting.algorithm = [=](const Head& head) { return near_and_far(parts, head); };
        return;
    case AlgorithmType::delta_correction:
        setting.algorithm = [rows = reference::DeltaCorrection{.stride = count_option(parts, "stride"),
                                                               .window = count_option(parts, "window"),
                                                               .first = count_option(parts, "first")}](
                                const Head& head) { return reference::delta_correction(head, rows); };
        return;
    case AlgorithmType::mamba3:
        setting.algorithm = [=](const Head& head) { return mamba3(parts, head); };
        return;
    case AlgorithmType::mega:
        setting.algorithm = [unit = moving_average_unit(parts)](const Head& head) {
            return reference::moving_average_unit(head, unit);
        };
        return;
    case AlgorithmType::hgrn:
        setting.algorithm = [least = parts.spec.algorithm.options.number("lower_bound")](const Head& head) {
            return reference::vector_states(head, least);
        };
        return;
    default:
        return;
    }
}

}  // namespace headlight
