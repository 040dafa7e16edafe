#include "ui/render/token_painter.h"

#include "core/figure/cell_codes.h"
#include "core/figure/panel_numbers.h"
#include "core/figure/theme_table.h"
#include "ui/render/fixed_text.h"
#include "ui/render/label_plan.h"
#include "ui/render/panel_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace headlight {

namespace {

QColor label_colour(const PaintContext& context, const Panel& panel, Index row) {
    if (panel.newest_row && row > *panel.newest_row)
        return context.style.hatch;
    if (panel.newest_row && row < *panel.newest_row && frames_newest_row(panel))
        return context.style.quiet_text;
    return context.style.text;
}

void paint_row_labels(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const double cell = place.cells.height() / static_cast<double>(panel.rows);
    TokenPainter tokens(context, place.label_size);
    const AxisLabels axis = drawn_axis(panel.row_axis, place.rows_by_place);
    // A word that the decoder has yet to say is not told, except in a strip of steps, whose first matrix
    // names the rows of all.
    const Index rows = context.figure.is_composed ? panel.rows : drawn_rows(panel);
    const bool is_shared = names_rows_of_others(context.figure, panel);
    const std::vector<std::optional<Index>> named = named_rows(context.figure, panel);
    for (Index row = 0; row < rows; ++row) {
        if (!label_shows(axis, row, panel.rows, place.row_stride, named, place.row_apart))
            continue;
        const QPointF end(place.row_label_area.right(),
                          place.cells.top() + (static_cast<double>(row) + 0.5) * cell);
        tokens.draw(axis, row, {end, TokenPainter::Anchor::end, 0, place.row_label_area.width()},
                    !is_shared && is_strong_row(panel, row),
                    is_shared ? context.style.text : label_colour(context, panel, row));
    }
}

void paint_column_labels(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const double cell = place.cells.width() / static_cast<double>(panel.columns);
    TokenPainter tokens(context, place.label_size);
    const QRectF& area = place.column_label_area;
    const AxisLabels axis = drawn_axis(panel.column_axis, place.columns_by_place);
    for (Index column = 0; column < panel.columns; ++column) {
        if (!label_shows(axis, column, panel.columns, place.column_stride, {panel.selected_column},
                         place.column_apart))
            continue;
        const double x = place.cells.left() + (static_cast<double>(column) + 0.5) * cell;
        TokenPainter::Place label{QPointF(x, area.center().y()), TokenPainter::Anchor::middle, 0,
                                  cell * place.column_stride};
        // The columns of turned labels are as far apart as one character is wide at least.
        if (place.column_angle == 90 && is_character(label_text(axis, column))) {
            label.point.setY(area.bottom() - 0.5 * place.label_size);
        } else if (place.column_angle != 0) {
            label.point.setY(area.bottom());
            label.anchor = TokenPainter::Anchor::start;
            label.angle = place.column_angle;
            label.most_width =
                place.column_angle == 90 ? area.height() : area.height() / std::sqrt(0.5) - place.label_size;
        }
        tokens.draw(axis, column, label, panel.selected_column == column, context.style.text);
    }
}

void paint_row_sums(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const double size = std::min(context.type(context.style.value), place.label_size);
    const double cell = place.cells.height() / static_cast<double>(panel.rows);
    const TextMeasure text(size, Face::regular, context.style.family);
    context.set_type(size, Face::regular, context.style.quiet_text);
    const AxisLabels axis = drawn_axis(panel.row_axis, place.rows_by_place);
    const auto right_aligned = [&](const QString& label, double baseline) {
        context.draw_plain(QPointF(place.row_sums.right() - text.width(label), baseline), label, 1);
    };
    const int decimals = decimals_of_sums(panel.row_sums);
    right_aligned(QStringLiteral("Σ"), place.row_sums.top() - 0.45 * place.label_size - 0.5 * text.descent());
    for (Index row = 0; row < panel.rows; ++row) {
        if (!label_shows(axis, row, panel.rows, place.row_stride, {panel.newest_row, panel.selected_row},
                         place.row_apart) ||
            (panel.newest_row && row > *panel.newest_row))
            continue;
        const auto i = static_cast<std::size_t>(row);
        const bool flagged = i < panel.flagged_rows.size() && panel.flagged_rows[i];
        right_aligned(flagged ? QStringLiteral("∅") : fixed_text(panel.row_sums[i], decimals),
                      place.cells.top() + (static_cast<double>(row) + 0.5) * cell +
                          text.middle_to_baseline());
    }
}

}  // namespace

void paint_panel_title(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const FigureStyle& style = context.style;
    const double size = context.type(style.panel_title);
    const TextMeasure bold(size, Face::bold, style.family);
    const bool is_among_others = context.figure.panels.size() > 1 && panel.head_title.empty();
    const bool emphasised = panel.in_focus && is_among_others && context.figure.shows_focus &&
                            !is_for_paper(context.figure.theme);
    double baseline = place.title.top() + bold.ascent();
    const double first_baseline = baseline;
    double narrower = 0;  // the last line, by its subscripts
    for (const QString& line : place.title_lines) {
        context.set_type(size, Face::bold, emphasised ? style.accent : style.text, line);
        narrower = context.draw_words(QPointF(place.title.left(), baseline), line);
        baseline += title_line * size;
    }
    baseline -= title_line * size;
    if (!panel.letter.empty() && context.figure.letters_at == LetterPlace::outside) {
        const QString letter = QString::fromStdString(panel.letter);
        context.set_type(size, Face::bold, style.text, letter);
        context.draw_plain(QPointF(place.frame.left(), first_baseline), letter);
    }
    const double small = context.type(style.subtitle);
    if (place.subtitle_beside) {
        const QString title = QString::fromStdString(panel.title),
                      subtitle = QString::fromStdString(panel.subtitle);
        context.set_type(small, Face::regular, style.quiet_text, subtitle);
        context.draw_words(
            QPointF(place.title.left() + bold.width(title) - narrower + subtitle_gap * size, first_baseline),
            subtitle);
        return;
    }
    baseline += 1.3 * small;
    for (const QString& line : place.subtitle_lines) {
        context.set_type(small, Face::regular, style.quiet_text, line);
        context.draw_words(QPointF(place.title.left(), baseline), line);
        baseline += title_line * small;
    }
}

void paint_labels(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    if (panel.rows == 0 || panel.columns == 0)
        return;
    if (place.row_labels)
        paint_row_labels(context, panel, place);
    if (place.column_labels)
        paint_column_labels(context, panel, place);
    if (!place.row_sums.isEmpty())
        paint_row_sums(context, panel, place);
}

}  // namespace headlight
