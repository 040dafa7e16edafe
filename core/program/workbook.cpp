#include "core/program/workbook.h"

#include "core/graph/operation.h"
#include "core/graph/tensor_axes.h"
#include "core/program/evaluate.h"
#include "core/program/workbook_formulas.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// Its formula reads rows or columns of its operands, which must lie in cells.
bool reads_ranges(const OperationDescription& operation) {
    return operation.family == OperationFamily::row || operation.family == OperationFamily::matrices ||
           operation.family == OperationFamily::side;
}

class WorkbookWriter {
public:
    explicit WorkbookWriter(const Program& program) : program_(program) {
        book_.title = program.title;
        for (const char* name : {"Inputs", "Parameters", "Constants", "Stages"})
            book_.sheets.push_back({name, {}});
    }

    Workbook written() {
        for (const GivenTensor& tensor : program_.given())
            write_given(tensor);
        for (const ProgramPart& part : program_.parts())
            for (Index time = 0; time < part.times; ++time)
                for (const ProgramLine& line : part.assignments) {
                    const std::string step = part.times > 1 ? ", step " + std::to_string(time + 1) : "";
                    const Expression value = settled(line.value, line.name);
                    write_block(line.name, step, line.note, value);
                }
        std::erase_if(book_.sheets, [](const WorkbookSheet& sheet) { return sheet.rows.empty(); });
        return std::move(book_);
    }

private:
    static constexpr std::size_t parameters = 1, stages = 3;

    WorkbookCell& cell(std::size_t sheet, Index row, Index column) {
        auto& rows = book_.sheets[sheet].rows;
        if (std::ssize(rows) <= row)
            rows.resize(static_cast<std::size_t>(row + 1));
        auto& cells = rows[static_cast<std::size_t>(row)];
        if (std::ssize(cells) <= column)
            cells.resize(static_cast<std::size_t>(column + 1));
        return cells[static_cast<std::size_t>(column)];
    }

    /// Title, note and labels of a block below everything that the sheet has.
    TensorCells begun(std::size_t sheet, const std::string& name, const std::string& note,
                      const Extent& extent, const TensorAxes& axes) {
        if (extent.columns > most_workbook_columns)
            throw Error({"write a spreadsheet", name,
                         "at most " + std::to_string(most_workbook_columns) + " columns",
                         std::to_string(extent.columns)});
        const Index end = std::ssize(book_.sheets[sheet].rows), title = end == 0 ? 0 : end + 1;
        cell(sheet, title, 0) = {WorkbookCell::Kind::title, 0, name + ' ' + to_string(extent)};
        cell(sheet, title, 1) = {WorkbookCell::Kind::text, 0, note};
        const std::vector<std::string> heads = column_labels(sheet, extent, axes);
        for (std::size_t column = 0; column < heads.size(); ++column)
            cell(sheet, title + 1, static_cast<Index>(column) + 1) = {WorkbookCell::Kind::text, 0,
                                                                      heads[column]};
        TensorCells block{sheet, title + (heads.empty() ? 1 : 2), 1, extent};
        if (extent.heads > 0)
            ++block.row;
        for (Index head = 0; head < extent.matrices(); ++head) {
            if (extent.heads > 0)
                cell(sheet, block.row_of(head, 0) - 1, 0) = {WorkbookCell::Kind::text, 0,
                                                             "head " + std::to_string(head + 1)};
            for (Index row = 0; row < extent.rows; ++row)
                if (const std::string label = row_label(sheet, extent.rows, row, axes); !label.empty())
                    cell(sheet, block.row_of(head, row), 0) = {WorkbookCell::Kind::text, 0, label};
        }
        return block;
    }

    Index queries() const { return std::ssize(program_.tokens.query); }
    Index keys() const { return program_.tokens.key.empty() ? queries() : std::ssize(program_.tokens.key); }
    std::string key_label(Index key) const {
        const auto& labels = program_.tokens.key.empty() ? program_.tokens.query : program_.tokens.key;
        return key < std::ssize(labels) ? labels[static_cast<std::size_t>(key)] : std::string();
    }
    /// Above the columns: features by their number, keys by their tokens. Parameters have neither; where what
    /// an axis counts is not known, a matrix as large as the map is taken for one.
    std::vector<std::string> column_labels(std::size_t sheet, const Extent& extent,
                                           const TensorAxes& axes) const {
        std::vector<std::string> labels;
        const bool is_map = extent.columns == keys() && extent.rows == queries() && queries() > 0;
        if (sheet == parameters || extent.columns == 1)
            return labels;
        for (Index column = 0; column < extent.columns; ++column)
            if (axes.columns == CountedAxis::features)
                labels.push_back("feature " + std::to_string(column + 1));
            else if (is_map)
                labels.push_back(key_label(column));
        return labels;
    }
    std::string row_label(std::size_t sheet, Index rows, Index row, const TensorAxes& axes) const {
        if (rows == 1 || sheet == parameters || axes.rows == CountedAxis::features)
            return {};
        if (rows == queries())
            return program_.tokens.query[static_cast<std::size_t>(row)];
        return rows == keys() ? key_label(row) : std::string();
    }

