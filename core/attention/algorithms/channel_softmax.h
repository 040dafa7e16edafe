#pragma once

#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/pipeline.h"
#include "core/attention/sigmoid.h"
#include "core/attention/stage_list.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {

// Mixers that weigh keys for each channel of the values by itself: A_ijc = exp(l_ijc) / sum_j exp(l_ijc). The
// context is sigma(q_c) sum_j A_ijc v_jc; the recorded weights are the mean of A over the channels.

/// An exponent in two parts, a key's number and what the places add to it: next to a large number the second
/// would be lost.
struct ChannelExponent {
    double number = 0;
    double of_place = 0;

    double above(const ChannelExponent& other) const {
        return (number - other.number) + (of_place - other.of_place);
    }
};

/// Running sums of one row of queries, for every channel, over exp of its largest exponent so far.
class ChannelSums {
public:
    explicit ChannelSums(Index channels)
        : values_(static_cast<std::size_t>(channels)), weights_(values_.size()),
          largest_(values_.size(), {-INFINITY, 0}) {}

    /// Everything so far times exp(log_decay).
    void fade(Index channel, double log_decay) {
        largest_[static_cast<std::size_t>(channel)].of_place += log_decay;
    }
    void add(Index channel, ChannelExponent exponent, double value) {
        const auto c = static_cast<std::size_t>(channel);
        const bool is_first = largest_[c].number == -INFINITY;
        const double above = is_first ? 0 : exponent.above(largest_[c]);
        const double smaller = is_first ? 0 : std::exp(-std::abs(above));  // where the larger counts as 1
        const double kept = above <= 0 && !is_first ? 1 : smaller, written = above >= 0 ? 1 : smaller;
        values_[c] = kept * values_[c] + written * value;
        weights_[c] = kept * weights_[c] + written;
        if (is_first || above > 0)
            largest_[c] = exponent;
    }
    /// The mean of the values; 0 before the first.
    double mean(Index channel) const {
        const auto c = static_cast<std::size_t>(channel);
        return weights_[c] > 0 ? values_[c] / weights_[c] : 0;
    }
    /// The share that an exponent has of the sum.
    double share(Index channel, ChannelExponent exponent) const {
        const auto c = static_cast<std::size_t>(channel);
        return std::exp(exponent.above(largest_[c])) / weights_[c];
    }

private:
    std::vector<double> values_, weights_;
    std::vector<ChannelExponent> largest_;
};

/// sigma(q_c) times the means, as the context of one query, recorded before the gate as "means".
template <class Real>
void write_context(const Plan& plan, const HeadTask<Real>& task, Index query, const ChannelSums& sums,
                   const Recorder& record) {
    const Index d = plan.head_value_width();
    for (Index c = 0; c < d; ++c) {
        const double mean = sums.mean(c);
        const double open = sigmoid(static_cast<double>(task.query.row(query)[c]));
        const Index at = (task.head * plan.queries + query) * d + c;
        record.write("means", at, &mean, 1);
        record.write("receptance", at, &open, 1);
        task.context.row(query)[c] = static_cast<Real>(open * mean);
    }
}

/// One row of weights: exponent(key, channel) of the keys before `end` as shares of the sums.
template <class Real, class Exponent>
void write_weights(const Plan& plan, const HeadTask<Real>& task, Index query, Index end,
                   const ChannelSums& sums, const Exponent& exponent, const Recorder& record) {
    const Index d = plan.head_value_width();
    std::vector<double> shares(static_cast<std::size_t>(d));
    for (Index key = 0; key < plan.keys; ++key) {
        Interruption::check();
        double mean = 0;
        for (Index c = 0; key < end && c < d; ++c) {
            shares[static_cast<std::size_t>(c)] = sums.share(c, exponent(key, c));
            mean += shares[static_cast<std::size_t>(c)] / static_cast<double>(d);
        }
        task.weights.row(query)[key] = static_cast<Real>(mean);
        if (key < end)
            record.write("channel_weights", ((task.head * plan.queries + query) * plan.keys + key) * d,
                         shares.data(), d);
    }
}

inline void add_channel_stages(const Plan& plan, StageList& list) {
    using enum Axis;
    const Index d = plan.head_value_width();
    list.add("channel_weights", {head, query, key, attention}, {plan.heads, plan.queries, plan.keys, d});
    list.add_vectors("means", query, d);
    list.add_vectors("receptance", query, d);
}

/// Each channel of a context has weights of its own.
inline bool has_channel_weights(const AttentionSpec&) { return true; }

inline std::vector<DeclaredStage> declared_channel_stages() {
    return {{.name = "channel_weights", .title = "Weights of each channel", .is_share = true},
            {"means", "Means of the values"},
            {.name = "receptance", .title = "Receptance", .is_share = true},
            {.name = "context",
             .title = "Context",
             .operands = {{"receptance"}, {"means", "∘"}},
             .operation = "="}};
}

/// Two running sums, of which each key and each query need one step; three numbers for each channel are kept.
inline AlgorithmCost channel_cost(const Plan& plan) {
    const auto channels = static_cast<double>(plan.context_width());
    return {.multiply_adds = 2 * channels * static_cast<double>(plan.queries), .state_numbers = 3 * channels};
}

/// Running sums, some copies of them, and a row of shares.
inline StepMemory channel_memory(const Plan& plan) {
    return {.working = elements(3 * 3 + 3, plan.head_value_width(), sizeof(double))};
}

inline Arithmetic explain_channels(const ExplainedCell& cell, std::string_view stage) {
    if (stage == "weights")
        return "the mean of this pair’s weights over all channels";
    if (stage == "context")
        return cell.shown("receptance") + " × " + cell.shown("means") + ": receptance × mean of the values";
    if (stage == "receptance")
        return "sigmoid(" + cell.shown("query") + "): how far the query opens this channel";
    if (stage == "channel_weights")
        return "the share of this key in its row, for this channel by itself";
    return stage == "means" ? "the channel’s own weights · values" : "";
}

/// Channels of keys, values and queries are the same.
inline void check_channels(const Plan& plan, const std::string& what) {
    if (plan.head_key_width() != plan.head_value_width())
        throw Error({what, "value",
                     "as many features for each head as keys have, " + std::to_string(plan.head_key_width()),
                     std::to_string(plan.head_value_width())});
}

}  // namespace headlight
