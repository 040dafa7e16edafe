#include "core/attention/options.h"
#include "tests/oracle/oracle_parts.h"
#include "tests/reference/gated_heads.h"
#include "tests/reference/linear_mixers.h"
#include "tests/reference/mixed_heads.h"

#include <cmath>
#include <numeric>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;
using reference::Row;
using AllHeads = std::vector<Head>;

std::size_t kv_heads_of(const OracleParts& parts) {
    return static_cast<std::size_t>(parts.spec.heads.kv_count());
}

void add_tensor_product(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const bool is_fixed = options.word("factors") == "fixed",
               mixes_queries = options.flag("factored_queries");
    setting.algorithm_of_all_heads = [=, kv_heads = kv_heads_of(parts)](const AllHeads& heads) {
        const auto factors = [&](const std::string& letter, const Matrix& tokens) {
            if (is_fixed) {
                const Row all = parts.parameters.row("A_" + letter);
                return Matrix(1, all.size(), all);
            }
            return reference::project(tokens, {parts.parameters.matrix("W_factors_" + letter), {}});
        };
        const Head& first = heads.front();
        return reference::tensor_product(heads, {mixes_queries ? factors("q", first.x) : Matrix(),
                                                 factors("k", first.y), factors("v", first.y), kv_heads});
    };
}

/// The second queries are turned by their places, as the first ones were. With noise of a group several heads
/// read the columns of one.
void add_differential_2(const OracleParts& parts, reference::Setting& setting) {
    const bool is_shared = parts.spec.algorithm.options.word("noise") == "group";
    const std::size_t readers = is_shared ? setting.heads / kv_heads_of(parts) : 1;
    setting.algorithm = [changes = setting.change_vector, heads = setting.heads, readers,
                         weigh = reference::weighing_of(setting),
                         W = parts.parameters.matrix("W_second_query"),
                         W_share = parts.parameters.matrix("W_second_share")](const Head& head) {
        Matrix second = reference::columns_of_head(reference::project(head.x, {W, {}}), head.number / readers,
                                                   heads / readers);
        const Matrix shares = reference::project(head.x, {W_share, {}});
        Row of_head;
        for (std::size_t t = 0; t < second.rows; ++t) {
            of_head.push_back(reference::sigmoid(shares(t, head.number)));
            Row query = second.row(t);
            for (const auto& change : changes)
                query = change(query, false, head.number, t);
            for (std::size_t c = 0; c < second.cols; ++c)
                second(t, c) = query[c];
        }
        return reference::differential_2(head, second, of_head, weigh);
    };
}

void add_head_mixture(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    setting.algorithm_of_all_heads =
        [mixture = reference::HeadMixture{
             parts.parameters.matrix("W_routed"), parts.parameters.matrix("W_shared"),
             parts.parameters.matrix("W_kinds"), static_cast<std::size_t>(options.count("active")),
             options.flag("renormalized")}](const AllHeads& heads) {
            reference::HeadMixture fitting = mixture;
            fitting.active = std::min(fitting.active, fitting.routed.cols);
            return reference::head_mixture(heads, fitting);
        };
}

std::size_t count_of_heads(const Options& options, const std::string& name) {
    return static_cast<std::size_t>(options.count(name));
}
std::size_t setting_heads(const OracleParts& parts) {
    return static_cast<std::size_t>(parts.spec.heads.count());
}

/// (1 − λ) g c / √(mean c² + 10⁻⁵) of each row c that a head finds (Golovneva et al. 2025).
void add_head_norm(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const auto layer = static_cast<Number>(options.count("layer"));
    const Number factor =
        options.flag("depth") ? Number(0.2) + Number(0.6) * std::exp(Number(-0.3) * layer) : 1;
    setting.change_context = [factor, gain = parts.parameters.row("g_found")](Matrix context) {
        for (std::size_t i = 0; i < context.rows; ++i) {
            Number squares = 0;
            for (std::size_t c = 0; c < context.cols; ++c)
                squares += context(i, c) * context(i, c) / static_cast<Number>(context.cols);
            for (std::size_t c = 0; c < context.cols; ++c)
                context(i, c) *= factor * gain[c] / std::sqrt(squares + Number(1e-5));
        }
        return context;
    };
}

void add_head_scale(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    Row factors = parts.parameters.row("s_head");
    if (options.word("gates") == "l0") {
        factors = parts.parameters.row("a_head");
        for (std::size_t head = 0; head < factors.size(); ++head)
            factors[head] = options.flag("drawn")
                                ? reference::drawn_hard_concrete(
                                      factors[head], options.number("concrete_temperature"), parts.seed, head)
                                : reference::hard_concrete(factors[head]);
    }
    const Row gain = options.flag("normed_values") ? parts.parameters.row("g_value") : Row();
    setting.algorithm_of_all_heads = [=, rate = options.number("dropped"), seed = parts.seed,
                                      kv_heads = kv_heads_of(parts)](AllHeads heads) {
        for (Head& head : heads)
            if (const std::size_t width = head.v.cols; !gain.empty()) {
                const std::size_t first = head.number / (heads.size() / kv_heads) * width;
                const auto begin = gain.begin() + static_cast<std::ptrdiff_t>(first);
                head.v = reference::over_root_mean_square(
                    head.v, Row(begin, begin + static_cast<std::ptrdiff_t>(width)));
            }
        return reference::head_scale(heads, factors, rate, seed);
    };
}

