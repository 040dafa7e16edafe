#include "core/graph/formula_expressions.h"
#include "core/graph/formula_spellings.h"

#include "core/tensor/number_text.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <array>

namespace headlight {

namespace {

constexpr std::array special_functions = {
    FormulaFunction{"inv", "inv(x)", "the inverse of a square matrix"},
    FormulaFunction{"concat", "concat([a, b])", "side by side; axis=-2: one below the other"},
    FormulaFunction{"arange", "arange(a, b)",
                    "a row of the whole numbers from a to b - 1; arange(b): from 0"},
    FormulaFunction{"zeros", "zeros(rows, columns)", "a matrix of 0"},
    FormulaFunction{"ones", "ones(rows, columns)", "a matrix of 1"},
    FormulaFunction{"eye", "eye(size)", "1 on the diagonal, else 0"},
    FormulaFunction{
        "pick", "pick(x, rows, columns)",
        "the numbers at these places, from 0, of each matrix: numbers, lists, or what follows from i and j"},
    FormulaFunction{"split_heads", "split_heads(x, heads)", "[n, heads d] to [heads, n, d]"},
    FormulaFunction{"split_rows", "split_rows(x, heads)", "[heads r, d] to [heads, r, d]"},
    FormulaFunction{"take_heads", "take_heads(x, [0, 0, 1])", "these heads, from 0"},
    FormulaFunction{"scan", "scan(S = zeros(d, d), S + k[t].T @ v[t], q[t] @ S)",
                    "a state that goes from token to token t: how it begins, what it becomes, what is read "
                    "of it"},
};

/// x / 0 of "x / 0,5", where a comma was meant as a point.
bool ends_with_digits(const FormulaNode& node) {
    const bool goes_on = node.kind == FormulaNode::Kind::sign && !node.parts.empty();
    if (goes_on && node.text == "**")  // x ** 2, 3 has no comma for a point
        return false;
    return goes_on ? ends_with_digits(node.parts.back()) : node.kind == FormulaNode::Kind::number;
}

}  // namespace

Expression FormulaExpressions::called(const FormulaNode& node) {
    if (node.text == "scan")
        return scanned(node);
    if (is_special(node.text))
        return special(node);
    const FunctionOfValues* function = function_of_values(word_of(node));
    if (!function)
        refuse_unknown_function(node);
    FunctionCall call{{}, axis_of(node, function->has_axis), [this](const char* part, const Expression& x) {
                          return program_.let(own_name(line_->name + '_' + part), x);
                      }};
    const auto values = by_place(node);
    const auto count = values.size();
    require_values(node, *function, values);
    for (std::size_t i = 0; i < count; ++i)
        call.operands.push_back((function->truths >> i & 1U) != 0 ? truth(*values[i]) : number(*values[i]));
    const bool sums_pairs = function->words.name == "sum" && has_sides(call.operands[0]);
    if (sums_pairs && call.along == AlongAxis::rows)
        refuse_formula(node.place, "axis=-1, along the features of each pair", "axis=-2");
    if (sums_pairs) {
        require_rows_of_pairs(*values[0], call.operands[0]);
        require_vectors(*values[0], call.operands[0]);
        return at(node.place, [&] { return sum_of_pairs(call.operands[0]); });
    }
    if (function->has_axis || count == 1)
        require_elements(*values[0], function, call.operands[0]);
    if (count == 2 && function->truths == 0 && function->words.name != "mix_heads")
        return meeting(sign_of(node, values), call.operands[0], call.operands[1],
                       [&] { return function->result(call); });
    return at(node.place, [&] { return function->result(call); });
}

void FormulaExpressions::refuse_unknown_function(const FormulaNode& node) const {
    if (const std::string_view here = said_here(node.text); !here.empty())
        refuse_formula(node.place, std::string(here), '"' + excerpt(node.text) + '"');
    std::vector<std::string> all;
    for (const FormulaFunction& each : formula_functions())
        all.emplace_back(each.name);
    const auto is_along = [&](const std::string& name) {
        const FunctionOfValues* meant = function_of_values(name);
        return meant && meant->has_axis && (node.text == name + "_i" || node.text == name + "_j");
    };
    const auto along = std::ranges::find_if(all, is_along);
    if (along != all.end())
        refuse_formula(node.place,
                       *along + "(x), along each row, over j, or " + *along +
                           "(x, axis=-2), along each column, over i",
                       '"' + node.text + '"');
    require_no_parameter_called(node, all);
    refuse_formula(node.place, "a function that is known", quoted_with_hint(excerpt(node.text), all));
}

void FormulaExpressions::require_values(const FormulaNode& node, const FunctionOfValues& function,
                                        const std::vector<const FormulaNode*>& values) {
    const auto count = values.size();
    if (count == 2 && function.most == 1)
        require_no_mask_given(node, *values[1]);
    if (count == 2 && node.text == "cos")
        refuse_formula(node.place, "cos(x), or " + std::string(said_here("cosine")), "2 values");
    if (count < function.least || count > function.most)
        refuse_formula(
            node.place,
            std::string(function.words.form) +
                (function.has_axis && count > 1 ? ", along each row, or with axis=-2 along each column" : ""),
            std::to_string(count) + (count == 1 ? " value" : " values"));
}

void FormulaExpressions::require_no_parameter_called(const FormulaNode& node,
                                                     const std::vector<std::string>& functions) const {
    constexpr std::size_t most_extents = 3;
    std::string extents;
    for (const FormulaNode& part : node.parts) {
        const bool is_word = part.kind == FormulaNode::Kind::name || part.kind == FormulaNode::Kind::number;
        if (!is_word || !numbers_.of(part))
            return;
        extents += (extents.empty() ? "" : ", ") + part.text;
    }
    if (names_.declare && !node.parts.empty() && node.parts.size() <= most_extents && !is_known(node.text) &&
        nearest(node.text, functions).empty())
        refuse_formula(node.place,
                       excerpt(node.text) + '[' + extents +
                           "], a parameter with its extents, or a function that "
                           "is known",
                       '"' + excerpt(node.text) + "(\"");
}

void FormulaExpressions::require_no_mask_given(const FormulaNode& node, const FormulaNode& second) {
    constexpr std::array normalizing = {"softmax", "sparsemax", "logsumexp"};
    if (std::ranges::find(normalizing, node.text) != normalizing.end() && expression(second)->is_truth)
        refuse_formula(second.place, node.text + "(where(condition, x, -inf)), which leaves out all others",
                       "a condition beside what it is to mask");
}

std::string FormulaExpressions::word_of(const FormulaNode& node) {
    const bool has_two = node.parts.size() == 2 && node.keywords[1].empty();
    return has_two && node.text == "max" ? "maximum" : has_two && node.text == "min" ? "minimum" : node.text;
}

FormulaNode FormulaExpressions::sign_of(const FormulaNode& node,
                                        const std::vector<const FormulaNode*>& values) {
    FormulaNode sign = node;
    sign.text = "and";
    sign.parts = {*values[0], *values[1]};
    return sign;
}

void FormulaExpressions::require_elements(const FormulaNode& node, const FunctionOfValues* function,
                                          const Expression& x) {
    constexpr std::array of_matrices = {"transpose", "join_heads", "mix_heads"};
    if (function->has_axis || std::ranges::find(of_matrices, function->words.name) != of_matrices.end())
        require_sums_done(node, x);
}

void FormulaExpressions::require_vectors(const FormulaNode& node, const Expression& x) {
    const OperationFamily family = description_of(x->operation).family;
    if (family == OperationFamily::side || x->operation == Operation::number)
        return;
    if (family != OperationFamily::elements && x.extent().rows != 1)
        refuse_formula(node.place, "rows of the query x[:, None], of the key x[None, :], and vectors [1, d]",
                       to_string(x.extent()));
    if (family == OperationFamily::elements)
        for (const Expression& operand : x->operands)
            require_vectors(node, operand);
}

std::vector<const FormulaNode*> FormulaExpressions::by_place(const FormulaNode& node) {
    std::vector<const FormulaNode*> values;
    for (std::size_t i = 0; i < node.parts.size(); ++i)
        if (node.keywords[i].empty())
            values.push_back(&node.parts[i]);
    return values;
}

AlongAxis FormulaExpressions::axis_of(const FormulaNode& node, bool has_axis) const {
    AlongAxis along = AlongAxis::columns;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        const std::string& keyword = node.keywords[i];
        const bool keeps = (keyword == "keepdims" || keyword == "keepdim") && node.parts[i].is_name("True");
        if (keyword.empty() || keeps)
            continue;
        if (keyword != "axis" && keyword != "dim" && keyword != "keepdims" && keyword != "keepdim")
            refuse_formula(node.parts[i].place,
                           !keyword_said_here(keyword).empty() ? std::string(keyword_said_here(keyword))
                           : is_known(keyword)
                               ? "\"==\" to compare; of a function only axis and dim have a \"=\""
                               : "\"axis =\" or \"dim =\" alone: leave the rest out",
                           '"' + excerpt(keyword) + " =\"");
        if (!has_axis)
            refuse_formula(node.parts[i].place, has_axis ? "axis=-1 or axis=-2" : "values alone",
                           '"' + excerpt(keyword) + "=\"");
        const auto axis = numbers_.of(node.parts[i]);
        if (axis == -1 || axis == 1)
            along = AlongAxis::columns;
        else if (axis == -2 || axis == 0)
            along = AlongAxis::rows;
        else
            refuse_formula(node.parts[i].place, "axis=-1, along each row, or axis=-2, along each column",
                           !axis ? "no number"
                           : *axis > 1
                               ? number_text(*axis) + (ends_with_digits(node.parts[0])
                                                           ? " (a number has a point, as in 0.5)"
                                                           : " (without a batch, the last axis is -1)")
                               : number_text(*axis));
    }
    return along;
}

