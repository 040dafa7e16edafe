#pragma once

#include "core/attention/executor.h"

#include <memory>

namespace headlight {

/// record() of a plan, or, if it was made with Keeps::rows, record_lazy().
Trace record_as_planned(const std::shared_ptr<const Plan>& plan, const TraceOptions& options = {});

/// Runs in double as record() does and keeps what the rows of its maps follow from in place of the maps:
/// stages [head, query, key] are lazy, and computed again, bit for bit, where somebody looks at them. Memory
/// grows with the tokens, not with their pairs. For plans made with Keeps::rows whose spec has_lazy_rows().
/// Stages with a number for each pair that do not come about row by row are named in Trace::omitted.
Trace record_lazy(const std::shared_ptr<const Plan>& plan, const TraceOptions& options = {});

}  // namespace headlight
