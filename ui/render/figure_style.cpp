#include "ui/render/figure_style.h"

#include "ui/render/typeface.h"

#include <algorithm>

namespace headlight {

namespace {

/// Sizes of the window's themes; the author's and the teacher's differ from them below.
FigureStyle screen_style() {
    FigureStyle style{};
    style.title = 11.5;
    style.panel_title = 10;
    style.subtitle = 8.5;
    style.label = 9;
    style.axis_title = 8.5;
    style.value = 8;
    style.tick = 8;
    style.operation = 12;
    style.caption = 8.5;
    style.least_label = 6.5;
    style.least_scale = 0.55;
    style.largest_text = 21;  // 28 pixels of 1/96 inch
    style.margin = 10;
    style.gap = 14;
    style.frame_line = 0.75;
    style.grid_line = 0.75;
    style.mark_line = 1.5;
    style.line_share = 1;
    style.bar_width = 9;
    style.hatch_spacing = 5;
    style.thumbnail = 30;
    style.natural_cell = 30;
    style.cramped_cell = 18;
    return style;
}

FigureStyle light_style() {
    FigureStyle style = screen_style();
    style.background = QColor("#ffffff");
    style.text = QColor("#1d2127");
    style.quiet_text = QColor("#626b78");
    style.frame = QColor("#9aa3af");
    style.grid = QColor("#ffffff");
    style.accent = QColor("#c2410c");
    style.mark = QColor("#882300");
    style.forbidden = QColor("#f1f2f4");
    style.hatch = QColor("#c3c8cf");
    style.missing = QColor("#dcdfe3");
    return style;
}

FigureStyle dark_style() {
    FigureStyle style = screen_style();
    style.background = QColor("#181a1f");
    style.text = QColor("#e7e9ec");
    style.quiet_text = QColor("#98a1ad");
    style.frame = QColor("#5b6370");
    style.grid = QColor("#181a1f");
    style.accent = QColor("#ffa24c");
    style.mark = QColor("#ffb066");
    style.forbidden = QColor("#22252b");
    style.hatch = QColor("#454b55");
    style.missing = QColor("#363b43");
    return style;
}

/// For eyes that need it: all text has 7:1 beside its ground, and lines have 3:1 (WCAG 2, 1.4.6 and 1.4.11).
FigureStyle contrast_style() {
    FigureStyle style = screen_style();
    style.background = QColor("#000000");
    style.text = QColor("#ffffff");
    style.quiet_text = QColor("#e2e2e2");
    style.frame = QColor("#ffffff");
    style.grid = QColor("#000000");
    style.accent = QColor("#ffe14d");
    style.mark = style.accent;
    style.forbidden = QColor("#1c1c1c");
    style.hatch = QColor("#9a9a9a");
    style.missing = QColor("#666666");
    style.least_cell_contrast = 3;
    style.frame_line = 1.25;
    style.mark_line = 2.25;
    return style;
}

/// Those of print: one column of a journal, thin lines, type that is legible at 85 mm and no larger.
FigureStyle with_print_lengths(FigureStyle style) {
    style.title = 8.5;
    style.panel_title = 8;
    style.subtitle = 7;
    style.label = 7.5;
    style.axis_title = 7.5;
    style.value = 7;
    style.tick = 7;
    style.operation = 10;
    style.caption = 6.5;
    style.least_label = 6;  // below it, print is hard to read: labels are left out instead
    style.largest_text = 0;
    style.margin = 2;
    style.gap = 9;
    style.frame_line = 0.5;
    style.grid_line = 0.4;
    style.mark_line = 1;
    style.bar_width = 6.5;
    style.hatch_spacing = 4;
    style.thumbnail = 18;
    style.natural_cell = 22;
    style.cramped_cell = 0;
    return style;
}

FigureStyle paper_style() {
    FigureStyle style = with_print_lengths(light_style());
    style.text = QColor("#000000");
    style.quiet_text = QColor("#4a4a4a");
    style.frame = QColor("#000000");
    style.accent = QColor("#b3360a");
    style.forbidden = QColor("#f4f4f4");
    style.hatch = QColor("#bdbdbd");
    return style;
}

/// For the last row of a classroom: no text is smaller than 18 pixels of 1/96 inch, in any view. Where room
/// is short, labels are left out instead of shrinking.
FigureStyle projector_style() {
    constexpr double least = 13.5;
    FigureStyle style = light_style();
    style.title = 17;
    style.panel_title = 15;
    style.subtitle = least;
    style.label = 14.5;
    style.axis_title = least;
    style.value = 14;
    style.tick = least;
    style.operation = 20;
    style.caption = least;
    style.least_label = least;
    style.least_scale = 1;
    style.margin = 10;
    style.gap = 16;
    style.frame_line = 1.5;
    style.grid_line = 1.25;
    style.mark_line = 3;
    style.bar_width = 14;
    style.hatch_spacing = 9;
    style.thumbnail = 44;
    style.natural_cell = 48;
    style.cramped_cell = 28;
    style.text = QColor("#000000");
    style.quiet_text = QColor("#33383f");
    style.frame = QColor("#000000");
    style.accent = QColor("#b00020");
    style.mark = QColor("#900018");
    style.hatch = QColor("#a5abb3");
    return style;
}

}  // namespace

const FigureStyle& figure_style(FigureTheme theme) {
    static const FigureStyle paper = paper_style(), light = light_style(), dark = dark_style(),
                             projector = projector_style(), contrast = contrast_style();
    switch (theme) {
    case FigureTheme::paper:
        return paper;
    case FigureTheme::light:
        return light;
    case FigureTheme::dark:
        return dark;
    case FigureTheme::contrast:
        return contrast;
    case FigureTheme::projector:
        break;
    }
    return projector;
}

FigureStyle figure_style(const Figure& figure) {
    const FigureType& type = figure.type;
    FigureStyle style = figure_style(figure.theme);
    if (figure.has_print_lengths)
        style = with_print_lengths(style);
    if (type == FigureType())
        return style;
    // What a person gave in points is not enlarged; a size that nothing is to be smaller than is kept anyhow.
    const double enlarged = std::max(1.0, figure.length_scale);
    if (type.line_width) {
        style.line_share = *type.line_width / enlarged / style.frame_line;
        for (double* width : {&style.frame_line, &style.grid_line, &style.mark_line})
            *width *= style.line_share;
    }
    style.family = known_family(QString::fromStdString(type.font));
    const double share = type.size ? *type.size / enlarged / style.label : 1;
    const double of_theme = figure.theme == FigureTheme::projector ? style.least_label : 0;
    const double least = std::max(of_theme, type.least_size.value_or(0) / figure.length_scale);
    for (double* size : {&style.title, &style.panel_title, &style.subtitle, &style.label, &style.axis_title,
                         &style.value, &style.tick, &style.operation, &style.caption})
        *size = std::max(least, share * *size);
    style.least_label = type.least_size ? least : std::min(style.least_label, style.label);
    if (type.size || type.least_size)
        style.largest_text = 0;  // it is as large as the person wants it
    if (type.least_size)
        style.least_scale = 1;  // all type would shrink below it
    return style;
}

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto channel = [share](float one, float other) {
        return static_cast<float>(one + share * (other - one));
    };
    return QColor::fromRgbF(channel(from.redF(), to.redF()), channel(from.greenF(), to.greenF()),
                            channel(from.blueF(), to.blueF()));
}

}  // namespace headlight
