#pragma once

#include "core/figure/figure.h"
#include "ui/render/figure_style.h"

#include <QRectF>
#include <QString>

#include <vector>

namespace headlight {

/// Where the tokens of a text lie in lines, like words on a page: from the right in a text that runs from
/// there, and what runs the other way in its own order.
struct TextFlow {
    double size = 0;                              ///< of the type
    std::vector<QRectF> tokens;                   ///< [column] of the panel; empty for those of other pages
    std::vector<Qt::LayoutDirection> directions;  ///< [column], in which a token is written
    int page = 1, pages = 1;  ///< a text that has no room even in the smallest type is parted; from 1
};

/// In type from `style.label` or somewhat larger down to the smallest that is read; the page that has the
/// selected token.
TextFlow flow_text(const Panel& panel, const QRectF& area, const FigureStyle& style, double unit);

/// Returns the height of all lines of the text in type of this size.
double text_height(const Panel& panel, double width, double size, const FigureStyle& style);

/// The largest number of a row that is finite, 0 where there is none.
double most_of_row(const Panel& panel, Index row);

/// What the two colours of a text mean, below it: beside one another, or below where that is too wide.
struct TextLegend {
    QString looks, seen;      ///< empty where nothing has the colour
    bool is_stacked = false;  ///< each has a line
    double size = 0;          ///< of the type
    double height = 0;        ///< with the gap above
};
TextLegend text_legend(const Panel& panel, double width, const FigureStyle& style, double unit);

/// How a token is written within a text: without the signs by which tokenizers mark where words begin.
QString written_token(const Panel& panel, Index column);

}  // namespace headlight
