#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/pipeline.h"
#include "core/attention/sigmoid.h"
#include "core/attention/stage_list.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <limits>

namespace headlight {

// Gates of images. The sequence is a feature map F [n, C]: tokens are places, features are channels. It is
// multiplied by numbers between 0 and 1, and nothing is mixed: places know of each other only through what
// the gates are made of. So the map shown is a diagonal, at each place the mean of its gates over the
// channels. F are the queries; there are no keys and values.

/// What all places of a channel, or all channels of a place, become.
enum class Pool { mean, maximum };

inline Option reduction_option() {
    return count_option("reduction", "Reduction", 16, logarithmic_range(1, 512),
                        "How many times narrower than the channels the hidden layer of the channel gate is; "
                        "it has one unit at least.");
}

inline Index hidden_width(const Plan& plan) {
    return std::max<Index>(1, plan.head_query_width() / plan.algorithm().count("reduction"));
}

inline std::vector<KnownParameter> channel_gate_parameters() {
    return {
        {"W_squeeze", "[C, C / reduction] per head, shared by the heads", "first layer of the channel gate"},
        {"W_excite", "[C / reduction, C] per head, shared by the heads", "second layer of the channel gate"}};
}

inline void add_channel_gate_parameters(const Plan& plan, ParameterList& list) {
    const Index channels = plan.head_query_width(), hidden = hidden_width(plan);
    list.add("W_squeeze", {channels, hidden});
    list.add("W_excite", {hidden, channels});
}

inline std::vector<DeclaredStage> declared_channel_gate_stages() {
    // One row, of all places together, or two: of their mean and of their largest numbers.
    return {made_stage("squeeze", "Channels, squeezed", {}, {.row = "pool"}),
            made_stage("hidden", "Hidden layer", {}, {.row = "pool"}),
            made_stage("channel_gate", "Gates of the channels", {}, {.row = "text", .is_share = true})};
}

inline void add_channel_gate_stages(const Plan& plan, StageList& list, Index pools) {
    using enum Axis;
    const Index channels = plan.head_query_width();
    list.add("squeeze", {head, feature, feature}, {plan.heads, pools, channels});
    list.add("hidden", {head, feature, feature}, {plan.heads, pools, hidden_width(plan)});
    list.add("channel_gate", {head, feature, feature}, {plan.heads, 1, channels});
}

/// Each channel over all places [C].
template <class Real>
std::vector<double> squeezed(MatrixView<const Real> features, Pool pool) {
    std::vector<double> result(static_cast<std::size_t>(features.columns),
                               pool == Pool::mean ? 0.0 : -std::numeric_limits<double>::infinity());
    const auto add_places = [&](const auto& added) {
        for (Index place = 0; place < features.rows; ++place) {
            Interruption::check();
            std::transform(result.begin(), result.end(), features.row(place), result.begin(), added);
        }
    };
    if (pool == Pool::maximum) {
        add_places([](double largest, Real here) { return std::max(largest, static_cast<double>(here)); });
        return result;
    }
    add_places([](double sum, Real here) { return sum + static_cast<double>(here); });
    for (double& number : result)
        number /= static_cast<double>(features.rows);
    return result;
}

/// A number for each channel, the same at every place: sigmoid of the sum over the pools of
/// relu(z W_squeeze) W_excite, z the channels pooled over all places.
template <class Real>
class ChannelGate {
public:
    ChannelGate(const Plan& plan, Operands<Real>& operands, std::vector<Pool> pools)
        : plan_(plan), pools_(std::move(pools)), squeeze_(operands.vector("W_squeeze")),
          excite_(operands.vector("W_excite")) {}

    std::vector<Real> operator()(const HeadTask<Real>& task, const Recorder& record) const {
        const Index channels = plan_.head_query_width(), hidden = hidden_width(plan_);
        std::vector<double> sums(static_cast<std::size_t>(channels));
        Index row = task.head * std::ssize(pools_);
        for (const Pool pool : pools_) {
            const std::vector<double> pooled = squeezed(task.query, pool);
            std::vector<double> units(static_cast<std::size_t>(hidden));
            add_product(pooled, squeeze_, units);
            for (double& unit : units)
                unit = std::max(0.0, unit);
            add_product(units, excite_, sums);
            record.write("squeeze", row * channels, pooled.data(), channels);
            record.write("hidden", row * hidden, units.data(), hidden);
            ++row;
        }
        std::vector<Real> gates;
        gates.reserve(sums.size());
        for (const double sum : sums)
            gates.push_back(static_cast<Real>(sigmoid(sum)));
        record.write("channel_gate", task.head * channels, gates.data(), channels);
        return gates;
    }

private:
    /// to += from W, W [from, to]
    static void add_product(const std::vector<double>& from, const Real* weight, std::vector<double>& to) {
        for (const double factor : from)
            for (double& number : to)
                number += factor * static_cast<double>(*weight++);
    }

