#include "core/attention/options.h"
#include "core/program/algorithms.h"

#include <algorithm>

namespace headlight {
namespace {

/// The gates [h, n, d] on the features as weights: their mean, on the diagonal.
void write_gates_as_weights(Composer& composer, const Expression& gates) {
    const Index places = composer.plan.queries;
    const Expression is_own = composer.truth("is_own", {0, places, places}, "each place and itself",
                                             [](Index row, Index column) { return row == column; });
    const Expression mean = composer.let(
        "mean_gate", sum_of_columns(gates) / static_cast<double>(composer.plan.head_query_width()),
        "the mean gate of each place");
    composer.let("weights", choose(is_own, mean, 0), "each place looks at itself alone");
}

Expression mean_of_channels(Composer& composer) {
    return composer.let("channel_mean",
                        sum_of_rows(composer.query) / static_cast<double>(composer.plan.queries),
                        "the mean of each channel over the image");
}

/// sigmoid(sum over z of relu(z W_squeeze) W_excite), [h, 1, d].
Expression gates_of_channels(Composer& composer, const std::string& pooling) {
    const auto excited = [&](const Expression& pooled, const std::string& name) {
        const Expression hidden =
            composer.let(name + "_hidden", relu_of(product(pooled, composer.parameter("W_squeeze"))));
        return composer.let(name + "_excited", product(hidden, composer.parameter("W_excite")));
    };
    std::optional<Expression> sum;
    if (pooling != "maximum")
        sum = excited(mean_of_channels(composer), "mean");
    if (pooling != "mean") {
        const Expression of_maxima =
            excited(composer.let("channel_maximum", maximum_of_rows(composer.query)), "maximum");
        sum = sum ? *sum + of_maxima : of_maxima;
    }
    return composer.let("gates_of_channels", sigmoid_of(*sum), "what each channel is multiplied by");
}

/// sigmoid of a convolution over the channels' means, in their order.
Expression gates_of_neighbours(Composer& composer) {
    const Expression kernel = composer.parameter("w_channels");
    const Index channels = composer.plan.head_query_width(), border = kernel.extent().columns / 2;
    const Expression mean = mean_of_channels(composer);
    std::optional<Expression> sum;
    for (Index at = 0; at < kernel.extent().columns; ++at) {
        const Expression shift = composer.constant(
            numbered("channel_shift_", at), {0, channels, channels}, "1 where a channel is read for another",
            [=](Index, Index from, Index to) { return from == to + at - border ? 1.0 : 0.0; });
        const Expression term = product(mean, shift) * some_columns(kernel, {at});
        sum = sum ? *sum + term : term;
    }
    return composer.let("gates_of_channels", sigmoid_of(*sum), "what each channel is multiplied by");
}

/// sigmoid of a convolution over the means and maxima of the places, [h, n, 1].
Expression gates_of_places(Composer& composer, const Expression& image) {
    const Options& options = composer.plan.spec.algorithm.options;
    const Index places = composer.plan.queries, columns = option<Index>(options, "columns");
    const Index side = std::stoi(option<std::string>(options, "kernel")), border = side / 2;
    const auto down = [=](Index from, Index to) { return to / columns - from / columns + border; };
    const auto right = [=](Index from, Index to) { return to % columns - from % columns + border; };
    const auto is_near = [=](Index from, Index to) {
        return down(from, to) >= 0 && down(from, to) < side && right(from, to) >= 0 && right(from, to) < side;
    };
    const Expression near =
        composer.truth("is_near", {0, places, places}, "places within the kernel of another",
                       [=](Index from, Index to) { return is_near(from, to); });
    const auto convolved = [&](const Expression& plane, const std::string& name, Index first) {
        Places taps{places, places, {}};
        for (Index from = 0; from < places; ++from)
            for (Index to = 0; to < places; ++to)
                taps.numbers.push_back(is_near(from, to) ? first + down(from, to) * side + right(from, to)
                                                         : 0);
        const Expression kernel = composer.let(
            name + "_kernel", choose(near, pick(composer.parameter("w_spatial"), {1, 1, {0}}, taps), 0),
            "the kernel as a matrix of places");
        return product(kernel, plane);
    };
    const auto width = static_cast<double>(image.extent().columns);
    const Expression means = composer.let("place_mean", sum_of_columns(image) / width);
    const Expression maxima = composer.let("place_maximum", maximum_of_columns(image));
    return composer.let("gates_of_places",
                        sigmoid_of(convolved(means, "mean", 0) + convolved(maxima, "maximum", side * side)),
                        "what each place is multiplied by");
}

Expression ones(Composer& composer, const std::string& name, const Extent& extent) {
    return composer.constant(name, extent, "gates that are open", [](Index, Index, Index) { return 1.0; });
}

}  // namespace

Expression write_squeeze_excitation(Composer& composer) {
    const bool is_convolution =
        option<std::string>(composer.plan.spec.algorithm.options, "excitation") == "convolution";
    const Expression gates =
        is_convolution ? gates_of_neighbours(composer) : gates_of_channels(composer, "mean");
    write_gates_as_weights(composer, gates);
    return composer.let("context", composer.query * gates, "every channel times its gate");
}

Expression write_convolutional_block(Composer& composer) {
    const Options& options = composer.plan.spec.algorithm.options;
    const std::string& gates = option<std::string>(options, "gates");
    const Index places = composer.plan.queries, width = composer.plan.head_query_width();
    const Expression across = gates != "places"
                                  ? gates_of_channels(composer, option<std::string>(options, "pooling"))
                                  : ones(composer, "open_channels", {0, 1, width});
    const Expression image =
        composer.let("image_by_channels", composer.query * across, "every channel times its gate");
    const Expression along = gates != "channels" ? gates_of_places(composer, image)
                                                 : ones(composer, "open_places", {0, places, 1});
    write_gates_as_weights(composer, composer.let("all_gates", across * along));
    return composer.let("context", image * along, "every place times its gate");
}

Expression write_energy_gate(Composer& composer) {
    const auto places = static_cast<double>(composer.plan.queries);
    const double lambda = option<double>(composer.plan.spec.algorithm.options, "lambda");
    const Expression centred = composer.let("centred", composer.query - mean_of_channels(composer));
    const Expression variance =
        composer.let("variance", sum_of_rows(centred * centred) / std::max(places - 1, 1.0),
                     "of each channel, without bias");
    const Expression gates =
        composer.let("gates", sigmoid_of(centred * centred / (4 * (variance + lambda)) + 0.5),
                     "how much each number stands out");
    write_gates_as_weights(composer, gates);
    return composer.let("context", composer.query * gates, "every number times its gate");
}

}  // namespace headlight
