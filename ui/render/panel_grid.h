#pragma once

#include "ui/render/flow_form.h"
#include "ui/render/label_plan.h"
#include "ui/render/painter.h"

#include <QStringList>

#include <limits>
#include <optional>
#include <vector>

namespace headlight {

/// How the titles and the flows of a grid are drawn, for grids of the same figure in other units.
struct DecidedGrid {
    struct Titles {
        QStringList title, subtitle;
        double rest = 0;  ///< what they need beyond the matrix, in points
    };
    bool begin_above_labels = false;
    std::vector<Titles> titles;                  ///< of each panel on the grid
    std::vector<std::optional<FlowForm>> flows;  ///< likewise; nothing of other panels
};

/// The panels of a figure (without the strip) on their grid, with what belongs to all of them: axis titles
/// and the colour bar. Matrices of one row have one height, so that row i of a factor lies level with row i
/// of the product.
class PanelGrid {
public:
    /// `dense`: what may stand beside other texts takes no line of its own, for a row of matrices on a
    /// screen.
    PanelGrid(const Figure& figure, const FigureStyle& style, double unit, bool dense = false);

    /// As large as the room allows, with titles and flows as they are `decided`; nothing where this room
    /// alone decides how they are.
    void fit(double width, double height, const std::optional<DecidedGrid>& decided = {});
    /// As large as a figure of that width has room for, no matrix with larger cells than it wants: what is
    /// printed is as high as its panels need.
    void fit_width(double width);
    /// As large as is comfortable to read.
    void take_natural_size();
    /// Makes rows of texts that would be parted into pages higher, in all by no more than `spare`: up to
    /// where all of their lines have room in the size of labels, or in a smaller one that is still read.
    void give_texts_room(double spare);
    /// Makes texts that stand alone as high as their lines.
    void fit_texts();

    double width() const;
    double height() const;
    DecidedGrid decided() const;
    void place(QPointF top_left, FigureLayout& layout) const;

private:
    struct Item {
        std::size_t index;  ///< in figure.panels
        const Panel* panel;
        LabelExtents extents;
        double shape;
        double words_shape = shape;  ///< of words: what they need, whatever stands beside them
        /// A panel left of it has the same row labels, and none between them names other tokens.
        bool repeats_rows = false;
        bool after_blank = false;    ///< there is room for its row labels in the empty places left of it
        double operation = 0;        ///< width of the operator before it, left of it
        double operation_above = 0;  ///< the same on one line above it, where it begins a row
        double title_rest = 0;       ///< what the title needs beyond the matrix
        double bar_numbers = 0;  ///< width of the two numbers that its own bar has at least; 0 without one
        double bar_right = 0;    ///< what these need on the right of the matrix
        qsizetype title_lines = 1;
        int subtitle_lines = 0;
        bool subtitle_beside = false;            ///< behind the title
        std::optional<FlowForm> flow_form = {};  ///< nothing where this room decides it
        double tall = 1;                         ///< height of its row, relative to the others
        LabelPlan labels;
    };
    /// What titles give up where room is short.
    struct TitleWay {
        bool begin_above_labels = false;  ///< and what is said once is not repeated
        bool keeps_words = false;         ///< one that is wrapped has room for each of its words
        double most_width = std::numeric_limits<double>::infinity();
    };
    struct Sides {
        double left = 0, right = 0, top = 0, bottom = 0;
    };

    /// Between a matrix and its labels, in sizes of a label.
    static constexpr double label_gap = 0.45;
    /// In its size: what is longer is cut, whatever room there is.
    static constexpr double longest_label = 18;
    /// The least room of upright column labels, in their size: a word of six letters.
    static constexpr double least_label_room = 3.4;

    /// Returns how high the panels may become in a figure of that width: more rows, which are there where
    /// more columns have no room, may be higher, as long as they are on one page.
    double most_height(double width) const;
    bool has_largest_cells() const;
    double height_of_largest_cells() const;
    Index rows() const;
    const Item& item(Index row, Index column) const;
    bool exists(Index row, Index column) const;
    double scaled(double points) const { return points * unit_; }
    double type(double points) const;
    double cells_height(const Item& item) const { return cells_height_ * item.tall; }
    double row_shares() const;
    bool is_there(const Item& item) const { return !item.panel->fills_row; }

