#pragma once

#include "core/tensor/tensor.h"
#include "core/tensor/words.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// Neighbouring rows, or columns, of a matrix; from 0.
struct AxisSlice {
    Index first = 0, count = 0;
    bool operator==(const AxisSlice&) const = default;
};

/// A rectangle of cells, or one of 1 x 1, that a figure points out.
struct MarkedCells {
    AxisSlice rows, columns;
    bool operator==(const MarkedCells&) const = default;
};

/// A cell that an arrow or a text is at.
struct NotedCell {
    Index row = 0, column = 0;
    bool operator==(const NotedCell&) const = default;
};

/// What a person writes on a matrix: a text at a cell, or an arrow that ends there, with the text at its
/// start.
struct CellNote {
    NotedCell cell;
    std::optional<NotedCell> from;  ///< where the arrow starts
    std::string text;               ///< may be empty where there is an arrow
    bool operator==(const CellNote&) const = default;
};

/// One panel of a figure of several: its words by their names, {"view": "lines", "head": "2"}.
/// panel_words() says which there are.
using PanelWords = std::map<std::string, std::string>;

/// Where "(a)", "(b)", ... stand.
enum class LetterPlace {
    title,    ///< before the title, or in its place
    outside,  ///< left of the matrix, level with its title
    inside,   ///< in the first corner of the matrix
};

/// How the text and the lines of a figure are set, where that is not as its theme has it. In points.
struct FigureType {
    std::string font;                    ///< a family of the system; the program's own if empty
    std::optional<double> size;          ///< of labels; titles and captions keep their proportion to it
    std::optional<double> least_size;    ///< nothing is smaller: labels that do not fit are left out
    std::optional<double> line_width{};  ///< of frames; all other lines keep their proportion to it
    bool operator==(const FigureType&) const = default;
};

/// Which lines of the Lines view are drawn; see keep_chosen_lines().
struct LineChoice {
    std::optional<Index> most;  ///< the strongest of each query; all if absent
    double least = 0;           ///< no number that is smaller, whatever its sign
    bool operator==(const LineChoice&) const = default;
};

/// What an author wants otherwise than the program draws it by itself. Without any of it a figure is as the
/// view makes it.
struct FigureOptions {
    // In place of ours; an empty text leaves that title out. A subtitle stands under the figure's title, in
    // place of those of its matrices. The axes are those of the figure's leading matrix.
    std::optional<std::string> title, subtitle, x_title, y_title, bar_title;
    bool panel_titles = true;  ///< those of the matrices
    bool caption = true;       ///< the notes under the figure, for who writes a caption without them
    bool letters = false;      ///< "(a)", "(b)", ... of the matrices
    LetterPlace letters_at = LetterPlace::title;
    std::optional<int> digits;  ///< behind the point, of numbers in cells; as many as fit if absent
    bool colour_bar = true;
    bool transparent = false;  ///< no background in files
    FigureType type;
    std::vector<Index> heads;  ///< of views that draw several, in this order
    LineChoice lines;
    std::optional<AxisSlice> rows, columns;  ///< of the leading matrix and those of its size
    std::string hidden_labels;               ///< a TokenPattern: labels that it is found in are not written
    std::map<std::string, std::string> renamed;  ///< what stands in place of a label
    std::vector<MarkedCells> marks;              ///< of the leading matrix and those of its size
    std::vector<CellNote> notes;                 ///< likewise

    // Only in a figure of several panels, each a view of its own:
    std::vector<PanelWords> panels;      ///< in reading order; without any the figure is one view
    std::optional<Index> panel_columns;  ///< matrices in a row, unless a panel begins a new one
    bool one_scale = false;              ///< one for all matrices that have colours
    bool operator==(const FigureOptions&) const = default;
};

// What a file, a command line or a person may ask for.
inline constexpr int most_digits = 6;
inline constexpr double smallest_type = 2, largest_type = 72;      ///< points
inline constexpr double thinnest_line = 0.05, thickest_line = 10;  ///< points
inline constexpr Index most_lines_of_query = 1'000'000;
inline constexpr double largest_least_line = 1e6;
inline constexpr std::size_t longest_title = 1000;  ///< bytes
inline constexpr std::size_t most_listed = 1000;    ///< heads, marks, notes or renamed labels
inline constexpr std::size_t most_panels = 64;      ///< of a figure of several views

// How parts of it are written on the command line and in the window, where people count from 1. Nothing where
// a word is none.

/// "1,3-5"; empty for none.
std::string heads_word(const std::vector<Index>& heads);
std::optional<std::vector<Index>> heads_from_word(std::string_view word);
inline constexpr const char* heads_words = "heads by number from 1, each once, such as 1,3-5";

/// "3..17", the last one included.
std::string slice_word(const AxisSlice& slice);
std::optional<AxisSlice> slice_from_word(std::string_view word);
inline constexpr const char* slice_words = "the first and the last one, from 1, such as 3..17";

/// "3,5": row and column of a cell; "3-4,5-9" for a rectangle.
std::string mark_word(const MarkedCells& mark);
std::optional<MarkedCells> mark_from_word(std::string_view word);
inline constexpr const char* mark_words = "ROW,COLUMN, from 1, such as 3,5, or of a rectangle 3-4,5-9";

/// "3,5 the verb"; of an arrow "1,9>3,5 the verb", from the first cell to the second.
std::string note_word(const CellNote& note);
std::optional<CellNote> note_from_word(std::string_view word);
inline constexpr const char* note_words =
    "ROW,COLUMN and a text, from 1, such as \"3,5 the verb\", or for an arrow ROW,COLUMN>ROW,COLUMN";

/// "yes" or "no".
std::optional<bool> answer_from_word(std::string_view word);

/// "7pt", or "7".
std::optional<double> points_from_word(std::string_view word);
/// "0.05", from 0 to largest_least_line.
std::optional<double> least_line_from_word(std::string_view word);
/// "0.5pt", or "0.5".
std::optional<double> line_width_from_word(std::string_view word);

template <>
std::span<const Word<LetterPlace>> words();

}  // namespace headlight
