#include "core/attention/position.h"

#include "core/attention/component.h"
#include "core/attention/rotation.h"
#include "core/tensor/interruption.h"

namespace headlight {

Tensor sinusoidal_positions(Index tokens, Index width) {
    Tensor term({tokens, width});
    for (Index token = 0; token < tokens; ++token) {
        Interruption::check();
        for (Index column = 0; column < width; ++column)
            term(token, column) = sinusoid(static_cast<double>(token), column, width);
    }
    return term;
}

bool adds_to_tokens(const AttentionSpec& spec) {
    const PositionComponent* component = component_of(spec.position.type);
    return spec.position.type == PositionType::sinusoidal ||
           (component && (component->token_term || component->define_term_of_tokens));
}

bool term_is_of_tokens(const AttentionSpec& spec) {
    const PositionComponent* component = component_of(spec.position.type);
    return component && component->define_term_of_tokens;
}

bool values_are_unplaced(const Plan& plan) { return plan.inputs.value && term_is_of_tokens(plan.spec); }

Tensor token_term(const Plan& plan, Index tokens, Index width) {
    const PositionComponent* component = component_of(plan.spec.position.type);
    return component ? component->token_term(plan, tokens, width) : sinusoidal_positions(tokens, width);
}

}  // namespace headlight
