#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
#include "tests/reference/clustered.h"
#include "tests/reference/coarse_maps.h"
#include "tests/reference/compressed_entries.h"
#include "tests/reference/feature_softmax.h"
#include "tests/reference/global_projections.h"
#include "tests/reference/hash_chances.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/local_linear.h"
#include "tests/reference/mixed_heads.h"
#include "tests/reference/muse.h"
#include "tests/reference/pair_mixers.h"
#include "tests/reference/quantized_cache.h"
#include "tests/reference/sorted_blocks.h"
#include "tests/reference/sparse_linear.h"
#include "tests/reference/tropical.h"
#include "tests/reference/video_sparse.h"

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;

reference::HeadResult persistent_memory(const OracleParts& parts, const Head& head) {
    const auto of_head = [&](const char* name) {
        return reference::columns_of_head(parts.parameters.matrix(name), key_head_of(parts, head),
                                          static_cast<std::size_t>(parts.spec.heads.kv_count()));
    };
    return reference::persistent_memory(head, {of_head("K_memory"), of_head("V_memory")});
}

reference::HeadResult dynamic_convolution(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto size = static_cast<std::size_t>(options.count("size"));
    const bool is_dynamic = options.word("kernel") == "dynamic";
    const Matrix given = parts.parameters.matrix(is_dynamic ? "W_kernel" : "w_kernel");
    const std::size_t n = head.q.rows, d = head.q.cols;
    reference::Kernel kernel{Matrix(n, size)};
    for (std::size_t t = 0; t < n; ++t)
        for (std::size_t place = 0; place < size; ++place) {
            if (!is_dynamic)
                kernel.scores(t, place) = given(head.number, place);
            for (std::size_t c = 0; c < d && is_dynamic; ++c)
                kernel.scores(t, place) += head.q(t, c) * given(head.number * d + c, place);
        }
    kernel.before = options.word("window") == "past" ? size - 1 : (size - 1) / 2;
    kernel.is_renormalized = options.flag("renormalized");
    return reference::dynamic_convolution(head, kernel);
}

reference::HeadResult key_value_shift(const OracleParts& parts, const Head& head) {
    const auto shift = [&](const char* name, const std::string& greek) -> reference::Shift {
        const Number given = parts.spec.algorithm.options.number(name);
        if (given >= 0)
            return {1 - given, given};
        const std::size_t of_head = key_head_of(parts, head);
        return {parts.parameters.row(greek + "_1")[of_head], parts.parameters.row(greek + "_2")[of_head]};
    };
    return reference::key_value_shift(head, shift("key_shift", "alpha"), shift("value_shift", "beta"));
}

reference::HeadResult global_projections(const OracleParts& parts, const Head& head,
                                         const reference::WeighScores& weigh) {
    const Options& options = parts.spec.algorithm.options;
    const auto kv_heads = static_cast<std::size_t>(parts.spec.heads.kv_count());
    const auto of_head = [&](const std::string& name, bool is_of_keys) {
        const Matrix all = parts.parameters.matrix(name);
        return is_of_keys ? reference::columns_of_head(all, key_head_of(parts, head), kv_heads)
                          : reference::columns_of_head(all, head.number,
                                                       static_cast<std::size_t>(parts.spec.heads.count()));
    };
    reference::GlobalProjections given{.is_global = std::vector<bool>(head.x.rows, false),
                                       .query = of_head("W_global_query", false),
                                       .weigh = weigh};
    for (const Index token : options.list("tokens"))
        if (static_cast<std::size_t>(token) < head.x.rows)
            given.is_global[static_cast<std::size_t>(token)] = true;
    given.by_question = options.word("pieces") == "questions";
    if (given.by_question) {
        given.query_from_local = of_head("W_local_to_global_query", false);
        given.query_from_global = of_head("W_global_to_global_query", false);
        return reference::global_projections(head, given);
    }
    given.key = of_head("W_global_key", true);
    given.value = of_head("W_global_value", true);
    given.in_pieces = options.word("pieces") == "pairs";
    if (given.in_pieces) {
        given.key_from_local = of_head("W_local_to_global_key", true);
        given.value_from_local = of_head("W_local_to_global_value", true);
        given.key_from_global = of_head("W_global_to_global_key", true);
        given.value_from_global = of_head("W_global_to_global_value", true);
    }
    given.reach = static_cast<std::size_t>(options.count("labels"));
    if (given.reach > 0)
        given.labels = parts.parameters.matrix("a_label");
    const auto& segments = options.list("segments");
    given.segments = {segments.begin(), segments.end()};
    return reference::global_projections(head, given);
}

