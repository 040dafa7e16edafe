#include "core/program/line_text.h"

#include "core/graph/operation.h"
#include "core/graph/pattern.h"
#include "core/program/real_literal.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace headlight {
namespace {

using enum PythonBinding;

class LineWriter {
public:
    LineWriter(LineWords words, const std::function<std::string(const std::string&)>& name_of)
        : words_(words), is_torch_(words == LineWords::torch), is_formula_(words == LineWords::formula),
          name_of_(name_of) {}

    std::string written(const Expression& x) const { return in(x, comparison); }

private:
    std::string np(const char* numpy, const char* torch = nullptr) const {
        if (is_formula_)
            return numpy;
        return is_torch_ ? std::string("torch.") + (torch ? torch : numpy) : std::string("np.") + numpy;
    }
    std::string axis() const { return is_torch_ ? "dim" : "axis"; }
    std::string axis(int which) const { return axis() + '=' + std::to_string(which); }
    std::string keeps() const { return is_torch_ ? ", keepdim=True" : ", keepdims=True"; }

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

    /// A number with a point: of two integers torch would make integers.
    std::string real(const Expression& x) const {
        const bool is_number = x->operation == Operation::number && !std::isinf(x->number) && !is_formula_;
        return is_number ? real_literal(x->number) : written(x);
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

    static std::string picked_places(const ExpressionNode& node) {
        const Extent& from = node.operands.front().extent();
        const Places &rows = node.row_places, &columns = node.column_places;
        // Plain rows and plain columns, at least one of which is a slice, are the outer product of both.
        if (rows.columns == 1 && columns.rows == 1 &&
            (is_counted(rows.numbers) || is_counted(columns.numbers)))
            return slice(rows.numbers, from.rows) + ", " + slice(columns.numbers, from.columns);
        return index_list(rows, rows.columns == 1) + ", " + index_list(columns, columns.columns == 1);
    }

    Bound bound(const Expression& x) const {
        const ExpressionNode& node = *x;
        if (node.operation == Operation::number) {
            const std::string words =
                std::isinf(node.number) ? (node.number < 0 ? "-" : "") + np("inf") : number_text(node.number);
            return {words, node.number < 0 ? sign : atom};
        }
        if (node.operation == Operation::tensor)
            return {name_of_ ? name_of_(node.tensor) : node.tensor, atom};
        const OperationDescription& description = description_of(node.operation);
        const PythonSpelling& spelling = description.python;
        if (is_formula_)
            if (const auto words = in_words_of_formulas(x, description))
                return *words;
        if (const PythonPattern own = spelling.own ? spelling.own(node, words_) : PythonPattern(); own.text)
            return filled(x, own);
        const int along = description.along == AlongAxis::rows ? -2 : -1;
        switch (spelling.form) {
        case PythonSpelling::Form::undeclared:
        case PythonSpelling::Form::structure:
            break;
        case PythonSpelling::Form::call:
            if (spelling.numpy_definition && !is_torch_)
                return {std::string(spelling.numpy) + '(' + operand_list(x) + ')', atom};
            return {np(spelling.numpy, spelling.torch) + '(' + operand_list(x) + ')', atom};
        case PythonSpelling::Form::row_call:
            if (is_formula_)
                return {std::string(spelling.numpy) + '(' + of_operand(x, 0) + ')', atom};
            return {np(spelling.numpy, spelling.torch) + '(' + of_operand(x, 0) + ", " + axis(along) + ')',
                    atom};
        case PythonSpelling::Form::sign:
            return {in(x->operands[0], spelling.left) + ' ' + spelling.numpy + ' ' +
                        in(x->operands[1], spelling.right),
                    spelling.binding};
        case PythonSpelling::Form::reduction:
            if (is_formula_)
                return {std::string(spelling.numpy) + '(' + of_operand(x, 0) +
                            (along == -2 ? ", axis=-2)" : ")"),
                        atom};
            return {in(x->operands[0], atom) + '.' +
                        (is_torch_ && spelling.torch ? spelling.torch : spelling.numpy) + '(' + axis(along) +
                        keeps() + ')',
                    atom};
        case PythonSpelling::Form::pattern:
            return filled(x, is_torch_ && spelling.torch_pattern.text ? spelling.torch_pattern
                                                                      : spelling.pattern);
        }
        throw Error({"write a program", std::string(description.name),
                     "an operation that has words in Python", "none"});
    }

    /// What a formula says in fewer words than Python.
    std::optional<Bound> in_words_of_formulas(const Expression& x,
                                              const OperationDescription& description) const {
        if (const ShortForm* form = x->short_form.get()) {
            for (const char* name : {"sigmoid", "softplus"})
                if (form->before == std::string(name) + '(')
                    return Bound{std::string(name) + '(' + written(form->of) + ')', atom};
            if (std::strstr(form->before, "softplus"))
                return Bound{"log_sigmoid(" + written(form->of) + ')', atom};
        }
        if (description.python.formula.text)
            return filled(x, description.python.formula);
        if (!description.function.name.empty())
            return Bound{std::string(description.function.name) + '(' + operand_list(x) + ')', atom};
        return {};
    }

    Bound filled(const Expression& x, const PythonPattern& pattern) const {
        if (std::string_view(pattern.text) == "{0}")
            return bound(x->operands[0]);
        Bound all{{}, pattern.binding};
        walk_pattern(
            pattern.text, [&](std::string_view words) { all.words += words; },
            [&](const PatternPlace& place) { all.words += in_place(x, place); });
        return all;
    }

    std::string in_place(const Expression& x, const PatternPlace& place) const {
        if (!place.operand)
            return word_of(x, place.word);
        const Expression& operand = x->operands[*place.operand];
        if (place.word == "real")
            return real(operand);
        static constexpr std::pair<std::string_view, PythonBinding> bindings[] = {
            {"", comparison}, {"sum", sum},       {"term", term},
            {"sign", sign},   {"powers", powers}, {"atom", atom}};
        for (const auto& [word, binding] : bindings)
            if (place.word == word)
                return in(operand, binding);
        refuse_place(x, place.word);
    }

    /// What an operation is beside its operands.
    std::string word_of(const Expression& x, std::string_view word) const {
        const ExpressionNode& node = *x;
        const Extent& extent = node.extent;
        const auto from = [&] { return node.operands.front().extent(); };
        if (word == "np")
            return np("");
        if (word == "axis")
            return axis();
        if (word == "keeps")
            return keeps();
        if (word == "list")
            return operand_list(x);
        if (word == "shape")
            return shape_list(extent);
        if (word == "matrices")
            return std::to_string(extent.heads);
        if (word == "rows")
            return std::to_string(extent.rows);
        if (word == "columns")
            return std::to_string(extent.columns);
        if (word == "count")
            return std::to_string(node.count);
        if (word == "heads")
            return joined_numbers(node.heads);
        if (word == "taken_heads")
            return slice(node.heads, from().heads);
        if (word == "picked_places")
            return picked_places(node);
        if (word == "row_slice")
            return slice(node.row_places.numbers, from().rows);
        if (word == "column_slice")
            return slice(node.column_places.numbers, from().columns);
        if (word == "row_list")
            return places_list(node.row_places, node.row_places.columns == 1);
        if (word == "column_list")
            return places_list(node.column_places, node.column_places.rows == 1);
        refuse_place(x, word);
    }

    [[noreturn]] static void refuse_place(const Expression& x, std::string_view word) {
        throw Error({"write a program", std::string(description_of(x->operation).name),
                     "a place that Python has words for", std::string(word)});
    }

    static std::string joined_numbers(const std::vector<Index>& numbers) {
        std::string list;
        for (const Index number : numbers)
            list += (list.empty() ? "" : ", ") + std::to_string(number);
        return list;
    }

    /// Rows or columns as a list; where they differ from place to place, a row for each row of places.
    static std::string places_list(const Places& places, bool is_list) {
        std::string all;
        for (Index row = 0; row < places.rows; ++row) {
            std::string list;
            for (Index column = 0; column < places.columns; ++column)
                list += (column > 0 ? ", " : "") + std::to_string(places(row, column));
            (all += row > 0 ? ", " : "") += is_list ? list : '[' + list + ']';
        }
        return '[' + all + ']';
    }

    LineWords words_;
    bool is_torch_, is_formula_;
    const std::function<std::string(const std::string&)>& name_of_;
};

}  // namespace

std::string shape_list(const Extent& extent) {
    return (extent.heads > 0 ? std::to_string(extent.heads) + ", " : "") + std::to_string(extent.rows) +
           ", " + std::to_string(extent.columns);
}

std::string line_text(const Expression& value, LineWords words,
                      const std::function<std::string(const std::string&)>& name_of) {
    return LineWriter(words, name_of).written(value);
}

}  // namespace headlight
