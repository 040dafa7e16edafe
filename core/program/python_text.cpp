#include "core/program/python_text.h"

#include "core/graph/operation.h"
#include "core/tensor/error.h"
#include "core/tensor/interruption.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace headlight {
namespace {

/// Tensors with more numbers than this are written as base64: nobody reads them.
constexpr Index most_literals = 1200;
constexpr std::size_t widest_line = 110;

std::string literal(double number) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return {digits.data(), end};
}

std::string real_literal(double number) {
    const std::string word = literal(number);
    return word.find_first_of(".en") == std::string::npos ? word + ".0" : word;
}

std::string base64(const std::vector<double>& numbers) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    for (const double number : numbers)
        for (int byte = 0; byte < 8; ++byte)  // little end first
            bytes += static_cast<char>(std::bit_cast<std::uint64_t>(number) >> (8 * byte));
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += at + i <= bytes.size() ? letters[bits >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

using enum PythonBinding;

class PythonWriter {
public:
    PythonWriter(const Program& program, PythonLibrary library)
        : program_(program), is_torch_(library == PythonLibrary::torch) {}

    std::string text() {
        begin();
        for (const GivenTensor& tensor : program_.given())
            write_given(tensor);
        for (const ProgramPart& part : program_.parts())
            write_part(part);
        text_ += "\n";
        if (!program_.parts().empty())
            text_ += "print(output)\n";
        return text_;
    }

private:
    std::string np(const char* numpy, const char* torch = nullptr) const {
        return is_torch_ ? std::string("torch.") + (torch ? torch : numpy) : std::string("np.") + numpy;
    }
    std::string axis(int which) const {
        return std::string(is_torch_ ? "dim=" : "axis=") + std::to_string(which);
    }
    std::string keeps() const { return is_torch_ ? ", keepdim=True" : ", keepdims=True"; }

    void begin() {
        const bool has_bytes = std::ranges::any_of(program_.given(), is_long);
        text_ = std::string("\"\"\"") + safe(program_.title.empty() ? "An attention" : program_.title) +
                ", in " + (is_torch_ ? "PyTorch" : "NumPy") +
                ".\n\nWritten by Headlight. Prints the output; each stage is a variable.\n\"\"\"\n";
        if (has_bytes)
            text_ += "import base64\n\n";
        if (is_torch_)
            text_ += "import torch\n\ntorch.set_default_dtype(torch.float64)\n";
        else
            text_ += "import numpy as np\n";
        if (has_bytes)
            text_ +=
                is_torch_
                    ? "\n\ndef unpacked(text, *shape):\n"
                      "    return torch.frombuffer(bytearray(base64.b64decode(text)), "
                      "dtype=torch.float64).reshape(shape)\n\n"
                    : "\n\ndef unpacked(text, *shape):\n"
                      "    return np.frombuffer(base64.b64decode(text), dtype=\"<f8\").reshape(shape)\n\n";
    }

    /// A title in a docstring: nothing that ends it.
    static std::string safe(std::string text) {
        for (char& c : text)
            if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ')
                c = '\'';
        return text;
    }

    static bool is_long(const GivenTensor& tensor) {
        return tensor.numbers.size() > most_literals && !tensor.is_truth;
    }

    static std::string shape_list(const Extent& extent) {
        return (extent.heads > 0 ? std::to_string(extent.heads) + ", " : "") + std::to_string(extent.rows) +
               ", " + std::to_string(extent.columns);
    }

    void comment(const std::string& note, const Extent& extent) {
        Interruption::check();
        text_ += "\n# " + (note.empty() ? "" : note + ' ') + to_string(extent) + '\n';
    }

    void write_given(const GivenTensor& tensor) {
        comment(tensor.note, tensor.extent);
        if (is_long(tensor)) {
            text_ += tensor.name + " = unpacked((\n";
            const std::string bytes = base64(tensor.numbers);
            for (std::size_t at = 0; at < bytes.size(); at += widest_line)
                text_ += "    \"" + bytes.substr(at, widest_line) + "\"\n";
            text_ += "), " + shape_list(tensor.extent) + ")\n";
            return;
        }
        const std::string start = tensor.name + " = " + np("array(", "tensor(");
        const std::string type = !tensor.is_truth ? "" : is_torch_ ? ", dtype=torch.bool" : ", dtype=bool";
        text_ += start + nested(tensor, start.size()) + type + ")\n";
    }

    /// "[[1.0, 2.0], [3.0, 4.0]]", a row on each line where they are long.
    std::string nested(const GivenTensor& tensor, std::size_t indent) const {
        const Extent& extent = tensor.extent;
        std::size_t at = 0;
        std::string all = extent.heads > 0 ? "[" : "";
        for (Index head = 0; head < extent.matrices(); ++head) {
            all += head > 0 ? ",\n" + std::string(indent + 1, ' ') + '[' : "[";
            for (Index row = 0; row < extent.rows; ++row) {
                if (row > 0)
                    all += ",\n" + std::string(indent + (extent.heads > 0 ? 2 : 1), ' ');
                std::string line = "[";
                for (Index column = 0; column < extent.columns; ++column) {
                    const double number = tensor.numbers[at++];
                    line += column > 0 ? ", " : "";
                    line += tensor.is_truth ? literal(number) : real_literal(number);
                }
                all += line + ']';
            }
            all += ']';
        }
        return all + (extent.heads > 0 ? "]" : "");
    }

    void write_part(const ProgramPart& part) {
        const std::string indent = part.times > 1 ? "    " : "";
        if (part.times > 1)
            text_ += "\nfor _ in range(" + std::to_string(part.times) + "):\n";
        for (const ProgramLine& line : part.assignments) {
            const Extent& extent = line.value.extent();
            if (part.times == 1)
                comment(line.note, extent);
            text_ += indent + line.name + " = " + written(line.value) + '\n';
        }
    }

    std::string written(const Expression& x) const { return in(x, comparison); }

    /// `x` where parts that hold less tightly than `least` need parentheses.
    std::string in(const Expression& x, PythonBinding least) const {
        const auto [words, binding] = bound(x);
        return binding < least ? '(' + words + ')' : words;
    }

    struct Bound {
        std::string words;
        PythonBinding binding;
    };

    std::string of_operand(const Expression& x, std::size_t i) const { return written(x->operands[i]); }
    std::string operand_list(const Expression& x) const {
        std::string list;
        for (const Expression& operand : x->operands)
            list += (list.empty() ? "" : ", ") + written(operand);
        return list;
    }
    std::string method(const Expression& x, const std::string& words) const {
        return in(x->operands[0], atom) + '.' + words;
    }

    /// A number with a point: of two integers torch would make integers.
    std::string real(const Expression& x) const {
        const bool is_number = x->operation == Operation::number && !std::isinf(x->number);
        return is_number ? real_literal(x->number) : written(x);
    }

    /// numpy takes a number as either operand; torch wants clamp() for one.
    std::string extreme(const Expression& x, bool is_maximum) const {
        const Expression &a = x->operands[0], &b = x->operands[1];
        const char* name = is_maximum ? "maximum" : "minimum";
        const bool a_is_number = a->operation == Operation::number;
        if (is_torch_ && (a_is_number || b->operation == Operation::number)) {
            const Expression &number = a_is_number ? a : b, &tensor = a_is_number ? b : a;
            return "torch.clamp(" + written(tensor) + ", " + (is_maximum ? "min=" : "max=") +
                   written(number) + ')';
        }
        return np(name) + '(' + written(a) + ", " + written(b) + ')';
    }

    /// Rows or columns that are taken: a slice where they follow one another, else a list.
    static std::string index_list(const Places& places, bool is_of_rows) {
        const std::vector<Index>& numbers = places.numbers;
        if (places.rows > 1 && places.columns > 1) {
            std::string all = "[";
            for (Index row = 0; row < places.rows; ++row) {
                all += row > 0 ? ", [" : "[";
                for (Index column = 0; column < places.columns; ++column)
                    all += (column > 0 ? ", " : "") + std::to_string(places(row, column));
                all += ']';
            }
            return all + ']';
        }
        std::string list;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            list += (i > 0 ? (is_of_rows ? "], [" : ", ") : "") + std::to_string(numbers[i]);
        return "[[" + list + "]]";
    }

    static bool is_counted(const std::vector<Index>& numbers) {
        for (std::size_t i = 1; i < numbers.size(); ++i)
            if (numbers[i] != numbers[i - 1] + 1)
                return false;
        return true;
    }
    static std::string slice(const std::vector<Index>& numbers, Index extent) {
        if (is_counted(numbers))
            return numbers.front() == 0 && std::ssize(numbers) == extent
                       ? ":"
                       : std::to_string(numbers.front()) + ':' + std::to_string(numbers.back() + 1);
        std::string list = "[";
        for (std::size_t i = 0; i < numbers.size(); ++i)
            list += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
        return list + ']';
    }

    std::string picked(const Expression& x) const {
        const Extent& from = x->operands.front().extent();
        const Places &rows = x->row_places, &columns = x->column_places;
        const std::string start = in(x->operands.front(), atom) + "[..., ";
        // Plain rows and plain columns, at least one of which is a slice, are the outer product of both.
        if (rows.columns == 1 && columns.rows == 1 &&
            (is_counted(rows.numbers) || is_counted(columns.numbers)))
            return start + slice(rows.numbers, from.rows) + ", " + slice(columns.numbers, from.columns) + ']';
        return start + index_list(rows, rows.columns == 1) + ", " +
               index_list(columns, columns.columns == 1) + ']';
    }

    std::string joined(const Expression& x, int which) const {
        return np("concatenate", "cat") + "([" + operand_list(x) + "], " + axis(which) + ')';
    }

    std::string split(const Expression& x) const {
        const Extent& e = x.extent();
        return method(x, "reshape(" + std::to_string(e.rows) + ", " + std::to_string(e.heads) + ", " +
                             std::to_string(e.columns) + ").swapaxes(0, 1)");
    }

    Bound bound(const Expression& x) const {
        const OperationDescription& description = description_of(x->operation);
        const PythonSpelling& spelling = description.python;
        const int along = description.along == AlongAxis::rows ? -2 : -1;
        switch (spelling.form) {
        case PythonSpelling::Form::own:
            break;
        case PythonSpelling::Form::call:
            return {np(spelling.numpy, spelling.torch) + '(' + operand_list(x) + ')', atom};
        case PythonSpelling::Form::row_call:
            return {np(spelling.numpy, spelling.torch) + '(' + of_operand(x, 0) + ", " + axis(along) + ')',
                    atom};
        case PythonSpelling::Form::sign:
            return {in(x->operands[0], spelling.left) + ' ' + spelling.numpy + ' ' +
                        in(x->operands[1], spelling.right),
                    spelling.binding};
        case PythonSpelling::Form::reduction:
            return {method(x, std::string(is_torch_ && spelling.torch ? spelling.torch : spelling.numpy) +
                                  '(' + axis(along) + keeps() + ')'),
                    atom};
        }
        return bound_by_itself(x);
    }

    /// Operations whose words are theirs alone.
    Bound bound_by_itself(const Expression& x) const {
        const ExpressionNode& node = *x;
        switch (node.operation) {
        case Operation::number:
            if (std::isinf(node.number))
                return {(node.number < 0 ? "-" : "") + np("inf"), node.number < 0 ? sign : atom};
            return {literal(node.number), node.number < 0 ? sign : atom};
        case Operation::tensor:
            return {node.tensor, atom};
        case Operation::solution:
            return bound(node.operands[0]);
        case Operation::negate:
            return {'-' + in(node.operands[0], powers), sign};
        case Operation::root:
            if (node.operands[0]->operation == Operation::number)
                return {of_operand(x, 0) + " ** 0.5", powers};
            return {np("sqrt") + '(' + of_operand(x, 0) + ')', atom};
        case Operation::minimum:
            return {extreme(x, false), atom};
        case Operation::maximum:
            return {extreme(x, true), atom};
        case Operation::choose:
            return {np("where") + '(' + of_operand(x, 0) + ", " + real(node.operands[1]) + ", " +
                        real(node.operands[2]) + ')',
                    atom};
        case Operation::descending:
            if (is_torch_)
                return {"torch.sort(" + of_operand(x, 0) + ", dim=-1, descending=True).values", atom};
            return {"-np.sort(-" + in(node.operands[0], powers) + ", axis=-1)", sign};
        case Operation::rank:
            if (is_torch_)
                return {"torch.sort(torch.sort(-" + in(node.operands[0], powers) +
                            ", dim=-1, stable=True).indices, dim=-1).indices",
                        atom};
            return {"np.argsort(np.argsort(-" + in(node.operands[0], powers) +
                        ", axis=-1, kind=\"stable\"), axis=-1)",
                    atom};
        case Operation::product:
            return {in(node.operands[0], term) + " @ " + in(node.operands[1], sign), term};
        case Operation::product_transposed:
            return {in(node.operands[0], term) + " @ " + in(node.operands[1], atom) + ".swapaxes(-1, -2)",
                    term};
        case Operation::mix_heads:
            return {np("einsum") + "(\"gh,hnm->gnm\", " + of_operand(x, 0) + ", " + of_operand(x, 1) + ')',
                    atom};
        case Operation::sum_of_pairs:
            return {in(node.operands[0], atom) + ".sum(" + axis(-1) + ')', atom};
        case Operation::left_row:
            return {in(node.operands[0], atom) + "[..., :, None, :]", atom};
        case Operation::right_row:
            return {in(node.operands[0], atom) + "[..., None, :, :]", atom};
        case Operation::transposed:
            return {method(x, "swapaxes(-1, -2)"), atom};
        case Operation::split_heads:
            return {split(x), atom};
        case Operation::split_rows:
            return {method(x, "reshape(" + shape_list(node.extent) + ")"), atom};
        case Operation::join_heads:
            return {method(x, "swapaxes(0, 1).reshape(" + shape_list(node.extent) + ")"), atom};
        case Operation::take_heads:
            return {in(node.operands[0], atom) + '[' + slice(node.heads, node.operands[0].extent().heads) +
                        ']',
                    atom};
        case Operation::pick:
            return {picked(x), atom};
        case Operation::join_columns:
            return {joined(x, -1), atom};
        case Operation::join_rows:
            return {joined(x, -2), atom};
        default:
            throw Error({"write a program", std::string(description_of(node.operation).name),
                         "an operation that has words in Python", "none"});
        }
    }

    const Program& program_;
    bool is_torch_;
    std::string text_;
};

}  // namespace

std::string python_text(const Program& program, PythonLibrary library) {
    return PythonWriter(program, library).text();
}

}  // namespace headlight
