#include "core/workbench/nothing_left_out.h"

#include "core/tensor/counted.h"

#include <algorithm>
#include <variant>

namespace headlight {
namespace {

constexpr Index most_told_tokens = 64;

/// All pairs, or all that a causal mask allows.
bool is_whole(const AllowedPairs& allowed) {
    if (allowed.all_allowed())
        return true;
    if (!allowed.is_prefix())
        return false;
    for (Index query = 0; query < allowed.queries(); ++query)
        if (allowed.end(query) != std::min(query + 1, allowed.keys()))
            return false;
    return true;
}

/// Every pair that the mask allows has a weight in every head.
bool has_all_weights(const Plan& plan, const Trace& trace) {
    const Stage* weights = trace.find("weights");
    if (!weights || weights->is_lazy || weights->size() != plan.heads * plan.queries * plan.keys)
        return false;
    for (Index head = 0; head < plan.heads; ++head) {
        const auto map = trace.matrix(*weights, head);
        for (Index pair = 0; pair < std::ssize(map); ++pair)
            if (map[static_cast<std::size_t>(pair)] == 0 &&
                plan.allowed.allowed(pair / plan.keys, pair % plan.keys))
                return false;
    }
    return true;
}

}  // namespace

std::string nothing_left_out_note(const Plan& plan, const Trace& trace) {
    const bool selects = plan.spec.selection.type != SelectionType::none;
    const bool is_pattern = std::holds_alternative<PatternMask>(plan.spec.mask.rule);
    if ((!selects && !is_pattern) || plan.queries > most_told_tokens || plan.keys > most_told_tokens)
        return {};
    if (!is_whole(plan.allowed) || (selects && !has_all_weights(plan, trace)))
        return {};
    return "Nothing is left out of " +
           (plan.keys == 1 ? "one token" : "these " + counted(plan.keys, "token")) +
           ": a longer text shows what would be";
}

}  // namespace headlight
