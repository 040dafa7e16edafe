#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/castle.h"
#include "tests/reference/differential_attention.h"
#include "tests/reference/exclusive.h"
#include "tests/reference/feature_attention.h"
#include "tests/reference/fourier.h"
#include "tests/reference/global_vectors.h"
#include "tests/reference/hstu.h"
#include "tests/reference/latent_attention.h"
#include "tests/reference/memory.h"
#include "tests/reference/parallax.h"
#include "tests/reference/point_attention.h"
#include "tests/reference/shaped.h"
#include "tests/reference/sparse_branches.h"
#include "tests/reference/splitmix.h"

#include <cmath>

namespace headlight {
namespace {

using reference::Head;

std::size_t count(const OracleParts& parts, const std::string& name) {
    return static_cast<std::size_t>(parts.spec.algorithm.options.count(name));
}

void add_latent(const OracleParts& parts, reference::Setting& setting) {
    const reference::Latent latent{parts.parameters.matrix("W_latent"),
                                   parts.parameters.row("g_latent"),
                                   parts.parameters.matrix("W_latent_key"),
                                   parts.parameters.matrix("W_rotary_key"),
                                   parts.parameters.matrix("W_latent_value"),
                                   static_cast<std::size_t>(parts.spec.heads.count()),
                                   parts.spec.algorithm.options.number("base"),
                                   reference::weighing_of(setting),
                                   parts.parameters.row("b_latent"),
                                   count(parts, "merged"),
                                   parts.parameters.matrix("W_merge_place"),
                                   parts.parameters.matrix("W_merge_latent"),
                                   parts.parameters.row("b_merge_place"),
                                   parts.parameters.row("b_merge_latent")};
    setting.algorithm = [=](const Head& head) { return reference::latent_attention(head, latent); };
}

void add_differential(const OracleParts& parts, reference::Setting& setting) {
    reference::Differential differential{parts.parameters.row("lambda_q1"),
                                         parts.parameters.row("lambda_k1"),
                                         parts.parameters.row("lambda_q2"),
                                         parts.parameters.row("lambda_k2"),
                                         count(parts, "layer"),
                                         reference::weighing_of(setting),
                                         {},
                                         parts.spec.algorithm.options.flag("integral"),
                                         parts.spec.source.type == SourceType::self};
    if (parts.spec.algorithm.options.flag("norm"))
        differential.gain = parts.parameters.row("g_head");
    setting.algorithm = [=](const Head& head) {
        return reference::differential_attention(head, differential);
    };
}

void add_parallax(const OracleParts& parts, reference::Setting& setting) {
    const Number strength = parts.spec.algorithm.options.number("strength");
    setting.change_weights =
        [strength, W_r = parts.parameters.matrix("W_r")](const Head& head, const reference::Matrix& weights) {
            return reference::parallax_weights(head, weights, W_r, strength);
        };
}

void add_castle(const OracleParts& parts, reference::Setting& setting) {
    const reference::Castle castle{parts.parameters.matrix("W_qu"), parts.parameters.matrix("W_ku"),
                                   parts.parameters.matrix("W_vu"),
                                   static_cast<std::size_t>(parts.spec.heads.count())};
    setting.algorithm = [=](const Head& head) { return reference::castle_attention(head, castle); };
}

void add_inducing_points(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const OracleParameters& given = parts.parameters;
    reference::InducingPoints points;
    points.points = given.matrix("points");
    points.to_keys = given.matrix("W_point");
    const std::string block = options.word("block");
    points.has_blocks = block != "none";
    points.is_normed = block == "normed";
    points.to_values = given.matrix("W_point_value");
    points.of_points = {given.matrix("W_of_points"), given.row("b_of_points")};
    points.of_tokens = {given.matrix("W_of_tokens"), given.row("b_of_tokens")};
    const auto layers = static_cast<std::size_t>(options.count("layers"));
    const auto of_layer = [&](const char* name, std::size_t layer) {
        const reference::Matrix all = given.matrix(name);
        reference::Matrix matrix(all.rows / layers, all.cols);
        for (std::size_t row = 0; row < matrix.rows; ++row)
            for (std::size_t column = 0; column < all.cols; ++column)
                matrix(row, column) = all(layer * matrix.rows + row, column);
        return matrix;
    };
    for (std::size_t layer = 0; layer < layers; ++layer)
        points.looks.push_back({of_layer("W_q_points", layer), of_layer("W_k_points", layer),
                                of_layer("W_v_points", layer), of_layer("W_o_points", layer)});
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::inducing_points(heads, points);
    };
}

void add_cross_covariance(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [sharpness = parts.parameters.row("sharpness")](const Head& head) {
        return reference::cross_covariance(head, sharpness[head.number]);
    };
}

void add_fastformer(const OracleParts& parts, reference::Setting& setting) {
    const reference::Fastformer fast{parts.parameters.row("w_query"), parts.parameters.row("w_key"),
                                     parts.parameters.matrix("W_values")};
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::fastformer(heads, fast);
    };
}

void add_efficient_additive(const OracleParts& parts, reference::Setting& setting) {
    const reference::EfficientAdditive additive{parts.parameters.row("w_global"),
                                                parts.parameters.matrix("W_mixed"),
                                                parts.parameters.row("b_mixed")};
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::efficient_additive(heads, additive);
    };
}

void add_separable(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [w = parts.parameters.row("w_context")](const Head& head) {
        const auto width = static_cast<std::ptrdiff_t>(head.q.cols);
        const auto first = w.begin() + static_cast<std::ptrdiff_t>(head.number) * width;
        return reference::separable(head, reference::Row(first, first + width));
    };
}

