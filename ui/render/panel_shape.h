#pragma once

#include "core/figure/figure.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"

#include <QRectF>
#include <QStringList>

#include <optional>
#include <string>
#include <vector>

namespace headlight {

bool is_lines(const Panel& panel);

/// Whether its rows and columns are named beside it.
bool has_labels(const Panel& panel);
/// Whether a label beside a row of one is right for that row of the other; likewise of columns.
bool names_same_rows(const Panel& one, const Panel& other);
/// In a strip of steps one matrix names the rows of all, and each of them is at a row of its own: no label is
/// set apart.
bool names_rows_of_others(const Figure& figure, const Panel& panel);
/// The rows that are named wherever they are, the foremost first: of others too, where one matrix names the
/// rows of all.
std::vector<std::optional<Index>> named_rows(const Figure& figure, const Panel& panel);
bool names_same_columns(const Panel& one, const Panel& other);
/// Whether the rows of both are words, and other ones, as those of a source and of a target.
bool names_other_tokens(const Panel& one, const Panel& other);

/// Whether it may be wider than its shape says, where there is room.
bool is_elastic(const Panel& panel);

/// Whether it is words in type of one size, which need a certain area: a text, a tree.
bool is_of_words(const Panel& panel);

/// Width of the matrix for a height of 1. Cells are square as long as neither side gets out of hand; an image
/// keeps its shape.
double shape_of(const Panel& panel);

/// What the axes of curves enclose, where they and what stands around them have that area.
QRectF plot_of_curves(const Panel& panel, const QRectF& area, const FigureStyle& style, double unit);
/// How much higher curves of that width want to be, so that their names stand below them; 0 where they stand
/// beside them.
double height_of_names(const Panel& panel, double width, const FigureStyle& style, double unit);

/// A comfortable height of the panel's matrix, in cells that hold a number; the more rows, the smaller each.
double natural_cells(const Panel& panel, const FigureStyle& style);

/// What joins a panel to the one before it, written on one line: it stands above a panel that begins a row.
std::string on_one_line(std::string operation);

/// Between the numbers below one bar, and between those of neighbouring bars, which are read as two: in their
/// size.
inline constexpr double bar_number_gap = 0.5, bar_numbers_apart = 0.9;

/// The height of one line of a title, in its size.
inline constexpr double title_line = 1.3;
/// The panel's title as it is drawn in this width: in one line, in two where one would be cut, in up to five
/// where two would be.
QStringList title_lines(const Panel& panel, double width, const FigureStyle& style, double unit);
/// Whether a title has too little room on these lines, and is cut.
bool is_cut(const std::string& title, const QStringList& lines);
/// "Head 3": a word with its number, which are read at a glance.
bool is_short_and_numbered(const std::string& title);
/// Between a title and a subtitle behind it, in the size of the title.
inline constexpr double subtitle_gap = 0.6;
/// On how many lines its subtitle is drawn in this width: on three at most. On none where it is empty, and
/// where little more than a word of it would stand on each. Of a difference it says what is compared, which
/// stays.
int lines_of_subtitle(const Panel& panel, double width, const FigureStyle& style, double unit);
/// The subtitle on so many lines of this width.
QStringList subtitle_lines(const Panel& panel, double width, int lines, const FigureStyle& style,
                           double unit);
/// Whether the panel has a subtitle that has no room.
bool leaves_out_subtitle(const Panel& panel, const PanelLayout& place);

}  // namespace headlight
