#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {
namespace {

Expression define_louder(Composer& composer, const Expression& attended) {
    return attended * (1 + composer.parameter_of_heads("s_louder"));
}

}  // namespace

AlgorithmComponent declare_algorithms_louder() {
    AlgorithmComponent component;
    component.meaning = "c (1 + s), s a learned number of each head: what a head finds, louder";
    component.known_parameters = {{"s_louder", "[h]", "by how much louder each head is"}};
    component.parameters = [](const Plan& plan, ParameterList& list) {
        list.add("s_louder", {plan.heads}, 0.5);
    };
    component.is_composed = true;
    component.takes_any_mask = true;
    component.changes_context = [](const AttentionSpec&) { return true; };
    component.declared_stages = {declared_attended_stage(),
                                 made_stage("context", "Context", {"louder", {{"attended"}}, "× (1 + s)\n→"},
                                            {.colours_of = "value", .lights = "output"})};
    component.define_context = define_louder;
    return component;
}

}  // namespace headlight
