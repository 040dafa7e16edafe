#include "core/attention/position.h"

#include "core/attention/component.h"
#include "core/attention/rotation.h"

namespace headlight {

Tensor sinusoidal_positions(Index tokens, Index width) {
    Tensor term({tokens, width});
    fill_sinusoids(0, term.view());
    return term;
}

bool adds_to_tokens(const AttentionSpec& spec) {
    return uses_position(spec, PositionType::sinusoidal) ||
           position_with(spec, &PositionComponent::token_term) || term_is_of_tokens(spec);
}

bool term_is_of_tokens(const AttentionSpec& spec) {
    return position_with(spec, &PositionComponent::define_term_of_tokens);
}

bool values_are_unplaced(const Plan& plan) { return plan.inputs.value && term_is_of_tokens(plan.spec); }

Tensor token_term(const Plan& plan, Index tokens, Index width) {
    const PositionComponent* component = position_with(plan.spec, &PositionComponent::token_term);
    return component ? component->token_term(plan, tokens, width) : sinusoidal_positions(tokens, width);
}

}  // namespace headlight
