#include "ui/render/painter.h"

#include "core/figure/build_figure.h"
#include "core/figure/cell_codes.h"
#include "core/figure/view_titles.h"
#include "ui/render/axis_titles.h"
#include "ui/render/paint_context.h"
#include "ui/render/panel_shape.h"
#include "ui/render/subscripts.h"

#include <QRegion>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

void paint_figure_text(const PaintContext& context, const FigureLayout& layout) {
    const FigureStyle& style = context.style;
    if (!layout.title.isEmpty()) {
        const QString title = QString::fromStdString(context.figure.title);
        context.set_type(context.type(style.title), Face::bold, style.text, title);
        context.draw_words(layout.title, title);
    }
    if (!layout.subtitle.isEmpty()) {
        const QString subtitle = QString::fromStdString(context.figure.subtitle);
        context.set_type(context.type(style.subtitle), Face::regular, style.quiet_text, subtitle);
        context.draw_words(layout.subtitle, subtitle);
    }
    if (!layout.caption.isEmpty()) {
        const QString caption = QString::fromStdString(drawn_caption(context.figure, layout));
        context.set_type(context.type(style.caption), Face::regular, style.quiet_text, caption);
        context.draw_words(layout.caption, caption);
    }
}

void paint_axis_title(const PaintContext& context, const AxisLabels& axis, const QRectF& area,
                      const QRectF& room, bool upwards) {
    if (area.isEmpty() || axis.title.empty())
        return;
    const double size = context.type(context.style.axis_title);
    const TextMeasure text(size, Face::regular, context.style.family);
    const QString shown = title_in_room(axis, area, room, upwards, text);
    const double half = 0.5 * text.width(shown);
    context.set_type(size, Face::regular, context.style.quiet_text, shown);
    const QTransform before = context.painter.worldTransform();
    if (upwards) {
        context.painter.translate(area.left() + text.ascent(), area.center().y() + half);
        context.painter.rotate(-90);
    } else {
        context.painter.translate(area.center().x() - half, area.top() + text.ascent());
    }
    context.draw_text({QPointF(0, 0), shown, 0.5});
    context.painter.setWorldTransform(before);
}

void paint_axis_titles(const PaintContext& context, const Panel& panel, const PanelLayout& place,
                       const FigureLayout& layout) {
    if (!is_lines(panel)) {
        const AxisTitleRoom room =
            room_of_panel_titles(context.figure, layout, place, context.scaled(context.style.gap));
        paint_axis_title(context, panel.row_axis, place.row_title, room.rows, true);
        paint_axis_title(context, panel.column_axis, place.column_title,
                         place.column_title_beside ? place.column_title : room.columns, false);
        return;
    }
    const double size = context.type(context.style.axis_title);
    const TextMeasure text(size, Face::regular, context.style.family);
    context.set_type(size, Face::regular, context.style.quiet_text);
    // In line with the tokens below them, unless they are longer than the longest token.
    const QString rows = QString::fromStdString(panel.row_axis.title);
    const QString columns = QString::fromStdString(panel.column_axis.title);
    const double baseline = place.row_title.top() + text.ascent();
    const double left = place.row_label_area.right() - text.width(rows);
    context.draw_plain(QPointF(std::max(place.frame.left(), left), baseline), rows,
                       left > place.frame.left() ? 1 : 0);
    const double most = place.frame.right() - text.width(columns);
    context.draw_plain(QPointF(std::min(place.column_label_area.left(), most), baseline), columns,
                       place.column_label_area.left() < most ? 0 : 1);
}

/// A title over several panels, and a thin line under it as long as they are wide.
void paint_title_over(const PaintContext& context, const TitleOver& over) {
    const double size = context.type(context.style.panel_title);
    const TextMeasure text(size, Face::bold, context.style.family);
    const QString shown = text.elided(QString::fromStdString(over.text), over.area.width());
    context.set_type(size, Face::bold, context.style.text, shown);
    context.draw_sentence(
        QPointF(over.area.center().x() - 0.5 * text.width(shown), over.area.top() + text.ascent()), shown,
        0.5);
    context.set_line(context.scaled(context.style.frame_line), context.style.frame);
    context.painter.drawLine(over.area.bottomLeft(), over.area.bottomRight());
}

/// "÷ √8" over "=", in the middle between two matrices.
void paint_operation(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    if (place.operation.isEmpty())
        return;
    const double size = panel.thumbnail ? place.label_size : context.type(context.style.operation);
    const TextMeasure text(size, Face::regular, context.style.family);
    const QStringList lines =
        QString::fromStdString(place.operation_on_one_line ? on_one_line(panel.operator_before)
                                                           : panel.operator_before)
            .split(u'\n');
    context.set_type(size, Face::regular, panel.thumbnail ? context.style.quiet_text : context.style.text);
    const double pitch = 1.25 * size;
    double y = place.operation.center().y() - 0.5 * pitch * static_cast<double>(lines.size() - 1);
    for (const QString& line : lines) {
        const bool has_subscript = !context.options.is_set_elsewhere && line.contains(QChar(u'_'));
        const double width = text.width(has_subscript ? QString(line).remove(QChar(u'_')) : line);
        const QPointF begin(place.operation.center().x() - 0.5 * width, y + text.middle_to_baseline());
        if (has_subscript)
            context.draw_words(begin, line);
        else
            context.draw_plain(begin, line, 0.5);
        y += pitch;
    }
}

