#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
#include "tests/reference/corrected_states.h"
#include "tests/reference/delta_states.h"
#include "tests/reference/learned_memory.h"
#include "tests/reference/learner_steps.h"
#include "tests/reference/linear_mixers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {
namespace {

using reference::Head;
using reference::HeadResult;
using reference::Matrix;
using reference::Row;

Number largest_strength(const Options& options) { return options.flag("overshoot") ? 2 : 1; }

HeadResult delta_rule(const OracleParts& parts, const Head& given) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given;
    head.k = reference::unit_rows(given.k);
    reference::StateRule rule;
    rule.is_delta = true;
    rule.scale = scale_of_queries(parts, head);
    rule.strengths = token_sigmoids(parts, head, "beta", 1, largest_strength(options)).values;
    if (parts.spec.algorithm.type == AlgorithmType::gated_delta)
        rule.gates = feature_gates(parts, head, "dt");
    if (parts.spec.algorithm.type == AlgorithmType::kimi_delta)
        rule.gates = feature_gates(parts, head, "alpha", head.k.cols);
    return state_attention(head, rule);
}

HeadResult rwkv7(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const std::size_t d = head.k.cols;
    const auto of_head = [&](const std::string& name) {
        return numbers_of_head(parts.parameters.row(name), head.number, d);
    };
    reference::Rwkv7 rule;
    rule.w = token_sigmoids(parts, head, "w", d);
    for (Number& each : rule.w.values)
        each = std::exp(-std::exp(Number(-0.5)) * each);
    rule.a = token_sigmoids(parts, head, "a", d);
    rule.k_k = of_head("k_k");
    rule.k_a = of_head("k_a");
    if (options.flag("bonus"))
        rule.r_k = of_head("r_k");
    rule.scale = scale_of_queries(parts, head);
    return reference::rwkv7(head, rule);
}

HeadResult delta_product(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto count = count_option(parts, "writes");
    const std::size_t further = count - 1;
    reference::DeltaProduct rule;
    rule.gates = feature_gates(parts, head, "dt");
    rule.keys = {head.k};
    rule.values = {head.v};
    const auto add = [&](const std::string& name, std::size_t width, std::vector<Matrix>& to) {
        const Row none(further * width * (head.number + 1), Number(0));
        const Matrix all = head_projection(head, parts.parameters.matrix(name), none, further * width);
        for (std::size_t write = 0; write < further; ++write) {
            Matrix each(all.rows, width);
            for (std::size_t t = 0; t < all.rows; ++t)
                for (std::size_t c = 0; c < width; ++c)
                    each(t, c) = all(t, write * width + c);
            to.push_back(each);
        }
    };
    if (further > 0) {
        add("W_k_writes", head.k.cols, rule.keys);
        add("W_v_writes", head.v.cols, rule.values);
    }
    rule.strengths = token_sigmoids(parts, head, "beta", count, largest_strength(options));
    rule.scale = scale_of_queries(parts, head);
    return reference::delta_product(head, rule);
}

/// Which of the memories that a router sends it to take each token, and the softmax of their numbers; of the
/// shared one, the first if there is one, all and 1.
void route_to_memories(const OracleParts& parts, const Head& head, reference::MemoryMixture& rule) {
    const auto routed = count_option(parts, "memories");
    const std::size_t first = parts.spec.algorithm.options.flag("shared") ? 1 : 0;
    const auto active = std::min(count_option(parts, "active"), routed);
    Head all = head;
    all.number = 0;  // one router for all heads
    const Matrix numbers =
        head_projection(all, parts.parameters.matrix("W_memory_route"), Row(routed, Number(0)), routed);
    const std::size_t n = head.k.rows;
    rule.shares = Matrix(n, first + routed);
    rule.takes.assign(n, std::vector<bool>(first + routed, false));
    for (std::size_t t = 0; t < n; ++t) {
        const Row row = numbers.row(t);
        const Number largest = *std::ranges::max_element(row);
        Number sum = 0;
        for (std::size_t m = 0; m < routed; ++m) {
            std::size_t before = 0;
            for (std::size_t other = 0; other < routed; ++other)
                before += row[other] > row[m] || (row[other] == row[m] && other < m);
            rule.takes[t][first + m] = before < active;
            if (before < active)
                rule.shares(t, first + m) = std::exp(row[m] - largest);
            sum += rule.shares(t, first + m);
        }
        for (std::size_t m = 0; m < routed; ++m)
            rule.shares(t, first + m) /= sum;
        if (first == 1) {
            rule.takes[t][0] = true;
            rule.shares(t, 0) = 1;
        }
    }
}

