#include "core/program/workbook.h"

#include "core/graph/operation.h"
#include "core/graph/tensor_axes.h"
#include "core/program/evaluate.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>

namespace headlight {
namespace {

constexpr std::string_view least_number = "-1E+300";

std::string formula_number(double number) {
    if (std::isinf(number))
        return std::string(number < 0 ? least_number : least_number.substr(1));
    std::array<char, 32> digits{};
    std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    std::ranges::replace(text, 'e', 'E');
    return text;
}

std::string column_name(Index column) {
    std::string name;
    for (Index left = column + 1; left > 0; left = (left - 1) / 26)
        name.insert(name.begin(), static_cast<char>('A' + (left - 1) % 26));
    return name;
}

/// Where a tensor lies: its matrices one below another, a row for each head's title between them.
struct Block {
    std::size_t sheet = 0;
    Index row = 0, column = 1;
    Extent extent;

    Index row_of(Index head, Index at) const {
        return row + head * (extent.rows + (extent.heads > 0 ? 1 : 0)) + at;
    }
};

/// Its formula reads rows or columns of its operands, which must lie in cells.
bool reads_ranges(const OperationDescription& operation) {
    return operation.family == OperationFamily::row || operation.family == OperationFamily::matrices ||
           operation.family == OperationFamily::side;
}

using enum CellBinding;

struct CellFormula {
    std::string words;
    CellBinding binding = whole;
};

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
    Block begun(std::size_t sheet, const std::string& name, const std::string& note, const Extent& extent,
                const TensorAxes& axes) {
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
        Block block{sheet, title + (heads.empty() ? 1 : 2), 1, extent};
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
        evaluation_.set(tensor.name, tensor.extent, tensor.numbers);
        const Block block = begun(sheet, tensor.name, tensor.note, tensor.extent, axes_[tensor.name]);
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
        const Block block = begun(stages, name + step, note, extent, axes);
        for (Index head = 0; head < extent.matrices(); ++head)
            for (Index row = 0; row < extent.rows; ++row) {
                Interruption::check();
                for (Index column = 0; column < extent.columns; ++column) {
                    std::string words = value->is_truth
                                            ? "IF(" + element(value, {head, row, column}).words + ";1;0)"
                                            : element(value, {head, row, column}).words;
                    cell(stages, block.row_of(head, row),
                         block.column + column) = {WorkbookCell::Kind::formula, *number++, std::move(words)};
                }
            }
        axes_[name] = axes;
        evaluation_.set(name, extent, std::move(numbers));
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

    const Block& block_of(const Expression& tensor) const { return blocks_.at(tensor->tensor); }

    std::string sheet_of(const Block& block) const {
        return block.sheet == stages ? std::string() : '$' + book_.sheets[block.sheet].name;
    }
    std::string address(const Block& block, Place at) const {
        return '[' + sheet_of(block) + '.' +
               cell_name(block.row_of(at.head, at.row), block.column + at.column) + ']';
    }
    std::string range(const Block& block, Place from, Place to) const {
        if (from.row == to.row && from.column == to.column)
            return address(block, from);
        return '[' + sheet_of(block) + '.' +
               cell_name(block.row_of(from.head, from.row), block.column + from.column) + ":." +
               cell_name(block.row_of(to.head, to.row), block.column + to.column) + ']';
    }
    static Index met_head(const Extent& extent, Index head) { return extent.heads <= 1 ? 0 : head; }
    std::string row_range(const Expression& tensor, Index head, Index row) const {
        const Block& block = block_of(tensor);
        const Index h = met_head(block.extent, head), r = block.extent.rows == 1 ? 0 : row;
        return range(block, {h, r, 0}, {h, r, block.extent.columns - 1});
    }
    std::string column_range(const Expression& tensor, Index head, Index column) const {
        const Block& block = block_of(tensor);
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
        const Block &mixing = block_of(x->operands[0]), &maps = block_of(x->operands[1]);
        std::string sum;
        for (Index head = 0; head < maps.extent.heads; ++head)
            sum += (head > 0 ? "+" : "") + address(mixing, {0, at.head, head}) + '*' +
                   address(maps, {head, at.row, at.column});
        return {sum, added};
    }

    CellFormula rank(const Expression& tensor, Place at) const {
        const Block& block = block_of(tensor);
        const std::string own = address(block, at);
        const std::string larger = "SUMPRODUCT((" + row_range(tensor, at.head, at.row) + '>' + own + ")*1)";
        if (at.column == 0)
            return {larger};
        return {larger + "+SUMPRODUCT((" +
                    range(block, {at.head, at.row, 0}, {at.head, at.row, at.column - 1}) + '=' + own + ")*1)",
                added};
    }

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
            const Block& block = block_of(operand(0));
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

    const Program& program_;
    Workbook book_;
    std::map<std::string, Block> blocks_;
    std::map<std::string, TensorAxes> axes_;
    Evaluation evaluation_;
    Index formulas_ = 0;
    int helpers_ = 0;
};

/// Text as XML has it; what XML 1.0 has no sign for (controls, U+FFFE and U+FFFF) is a space.
std::string xml_text(const std::string& text) {
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.compare(at, 3, "\xef\xbf\xbe") == 0 || text.compare(at, 3, "\xef\xbf\xbf") == 0) {
            escaped += ' ';
            at += 2;
            continue;
        }
        const char c = text[at];
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? ' ' : c;
        }
    }
    return escaped;
}

