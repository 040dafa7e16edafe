#include "core/attention/algorithms/channel_softmax.h"
#include "core/attention/defined_algorithms.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

/// For each channel: keys fade by w = exp(time_decay) with each further token, and the newest has a bonus u
/// in place of that (Peng et al. 2023, eq. 16). In double, over the largest exponent so far.
template <class Real>
void run_rwkv4(const Plan& plan, const Real* time_decay, const Real* time_first, const HeadTask<Real>& task,
               const Recorder& record) {
    const Index d = plan.head_value_width();
    const auto width = static_cast<std::size_t>(d);
    std::vector<double> fading, bonus, number(width), value(width);
    const std::vector<double> nothing(width);
    for (Index c = 0; c < d; ++c) {
        fading.push_back(-std::exp(static_cast<double>(time_decay[task.head * d + c])));
        bonus.push_back(static_cast<double>(time_first[task.head * d + c]));
    }
    const auto add = [&](ChannelSums& sums, Index key, const std::vector<double>& of_place) {
        std::copy_n(task.key.row(key), d, number.begin());
        std::copy_n(task.value.row(key), d, value.begin());
        sums.add(number.data(), of_place.data(), value.data());
    };
    ChannelSums past(d), sums(d);
    Index taken = 0;
    for (Index query = 0; query < plan.queries; ++query) {
        const Index end = plan.allowed.end(query), newest = end - 1;
        for (; taken < newest; ++taken) {
            Interruption::check();
            past.fade(fading.data());
            add(past, taken, nothing);
        }
        sums = past;
        if (end > 0)
            add(sums, newest, bonus);
        write_context(plan, task, query, sums, record);
        const auto of_place = [&](Index key, Index c) {
            const auto at = static_cast<std::size_t>(c);
            return key == newest ? bonus[at] : fading[at] * static_cast<double>(newest - 1 - key);
        };
        if (task.wants_weights())
            write_weights(plan, task, query, end, sums, of_place, record);
    }
}

/// For each feature a softmax of its own over the keys.
Expression define_rwkv4(Composer& composer) {
    const Plan& plan = composer.plan;
    const Expression decay =
        composer.let("decay", exp_of(split_heads(composer.parameter("time_decay"), composer.heads)),
                     "what an exponent loses with each token");
    const Expression bonus = composer.let(
        "bonus", split_heads(composer.parameter("time_first"), composer.heads), "what the newest key gains");
    const auto width = static_cast<double>(plan.head_value_width());
    std::vector<Expression> weights, contexts;
    for (Index query = 0; query < plan.queries; ++query) {
        const std::string suffix = numbered("_", query + 1);
        const Index newest = plan.allowed.end(query) - 1;
        const Expression is_newest = composer.truth("is_newest" + suffix, {0, plan.keys, 1}, "the newest key",
                                                    [=](Index row, Index) { return row == newest; });
        const Expression steps =
            composer.constant("steps" + suffix, {0, plan.keys, 1}, "tokens since the key",
                              [=](Index, Index row, Index) { return static_cast<double>(newest - 1 - row); });
        const Expression is_seen = composer.truth("is_seen" + suffix, {0, plan.keys, 1}, "keys that are seen",
                                                  [=](Index row, Index) { return row <= newest; });
        const Expression exponents = composer.let(
            "exponents" + suffix,
            choose(is_seen, composer.key + choose(is_newest, bonus, -steps * decay), minus_infinity()),
            "of each key, feature by feature");
        const Expression largest = maximum_of_rows(exponents);
        const Expression exponentials =
            composer.let("exponentials" + suffix, exp_of(exponents - finite_maximum(largest)));
        const Expression sum = composer.let("sum" + suffix, sum_of_rows(exponentials));
        const Expression shares =
            composer.let("shares" + suffix, exponentials / not_zero(sum), "softmax of each feature");
        weights.push_back(composer.let("weights" + suffix, transposed(sum_of_columns(shares)) / width,
                                       "the mean over the features"));
        contexts.push_back(composer.let("mixed" + suffix, sum_of_rows(shares * composer.value)));
    }
    composer.let("weights", join_rows(weights), "what each query gives to each key");
    return write_gated_means(composer,
                             composer.let("means", join_rows(contexts), "values mixed feature by feature"));
}

}  // namespace

AlgorithmComponent declare_algorithms_rwkv4() {
    AlgorithmComponent component;
    component.meaning =
        "o = σ(q) ∘ Σ exp(k_j − w (i − 1 − j)) v_j / Σ …, for each channel by itself, with a bonus u for "
        "the newest key (Peng et al. 2023); the weights shown are the mean over the channels";
    component.known_parameters = {
        {"time_decay", "[h d_v]", "logarithm of what each channel’s exponent loses with each further token"},
        {"time_first", "[h d_v]", "is added to each channel’s exponent of the newest key"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("time_decay", {plan.context_width()});
        list.add("time_first", {plan.context_width()});
    };
    component.check = [](const Plan& plan) { require_values_of_key_width(plan, "rwkv4 algorithm"); };
    component.stages = add_channel_stages;
    component.memory = [](const Plan& plan, const RunNeeds&) { return channel_memory(plan); };
    component.declared_stages = declared_channel_stages();
    component.changes_context = always;  // each channel of it has weights of its own
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = [&plan, decay = pipeline.operands.vector("time_decay"),
                              first = pipeline.operands.vector("time_first")](const auto& task,
                                                                              const Recorder& record) {
            run_rwkv4(plan, decay, first, task, record);
        };
    };
    component.cost = channel_cost;
    component.define = define_rwkv4;
    return component;
}

}  // namespace headlight
