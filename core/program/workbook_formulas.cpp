// The numbers of elements in words of OpenFormula, which read other cells by their addresses.

#include "core/program/workbook_formulas.h"

#include "core/graph/operation.h"
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
        if (description.cell.form == CellSpelling::Form::reduction)
            return reduced(x, at);
        if (description.cell.form == CellSpelling::Form::running)
            return {std::string(description.cell.word) + '(' +
                    range(block_of(operand(0)), {at.head, at.row, 0}, at) + ')'};
        switch (node.operation) {
        case Operation::number:
            return number_words(node.number);
        case Operation::tensor:
            return {address(block_of(x), at)};
        case Operation::sum_of_pairs:
            return {"SUMPRODUCT(" + of_pair(operand(0), at).words + ')'};
        case Operation::descending:
            return {"LARGE(" + row_range(operand(0), at.head, at.row) + ';' + std::to_string(at.column + 1) +
                    ')'};
        case Operation::rank:
            return rank(operand(0), at);
        case Operation::product: {
            const std::string left = row_range(operand(0), at.head, at.row);
            const std::string right = column_range(operand(1), at.head, at.column);
            if (operand(0).extent().columns == 1)
                return {left + '*' + right, multiplied};
            return {"MMULT(" + left + ';' + right + ')'};
        }
        case Operation::product_transposed:
            return {"SUMPRODUCT(" + row_range(operand(0), at.head, at.row) + ';' +
                    row_range(operand(1), at.head, at.column) + ')'};
        case Operation::inverse: {
            const TensorCells& block = block_of(operand(0));
            const std::string matrix =
                range(block, {at.head, 0, 0}, {at.head, extent.rows - 1, extent.columns - 1});
            return {"INDEX(MINVERSE(" + matrix + ");" + std::to_string(at.row + 1) + ';' +
                    std::to_string(at.column + 1) + ')'};
        }
        case Operation::mix_heads:
            return mixture(x, at);
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
        const auto extreme = [&](const CellSpelling& spelling, char sign) {
            return is_array  // MIN and MAX of an array are one number
                       ? "IF(" + within(part(node.operands[0]), added) + sign +
                             within(part(node.operands[1]), added) + ';' + words(0) + ';' + words(1) + ')'
                       : spelling.word + ('(' + words(0)) + ';' + words(1) + ')';
        };
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
        switch (node.operation) {
        case Operation::negate:
            return {"(-" + within(part(node.operands[0]), whole) + ')'};
        case Operation::logarithm_of_more:  // which spreadsheets have as half of this alone
            return {"2*ATANH(" + within(part(node.operands[0]), multiplied) + "/(2+" +
                        within(part(node.operands[0]), multiplied) + "))",
                    multiplied};
        case Operation::minimum:
            return {extreme(spelling, '<')};
        case Operation::maximum:
            return {extreme(spelling, '>')};
        case Operation::both:
            return {is_array ? '(' + words(0) + ")*(" + words(1) + ')'
                             : spelling.word + ('(' + words(0)) + ';' + words(1) + ')',
                    is_array ? multiplied : whole};
        default:
            throw Error({"write a spreadsheet", std::string(description.name), "an operation on elements",
                         "another"});
        }
    }

    static CellFormula number_words(double number) {
        const std::string text = formula_number(number);
        return {number < 0 ? '(' + text + ')' : text};
    }

    /// What of an array formula along the columns of a row, or along the rows of a column.
    CellFormula along(const Expression& x, bool is_row, Place at) const {
        if (x->operation == Operation::number)
            return number_words(x->number);
        if (x->operation == Operation::tensor)
            return {is_row ? row_range(x, at.head, at.row) : column_range(x, at.head, at.column)};
        return combined(*x, true, [&](const Expression& part) { return along(part, is_row, at); });
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

    CellFormula reduced(const Expression& x, Place at) const {
        const Expression& operand = x->operands.front();
        const OperationDescription& description = description_of(x->operation);
        const std::string function = description.cell.word;
        const std::string words = along(operand, description.along == AlongAxis::columns, at).words;
        if (operand->operation == Operation::tensor)
            return {function + '(' + words + ')'};
        return {function == "SUM" ? "SUMPRODUCT(" + words + ')'
                                  : "SUMPRODUCT(" + function + '(' + words + "))"};
    }

    CellFormula mixture(const Expression& x, Place at) const {
        const TensorCells &mixing = block_of(x->operands[0]), &maps = block_of(x->operands[1]);
        std::string sum;
        for (Index head = 0; head < maps.extent.heads; ++head)
            sum += (head > 0 ? "+" : "") + address(mixing, {0, at.head, head}) + '*' +
                   address(maps, {head, at.row, at.column});
        return {sum, added};
    }

    CellFormula rank(const Expression& tensor, Place at) const {
        const TensorCells& block = block_of(tensor);
        const std::string own = address(block, at);
        const std::string larger = "SUMPRODUCT((" + row_range(tensor, at.head, at.row) + '>' + own + ")*1)";
        if (at.column == 0)
            return {larger};
        return {larger + "+SUMPRODUCT((" +
                    range(block, {at.head, at.row, 0}, {at.head, at.row, at.column - 1}) + '=' + own + ")*1)",
                added};
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
