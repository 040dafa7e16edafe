#pragma once

#include "core/attention/interruption.h"
#include "core/attention/trace.h"

#include <algorithm>

namespace headlight {

/// Where a component records its stages; false when the run is not recorded. Rows and heads write to places
/// of their own, so that no lock is needed.
class Recorder {
public:
    Recorder() = default;
    explicit Recorder(Trace& trace) : trace_(&trace) {}

    explicit operator bool() const { return trace_ != nullptr; }

    /// The whole stage; empty when the trace does not have it.
    std::span<double> stage(std::string_view name) const {
        const Stage* found = trace_ ? trace_->find(name) : nullptr;
        return found ? trace_->values(*found) : std::span<double>();
    }

    /// `size` numbers into a stage from element `offset` on; nothing when the trace does not have the stage.
    template <class Real>
    void write(std::string_view name, Index offset, const Real* values, Index size) const {
        constexpr Index part = 1 << 16;
        const std::span<double> to = stage(name);
        for (Index first = 0; first < size && !to.empty(); first += part) {
            Interruption::check();
            for (Index i = first; i < std::min(size, first + part); ++i)
                to[static_cast<std::size_t>(offset + i)] = static_cast<double>(values[i]);
        }
    }

private:
    Trace* trace_ = nullptr;
};

}  // namespace headlight
