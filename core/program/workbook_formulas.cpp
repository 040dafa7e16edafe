// The numbers of elements in words of OpenFormula, which read other cells by their addresses.

#include "core/program/workbook_formulas.h"

#include "core/graph/operation.h"
#include "core/graph/pattern.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace headlight {
namespace {

constexpr std::string_view least_number = "-1E+300";

std::string column_name(Index column) {
    std::string name;
    for (Index left = column + 1; left > 0; left = (left - 1) / 26)
        name.insert(name.begin(), static_cast<char>('A' + (left - 1) % 26));
    return name;
}

using enum CellBinding;

struct CellFormula {
    std::string words;
    CellBinding binding = whole;
};

/// Says what the elements of expressions are, in words of OpenFormula.
class FormulaWriter {
public:
    FormulaWriter(const std::map<std::string, TensorCells>& blocks, const std::vector<WorkbookSheet>& sheets,
                  std::size_t own)
        : blocks_(blocks), sheets_(sheets), own_(own) {}

    /// The number of `x` in one place, as a formula.
    CellFormula element(const Expression& x, Place at) const {
        const ExpressionNode& node = *x;
        const Extent& extent = node.extent;
        at = {met_head(extent, at.head), extent.rows == 1 ? 0 : at.row, extent.columns == 1 ? 0 : at.column};
        const auto operand = [&](std::size_t i) -> const Expression& { return node.operands[i]; };
        const OperationDescription& description = description_of(node.operation);
        if (description.source) {
            const MovedElement moved = description.source(node, at);
            return element(operand(moved.operand), moved.place);
        }
        if (description.family == OperationFamily::elements)
            return combined(node, false, [&](const Expression& part) { return element(part, at); });
        if (node.operation == Operation::number)
            return number_words(node.number);
        if (node.operation == Operation::tensor)
            return {address(block_of(x), at)};
        const CellSpelling& spelling = description.cell;
        switch (spelling.form) {
        case CellSpelling::Form::reduction:
            return reduced(x, spelling.word, at);
        case CellSpelling::Form::running:
            return {spelling.word + ('(' + range(block_of(operand(0)), {at.head, at.row, 0}, at)) + ')'};
        case CellSpelling::Form::factors:
            return factors(x, at);
        case CellSpelling::Form::pattern:
            return placed(x, at);
        default:
            throw Error({"write a spreadsheet", std::string(description.name),
                         "an operation that has words in a cell", "none"});
        }
    }

private:
    const TensorCells& block_of(const Expression& tensor) const { return blocks_.at(tensor->tensor); }

    std::string sheet_of(const TensorCells& block) const {
        return block.sheet == own_ ? std::string() : '$' + sheets_[block.sheet].name;
    }
    std::string address(const TensorCells& block, Place at) const {
        return '[' + sheet_of(block) + '.' +
               cell_name(block.row_of(at.head, at.row), block.column + at.column) + ']';
    }
    std::string range(const TensorCells& block, Place from, Place to) const {
        if (from.row == to.row && from.column == to.column)
            return address(block, from);
        return '[' + sheet_of(block) + '.' +
               cell_name(block.row_of(from.head, from.row), block.column + from.column) + ":." +
               cell_name(block.row_of(to.head, to.row), block.column + to.column) + ']';
    }
    static Index met_head(const Extent& extent, Index head) { return extent.heads <= 1 ? 0 : head; }
    std::string row_range(const Expression& tensor, Index head, Index row) const {
        const TensorCells& block = block_of(tensor);
        const Index h = met_head(block.extent, head), r = block.extent.rows == 1 ? 0 : row;
        return range(block, {h, r, 0}, {h, r, block.extent.columns - 1});
    }
    std::string column_range(const Expression& tensor, Index head, Index column) const {
        const TensorCells& block = block_of(tensor);
        const Index h = met_head(block.extent, head), c = block.extent.columns == 1 ? 0 : column;
        return range(block, {h, 0, c}, {h, block.extent.rows - 1, c});
    }

    static std::string within(const CellFormula& held, CellBinding least) {
        return held.binding < least ? '(' + held.words + ')' : held.words;
    }

    /// An elementwise operation on what `part` says of its operands; `is_array`: each may be many numbers.
    template <class Part>
    static CellFormula combined(const ExpressionNode& node, bool is_array, const Part& part) {
        const auto words = [&](std::size_t i) { return part(node.operands[i]).words; };
        const OperationDescription& description = description_of(node.operation);
        const CellSpelling& spelling = description.cell;
        if (spelling.form == CellSpelling::Form::call) {
            std::string list;
            for (std::size_t i = 0; i < node.operands.size(); ++i)
                list += (i > 0 ? ";" : "") + words(i);
            return {spelling.word + ('(' + list) + ')'};
        }
        if (spelling.form == CellSpelling::Form::sign)
            return {within(part(node.operands[0]), spelling.binding) + spelling.word +
                        within(part(node.operands[1]), spelling.right),
                    spelling.binding};
        if (spelling.form != CellSpelling::Form::pattern)
            throw Error({"write a spreadsheet", std::string(description.name), "an operation on elements",
                         "another"});
        return filled(is_array && spelling.array.text ? spelling.array : spelling.pattern,
                      [&](const PatternPlace& place) {
                          const CellFormula of_operand = part(node.operands.at(place.operand.value()));
                          return within(of_operand, binding_of(place.word));
                      });
    }

    /// A pattern with what `part` says of its places.
    template <class Part>
    static CellFormula filled(const CellPattern& pattern, const Part& part) {
        CellFormula all{{}, pattern.binding};
        walk_pattern(
            pattern.text, [&](std::string_view words) { all.words += words; },
            [&](const PatternPlace& place) { all.words += part(place); });
        return all;
    }

