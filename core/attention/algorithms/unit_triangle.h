#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {

// Causal softmax attention to values that are changed first: from each value something of those before it is
// taken, as they were left by the same rule. With L, 0 from the diagonal on, for how much is taken of which,
// the changed values U = V − L U are (I + L)⁻¹ V, and the map of the whole is R (I + L)⁻¹, R being the map
// that reads them. I + L is given as a system [h, n, n] with ones on its diagonal and no number above 1 in
// size: its elimination then goes forward, row by row, and leaves zeros above the diagonal exactly 0.

/// 1 on the diagonal, [n, n], n being the tokens or all their writes.
inline Expression unit_diagonal(Composer& composer, Index per_token = 1) {
    return as_number(pairs_with_itself(composer, per_token));
}

/// `scores` of the pairs that `holds` and the mask let meet, and minus infinity for others.
inline Expression scores_where(Composer& composer, const Expression& holds, const Expression& scores) {
    return composer.open_or_forbidden(choose(holds, scores, minus_infinity()));
}

/// Returns the causal softmax of the scores, as `read_weights`.
inline Expression write_read_weights(Composer& composer, const Expression& scores) {
    return softmax_of(composer, "read_weights", scores_where(composer, pairs_not_later(composer), scores));
}

/// Assigns what the inverse [h, n, n] makes of the values, `weights` and `context`, which is returned.
inline Expression write_inverse_of_values(Composer& composer, const Expression& read,
                                          const Expression& inverse, const Expression& values) {
    const Expression solved =
        composer.let("solved_values", product(inverse, values), "values without those before");
    composer.let("weights", product(read, inverse), "what each query gets of each value as it was");
    return composer.let("context", product(read, solved), "the changed values that each query gets");
}

/// Assigns the values that solve the system, `weights` and `context`, which is returned.
inline Expression write_solved_values(Composer& composer, const Expression& read, const Expression& system) {
    const Expression inverse =
        composer.let("inverse", inverse_of(system), "what each changed value has of each value");
    return write_inverse_of_values(composer, read, inverse, composer.value);
}

/// The stages of write_inverse_of_values(): which ones it is given, and what the changed values are.
inline std::vector<DeclaredStage> declared_inverse_of_values(const std::string& read,
                                                             const std::string& inverse,
                                                             const std::string& values,
                                                             const std::string& subtitle) {
    return {made_stage("solved_values", "Changed values", {subtitle, {{inverse}, keys_of(values, "×")}, "="},
                       {.colours_of = "value", .lights = "output", .is_of_keys = true}),
            made_stage("weights", "Weights", {"of the values as they were", {{read}, {inverse, "×"}}, "="},
                       {.lights = "output", .role = StageRole::weights}),
            declared_own_context_stage({"", {{read}, keys_of("solved_values", "×")}, "="})};
}

/// Those of the functions above; `system` names the stages that the inverse is made from.
inline std::vector<DeclaredStage> declared_triangle_stages(const std::vector<StageOperand>& system,
                                                           const std::string& operation) {
    std::vector<DeclaredStage> stages{
        declared_scores_stage(),
        made_stage("read_weights", "Reading weights",
                   {"causal softmax of the scores", {{"scores"}}, "causal\nsoftmax\n→"},
                   {.lights = "weights", .is_share = true}),
        made_stage("inverse", "Inverse of the system",
                   {"what each changed value has of each value", system, operation}, {.lights = "weights"})};
    append(stages, declared_inverse_of_values("read_weights", "inverse", "value",
                                              "values without what those before them hold"));
    return stages;
}

constexpr const char* why_one_sequence = "from each value those of the tokens before it are taken";

}  // namespace headlight
