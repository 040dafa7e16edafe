#include "core/attention/algorithms/feature_map.h"
#include "core/attention/grid.h"
#include "core/tensor/interruption.h"

namespace headlight {
namespace {

/// What the options ask for.
struct ConvolutionalBlockParts {
    std::vector<Pool> pools;  ///< of the channel gate; empty without it
    bool gates_places;
    Grid grid;
    Index kernel;  ///< side of the convolution, odd
};

ConvolutionalBlockParts convolutional_block_parts(const Plan& plan) {
    const Options& options = plan.algorithm();
    const std::string &gates = options.word("gates"), &pooling = options.word("pooling");
    ConvolutionalBlockParts parts{.pools = {},
                                  .gates_places = gates != "channels",
                                  .grid = {options.count("columns")},
                                  .kernel = options.word("kernel").front() - '0'};
    if (gates != "places" && pooling != "maximum")
        parts.pools.push_back(Pool::mean);
    if (gates != "places" && pooling != "mean")
        parts.pools.push_back(Pool::maximum);
    return parts;
}

/// Calls visit(tap, token) for every cell of the kernel around a place that lies on the grid and has a token;
/// taps are counted row by row. What the others would add is zero, as padding is.
template <class Visit>
void for_each_tap(const ConvolutionalBlockParts& parts, Index tokens, Index place, const Visit& visit) {
    const Index reach = parts.kernel / 2, row = parts.grid.row(place), column = parts.grid.column(place);
    for (Index tap = 0; tap < parts.kernel * parts.kernel; ++tap) {
        const Index at_row = row + tap / parts.kernel - reach,
                    at_column = column + tap % parts.kernel - reach;
        const Index token = at_row * parts.grid.columns + at_column;
        if (at_row >= 0 && at_column >= 0 && at_column < parts.grid.columns && token < tokens)
            visit(tap, token);
    }
}

/// A number for each place: sigmoid of a convolution over the mean and the largest of the place's channels
/// (Woo et al. 2018, equation 3).
template <class Real>
class SpatialGate {
public:
    SpatialGate(const Plan& plan, const ConvolutionalBlockParts& parts, Operands<Real>& operands)
        : plan_(plan), parts_(parts), kernel_(operands.vector("w_spatial")) {}

    /// Returns the map as it stands in the context.
    std::vector<Real> operator()(const HeadTask<Real>& task, const Recorder& record) const {
        const Index n = plan_.queries;
        const std::vector<double> squeezed = squeeze(task);
        std::vector<Real> gates;
        for (Index place = 0; place < n; ++place) {
            Interruption::check();
            double sum = 0;
            for_each_tap(parts_, n, place, [&](Index tap, Index token) {
                for (Index plane = 0; plane < 2; ++plane)
                    sum += static_cast<double>(kernel_[plane * parts_.kernel * parts_.kernel + tap]) *
                           squeezed[static_cast<std::size_t>(2 * token + plane)];
            });
            gates.push_back(static_cast<Real>(sigmoid(sum)));
        }
        record.write("place_squeeze", task.head * 2 * n, squeezed.data(), 2 * n);
        record.write("spatial_gate", task.head * n, gates.data(), n);
        return gates;
    }

private:
    std::vector<double> squeeze(const HeadTask<Real>& task) const {
        const Index channels = plan_.head_query_width();
        std::vector<double> squeezed;
        for (Index place = 0; place < plan_.queries; ++place) {
            Interruption::check();
            const Real* features = task.context.row(place);
            double sum = 0;
            for (Index c = 0; c < channels; ++c)
                sum += static_cast<double>(features[c]);
            squeezed.push_back(sum / static_cast<double>(channels));
            squeezed.push_back(static_cast<double>(*std::max_element(features, features + channels)));
        }
        return squeezed;
    }

    const Plan& plan_;
    ConvolutionalBlockParts parts_;
    const Real* kernel_;  ///< [2, k, k]
};

/// First the channels, then the places of what is left (Woo et al. 2018, equation 1).
template <class Real>
class Block {
public:
    Block(const Plan& plan, Operands<Real>& operands) : plan_(plan) {
        const ConvolutionalBlockParts parts = convolutional_block_parts(plan);
        if (!parts.pools.empty())
            channel_gate_.emplace(plan, operands, parts.pools);
        if (parts.gates_places)
            spatial_gate_.emplace(plan, parts, operands);
    }