HeadResult memory_mixture(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::MemoryMixture rule;
    route_to_memories(parts, head, rule);
    const std::size_t count = rule.shares.cols, n = head.k.rows;
    const bool is_own = options.flag("own_keys") && count > 1;
    rule.keys.assign(is_own ? 1 : count, head.k);
    rule.values.assign(is_own ? 1 : count, head.v);
    const auto add = [&](const std::string& name, std::size_t width, std::vector<Matrix>& to) {
        const Row none((count - 1) * width * (head.number + 1), Number(0));
        const Matrix all = head_projection(head, parts.parameters.matrix(name), none, (count - 1) * width);
        for (std::size_t m = 0; m + 1 < count; ++m) {
            Matrix each(n, width);
            for (std::size_t t = 0; t < n; ++t)
                for (std::size_t c = 0; c < width; ++c)
                    each(t, c) = all(t, m * width + c);
            to.push_back(each);
        }
    };
    if (is_own) {
        add("W_k_memories", head.k.cols, rule.keys);
        add("W_v_memories", head.v.cols, rule.values);
    }
    const auto of_memories = [&](const Matrix& given) {
        Matrix result(n, count);
        for (std::size_t t = 0; t < n; ++t)
            for (std::size_t m = 0; m < count; ++m)
                result(t, m) = given(t, is_own ? m : 0);
        return result;
    };
    const std::size_t gates = is_own ? count : 1;
    rule.strengths = of_memories(token_sigmoids(parts, head, "beta", gates));
    rule.gates = options.flag("forgets") ? of_memories(token_gates(parts, head, "dt", gates))
                                         : Matrix(n, count, Row(n * count, Number(1)));
    rule.scale = scale_of_queries(parts, head);
    return reference::memory_mixture(head, rule);
}

HeadResult gated_delta_2(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::gated_delta_2(
        head, {.gates = feature_gates(parts, head, "alpha", head.k.cols),
               .erases = token_sigmoids(parts, head, "erase", head.k.cols, largest_strength(options)),
               .writes = token_sigmoids(parts, head, "write", head.v.cols),
               .scale = scale_of_queries(parts, head)});
}

HeadResult comba(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::comba(head,
                            {.gates = feature_gates(parts, head, "dt"),
                             .strengths = token_sigmoids(parts, head, "beta").values,
                             .feedback = reference::sigmoid(parts.parameters.row("feedback")[head.number]),
                             .correction = parts.parameters.row("correction")[head.number],
                             .scale = scale_of_queries(parts, head),
                             .asks_first = options.word("asks") == "before"});
}

HeadResult longhorn(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::longhorn(head, token_sigmoids(parts, head, "beta").values,
                               options.word("erasure") == "diagonal", scale_of_queries(parts, head));
}

HeadResult precond_delta(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::PreconditionedDelta rule;
    rule.strengths = token_sigmoids(parts, head, "beta").values;
    rule.curvature_strengths = token_sigmoids(parts, head, "curvature").values;
    if (options.flag("forgets")) {
        if (options.word("gates") == "feature")
            rule.feature_gates = feature_gates(parts, head, "alpha", head.k.cols);
        else
            rule.gates = token_gates(parts, head, "dt").values;
        rule.curvature_gates = token_gates(parts, head, "dt_curvature", 1, "A_log_curvature").values;
    }
    rule.center = parts.parameters.row("curvature_center")[head.number];
    rule.range = options.number("range");
    rule.scale = scale_of_queries(parts, head);
    return reference::preconditioned_delta(head, rule);
}

HeadResult gated_oja(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    Matrix gates;
    if (options.flag("forgets")) {
        gates = token_sigmoids(parts, head, "value_gates", head.v.cols);
        for (Number& each : gates.values)
            each = std::pow(each, 1 / options.number("temperature"));
    }
    return reference::gated_oja(head, gates, token_sigmoids(parts, head, "beta").values,
                                scale_of_queries(parts, head));
}

HeadResult gated_kalma(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    reference::Kalma rule;
    rule.strengths = token_sigmoids(parts, head, "beta").values;
    rule.ridge = options.number("ridge");
    rule.scale = scale_of_queries(parts, head);
    for (Number& each : rule.strengths)
        each += Number(1e-6);
    const Matrix gates = feature_gates(parts, head, "dt");
    for (std::size_t t = 0; t < gates.rows; ++t)
        rule.gates.push_back(gates(t, 0));
    if (options.flag("mixed"))
        rule.mixing = token_sigmoids(parts, head, "sharpening").values;
    return reference::gated_kalma(head, rule);
}

