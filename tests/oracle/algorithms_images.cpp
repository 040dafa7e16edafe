#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/image_gates.h"
#include "tests/reference/image_grids.h"
#include "tests/reference/image_mixers.h"
#include "tests/reference/image_pairs.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/window_mixers.h"

#include <cmath>

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
    const std::string gates = options.word("gates");
    std::optional<ChannelGate> of_channels;
    std::optional<SpatialGate> of_places;
    if (gates != "places")
        of_channels = channel_gate(parts, options.word("pooling"));
    if (gates != "channels")
        of_places = {.columns = static_cast<std::size_t>(options.count("columns")),
                     .side = static_cast<std::size_t>(std::stoi(options.word("kernel"))),
                     .kernel = parts.parameters.row("w_spatial")};
    setting.algorithm = [=](const Head& head) {
        return reference::gated_image(head, of_channels, of_places);
    };
}

std::size_t columns_of(const OracleParts& parts) {
    return static_cast<std::size_t>(parts.spec.algorithm.options.count("columns"));
}

std::size_t kernel_side_of(const OracleParts& parts) {
    return static_cast<std::size_t>(std::stoi(parts.spec.algorithm.options.word("kernel")));
}

void add_coordinate(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [gates =
                             reference::CoordinateGates{.columns = columns_of(parts),
                                                        .squeeze = parts.parameters.matrix("W_squeeze"),
                                                        .rows = parts.parameters.matrix("W_rows"),
                                                        .of_columns = parts.parameters.matrix("W_columns")}](
                            const Head& head) { return reference::coordinate_gates(head, gates); };
}

void add_triplet(const OracleParts& parts, reference::Setting& setting) {
    reference::TripletGates gates{.columns = columns_of(parts),
                                  .side = kernel_side_of(parts),
                                  .of_places = {},
                                  .of_rows = parts.parameters.row("w_row_channel"),
                                  .of_columns = parts.parameters.row("w_column_channel")};
    if (parts.spec.algorithm.options.flag("spatial"))
        gates.of_places = parts.parameters.row("w_spatial");
    setting.algorithm = [=](const Head& head) { return reference::triplet_gates(head, gates); };
}

void add_bam(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm =
        [gates = reference::BottleneckGates{
             .columns = columns_of(parts),
             .dilation = static_cast<std::size_t>(parts.spec.algorithm.options.count("dilation")),
             .squeeze = parts.parameters.matrix("W_squeeze"),
             .excite = parts.parameters.matrix("W_excite"),
             .reduce = parts.parameters.matrix("W_reduce"),
             .once = parts.parameters.matrix("W_dilated_1"),
             .twice = parts.parameters.matrix("W_dilated_2"),
             .place = parts.parameters.row("w_place")}](const Head& head) {
            return reference::bottleneck_gates(head, gates);
        };
}

void add_scse(const OracleParts& parts, reference::Setting& setting) {
    using Combined = reference::ConcurrentGates::Combined;
    const std::string& combined = parts.spec.algorithm.options.word("combined");
    setting.algorithm = [gates = reference::ConcurrentGates{.combined = combined == "sum" ? Combined::sum
                                                                        : combined == "maximum"
                                                                            ? Combined::maximum
                                                                            : Combined::product,
                                                            .squeeze = parts.parameters.matrix("W_squeeze"),
                                                            .excite = parts.parameters.matrix("W_excite"),
                                                            .place = parts.parameters.row("w_place_gate")}](
                            const Head& head) { return reference::concurrent_gates(head, gates); };
}

void add_large_kernel(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [given = reference::LargeKernel{.columns = columns_of(parts),
                                                        .dilation = static_cast<std::size_t>(
                                                            parts.spec.algorithm.options.count("dilation")),
                                                        .near = parts.parameters.matrix("W_near_kernel"),
                                                        .far = parts.parameters.matrix("W_far_kernel"),
                                                        .mix = parts.parameters.matrix("W_far_mix")}](
                            const Head& head) { return reference::large_kernel(head, given); };
}

void add_focal_modulation(const OracleParts& parts, reference::Setting& setting) {
    const auto levels = static_cast<std::size_t>(parts.spec.algorithm.options.count("levels"));
    std::vector<Matrix> kernels;
    for (std::size_t level = 1; level <= levels; ++level)
        kernels.push_back(parts.parameters.matrix("W_focal_kernel_" + std::to_string(level)));
    setting.algorithm =
        [=, columns = columns_of(parts), heads = setting.heads, features = parts.parameters.matrix("W_focal"),
         features_bias = parts.parameters.matrix("b_focal"), gates = parts.parameters.matrix("W_focal_gates"),
         gates_bias = parts.parameters.matrix("b_focal_gates"), mix = parts.parameters.matrix("W_modulator"),
         bias = parts.parameters.row("b_modulator")](const Head& head) {
            const auto of_head = [&](const Matrix& all) {
                return reference::columns_of_head(all, head.number, heads);
            };
            return reference::focal_modulation(head, {.columns = columns,
                                                      .to_features = of_head(features),
                                                      .to_gates = of_head(gates),
                                                      .features_bias = of_head(features_bias).row(0),
                                                      .gates_bias = of_head(gates_bias).row(0),
                                                      .kernels = kernels,
                                                      .mix = mix,
                                                      .bias = bias});
        };
}

