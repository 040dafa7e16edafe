#pragma once

#include "core/figure/figure.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <vector>

namespace headlight {

struct FigureStyle;

/// Where the nodes of a tree stand in an area, in type of one size: its steps side by side, or on several
/// lines one below the other as words of a text are, where one line of them would be too wide. A tree that
/// stays on one line fills its area, whose proportions are its own but for the rounding of type.
class TreePlan {
public:
    TreePlan(const Tree& tree, double size, const QString& family, Index lines = 1);

    double size() const { return size_; }
    Index lines() const { return lines_; }
    double padding() const { return 0.45 * size_; }
    /// The least that it needs.
    double width() const;
    double height() const;
    bool fits(const QSizeF& room) const { return width() <= room.width() && height() <= room.height(); }
    /// Width to height where rows are as far apart as is comfortable.
    double shape() const;

    /// With more room the columns stand further apart, and the rows.
    QRectF box(const Tree::Node& node, const QRectF& area) const;
    Index line_of(const Tree::Node& node) const { return node.depth / columns_; }
    /// How far a branch that goes on in the next line reaches beyond the node where it leaves a line, and
    /// before the one where it comes back.
    double stub() const { return 0.8 * column_gap(); }

private:
    double column_gap() const { return 1.4 * size_; }
    double line_gap() const { return 1.3 * size_; }
    double width_of_line(Index line) const;
    double row_pitch(double height) const;

    double size_;
    std::vector<double> widths_;  ///< [depth]
    Index rows_ = 0, lines_ = 1;
    Index columns_ = 1;  ///< of a line
    bool fills_ = false;  ///< its room, however large
};

/// As it is drawn: on the fewest lines on which type of the least size of labels has room, as large as that
/// allows, that of labels at most; on those that leave it largest where it has room on none.
TreePlan tree_in_room(const Tree& tree, const QSizeF& room, const FigureStyle& style, double unit);

}  // namespace headlight
