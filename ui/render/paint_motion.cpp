#include "ui/render/cell_image.h"
#include "ui/render/motion_painter.h"
#include "ui/render/paint_context.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace headlight {
namespace {

/// A frame around cells, on a halo that is seen on every colour.
void frame_cells(const PaintContext& context, const QRectF& area, double width, const QColor& colour) {
    const QRectF edge = on_pixels(context.painter, area);
    context.set_line(context.scaled(width) + context.scaled(1.6), context.style.background);
    context.painter.drawRect(edge);
    context.set_line(context.scaled(width), colour);
    context.painter.drawRect(edge);
}

/// Places without numbers or sums; the frame around each panel of them once, however many they are: drawn
/// twice an edge that is no whole number of pixels wide would be darker.
void empty_cells(const PaintContext& context, const MotionPlaces& places,
                 const std::vector<MotionMark>& marks) {
    std::set<Index> panels;
    for (const MotionMark& mark : marks) {
        const bool is_unwritten = mark.kind == MotionMark::Kind::unwritten;
        const QRectF area = places.cells(mark);
        if ((!is_unwritten && mark.kind != MotionMark::Kind::unsummed) || area.isEmpty())
            continue;
        context.painter.fillRect(on_pixels(context.painter, area), context.style.background);
        if (is_unwritten)
            panels.insert(mark.panel);
    }
    context.set_line(context.scaled(context.style.frame_line), context.style.frame);
    for (const Index panel : panels)
        context.painter.drawRect(on_pixels(context.painter, places.place(panel).cells));
}

void paint_mark(const PaintContext& context, const MotionPlaces& places, const MotionMark& mark) {
    const QRectF area = places.cells(mark);
    if (area.isEmpty())
        return;
    const double line = context.style.mark_line;
    switch (mark.kind) {
    case MotionMark::Kind::unwritten:
    case MotionMark::Kind::unsummed:
        return;  // see empty_cells()
    case MotionMark::Kind::read:
        return frame_cells(context, area, line, context.style.accent);
    case MotionMark::Kind::taken:
        return frame_cells(context, area, 2 * line, context.style.accent);
    case MotionMark::Kind::written:
        return frame_cells(context, area, 1.5 * line, context.style.text);
    }
}

/// A row of its panel in the colours and with the numbers of what it is summed up to.
void paint_partial(const PaintContext& context, const MotionPlaces& places, const PartialRow& partial) {
    const QRectF area = places.row(partial);
    if (area.isEmpty())
        return;
    const Panel& panel = places.panel(partial.panel);
    const auto first = static_cast<std::size_t>(panel.column_axis.first);
    if (first + static_cast<std::size_t>(panel.columns) > partial.values.size())
        return;
    Panel row;
    row.rows = 1;
    row.columns = panel.columns;
    row.scale = panel.scale;
    row.values_in_cells = panel.values_in_cells;
    row.digits = panel.digits;
    const auto from = partial.values.begin() + panel.column_axis.first;
    row.values = std::vector<double>(from, from + panel.columns);
    PanelLayout at = places.place(partial.panel);
    at.cells = area;
    paint_cells(context, row, at);
}

void paint_number(const PaintContext& context, const MotionPlaces& places, const MotionNumber& number) {
    const QRectF plate = places.plate(number);
    if (plate.isEmpty())
        return;
    const double size = context.type(context.style.label);
    const QString text = QString::fromStdString(number.text);
    const TextMeasure measure(size, Face::bold, context.style.family);
    context.painter.setPen(QPen(context.style.background, context.scaled(1)));
    context.painter.setBrush(context.style.accent);
    context.painter.drawRoundedRect(plate, 0.3 * size, 0.3 * size);
    context.painter.setBrush(Qt::NoBrush);
    context.set_type(size, Face::bold, ink_on(context.style.accent), text);
    context.draw_plain(QPointF(plate.left() + 0.4 * size, plate.center().y() + measure.middle_to_baseline()),
                       text);
}

/// What arrows carry: in proportion to what is carried, on a halo that is seen on every arrow.
void paint_dots_on_arrows(const PaintContext& context, MotionPlaces& places,
                          const std::vector<MotionDot>& dots) {
    context.painter.setPen(QPen(context.style.background, context.scaled(1.2)));
    context.painter.setBrush(context.style.accent);
    for (const MotionDot& dot : dots)
        if (const QRectF area = places.dot(dot); !area.isEmpty())
            context.painter.drawEllipse(area);
    context.painter.setBrush(Qt::NoBrush);
}

void paint_words(const PaintContext& context, MotionPlaces& places, const std::string& words) {
    const QRectF& area = places.words();
    if (area.isEmpty() || words.empty())
        return;
    const double size = context.type(context.style.caption);
    const TextMeasure measure(size, Face::regular, context.style.family);
    double y = area.top() + measure.ascent();
    for (const QString& line : places.lines(words)) {
        context.set_type(size, Face::regular, context.style.text, line);
        context.draw_sentence(QPointF(area.left(), y), line);
        y += measure.line();
    }
}

void paint_moment(const PaintContext& context, MotionPlaces& places, const MotionMoment& moment) {
    empty_cells(context, places, moment.marks);
    for (const PartialRow& partial : moment.partial)
        paint_partial(context, places, partial);
    for (const MotionMark& mark : moment.marks)
        paint_mark(context, places, mark);
    for (const MotionNumber& number : moment.numbers)
        paint_number(context, places, number);
    paint_dots_on_arrows(context, places, moment.dots);
    paint_words(context, places, moment.words);
}

}  // namespace