/// A learner with a norm behind it or a hidden layer, ttt.
HeadResult nonlinear_learner(const OracleParts& parts, const Head& given, const Row& sizes) {
    const Options& options = parts.spec.algorithm.options;
    const auto heads = static_cast<std::size_t>(parts.spec.heads.count());
    Head head = given;
    reference::LearnerSteps rule;
    const auto of_head = [&](const std::string& name) {
        const Row all = parts.parameters.row(name);
        return numbers_of_head(all, head.number, all.size() / heads);
    };
    const auto layer = [&](const std::string& suffix) {
        const Matrix all = parts.parameters.matrix("W_learner" + suffix);
        return reference::Layer{rows_of_head(all, head.number, all.rows / heads),
                                of_head("b_learner" + suffix)};
    };
    if (options.word("learner") == "mlp")
        rule.layers = {layer("_1"), layer("_2")};
    else
        rule.layers = {layer("")};
    if (options.flag("norm")) {
        rule.gamma = of_head("gamma_learner");
        rule.beta = of_head("beta_learner");
    } else {
        head.k = reference::unit_rows(given.k);
    }
    rule.sizes = sizes;
    rule.batch = count_option(parts, "batch");
    rule.is_mean = options.flag("mean");
    rule.scale = scale_of_queries(parts, head);
    return reference::learner_steps(head, rule);
}

/// A memory that is a linear model: titans, ttt.
HeadResult learned_memory(const OracleParts& parts, const Head& given) {
    const Options& options = parts.spec.algorithm.options;
    Head head = given;
    head.k = reference::unit_rows(given.k);
    const auto shares = [&](const std::string& suffix) { return token_sigmoids(parts, head, suffix).values; };
    if (parts.spec.algorithm.type == AlgorithmType::ttt &&
        (options.flag("norm") || options.word("learner") == "mlp"))
        return nonlinear_learner(parts, given, shares("beta"));
    if (parts.spec.algorithm.type == AlgorithmType::ttt)
        return reference::memory_by_batches(head, shares("beta"), count_option(parts, "batch"),
                                            options.flag("mean"), scale_of_queries(parts, head));
    reference::Momentum rule{shares("beta"), {}, {}};
    if (options.flag("momentum"))
        rule.momenta = shares("eta");
    if (options.flag("forgets"))
        rule.losses = shares("forget");
    return reference::memory_with_momentum(head, rule, scale_of_queries(parts, head));
}

/// Queries and keys of heads that share them: those of all of these heads, side by side.
void widen_heads(const OracleParts& parts, reference::Setting& setting, Index key_heads) {
    const std::size_t sharing =
        setting.heads / static_cast<std::size_t>(std::gcd(key_heads, static_cast<Index>(setting.heads)));
    setting.algorithm_of_all_heads = [parts, sharing](const std::vector<Head>& heads) {
        std::vector<HeadResult> results;
        for (const Head& head : heads) {
            Head wide = head;
            const std::size_t d = head.q.cols, first = head.number / sharing * sharing;
            wide.q = Matrix(head.q.rows, sharing * d);
            wide.k = Matrix(head.k.rows, sharing * d);
            for (std::size_t part = 0; part < sharing; ++part)
                for (std::size_t c = 0; c < d; ++c) {
                    for (std::size_t i = 0; i < head.q.rows; ++i)
                        wide.q(i, part * d + c) = heads[first + part].q(i, c);
                    for (std::size_t j = 0; j < head.k.rows; ++j)
                        wide.k(j, part * d + c) = heads[first + part].k(j, c);
                }
            results.push_back(comba(parts, wide));
        }
        return results;
    };
}

/// Null for an algorithm that is not here.
HeadAnswer delta_answer(AlgorithmType type) {
    switch (type) {
    case AlgorithmType::delta:
    case AlgorithmType::gated_delta:
    case AlgorithmType::kimi_delta:
        return delta_rule;
    case AlgorithmType::rwkv7:
        return rwkv7;
    case AlgorithmType::delta_product:
        return delta_product;
    case AlgorithmType::memory_mixture:
        return memory_mixture;
    case AlgorithmType::gated_delta_2:
        return gated_delta_2;
    case AlgorithmType::comba:
        return comba;
    case AlgorithmType::longhorn:
        return longhorn;
    case AlgorithmType::precond_delta:
        return precond_delta;
    case AlgorithmType::gated_oja:
        return gated_oja;
    case AlgorithmType::gated_kalma:
        return gated_kalma;
    case AlgorithmType::titans:
    case AlgorithmType::ttt:
        return learned_memory;
    default:
        return nullptr;
    }
}

}  // namespace

void add_delta_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    if (const auto answer = delta_answer(parts.spec.algorithm.type))
        setting.algorithm = [=](const Head& head) { return answer(parts, head); };
    if (parts.spec.algorithm.type == AlgorithmType::comba)
        if (const Index key_heads = parts.spec.algorithm.options.count("key_heads"); key_heads > 0)
            widen_heads(parts, setting, key_heads);
}

}  // namespace headlight
