#pragma once

#include "core/figure/figure.h"
#include "ui/render/flow_form.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace headlight {

/// Where a figure's panels and cells lie in an area: worked out once per size, then used to paint and to
/// hit-test. Rectangles are empty where there is nothing to draw.
struct PanelLayout {
    QRectF frame;     ///< with title and labels
    QRectF title;     ///< title and subtitle
    QRectF cells;     ///< the matrix alone (for lines: between the two columns of tokens)
    QRectF row_sums;  ///< empty when there are none
    QRectF row_label_area, column_label_area;
    QRectF row_title, column_title;  ///< of the axes
    QRectF legend;                   ///< of lines of several heads and of texts: what the colours mean
    QRectF operation;                ///< what joins it to the panel before it
    QRectF colour_bar;               ///< its own, where the figure has none for all
    QRectF bar_numbers;              ///< the room of the numbers below that bar
    bool subtitle_beside = false;    ///< in line with the title, behind it
    QStringList title_lines;
    QStringList subtitle_lines;        ///< below the title; none where it is left out
    bool column_title_beside = false;  ///< left of the column labels, in the corner of both axes
    bool row_labels = true, column_labels = true;
    bool operation_on_one_line = false;  ///< above the panel
    double label_size = 9;               ///< of the token labels, in the units of the area
    double column_angle = 0;             ///< of the column labels, in degrees: 0, 45 or 90 (reading upwards)
    int row_stride = 1, column_stride = 1;                 ///< every how many-th label fits
    int row_apart = 1, column_apart = 1;                   ///< the same before it is a round number
    bool rows_by_place = false, columns_by_place = false;  ///< named by their numbers: see drawn_axis()
    bool values = false;                                   ///< numbers fit in the cells
    double value_size = 0;                                 ///< of those numbers
    int value_decimals = 2;
    QRectF plot;                 ///< of points: inside the axes; of curves: with what stands around them
    std::vector<QRectF> parts;   ///< of a flow: [node]
    FlowForm flow_form;          ///< in which they stand
    std::vector<QRectF> tokens;  ///< of a text: [token], empty for those of other pages
    std::vector<Qt::LayoutDirection> token_directions;  ///< of a text: [token], in which it is written
    int text_page = 1, text_pages = 1;                  ///< from 1
};
/// A title that stands over several panels.
struct TitleOver {
    QRectF area;
    std::string text;
};
struct FigureLayout {
    QRectF area, title, subtitle, caption, colour_bar;
    QRectF row_title, column_title;  ///< of the axes, where all panels share them
    QRectF motion;                   ///< the words of a moment
    bool has_marked_labels = true;   ///< room for the label of some word that the word vectors do not know
    std::vector<PanelLayout> panels;
    std::vector<TitleOver> titles_over;
};

/// What lies under a point.
struct CellHit {
    Index panel = 0;
    std::optional<Index> row, column;  ///< absent over a title or a thumbnail; one of them over a label
};

/// The notes of the figure, whether or not they stand under it, without those on what the layout has no room
/// for.
std::string drawn_caption(const Figure& figure, const FigureLayout& layout);

/// `unit` is the size of one typographic point in the area's units: 1 for PDF, dpi/72 for pixels.
FigureLayout layout_figure(const Figure& figure, const QRectF& area, double unit);

struct FittedLayout {
    double unit = 1;
    FigureLayout layout;
};

/// With `unit`, or a smaller one where type of that size would leave the matrices too little of the area to
/// be read: the matrix is what a person came for, so titles and labels give way first, down to the share of
/// their size that the theme allows. `enough` is the share of the area that the matrices are to have. With a
/// larger unit where cells are large: labels grow to a fifth of a cell, as far as the theme lets text grow;
/// so does the text of a map of parts that is alone and has room.
inline constexpr double enough_of_area = 0.16;
FittedLayout fit_layout(const Figure& figure, const QRectF& area, double unit,
                        double enough = enough_of_area);

void paint_figure(QPainter& painter, const Figure& figure, const FigureLayout& layout, double unit);

/// Returns where the cell of a panel lies, or so many from it on; `cells` is where all of them do.
QRectF area_of_cells(const Panel& panel, const QRectF& cells, Index row, Index column, Index rows = 1,
                     Index columns = 1);

/// Where the points of a panel lie in its plot.
class PointsPlot {
public:
    PointsPlot(const HeadMarks& marks, const QRectF& area);

    double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
    double x(double value) const;
    double y(double value) const;
    QPointF place(std::size_t mark) const;
    /// Returns the radius of a point; smaller where there are many, or where the plot is small for them.
    double radius(double unit) const;

private:
    const HeadMarks& marks_;
    QRectF area_;
};

/// Returns the cell of a mark in a mosaic.
QRectF mosaic_cell(const Panel& panel, const QRectF& cells, std::size_t mark);

/// Returns the mark of a mosaic or of points that is there, by its place in HeadMarks::heads.
std::optional<std::size_t> mark_at(const Panel& panel, const PanelLayout& place, QPointF point);

std::optional<CellHit> hit_test(const Figure& figure, const FigureLayout& layout, QPointF point);

/// Units to a point that are fine enough for a layout of paper: type rounded to whole ones does not show
/// there.
inline constexpr double fine_units = 16;

/// The size in points at which the figure is comfortable to read.
QSizeF natural_size(const Figure& figure);

/// The height in points that the figure needs when it is `width` points wide.
double natural_height(const Figure& figure, double width);

/// What panels have of a width.
struct PanelRoom {
    /// The longer side of the smallest matrix, in points that grow with the figure's lengths; 0 where a
    /// matrix with its labels and axis titles has no room, or is too small to be a picture.
    double side = 0;
    bool cuts_titles = false;  ///< of panels that a person put together
};

/// Returns the room of the panels when the figure is `width` points wide.
PanelRoom room_in_width(const Figure& figure, double width);

inline bool has_room(const Figure& figure, double width) { return room_in_width(figure, width).side > 0; }

}  // namespace headlight