void add_hstu(const OracleParts& parts, reference::Setting& setting) {
    const reference::Hstu hstu{parts.parameters.matrix("W_u"), parts.spec.algorithm.options.flag("activated"),
                               count(parts, "length")};
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::hstu(heads, hstu);
    };
}

void add_shaped(const OracleParts& parts, reference::Setting& setting) {
    if (parts.spec.algorithm.options.word("form") == "difference") {
        setting.change_weights = [](const Head& head, const reference::Matrix& weights) {
            return reference::shaped_weights(weights, head.allowed, -1, 1, 0);
        };
        return;
    }
    setting.change_weights =
        [=, alpha = parts.parameters.row("alpha_shaped"), beta = parts.parameters.row("beta_shaped"),
         gamma = parts.parameters.row("gamma_shaped")](const Head& head, const reference::Matrix& weights) {
            const std::size_t h = head.number;
            return reference::shaped_weights(weights, head.allowed, alpha[h], beta[h], gamma[h]);
        };
}

void add_native_sparse(const OracleParts& parts, reference::Setting& setting) {
    const reference::SparseBranches branches{count(parts, "block"),
                                             count(parts, "selected"),
                                             count(parts, "window"),
                                             static_cast<std::size_t>(parts.spec.heads.kv_count()),
                                             parts.parameters.matrix("W_branch"),
                                             parts.parameters.row("b_branch"),
                                             reference::weighing_of(setting)};
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        return reference::sparse_branches(heads, branches);
    };
}

void add_turing_memory(const OracleParts& parts, reference::Setting& setting) {
    const reference::MemoryControl control{.weight = parts.parameters.matrix("W_memory"),
                                           .bias = parts.parameters.row("b_memory"),
                                           .erase = parts.parameters.matrix("W_erase"),
                                           .erase_bias = parts.parameters.row("b_erase"),
                                           .cells = count(parts, "cells"),
                                           .has_links =
                                               parts.spec.algorithm.options.word("addressing") == "links"};
    setting.algorithm = [control, heads = static_cast<std::size_t>(parts.spec.heads.count())](
                            const Head& head) { return reference::turing_memory(head, control, heads); };
}

void add_turing(const OracleParts& parts, reference::Setting& setting) {
    if (parts.spec.algorithm.options.word("memory") == "written" ||
        parts.spec.algorithm.options.word("addressing") == "links")
        return add_turing_memory(parts, setting);
    const std::string addressing = parts.spec.algorithm.options.word("addressing");
    const reference::ReadControl control{parts.parameters.matrix("W_control"),
                                         parts.parameters.row("b_control"), addressing != "location",
                                         addressing != "content"};
    setting.algorithm = [=](const Head& head) { return reference::turing_read(head, control); };
}

void add_hopfield(const OracleParts& parts, reference::Setting& setting) {
    const Number given = parts.spec.algorithm.options.number("beta");
    const std::size_t steps = count(parts, "steps");
    setting.algorithm = [=, weigh = reference::weighing_of(setting)](const Head& head) {
        const Number beta = given > 0 ? given : 1 / std::sqrt(static_cast<Number>(head.k.cols));
        return reference::hopfield_retrieval(head, steps, beta, weigh);
    };
}

}  // namespace

// Executions change the order of the work and not the numbers: their reference is the composition itself.
void add_execution_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::latent:
        return add_latent(parts, setting);
    case AlgorithmType::differential:
        return add_differential(parts, setting);
    case AlgorithmType::parallax:
        return add_parallax(parts, setting);
    case AlgorithmType::castle:
        return add_castle(parts, setting);
    case AlgorithmType::inducing_points:
        return add_inducing_points(parts, setting);
    case AlgorithmType::agent:
        setting.algorithm = [agents = count(parts, "agents"), seed = parts.seed,
                             picks = parts.spec.algorithm.options.word("points") == "orthogonal",
                             is_one_sequence = parts.spec.source.type == SourceType::self](const Head& head) {
            if (!picks)
                return reference::agent_attention(head, agents, is_one_sequence);
            const auto drawn =
                static_cast<Number>(reference::child(reference::child(seed, head.number), 1) >> 11);
            return reference::orthogonal_attention(head, agents, is_one_sequence, drawn / 9007199254740992.0);
        };
        return;
    case AlgorithmType::cross_covariance:
        return add_cross_covariance(parts, setting);
    case AlgorithmType::exclusive:
        setting.algorithm = reference::exclusive_attention;
        return;
    case AlgorithmType::fourier:
        setting.algorithm = reference::fourier_mixing;
        return;
    case AlgorithmType::fastformer:
        return add_fastformer(parts, setting);
    case AlgorithmType::efficient_additive:
        return add_efficient_additive(parts, setting);
    case AlgorithmType::separable:
        return add_separable(parts, setting);
    case AlgorithmType::hstu:
        return add_hstu(parts, setting);
    case AlgorithmType::shaped:
        return add_shaped(parts, setting);
    case AlgorithmType::native_sparse:
        return add_native_sparse(parts, setting);
    case AlgorithmType::turing:
        return add_turing(parts, setting);
    case AlgorithmType::hopfield:
        return add_hopfield(parts, setting);
    case AlgorithmType::external_memory: {
        const reference::Matrix keys = parts.parameters.matrix("M_k"),
                                values = parts.parameters.matrix("M_v");
        setting.algorithm = [=](const Head& head) {
            return reference::external_attention(head, keys, values);
        };
        return;
    }
    case AlgorithmType::kv_cache:
        if (const std::size_t capacity = count(parts, "capacity"); capacity > 0)
            setting.allowed = reference::newest(setting.allowed, capacity);
        return;
    default:  // online softmax, and the other parts'
        return;
    }
}

}  // namespace headlight
