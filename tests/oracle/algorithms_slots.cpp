#include "core/attention/options.h"
#include "tests/oracle/head_numbers.h"
#include "tests/reference/capsules.h"
#include "tests/reference/energy_descent.h"
#include "tests/reference/learned_slots.h"
#include "tests/reference/merged_tokens.h"
#include "tests/reference/position.h"

#include <cmath>

namespace headlight {
namespace {

using reference::Head;
using reference::Matrix;

Matrix projected_to(const std::optional<reference::Linear>& projection, const Matrix& x) {
    return projection ? reference::project(x, *projection) : x;
}

/// The columns that the head reads of those of all heads of keys.
Matrix part_of_key_head(const OracleParts& parts, const Matrix& x, const Head& head) {
    return reference::columns_of_head(x, key_head_of(parts, head),
                                      static_cast<std::size_t>(parts.spec.heads.kv_count()));
}

void add_capsules(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [all = parts.parameters.matrix("W_votes"), types = count_option(parts, "types"),
                         rounds = count_option(parts, "rounds"),
                         heads = static_cast<std::size_t>(parts.spec.heads.count())](const Head& head) {
        std::vector<Matrix> of_parents;
        const std::size_t size = all.cols * all.cols;
        for (std::size_t type = 0; type < types; ++type) {
            const auto first =
                all.values.begin() + static_cast<std::ptrdiff_t>((type * heads + head.number) * size);
            of_parents.emplace_back(all.cols, all.cols,
                                    reference::Row(first, first + static_cast<std::ptrdiff_t>(size)));
        }
        return reference::capsules(head, of_parents, rounds);
    };
}

void add_token_parameters(const OracleParts& parts, reference::Setting& setting) {
    const auto tokens = [&](const std::string& side) -> reference::ParameterTokens {
        return {parts.parameters.matrix("K_of_" + side), parts.parameters.matrix("V_of_" + side)};
    };
    const reference::TokenParameters made{.of_queries = tokens("queries"),
                                          .of_keys = tokens("keys"),
                                          .of_values = tokens("values"),
                                          .is_normed_first =
                                              parts.spec.algorithm.options.word("order") == "norm_first",
                                          .weigh = reference::weighing_of(setting)};
    const Matrix values = setting.sinusoidal_position
                              ? reference::add_sinusoidal_position(setting.value_tokens)
                              : setting.value_tokens;
    setting.algorithm_of_all_heads = [=, is_one = parts.spec.source.type ==
                                                  SourceType::self](const std::vector<Head>& heads) {
        return reference::token_parameters(heads, is_one ? heads.front().y : values, made);
    };
}

void add_merged_sources(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm = [=, to_key = setting.to_key, to_value = setting.to_value,
                         values_are_keys = setting.values_are_keys](const Head& head) {
        const Matrix keys = projected_to(to_key, head.x);
        const Matrix values = values_are_keys ? keys : projected_to(to_value, head.x);
        return reference::merged_sources(head, part_of_key_head(parts, keys, head),
                                         part_of_key_head(parts, values, head));
    };
}

void add_dynamic_mask(const OracleParts& parts, reference::Setting& setting) {
    setting.algorithm_of_all_heads = [=](const std::vector<Head>& heads) {
        const auto key_heads = static_cast<std::size_t>(parts.spec.heads.kv_count());
        const std::size_t m = heads.front().v.rows, d = heads.front().v.cols;
        Matrix values(m, key_heads * d);
        for (const Head& head : heads)
            for (std::size_t j = 0; j < m; ++j)
                for (std::size_t c = 0; c < d; ++c)
                    values(j, key_head_of(parts, head) * d + c) = head.v(j, c);
        reference::DynamicMask mask;
        mask.steps = reference::project(values, {parts.parameters.matrix("W_value_step"), {}});
        mask.rates = parts.parameters.row("a_value_step");
        mask.kept = count_option(parts, "keep");
        std::vector<reference::HeadResult> results;
        for (const Head& head : heads) {
            mask.kv_head = key_head_of(parts, head);
            results.push_back(reference::dynamic_mask(head, mask));
        }
        return results;
    };
}

void add_energy_descent(const OracleParts& parts, reference::Setting& setting) {
    const Options& options = parts.spec.algorithm.options;
    reference::EnergyDescent energy;
    energy.ask = parts.parameters.matrix("W_ask");
    energy.tell = parts.parameters.matrix("W_tell");
    energy.patterns = parts.parameters.matrix("energy_patterns");
    energy.steps = count_option(parts, "steps");
    energy.rate = options.number("rate");
    energy.is_normed = options.flag("norm");
    setting.algorithm_of_all_heads = [=,
                                      beta = Number(options.number("beta"))](const std::vector<Head>& heads) {
        reference::EnergyDescent scaled = energy;
        scaled.beta = beta > 0 ? beta : 1 / std::sqrt(static_cast<Number>(heads.front().q.cols));
        return reference::energy_descent(heads, scaled);
    };
}

}  // namespace

void add_slot_algorithm_oracle(const OracleParts& parts, reference::Setting& setting) {
    switch (parts.spec.algorithm.type) {
    case AlgorithmType::product_keys: {
        const reference::ProductKeys memory{parts.parameters.matrix("K_left"),
                                            parts.parameters.matrix("K_right"),
                                            parts.parameters.matrix("V_slots"), count_option(parts, "read")};
        setting.algorithm = [=](const Head& head) { return reference::product_keys(head, memory); };
        return;
    }
    case AlgorithmType::capsules:
        return add_capsules(parts, setting);
    case AlgorithmType::token_parameters:
        return add_token_parameters(parts, setting);
    case AlgorithmType::merged_sources:
        return add_merged_sources(parts, setting);
    case AlgorithmType::dynamic_mask:
        return add_dynamic_mask(parts, setting);
    case AlgorithmType::expert_choice:
        setting.algorithm = [W = parts.parameters.matrix("W_choice"), count = count_option(parts, "chosen"),
                             first = parts.spec.algorithm.options.flag("first")](const Head& head) {
            reference::Row numbers;
            for (std::size_t token = 0; token < head.x.rows; ++token) {
                numbers.push_back(0);
                for (std::size_t f = 0; f < head.x.cols; ++f)
                    numbers.back() += head.x(token, f) * W(f, head.number);
            }
            return reference::expert_choice(head, numbers, count, first);
        };
        return;
    case AlgorithmType::energy_descent:
        return add_energy_descent(parts, setting);
    case AlgorithmType::token_merging:
        setting.algorithm_of_all_heads = [merged =
                                              count_option(parts, "merged")](const std::vector<Head>& heads) {
            return reference::token_merging(heads, merged);
        };
        return;
    default:
        return;
    }
}

}  // namespace headlight
