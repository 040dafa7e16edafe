#include "tests/reference/normalizers.h"
#include "core/attention/options.h"
#include "tests/oracle/by_row.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/feature_softmax.h"
#include "tests/reference/normalizers_of_maps.h"
#include "tests/reference/structured_normalizers.h"

namespace headlight {
namespace {

using reference::Allowed;
using reference::Head;
using reference::Matrix;
using reference::Row;

/// A number that the smallest value of its option leaves to a parameter of each head.
Row of_heads(const OracleParts& parts, const char* name, Number learned, const char* parameter) {
    const double number = parts.spec.normalizer.options.number(name);
    return number == learned ? parts.parameters.row(parameter)
                             : Row(static_cast<std::size_t>(parts.spec.heads.count()), number);
}

/// What pairs of neighbours count: the coupling of both, or what is learned.
reference::PairCounts pair_counts(const OracleParts& parts) {
    const double coupling = parts.spec.normalizer.options.number("coupling");
    if (coupling != -20)
        return {.both = coupling};
    const Row learned = parts.parameters.row("T_chain");
    return {learned[0], learned[1], learned[2], learned[3]};
}

void add_of_maps(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.normalizer.options;
    const Number t = parts.spec.normalizer.temperature;
    switch (parts.spec.normalizer.type) {
    case NormalizerType::sinkhorn:
        setting.normalize = [=, iterations = static_cast<std::size_t>(options.count("iterations")),
                             bins = options.flag("dustbin") ? of_heads(parts, "bin_score", -20, "b_bin")
                                                            : Row()](const Head& head, const Matrix& scores,
                                                                     const Allowed& allowed) {
            return bins.empty()
                       ? reference::sinkhorn(scores, allowed, t, iterations)
                       : reference::transport_with_dustbin(scores, allowed, t, bins[head.number], iterations);
        };
        return;
    case NormalizerType::slot:
        setting.normalize = [=](const Head&, const Matrix& scores, const Allowed& allowed) {
            return reference::slot(scores, allowed, t);
        };
        return;
    case NormalizerType::dual_softmax:
        setting.normalize = [=](const Head&, const Matrix& scores, const Allowed& allowed) {
            return reference::dual_softmax(scores, allowed, t);
        };
        return;
    case NormalizerType::prob_sparse:
        setting.normalize = [=, active = static_cast<std::size_t>(options.count("active")),
                             drawn = static_cast<std::size_t>(options.count("drawn")),
                             seed = static_cast<std::uint64_t>(options.count("seed"))](
                                const Head&, const Matrix& scores, const Allowed& allowed) {
            return reference::prob_sparse(scores, allowed, t, active,
                                          reference::keys_of_draws(scores.rows, scores.cols, drawn, seed));
        };
        return;
    case NormalizerType::tree:
        setting.normalize = [=, roots = of_heads(parts, "root", -20, "b_root"),
                             in_one_sequence =
                                 parts.spec.source.type == SourceType::self && parts.queries == parts.keys](
                                const Head& head, const Matrix& scores, const Allowed& allowed) {
            return reference::dependency_trees(scores, allowed, t, roots[head.number], in_one_sequence);
        };
        return;
    case NormalizerType::forward:
        setting.normalize = [=, stepwise = options.word("rule") == "stepwise"](
                                const Head&, const Matrix& scores, const Allowed& allowed) {
            return stepwise ? reference::stepwise_alignment(scores, allowed, t)
                            : reference::forward_alignment(scores, allowed, t);
        };
        return;
    case NormalizerType::monotonic:
        setting.normalize = [=, bias = options.number("bias"), hard = options.word("alignment") == "hard"](
                                const Head&, const Matrix& scores, const Allowed& allowed) {
            return reference::monotonic(scores, allowed, t, bias, hard);
        };
        return;
    case NormalizerType::chunkwise:
        setting.normalize = [=, bias = options.number("bias"), hard = options.word("alignment") == "hard",
                             width = static_cast<std::size_t>(options.count("width"))](
                                const Head&, const Matrix& scores, const Allowed& allowed) {
            return reference::chunkwise(scores, allowed, t, bias, hard, width);
        };
        return;
    default:
        return;
    }
}

}  // namespace

void add_normalizer_oracle(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.normalizer.options;
    const Number t = parts.spec.normalizer.temperature;
    const auto number = [&](const char* name) { return options.number(name); };
    const auto word = [&](const char* name) { return options.word(name); };
    const auto of_head = [&](const char* name, Number learned, const char* parameter) {
        return of_heads(parts, name, learned, parameter);
    };
    using enum NormalizerType;
    switch (parts.spec.normalizer.type) {
    case none:
        setting.normalize = by_row(reference::raw_weights, t);
        return;
    case length_scaled:
        setting.normalize =
            by_row([=, strengths = of_head("strength", 0, "s_length")](
                       const Row& scores, const reference::Mask& allowed, const Head& head, std::size_t) {
                return reference::length_scaled(scores, allowed, t, strengths[head.number]);
            });
        return;
    case off_by_one:
        setting.normalize = by_row(reference::softmax_with_sink, t, 0.0);
        return;
    case sink:
        setting.normalize =
            by_row([=, logits = of_head("logit", -20, "b_sink")](
                       const Row& scores, const reference::Mask& allowed, const Head& head, std::size_t) {
                return reference::softmax_with_sink(scores, allowed, t, logits[head.number]);
            });
        return;
    case clipped:
        setting.normalize = by_row(reference::clipped_softmax, t, number("low"), number("high"));
        return;
    case sparsemax:
        setting.normalize = by_row(reference::sparsemax, t);
        return;
    case entmax:
        setting.normalize = by_row(reference::entmax, t, number("alpha"));
        return;
    case budget:
        setting.normalize = by_row(reference::budget, t, number("budget"));
        return;
    case constrained:
        setting.normalize =
            by_row([=, soft = word("nearest") == "softmax", given = options.list("bounds")](
                       const Row& scores, const reference::Mask& allowed, const Head&, std::size_t) {
                Row bounds;
                for (std::size_t j = 0; j < scores.size(); ++j)
                    bounds.push_back(given.empty() ? 1 : Number(given[std::min(j, given.size() - 1)]) / 100);
                return soft ? reference::constrained_softmax(scores, allowed, t, bounds)
                            : reference::constrained_sparsemax(scores, allowed, t, bounds);
            });
        return;
    case fused:
        setting.normalize = word("which") == "all" ? by_row(reference::oscarmax, t, number("fusing"))
                                                   : by_row(reference::fusedmax, t, number("fusing"));
        return;
    case normmax:
        setting.normalize = by_row(reference::normmax, t, number("alpha"));
        return;
    case sigmoid:
        setting.normalize = by_row(reference::sigmoid_weights, t, number("bias") == -20, number("bias"));
        return;
    case relu:
        setting.normalize = by_row(reference::relu_weights, t, std::stoi(word("power")));
        return;
    case softpick:
        setting.normalize = by_row(reference::softpick, t);
        return;
    case signed_softmax:
        setting.normalize = by_row(reference::signed_softmax, t);
        return;
    case function_shares:
        if (word("function") == "softplus")
            setting.normalize = by_row(reference::softplus_shares, t);
        else if (word("function") == "stablemax")
            setting.normalize = by_row(reference::stablemax, t);
        else
            setting.normalize = by_row(reference::power_shares, t, std::stoi(options.word("power")));
        return;
    case row_norm: {
        const std::string by = word("by");
        setting.normalize = by_row(reference::divided_row, t,
                                   by == "deviation" ? reference::RowDivisor::deviation
                                   : by == "length"  ? reference::RowDivisor::length
                                   : by == "count"   ? reference::RowDivisor::count
                                                     : reference::RowDivisor::sum);
        return;
    }
    case chain:
        setting.normalize = by_row(reference::chain_of_choices, t, pair_counts(parts));
        return;
    case adaptive_span:
        setting.normalize = by_row(
            [=, spans = of_head("span", -1, "z_span"), ramp = static_cast<Number>(options.count("ramp"))](
                const Row& scores, const reference::Mask& allowed, const Head& head, std::size_t query) {
                return reference::adaptive_span(scores, allowed, t, spans[head.number], ramp, query);
            });
        return;
    case gumbel:
        setting.normalize = by_row([=, hard = options.flag("hard"),
                                    seed = parts.seed](const Row& scores, const reference::Mask& allowed,
                                                       const Head& head, std::size_t query) {
            return reference::gumbel(scores, allowed, t, hard, reference::seed_of_map(seed, head.map),
                                     head.number, query);
        });
        return;
    case dropout:
        setting.normalize = by_row(
            [=, rate = number("rate"), seed = parts.seed,
             dropped = word("what") == "weights" ? reference::Dropped::weights
                       : word("what") == "pairs" ? reference::Dropped::pairs
                                                 : reference::Dropped::keys](
                const Row& scores, const reference::Mask& allowed, const Head& head, std::size_t query) {
                const auto of_map =
                    dropped == reference::Dropped::keys ? seed : reference::seed_of_map(seed, head.map);
                return reference::dropout(scores, allowed, t, dropped, rate, of_map, head.number, query);
            });
        return;
    case stick_breaking:
        setting.normalize =
            by_row([=, own_key = options.flag("own_key")](const Row& scores, const reference::Mask& allowed,
                                                          const Head&, std::size_t query) {
                return reference::stick_breaking(scores, allowed, t, own_key, query);
            });
        return;
    default:
        return add_of_maps(parts, setting);
    }
}

}  // namespace headlight