void add_selective_kernel(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const reference::SelectiveKernels kernels{.columns = columns_of(parts),
                                              .branches = static_cast<std::size_t>(options.count("branches")),
                                              .is_activated = options.flag("activated"),
                                              .kernels = parts.parameters.matrix("W_kernels"),
                                              .squeeze = parts.parameters.matrix("W_squeeze"),
                                              .select = parts.parameters.matrix("W_select")};
    setting.algorithm = [=](const Head& head) { return reference::selective_kernels(head, kernels); };
}

void add_polarized(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm =
        [gates = reference::PolarizedGates{
             .is_sequential = parts.spec.algorithm.options.word("arrangement") == "sequential",
             .place_query = parts.parameters.row("w_place_query"),
             .channel_values = parts.parameters.matrix("W_channel_values"),
             .channel_gate = parts.parameters.matrix("W_channel_gate"),
             .place_queries = parts.parameters.matrix("W_place_queries"),
             .place_values = parts.parameters.matrix("W_place_values")}](const Head& head) {
            return reference::polarized_gates(head, gates);
        };
}

void add_involution(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [columns = columns_of(parts), hidden = parts.parameters.matrix("W_kernel_hidden"),
                         taps = parts.parameters.matrix("W_kernel_taps")](const Head& head) {
        const auto of_head = [&](const Matrix& all, std::size_t rows) {
            const auto first =
                all.values.begin() + static_cast<std::ptrdiff_t>(head.number * rows * all.cols);
            return Matrix(rows, all.cols, {first, first + static_cast<std::ptrdiff_t>(rows * all.cols)});
        };
        return reference::involution(head, of_head(hidden, head.q.cols), of_head(taps, hidden.cols), columns);
    };
}

void add_outlook(const OracleParts& parts, reference::Setting& setting) {
    const bool is_scaled = parts.spec.algorithm.options.flag("scaled");
    const std::size_t columns = columns_of(parts), side = kernel_side_of(parts);
    setting.algorithm = [=, given = parts.parameters.matrix("W_outlook")](const Head& head) {
        const std::size_t d = head.q.cols;
        Matrix scores(head.q.rows, given.cols);
        for (std::size_t i = 0; i < scores.rows; ++i)
            for (std::size_t pair = 0; pair < scores.cols; ++pair) {
                for (std::size_t c = 0; c < d; ++c)
                    scores(i, pair) += head.q(i, c) * given(head.number * d + c, pair);
                if (is_scaled)
                    scores(i, pair) /= std::sqrt(static_cast<Number>(head.k.cols));
            }
        return reference::outlook(head, scores, columns, side);
    };
}

void add_spatial_reduction(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    reference::SpatialReduction reduction{.columns = columns_of(parts),
                                          .ratio = static_cast<std::size_t>(options.count("ratio")),
                                          .patch = {},
                                          .has_norm = options.flag("norm"),
                                          .key = {},
                                          .value = {}};
    if (reduction.ratio == 1)
        reduction.has_norm = false;
    else if (options.word("pooling") == "learned")
        reduction.patch = parts.parameters.matrix("W_patch");
    const auto heads = static_cast<std::size_t>(parts.spec.heads.count()),
               key_heads = static_cast<std::size_t>(parts.spec.heads.kv_count());
    setting.algorithm = [=, keys = parts.parameters.matrix("W_patch_key"),
                         values = parts.parameters.matrix("W_patch_value")](const Head& head) {
        const std::size_t key_head = head.number / (heads / key_heads);
        reference::SpatialReduction of_head = reduction;
        of_head.key = reference::columns_of_head(keys, key_head, key_heads);
        of_head.value = reference::columns_of_head(values, key_head, key_heads);
        return reference::spatial_reduction(head, of_head);
    };
}

/// One of so many blocks that lie one below another.
Matrix block_of_rows(const Matrix& blocks, std::size_t number, std::size_t count) {
    Matrix block(blocks.rows / count, blocks.cols);
    for (std::size_t row = 0; row < block.rows; ++row)
        for (std::size_t column = 0; column < block.cols; ++column)
            block(row, column) = blocks(number * block.rows + row, column);
    return block;
}

