#include "core/io/grid_columns.h"

#include "core/attention/component.h"
#include "core/attention/grid.h"

#include <algorithm>

namespace headlight {
namespace {

void set_columns(auto type, Options& options, Index columns) {
    const auto* component = component_of(type);
    if (component && std::ranges::any_of(component->options, is_grid_columns, &Option::name))
        options[columns_option().name] = columns;
}

/// A score, pattern, selection, normaliser or algorithm.
template <class Part>
void set_columns(Part& part, Index columns) {
    set_columns(part.type, part.options, columns);
}

}  // namespace

bool is_grid_columns(const std::string& option) { return option == columns_option().name; }

void set_grid_columns(Mask& mask, Index columns) {
    const auto in_all = [columns](std::vector<Mask>& masks) {
        for (Mask& each : masks)
            set_grid_columns(each, columns);
    };
    if (auto* pattern = std::get_if<PatternMask>(&mask.rule))
        set_columns(*pattern, columns);
    else if (auto* all = std::get_if<AllOf>(&mask.rule))
        in_all(all->masks);
    else if (auto* any = std::get_if<AnyOf>(&mask.rule))
        in_all(any->masks);
    else if (auto* inverted = std::get_if<Not>(&mask.rule))
        in_all(inverted->mask);
}

void set_grid_columns(AttentionSpec& spec, Index columns) {
    set_columns(spec.score, columns);
    for (const PositionType position : {spec.position.type, spec.position.second})
        set_columns(position, spec.position.options, columns);
    set_grid_columns(spec.mask, columns);
    set_columns(spec.selection, columns);
    set_columns(spec.normalizer, columns);
    set_columns(spec.algorithm, columns);
}

}  // namespace headlight
