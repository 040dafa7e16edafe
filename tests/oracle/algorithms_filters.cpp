#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/long_filters.h"
#include "tests/reference/two_ways.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;

/// Filters of all channels that a network makes, [lag, h d_v], by the last layer of that suffix.
Matrix filters_of_network(const OracleParts& parts, const std::string& suffix) {
    const Options& options = parts.spec.algorithm.options;
    const auto& parameters = parts.parameters;
    return reference::filters_of_network({.W_1 = parameters.matrix("W_filter_1"),
                                          .W_2 = parameters.matrix("W_filter_2"),
                                          .W_out = parameters.matrix("W_filter_out" + suffix),
                                          .b_1 = parameters.row("b_filter_1"),
                                          .b_2 = parameters.row("b_filter_2"),
                                          .length = static_cast<std::size_t>(options.count("length")),
                                          .bands = static_cast<std::size_t>(options.count("bands")),
                                          .frequency = options.number("frequency")},
                                         parts.keys);
}

/// Filters of all channels, [lag, h d_v], and D of each at lag 0.
Matrix filters_of_channels(const OracleParts& parts, const std::string& suffix = {}) {
    const std::string& kind = parts.spec.algorithm.options.word("filter");
    const auto& parameters = parts.parameters;
    const reference::Row own = parameters.row("filter_own" + suffix);
    Matrix filters(parts.keys, own.size());
    if (kind == "network")
        filters = filters_of_network(parts, suffix);
    for (std::size_t channel = 0; channel < own.size() && kind != "network"; ++channel) {
        const auto row = [&](const char* name) { return parameters.matrix(name).row(channel); };
        const Number step = std::exp(parameters.row("filter_step")[channel]);
        const reference::Row filter =
            kind == "states"
                ? reference::filter_of_states({.step = step,
                                               .rates = row("filter_rates"),
                                               .turns = row("filter_turns"),
                                               .C_real = row("C_real"),
                                               .C_imaginary = row("C_imaginary")},
                                              parts.keys)
                : reference::filter_of_matrix(
                      {.step = step, .more = parameters.matrix("A_more"), .C = row("C_real")}, parts.keys);
        for (std::size_t lag = 0; lag < parts.keys; ++lag)
            filters(lag, channel) = filter[lag];
    }
    for (std::size_t channel = 0; channel < own.size() && parts.keys > 0; ++channel)
        filters(0, channel) += own[channel];
    return filters;
}

/// Filters behind the first, each with the gate in front of it, of one head.
std::vector<reference::FurtherFilter> further_filters(const OracleParts& parts, const Head& head) {
    std::vector<reference::FurtherFilter> further;
    const auto heads = static_cast<std::size_t>(parts.spec.heads.count());
    for (Index order = 3; order <= parts.spec.algorithm.options.count("order"); ++order) {
        const std::string suffix = "_" + std::to_string(order - 1);
        const reference::Row no_bias(parts.parameters.row("filter_own" + suffix).size(), Number(0));
        further.push_back(
            {reference::columns_of_head(filters_of_channels(parts, suffix), head.number, heads),
             head_projection(head, parts.parameters.matrix("W_between" + suffix), no_bias, head.v.cols)});
    }
    return further;
}

reference::HeadResult spatial_gating(const OracleParts& parts, const Head& head) {
    const Matrix W = rows_of_head(parts.parameters.matrix("W_places"), head.number, head.q.rows);
    return reference::spatial_gating(head, W, parts.parameters.matrix("b_places").row(head.number),
                                     parts.spec.algorithm.options.flag("norm"));
}

/// The scores and the weights of the run are kept on their way to the output.
void add_co_attention(const OracleParts& parts, reference::Setting& setting) {
    const auto seen = std::make_shared<reference::CoAttention>();
    seen->kind = parts.spec.algorithm.options.word("kind");
    seen->W = parts.parameters.matrix("W_merged");
    seen->b = parts.parameters.row("b_merged");
    reference::Setting unfaded = setting;
    unfaded.change_weights = nullptr;
    setting.normalize = [seen, weigh = weighing_of(unfaded), change = setting.change_weights](
                            const Head& head, const Matrix& scores, const reference::Allowed& allowed) {
        const Matrix weights = weigh(head, scores, allowed);
        seen->scores = scores;
        seen->reachable = allowed;
        seen->weights = change ? change(head, weights) : weights;
        return weights;
    };
    setting.change_output = [seen](const Matrix& x, const Matrix& output) {
        return reference::co_attention(x, output, *seen);
    };
}

void add_autocorrelation(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const auto n = static_cast<double>(parts.queries);
    const auto kept =
        static_cast<std::size_t>(std::clamp(std::floor(options.number("factor") * std::log(n)), 1.0, n));
    setting.algorithm = [=, is_mean = options.word("over") == "features"](const Head& head) {
        return reference::autocorrelation(head, kept,
                                          static_cast<Number>(is_mean ? head.q.cols : head.q.rows));
    };
}

}  // namespace

void add_filter_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::long_convolution:
        setting.algorithm = [=, filters = filters_of_channels(parts),
                             heads = static_cast<std::size_t>(parts.spec.heads.count()),
                             has_gates = parts.spec.algorithm.options.flag("gates")](const Head& head) {
            return reference::long_convolution(head, reference::columns_of_head(filters, head.number, heads),
                                               has_gates, further_filters(parts, head));
        };
        return;
    case AlgorithmType::spatial_gating:
        setting.algorithm = [=](const Head& head) { return spatial_gating(parts, head); };
        return;
    case AlgorithmType::co_attention:
        return add_co_attention(parts, setting);
    case AlgorithmType::autocorrelation:
        return add_autocorrelation(parts, setting);
    case AlgorithmType::attention_on_attention: {
        const auto& parameters = parts.parameters;
        setting.change_output =
            [gate = reference::AttentionOnAttention{
                 .information_o = parameters.matrix("W_information_o"),
                 .information_q = parameters.matrix("W_information_q"),
                 .relevance_o = parameters.matrix("W_relevance_o"),
                 .relevance_q = parameters.matrix("W_relevance_q"),
                 .b_information = parameters.row("b_information"),
                 .b_relevance = parameters.row("b_relevance"),
                 .has_both_gates = parts.spec.algorithm.options.word("gates") == "both",
                 .found_1 = parameters.matrix("W_found_1"),
                 .found_2 = parameters.matrix("W_found_2"),
                 .b_found_1 = parameters.row("b_found_1"),
                 .b_found_2 = parameters.row("b_found_2")}](const Matrix& x, const Matrix& output) {
                return attention_on_attention(x, output, gate);
            };
        return;
    }
    default:
        return;
    }
}

}  // namespace headlight
