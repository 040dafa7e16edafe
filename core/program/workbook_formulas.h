#pragma once

#include "core/graph/expression.h"
#include "core/program/workbook.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace headlight {

/// Where a tensor lies: its matrices one below another, a row for each head's title between them.
struct TensorCells {
    std::size_t sheet = 0;
    Index row = 0, column = 1;
    Extent extent;

    Index row_of(Index head, Index at) const {
        return row + head * (extent.rows + (extent.heads > 0 ? 1 : 0)) + at;
    }
};

/// "0.5", "1E-07": a number as OpenFormula has it.
std::string formula_number(double number);

/// The number of an expression in one place as a formula, without the sign of equality. What it reads lies in
/// `blocks`, by the names of the tensors; what lies in the sheet `own` is named without its sheet.
std::string element_formula(const Expression& x, Place at, const std::map<std::string, TensorCells>& blocks,
                            const std::vector<WorkbookSheet>& sheets, std::size_t own);

}  // namespace headlight
