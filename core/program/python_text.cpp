#include "core/program/python_text.h"

#include "core/graph/operation.h"
#include "core/program/line_text.h"
#include "core/program/real_literal.h"
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

class PythonWriter {
public:
    PythonWriter(const Program& program, PythonLibrary library)
        : program_(program), is_torch_(library == PythonLibrary::torch),
          words_(is_torch_ ? LineWords::torch : LineWords::numpy) {}

    std::string text() {
        write_body();
        std::string body = std::move(text_);
        begin(is_torch_ ? std::string() : definitions_for(body));
        return text_ + body;
    }

private:
    void write_body() {
        for (const GivenTensor& tensor : program_.given())
            write_given(tensor);
        for (const ProgramPart& part : program_.parts())
            write_part(part);
        text_ += "\n";
        if (!program_.parts().empty())
            text_ += "print(output)\n";
    }
    std::string np(const char* numpy, const char* torch = nullptr) const {
        return is_torch_ ? std::string("torch.") + (torch ? torch : numpy) : std::string("np.") + numpy;
    }
    /// What NumPy has not and the lines call.
    static std::string definitions_for(const std::string& lines) {
        std::string definitions;
        for (const OperationDescription& each : operation_table())
            if (each.python.numpy_definition &&
                lines.find(std::string(each.python.numpy) + '(') != std::string::npos)
                definitions += std::string("\n\n") + each.python.numpy_definition + '\n';
        return definitions;
    }
    void begin(const std::string& definitions) {
        const bool has_math = definitions.find("math.") != std::string::npos;
        const bool has_bytes = std::ranges::any_of(program_.given(), is_long);
        text_ = std::string("\"\"\"") + safe(program_.title.empty() ? "An attention" : program_.title) +
                ", in " + (is_torch_ ? "PyTorch" : "NumPy") +
                ".\n\nWritten by Headlight. Prints the output; each stage is a variable.\n\"\"\"\n";
        if (has_bytes)
            text_ += "import base64\n";
        if (has_math)
            text_ += "import math\n";
        if (has_bytes || has_math)
            text_ += '\n';
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
        text_ += definitions;
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
                    line += tensor.is_truth ? number_text(number) : real_literal(number);
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
            text_ += indent + line.name + " = " + line_text(line.value, words_) + '\n';
        }
    }

    const Program& program_;
    bool is_torch_;
    LineWords words_;
    std::string text_;
};

}  // namespace

std::string python_text(const Program& program, PythonLibrary library) {
    return PythonWriter(program, library).text();
}

}  // namespace headlight
