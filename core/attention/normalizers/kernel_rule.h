#pragma once

#include "core/attention/spec.h"
#include "core/kernels/kernels.h"

namespace headlight {

/// What the kernels do with a row of scores, for runs and for training alike: of a softmax, or of hard
/// attention.
inline kernels::NormalizeRule kernel_rule(const Normalizer& normalizer) {
    using Choice = kernels::NormalizeRule::Choice;
    const Choice one = normalizer.mode == HardMode::sample ? Choice::drawn : Choice::largest;
    return {normalizer.type == NormalizerType::softmax ? Choice::none : one, normalizer.temperature,
            normalizer.draws};
}

}  // namespace headlight
