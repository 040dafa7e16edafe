#include "ui/render/motion_places.h"

#include "ui/render/figure_style.h"
#include "ui/render/motion_room.h"
#include "ui/render/typeface.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

/// The middle of a cell, of one that is not drawn that of the nearest one.
QPointF middle_of_cell(const Panel& panel, const QRectF& cells, const MotionCell& cell) {
    const auto share = [](Index at, Index first, Index count) {
        return (static_cast<double>(std::clamp<Index>(at - first, 0, std::max<Index>(count - 1, 0))) + 0.5) /
               static_cast<double>(std::max<Index>(count, 1));
    };
    return {cells.left() + cells.width() * share(cell.column, panel.column_axis.first, panel.columns),
            cells.top() + cells.height() * share(cell.row, panel.row_axis.first, panel.rows)};
}

/// The middle of what has that size, where it lies among the cells and over no label, as far as it has room.
QPointF kept_among(const QRectF& cells, const QSizeF& size, QPointF middle) {
    const double across = 0.5 * size.width(), down = 0.5 * size.height();
    if (size.width() <= cells.width())
        middle.setX(std::max(cells.left() + across, std::min(middle.x(), cells.right() - across)));
    if (size.height() <= cells.height())
        middle.setY(std::max(cells.top() + down, std::min(middle.y(), cells.bottom() - down)));
    return middle;
}

}  // namespace

bool MotionPlaces::has(Index panel) const {
    const auto at = static_cast<std::size_t>(panel);
    return at < figure_.panels.size() && at < layout_.panels.size();
}

QRectF MotionPlaces::cells(const MotionMark& mark) const {
    if (!has(mark.panel))
        return {};
    const Panel& of = panel(mark.panel);
    const Index top = std::clamp<Index>(mark.first_row - of.row_axis.first, 0, of.rows),
                left = std::clamp<Index>(mark.first_column - of.column_axis.first, 0, of.columns),
                bottom = std::clamp<Index>(mark.first_row - of.row_axis.first + mark.rows, 0, of.rows),
                right =
                    std::clamp<Index>(mark.first_column - of.column_axis.first + mark.columns, 0, of.columns);
    if (top >= bottom || left >= right)
        return {};
    const QRectF area = area_of_cells(of, place(mark.panel).cells, top, left, bottom - top, right - left);
    if (mark.kind == MotionMark::Kind::unsummed) {
        const QRectF& sums = place(mark.panel).row_sums;
        return sums.isEmpty() ? QRectF() : QRectF(sums.left(), area.top(), sums.width(), area.height());
    }
    return area;
}

QRectF MotionPlaces::row(const PartialRow& partial) const {
    if (!has(partial.panel))
        return {};
    const Panel& of = panel(partial.panel);
    return cells(
        {MotionMark::Kind::written, partial.panel, partial.row, of.column_axis.first, 1, of.columns});
}

QRectF MotionPlaces::plate(const MotionNumber& number) const {
    if (!has(number.from.panel) || !has(number.to.panel))
        return {};
    const double size = type_size(style_.label, unit_);
    const TextMeasure measure(size, Face::bold, style_.family);
    QRectF plate(0, 0, measure.width(QString::fromStdString(number.text)) + 0.8 * size, 1.5 * size);
    const auto middle_of = [&](const MotionCell& cell) {
        const PanelLayout& there = place(cell.panel);
        QPointF middle = middle_of_cell(panel(cell.panel), there.cells, cell);
        if (!cell.is_sum || there.row_sums.isEmpty())
            return kept_among(there.cells, plate.size(), middle);
        // Over the row's sum, which it may be wider than, but over no cell.
        middle.setX(std::max(there.row_sums.center().x(), there.cells.right() + 0.5 * plate.width()));
        return middle;
    };
    // Slow where it leaves and where it arrives.
    const double way = number.way * number.way * (3 - 2 * number.way);
    const QPointF from = middle_of(number.from), middle = from + way * (middle_of(number.to) - from);
    plate.moveCenter(middle);
    plate.moveLeft(std::clamp(plate.left(), layout_.area.left(),
                              std::max(layout_.area.left(), layout_.area.right() - plate.width())));
    return plate;
}

const QPainterPath& MotionPlaces::way(const MotionDot& dot) {
    const auto [known, is_new] = ways_.try_emplace({dot.panel, dot.arrow});
    if (is_new) {
        const Flow& flow = *panel(dot.panel).flow;
        const QRectF& area = place(dot.panel).cells;
        known->second = plans_.at(dot.panel)->way(flow.edges[static_cast<std::size_t>(dot.arrow)], area, 0);
    }
    return known->second;
}

QRectF MotionPlaces::dot(const MotionDot& dot) {
    if (!has(dot.panel) || !panel(dot.panel).flow)
        return {};
    const Flow& flow = *panel(dot.panel).flow;
    if (dot.arrow >= std::ssize(flow.edges))
        return {};
    std::unique_ptr<const FlowPlan>& plan = plans_[dot.panel];
    if (!plan)
        plan = std::make_unique<const FlowPlan>(
            flow_in_room(flow, place(dot.panel).cells.size(), style_, unit_, place(dot.panel).flow_form));
    constexpr double least = 0.18, most = 0.5;  // in the size of the type
    const double radius = plan->size() * std::max(least, most * std::sqrt(dot.share));
    // Between its ends, so that it lies over neither of the words that the arrow joins.
    const QPainterPath& along = way(dot);
    const double end = std::min(0.5, radius / std::max(along.length(), radius));
    const QPointF middle = along.pointAtPercent(end + std::clamp(dot.way, 0.0, 1.0) * (1 - 2 * end));
    return {middle - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)};
}

const QStringList& MotionPlaces::lines(const std::string& words) {
    if (words != said_) {
        const TextMeasure measure(type_size(style_.caption, unit_), Face::regular, style_.family);
        lines_ = measure.lines(QString::fromStdString(words), layout_.motion.width(), most_motion_lines);
        said_ = words;
    }
    return lines_;
}

}  // namespace headlight
