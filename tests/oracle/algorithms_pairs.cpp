#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/clustered.h"
#include "tests/reference/coarse_maps.h"
#include "tests/reference/feature_softmax.h"
#include "tests/reference/hash_chances.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/local_linear.h"
#include "tests/reference/mixed_heads.h"
#include "tests/reference/muse.h"
#include "tests/reference/pair_mixers.h"
#include "tests/reference/quantized_cache.h"
#include "tests/reference/tropical.h"

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;

/// The head of keys and values that a head reads.
std::size_t key_head_of(const OracleParts& parts, const Head& head) {
    const auto heads = static_cast<std::size_t>(parts.spec.heads.count()),
               key_heads = static_cast<std::size_t>(parts.spec.heads.kv_count());
    return head.number / (heads / key_heads);
}

reference::HeadResult persistent_memory(const OracleParts& parts, const Head& head) {
    const auto of_head = [&](const char* name) {
        return reference::columns_of_head(parts.parameters.matrix(name), key_head_of(parts, head),
                                          static_cast<std::size_t>(parts.spec.heads.kv_count()));
    };
    return reference::persistent_memory(head, {of_head("K_memory"), of_head("V_memory")});
}

reference::HeadResult dynamic_convolution(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto size = static_cast<std::size_t>(option<Index>(options, "size"));
    const bool is_dynamic = option<std::string>(options, "kernel") == "dynamic";
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
    kernel.before = option<std::string>(options, "window") == "past" ? size - 1 : (size - 1) / 2;
    kernel.is_renormalized = option<bool>(options, "renormalized");
    return reference::dynamic_convolution(head, kernel);
}

reference::HeadResult key_value_shift(const OracleParts& parts, const Head& head) {
    const auto shift = [&](const char* name, const std::string& greek) -> reference::Shift {
        const Number given = option<double>(parts.spec.algorithm.options, name);
        if (given >= 0)
            return {1 - given, given};
        const std::size_t of_head = key_head_of(parts, head);
        return {parts.parameters.row(greek + "_1")[of_head], parts.parameters.row(greek + "_2")[of_head]};
    };
    return reference::key_value_shift(head, shift("key_shift", "alpha"), shift("value_shift", "beta"));
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
        setting.change_weights = [lambda = option<double>(parts.spec.algorithm.options, "lambda")](
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
        const auto number = [&](const char* name) {
            return static_cast<std::size_t>(option<Index>(options, name));
        };
        const reference::Clusters clusters{number("clusters"), number("steps"), number("exact_keys")};
        setting.algorithm = [=](const Head& head) { return reference::clustered(head, clusters); };
        return;
    }
    case AlgorithmType::muse: {
        const Options& options = parts.spec.algorithm.options;
        reference::MuseKernels given{.gate = parts.parameters.row("g_sizes"),
                                     .kernels = {},
                                     .is_past = option<std::string>(options, "window") == "past"};
        for (Index kernel = 1; kernel <= option<Index>(options, "kernels"); ++kernel)
            given.kernels.push_back(parts.parameters.matrix("W_muse_" + std::to_string(kernel)));
        setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
            return reference::muse(heads, given);
        };
        return;
    }
    case AlgorithmType::multi_dimensional:
        setting.algorithm =
            [given =
                 reference::FeatureScores{.of_query = parts.parameters.matrix("W_features_query"),
                                          .of_key = parts.parameters.matrix("W_features_key"),
                                          .shift = parts.parameters.row("b_features"),
                                          .bound = option<double>(parts.spec.algorithm.options, "bound")}](
                const Head& head) { return reference::multi_dimensional(head, given); };
        return;
    case AlgorithmType::rectified: {
        reference::RectifiedNorm norm{.gain = parts.parameters.row("g_rectified"), .gate = {}};
        if (option<bool>(parts.spec.algorithm.options, "gated"))
            norm.gate = parts.parameters.row("w_gate");
        setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
            return reference::rectified(heads, norm);
        };
        return;
    }
    case AlgorithmType::h_transformer:
        setting.algorithm =
            [block = static_cast<std::size_t>(option<Index>(parts.spec.algorithm.options, "block"))](
                const Head& head) { return reference::h_transformer(head, block); };
        return;
    case AlgorithmType::multiresolution: {
        const Options& options = parts.spec.algorithm.options;
        setting.algorithm =
            [maps = reference::MultiResolution{
                 .block = static_cast<std::size_t>(option<Index>(options, "block")),
                 .refined = static_cast<std::size_t>(option<Index>(options, "refined")),
                 .keeps_coarse = option<bool>(options, "coarse"),
                 .is_one_sequence = parts.spec.source.type == SourceType::self}](const Head& head) {
                return reference::multiresolution(head, maps);
            };
        return;
    }
    case AlgorithmType::yoso: {
        const Options& options = parts.spec.algorithm.options;
        setting.algorithm = [tau = static_cast<Number>(option<Index>(options, "hashes")),
                             normalized = option<bool>(options, "normalized")](const Head& head) {
            return reference::hash_chances(head, tau, normalized);
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
    case AlgorithmType::quantized_cache: {
        const Options& options = parts.spec.algorithm.options;
        setting.algorithm = [cache = reference::QuantizedCache{
                                 .bits = static_cast<std::size_t>(option<Index>(options, "bits")),
                                 .group = static_cast<std::size_t>(option<Index>(options, "group")),
                                 .by_channel = option<std::string>(options, "keys") == "channel",
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
