#pragma once

#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"
#include "core/attention/stage_list.h"
#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"
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
        : values_(static_cast<std::size_t>(channels)), weights_(values_.size()), above_(values_.size()),
          smaller_(values_.size()), largest_(values_.size(), {-INFINITY, 0}) {}

    Index channels() const { return std::ssize(values_); }
    const kernels::Table<double>& kernels() const { return *kernels_; }

    /// Everything so far times exp(log_decay).
    void fade(Index channel, double log_decay) {
        largest_[static_cast<std::size_t>(channel)].of_place += log_decay;
    }
    /// Adds a key: exponent(channel) and value(channel), both finite.
    template <class Exponent, class Value>
    void add(const Exponent& exponent, const Value& value) {
        for (std::size_t c = 0; c < values_.size(); ++c) {
            above_[c] = exponent(static_cast<Index>(c)).above(largest_[c]);  // infinite at first
            smaller_[c] = -std::abs(above_[c]);
        }
        by_->exponential(smaller_.data(), channels(), smaller_.data());  // where the larger counts as 1
        for (std::size_t c = 0; c < values_.size(); ++c) {
            const double kept = above_[c] <= 0 ? 1 : smaller_[c], written = above_[c] >= 0 ? 1 : smaller_[c];
            values_[c] = kept * values_[c] + written * value(static_cast<Index>(c));
            weights_[c] = kept * weights_[c] + written;
            if (above_[c] > 0)
                largest_[c] = exponent(static_cast<Index>(c));
        }
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
    // Pointers, for sums are copied to those of the next row.
    const kernels::Table<double>* kernels_ = &kernels::table<double>(kernels::chosen_level());
    const kernels::Arithmetic<double>* by_ = &kernels::chosen_arithmetic<double>();
    std::vector<double> values_, weights_, above_, smaller_;
    std::vector<ChannelExponent> largest_;
};

/// sigma(q_c) times the means, as the context of one query, recorded before the gate as "means".
template <class Real>
void write_context(const Plan& plan, const HeadTask<Real>& task, Index query, const ChannelSums& sums,
                   const Recorder& record) {
    const Index d = sums.channels(), at = (task.head * plan.queries + query) * d;
    thread_local std::vector<double> means, open;
    means.clear();
    for (Index c = 0; c < d; ++c)
        means.push_back(sums.mean(c));
    open.assign(task.query.row(query), task.query.row(query) + d);
    sums.kernels().activate(Activation::sigmoid, open.data(), d);
    record.write("means", at, means.data(), d);
    record.write("receptance", at, open.data(), d);
    for (Index c = 0; c < d; ++c)
        task.context.row(query)[c] =
            static_cast<Real>(open[static_cast<std::size_t>(c)] * means[static_cast<std::size_t>(c)]);
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

/// σ(q) times the means [h, n, d_v], as the context.
inline Expression write_gated_means(Composer& composer, const Expression& means) {
    const Expression receptance =
        composer.let("receptance", sigmoid_of(composer.query), "how far the query opens each channel");
    return composer.let("context", receptance * means, "gated by the query");
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
    return {{.name = "channel_weights",
             .title = "Weights of each channel",
             .is_share = true,
             .said = "the share of this key in its row, for this channel by itself"},
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
    return {.working = elements(3 * 6 + 3, plan.head_value_width(), sizeof(double))};
}

/// Channels of keys, values and queries are the same.
inline void check_channels(const Plan& plan, const std::string& what) {
    if (plan.head_key_width() != plan.head_value_width())
        throw Error({what, "value",
                     "as many features for each head as keys have, " + std::to_string(plan.head_key_width()),
                     std::to_string(plan.head_value_width())});
}

}  // namespace headlight
