#include "ui/render/panel_shape.h"

#include <algorithm>

namespace headlight {
namespace {

bool counts_features(const Panel& panel) {
    return panel.row_axis.labels.empty() || panel.column_axis.labels.empty();
}

}  // namespace

bool is_lines(const Panel& panel) { return panel.kind == Panel::Kind::lines; }

double shape_of(const Panel& panel) {
    if (is_lines(panel))
        return 0.9 * panel.weight;
    if (panel.overlay) {
        const Picture& picture = *panel.overlay->picture;
        return std::clamp(static_cast<double>(picture.width) / static_cast<double>(picture.height), 0.2, 5.0);
    }
    const double ratio =
        static_cast<double>(panel.columns) / static_cast<double>(std::max<Index>(1, panel.rows));
    const bool loose = counts_features(panel);
    return panel.weight * std::clamp(ratio, loose ? 0.55 : 0.4, loose ? 1.35 : 2.6);
}

double natural_cells(const Panel& panel) {
    if (panel.overlay)  // the image, in however many patches it is cut
        return 14 / std::max(1.0, shape_of(panel));
    const double rows =
        static_cast<double>(is_lines(panel) ? std::max(panel.rows, panel.columns) : panel.rows);
    return std::clamp(rows <= 10 ? rows : 10 + 0.3 * (rows - 10), 3.0, 22.0);
}

}  // namespace headlight