/// Numbers with six decimals, and −∞ for what stands for it; a format with a condition shows no sign of its
/// own, so that negative numbers have one written out. Titles are bold and have room; what may be changed
/// lies on a colour.
constexpr std::string_view fods_start =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<office:document xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\""
    " xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\""
    " xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\""
    " xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\""
    " xmlns:number=\"urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0\""
    " xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\""
    " xmlns:meta=\"urn:oasis:names:tc:opendocument:xmlns:meta:1.0\""
    " xmlns:dc=\"http://purl.org/dc/elements/1.1/\""
    " xmlns:of=\"urn:oasis:names:tc:opendocument:xmlns:of:1.2\""
    " office:version=\"1.2\" office:mimetype=\"application/vnd.oasis.opendocument.spreadsheet\">\n";
constexpr std::string_view fods_styles =
    "<office:automatic-styles>\n"
    "<number:number-style style:name=\"infinite\" style:volatile=\"true\"><number:text>−∞</number:text>"
    "</number:number-style>\n"
    "<number:number-style style:name=\"negative\" style:volatile=\"true\"><number:text>-</number:text>"
    "<number:number number:decimal-places=\"6\" number:min-integer-digits=\"1\"/></number:number-style>\n"
    "<number:number-style style:name=\"digits\"><number:number number:decimal-places=\"6\""
    " number:min-integer-digits=\"1\"/><style:map style:condition=\"value()&lt;-1E+299\""
    " style:apply-style-name=\"infinite\"/><style:map style:condition=\"value()&lt;0\""
    " style:apply-style-name=\"negative\"/></number:number-style>\n"
    "<style:style style:name=\"names\" style:family=\"table-column\"><style:table-column-properties"
    " style:column-width=\"5.5cm\"/></style:style>\n"
    "<style:style style:name=\"number\" style:family=\"table-cell\" style:data-style-name=\"digits\"/>\n"
    "<style:style style:name=\"input\" style:family=\"table-cell\" style:data-style-name=\"digits\">"
    "<style:table-cell-properties fo:background-color=\"#fff4cc\"/></style:style>\n"
    "<style:style style:name=\"title\" style:family=\"table-cell\"><style:text-properties"
    " fo:font-weight=\"bold\"/></style:style>\n"
    "</office:automatic-styles>\n";

std::string fods_cell(const WorkbookCell& cell) {
    switch (cell.kind) {
    case WorkbookCell::Kind::empty:
        break;
    case WorkbookCell::Kind::text:
    case WorkbookCell::Kind::title:
        return std::string("<table:table-cell") +
               (cell.kind == WorkbookCell::Kind::title ? " table:style-name=\"title\"" : "") +
               " office:value-type=\"string\"><text:p>" + xml_text(cell.text) +
               "</text:p></table:table-cell>";
    case WorkbookCell::Kind::number:
    case WorkbookCell::Kind::input:
        return std::string("<table:table-cell table:style-name=\"") +
               (cell.kind == WorkbookCell::Kind::input ? "input" : "number") +
               "\" office:value-type=\"float\" office:value=\"" + formula_number(cell.number) + "\"/>";
    case WorkbookCell::Kind::formula:
        return "<table:table-cell table:style-name=\"number\" table:formula=\"of:=" + xml_text(cell.text) +
               "\"/>";
    }
    return "<table:table-cell/>";
}

}  // namespace

Workbook workbook(const Program& program) { return WorkbookWriter(program).written(); }

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

std::string write_fods(const Workbook& workbook) {
    std::string text(fods_start);
    text += "<office:meta><dc:title>" + xml_text(workbook.title) +
            "</dc:title><meta:generator>Headlight</meta:generator></office:meta>\n";
    text += fods_styles;
    text += "<office:body><office:spreadsheet>\n";
    for (const WorkbookSheet& sheet : workbook.sheets) {
        text += "<table:table table:name=\"" + xml_text(sheet.name) +
                "\">\n<table:table-column table:style-name=\"names\"/>\n";
        for (const auto& row : sheet.rows) {
            text += "<table:table-row>";
            for (const WorkbookCell& cell : row)
                text += fods_cell(cell);
            if (row.empty())
                text += "<table:table-cell/>";
            text += "</table:table-row>\n";
        }
        text += "</table:table>\n";
    }
    return text + "</office:spreadsheet></office:body></office:document>\n";
}

}  // namespace headlight
