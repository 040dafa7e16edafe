#pragma once

#include "core/graph/program.h"

#include <string>
#include <vector>

namespace headlight {

struct WorkbookCell {
    enum class Kind { empty, text, title, number, input, formula };
    Kind kind = Kind::empty;
    /// An input, which a reader may change, or the result of a formula, ±cell_infinity for infinity.
    double number = 0;
    std::string text = {};  ///< of a formula as OpenFormula has it, without the sign of equality
};

struct WorkbookSheet {
    std::string name;  ///< "Stages"
    std::vector<std::vector<WorkbookCell>> rows;
};

/// A program as cells: numbers that are given, and formulas that follow them, so that a changed number
/// changes every cell that depends on it. Minus infinity is -1E+300: spreadsheets have none.
struct Workbook {
    std::string title;
    std::vector<WorkbookSheet> sheets;
};

/// Throws Error for more than `most_formulas` cells with formulas, or more than `most_workbook_columns`
/// columns.
Workbook workbook(const Program& program);
inline constexpr Index most_formulas = 200'000;
inline constexpr Index most_workbook_columns = 1000;

/// Flat OpenDocument, the same bytes each time. Programs calculate its cells when they open it.
std::string write_fods(const Workbook& workbook);

/// "=MMULT(B2:E2; Parameters.B3:B6)": a formula as a person reads it.
std::string shown_formula(const WorkbookCell& cell);

/// "B3", of a cell counted from 0.
std::string cell_name(Index row, Index column);

}  // namespace headlight
