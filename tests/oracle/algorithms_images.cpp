#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/image_gates.h"

namespace headlight {
namespace {

using reference::ChannelGate;
using reference::Head;
using reference::Matrix;
using reference::SpatialGate;

ChannelGate channel_gate(const OracleParts& parts, const std::string& pooling) {
    return {.of_means = pooling != "maximum",
            .of_maxima = pooling != "mean",
            .squeeze = parts.parameters.matrix("W_squeeze"),
            .excite = parts.parameters.matrix("W_excite")};
}

void add_convolutional_block(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const std::string gates = option<std::string>(options, "gates");
    std::optional<ChannelGate> of_channels;
    std::optional<SpatialGate> of_places;
    if (gates != "places")
        of_channels = channel_gate(parts, option<std::string>(options, "pooling"));
    if (gates != "channels")
        of_places = {.columns = static_cast<std::size_t>(option<Index>(options, "columns")),
                     .side = static_cast<std::size_t>(std::stoi(option<std::string>(options, "kernel"))),
                     .kernel = parts.parameters.row("w_spatial")};
    setting.algorithm = [=](const Head& head) {
        return reference::gated_image(head, of_channels, of_places);
    };
}

}  // namespace

void add_image_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::squeeze_excitation:
        if (option<std::string>(parts.spec.algorithm.options, "excitation") == "convolution")
            setting.algorithm = [kernel = parts.parameters.row("w_channels")](const Head& head) {
                return reference::channel_convolution(head, kernel);
            };
        else
            setting.algorithm = [gate = channel_gate(parts, "mean")](const Head& head) {
                return reference::gated_image(head, gate, {});
            };
        return;
    case AlgorithmType::energy_gate:
        setting.algorithm = [lambda = option<double>(parts.spec.algorithm.options, "lambda")](
                                const Head& head) { return reference::energy_gates(head, lambda); };
        return;
    case AlgorithmType::convolutional_block:
        return add_convolutional_block(parts, setting);
    case AlgorithmType::non_local: {
        const Number gamma = option<double>(parts.spec.algorithm.options, "gamma");
        const bool adds_input = option<bool>(parts.spec.algorithm.options, "residual");
        setting.change_output = [=](const Matrix& x, const Matrix& y) {
            return reference::non_local_update(x, y, gamma, adds_input);
        };
        return;
    }
    default:  // the others'
        return;
    }
}

}  // namespace headlight
