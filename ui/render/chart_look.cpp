#include "ui/render/chart.h"

#include <QPalette>

#include <array>

namespace headlight {
namespace {

// Okabe and Ito's colours, told apart with every kind of colour vision; the light ones darker on white, the
// dark ones lighter on black, so that each has a contrast of 3 and more.
constexpr std::array on_light{"#0072b2", "#d55e00", "#00795a", "#a8457f", "#9a6700", "#2b8cc4", "#1c2128"};
constexpr std::array on_dark{"#56b4e9", "#f08a4b", "#2fd1a0", "#e8a0cc", "#f0c040", "#9ad0f5", "#e6e8ec"};

template <std::size_t count>
std::vector<QColor> colours(const std::array<const char*, count>& names) {
    return {names.begin(), names.end()};
}

}  // namespace

std::vector<QColor> line_colours(const QColor& background) {
    return background.lightness() < 128 ? colours(on_dark) : colours(on_light);
}

ChartLook chart_look(const QPalette& palette, const QFont& font) {
    QColor grid = palette.color(QPalette::Mid);
    grid.setAlphaF(0.6f);
    return {palette.color(QPalette::Base),
            palette.color(QPalette::Text),
            palette.color(QPalette::PlaceholderText),
            grid,
            palette.color(QPalette::Highlight),
            line_colours(palette.color(QPalette::Base)),
            font};
}

ChartLook chart_look_for_paper(const QFont& font) {
    return {Qt::white,
            Qt::black,
            QColor(0x40, 0x40, 0x40),
            QColor(0xd8, 0xd8, 0xd8),
            Qt::black,
            line_colours(Qt::white),
            font};
}

}  // namespace headlight
