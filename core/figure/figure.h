#pragma once

#include "core/figure/colour.h"
#include "core/figure/flow.h"
#include "core/figure/forbidden_by.h"
#include "core/figure/large_map.h"
#include "core/figure/motion_moment.h"
#include "core/figure/view_settings.h"
#include "core/image/picture.h"
#include "core/tensor/storage.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// One axis of a panel: its title and a label per row or column. Without labels they are numbered.
struct AxisLabels {
    std::string title;
    std::vector<std::string> labels;
    std::vector<bool> marked;    ///< drawn as "unknown to the word vectors"; empty when none is
    std::vector<bool> hidden{};  ///< not written; empty when all are
    std::string meaning{};       ///< the title that ours would be, where a person gave another
    Index first = 0;             ///< of a part: the place of its first row or column in the whole axis
    bool operator==(const AxisLabels&) const = default;
};

/// What a row or column of a panel is called by number, from 1, in the whole axis.
inline Index label_number(const AxisLabels& axis, Index at) { return axis.first + at + 1; }

/// The title that we give the axis, whatever a person calls it.
inline const std::string& own_title(const AxisLabels& axis) {
    return axis.meaning.empty() ? axis.title : axis.meaning;
}

/// The image that a panel's cells are patches of. The cells are then not the stage's matrix but one line of
/// it, laid out row by row: on the image, what one query looks at.
struct Overlay {
    std::shared_ptr<const Picture> picture;
    bool is_row = true;  ///< the cells are row `line` of the stage's matrix; else its column `line`
    Index line = 0;
    /// Queries are patches: `outlined` is the selected one, which looks. Else patches are keys alone, and it
    /// is the selected key.
    bool patches_look = true;
    Index outlined = 0;

    /// Row and column of the stage's matrix that a patch's cell shows.
    Index row(Index patch) const { return is_row ? line : patch; }
    Index column(Index patch) const { return is_row ? patch : line; }
    bool operator==(const Overlay&) const = default;
};

struct HeadOverview;
struct Thumbnail;

/// Heads as marks of a picture: the cells of a grid, each with a small map, or points.
struct HeadMarks {
    struct Head {
        std::string site;
        Index head = 0;
        std::string name;                ///< "layer 5, head 12"; empty where a cell of a grid has none
        std::string short_name;          ///< "5.12"
        const Thumbnail* map = nullptr;  ///< of a grid
        float whole = 1;                 ///< its numbers are drawn as shares of this one
    };
    std::vector<Head> heads;  ///< [mark]; of a grid [row, column]
    /// A grid: each map is drawn with so many cells, and those that have fewer are spread over them.
    Index map_rows = 0, map_columns = 0;
    std::shared_ptr<const HeadOverview> overview;  ///< whose the maps are
    bool are_named = false;                        ///< each cell; else rows and columns name it
    std::vector<double> x, y;                      ///< points: [mark]
    /// In a grid whose maps are framed by a statistic: how far each number is from the least to the largest
    /// of them, 0 to 1, [mark]; NaN where a head has none. Empty otherwise.
    std::vector<double> framed{};
    std::string frames_note{};  ///< what they mean, in a sentence
};

/// What the matrix of a panel of curves is drawn as: a line for each of its columns, against the x of its
/// rows.
struct Curves {
    std::vector<double> x;  ///< [row], rising
    std::string x_title, y_title;
    bool doubles = false;            ///< x are doublings and both axes logarithmic
    std::string unit;                ///< of y: "s", "B" or "%"; empty for none
    std::vector<std::string> notes;  ///< [column], behind the name of its line: "n¹·⁹⁸"; or empty
    /// [column], which colour and marker its line has: the same beside a panel that has more lines; or empty.
    std::vector<std::size_t> styles{};
    /// The highest that a linear axis of y has room for; lines that are not drawn to their end are lower.
    double y_end = 0;
    bool operator==(const Curves&) const = default;
};

/// What grows from a root, a node for each row of the panel's matrix; the first is the root.
struct Tree {
    struct Node {
        Index parent = -1;
        Index depth = 0, row = 0;  ///< its place in the picture
        std::string word;
        std::string number;      ///< beside it; may be empty
        bool is_kept = true;     ///< else drawn pale
        bool is_chosen = false;  ///< on the way that is pointed out
        enum class Bond { firm, loose, none };
        Bond bond = Bond::firm;  ///< to its parent: a line, a dashed one, or a pale one that says nothing
        std::string id{};        ///< of what it names; empty of what only has others below it
    };
    std::vector<Node> nodes;
    /// Its steps stay side by side, however small its type becomes; else they may go on several lines.
    bool is_on_one_line = false;
};

