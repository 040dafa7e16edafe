#pragma once

#include "core/attention/explain.h"
#include "core/figure/forbidden_by.h"
#include "core/figure/words.h"
#include "ui/views/cell_place.h"

#include <string>
#include <vector>

namespace headlight {

/// One query's weights over all keys, with what they amount to.
struct RowReport {
    Index query = 0;
    std::vector<double> weights;  ///< [key]
    std::vector<double> drawn;    ///< [key], through a lens, NaN for hidden keys; empty where that is clear
    std::optional<double> hidden_mass;   ///< the share of its weights that the row gave to hidden keys
    std::vector<ForbiddenBy> forbidden;  ///< [key]
    std::vector<Index> by_weight;        ///< keys, the largest that is drawn first; ties in order
    /// The sum of the weights that are known; where heads or layers are pooled, of those that are drawn, as
    /// what follows is.
    double sum = 0;
    Index unknown = 0;  ///< how many weights the file does not have, as those of sparse rows
    /// No weight is negative and they sum to 1, or less where something else has its share: only then is
    /// there an entropy.
    bool is_shares = false;
    double entropy_bits = 0;  ///< of the weights divided by their sum; 0 when there is none
    double effective_keys =
        0;  ///< 2^entropy: as if so many keys shared the weight evenly; 0 when there is none
    bool fully_masked = false;
    std::vector<double> context;  ///< [d_v] of the head; empty when the trace has none
};

/// Every query's weight for one key: who looks at it.
struct ColumnReport {
    Index key = 0;
    std::vector<double> weights;         ///< [query]
    std::vector<double> drawn;           ///< [query], as in a row
    std::vector<ForbiddenBy> forbidden;  ///< [query]
    std::vector<Index> by_weight;        ///< queries, the largest that is drawn first; ties in order
    double sum = 0;                      ///< of the weights that are known
    Index unknown = 0;                   ///< as in a row
};

/// Everything worth saying about a place in a trace.
struct CellReport {
    CellPlace place;
    MatrixAxes axes;
    std::string query_label;              ///< of a cell of the energy, which belongs to a pair; else empty
    std::string row_label, column_label;  ///< tokens, or numbers counted from 1
    std::string row_word, column_word;    ///< what these numbers count, where it is no feature: "seed"
    bool row_unknown = false, column_unknown = false;  ///< not in the word vectors
    ForbiddenBy forbidden;                             ///< of a cell of a pair
    std::vector<ArithmeticStep> steps;                 ///< of a cell
    std::optional<RowReport> row;        ///< of the query that the place, else the selection, names
    std::optional<ColumnReport> column;  ///< in its place where the place names a key and nothing else
};

// Without a plan, of numbers that were captured, nobody knows how they came about, or what a mask forbade.

/// Row and column also as they are drawn through the lens, where it can be told. Throws Error when the trace
/// has no such stage or cell.
CellReport report_cell(const Plan* plan, const Trace& trace, const CellPlace& place,
                       const Selection& selection, const WeightLens& lens = {});

/// What a side of the place's stage counts, where it is neither tokens nor features: "seed"; else empty.
std::string side_word(const Trace& trace, const CellPlace& place, Axis axis, MatrixSide side);

/// Where a site of a run has a name of its own for the stage, as for encoder states, the arithmetic says it
/// as well: a plan does not know whose vectors it reads.
void name_steps_at(CellReport& report, const std::string& site);

/// A head's weights of one query. Throws Error when the trace has no weights or no such row.
RowReport report_row(const Plan* plan, const Trace& trace, const std::string& site, Index head, Index query);

/// The same of one key.
ColumnReport report_column(const Plan* plan, const Trace& trace, const std::string& site, Index head,
                           Index key);

}  // namespace headlight
