#include "core/attention/spec.h"

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// Whether the rule allows every pair whatever the number of queries and keys.
struct AllowsAll {
    bool operator()(const NoMask&) const { return true; }
    bool operator()(const CausalMask&) const { return false; }
    bool operator()(const PaddingMask& padding) const { return !padding.key_lengths; }
    bool operator()(const MatrixMask& matrix) const {
        return std::ranges::all_of(matrix.allowed, [](const auto& row) {
            return std::ranges::all_of(row, [](bool cell) { return cell; });
        });
    }
    bool operator()(const PatternMask&) const { return false; }
    bool operator()(const AllOf& all) const {
        return std::ranges::all_of(all.masks, [](const Mask& mask) { return !is_masked(mask); });
    }
    bool operator()(const AnyOf& any) const {
        return std::ranges::any_of(any.masks, [](const Mask& mask) { return !is_masked(mask); });
    }
    bool operator()(const Not&) const { return false; }
};

}  // namespace

bool is_masked(const Mask& mask) { return !std::visit(AllowsAll{}, mask.rule); }

Mask joined_masks(Mask first, Mask second) {
    if (!is_masked(first))
        return second;
    if (!is_masked(second))
        return first;
    return {AllOf{{std::move(first), std::move(second)}}};
}

}  // namespace headlight