    const Plan& plan_;
    std::vector<Pool> pools_;
    const Real* squeeze_;  ///< [C, hidden]
    const Real* excite_;   ///< [hidden, C]
};

/// The context becomes F, each channel times its gate.
template <class Real>
void gate_channels(const Plan& plan, const HeadTask<Real>& task, const std::vector<Real>& gates) {
    for (Index place = 0; place < plan.queries; ++place) {
        Interruption::check();
        const Real* from = task.query.row(place);
        Real* to = task.context.row(place);
        for (std::size_t c = 0; c < gates.size(); ++c)
            to[c] = from[c] * gates[c];
    }
}

template <class Real>
Real mean_of(const std::vector<Real>& gates) {
    double sum = 0;
    for (const Real gate : gates)
        sum += static_cast<double>(gate);
    return static_cast<Real>(sum / static_cast<double>(gates.size()));
}

/// The map, where somebody reads it: mean_gate(place) at each place, 0 between places.
template <class Real, class MeanGate>
void write_diagonal(const Plan& plan, const HeadTask<Real>& task, const MeanGate& mean_gate) {
    if (!task.wants_weights())
        return;
    for (Index place = 0; place < plan.queries; ++place) {
        Interruption::check();
        Real* row = task.weights.row(place);
        std::fill_n(row, plan.keys, Real(0));
        row[place] = mean_gate(place);
    }
}

/// Gates take every place of one image as it is.
inline void check_feature_map(const Plan& plan, const std::string& what) {
    require_one_sequence(plan, what, "an image gates itself");
    refuse_mask(plan, what, "no place looks at another, there is nothing to forbid");
    refuse_shared_heads(plan, what);
    require_values_of_query_width(plan, what);
}

/// Multiply-adds of one head's channel gate and of what it multiplies.
inline double channel_gate_cost(const Plan& plan, Index pools) {
    const auto channels = static_cast<double>(plan.head_query_width());
    const auto features = channels * static_cast<double>(plan.queries);
    return static_cast<double>(pools) * (features + 2 * channels * static_cast<double>(hidden_width(plan))) +
           features;
}

// As expressions.

/// The gates [h, n, d] on the features as weights: their mean, on the diagonal.
inline void write_gates_as_weights(Composer& composer, const Expression& gates) {
    const Expression mean = composer.let(
        "mean_gate", sum_of_columns(gates) / static_cast<double>(composer.plan.head_query_width()),
        "the mean gate of each place");
    composer.let("weights", choose(pairs_with_itself(composer), mean, 0), "each place looks at itself alone");
}

/// Returns the mean of each channel over the image, [h, 1, d].
inline Expression mean_of_channels(const Composer& composer) { return mean_of_rows(composer.query); }

/// The same as the stage `squeeze`.
inline Expression write_squeeze(Composer& composer) {
    return composer.let("squeeze", mean_of_channels(composer), "the mean of each channel over the image");
}
/// relu(squeeze W), W the parameter `matrix`, as the stage `hidden`.
inline Expression write_hidden(Composer& composer, const Expression& squeeze,
                               const std::string& matrix = "W_squeeze") {
    return composer.let("hidden", relu_of(composer.projected(squeeze, matrix)));
}

/// The stages of both; `lights` is that of the stage.
inline DeclaredStage declared_squeeze(const std::string& lights) {
    return made_stage("squeeze", "Channels, squeezed",
                      {"the mean of each channel over the image", {{"query"}}, "mean over\nthe places\n→"},
                      {.lights = lights, .is_of_features = true});
}
inline DeclaredStage declared_hidden(const std::string& lights) {
    return made_stage("hidden", "Hidden layer", {"", {{"squeeze"}}, "× W,\nrelu\n→"},
                      {.lights = lights, .is_of_features = true});
}

/// sigmoid(sum over z of relu(z W_squeeze) W_excite), [h, 1, d]; z the channels, pooled, one row below
/// another.
inline Expression gates_of_channels(Composer& composer, const std::string& pooling) {
    std::vector<Expression> pooled;
    if (pooling != "maximum")
        pooled.push_back(mean_of_channels(composer));
    if (pooling != "mean")
        pooled.push_back(maximum_of_rows(composer.query));
    const Expression squeeze = composer.let("squeeze", all_rows(pooled), "each channel over the image");
    const Expression hidden = write_hidden(composer, squeeze);
    const Expression excited = composer.projected(hidden, "W_excite");
    const Expression sum = pooled.size() == 1 ? excited : some_rows(excited, {0}) + some_rows(excited, {1});
    return composer.let("channel_gate", sigmoid_of(sum), "what each channel is multiplied by");
}

}  // namespace headlight