void add_contextual(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    reference::Contextual given{.columns = columns_of(parts),
                                .side = kernel_side_of(parts),
                                .is_softmax = options.flag("softmax"),
                                .context = {},
                                .hidden = parts.parameters.matrix("W_context_hidden"),
                                .neighbours = parts.parameters.matrix("W_neighbours"),
                                .fused_hidden = {},
                                .fused = {}};
    if (options.word("fusion") == "selective") {
        given.fused_hidden = parts.parameters.matrix("W_fusion_hidden");
        given.fused = parts.parameters.matrix("W_fusion");
    }
    setting.algorithm = [=, kernels = parts.parameters.matrix("W_context"),
                         heads = setting.heads](const Head& head) {
        reference::Contextual of_head = given;
        of_head.context = block_of_rows(kernels, head.number, heads);
        return reference::contextual(head, of_head);
    };
}

void add_shuffle(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    setting.algorithm =
        [gates = reference::ShuffleGates{.groups = static_cast<std::size_t>(options.count("groups")),
                                         .is_shuffled = options.flag("shuffle"),
                                         .channel_gain = parts.parameters.row("w_group_channel"),
                                         .channel_shift = parts.parameters.row("b_group_channel"),
                                         .place_gain = parts.parameters.row("w_group_place"),
                                         .place_shift = parts.parameters.row("b_group_place")}](
            const Head& head) { return reference::shuffle_gates(head, gates); };
}

void add_attention_gate(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [gate = reference::AttentionGate{
                             .columns = columns_of(parts),
                             .ratio = static_cast<std::size_t>(parts.spec.algorithm.options.count("ratio")),
                             .has_given_signal = parts.spec.source.type == SourceType::cross,
                             .gated = parts.parameters.matrix("W_gated"),
                             .signal = parts.parameters.matrix("W_signal"),
                             .shift = parts.parameters.row("b_signal"),
                             .psi = parts.parameters.row("w_psi"),
                             .openness = parts.parameters.number("b_psi")}](const Head& head) {
        return reference::attention_gate(head, gate);
    };
}

void add_deformable(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [columns = columns_of(parts), heads = setting.heads,
                         points = static_cast<std::size_t>(parts.spec.algorithm.options.count("points")),
                         levels = static_cast<std::size_t>(parts.spec.algorithm.options.count("levels")),
                         to_offsets = parts.parameters.matrix("W_offsets"),
                         offsets = parts.parameters.matrix("b_offsets"),
                         to_scores = parts.parameters.matrix("W_points"),
                         scores = parts.parameters.matrix("b_points")](const Head& head) {
        return reference::deformable(head, {.columns = columns,
                                            .points = points,
                                            .levels = levels,
                                            .to_offsets = block_of_rows(to_offsets, head.number, heads),
                                            .offsets = offsets.row(head.number),
                                            .to_scores = block_of_rows(to_scores, head.number, heads),
                                            .scores = scores.row(head.number)});
    };
}

void add_global_filter(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [columns = columns_of(parts), heads = setting.heads,
                         real = parts.parameters.matrix("W_filter_cosine"),
                         imaginary = parts.parameters.matrix("W_filter_sine")](const Head& head) {
        return reference::global_filter(
            head, {.columns = columns,
                   .real = reference::columns_of_head(real, head.number, heads),
                   .imaginary = reference::columns_of_head(imaginary, head.number, heads)});
    };
}

void add_pyramid_split(const OracleParts& parts, reference::Setting& setting) {
    reference::PyramidSplit given{.columns = columns_of(parts),
                                  .kernels = {},
                                  .squeeze = parts.parameters.matrix("W_squeeze"),
                                  .excite = parts.parameters.matrix("W_excite")};
    for (const char* name : {"W_pyramid_1", "W_pyramid_2", "W_pyramid_3", "W_pyramid_4"})
        if (Matrix kernel = parts.parameters.matrix(name); kernel.rows > 0)
            given.kernels.push_back(std::move(kernel));
    setting.algorithm = [=](const Head& head) { return reference::pyramid_split(head, given); };
}

void add_dual(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const reference::DualMaps maps{.alpha = options.number("alpha"),
                                   .beta = options.number("beta"),
                                   .scale = 1,
                                   .is_unlike = options.word("channels") == "unlike",
                                   .adds_values = options.flag("residual")};
    setting.algorithm = [=, is_scaled = options.flag("scaled")](const Head& head) {
        reference::DualMaps of_head = maps;
        if (is_scaled)
            of_head.scale = 1 / std::sqrt(static_cast<Number>(head.k.cols));
        return reference::dual_maps(head, of_head);
    };
}