    void write_given(const GivenTensor& tensor) {
        const std::size_t sheet = tensor.kind == GivenTensor::Kind::input       ? 0
                                  : tensor.kind == GivenTensor::Kind::parameter ? 1
                                                                                : 2;
        axes_[tensor.name] = axes_of(tensor);
        evaluation_.set(tensor.name, tensor.numbers);
        const TensorCells block = begun(sheet, tensor.name, tensor.note, tensor.extent, axes_[tensor.name]);
        const auto kind = tensor.kind == GivenTensor::Kind::constant ? WorkbookCell::Kind::number
                                                                     : WorkbookCell::Kind::input;
        std::size_t at = 0;
        for (Index head = 0; head < tensor.extent.matrices(); ++head)
            for (Index row = 0; row < tensor.extent.rows; ++row)
                for (Index column = 0; column < tensor.extent.columns; ++column)
                    cell(sheet, block.row_of(head, row),
                         block.column + column) = {kind, tensor.numbers[at++], {}};
        blocks_[tensor.name] = block;
    }

    /// The cells of a tensor; `step` follows its name in the title.
    void write_block(const std::string& name, const std::string& step, const std::string& note,
                     const Expression& value) {
        const Extent& extent = value.extent();
        formulas_ += extent.size();
        if (formulas_ > most_formulas)
            throw Error({"write a spreadsheet", name,
                         "at most " + std::to_string(most_formulas) +
                             " cells with formulas; fewer tokens, or narrower vectors",
                         "more"});
        const TensorAxes axes = axes_of(value, axes_);
        std::vector<double> numbers = evaluation_.numbers_of(value);
        auto number = numbers.begin();
        const TensorCells block = begun(stages, name + step, note, extent, axes);
        for (Index head = 0; head < extent.matrices(); ++head)
            for (Index row = 0; row < extent.rows; ++row) {
                Interruption::check();
                for (Index column = 0; column < extent.columns; ++column) {
                    std::string words =
                        element_formula(value, {head, row, column}, blocks_, book_.sheets, stages);
                    if (value->is_truth)
                        words = "IF(" + words + ";1;0)";
                    cell(stages, block.row_of(head, row),
                         block.column + column) = {WorkbookCell::Kind::formula, *number++, std::move(words)};
                }
            }
        axes_[name] = axes;
        evaluation_.set(name, std::move(numbers));
        blocks_[name] = block;
    }

    /// `x` as something that cells can say: what a formula reads in ranges lies in blocks of its own.
    Expression settled(const Expression& x, const std::string& name) {
        if (x->operation == Operation::solution)  // the search has cells of its own
            return settled(x->operands.front(), name);
        ExpressionNode node = *x;
        const OperationDescription& description = description_of(node.operation);
        for (Expression& operand : node.operands) {
            operand = settled(operand, name);
            if (description.family == OperationFamily::reduction)
                operand = of_cells(operand, name);
            else if (reads_ranges(description) && operand->operation != Operation::tensor)
                operand = helper(operand, name);
        }
        return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
    }

    /// What an array formula can say: elements of blocks.
    Expression of_cells(const Expression& x, const std::string& name) {
        const OperationFamily family = description_of(x->operation).family;
        if (family == OperationFamily::given || family == OperationFamily::side)
            return x;
        if (family != OperationFamily::elements)
            return helper(x, name);
        ExpressionNode node = *x;
        for (Expression& operand : node.operands)
            operand = of_cells(operand, name);
        return Expression(std::make_shared<const ExpressionNode>(std::move(node)));
    }

    Expression helper(const Expression& x, const std::string& name) {
        const std::string own = "part " + std::to_string(++helpers_) + " of " + name;
        write_block(own, "", "", x);
        return named_tensor(own, x.extent(), x->is_truth);
    }

    const Program& program_;
    Workbook book_;
    std::map<std::string, TensorCells> blocks_;
    std::map<std::string, TensorAxes> axes_;
    Evaluation evaluation_;
    Index formulas_ = 0;
    int helpers_ = 0;
};

}  // namespace

Workbook workbook(const Program& program) { return WorkbookWriter(program).written(); }

}  // namespace headlight
