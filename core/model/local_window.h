#pragma once

#include "core/attention/selections/window_shape.h"
#include "core/attention/spec.h"

namespace headlight {

/// The keys around one place that a decoder may look at: local attention (Luong et al. 2015, section 3.2).
struct LocalWindow {
    enum class Kind {
        none,       ///< every key
        monotonic,  ///< around the query's own place: source and target run in step (local-m)
        predicted,  ///< around S sigmoid(v_p . tanh(q W_p)), S the length of the source; the weights are then
                    ///< multiplied by a Gaussian around that place (local-p, equations 9 and 10)
    };
    Kind kind = Kind::none;
    Index radius = 2;  ///< D: the window is [p - D, p + D]; the paper has 10

    /// Half the window, as the paper has it.
    double sigma() const { return standard_sigma(static_cast<double>(radius)); }
    /// The same in the engine's words.
    void describe(AttentionSpec& spec) const;
    bool operator==(const LocalWindow&) const = default;
};

}  // namespace headlight