void paint_motion(const PaintContext& context, const FigureLayout& layout, const MotionMoment& moment) {
    MotionPlaces places(context.figure, layout, context.style, context.unit);
    paint_moment(context, places, moment);
}

MotionPainter::MotionPainter(const Figure& figure, const FigureLayout& layout, double unit)
    : figure_(figure), layout_(layout), unit_(unit * figure.length_scale), style_(figure_style(figure)),
      places_(figure_, layout_, style_, unit_) {}

void MotionPainter::paint(QPainter& painter, const MotionMoment& moment) {
    const PaintOptions options;
    painter.save();
    painter.setLayoutDirection(Qt::LayoutDirectionAuto);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    paint_moment({painter, figure_, style_, unit_, options}, places_, moment);
    painter.restore();
}

namespace {

/// What only one of the two has.
template <class Item, class Visit>
void visit_others(const std::vector<Item>& before, const std::vector<Item>& after, const Visit& visit) {
    for (const Item& item : before)
        if (std::ranges::find(after, item) == after.end())
            visit(item);
    for (const Item& item : after)
        if (std::ranges::find(before, item) == before.end())
            visit(item);
}

/// The marks of places without numbers, or the others.
std::vector<MotionMark> marks_of(const MotionMoment& moment, bool are_unwritten) {
    std::vector<MotionMark> marks;
    for (const MotionMark& mark : moment.marks)
        if ((mark.kind == MotionMark::Kind::unwritten) == are_unwritten)
            marks.push_back(mark);
    return marks;
}

}  // namespace

QRegion MotionPainter::between(const MotionMoment& before, const MotionMoment& after) {
    // Half of the widest line, its halo, and what rounding to whole units moves.
    const double beside = unit_ * (2 * style_.mark_line + 2) + 2;
    QRegion changed;
    const auto add = [&](const QRectF& area) {
        if (!area.isEmpty())
            changed += area.adjusted(-beside, -beside, beside, beside).toAlignedRect();
    };
    // Places without numbers count when they get theirs, or lose it: most stay empty from frame to frame.
    const std::vector<MotionMark> empty_before = marks_of(before, true), empty_after = marks_of(after, true);
    const auto region_of = [&](const std::vector<MotionMark>& marks) {
        QRegion region;
        for (const MotionMark& mark : marks)
            region += places_.cells(mark).toAlignedRect();
        return region;
    };
    for (const QRect& part : region_of(empty_before).xored(region_of(empty_after)))
        add(part);
    if (empty_before.empty() != empty_after.empty())  // the frame around them comes or goes
        for (const MotionMark& mark : empty_before.empty() ? empty_after : empty_before)
            if (places_.has(mark.panel))
                add(places_.place(mark.panel).cells);
    visit_others(marks_of(before, false), marks_of(after, false),
                 [&](const MotionMark& mark) { add(places_.cells(mark)); });
    visit_others(before.partial, after.partial, [&](const PartialRow& row) { add(places_.row(row)); });
    visit_others(before.numbers, after.numbers,
                 [&](const MotionNumber& number) { add(places_.plate(number)); });
    visit_others(before.dots, after.dots, [&](const MotionDot& dot) { add(places_.dot(dot)); });
    if (before.words != after.words)
        add(places_.words());
    return changed;
}

}  // namespace headlight
