#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/momentum_delta.h"
#include "tests/reference/segment_mixers.h"
#include "tests/reference/selective_scan.h"
#include "tests/reference/unit_mixers.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

using reference::Head;
using reference::HeadResult;
using reference::Matrix;
using reference::Row;

HeadResult infini(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    return reference::infini(
        head, {.segment = static_cast<std::size_t>(option<Index>(options, "segment")),
               .is_delta = option<std::string>(options, "update") == "delta",
               .memory_share = reference::sigmoid(parts.parameters.row("memory_gate")[head.number])});
}

HeadResult dilated_segments(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto growth = static_cast<std::size_t>(option<Index>(options, "growth"));
    std::vector<reference::DilatedPattern> patterns;
    reference::DilatedPattern pattern{static_cast<std::size_t>(option<Index>(options, "segment")), 1};
    for (Index each = 0; each < option<Index>(options, "patterns"); ++each) {
        patterns.push_back(pattern);
        pattern = {pattern.segment * growth, pattern.step * growth};
    }
    return reference::dilated_segments(head, patterns);
}

/// A number of each token, W_NAME and b_NAME of its vector.
Row number_of_tokens(const OracleParts& parts, const Head& head, const std::string& name) {
    return head_projection(head, parts.parameters.matrix("W_" + name), parts.parameters.row("b_" + name), 1)
        .values;
}

HeadResult momentum_delta(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto of_head = [&](const char* name) { return parts.parameters.row(name)[head.number]; };
    const Row none(head.k.rows, Number(0)), all(head.k.rows, Number(1));
    const bool forgets = option<bool>(options, "forgets"), moves = option<bool>(options, "momentum");
    reference::MomentumDelta rule;
    rule.gates = forgets ? number_of_tokens(parts, head, "dt") : all;
    rule.momenta = moves ? number_of_tokens(parts, head, "mu") : none;
    rule.strengths = number_of_tokens(parts, head, "beta");
    rule.steps = number_of_tokens(parts, head, "step");
    rule.scale = option<bool>(options, "scaled") ? 1 / std::sqrt(static_cast<Number>(head.q.cols)) : 1;
    for (std::size_t t = 0; t < head.k.rows; ++t) {
        if (forgets)
            rule.gates[t] = std::exp(-std::exp(of_head("A_log")) * reference::softplus(rule.gates[t]));
        if (moves)
            rule.momenta[t] = std::exp(-std::exp(of_head("Mu_log")) * reference::softplus(rule.momenta[t]));
        rule.strengths[t] = reference::sigmoid(rule.strengths[t]);
        rule.steps[t] =
            2 * reference::sigmoid(2 * rule.steps[t]);  // 1 + tanh, which has no digits next to -1
        if (!option<bool>(options, "balanced"))
            continue;
        const Number theta = std::atan(rule.steps[t] * std::exp(of_head("balance")));
        rule.strengths[t] *= std::sin(theta) * std::sin(theta);
        if (forgets)
            rule.gates[t] *= std::cos(theta) * std::cos(theta);
    }
    return reference::momentum_delta(head, rule);
}

HeadResult selective_scan(const OracleParts& parts, const Head& head) {
    const std::size_t width = head.v.cols;
    Matrix steps =
        head_projection(head, parts.parameters.matrix("W_dt"), parts.parameters.row("b_dt"), width);
    for (Number& step : steps.values)
        step = reference::softplus(step);
    const Matrix logs = parts.parameters.matrix("A_log");
    Matrix rates(width, logs.cols);
    for (std::size_t c = 0; c < width; ++c)
        for (std::size_t a = 0; a < logs.cols; ++a)
            rates(c, a) = std::exp(logs(head.number * width + c, a));
    return reference::selective_scan(head, steps, rates);
}

HeadResult gated_attention_unit(const OracleParts& parts, const Head& head) {
    reference::GatedUnit unit;
    unit.gamma_q = parts.parameters.row("gamma_q");
    unit.beta_q = parts.parameters.row("beta_q");
    unit.gamma_k = parts.parameters.row("gamma_k");
    unit.beta_k = parts.parameters.row("beta_k");
    unit.to_gate = reference::columns_of_head(parts.parameters.matrix("W_u"), head.number,
                                              static_cast<std::size_t>(parts.spec.heads.count()));
    unit.length = static_cast<std::size_t>(option<Index>(parts.spec.algorithm.options, "length"));
    return reference::gated_attention_unit(head, unit);
}

}  // namespace

void add_segment_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::infini:
        setting.algorithm = [=](const Head& head) { return infini(parts, head); };
        return;
    case AlgorithmType::memorizing:
        setting.algorithm = [=](const Head& head) {
            const Options& options = parts.spec.algorithm.options;
            return reference::memorizing(
                head, static_cast<std::size_t>(option<Index>(options, "segment")),
                static_cast<std::size_t>(option<Index>(options, "neighbours")),
                reference::sigmoid(parts.parameters.row("memory_gate")[head.number]));
        };
        return;
    case AlgorithmType::dilated_segments:
        setting.algorithm = [=](const Head& head) { return dilated_segments(parts, head); };
        return;
    case AlgorithmType::landmark:
        setting.algorithm = [block = option<Index>(parts.spec.algorithm.options, "block")](const Head& head) {
            return reference::landmark_attention(head, static_cast<std::size_t>(block));
        };
        return;
    case AlgorithmType::momentum_delta:
        setting.algorithm = [=](const Head& head) { return momentum_delta(parts, head); };
        return;
    case AlgorithmType::selective_scan:
        setting.algorithm = [=](const Head& head) { return selective_scan(parts, head); };
        return;
    case AlgorithmType::gau:
        setting.algorithm = [=](const Head& head) { return gated_attention_unit(parts, head); };
        return;
    case AlgorithmType::ufo:
        setting.algorithm = [=](const Head& head) {
            return reference::ufo(head, parts.parameters.row("gamma_x")[head.number]);
        };
        return;
    case AlgorithmType::kernel_landmarks:
        setting.algorithm = [&options = parts.spec.algorithm.options](const Head& head) {
            return reference::kernel_landmarks(head,
                                               static_cast<std::size_t>(option<Index>(options, "landmarks")),
                                               option<double>(options, "lambda"));
        };
        return;
    default:
        return;
    }
}

}  // namespace headlight
