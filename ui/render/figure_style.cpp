#include "ui/render/figure_style.h"

#include "ui/render/typeface.h"

#include <algorithm>
#include <vector>

namespace headlight {

namespace {

FigureStyle style_of(const ThemeRow& row) {
    const FigureTones& tone = row.figure;
    FigureStyle style{};
    static_cast<FigureLengths&>(style) = row.lengths;
    style.least_scale = row.least_scale;
    style.line_share = 1;
    style.background = QColor(tone.background);
    style.text = QColor(tone.text);
    style.quiet_text = QColor(tone.quiet_text);
    style.frame = QColor(tone.frame);
    style.grid = QColor(tone.grid);
    style.accent = QColor(tone.accent);
    style.mark = QColor(tone.mark);
    style.forbidden = QColor(tone.forbidden);
    style.hatch = QColor(tone.hatch);
    style.missing = QColor(tone.missing);
    style.least_cell_contrast = row.least_cell_contrast;
    style.least_zero_contrast = row.least_zero_contrast;
    return style;
}

}  // namespace

const FigureStyle& figure_style(FigureTheme theme) {
    static const std::vector<FigureStyle> styles = [] {
        std::vector<FigureStyle> all;
        for (const ThemeRow& row : theme_rows())
            all.push_back(style_of(row));
        return all;
    }();
    return styles.at(static_cast<std::size_t>(theme));
}

FigureStyle figure_style(const Figure& figure) {
    const FigureType& type = figure.type;
    FigureStyle style = figure_style(figure.theme);
    if (figure.has_print_lengths)
        static_cast<FigureLengths&>(style) = print_lengths();
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
    const double of_theme = is_for_class(figure.theme) ? style.least_label : 0;
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
