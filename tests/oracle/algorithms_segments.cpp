#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
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
        head, {.segment = static_cast<std::size_t>(options.count("segment")),
               .is_delta = options.word("update") == "delta",
               .memory_share = reference::sigmoid(parts.parameters.row("memory_gate")[head.number])});
}

HeadResult dilated_segments(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto growth = static_cast<std::size_t>(options.count("growth"));
    std::vector<reference::DilatedPattern> patterns;
    reference::DilatedPattern pattern{static_cast<std::size_t>(options.count("segment")), 1};
    for (Index each = 0; each < options.count("patterns"); ++each) {
        patterns.push_back(pattern);
        pattern = {pattern.segment * growth, pattern.step * growth};
    }
    return reference::dilated_segments(head, patterns);
}

HeadResult momentum_delta(const OracleParts& parts, const Head& head) {
    const Options& options = parts.spec.algorithm.options;
    const auto of_head = [&](const char* name) { return parts.parameters.row(name)[head.number]; };
    const Row none(head.k.rows, Number(0)), all(head.k.rows, Number(1));
    const bool forgets = options.flag("forgets"), moves = options.flag("momentum");
    reference::MomentumDelta rule;
    rule.gates = forgets ? token_gates(parts, head, "dt").values : all;
    rule.momenta = moves ? token_gates(parts, head, "mu", 1, "Mu_log").values : none;
    rule.strengths = token_sigmoids(parts, head, "beta").values;
    rule.steps = token_numbers(parts, head, "step").values;
    rule.scale = scale_of_queries(parts, head);
    for (std::size_t t = 0; t < head.k.rows; ++t) {
        rule.steps[t] =
            2 * reference::sigmoid(2 * rule.steps[t]);  // 1 + tanh, which has no digits next to -1
        if (!options.flag("balanced"))
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
    const Matrix steps = token_softplus(parts, head, "dt", width);
    Matrix rates = rows_of_head(parts.parameters.matrix("A_log"), head.number, width);
    for (Number& rate : rates.values)
        rate = std::exp(rate);
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
    unit.length = static_cast<std::size_t>(parts.spec.algorithm.options.count("length"));
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
                head, static_cast<std::size_t>(options.count("segment")),
                static_cast<std::size_t>(options.count("neighbours")),
                reference::sigmoid(parts.parameters.row("memory_gate")[head.number]));
        };
        return;
    case AlgorithmType::dilated_segments:
        setting.algorithm = [=](const Head& head) { return dilated_segments(parts, head); };
        return;
    case AlgorithmType::landmark:
        setting.algorithm = [block = parts.spec.algorithm.options.count("block")](const Head& head) {
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
            return reference::kernel_landmarks(head, static_cast<std::size_t>(options.count("landmarks")),
                                               options.number("lambda"));
        };
        return;
    default:
        return;
    }
}

}  // namespace headlight
