#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"
#include "core/attention/positions/pair_places.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <cstdlib>

namespace headlight {

// A short filter along the values of neighbouring tokens, beside a map of low rank: what that cannot tell
// apart lies next to each other. One filter for each head, the same for all its features.

inline Index value_filter_size(const Plan& plan) { return plan.algorithm().count("convolution"); }

/// Whether the context is more than the weights times the values.
inline bool filters_values(const AttentionSpec& spec) {
    return spec.algorithm.options.count("convolution") > 0;
}

inline Option value_convolution_option() {
    return count_option("convolution", "Filter of the values", 0, {0, 63},
                        "How many neighbouring values, its own in their middle, a learned filter adds to "
                        "each context; odd. Of keys that the mask hides nothing is added.",
                        "none");
}

inline KnownParameter value_filter_name() {
    return {"value_filter", "[h, convolution]",
            "what each head adds of the values of neighbours, from the first before the token to the last "
            "behind it"};
}

inline DeclaredStage declared_value_filters() {
    return made_stage("value_filters", "Filter of the values", {"what each token adds of each value"},
                      {.lights = "output", .role = StageRole::weights, .leaves_out_masked = true});
}

inline void add_value_filter(const Plan& plan, ParameterList& list) {
    if (value_filter_size(plan) > 0)
        list.add("value_filter", {plan.heads, value_filter_size(plan)});
}

inline void check_value_filter(const Plan& plan, const std::string& algorithm) {
    const Index size = value_filter_size(plan);
    if (size == 0)
        return;
    require_one_sequence(plan, algorithm, "the filter lies along the values of neighbouring tokens");
    if (size % 2 == 0)
        throw Error({algorithm, "algorithm/convolution", "0 or an odd number, with the token in the middle",
                     std::to_string(size)});
}

/// `mixed` [h, n, d_v] with what the filter makes of the values of neighbours that the mask lets be seen.
inline Expression with_filtered_values(Composer& composer, const Expression& mixed) {
    const Index size = value_filter_size(composer.plan), n = composer.plan.queries;
    if (size == 0)
        return mixed;
    const Expression is_near = composer.pairs_where(
        "is_under_filter", "neighbours that the filter reaches and the mask lets be seen",
        [size](Index query, Index key) { return std::abs(query - key) <= size / 2; });
    const Expression of_pairs =
        from_row(composer.matrices_of_heads("value_filter"), n, n,
                 [=](Index i, Index j) { return std::clamp<Index>(j - i + size / 2, 0, size - 1); });
    const Expression filter =
        composer.let("value_filters", choose(is_near, of_pairs, 0), "what each token adds of each value");
    return mixed + product(filter, composer.value);
}

}  // namespace headlight