    void operator()(const HeadTask<Real>& task, const Recorder& record) const {
        const Index n = plan_.queries, channels = plan_.head_query_width();
        const std::vector<Real> of_channels =
            channel_gate_ ? (*channel_gate_)(task, record)
                          : std::vector<Real>(static_cast<std::size_t>(channels), Real(1));
        gate_channels(plan_, task, of_channels);
        for (Index place = 0; place < n; ++place)
            record.write("channel_gated", (task.head * n + place) * channels, task.context.row(place),
                         channels);
        const std::vector<Real> of_places = spatial_gate_
                                                ? (*spatial_gate_)(task, record)
                                                : std::vector<Real>(static_cast<std::size_t>(n), Real(1));
        const auto gate = [&](Index place) { return of_places[static_cast<std::size_t>(place)]; };
        for (Index place = 0; place < n; ++place)
            for (Index c = 0; c < channels; ++c)
                task.context.row(place)[c] *= gate(place);
        write_diagonal(plan_, task,
                       [&, mean = mean_of(of_channels)](Index place) { return mean * gate(place); });
    }

private:
    const Plan& plan_;
    std::optional<ChannelGate<Real>> channel_gate_;
    std::optional<SpatialGate<Real>> spatial_gate_;
};

void add_convolutional_block_stages(const Plan& plan, StageList& list) {
    using enum Axis;
    const ConvolutionalBlockParts parts = convolutional_block_parts(plan);
    if (!parts.pools.empty())
        add_channel_gate_stages(plan, list, std::ssize(parts.pools));
    if (!parts.gates_places)
        return;
    if (!parts.pools.empty())
        list.add_vectors("channel_gated", query, plan.head_query_width());
    list.add_vectors("place_squeeze", query, 2);
    list.add_vectors("spatial_gate", query, 1);
}

AlgorithmCost convolutional_block_cost(const Plan& plan) {
    const ConvolutionalBlockParts parts = convolutional_block_parts(plan);
    const auto n = static_cast<double>(plan.queries), channels = static_cast<double>(plan.head_query_width());
    double of_head = parts.pools.empty() ? 0 : channel_gate_cost(plan, std::ssize(parts.pools));
    if (parts.gates_places)
        of_head += n * (3 * channels + 2 * static_cast<double>(parts.kernel * parts.kernel));
    return {.multiply_adds = static_cast<double>(plan.heads) * of_head,
            .map_numbers = static_cast<double>(plan.heads) * (channels + n),
            .cache_numbers = static_cast<double>(plan.query_width)};
}

std::vector<Option> convolutional_block_options() {
    return {
        columns_option(),
        word_option("gates", "Gates", {"both", "channels", "places"},
                    "Which gates there are: of channels, the same at every place, and of places, the same "
                    "for every channel."),
        word_option("pooling", "Pooling", {"both", "mean", "maximum"},
                    "What a channel is summed up to before its gate; both go through the same two layers, "
                    "and the sum of what comes out is gated."),
        reduction_option(),
        word_option("kernel", "Kernel", {"1x1", "3x3", "5x5", "7x7"},
                    "How many places around a place its gate is made of; the paper has 7x7 on large maps.",
                    "3x3")};
}

/// sigmoid of a convolution over the means and maxima of the places, [h, n, 1].
Expression gates_of_places(Composer& composer, const Expression& image) {
    const Options& options = composer.plan.algorithm();
    const Index places = composer.plan.queries, columns = options.count("columns");
    const Index side = std::stoi(options.word("kernel")), border = side / 2;
    const auto down = [=](Index from, Index to) { return to / columns - from / columns + border; };
    const auto right = [=](Index from, Index to) { return to % columns - from % columns + border; };
    const auto is_near = [=](Index from, Index to) {
        return down(from, to) >= 0 && down(from, to) < side && right(from, to) >= 0 && right(from, to) < side;
    };
    const Expression near =
        composer.truth("is_near", {0, places, places}, "places within the kernel of another",
                       [=](Index from, Index to) { return is_near(from, to); });
    const auto convolved = [&](const Expression& plane, const std::string& name, Index first) {
        const auto tap = [=](Index i) {
            const Index from = i / places, to = i % places;
            return is_near(from, to) ? first + down(from, to) * side + right(from, to) : 0;
        };
        const Places taps{places, places, {places * places, tap}};
        const Expression kernel = composer.let(
            name + "_kernel", choose(near, pick(composer.parameter("w_spatial"), {1, 1, {0}}, taps), 0),
            "the kernel as a matrix of places");
        return product(kernel, plane);
    };
    const Expression squeezed =
        composer.let("place_squeeze", join_columns({mean_of_columns(image), maximum_of_columns(image)}),
                     "the mean and the largest number of each place");
    const auto plane = [&](const char* name, Index column) {
        return convolved(some_columns(squeezed, {column}), name, column * side * side);
    };
    return composer.let("spatial_gate", sigmoid_of(plane("mean", 0) + plane("maximum", 1)),
                        "what each place is multiplied by");
}

Expression open_gates(Composer& composer, const std::string& name, const Extent& extent) {
    return composer.constant(name, extent, "gates that are open", [](Index, Index, Index) { return 1.0; });
}

Expression define_convolutional_block(Composer& composer) {
    const Options& options = composer.plan.algorithm();
    const std::string& gates = options.word("gates");
    const Index places = composer.plan.queries, width = composer.plan.head_query_width();
    const Expression across = gates != "places" ? gates_of_channels(composer, options.word("pooling"))
                                                : open_gates(composer, "open_channels", {0, 1, width});
    const Expression image =
        composer.let("channel_gated", composer.query * across, "every channel times its gate");
    const Expression along = gates != "channels" ? gates_of_places(composer, image)
                                                 : open_gates(composer, "open_places", {0, places, 1});
    write_gates_as_weights(composer, composer.let("all_gates", across * along));
    return composer.let("context", image * along, "every place times its gate");
}

}  // namespace

AlgorithmComponent declare_algorithms_convolutional_block() {
    AlgorithmComponent component;
    component.meaning =
        "o = M_s ∘ M_c ∘ x on a grid that the tokens fill row by row: M_c gates channels from their mean and "
        "largest number, M_s gates places by a convolution over the mean and the largest of their channels; "
        "places that an incomplete last row lacks count in no mean and are zero for the convolution (Woo et "
        "al. 2018); the weights shown are a diagonal, the mean gate";
    component.options = convolutional_block_options();
    component.known_parameters = channel_gate_parameters();
    component.known_parameters.push_back(
        {"w_spatial", "[2 k k] with a kernel of k × k, shared by the heads",
         "weighs the means around a place, row by row, then the largest numbers"});
    component.parameters = [](const Plan& plan, ParameterList& list) {
        const ConvolutionalBlockParts parts = convolutional_block_parts(plan);
        if (!parts.pools.empty())
            add_channel_gate_parameters(plan, list);
        if (parts.gates_places)
            list.add("w_spatial", {2 * parts.kernel * parts.kernel});
    };
    component.check = [](const Plan& plan) { check_feature_map(plan, "convolutional_block algorithm"); };
    component.makes_keys_and_values = true;
    component.stages = add_convolutional_block_stages;
    component.memory = [](const Plan& plan, const RunNeeds&) {
        return StepMemory{.working =
                              elements(5 * plan.head_query_width() + 4 * plan.queries, sizeof(double))};
    };
    component.declared_stages = declared_channel_gate_stages();
    append(component.declared_stages,
           {{"channel_gated", "Features behind the gates of the channels"},
            {"place_squeeze", "Places, squeezed"},
            made_stage("spatial_gate", "Gates of the places", {}, {.is_share = true})});
    component.steps = [](const Plan& plan, auto& pipeline) {
        pipeline.algorithm = Block(plan, pipeline.operands);
    };
    component.cost = convolutional_block_cost;
    component.define = define_convolutional_block;
    return component;
}

}  // namespace headlight
