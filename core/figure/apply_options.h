#pragma once

#include "core/figure/figure.h"

namespace headlight {

/// The matrix that a figure is about, of which a person chooses and marks rows, columns and cells: the one in
/// focus, else the first. Null where there is none.
const Panel* leading_map(const Figure& figure);

/// Whether the panel is one that letters tell from others.
bool stands_in_figure(const Panel& panel);

/// "(a)" of 0, "(z)" of 25, "(aa)" of 26: as the columns of a spreadsheet go on.
std::string panel_letter(Index number);

/// Returns how many rows a person chooses from: those of the matrix that the panel is a page of, if it is
/// one.
inline Index rows_to_choose(const Panel& panel) { return panel.of_rows > 0 ? panel.of_rows : panel.rows; }
inline Index columns_to_choose(const Panel& panel) {
    return panel.of_columns > 0 ? panel.of_columns : panel.columns;
}

/// How many heads a person can choose from.
Index heads_to_choose(const Figure& figure);

/// What settings.options ask of a figure that the view has made; without any the figure stays as it is.
/// Heads, rows and columns that it lacks are passed over, all of them where none is left. A range that
/// follows the numbers follows those of the chosen cells. Of views that draw several heads, panel_columns of
/// them stand in a row. Throws Error where labels cannot be searched (TokenPattern).
void apply_options(Figure& figure, const ViewSettings& settings);

}  // namespace headlight
