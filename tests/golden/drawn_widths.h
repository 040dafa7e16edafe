#pragma once

#include "core/io/figure_source.h"
#include "tests/support/sample_traces.h"
#include "tests/ui/text_recorder.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/painter.h"

#include <QPainter>

#include <memory>
#include <string>
#include <vector>

namespace headlight::drawn_widths {

inline Figure figure_of(const Trace& trace, ViewKind view, FigureTheme theme,
                        const std::vector<std::string>& panels = {}) {
    FigureSource source;
    source.trace = std::make_shared<const Trace>(trace);
    ViewSettings settings;
    settings.view = view;
    settings.theme = theme;
    for (const std::string& words : panels)
        settings.options.panels.push_back(parse_panel_words(words));
    return headlight::figure_of(source, settings);
}

inline constexpr double unit = 16;  // rounding type to whole units does not show

inline FigureLayout layout_in(const Figure& figure, double millimetres) {
    const double width = millimetres * points_per_mm;
    const Figure drawn = drawn_in_width(figure, width);
    return layout_figure(drawn, QRectF(0, 0, unit * width, unit * natural_height(drawn, width)), unit);
}

inline Index columns_in(const Figure& figure, double millimetres) {
    return drawn_in_width(figure, millimetres * points_per_mm).columns;
}

/// Two texts and their difference, each with a bar of its own.
inline Figure compared() {
    Figure figure = figure_of(samples::sentence(), ViewKind::grid, FigureTheme::paper);
    figure.panels.resize(3);
    figure.panels[0].title = "Scaled dot-product attention, “…river was green today .”";
    figure.panels[1].title = "“…money was green today .”";
    figure.panels[2].title = "first − second";
    figure.panels[1].row_axis.labels.front() = figure.panels[2].row_axis.labels.front() = "money";
    figure.panels[2].scale = {.map = "diverging", .low = -0.506, .high = 0.506};
    figure.columns = 3;
    return figure;
}

/// What is laid out and written.
struct Drawn {
    FigureLayout layout;
    std::vector<PaintedText> texts;
};

inline Drawn drawn_at(const Figure& figure, double millimetres) {
    const double width = millimetres * points_per_mm;
    const Figure fitting = drawn_in_width(figure, width);
    Drawn drawn{layout_in(figure, millimetres), {}};
    TextRecorder recorder(drawn.layout.area.size().toSize());
    QPainter painter(&recorder);
    paint_figure(painter, fitting, drawn.layout, unit);
    painter.end();
    drawn.texts = recorder.texts();
    return drawn;
}

}  // namespace headlight::drawn_widths
