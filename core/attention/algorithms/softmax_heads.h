#pragma once

#include "core/attention/component.h"
#include "core/attention/defined_algorithms.h"

namespace headlight {

// Softmax attention of each head, which these mechanisms begin with or have in the middle.

/// Assigns `scores` and, their softmax over the keys that the mask leaves, `weights`.
inline Expression write_softmax_of_products(Composer& composer) {
    return softmax_of_open(composer, "weights", write_scaled_products(composer));
}

/// Assigns what each head attends to by it, `attended`.
inline Expression write_attended_by_softmax(Composer& composer) {
    const Expression weights = write_softmax_of_products(composer);
    return composer.let("attended", product(weights, composer.value), "the values that each query gets");
}

/// The stage of `context` that `operation` makes of `attended` and of `other`.
inline DeclaredStage declared_changed_context(const std::string& subtitle, const StageOperand& other,
                                              const std::string& operation) {
    return declared_own_context_stage({subtitle, {{"attended"}, other}, operation});
}

}  // namespace headlight