/// Names in the cells of a table, one below the other in each: the panel's numbers are how many.
struct NameTable {
    struct Name {
        std::string id;  ///< of what it names
        Index row = 0, column = 0;
        Index first_line = 0;            ///< in its cell
        std::vector<std::string> lines;  ///< as it is broken
    };
    std::vector<std::string> row_titles, column_titles;
    std::vector<Index> lines;  ///< [row]: of its fullest cell
    std::vector<Name> names;   ///< in the order of reading: row by row, and in each column by column
};

/// What is not drawn of lines: how many, and which part of the sum of all absolute numbers.
struct HiddenLines {
    Index count = 0;
    double hidden_sum = 0, sum = 0;

    HiddenLines& operator+=(const HiddenLines& other);
};

/// A matrix with everything that a reader needs to read it. A plain value: no fonts, no pixels, no Qt.
struct Panel {
    enum class Kind {
        heatmap,
        lines,
        mosaic,  ///< a cell is a head, drawn as its map
        points,  ///< a mark is a head, its number in `values` its colour; the axes have titles and no labels
        /// Columns are the tokens of a text, drawn as one: the first row of `values` is how much the selected
        /// token looks at each, the second how much each looks at it.
        text,
        curves,  ///< its columns are lines
        tree,    ///< its rows are nodes
        names,   ///< its cells are names
        flow,    ///< its rows are the parts of a flow
    };
    Kind kind = Kind::heatmap;

    std::string title;     ///< "Head 3"
    std::string subtitle;  ///< "softmax of each row"
    /// The title of lines that lie with those of other heads: "Weights, head 3 of 8", where `title` is that
    /// of all.
    std::string head_title;
    HiddenLines hidden_lines;  ///< by a person's choice, which are missing in `values`
    bool lies_over = false;    ///< in the place of the panel before it: lines of another head
    std::string site;
    std::string stage;  ///< with `head`, what a click on the panel selects
    Index head = 0;
    bool is_implied = false;  ///< weights that a linear layer never forms: headlight::is_implied()

    /// The stage's matrix with rows and columns exchanged: the keys in "query × keyᵀ". Row r, column c of the
    /// panel is then row c, column r of the stage.
    bool transposed = false;

    Index rows = 0, columns = 0;
    /// Where a person chose a part of the stage's matrix: of how many rows and columns; 0 where nobody chose.
    Index of_rows = 0, of_columns = 0;
    Storage<const double> values;   ///< [row, column]; NaN is drawn as missing, -infinity as forbidden
    std::optional<LargeMap> large;  ///< in place of values
    AxisLabels row_axis, column_axis;
    ColourScale scale;
    std::string
        scale_of;  ///< the stage whose colours it has, with others of its kind; empty where nobody says
    bool has_own_scale =
        false;  ///< fitted to its own numbers alone; another's ends may be the same by chance

    std::vector<std::uint8_t> forbidden;  ///< [row, column], 1 = the pair may not meet (hatched); or empty
    ForbiddenBy forbidden_by{};           ///< whoever forbids these, or some of a large map
    bool is_forbidden_in_one = false;     ///< of a difference: some pair is forbidden to one of the two alone
    std::vector<std::uint8_t> by_hand;    ///< [row, column], 1 = a person set it (marked corner); or empty
    /// The weight of the keys that it is drawn without, see without_keys(); nothing where none is, or nobody
    /// knows yet.
    std::optional<double> hidden_mass;
    /// It is one map made of those of so many heads; 0 of one head, and of a rollout.
    Index pooled_heads = 0;
    Index pooled_layers = 0;                 ///< the same of layers
    std::vector<double> row_sums;            ///< shown as an extra column when not empty
    std::vector<std::uint8_t> flagged_rows;  ///< [row], 1 = fully masked; or empty
    /// Decoding step: later rows are not drawn yet, the newest is framed. Colours stay those of the colour
    /// bar.
    std::optional<Index> newest_row;
    std::optional<Index> selected_row, selected_column;
    /// What has no number has a sign, however many there are: of a table, not of sparse rows.
    bool marks_gaps = false;
    bool values_in_cells = true;
    bool is_difference = false;         ///< of maps beside it: rather with fewer digits than without numbers
    std::optional<int> digits;          ///< of these behind the point; as many as fit if absent
    std::vector<MarkedCells> outlined;  ///< that a person points out
    std::vector<CellNote> notes;        ///< arrows and texts on its cells