void add_output_gate(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const auto& reads = options.word("reads");
    const auto matrices = [&](const std::string& of) -> std::vector<Matrix> {
        if (options.count("rank") == 0)
            return {parts.parameters.matrix("W_open_" + of)};
        return {parts.parameters.matrix("D_open_" + of), parts.parameters.matrix("U_open_" + of)};
    };
    reference::OutputGate gate{.b = parts.parameters.row("b_open"),
                               .is_silu = options.word("function") == "silu"};
    if (reads != "output")
        gate.of_token = matrices("x");
    if (reads != "token")
        gate.of_output = matrices("o");
    setting.algorithm_of_all_heads = [gate](const AllHeads& heads) {
        return reference::output_gate(heads, gate);
    };
}

void add_grouped_latents(const OracleParts& parts, reference::Setting& setting) {
    const Index groups = parts.spec.algorithm.options.count("groups");
    const auto given = [&](const char* name) { return parts.parameters.matrix(name); };
    setting.algorithm_of_all_heads =
        [latents = reference::GroupedLatents{.tied = given("W_tied"),
                                             .compress = given("W_group_latent"),
                                             .key = given("W_group_key"),
                                             .value = given("W_group_value"),
                                             .gain = parts.parameters.row("g_group_latent"),
                                             .shared_key = given("W_shared_key"),
                                             .shared_value = given("W_shared_value"),
                                             .narrow = given("D_query"),
                                             .widen = given("U_query"),
                                             .rotary = given("W_group_rotary"),
                                             .groups = static_cast<std::size_t>(
                                                 std::gcd(groups, parts.spec.heads.count()))}](
            const AllHeads& heads) { return reference::grouped_latents(heads, latents); };
}

void add_dynamically_composed(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    const auto side = [&](const std::string& site) -> reference::MixingSide {
        return {parts.parameters.matrix("W_hidden_" + site), parts.parameters.matrix("W_mixing_" + site),
                parts.parameters.matrix("W_own_" + site)};
    };
    setting.algorithm_of_all_heads =
        [composition = reference::DynamicComposition{side("scores_q"), side("scores_k"), side("weights_q"),
                                                     side("weights_k"), options.word("sides") == "both",
                                                     static_cast<std::size_t>(options.count("rank"))}](
            const AllHeads& heads) { return reference::dynamically_composed(heads, composition); };
}

}  // namespace

void add_mixed_head_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::tensor_product:
        return add_tensor_product(parts, setting);
    case AlgorithmType::differential_2:
        return add_differential_2(parts, setting);
    case AlgorithmType::head_mixture:
        return add_head_mixture(parts, setting);
    case AlgorithmType::head_scale:
        return add_head_scale(parts, setting);
    case AlgorithmType::head_norm:
        return add_head_norm(parts, setting);
    case AlgorithmType::output_gate:
        return add_output_gate(parts, setting);
    case AlgorithmType::switch_head:
        setting.algorithm = [=](const Head& head) {
            reference::SwitchHead mixture{.value_router = parts.parameters.matrix("W_value_router"),
                                          .output_router = parts.parameters.matrix("W_output_router")};
            mixture.experts = mixture.value_router.cols / setting_heads(parts);
            mixture.active = std::min(count_of_heads(options, "active"), mixture.experts);
            return reference::switch_head(head, mixture);
        };
        return;
    case AlgorithmType::grouped_latents:
        return add_grouped_latents(parts, setting);
    case AlgorithmType::grouped_output:
        setting.to_output.reset();
        setting.change_output = [A = parts.parameters.matrix("A_output"),
                                 B = parts.parameters.matrix("B_output")](const Matrix&,
                                                                          const Matrix& found) {
            return reference::grouped_output(found, A, B, B.rows / A.cols);
        };
        return;
    case AlgorithmType::compositional:
        setting.algorithm_of_all_heads =
            [compositional = reference::Compositional{parts.parameters.matrix("W_retrieval_query"),
                                                      parts.parameters.matrix("W_retrieval_key"),
                                                      kv_heads_of(parts)}](const AllHeads& heads) {
                return reference::compositional(heads, compositional);
            };
        return;
    case AlgorithmType::collaborative:
        setting.algorithm_of_all_heads = [M = parts.parameters.matrix("M_heads")](const AllHeads& heads) {
            return reference::collaborative(heads, M);
        };
        return;
    case AlgorithmType::interleaved_heads:
        setting.algorithm_of_all_heads =
            [interleaved = reference::InterleavedHeads{
                 parts.parameters.matrix("M_pseudo_query"), parts.parameters.matrix("M_pseudo_key"),
                 parts.parameters.matrix("M_pseudo_value"), parts.parameters.matrix("R_collapse"),
                 options.flag("strict"),
                 options.flag("rotary") ? Number(options.number("base")) : 0}](const AllHeads& heads) {
                return reference::interleaved_heads(heads, interleaved);
            };
        return;
    case AlgorithmType::area:
        setting.algorithm = [widest = static_cast<std::size_t>(options.count("widest")),
                             are_means = options.word("values") == "mean"](const Head& head) {
            return reference::area(head, widest, are_means);
        };
        return;
    case AlgorithmType::dynamically_composed:
        return add_dynamically_composed(parts, setting);
    case AlgorithmType::simplicial:
        setting.algorithm = [kv_heads = kv_heads_of(parts), heads = setting.heads,
                             window = static_cast<std::size_t>(options.count("window")),
                             W_key = parts.parameters.matrix("W_second_key"),
                             W_value = parts.parameters.matrix("W_second_value")](const Head& head) {
            const auto of_head = [&](const Matrix& W) {
                return reference::columns_of_head(reference::project(head.y, {W, {}}),
                                                  head.number / (heads / kv_heads), kv_heads);
            };
            return reference::simplicial(head, of_head(W_key), of_head(W_value), window);
        };
        return;
    default:
        return;
    }
}

}  // namespace headlight