    static CellBinding binding_of(std::string_view word) {
        return word == "whole"        ? whole
               : word == "multiplied" ? multiplied
               : word == "added"      ? added
                                      : compared;
    }

    static CellFormula number_words(double number) {
        const std::string text = formula_number(number);
        return {number < 0 ? '(' + text + ')' : text};
    }

    /// What of an array formula along the columns of a row, or along the rows of a column.
    CellFormula line_of(const Expression& x, bool is_row, Place at) const {
        if (x->operation == Operation::number)
            return number_words(x->number);
        if (x->operation == Operation::tensor)
            return {is_row ? row_range(x, at.head, at.row) : column_range(x, at.head, at.column)};
        return combined(*x, true, [&](const Expression& part) { return line_of(part, is_row, at); });
    }

    /// What of an array formula along the features of a query and a key.
    CellFormula of_pair(const Expression& x, Place at) const {
        if (x->operation == Operation::number)
            return number_words(x->number);
        if (x->operation == Operation::tensor)
            return {row_range(x, at.head, 0)};
        if (x->operation == Operation::left_row)
            return {row_range(x->operands.front(), at.head, at.row)};
        if (x->operation == Operation::right_row)
            return {row_range(x->operands.front(), at.head, at.column)};
        return combined(*x, true, [&](const Expression& part) { return of_pair(part, at); });
    }

    /// What a reduction goes along.
    std::string along(const Expression& x, Place at) const {
        return line_of(x->operands.front(), description_of(x->operation).along == AlongAxis::columns, at)
            .words;
    }

    CellFormula reduced(const Expression& x, const std::string& function, Place at) const {
        const bool is_sum = function == "SUM" && x->operands.front()->operation != Operation::tensor;
        const std::string words = '(' + along(x, at) + ')';
        return is_sum ? CellFormula{"SUMPRODUCT" + words} : of_arrays(x, {function + words});
    }

    /// SUMPRODUCT calculates with arrays: of one number it is that number.
    static CellFormula of_arrays(const Expression& x, CellFormula number) {
        if (x->operands.front()->operation == Operation::tensor)
            return number;
        return {"SUMPRODUCT(" + number.words + ')'};
    }

    CellFormula factors(const Expression& x, Place at) const {
        const TensorCells &left = block_of(x->operands[0]), &right = block_of(x->operands[1]);
        std::string sum;
        for (Index term = 0; term < left.extent.columns; ++term) {
            const auto [of_left, of_right] = description_of(x->operation).factors(*x, at, term);
            sum += (term > 0 ? "+" : "") + address(left, meeting(left.extent, of_left)) + '*' +
                   address(right, meeting(right.extent, of_right));
        }
        return {sum, added};
    }

    /// Words with places where operands lie.
    CellFormula placed(const Expression& x, Place at) const {
        const OperationDescription& description = description_of(x->operation);
        const CellSpelling& spelling = description.cell;
        const CellFormula all = filled(spelling.own ? spelling.own(*x, at) : spelling.pattern,
                                       [&](const PatternPlace& place) { return in_place(x, at, place); });
        const bool is_reduction =
            description.along != AlongAxis::none && description.family == OperationFamily::reduction;
        return is_reduction ? of_arrays(x, all) : all;
    }

    std::string in_place(const Expression& x, Place at, const PatternPlace& place) const {
        const std::string_view word = place.word;
        if (!place.operand && (word == "row" || word == "column"))
            return std::to_string((word == "row" ? at.row : at.column) + 1);
        const Expression& operand = x->operands.at(place.operand.value_or(0));
        if (word == "row")
            return row_range(operand, at.head, at.row);
        if (word == "row_of_column")
            return row_range(operand, at.head, at.column);
        if (word == "column")
            return column_range(operand, at.head, at.column);
        if (word == "along")
            return along(x, at);
        if (word == "pairs")
            return of_pair(operand, at).words;
        const TensorCells& block = block_of(operand);
        if (word == "cell")
            return address(block, at);
        if (word == "before")
            return range(block, {at.head, at.row, 0}, {at.head, at.row, at.column - 1});
        if (word == "matrix")
            return range(block, {at.head, 0, 0}, {at.head, block.extent.rows - 1, block.extent.columns - 1});
        throw Error({"write a spreadsheet", std::string(description_of(x->operation).name),
                     "a place that cells have words for", std::string(word)});
    }

    const std::map<std::string, TensorCells>& blocks_;
    const std::vector<WorkbookSheet>& sheets_;
    std::size_t own_;
};

}  // namespace

std::string formula_number(double number) {
    if (std::isinf(number))
        return std::string(number < 0 ? least_number : least_number.substr(1));
    std::array<char, 32> digits{};
    std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    std::ranges::replace(text, 'e', 'E');
    return text;
}

std::string element_formula(const Expression& x, Place at, const std::map<std::string, TensorCells>& blocks,
                            const std::vector<WorkbookSheet>& sheets, std::size_t own) {
    return FormulaWriter(blocks, sheets, own).element(x, at).words;
}

std::string cell_name(Index row, Index column) { return column_name(column) + std::to_string(row + 1); }

std::string shown_formula(const WorkbookCell& cell) {
    std::string text = "=";
    bool is_reference = false, is_start = false;
    for (const char c : cell.text) {
        if (c == '[' || c == ']') {
            is_reference = is_start = c == '[';
            continue;
        }
        const bool is_dot_of_own_sheet = is_reference && is_start && c == '.';
        is_start = c == ':';
        if (is_dot_of_own_sheet || (is_reference && c == '$'))
            continue;
        text += c;
        if (c == ';')
            text += ' ';
    }
    return text;
}

}  // namespace headlight
