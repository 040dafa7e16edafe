#pragma once

#include "app/cli/arguments.h"
#include "core/io/figure_source.h"

namespace headlight {

/// Throws UsageError for an option of some views that none of those that are drawn reads: passed over in
/// silence, it would seem to apply.
void refuse_unread_options(const Arguments& arguments, const FigureSource& source,
                           const ViewSettings& settings);

}  // namespace headlight
