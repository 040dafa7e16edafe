#pragma once

#include "core/attention/trace.h"
#include "core/figure/figure.h"
#include "core/figure/view_settings.h"
#include "ui/views/zoom.h"

namespace headlight {

/// `figure`, of the view that `here` is in, with the row and the column of what is selected: that is a matter
/// of the window, exports do not carry it.
Figure with_selection(Figure figure, const Trace& trace, const ViewState& here);

/// The part that is wanted, where a panel of the figure has its size; else all.
Zoom zoom_of(const Figure& figure, const std::optional<ZoomedPart>& part);

}  // namespace headlight
