#pragma once

#include "core/figure/flow.h"

#include <QString>

#include <vector>

namespace headlight {

/// How wide the words of a flow are, in ems: measured once, whatever size they are tried in.
class FlowExtents {
public:
    FlowExtents(const Flow& flow, const QString& family);

    /// What a part is called as it is drawn: a token that is very long is cut.
    const QString& title(Index node) const { return titles_[static_cast<std::size_t>(node)]; }
    double title_width(Index node) const { return title_widths_[static_cast<std::size_t>(node)]; }
    double shape_width(Index node) const { return shape_widths_[static_cast<std::size_t>(node)]; }

private:
    std::vector<QString> titles_;
    std::vector<double> title_widths_, shape_widths_;
};

/// Before there is a font: width to height from left to right.
double flow_shape(const Flow& flow);

}  // namespace headlight
