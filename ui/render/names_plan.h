#pragma once

#include "core/figure/figure.h"

#include <QRectF>
#include <QSizeF>
#include <QString>

#include <vector>

namespace headlight {

struct FigureStyle;

/// Where the names of a table stand in an area, in type of one size: columns are as wide as their widest
/// name, so that no two can meet.
class NamesPlan {
public:
    NamesPlan(const NameTable& table, double size, const QString& family);

    double size() const { return size_; }
    /// The least that it needs.
    double width() const { return title_width_ + sum(column_widths_); }
    double height() const { return header_height() + sum(row_heights_); }
    bool fits(const QSizeF& room) const { return width() <= room.width() && height() <= room.height(); }

    // With more room the columns are wider and the rows higher.
    QRectF row_title(Index row, const QRectF& area) const;
    QRectF column_title(Index column, const QRectF& area) const;
    /// A line of a name.
    QRectF line(const NameTable::Name& name, std::size_t line, const QRectF& area) const;
    /// The border above a row; behind the last one, below it.
    double top_of_row(Index row, const QRectF& area) const;
    double left_of_column(Index column, const QRectF& area) const;

private:
    static double sum(const std::vector<double>& numbers);
    double header_height() const;
    double pitch() const;
    double between_rows(const QRectF& area) const;
    double between_columns(const QRectF& area) const;

    double size_, title_width_ = 0;
    std::vector<double> column_widths_, row_heights_;
};

/// As they are drawn: in type as large as the room allows, that of labels at most.
NamesPlan names_in_room(const NameTable& table, const QSizeF& room, const FigureStyle& style, double unit);

/// Before there is a font: the height in lines, and width to height.
double names_height(const NameTable& table);
double names_shape(const NameTable& table);

}  // namespace headlight
