#pragma once

#include "core/figure/line_selection.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"

#include <QPainterPath>
#include <QPen>

#include <optional>
#include <span>
#include <vector>

namespace headlight {

/// A panel and those that lie over it, in its place.
std::span<const Panel> panels_in_place(const Figure& figure, const Panel& first);

/// How the lines of one of several heads are told from the others'.
struct HeadLook {
    QColor colour;
    std::size_t dashes = 0;      ///< 0 are none, each other number below `dash_kinds` a pattern of its own
    bool is_below_zero = false;  ///< of a number with a sign: dots, in each pattern's own distance
};
inline constexpr std::size_t head_colours = 7, dash_kinds = 5;

/// Dashes are as long as the line is wide, and those of a thinner line than `least_dash` as long as that
/// one's: shorter ones would be no dashes to the eye.
QPen line_pen(const HeadLook& look, double width, double least_dash = 0);

/// One for each of so many heads. With more heads than colours those come again, each time in other dashes;
/// from head_colours * dash_kinds on both come again.
std::vector<HeadLook> head_looks(std::size_t heads, const QColor& background);

/// A line of one of the panels in a place.
struct HeadLine {
    std::size_t head = 0;  ///< its panel among them
    DrawnLine cell;
};

/// Returns the lines of all panels in a place, each with those that it would have alone; the strongest last.
std::vector<HeadLine> lines_in_place(std::span<const Panel> heads);

/// Middle of a token's line of text on its side.
double token_height(const QRectF& cells, Index at, Index count);

/// Where the lines of the panels in a place lie. Those of different heads end beside one another at a token,
/// so that one does not hide the other.
class LinePlaces {
public:
    LinePlaces(std::span<const Panel> heads, const PanelLayout& place) : heads_(heads), place_(place) {}

    QPainterPath path(const HeadLine& line) const;
    /// The line that is nearest to a point between the tokens, if it is near.
    std::optional<HeadLine> nearest(QPointF point) const;

private:
    double height_of(const HeadLine& line, Index at, Index count) const;
    QPointF from(const HeadLine& line) const;
    QPointF to(const HeadLine& line) const;

    std::span<const Panel> heads_;
    const PanelLayout& place_;
};

/// What stands above the lines of several heads: each one's colour and name, in as many rows as it takes.
class HeadLegend {
public:
    /// Empty where there is one head.
    HeadLegend(std::span<const Panel> heads, double width, const FigureStyle& style, double unit);

    struct Entry {
        QRectF swatch;     ///< from the corner of the legend
        QPointF baseline;  ///< of its name
        QString name;
    };
    const std::vector<Entry>& entries() const { return entries_; }
    double height() const { return height_; }
    double type() const { return size_; }

private:
    std::vector<Entry> entries_;
    double size_, height_ = 0;
};

}  // namespace headlight
