#pragma once

#include "core/attention/trace.h"
#include "core/tensor/interruption.h"

#include <algorithm>

namespace headlight {

/// Where a component records its stages; false when the run is not recorded. Rows and heads write to places
/// of their own, so that no lock is needed.
class Recorder {
public:
    Recorder() = default;
    explicit Recorder(Trace& trace) : trace_(&trace) {}
    /// Records of one stage alone the elements from `first` on, as many as `to` has room for.
    Recorder(std::string_view name, std::span<double> to, Index first)
        : part_(to), name_of_part_(name), first_(first) {}

    explicit operator bool() const { return trace_ != nullptr || !part_.empty(); }

    /// Whether anybody wants numbers of the stage.
    bool wants(std::string_view name) const {
        return !stage(name).empty() || (!part_.empty() && name == name_of_part_);
    }

    /// The whole stage; empty when the trace does not have its numbers.
    std::span<double> stage(std::string_view name) const {
        const Stage* found = trace_ ? trace_->find(name) : nullptr;
        return found && !found->is_lazy ? trace_->values(*found) : std::span<double>();
    }

    /// `size` numbers into a stage from element `offset` on; nothing when the trace does not have the stage.
    template <class Real>
    void write(std::string_view name, Index offset, const Real* values, Index size) const {
        constexpr Index part = 1 << 16;
        const bool is_part = !part_.empty() && name == name_of_part_;
        const std::span<double> to = is_part ? part_ : stage(name);
        offset -= is_part ? first_ : 0;
        if (is_part && (offset < 0 || offset + size > std::ssize(part_)))
            return;  // of other rows
        for (Index first = 0; first < size && !to.empty(); first += part) {
            Interruption::check();
            for (Index i = first; i < std::min(size, first + part); ++i)
                to[static_cast<std::size_t>(offset + i)] = static_cast<double>(values[i]);
        }
    }

private:
    Trace* trace_ = nullptr;
    std::span<double> part_;
    std::string_view name_of_part_;
    Index first_ = 0;
};

}  // namespace headlight