    std::string operator_before;  ///< what joins it to the panel before it: "×", "= softmax", "→"
    double weight = 1;            ///< share of the width relative to the other panels of its row
    /// The shorter side of a cell, in sizes of a label, beyond which larger ones say no more in print: few of
    /// them then leave room free. 0: as large as there is room.
    double largest_cell = 0;
    bool in_focus = false;
    bool may_be_left_out = false;  ///< on screen, where the others would have too little room beside it
    bool thumbnail = false;        ///< in the strip above the others: small, without labels or numbers
    bool blank = false;            ///< its place stays empty
    std::optional<Overlay> overlay;
    std::shared_ptr<const HeadMarks> marks;  ///< of mosaics and points
    std::shared_ptr<const Curves> curves;
    std::shared_ptr<const Tree> tree;
    std::shared_ptr<const NameTable> names;
    std::shared_ptr<const Flow> flow;

    // Only in a figure of several panels:
    std::string letter;      ///< "(a)", where it does not stand in the title
    std::string over;        ///< a title that stands once over neighbours which have the same
    std::string bar_title;   ///< what its own bar shows the numbers of
    bool has_bar = true;     ///< its own, where its colours are not those of the bar of all
    double height = 1;       ///< of the row that it is in, relative to the others
    bool fills_row = false;  ///< with `blank`, behind the last panel of a row: takes no room
};

/// What its numbers are called, also where its title is that of all heads.
inline const std::string& own_title(const Panel& panel) {
    return panel.head_title.empty() ? panel.title : panel.head_title;
}

/// Whether its numbers have colours of a scale.
inline bool is_coloured(const Panel& panel) {
    return panel.kind != Panel::Kind::lines && panel.kind != Panel::Kind::curves &&
           panel.kind != Panel::Kind::tree && panel.kind != Panel::Kind::names &&
           panel.kind != Panel::Kind::flow;
}

/// A table of numbers with names: a line a name. Written out where a CSV is, not with each picture.
struct NumberTable {
    std::vector<std::string> titles;             ///< of the column of names, then of the numbers
    std::vector<std::string> names;              ///< [line]
    std::vector<std::optional<double>> numbers;  ///< [line, column]; nothing where there is none

    std::size_t columns() const { return titles.empty() ? 0 : titles.size() - 1; }
    bool operator==(const NumberTable&) const = default;
};

/// Panels on a grid, filled by rows, under one title, with one colour bar where their scales are the same.
struct Figure {
    std::string title;
    std::string subtitle;  ///< that a person gave, or what all panels share; those of panels are their own
    std::string caption;   ///< notes under the figure: the removed mass, unknown words, fully masked rows
    /// What a person set in the run, in words, also where no panel shows the cells; empty where nothing was.
    std::string changes;
    std::string hidden_tokens;  ///< the keys that it is drawn without, in words; empty where none is hidden
    bool hides_norms = false;   ///< what these had is a share of norms, not of weights
    std::vector<Panel> panels;
    Index columns = 1;
    Index of_heads = 0;  ///< how many there are to choose from, where the view draws those that are asked for
    /// As many rows of the grid stay together where its panels go on fewer columns; 0: they are not to.
    Index wrapped_rows = 0;
    bool columns_are_asked = false;  ///< by a person: its panels go on fewer only where they have no room
    /// On a screen: where the width alone decides how large the matrices of its one row are, their cells are
    /// higher than wide; wider than high where words or numbers have no room else, and then with texts closer
    /// to each other. Its numbers have the same decimals in cells of nearly the same size.
    bool uses_height = false;
    bool is_composed =
        false;  ///< of several views: rows are as wide as the widest where a panel may be wider
    LetterPlace letters_at = LetterPlace::title;
    bool show_colour_bar = true;
    std::string bar_title;  ///< what the numbers are, where they are not those of the stage itself
    /// A title of ours is left out where the bar is too short for it, one that a person gave is cut.
    enum class BarTitle { ours, given, none };
    BarTitle bar_titled = BarTitle::ours;
    /// The title of the panel in focus has the colour of what is selected: on a screen, and in a film that
    /// walks through panels. A picture shows no choice that nobody made for it.
    bool shows_focus = true;
    bool has_caption = true;       ///< drawn under it; `caption` has the notes in any case
    bool has_panel_titles = true;  ///< room for them, also where one is empty
    FigureType type;
    bool has_print_lengths = false;  ///< sizes of type, lines and gaps are those of print, whatever the theme
    double length_scale = 1;   ///< how much longer they are drawn, and whatever else has a size of its own
    bool transparent = false;  ///< without the theme's background, in files
    FigureTheme theme = FigureTheme::paper;
    std::string description;  ///< what it shows, in words: screen readers and the alt text of exports
    std::string session;      ///< JSON that brings this view back; embedded in exports
    NumberTable table;        ///< what there is to say in numbers beside the panels: a part of the CSV
    /// What is drawn over it at a moment of a motion, with room for words under it: an empty one keeps that
    /// room alone.
    std::optional<MotionMoment> motion{};
};

}  // namespace headlight
