#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/long_filters.h"

#include <cmath>
#include <string>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;

/// Filters of all channels, [lag, h d_v], and D of each at lag 0.
Matrix filters_of_channels(const OracleParts& parts) {
    const Options& options = parts.spec.algorithm.options;
    const auto& parameters = parts.parameters;
    const reference::Row own = parameters.row("filter_own");
    Matrix filters(parts.keys, own.size());
    if (option<std::string>(options, "filter") == "states") {
        const auto row = [&](const char* name, std::size_t channel) {
            return parameters.matrix(name).row(channel);
        };
        for (std::size_t channel = 0; channel < own.size(); ++channel) {
            const reference::Row filter =
                reference::filter_of_states({.step = std::exp(parameters.row("filter_step")[channel]),
                                             .rates = row("filter_rates", channel),
                                             .turns = row("filter_turns", channel),
                                             .C_real = row("C_real", channel),
                                             .C_imaginary = row("C_imaginary", channel)},
                                            parts.keys);
            for (std::size_t lag = 0; lag < parts.keys; ++lag)
                filters(lag, channel) = filter[lag];
        }
    } else {
        filters = reference::filters_of_network(
            {.W_1 = parameters.matrix("W_filter_1"),
             .W_2 = parameters.matrix("W_filter_2"),
             .W_out = parameters.matrix("W_filter_out"),
             .b_1 = parameters.row("b_filter_1"),
             .b_2 = parameters.row("b_filter_2"),
             .length = static_cast<std::size_t>(option<Index>(options, "length")),
             .bands = static_cast<std::size_t>(option<Index>(options, "bands")),
             .frequency = option<double>(options, "frequency")},
            parts.keys);
    }
    for (std::size_t channel = 0; channel < own.size() && parts.keys > 0; ++channel)
        filters(0, channel) += own[channel];
    return filters;
}

reference::HeadResult spatial_gating(const OracleParts& parts, const Head& head) {
    const Matrix all = parts.parameters.matrix("W_places");
    Matrix W(head.q.rows, all.cols);
    for (std::size_t i = 0; i < W.rows; ++i)
        for (std::size_t j = 0; j < W.cols; ++j)
            W(i, j) = all(head.number * W.rows + i, j);
    return reference::spatial_gating(head, W, parts.parameters.matrix("b_places").row(head.number),
                                     option<bool>(parts.spec.algorithm.options, "norm"));
}

}  // namespace

void add_filter_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::long_convolution:
        setting.algorithm =
            [filters = filters_of_channels(parts), heads = static_cast<std::size_t>(parts.spec.heads.count()),
             has_gates = option<bool>(parts.spec.algorithm.options, "gates")](const Head& head) {
                return reference::long_convolution(
                    head, reference::columns_of_head(filters, head.number, heads), has_gates);
            };
        return;
    case AlgorithmType::spatial_gating:
        setting.algorithm = [=](const Head& head) { return spatial_gating(parts, head); };
        return;
    case AlgorithmType::attention_on_attention: {
        const auto& parameters = parts.parameters;
        setting.change_output =
            [gate = reference::AttentionOnAttention{.information_o = parameters.matrix("W_information_o"),
                                                    .information_q = parameters.matrix("W_information_q"),
                                                    .relevance_o = parameters.matrix("W_relevance_o"),
                                                    .relevance_q = parameters.matrix("W_relevance_q"),
                                                    .b_information = parameters.row("b_information"),
                                                    .b_relevance = parameters.row("b_relevance")}](
                const Matrix& x, const Matrix& output) { return attention_on_attention(x, output, gate); };
        return;
    }
    default:
        return;
    }
}

}  // namespace headlight
