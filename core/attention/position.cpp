#include "core/attention/position.h"
#include "core/attention/interruption.h"

#include "core/attention/component.h"

#include <cmath>

namespace headlight {

Tensor sinusoidal_positions(Index tokens, Index width) {
    Tensor term({tokens, width});
    for (Index column = 0; column < width; ++column) {
        Interruption::check();
        const auto pair_start = static_cast<double>(column - column % 2);
        const double wavelength = std::pow(10000.0, pair_start / static_cast<double>(width));
        for (Index token = 0; token < tokens; ++token) {
            const double angle = static_cast<double>(token) / wavelength;
            term(token, column) = column % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    }
    return term;
}

bool adds_to_tokens(const AttentionSpec& spec) {
    const PositionComponent* component = component_of(spec.position.type);
    return spec.position.type == PositionType::sinusoidal || (component && component->token_term);
}

Tensor token_term(const Plan& plan, Index tokens, Index width) {
    const PositionComponent* component = component_of(plan.spec.position.type);
    return component ? component->token_term(plan, tokens, width) : sinusoidal_positions(tokens, width);
}

}  // namespace headlight
