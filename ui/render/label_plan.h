#pragma once

#include "core/figure/figure.h"
#include "ui/render/figure_style.h"

#include <QString>

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace headlight {

/// How wide the longest labels of a panel are, in ems: of all of them, or of those that are drawn when only
/// every stride-th fits. Copies share what is measured, for panels of a figure often share their labels. The
/// panel must outlive it.
class LabelExtents {
public:
    LabelExtents() = default;
    LabelExtents(const Panel& panel, const QString& family);

    double rows(int stride = 1) const;
    double columns(int stride = 1) const;

private:
    struct Measured {
        const AxisLabels* axis;
        Index extent;
        bool some_strong;  ///< one of the labels is drawn bold
        QString family;
        std::map<int, double> by_stride;
        double width(int stride);
    };
    std::shared_ptr<Measured> rows_, columns_;
};

/// How a panel's labels and numbers fit cells of a given size. Lengths are in the units of the area.
struct LabelPlan {
    double size = 0;                       ///< of the token labels
    double row_width = 0;                  ///< of the longest row label, cut to what may be spent on it
    double column_height = 0;              ///< of the band that the column labels take
    double row_rest = 0, column_rest = 0;  ///< what the longest label needs beyond that: it is cut
    double column_angle = 0;
    int row_stride = 1, column_stride = 1;
    int row_apart = 1, column_apart = 1;  ///< so many rows or columns are enough between two labels
    bool rows_by_place = false, columns_by_place = false;  ///< named by their numbers: see drawn_axis()
    bool values = false;
    double value_size = 0;
    int value_decimals = 2;
};

/// How many decimals numbers of cells have, where the person asked for none.
enum class Decimals {
    as_many_as_fit,  ///< as papers print weights: up to four in wide cells
    usual_or_all,    ///< no other number between: on a screen cells change their size by a few pixels
    usual            ///< for a class: from one picture to the next the same number is the same
};

struct LabelRoom {
    double cell_width, cell_height;             ///< of lines the latter is that of a row on their left
    double most_row_width, most_column_height;  ///< longer labels are elided
    bool slanted;                               ///< column labels may stand at 45 degrees
    Decimals decimals = Decimals::as_many_as_fit;
    bool beside_differences = false;  ///< maps and how they differ, which are read beside one another
};

LabelPlan plan_labels(const Panel& panel, const LabelExtents& extents, const FigureStyle& style, double unit,
                      const LabelRoom& room);

/// The axis with the labels that are drawn: `by_place` its numbers, which say more than one word in very
/// many.
AxisLabels drawn_axis(const AxisLabels& axis, bool by_place);
/// The label of a row or column: its token, or its number from 1.
QString label_text(const AxisLabels& axis, Index at);
/// Whether a label is one character, which stands upright wherever it has room.
bool is_character(const QString& label);
/// The title of an axis without what ours explains in brackets: "key" of "key (what is looked at)",
/// "distance" of "distance (tokens)".
QString short_axis_title(const AxisLabels& axis);
/// Whether it is drawn as unknown to the word vectors.
bool is_marked(const AxisLabels& axis, Index at);
/// Whether a person wants it not to be written.
bool is_hidden(const AxisLabels& axis, Index at);
/// Whether the label of a row or column is drawn when only every stride-th fits: those of `always`, the
/// foremost first, before which all that have no room beside them give way. Numbers keep 1 and the multiples.
/// A part keeps those of the whole, and its first where it has none of them; `extent` is its length. `apart`
/// is how far from one of `always` a label has room, where that is less than the stride, a round number.
bool label_shows(const AxisLabels& axis, Index at, Index extent, int stride,
                 std::span<const std::optional<Index>> always, std::optional<Index> apart = {});
bool label_shows(const AxisLabels& axis, Index at, Index extent, int stride,
                 std::initializer_list<std::optional<Index>> always = {}, std::optional<Index> apart = {});

}  // namespace headlight
