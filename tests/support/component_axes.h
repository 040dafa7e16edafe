#pragma once

#include "core/attention/component.h"

namespace headlight::test {

/// Calls visit(axis, components, part) for each axis whose components decide what a row of scores becomes:
/// its name, all of its components, and part(spec), where a spec has its choice.
template <class Visit>
void for_every_component_axis(const Visit& visit) {
    visit(
        "score", score_components(), [](AttentionSpec & spec) -> auto& { return spec.score; });
    visit(
        "position", position_components(), [](AttentionSpec & spec) -> auto& { return spec.position; });
    visit(
        "selection", selection_components(), [](AttentionSpec & spec) -> auto& { return spec.selection; });
    visit(
        "normalizer", normalizer_components(), [](AttentionSpec & spec) -> auto& { return spec.normalizer; });
    visit(
        "algorithm", algorithm_components(), [](AttentionSpec & spec) -> auto& { return spec.algorithm; });
}

}  // namespace headlight::test