/// The stage's name under its thumbnail.
void paint_thumbnail_name(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    const Face face = panel.in_focus ? Face::bold : Face::regular;
    const TextMeasure text(place.label_size, face, context.style.family);
    const QString name = text.elided_at_word(QString::fromStdString(panel.title), 1.05 * place.title.width());
    context.set_type(place.label_size, face, panel.in_focus ? context.style.accent : context.style.quiet_text,
                     name);
    context.draw_sentence(
        QPointF(place.title.center().x() - 0.5 * text.width(name), place.title.top() + text.ascent()), name,
        0.5);
}

void paint_body(const PaintContext& context, const Panel& panel, const PanelLayout& place) {
    switch (panel.kind) {
    case Panel::Kind::heatmap:
        return paint_cells(context, panel, place);
    case Panel::Kind::lines:
        return paint_lines(context, panel, place);
    case Panel::Kind::mosaic:
        return paint_mosaic(context, panel, place);
    case Panel::Kind::points:
        return paint_points(context, panel, place);
    case Panel::Kind::text:
        return paint_text(context, panel, place);
    case Panel::Kind::curves:
        return paint_curves(context, panel, place);
    case Panel::Kind::tree:
        return paint_tree(context, panel, place);
    case Panel::Kind::names:
        return paint_name_table(context, panel, place);
    case Panel::Kind::flow:
        return paint_flow(context, panel, place);
    }
}

void paint_panel(const PaintContext& context, const Panel& panel, const PanelLayout& place,
                 const FigureLayout& layout) {
    paint_operation(context, panel, place);
    paint_body(context, panel, place);
    paint_notes(context, panel, place);
    if (panel.thumbnail) {
        paint_thumbnail_name(context, panel, place);
        return;
    }
    paint_panel_title(context, panel, place);
    if (has_labels(panel))
        paint_labels(context, panel, place);
    paint_axis_titles(context, panel, place, layout);
    if (!place.colour_bar.isEmpty())
        paint_horizontal_bar(context, panel.scale, QString::fromStdString(panel.bar_title), place.colour_bar,
                             place.bar_numbers);
}

}  // namespace

QString bar_title(const Figure& figure) {
    if (figure.bar_titled == Figure::BarTitle::none)
        return {};
    if (!figure.bar_title.empty())
        return QString::fromStdString(figure.bar_title);
    std::string stage, site;
    for (const Panel& panel : figure.panels) {
        if (panel.thumbnail || !is_coloured(panel) || panel.fills_row)
            continue;
        if (!stage.empty() && panel.stage != stage)
            return {};
        stage = panel.stage;
        site = panel.site;
    }
    return QString::fromStdString(in_a_sentence(stage_title_at(stage, site), stage));
}

void PaintContext::draw_text(const PlacedText& placed) const {
    const QFont font = painter.font(), written = as_written(font, placed.text);
    if (written != font)
        painter.setFont(written);
    if (!options.draw_text || !options.draw_text(painter, placed))
        painter.drawText(placed.baseline, placed.text);
    if (written != font)
        painter.setFont(font);
}

void PaintContext::draw_sentence(QPointF baseline, const QString& text, double share) const {
    painter.setLayoutDirection(Qt::LeftToRight);
    draw_text({baseline, text, share});
    painter.setLayoutDirection(Qt::LayoutDirectionAuto);
}

double PaintContext::draw_words(QPointF baseline, const QString& text) const {
    if (options.is_set_elsewhere || !text.contains(QChar(u'_'))) {
        draw_sentence(baseline, text);
        return 0;
    }
    painter.setLayoutDirection(Qt::LeftToRight);
    const double width = draw_levels(baseline, text_levels(text));
    painter.setLayoutDirection(Qt::LayoutDirectionAuto);
    return QFontMetricsF(painter.font()).horizontalAdvance(text) - width;
}