    bool draws_rows(const Item& item, Index column) const;
    bool draws_row_title(const Item& item, Index row, Index column) const;
    bool draws_columns(Index row) const {
        return shared_axes_ || (titles_.begin_above_labels && is_stacked_) ? row == 0 : true;
    }
    double corner_title_width(const Item& item, Index row) const;
    double bar_gap() const;
    bool draws_bar(const Item& item) const;
    /// Returns whether the item has one bar with a neighbour in its row.
    bool joins_bars(Index row, Index column) const;
    void choose_bars();
    void plan_bars();
    QRectF numbers_of_bar(const PanelLayout& place, Index row, Index column) const;
    double letter_room(const Item& item) const;
    /// Returns the height of the legend of lines of several heads: `right` is what hangs over on the right of
    /// them.
    double legend_height(const Item& item, double right) const;
    /// Returns the room of the titles that stand over neighbours.
    double over_room(Index row) const;
    /// Returns the room of the operator above the first panel of a row: left of it, it would take from the
    /// width of all.
    double operation_room(Index row) const;
    double panels_across() const;
    bool is_wider_than(double width, double unseen) const;
    void limit_labels(double width);
    void plan_roughly(double width, double height);
    /// Whether a title needs more than its matrix is wide.
    bool have_titles_rest() const;
    void wrap_titles(double width, double height);
    void choose_titles(double width, double height);
    void drop_repeated_rows(double width, double height);
    bool shape_trees(double width, double height);
    bool shape_flows(double width, double height);
    /// Nothing of other panels.
    std::optional<FlowForm> form_of_flow(const Item& item) const;
    bool shape_curves(double width);
    bool shape_points(double width);
    double left_of_points(double width) const;
    double below_points() const;
    void stretch();
    bool may_use_height() const;
    void use_height(double width, double height);
    void use_width(double width, double height);
    void use_width_for_numbers(double width, double height);
    void lengthen_labels(double width, double height);
    bool lower_rows_of_words();
    bool is_of_texts(Index row) const;
    bool are_texts_alone() const;
    void widen_texts(double width, double height);
    bool may_be_parted(const Item& item) const;
    void join_column_titles(Index row, FigureLayout& layout) const;
    void place_operation_above(const Item& item, const QRectF& area, FigureLayout& layout) const;
    void place_titles_over(Index row, double top, FigureLayout& layout) const;
    double title_spare(std::size_t number) const;
    double left_of_title(const Item& item, std::size_t number) const;
    double rest_of_title(std::size_t number, double room) const;
    DecidedGrid::Titles lines_of_titles(std::size_t number) const;
    void plan_titles(std::size_t number);
    void plan(double height);
    void settle(double width, double height);
    Sides sides(const Item& item, Index row, Index column) const;
    double right_side(const Item& item) const;
    double room_of_row_sums(const Item& item) const;
    double row_top(Index row) const;
    double row_bottom(Index row) const;
    /// What a row needs besides its matrices, and its matrices' width for a height of 1.
    double fixed_width(Index row) const;
    double width_per_height(Index row) const;
    double fixed_height() const;
    double shared_left() const;
    double shared_top() const;
    double bar_room() const;
    void join_bars(Index row, FigureLayout& layout) const;
    void place_panel(const Item& item, Index row, Index column, double x, double y,
                     FigureLayout& layout) const;
    void place_lines(const Item& here, const Sides& around, PanelLayout& place) const;
    /// `legend`: the height that it has.
    void place_text(const Panel& panel, double legend, PanelLayout& place) const;
    void place_labels(const Item& here, Index row, Index column, PanelLayout& place) const;

    const Figure& figure_;
    const FigureStyle& style_;
    double unit_;
    std::vector<Item> items_;
    Index columns_ = 1;
    bool shared_axes_ = false;   ///< labels only at the left and at the top, axis titles once
    bool rows_once_ = false;     ///< labels of rows that lie level are drawn at the first matrix only
    bool shared_scale_ = false;  ///< one colour bar
    ColourScale bar_scale_;      ///< of that one
    bool is_stacked_ = false;  ///< each panel has the labels of the one above it, as layers of one kind have
    bool is_dense_ = false;    ///< titles of columns and subtitles take no line of their own
    bool aligned_ = false;     ///< panels of one column stand exactly below one another
    TitleWay titles_;
    std::vector<DecidedGrid::Titles> written_;  ///< empty where the lines follow from this room
    double cells_height_ = 0;                   ///< of every matrix
    double most_cells_ = std::numeric_limits<double>::infinity();  ///< what it may be
    double most_row_width_ = 0;
    double most_column_height_ = std::numeric_limits<double>::infinity();
    double more_column_height_ = 0;  ///< for column labels that would be cut, where there is room
};

}  // namespace headlight
