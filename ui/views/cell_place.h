#pragma once

#include "core/attention/trace.h"
#include "core/figure/view_settings.h"
#include "core/map/map_source.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

/// A place in a stage's matrix: a cell, or a whole row or column when the other is absent (a token label).
struct CellPlace {
    std::string site;
    std::string stage;
    Index head = 0;
    std::optional<Index> row, column;
    /// In self-attention the tokens are keys and values too: in a picture that multiplies by them, their rows
    /// are keys.
    bool rows_are_keys = false;
    bool operator==(const CellPlace&) const = default;

    bool is_cell() const { return row && column; }
};

/// What the rows and the columns of a stage's matrix count, whatever is in front of them (a head).
struct MatrixAxes {
    Axis rows = Axis::query;
    Axis columns = Axis::key;
    bool operator==(const MatrixAxes&) const = default;
};
MatrixAxes matrix_axes(const Stage& stage, bool rows_are_keys = false);

/// The selection as a view shows it: a stage that was not recorded is the weights, views of maps show the
/// weights while a stage of another shape is selected (a comparison always), and at a decoding step no later
/// row has arrived.
Selection shown_selection(const Trace& trace, const ViewState& view);

/// The cell of the selected stage that the selection names; nothing when the trace has no such stage.
std::optional<CellPlace> selected_place(const Trace& trace, const Selection& selection);

/// `selection` moved to `place`: the stage, the head, and what its row and column mean. What `place` leaves
/// open stays.
Selection select_place(const Trace& trace, Selection selection, const CellPlace& place);

/// Where `place` is to be marked in the matrix of another stage: the query of a score is a row of the
/// queries, its key a row of the keys, a feature of the context the same feature of the values. Rows or
/// columns that have nothing to do with it stay empty.
CellPlace linked_place(const Trace& trace, const CellPlace& place, const std::string& stage, Index head,
                       bool rows_are_keys = false);

/// A stage with numbers for every pair of query and key: the energy.
bool is_of_pairs(const Stage& stage);

/// The row of Trace::matrix that a row of the stage's picture is. The energy of every pair is pictured one
/// query at a time: its row is then a key, of the query that is selected.
Index recorded_row(const Stage& stage, Index row, Index query);

/// A part of a head of a stage that is large, [block.rows, block.columns]; NaN throughout where it cannot be
/// read, as Trace::matrix() has it of others.
std::vector<double> large_numbers(const Trace& trace, const Stage& stage, Index head, const MapBlock& block);

/// The number at a cell; nothing when the trace has no such cell.
std::optional<double> number_at(const Trace& trace, const CellPlace& place, const Selection& selection);

/// The numbers of a row, a column or a cell of weights as a lens shows them, NaN where a key is hidden;
/// nothing of other numbers, and where they are shown as they are.
std::optional<std::vector<double>> drawn_weights(const Trace& trace, const CellPlace& place,
                                                 const WeightLens& lens);
/// What stands in the picture for a weight through a lens, where that is not the weight itself; nothing of
/// other numbers, and of hidden keys.
std::optional<double> drawn_weight(const Trace& trace, const CellPlace& place, const WeightLens& lens);

/// "river", or "4" where the trace has no labels: what a row or column of this kind is called.
std::string index_label(const TokenLabels& tokens, Axis axis, Index index);

}  // namespace headlight
