#pragma once

#include "ui/render/flow_extents.h"
#include "ui/render/flow_form.h"
#include "ui/render/flow_rows.h"

#include <QRectF>
#include <QSizeF>

#include <memory>
#include <optional>
#include <vector>

class QPainterPath;

namespace headlight {

struct FigureStyle;

/// Where the parts of a flow stand in an area, in type of one size: columns are as wide as their widest text,
/// so that no two parts can meet.
class FlowPlan {
public:
    /// `size` is a whole number, as type is drawn. The flow outlives it.
    FlowPlan(const Flow& flow, std::shared_ptr<const FlowExtents> extents, double size, FlowForm form);

    const Flow& flow() const { return flow_; }
    double size() const { return size_; }
    FlowForm form() const { return form_; }
    /// The least that it needs.
    double width() const { return least_.width(); }
    double height() const { return least_.height(); }
    bool fits(const QSizeF& room) const { return width() <= room.width() && height() <= room.height(); }
    double shape() const { return width() / height(); }

    /// In the middle of the area; with more room the columns stand further apart.
    QRectF box(Index node, const QRectF& area) const;
    std::vector<QRectF> boxes(const QRectF& area) const;
    /// From the edge of one part to that of the other, which it reaches `short_of` before.
    QPainterPath way(const Flow::Edge& edge, const QRectF& area, double short_of) const;
    /// The end of an arrow, and where it points: a step along one of the axes.
    struct Tip {
        QPointF point, direction;
    };
    Tip tip(const Flow::Edge& edge, const QRectF& area) const;

    double padding() const { return 0.5 * size_; }
    double line() const { return (form_.is_dense ? 1.25 : 1.45) * size_; }
    /// Whether there are words below its title: without shapes what a model says, which is none.
    bool has_second_line(const Flow::Node& node) const;
    /// The side of the square that a small rectangle is drawn in; 0 where the part has none.
    double square(const Flow::Node& node) const;
    const QString& title(Index node) const { return extents_->title(node); }

private:
    void place_across();
    void place_downwards();
    double width_of(Index node) const;
    double gap(std::size_t column) const;
    QPointF shift(const QRectF& area) const;
    double more_between(const QRectF& area) const;
    QPointF start(const Flow::Edge& edge, const QRectF& area) const;
    bool leads_along_column(const Flow::Edge& edge) const;
    bool leads_right(const Flow::Edge& edge, const QRectF& area) const;
    /// Across: the left edge of a column, and where a line of the flow is in it.
    double left_of(Index column, const QRectF& area) const;
    double height_of(double line, Index column, const QRectF& area) const;
    void add_way_across(QPainterPath& path, const Flow::Edge& edge, const QRectF& area, QPointF last) const;
    void add_way_downwards(QPainterPath& path, const Flow::Edge& edge, const QRectF& area,
                           QPointF last) const;
    /// From the end of a row to that height at the beginning of the next.
    void add_way_to_next_row(QPainterPath& path, const Flow::Edge& edge, Index column, double height,
                             const QRectF& area) const;
    /// Between the ways of two arrows to the next row.
    double apart() const { return 0.6 * size_; }

    const Flow& flow_;
    std::shared_ptr<const FlowExtents> extents_;
    double size_;
    FlowForm form_;
    std::vector<double> own_widths_;      ///< [node]
    std::vector<double> widths_, lefts_;  ///< [column], in the least room; downwards its height and its top
    FlowRows rows_;                       ///< across
    std::vector<double> tops_;            ///< [row]
    double beside_ = 0;                   ///< left and right of rows, for arrows to the next
    double lane_ = 0;                     ///< downwards: from the middle of a part to that of its neighbour
    QSizeF least_;
};

/// The size that the type of a flow grows to where there is room, a whole number.
double largest_flow_type(const FigureStyle& style, double unit);

/// As it is drawn: from left to right with all that there is to say, as large as the room allows. Where type
/// of the size of labels has no room it is dense, and a model tight, if that makes its type larger; a
/// mechanism may also go on in rows or downwards, as it does where its type gains much, in a high room. Where
/// not even the least size of labels has room, sizes are left out. Where the form has been decided, by a
/// layout or in other units, as large as that allows.
FlowPlan flow_in_room(const Flow& flow, const QSizeF& room, const FigureStyle& style, double unit,
                      const std::optional<FlowForm>& decided = {});

}  // namespace headlight