reference::HeadResult sorted_blocks(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto count = [&](const char* name) { return static_cast<std::size_t>(options.count(name)); };
    return reference::sorted_blocks(
        head, {.blocks = count("blocks"),
               .rounds = count("rounds"),
               .cut = count("cut"),
               .is_decoder = options.word("among") == "earlier",
               .temperature = options.number("temperature"),
               .W = reference::columns_of_head(parts.parameters.matrix("W_sort"), head.number,
                                               static_cast<std::size_t>(parts.spec.heads.count()))});
}

reference::HeadResult video_sparse(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::video_sparse(
        head, {.size = static_cast<std::size_t>(options.count("block")),
               .selected = static_cast<std::size_t>(options.count("selected")),
               .is_one_sequence = parts.spec.source.type == SourceType::self,
               .W = reference::columns_of_head(parts.parameters.matrix("W_coarse"), head.number,
                                               static_cast<std::size_t>(parts.spec.heads.count())),
               .b = numbers_of_head(parts.parameters.row("b_coarse"), head.number, head.v.cols)});
}

reference::HeadResult sparse_linear(const OracleParts& parts, const Head& head) {
    using Map = reference::SparseLinear::Map;
    const Options& options = parts.spec.algorithm.options;
    const std::string& map = options.word("map");
    return reference::sparse_linear(head, {.size = count_option(parts, "block"),
                                           .selected = count_option(parts, "selected"),
                                           .skipped = count_option(parts, "skipped"),
                                           .is_of_all = options.word("over") == "all",
                                           .is_one_sequence = parts.spec.source.type == SourceType::self,
                                           .map = map == "softmax" ? Map::softmax
                                                  : map == "elu"   ? Map::elu
                                                                   : Map::relu,
                                           .W = parts.parameters.matrix("W_linear"),
                                           .b = parts.parameters.row("b_linear")});
}

reference::HeadResult compressed_entries(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const OracleParameters& parameters = parts.parameters;
    const auto count = [&](const char* name) { return static_cast<std::size_t>(options.count(name)); };
    const auto of = [&](const std::string& name) {
        return reference::EntryWeights{.W = parameters.matrix("W_" + name),
                                       .W_gate = parameters.matrix("W_" + name + "_gate"),
                                       .B = parameters.matrix("B_" + name),
                                       .g = parameters.row("g_" + name)};
    };
    reference::CompressedEntries given{.block = count("block"),
                                       .kept = count("entries"),
                                       .window = count("window"),
                                       .rotated = count("rotated"),
                                       .index_heads = count("index_heads"),
                                       .overlaps = options.flag("overlap"),
                                       .has_sink = options.flag("sink"),
                                       .entry = of("entry"),
                                       .index = {},
                                       .W_index_q = {},
                                       .W_index_w = {}};
    if (given.kept > 0) {
        given.index = of("index");
        given.W_index_q = parameters.matrix("W_index_q");
        given.W_index_w = parameters.matrix("W_index_w");
    }
    if (given.has_sink)
        given.sink = parameters.row("entry_sink")[head.number];
    return reference::compressed_entries(head, given);
}

}  // namespace