Expression FormulaExpressions::special(const FormulaNode& node) {
    const auto values = by_place(node);
    const auto expect = [&](std::size_t count) {
        if (values.size() == count)
            return;
        const auto found = std::ranges::find(special_functions, node.text, &FormulaFunction::name);
        refuse_formula(node.place, std::string(found->form),
                       std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"));
    };
    for (std::size_t i = 0; i < node.parts.size(); ++i)
        if (node.text != "concat" && !node.keywords[i].empty())
            refuse_formula(node.parts[i].place, "values alone", '"' + excerpt(node.keywords[i]) + "=\"");
    if (node.text == "concat")
        return concatenated(node, values);
    if (node.text == "zeros" || node.text == "ones" || node.text == "arange")
        return expect(2), filled_by(node, *values[0], *values[1]);
    if (node.text == "eye") {
        expect(1);
        const Index size = numbers_.whole(*values[0], 1, "its rows");
        return given({0, size, size}, [size](Index i) { return i / size == i % size ? 1.0 : 0.0; });
    }
    if (node.text == "inv") {
        expect(1);
        const Expression x = number(*values[0]);
        if (x.extent().rows != x.extent().columns)
            refuse_formula(node.place, "a square matrix", shown(*values[0], x));
        return inverse_of(x);
    }
    if (node.text == "pick") {
        expect(3);
        const Expression x = expression(*values[0]);
        const Places rows = places(*values[1], x.extent().rows, "rows", true);
        const Places columns = places(*values[2], x.extent().columns, "columns", false);
        const bool meet = (rows.rows == columns.rows || rows.rows == 1 || columns.rows == 1) &&
                          (rows.columns == columns.columns || rows.columns == 1 || columns.columns == 1);
        if (!meet)
            refuse_formula(node.place, "places whose extents meet: equal, or 1",
                           to_string(Extent{0, rows.rows, rows.columns}) + " rows and " +
                               to_string(Extent{0, columns.rows, columns.columns}) + " columns");
        return pick(x, rows, columns);
    }
    expect(2);
    const Expression x = expression(*values[0]);
    if (node.text == "take_heads") {
        std::vector<Index> heads = numbers_.range(*values[1], std::max<Index>(1, x.extent().heads), "heads");
        return take_heads(x, std::move(heads));
    }
    const Index heads = numbers_.whole(*values[1], 1, "how many heads");
    const bool is_of_columns = node.text == "split_heads";
    const Index split = is_of_columns ? x.extent().columns : x.extent().rows;
    if (split % heads != 0 || x.extent().heads > 0)
        refuse_formula(node.place,
                       "a matrix of all heads, which divide its " +
                           std::string(is_of_columns ? "columns" : "rows"),
                       shown(*values[0], x));
    const Index axis = heads == 1 && names_.heads == 0 ? 0 : heads;
    return is_of_columns ? split_heads(x, axis) : split_rows(x, axis);
}

Expression FormulaExpressions::concatenated(const FormulaNode& node,
                                            const std::vector<const FormulaNode*>& values) {
    const bool is_of_rows = axis_of(node, true) == AlongAxis::rows;
    std::vector<Expression> parts;
    if (values.size() != 1 || values[0]->kind != FormulaNode::Kind::list || values[0]->parts.empty())
        refuse_formula(node.place, "concat([a, b])", "no list in brackets");
    for (const FormulaNode& part : values[0]->parts) {
        parts.push_back(expression(part));
        require_sums_done(part, parts.back());
        const Extent &first = parts.front().extent(), &extent = parts.back().extent();
        const bool meets = extent.heads == first.heads &&
                           (is_of_rows ? extent.columns == first.columns : extent.rows == first.rows);
        if (!meets)
            refuse_formula(part.place,
                           is_of_rows ? "as many heads and columns as the first part"
                                      : "as many heads and rows as the first part",
                           shown(part, parts.back()) + " beside " + to_string(first));
    }
    return is_of_rows ? join_rows(std::move(parts)) : join_columns(std::move(parts));
}

Expression FormulaExpressions::filled_by(const FormulaNode& node, const FormulaNode& first,
                                         const FormulaNode& second) {
    if (node.text == "arange") {
        const Index from = numbers_.whole(first, 0, "the first"),
                    to = numbers_.whole(second, from + 1, "one more than the last");
        return given({0, 1, to - from}, [from](Index i) { return static_cast<double>(from + i); });
    }
    return filled({0, numbers_.whole(first, 1, "its rows"), numbers_.whole(second, 1, "its columns")},
                  node.text == "ones" ? 1 : 0);
}

Expression FormulaExpressions::filled(const Extent& extent, double number) {
    return given(extent, [number](Index) { return number; });
}

Expression FormulaExpressions::given(const Extent& extent, std::function<double(Index)> number) {
    if (extent.size() > most_formula_numbers)
        throw Error({"formula", line_ ? to_string(line_->place) : "",
                     "at most " + std::to_string(most_formula_numbers) + " numbers in a constant",
                     std::to_string(extent.size())});
    GivenTensor tensor{{},
                       GivenTensor::Kind::constant,
                       extent,
                       FromPlaces<double>(extent.size(), std::move(number)),
                       "a constant of the formula"};
    for (const GivenTensor& known : program_.given())
        if (known.kind == GivenTensor::Kind::constant && known.extent == extent && !known.is_truth &&
            known.note == tensor.note && known.numbers == tensor.numbers)
            return program_.tensor(known.name);
    tensor.name = own_name("constant");
    return program_.give(std::move(tensor));
}

Expression FormulaExpressions::constant(const std::string& name, const FormulaNode& node) {
    WrittenNumbers written = written_numbers(node, numbers_);
    return program_.give({name, GivenTensor::Kind::constant, written.extent, std::move(written.numbers),
                          std::string(WrittenNumbers::note), written.is_truth});
}

std::span<const FormulaFunction> special_formula_functions() { return special_functions; }

}  // namespace headlight