void add_triangle(const OracleParts& parts, reference::Setting& setting) {
    const bool is_starting = parts.spec.algorithm.options.word("node") == "starting";
    setting.algorithm = [=, nodes = columns_of(parts),
                         W = parts.parameters.matrix("W_sides")](const Head& head) {
        reference::Triangle given{.nodes = nodes, .is_starting = is_starting, .sides = {}};
        for (std::size_t edge = 0; edge < head.x.rows; ++edge) {
            Number side = 0;
            for (std::size_t c = 0; c < head.x.cols; ++c)
                side += head.x(edge, c) * W(c, head.number);
            given.sides.push_back(side);
        }
        return reference::triangle(head, given);
    };
}

void add_shared_points(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const reference::SharedPoints points{.columns = columns_of(parts),
                                         .stride = static_cast<std::size_t>(options.count("stride")),
                                         .side = kernel_side_of(parts),
                                         .reach = options.number("reach"),
                                         .kernel = parts.parameters.matrix("W_points_kernel"),
                                         .shift = parts.parameters.row("b_points_kernel"),
                                         .steps = parts.parameters.matrix("W_steps"),
                                         .table = {}};
    setting.algorithm = [=, biases = parts.parameters.matrix("place_bias")](const Head& head) {
        reference::SharedPoints of_head = points;
        if (biases.rows > 0)
            of_head.table = biases.row(head.number);
        return reference::shared_points(head, of_head);
    };
}

void add_convolution_mix(const OracleParts& parts, reference::Setting& setting) {
    const reference::ConvolutionMix given{
        .columns = columns_of(parts),
        .window = kernel_side_of(parts),
        .side = static_cast<std::size_t>(std::stoi(parts.spec.algorithm.options.word("convolution"))),
        .places = parts.parameters.matrix("W_grid"),
        .pieces = parts.parameters.matrix("W_pieces"),
        .alpha = parts.parameters.number("rate_attention"),
        .beta = parts.parameters.number("rate_convolution")};
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::convolution_mix(heads, given);
    };
}

}  // namespace

void add_image_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::squeeze_excitation:
        if (parts.spec.algorithm.options.word("excitation") == "convolution")
            setting.algorithm = [kernel = parts.parameters.row("w_channels")](const Head& head) {
                return reference::channel_convolution(head, kernel);
            };
        else
            setting.algorithm = [gate = channel_gate(parts, "mean")](const Head& head) {
                return reference::gated_image(head, gate, {});
            };
        return;
    case AlgorithmType::energy_gate:
        setting.algorithm = [lambda = parts.spec.algorithm.options.number("lambda")](const Head& head) {
            return reference::energy_gates(head, lambda);
        };
        return;
    case AlgorithmType::convolutional_block:
        return add_convolutional_block(parts, setting);
    case AlgorithmType::coordinate:
        return add_coordinate(parts, setting);
    case AlgorithmType::triplet:
        return add_triplet(parts, setting);
    case AlgorithmType::involution:
        return add_involution(parts, setting);
    case AlgorithmType::outlook:
        return add_outlook(parts, setting);
    case AlgorithmType::spatial_reduction:
        return add_spatial_reduction(parts, setting);
    case AlgorithmType::bam:
        return add_bam(parts, setting);
    case AlgorithmType::focal_modulation:
        return add_focal_modulation(parts, setting);
    case AlgorithmType::large_kernel:
        return add_large_kernel(parts, setting);
    case AlgorithmType::scse:
        return add_scse(parts, setting);
    case AlgorithmType::selective_kernel:
        return add_selective_kernel(parts, setting);
    case AlgorithmType::group_enhance:
        setting.algorithm = [gamma = parts.parameters.row("gamma_group"),
                             beta = parts.parameters.row("beta_group")](const Head& head) {
            return reference::group_gates(head, gamma, beta);
        };
        return;
    case AlgorithmType::polarized:
        return add_polarized(parts, setting);
    case AlgorithmType::contextual:
        return add_contextual(parts, setting);
    case AlgorithmType::shuffle:
        return add_shuffle(parts, setting);
    case AlgorithmType::attention_gate:
        return add_attention_gate(parts, setting);
    case AlgorithmType::deformable:
        return add_deformable(parts, setting);
    case AlgorithmType::global_filter:
        return add_global_filter(parts, setting);
    case AlgorithmType::pyramid_split:
        return add_pyramid_split(parts, setting);
    case AlgorithmType::dual:
        return add_dual(parts, setting);
    case AlgorithmType::triangle:
        return add_triangle(parts, setting);
    case AlgorithmType::shared_points:
        return add_shared_points(parts, setting);
    case AlgorithmType::convolution_mix:
        return add_convolution_mix(parts, setting);
    case AlgorithmType::non_local: {
        const Number gamma = parts.spec.algorithm.options.number("gamma");
        const bool adds_input = parts.spec.algorithm.options.flag("residual");
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
