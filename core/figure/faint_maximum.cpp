#include "core/figure/faint_maximum.h"

#include <algorithm>

namespace headlight {
namespace {

/// The lowest part of a colour map, which can hardly be told from nothing.
constexpr double faint = 0.15;

bool is_of_unit(const ColourScale& scale) {
    return scale.kind == ScaleKind::linear && scale.low == 0 && scale.high == 1;
}

}  // namespace

std::optional<double> faint_maximum(const Figure& figure) {
    const auto focus = std::ranges::find_if(
        figure.panels, [](const Panel& panel) { return panel.in_focus && !panel.thumbnail; });
    double largest = 0;
    for (const Panel& panel : figure.panels) {
        // Beside the stage in focus stands what it is computed from.
        const bool matters = focus == figure.panels.end() || panel.stage == focus->stage;
        if (panel.thumbnail || panel.flow || !matters || !is_of_unit(panel.scale))
            continue;
        for (const double value : panel.values) {
            if (value >= faint)
                return std::nullopt;
            largest = std::max(largest, value);
        }
    }
    return largest > 0 ? std::optional(largest) : std::nullopt;
}

}  // namespace headlight
