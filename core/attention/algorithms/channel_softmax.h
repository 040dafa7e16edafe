#pragma once

#include "core/attention/component.h"
#include "core/attention/composer.h"
#include "core/attention/pipeline.h"
#include "core/attention/stage_list.h"
#include "core/kernels/arithmetic.h"
#include "core/kernels/kernels.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <cmath>

namespace headlight {

// Mixers that weigh keys for each channel of the values by itself: A_ijc = exp(l_ijc) / sum_j exp(l_ijc). The
// context is sigma(q_c) sum_j A_ijc v_jc; the recorded weights are the mean of A over the channels.

/// Running sums of one row of queries, for every channel, over exp of its largest exponent so far. An
/// exponent has two parts, a key's number and what the places add to it.
class ChannelSums {
public:
    explicit ChannelSums(Index channels)
        : channels_(channels), rows_(static_cast<std::size_t>(4 * channels)) {
        std::fill_n(row(largest_number), channels, -INFINITY);
    }

    Index channels() const { return channels_; }
    const kernels::Table<double>& kernels() const { return *kernels_; }

    /// Everything so far times exp(log_decays[channel]).
    void fade(const double* log_decays) { by_->add(log_decays, channels_, row(largest_place)); }
    /// Adds a key: for each channel its number, what the places add, and its value, all finite.
    void add(const double* number, const double* of_place, const double* value) {
        by_->add_to_channels({.channels = channels_,
                              .number = number,
                              .of_place = of_place,
                              .value = value,
                              .largest_number = row(largest_number),
                              .largest_place = row(largest_place),
                              .values = row(values),
                              .weights = row(weights)});
    }
    /// The means of the values; 0 before the first.
    void write_means(double* to) const {
        const double *above = row(values), *below = row(weights);
        for (Index c = 0; c < channels_; ++c)
            to[c] = below[c] > 0 ? above[c] / below[c] : 0;
    }
    /// The share that an exponent has of the sum.
    double share(Index c, double number, double of_place) const {
        return std::exp((number - row(largest_number)[c]) + (of_place - row(largest_place)[c])) /
               row(weights)[c];
    }

private:
    enum Row { values, weights, largest_number, largest_place };
    double* row(Row which) { return rows_.data() + which * channels_; }
    const double* row(Row which) const { return rows_.data() + which * channels_; }

    // Pointers, for sums are copied to those of the next row.
    const kernels::Table<double>* kernels_ = &kernels::table<double>(kernels::chosen_level());
    const kernels::Arithmetic<double>* by_ = &kernels::chosen_arithmetic<double>();
    Index channels_;
    std::vector<double> rows_;
};

/// sigma(q_c) times the means, as the context of one query, recorded before the gate as "means".
template <class Real>
void write_context(const Plan& plan, const HeadTask<Real>& task, Index query, const ChannelSums& sums,
                   const Recorder& record) {
    const Index d = sums.channels(), at = (task.head * plan.queries + query) * d;
    thread_local std::vector<double> means, open;
    means.resize(static_cast<std::size_t>(d));
    sums.write_means(means.data());
    open.assign(task.query.row(query), task.query.row(query) + d);
    sums.kernels().activate(Activation::sigmoid, open.data(), d);
    record.write("means", at, means.data(), d);
    record.write("receptance", at, open.data(), d);
    std::transform(open.begin(), open.end(), means.begin(), task.context.row(query),
                   [](double share, double mean) { return static_cast<Real>(share * mean); });
}

/// One row of weights: keys before `end` as shares of the sums; of_place(key, channel) is what the places add
/// to the key's number.
template <class Real, class OfPlace>
void write_weights(const Plan& plan, const HeadTask<Real>& task, Index query, Index end,
                   const ChannelSums& sums, const OfPlace& of_place, const Recorder& record) {
    const Index d = plan.head_value_width();
    std::vector<double> shares(static_cast<std::size_t>(d));
    for (Index key = 0; key < plan.keys; ++key) {
        Interruption::check();
        double mean = 0;
        for (Index c = 0; key < end && c < d; ++c) {
            shares[static_cast<std::size_t>(c)] =
                sums.share(c, static_cast<double>(task.key.row(key)[c]), of_place(key, c));
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

inline std::vector<DeclaredStage> declared_channel_stages() {
    return {made_stage(
                "channel_weights", "Weights of each channel", {},
                {.is_share = true, .said = "the share of this key in its row, for this channel by itself"}),
            {"means", "Means of the values"},
            made_stage("receptance", "Receptance", {}, {.is_share = true}),
            made_stage("context", "Context", {"", {{"receptance"}, {"means", "∘"}}, "="})};
}

/// Two running sums, of which each key and each query need one step; three numbers for each channel are kept.
inline AlgorithmCost channel_cost(const Plan& plan) {
    const auto channels = static_cast<double>(plan.context_width());
    return {.multiply_adds = 2 * channels * static_cast<double>(plan.queries), .state_numbers = 3 * channels};
}

/// Running sums, some copies of them, and a row of shares.
inline StepMemory channel_memory(const Plan& plan) {
    return {.working = elements(3 * 4 + 8, plan.head_value_width(), sizeof(double))};
}

}  // namespace headlight
