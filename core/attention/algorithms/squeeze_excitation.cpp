#include "core/attention/algorithms/feature_map.h"

namespace headlight {
namespace {

/// Channels that the convolution over channels reads for each; 0 where there are layers in its place.
Index kernel_of(const Plan& plan) {
    const Options& options = plan.algorithm();
    return options.word("excitation") == "layers" ? 0 : options.word("kernel").front() - '0';
}

/// Calls visit(tap, channel) for the channels around one, as far as there are any.
template <class Visit>
void for_each_neighbour(Index kernel, Index channels, Index channel, const Visit& visit) {
    for (Index tap = 0; tap < kernel; ++tap)
        if (const Index from = channel + tap - kernel / 2; from >= 0 && from < channels)
            visit(tap, from);
}

/// sigmoid of a convolution over the means of the channels, in their order (Wang et al. 2020).
template <class Real>
std::vector<Real> convolved_gates(const Plan& plan, std::span<const Real> weights, const HeadTask<Real>& task,
                                  const Recorder& record) {
    const Index channels = plan.head_query_width();
    const std::vector<double> means = squeezed(task.query, Pool::mean);
    std::vector<Real> gates;
    for (Index channel = 0; channel < channels; ++channel) {
        double sum = 0;
        for_each_neighbour(std::ssize(weights), channels, channel, [&](Index tap, Index from) {
            sum += static_cast<double>(weights[static_cast<std::size_t>(tap)]) *
                   means[static_cast<std::size_t>(from)];
        });
        gates.push_back(static_cast<Real>(sigmoid(sum)));
    }
    record.write("squeeze", task.head * channels, means.data(), channels);
    record.write("channel_gate", task.head * channels, gates.data(), channels);
    return gates;
}

template <class Real>
void run_squeeze_excitation(const Plan& plan, const HeadTask<Real>& task, const std::vector<Real>& gates) {
    gate_channels(plan, task, gates);
    write_diagonal(plan, task, [mean = mean_of(gates)](Index) { return mean; });
}

template <class Real>
void add_squeeze_excitation_steps(const Plan& plan, Pipeline<Real>& pipeline) {
    if (const Index kernel = kernel_of(plan); kernel > 0) {
        const std::span<const Real> weights(pipeline.operands.vector("w_channels"),
                                            static_cast<std::size_t>(kernel));
        pipeline.algorithm = [&plan, weights](const HeadTask<Real>& task, const Recorder& record) {
            run_squeeze_excitation(plan, task, convolved_gates(plan, weights, task, record));
        };
    } else {
        pipeline.algorithm = [&plan, gate = ChannelGate(plan, pipeline.operands, {Pool::mean})](
                                 const HeadTask<Real>& task, const Recorder& record) {
            run_squeeze_excitation(plan, task, gate(task, record));
        };
    }
}

void add_parameters(const Plan& plan, ParameterList& list) {
    if (const Index kernel = kernel_of(plan); kernel > 0)
        list.add("w_channels", {kernel});
    else
        add_channel_gate_parameters(plan, list);
}

void add_squeeze_excitation_stages(const Plan& plan, StageList& list) {
    using enum Axis;
    if (kernel_of(plan) == 0)
        return add_channel_gate_stages(plan, list, 1);
    for (const char* name : {"squeeze", "channel_gate"})
        list.add(name, {head, feature, feature}, {plan.heads, 1, plan.head_query_width()});
}

AlgorithmCost squeeze_excitation_cost(const Plan& plan) {
    const double features = static_cast<double>(plan.queries * plan.head_query_width());
    const double of_head = kernel_of(plan) > 0
                               ? 2 * features + static_cast<double>(kernel_of(plan) * plan.head_query_width())
                               : channel_gate_cost(plan, 1);
    return {.multiply_adds = static_cast<double>(plan.heads) * of_head,
            .map_numbers = static_cast<double>(plan.query_width),
            .cache_numbers = static_cast<double>(plan.query_width)};
}

/// sigmoid of a convolution over the channels' means, in their order.
Expression gates_of_neighbours(Composer& composer) {
    const Expression kernel = composer.parameter("w_channels");
    const Index channels = composer.plan.head_query_width(), border = kernel.extent().columns / 2;
    const Expression mean = write_squeeze(composer);
    std::optional<Expression> sum;
    for (Index at = 0; at < kernel.extent().columns; ++at) {
        std::vector<Index> read;
        for (Index to = 0; to < channels; ++to)
            read.push_back(std::clamp<Index>(to + at - border, 0, channels - 1));
        const Expression is_there = composer.truth(
            numbered("is_channel_", at), {0, 1, channels}, "1 where there is a channel to read",
            [=](Index, Index to) { return to + at >= border && to + at - border < channels; });
        const Expression term = choose(is_there, some_columns(mean, read), 0) * some_columns(kernel, {at});
        sum = sum ? *sum + term : term;
    }
    return composer.let("channel_gate", sigmoid_of(*sum), "what each channel is multiplied by");
}

Expression define_squeeze_excitation(Composer& composer) {
    const bool is_convolution = composer.plan.algorithm().word("excitation") == "convolution";
    const Expression gates =
        is_convolution ? gates_of_neighbours(composer) : gates_of_channels(composer, "mean");
    write_gates_as_weights(composer, gates);
    return composer.let("context", composer.query * gates, "every channel times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_squeeze_excitation() {
    AlgorithmComponent component;
    component.meaning =
        "o = s ∘ x with s = σ(relu(z W_squeeze) W_excite), z the mean of all tokens: every channel has one "
        "gate, the same at every place (Hu et al. 2018); the weights shown are a diagonal, the mean gate";
    component.options = {
        word_option("excitation", "Excitation", {"layers", "convolution"},
                    "What makes gates of the means: two layers over all channels, or a convolution that "
                    "reads a few neighbouring ones (ECA, Wang et al. 2020)."),
        reduction_option(),
        word_option("kernel", "Kernel", {"1", "3", "5", "7", "9"},
                    "How many channels the convolution reads for each.", "3")};
    component.known_parameters = channel_gate_parameters();
    component.known_parameters.push_back(
        {"w_channels", "[kernel], shared by the heads", "weighs the means of the channels around one"});
    component.parameters = add_parameters;
    component.check = [](const Plan& plan) { check_feature_map(plan, "squeeze_excitation algorithm"); };
    component.makes_keys_and_values = true;
    component.stages = add_squeeze_excitation_stages;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        return StepMemory{.working = elements(5, plan.head_query_width(), sizeof(double))};
    };
    component.declared_stages = declared_channel_gate_stages();
    component.steps = [](const Plan& plan, auto& pipeline) { add_squeeze_excitation_steps(plan, pipeline); };
    component.cost = squeeze_excitation_cost;
    component.define = define_squeeze_excitation;
    return component;
}

}  // namespace headlight
