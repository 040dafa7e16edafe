#pragma once

#include "core/analysis/head_overview.h"
#include "core/figure/figure.h"
#include "core/io/session.h"
#include "core/workbench/run_session.h"

#include <memory>
#include <optional>

namespace headlight {

/// The picture of a run under view settings. Any thread may ask. Throws Error when the run has no such
/// picture.
Figure build_run_figure(const Run& run, const ViewSettings& settings,
                        const std::shared_ptr<const HeadOverview>& overview = {});

/// A picture as it leaves the window: drawn and looked at as `shown` says, but in `theme`, and carrying the
/// session that made the run with the size that it is exported in. Of one view, or without one of the panels
/// of `shown`.
std::shared_ptr<const Figure> build_exported_figure(const Run& run, const Session& shown,
                                                    std::optional<ViewKind> view, FigureTheme theme,
                                                    const std::optional<ExportOptions>& size = {});

}  // namespace headlight
