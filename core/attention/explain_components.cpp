// What components say of the stages that they record.
#include "core/attention/component.h"
#include "core/attention/explained_cell.h"
#include "core/attention/line_in_symbols.h"

namespace headlight {
bool explain_by_component(ExplainedCell& cell) {
    const AttentionSpec& spec = cell.plan.spec;
    const std::string& stage = cell.stage.name;
    const auto add = [&](const auto* component) {
        if (!records(component, cell.plan, stage))
            return false;
        cell.add(stage, in_words(stage), text_of(component, cell, stage, component->meaning), cell.asked());
        return true;
    };
    const AlgorithmComponent* algorithm = component_of(spec.algorithm.type);
    if (!is_composed(spec)) {
        if (stage != "weights" && stage != "context")
            return add(component_of(spec.position.type)) || add(component_of(spec.position.second)) ||
                   add(component_of(spec.selection.type)) || add(component_of(spec.normalizer.type)) ||
                   add(algorithm);
        const Arithmetic otherwise = stage == "context"
                                         ? cell.weighted("weights", "value", cell.plan.kv_head(cell.head))
                                         : algorithm->meaning;
        cell.add(stage, stage == "weights" ? "weight" : stage, text_of(algorithm, cell, stage, otherwise),
                 cell.asked());
        return true;
    }
    return add(component_of(spec.score.type)) || add(component_of(spec.position.type)) ||
           add(component_of(spec.position.second)) || add(component_of(spec.selection.type)) ||
           add(component_of(spec.normalizer.type)) || add(algorithm);
}

}  // namespace headlight
