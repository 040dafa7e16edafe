#pragma once

#include "core/figure/motion_moment.h"
#include "ui/render/flow_plan.h"
#include "ui/render/painter.h"

#include <QPainterPath>
#include <QRectF>
#include <QStringList>

#include <map>
#include <memory>
#include <string>

namespace headlight {

struct FigureStyle;

/// Where what moves over a figure is drawn. Lines of words and ways along arrows are kept, for moments that
/// follow each other have the same. Figure, layout and style outlive it.
class MotionPlaces {
public:
    MotionPlaces(const Figure& figure, const FigureLayout& layout, const FigureStyle& style, double unit)
        : figure_(figure), layout_(layout), style_(style), unit_(unit) {}

    /// The panel is one that is drawn.
    bool has(Index panel) const;
    const Panel& panel(Index at) const { return figure_.panels[static_cast<std::size_t>(at)]; }
    const PanelLayout& place(Index at) const { return layout_.panels[static_cast<std::size_t>(at)]; }
    const QRectF& words() const { return layout_.motion; }

    /// The cells of a mark as far as they are drawn, or the sums beside them; empty where none is.
    QRectF cells(const MotionMark& mark) const;
    QRectF row(const PartialRow& partial) const;
    /// The plate of a number that is on its way, or that stands for the sum of a row.
    QRectF plate(const MotionNumber& number) const;
    /// Around a dot on its arrow; empty where there is no such arrow.
    QRectF dot(const MotionDot& dot);
    /// The words in as many lines as have room.
    const QStringList& lines(const std::string& words);

private:
    const QPainterPath& way(const MotionDot& dot);

    const Figure& figure_;
    const FigureLayout& layout_;
    const FigureStyle& style_;
    double unit_;
    std::string said_;
    QStringList lines_;                                       ///< of said_
    std::map<Index, std::unique_ptr<const FlowPlan>> plans_;  ///< [panel]
    std::map<std::pair<Index, Index>, QPainterPath> ways_;    ///< [panel, arrow]
};

}  // namespace headlight