double PaintContext::draw_levels(QPointF baseline, const std::vector<TextLevel>& levels) const {
    const double left = baseline.x();
    constexpr double smaller = 0.72, lower = 0.14;  // of the size of the letter that it stands at
    const QFont font = painter.font();
    const double size = font.pixelSize();  // as figure_font() sets it
    QFont lowered = font;                  // can be read like every other text of the theme
    lowered.setPixelSize(
        static_cast<int>(std::lround(std::min(size, std::max(smaller * size, type(style.least_label))))));
    for (const TextLevel& level : levels) {
        const QFont& here = level.is_lowered ? lowered : font;
        const QFontMetricsF metrics(here);
        // A file may leave out the spaces that a text begins with.
        qsizetype spaces = 0;
        while (spaces < level.text.size() && level.text[spaces].isSpace())
            ++spaces;
        painter.setFont(here);
        const QString letters = level.text.sliced(spaces);
        if (!letters.isEmpty())
            draw_text({baseline + QPointF(metrics.horizontalAdvance(level.text.first(spaces)),
                                          level.is_lowered ? lower * size : 0),
                       letters});
        baseline.rx() += metrics.horizontalAdvance(level.text);
    }
    painter.setFont(font);
    return baseline.x() - left;
}

void PaintContext::draw_words(const QRectF& area, const QString& text) const {
    QTextLayout layout(text, painter.font());
    QTextOption option;
    option.setTextDirection(Qt::LeftToRight);
    option.setWrapMode(QTextOption::WordWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    double y = area.top();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(area.width());
        draw_words(QPointF(area.left(), y + line.ascent()),
                   text.mid(line.textStart(), line.textLength()).trimmed());
        y += line.height();
    }
    layout.endLayout();
}

namespace {

/// The painter is as before at the end, also where somebody interrupts a picture.
class KeptState {
public:
    explicit KeptState(QPainter& painter) : painter_(painter) { painter_.save(); }
    ~KeptState() { painter_.restore(); }
    KeptState(const KeptState&) = delete;
    KeptState& operator=(const KeptState&) = delete;

private:
    QPainter& painter_;
};

/// On a screen not under matrices, which cover it: to fill most of a window twice takes a part of a frame.
void paint_ground(const PaintContext& context, const FigureLayout& layout) {
    const auto covers = [](const Panel& panel) {
        return panel.kind == Panel::Kind::heatmap && !panel.blank && !panel.overlay && !panel.lies_over &&
               panel.rows > 0 && panel.columns > 0 && drawn_rows(panel) == panel.rows;
    };
    const QRect area = layout.area.toAlignedRect();
    if (!draws_pixels(context.painter) || QRectF(area) != layout.area) {
        context.painter.fillRect(layout.area, context.style.background);
        return;
    }
    QRegion ground = area;
    // The edges of matrices move to the next pixel.
    const int edge = 1 + static_cast<int>(std::ceil(1 / context.painter.deviceTransform().m11()));
    for (std::size_t i = 0; i < std::min(context.figure.panels.size(), layout.panels.size()); ++i)
        if (covers(context.figure.panels[i]))
            ground -= layout.panels[i].cells.toAlignedRect().adjusted(edge, edge, -edge, -edge);
    // Parts that meet between two pixels would each cover half of these: what lies under them would be seen.
    context.painter.setRenderHint(QPainter::Antialiasing, false);
    for (const QRect& part : ground)
        context.painter.fillRect(QRectF(part), context.style.background);
    context.painter.setRenderHint(QPainter::Antialiasing);
}

}  // namespace

void paint_figure(QPainter& painter, const Figure& figure, const FigureLayout& layout, double unit,
                  const PaintOptions& options) {
    const FigureStyle style = figure_style(figure);
    const PaintContext context{painter, figure, style, unit * figure.length_scale, options};
    const KeptState kept(painter);
    painter.setLayoutDirection(Qt::LayoutDirectionAuto);
    // As JPEG a PDF would halve the colours of a map of few cells; a painter of pixels does not ask.
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing |
                           QPainter::LosslessImageRendering);
    if (options.background)
        paint_ground(context, layout);
    paint_figure_text(context, layout);
    for (std::size_t i = 0; i < figure.panels.size() && i < layout.panels.size(); ++i)
        if (const Panel& panel = figure.panels[i]; !panel.blank && !panel.lies_over)
            paint_panel(context, panel, layout.panels[i], layout);
    for (const TitleOver& over : layout.titles_over)
        paint_title_over(context, over);
    const auto first = std::ranges::find(figure.panels, false, &Panel::thumbnail);
    if (first != figure.panels.end()) {
        const QRectF room = room_of_axis_titles(layout);
        paint_axis_title(context, first->row_axis, layout.row_title, room, true);
        paint_axis_title(context, first->column_axis, layout.column_title, room, false);
        const auto coloured = std::ranges::find_if(first, figure.panels.end(), [](const Panel& panel) {
            return !panel.thumbnail && is_coloured(panel);
        });
        if (!layout.colour_bar.isEmpty() && coloured != figure.panels.end())
            paint_vertical_bar(context, coloured->scale, bar_title(figure), layout.colour_bar);
    }
    if (figure.motion)
        paint_motion(context, layout, *figure.motion);
}

void paint_figure(QPainter& painter, const Figure& figure, const FigureLayout& layout, double unit) {
    paint_figure(painter, figure, layout, unit, PaintOptions{});
}

}  // namespace headlight
