#pragma once

#include "core/figure/flow.h"

#include <vector>

namespace headlight {

/// A long flow in rows, as a text is in lines: its columns go on below, from the left. An arrow to the next
/// row leaves this one at the right, runs back between the two, and comes in at the left; where no other lies
/// outside of it, it goes down beside rows that it would only pass.
class FlowRows {
public:
    /// Every column in one row.
    explicit FlowRows(const Flow& flow);
    /// So many rows, the widest of which is as narrow as can be. `widths` and `gaps` are of the columns, a
    /// gap at the left of each. Each edge has its lines in the columns that it passes.
    FlowRows(const Flow& flow, Index rows, const std::vector<double>& widths,
             const std::vector<double>& gaps);

    Index count() const { return static_cast<Index>(rows_.size()); }
    Index row_of(Index column) const { return row_of_[static_cast<std::size_t>(column)]; }
    /// Which of its row's columns it is, from 0.
    Index place_in_row(Index column) const { return column - first(row_of(column)); }
    Index first(Index row) const { return at(row).first; }
    Index last(Index row) const;
    /// How many columns the longest row has.
    Index most_columns() const;
    /// The lines of the flow that the row has parts or arrows in.
    double top(Index row) const { return at(row).top; }
    double lines(Index row) const { return at(row).bottom - at(row).top; }
    /// The edges that go on in the next row, by their numbers, from the highest line on.
    const std::vector<Index>& crossing(Index row) const { return at(row).crossing; }
    /// The column that an edge comes to behind that one: the next, or where it passes rows beside them the
    /// first of the row that it leads to.
    Index next_column(const Flow& flow, const Flow::Edge& edge, Index column) const;
    /// The most that any row has.
    Index most_crossing() const;

private:
    struct Row {
        Index first = 0;  ///< column
        double top = 0, bottom = 0;
        std::vector<Index> crossing{};
    };
    const Row& at(Index row) const { return rows_[static_cast<std::size_t>(row)]; }

    std::vector<Row> rows_;
    std::vector<Index> row_of_;  ///< [column]
};

/// The line that an edge has in a column: that of its part there, or of its way.
double line_in_column(const Flow& flow, const Flow::Edge& edge, Index column);

}  // namespace headlight
