#include "core/analysis/cost_growth.h"

#include "core/analysis/run_cost.h"
#include "core/tensor/error.h"

namespace headlight {
namespace {

/// At so many tokens, of a width that splits into eight heads of even width.
double counted_at(const AttentionSpec& spec, Index tokens) {
    constexpr Index width = 32;
    Inputs inputs;
    inputs.query = Tensor({tokens, width}, 0.5);
    if (spec.source.type == SourceType::cross)
        inputs.key = inputs.query;
    return run_cost(plan(spec, inputs)).multiply_adds;
}

}  // namespace

CostGrowth cost_growth(const Mechanism& mechanism) {
    constexpr Index tokens = 32;
    constexpr double noticeable = 0.02;
    try {
        const AttentionSpec spec = build_spec(mechanism, {});
        const double once = counted_at(spec, tokens), twice = counted_at(spec, 2 * tokens),
                     four_times = counted_at(spec, 4 * tokens);
        // 0 for a + b n, whatever a and b are.
        const double bend = four_times - 3 * twice + 2 * once;
        return bend < noticeable * four_times ? CostGrowth::linear : CostGrowth::beyond_linear;
    } catch (const Error&) {
        return CostGrowth::beyond_linear;  // it does not run on such tokens
    }
}

}  // namespace headlight
