#include "core/program/line_text.h"

#include "core/graph/operation.h"
#include "core/program/real_literal.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace headlight {
namespace {

using enum PythonBinding;

class LineWriter {
public:
    LineWriter(LineWords words, const std::function<std::string(const std::string&)>& name_of)
        : is_torch_(words == LineWords::torch), is_formula_(words == LineWords::formula), name_of_(name_of) {}

    std::string written(const Expression& x) const { return in(x, comparison); }

private:
    std::string np(const char* numpy, const char* torch = nullptr) const {
        if (is_formula_)
            return numpy;
        return is_torch_ ? std::string("torch.") + (torch ? torch : numpy) : std::string("np.") + numpy;
    }
    std::string axis(int which) const {
        return std::string(is_torch_ ? "dim=" : "axis=") + std::to_string(which);
    }
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
    std::string method(const Expression& x, const std::string& words) const {
        return in(x->operands[0], atom) + '.' + words;
    }

    /// A number with a point: of two integers torch would make integers.
    std::string real(const Expression& x) const {
        const bool is_number = x->operation == Operation::number && !std::isinf(x->number) && !is_formula_;
        return is_number ? real_literal(x->number) : written(x);
    }

    /// numpy takes a number as either operand; torch wants clamp() for one.
    std::string extreme(const Expression& x, bool is_maximum) const {
        const Expression &a = x->operands[0], &b = x->operands[1];
        const char* name = is_maximum ? "maximum" : "minimum";
        const bool a_is_number = a->operation == Operation::number;
        if (is_torch_ && a_is_number && b->operation == Operation::number)
            return (is_maximum ? "max(" : "min(") + written(a) + ", " + written(b) + ')';
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
        if (is_formula_)
            if (const auto words = in_words_of_formulas(x))
                return *words;
        const OperationDescription& description = description_of(x->operation);
        const PythonSpelling& spelling = description.python;
        const int along = description.along == AlongAxis::rows ? -2 : -1;
        switch (spelling.form) {
        case PythonSpelling::Form::own:
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
            return {method(x, std::string(is_torch_ && spelling.torch ? spelling.torch : spelling.numpy) +
                                  '(' + axis(along) + keeps() + ')'),
                    atom};
        }
        return bound_by_itself(x);
    }

    /// What a formula says in fewer words than Python.
    std::optional<Bound> in_words_of_formulas(const Expression& x) const {
        const ExpressionNode& node = *x;
        const auto called = [&](const char* name, const std::string& more = {}) {
            return Bound{std::string(name) + '(' + operand_list(x) + more + ')', atom};
        };
        if (node.short_form)
            for (const char* name : {"sigmoid", "softplus"})
                if (node.short_form->before == std::string(name) + '(')
                    return Bound{std::string(name) + '(' + written(node.short_form->of) + ')', atom};
        if (node.short_form && std::strstr(node.short_form->before, "softplus"))
            return Bound{"log_sigmoid(" + written(node.short_form->of) + ')', atom};
        switch (node.operation) {
        case Operation::root:
            return called("sqrt");
        case Operation::inverse:
            return called("inv");
        case Operation::descending:
            return called("descending");
        case Operation::rank:
            return called("rank");
        case Operation::mix_heads:
            return called("mix_heads");
        case Operation::solution:
            return called("solution");
        case Operation::join_heads:
            return called("join_heads");
        case Operation::split_heads:
            return called("split_heads", ", " + std::to_string(node.count));
        case Operation::split_rows:
            return called("split_rows", ", " + std::to_string(node.count));
        case Operation::take_heads:
            return called("take_heads", ", [" + joined_numbers(node.heads) + ']');
        case Operation::join_columns:
            return Bound{"concat([" + operand_list(x) + "])", atom};
        case Operation::join_rows:
            return Bound{"concat([" + operand_list(x) + "], axis=-2)", atom};
        case Operation::transposed:
            return Bound{in(node.operands[0], atom) + ".T", atom};
        case Operation::product_transposed:
            return Bound{in(node.operands[0], term) + " @ " + in(node.operands[1], atom) + ".T", term};
        case Operation::sum_of_pairs:
            return called("sum");
        case Operation::left_row:
            return Bound{in(node.operands[0], atom) + "[:, None]", atom};
        case Operation::right_row:
            return Bound{in(node.operands[0], atom) + "[None, :]", atom};
        case Operation::pick:
            return Bound{picked_by_formula(x), atom};
        default:
            return {};
        }
    }

    static std::string joined_numbers(const std::vector<Index>& numbers) {
        std::string list;
        for (const Index number : numbers)
            list += (list.empty() ? "" : ", ") + std::to_string(number);
        return list;
    }

    std::string picked_by_formula(const Expression& x) const {
        const Extent& from = x->operands.front().extent();
        const Places &rows = x->row_places, &columns = x->column_places;
        if (rows.columns == 1 && columns.rows == 1)
            return in(x->operands.front(), atom) + '[' + slice(rows.numbers, from.rows) + ", " +
                   slice(columns.numbers, from.columns) + ']';
        return "pick(" + of_operand(x, 0) + ", " + places_list(rows, rows.columns == 1) + ", " +
               places_list(columns, columns.rows == 1) + ')';
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

    /// Operations whose words are theirs alone.
    Bound bound_by_itself(const Expression& x) const {
        const ExpressionNode& node = *x;
        switch (node.operation) {
        case Operation::number:
            if (std::isinf(node.number))
                return {(node.number < 0 ? "-" : "") + np("inf"), node.number < 0 ? sign : atom};
            return {number_text(node.number), node.number < 0 ? sign : atom};
        case Operation::tensor:
            return {name_of_ ? name_of_(node.tensor) : node.tensor, atom};
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