void add_pair_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::persistent_memory:
        setting.algorithm = [=](const Head& head) { return persistent_memory(parts, head); };
        return;
    case AlgorithmType::dynamic_convolution:
        setting.algorithm = [=](const Head& head) { return dynamic_convolution(parts, head); };
        return;
    case AlgorithmType::local_linear:
        setting.change_weights = [lambda = parts.spec.algorithm.options.number("lambda")](
                                     const Head& head, const Matrix& weights) {
            return reference::local_linear_weights(head, weights, lambda);
        };
        return;
    case AlgorithmType::coda:
        setting.algorithm = reference::coda;
        return;
    case AlgorithmType::key_value_shift:
        setting.algorithm = [=](const Head& head) { return key_value_shift(parts, head); };
        return;
    case AlgorithmType::lambda_layer:
        setting.algorithm = [E = parts.parameters.matrix("E_lambda")](const Head& head) {
            return reference::lambda_layer(head, E);
        };
        return;
    case AlgorithmType::clustered: {
        const Options& options = parts.spec.algorithm.options;
        const auto number = [&](const char* name) { return static_cast<std::size_t>(options.count(name)); };
        const reference::Clusters clusters{number("clusters"), number("steps"), number("exact_keys")};
        setting.algorithm = [=](const Head& head) { return reference::clustered(head, clusters); };
        return;
    }
    case AlgorithmType::muse: {
        const Options& options = parts.spec.algorithm.options;
        reference::MuseKernels given{.gate = parts.parameters.row("g_sizes"),
                                     .kernels = {},
                                     .is_past = options.word("window") == "past",
                                     .is_plain = options.word("kernel") == "plain"};
        if (options.word("output") == "own")
            given.to_output = parts.parameters.matrix("W_convolution");
        for (Index kernel = 1; kernel <= options.count("kernels"); ++kernel)
            given.kernels.push_back(
                parts.parameters.matrix((given.is_plain ? "k_muse_" : "W_muse_") + std::to_string(kernel)));
        setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
            return reference::muse(heads, given);
        };
        return;
    }
    case AlgorithmType::multi_dimensional:
        setting.algorithm =
            [given = reference::FeatureScores{.of_query = parts.parameters.matrix("W_features_query"),
                                              .of_key = parts.parameters.matrix("W_features_key"),
                                              .shift = parts.parameters.row("b_features"),
                                              .bound = parts.spec.algorithm.options.number("bound")}](
                const Head& head) { return reference::multi_dimensional(head, given); };
        return;
    case AlgorithmType::rectified: {
        reference::RectifiedNorm norm{.gain = parts.parameters.row("g_rectified"), .gate = {}};
        if (parts.spec.algorithm.options.flag("gated"))
            norm.gate = parts.parameters.row("w_gate");
        setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
            return reference::rectified(heads, norm);
        };
        return;
    }
    case AlgorithmType::h_transformer:
        setting.algorithm = [block = static_cast<std::size_t>(parts.spec.algorithm.options.count("block")),
                             is_causal = parts.spec.algorithm.options.flag("causal")](const Head& head) {
            return reference::h_transformer(head, block, is_causal);
        };
        return;
    case AlgorithmType::multiresolution: {
        const Options& options = parts.spec.algorithm.options;
        setting.algorithm =
            [maps =
                 reference::MultiResolution{.block = static_cast<std::size_t>(options.count("block")),
                                            .refined = static_cast<std::size_t>(options.count("refined")),
                                            .keeps_coarse = options.flag("coarse"),
                                            .is_one_sequence = parts.spec.source.type == SourceType::self}](
                const Head& head) { return reference::multiresolution(head, maps); };
        return;
    }
    case AlgorithmType::yoso: {
        const Options& options = parts.spec.algorithm.options;
        const auto tau = static_cast<std::size_t>(options.count("hashes")),
                   rounds = static_cast<std::size_t>(options.count("rounds"));
        const bool has_filter = options.count("convolution") > 0;
        setting.algorithm = [=, is_normalized = options.flag("normalized"),
                             filters = has_filter ? parts.parameters.matrix("value_filter") : Matrix(),
                             seed = parts.seed](const Head& head) {
            reference::HashChances hashes{
                .tau = tau, .is_normalized = is_normalized, .planes = {}, .filter = {}};
            if (rounds > 0)
                hashes.planes = reference::random_normals(rounds * tau, head.q.cols, seed, "hyperplanes");
            if (has_filter)
                hashes.filter = filters.row(head.number);
            return reference::hash_chances(head, hashes);
        };
        return;
    }
    case AlgorithmType::split_keys:
        setting.algorithm = [](const Head& head) {
            return reference::softmax_attention(head.q, head.k, head.v, head.allowed);
        };
        return;
    case AlgorithmType::tropical:
        setting.algorithm = reference::tropical;
        return;
    case AlgorithmType::video_sparse:
        setting.algorithm = [=](const Head& head) { return video_sparse(parts, head); };
        return;
    case AlgorithmType::sparse_linear:
        setting.algorithm = [=](const Head& head) { return sparse_linear(parts, head); };
        return;
    case AlgorithmType::compressed_entries:
        setting.algorithm = [=](const Head& head) { return compressed_entries(parts, head); };
        return;
    case AlgorithmType::sorted_blocks:
        setting.algorithm = [=](const Head& head) { return sorted_blocks(parts, head); };
        return;
    case AlgorithmType::global_projections:
        setting.algorithm = [=, weigh = reference::weighing_of(setting)](const Head& head) {
            return global_projections(parts, head, weigh);
        };
        return;
    case AlgorithmType::quantized_cache: {
        const Options& options = parts.spec.algorithm.options;
        setting.algorithm =
            [cache = reference::QuantizedCache{.bits = static_cast<std::size_t>(options.count("bits")),
                                               .group = static_cast<std::size_t>(options.count("group")),
                                               .by_channel = options.word("keys") == "channel",
                                               .recent = static_cast<std::size_t>(options.count("recent")),
                                               .rounds_values = options.flag("values"),
                                               .rounds_queries = options.flag("queries"),
                                               .is_smooth = options.flag("smooth"),
                                               .weigh = reference::weighing_of(setting)}](const Head& head) {
                return reference::quantized_cache(head, cache);
            };
        return;
    }
    default:
        return;
    }
}

}  // namespace headlight
