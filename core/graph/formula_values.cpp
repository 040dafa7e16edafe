#include "core/graph/formula_expressions.h"
#include "core/graph/formula_meant.h"
#include "core/graph/formula_spellings.h"

#include "core/tensor/number_text.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace headlight {

bool has_sides(const Expression& x) {
    const OperationFamily family = description_of(x->operation).family;
    return family == OperationFamily::side ||
           (x->operation != Operation::sum_of_pairs && std::ranges::any_of(x->operands, has_sides));
}

namespace {

/// Every row of a query or of a key in it is of a matrix of one row.
bool has_one_row_alone(const Expression& x) {
    if (description_of(x->operation).family == OperationFamily::side)
        return x->operands[0].extent().rows == 1;
    return std::ranges::all_of(x->operands, [](const Expression& operand) {
        return !has_sides(operand) || has_one_row_alone(operand);
    });
}

/// The first x[:, None] or x[None, :] of it; null where there is none.
const FormulaNode* first_side(const FormulaNode& node) {
    const auto is_none = [](const FormulaNode& part) {
        return part.kind == FormulaNode::Kind::nothing && part.text == "None";
    };
    if (node.kind == FormulaNode::Kind::index && std::ranges::any_of(node.parts, is_none))
        return &node;
    for (const FormulaNode& part : node.parts)
        if (const FormulaNode* found = first_side(part))
            return found;
    return nullptr;
}

}  // namespace

Expression FormulaExpressions::expression(const FormulaNode& node) {
    constexpr int most_nodes = 1 << 20;
    Expression x = any_expression(node);
    if (x->nodes > most_nodes)
        refuse_formula(node.place,
                       "lines of at most " + std::to_string(most_nodes) +
                           " operations: a part with a line of its own is read once",
                       "more, as where a function that reads x several times is put into itself");
    return x;
}

Expression FormulaExpressions::any_expression(const FormulaNode& node) {
    switch (node.kind) {
    case FormulaNode::Kind::number:
        return node.number;
    case FormulaNode::Kind::name:
        return named(node);
    case FormulaNode::Kind::sign:
        return joined(node);
    case FormulaNode::Kind::transpose:
        return transposed_of(node);
    case FormulaNode::Kind::index:
        return indexed(node);
    case FormulaNode::Kind::call:
        return called(node);
    case FormulaNode::Kind::list:
        return constant(own_name("numbers"), node);
    case FormulaNode::Kind::slice:
    case FormulaNode::Kind::nothing:
        break;
    }
    refuse_formula(node.place, "a value", "a part of an index");
}

Expression FormulaExpressions::number(const FormulaNode& node) {
    const Expression x = expression(node);
    return x->is_truth ? as_number(x) : x;  // 1 and 0, as in Python
}

Expression FormulaExpressions::truth(const FormulaNode& node) {
    const Expression x = expression(node);
    if (!x->is_truth)
        refuse_formula(node.place, "true or false, such as j <= i", "numbers");
    return x;
}

Expression FormulaExpressions::named(const FormulaNode& node) const {
    if (const auto scanned = scanned_.find(node.text); scanned != scanned_.end())
        return scanned->second;
    if (const auto own = lines_.find(node.text); own != lines_.end())
        return own->second.value;
    if (const auto parameter = parameters_.find(node.text); parameter != parameters_.end())
        return parameter->second;
    if (node.text == "inf")
        return std::numeric_limits<double>::infinity();
    if (node.text == "pi")
        return std::numbers::pi;
    if (const auto known = names_.find(node.text))
        return *known;
    if (function_of_values(node.text) || is_special(node.text))
        refuse_formula(node.place, "\"(\" after the name of a function", "the name alone");
    if (const auto token = numbers_.of(node); token && node.text == "t")
        return *token;
    if (node.text == "t")
        refuse_formula(node.place, "a scan around t, the token that it is at", "t by itself");
    if (line_ && node.text == line_->name)
        refuse_formula(node.place, "another name than that of the line, which has no value yet",
                       '"' + node.text + '"');
    if (const auto later = later_.find(node.text); later != later_.end())
        refuse_formula(node.place,
                       "a name of the lines above: line " + std::to_string(later->second) +
                           " gives this one its value",
                       '"' + node.text + '"');
    std::vector<std::string> all;
    for (const auto& [name, assigned] : lines_)
        all.push_back(name);
    const std::string_view here = name_said_here(node.text);
    if (!here.empty() && nearest(node.text, all).empty())  // else a wrong letter in the line above
        refuse_formula(node.place, std::string(here), '"' + node.text + '"');
    all.insert(all.end(), names_.known.begin(), names_.known.end());
    const std::string meant = meant_name(node.text);
    const bool is_meant = meant != node.text && (std::ranges::count(all, meant) > 0 || is_known(meant) ||
                                                 meant.find_first_of("@-.[") != std::string::npos);
    const std::string got =
        is_meant ? '"' + node.text + '"' + did_you_mean(meant) : quoted_with_hint(excerpt(node.text), all);
    const std::string name = excerpt(node.text);
    const bool has_hint = got.size() > name.size() + 2;
    const std::string learned = names_.declare ? ", or " + name + "[1], which is learned" : "";
    const std::string number =
        has_hint ? "" : " (a number: give it a line of its own, \"" + name + " = 2\"" + learned + ')';
    refuse_formula(node.place,
                   "a name of the lines above" + number +
                       (names_.declare
                            ? ", one that is known, or a parameter with its extents, " + name + "[d, 16]"
                            : ", or one that is known"),
                   got);
}

std::string FormulaExpressions::meant_name(const std::string& typed) const {
    constexpr std::string_view at_token = "_t";  // of papers: a state S_t, a row k_t
    if (!typed.ends_with(at_token))
        return own_spelling(typed);
    const std::string of = own_spelling(typed.substr(0, typed.size() - at_token.size()));
    if (!is_known(of))
        return own_spelling(typed);
    return scanned_.empty() || scanned_.contains(of) ? of : of + "[t]";
}

Expression FormulaExpressions::joined(const FormulaNode& node) {
    const std::string& sign = node.text;
    if (sign == "not")
        return opposite(truth(node.parts[0]));
    if (sign == "and" || sign == "or") {
        const Expression a = truth(node.parts[0]), b = truth(node.parts[1]);
        return at(node.place, [&] {
            return sign == "and" ? both_of(a, b) : is_at_least(as_number(a) + as_number(b), 1);
        });
    }
    if (node.parts.size() == 1)
        return -number(node.parts[0]);
    if (sign == "@")
        return multiplied(node);
    const Expression a = number(node.parts[0]), b = number(node.parts[1]);
    const bool divides = sign == "/" || sign == "//" || sign == "%";
    if (divides && scanned_.empty() && numbers_.of(node.parts[1]) == 0.0)  // there t begins with 0
        refuse_formula(node.parts[1].place, "a number other than 0 to divide by", "0");
    if (sign == "+" || sign == "-")
        require_matrix_added(node, a, b);
    if (sign == "*")
        require_finite_factor(node, a, b);
    return meeting(node, a, b, [&]() -> Expression {
        if (sign == "+")
            return a + b;
        if (sign == "-")
            return a - b;
        if (sign == "*")
            return a * b;
        if (sign == "/")
            return a / b;
        if (sign == "//")
            return floor_of(a / b);
        if (sign == "%")
            return a - floor_of(a / b) * b;
        if (sign == "**")
            return power_of(a, b);
        if (sign == ">")
            return is_above(a, b);
        if (sign == "<")
            return is_above(b, a);
        if (sign == ">=")
            return is_at_least(a, b);
        if (sign == "<=")
            return is_at_least(b, a);
        return sign == "==" ? is_equal(a, b) : opposite(is_equal(a, b));
    });
}

void FormulaExpressions::require_finite_factor(const FormulaNode& product, const Expression& a,
                                               const Expression& b) {
    const auto is_infinite = [](const Expression& x) { return is_plain_number(x) && std::isinf(x->number); };
    if (is_infinite(a) == is_infinite(b) || (is_plain_number(a) && is_plain_number(b)))
        return;
    refuse_formula(
        product.place,
        "where(condition, x, -inf) in place of a product with inf, which is no number where the other "
        "value is 0: of a causal mask where(j <= i, scores, -inf)",
        (is_infinite(a) ? a : b)->number < 0 ? "a product with -inf" : "a product with inf");
}

Expression FormulaExpressions::opposite(const Expression& x) { return is_equal(as_number(x), 0); }

void FormulaExpressions::refuse_extents(const FormulaNode& node, const Expression& a,
                                        const Expression& b) const {
    const bool is_product = node.text == "*" && a.extent().columns == b.extent().rows;
    const bool is_first = is_of_all_tokens(node.parts[0], a);
    const auto has_column_of_each_head = [&](const Expression& x) {
        const bool is_of_tokens = x.extent().rows == 1 || x.extent().rows == names_.tokens;
        return x.extent().heads == 0 && is_of_tokens && x.extent().columns == names_.heads;
    };
    const bool is_of_heads = names_.heads > 1 && (has_column_of_each_head(a) || has_column_of_each_head(b));
    refuse_formula(node.place, "extents that meet: equal, or 1",
                   shown(node.parts[0], a) + ' ' + node.text + ' ' + shown(node.parts[1], b) +
                       (is_first || is_of_all_tokens(node.parts[1], b)
                            ? " (" + node.parts[is_first ? 0 : 1].text + "[t] is the row of a token)"
                        : is_of_heads ? " (a number for each head is " +
                                            numbers_of_heads(has_column_of_each_head(a) ? a : b) +
                                            ", of each token x @ W[heads, d_x, 1])"
                        : is_product ? " (a product of matrices is \"@\")"
                                     : quotient_that_meets(node, b.extent())));
}

std::string FormulaExpressions::numbers_of_heads(const Expression& row) const {
    const auto given = std::ranges::find_if(program_.given(), [&](const GivenTensor& each) {
        return row->operation == Operation::tensor && each.name == row->tensor &&
               each.note == WrittenNumbers::note && each.extent == row.extent();
    });
    if (given == program_.given().end() || given->extent.rows != 1)
        return "[heads, 1, 1]";
    std::string written;
    for (const double number : given->numbers.all())
        written += (written.empty() ? "[[" : ", [[") + number_text(number) + "]]";
    return '[' + written + ']';
}

std::string FormulaExpressions::shown(const FormulaNode& node, const Expression& x) const {
    const std::string name = short_form(node);
    return name.empty() ? to_string(x.extent()) : name + ' ' + to_string(x.extent());
}

std::string FormulaExpressions::short_form(const FormulaNode& node) const {
    if (node.kind == FormulaNode::Kind::name)
        return node.text;
    if (node.kind == FormulaNode::Kind::index && is_parameter(node))
        return node.parts[0].text;
    const std::string turned =
        node.kind == FormulaNode::Kind::transpose ? short_form(node.parts[0]) : std::string();
    return turned.empty() ? turned : turned + ".T";
}

bool FormulaExpressions::is_parameter(const FormulaNode& node) const {
    if (node.kind == FormulaNode::Kind::transpose || node.kind == FormulaNode::Kind::index)
        return is_parameter(node.parts[0]);
    return node.kind == FormulaNode::Kind::name && parameters_.contains(node.text);
}

std::string FormulaExpressions::product_that_meets(const FormulaNode& node, const Extent& left,
                                                   const Extent& right) const {
    const FormulaNode &first = node.parts[0], &second = node.parts[1];
    const auto named = [&](const FormulaNode& part) {
        const std::string name = short_form(part);
        return name.empty() ? std::string("...") : name;
    };
    if (first.kind == FormulaNode::Kind::number || second.kind == FormulaNode::Kind::number)
        return " (\"@\" holds more tightly than \"+\": a sum stands in brackets)";
    const std::string turned_round = named(second) + " @ " + named(first);
    const bool turns_tokens = is_parameter(first) && !is_parameter(second);
    if (turns_tokens && right.columns == left.rows)
        return " (tokens are rows: " + turned_round + ')';
    if (turns_tokens && right.columns == left.columns && first.kind != FormulaNode::Kind::transpose)
        return " (tokens are rows: " + turned_round + ".T)";
    if (left.rows == 1 && right.rows == 1 && left.columns > 1 && right.columns > 1)
        return " (of two rows, a.T @ b is a matrix and a @ b.T a number)";
    if (left.columns == right.columns)
        return second.kind == FormulaNode::Kind::transpose ? " (without \".T\" they meet)"
                                                           : " (with \".T\" they meet)";
    if (right.columns == left.rows)
        return " (turned round they meet: " + turned_round + ')';
    return second.kind == FormulaNode::Kind::index && is_parameter(second)
               ? " (with " + std::to_string(left.columns) + " rows it meets)"
               : "";
}

std::string FormulaExpressions::quotient_that_meets(const FormulaNode& node, const Extent& divisor) {
    if (node.text != "/" && node.text != "//")
        return {};
    const std::string by_number = " (\"" + node.text + "\" divides number by number";
    return divisor.rows == divisor.columns
               ? by_number + "; a product with a square matrix x is undone by inv(x))"
               : by_number + ": by one, by a row or by a column, as in x / sum(x))";
}

Expression FormulaExpressions::multiplied(const FormulaNode& node) {
    const bool is_turned = node.parts[1].kind == FormulaNode::Kind::transpose;
    const Expression a = number(node.parts[0]),
                     b = number(is_turned ? node.parts[1].parts[0] : node.parts[1]);
    require_sums_done(node.parts[0], a,
                      is_parameter(node.parts[1]) ? weighted_pairs_said_here() : distances_said_here());
    require_sums_done(node.parts[1], b);
    require_row_of_token(node);
    const Extent &left = a.extent(), &right = b.extent();
    if (left.columns != (is_turned ? right.columns : right.rows)) {
        const Extent as_turned = is_turned ? Extent{right.heads, right.columns, right.rows} : right;
        const std::string name = short_form(node.parts[1]);
        refuse_formula(node.place, "as many columns before \"@\" as rows after it",
                       shown(node.parts[0], a) + " @ " + (name.empty() ? name : name + ' ') +
                           to_string(as_turned) + product_that_meets(node, left, as_turned));
    }
    return at(node.place, [&] { return is_turned ? product_transposed(a, b) : product(a, b); });
}

void FormulaExpressions::require_rows_of_pairs(const FormulaNode& node, const Expression& x) const {
    const auto has_several = [&](const char* name) {
        const auto known = names_.find(name);
        return known && is_plain_number(*known) && (*known)->number > 1;
    };
    if (!has_several("n") || !has_several("m") || !has_one_row_alone(x))
        return;
    const FormulaNode* side = first_side(node);
    const std::string name = side ? short_form(side->parts[0]) : std::string();
    const std::string row = name.empty() ? "x" : name;
    refuse_formula(side ? side->place : node.place,
                   "rows of several tokens before [:, None] and [None, :]: all pairs of one row are " + row +
                       ".T - " + row + ", and those of places i - j",
                   (name.empty() ? name : name + ", ") + "one row");
}

void FormulaExpressions::require_sums_done(const FormulaNode& node, const Expression& x,
                                           std::string_view example) {
    if (has_sides(x))
        refuse_formula(node.place,
                       "sum(...) around what has [:, None] or [None, :], as in " + std::string(example),
                       "a value of each pair and each feature");
}

Expression FormulaExpressions::transposed_of(const FormulaNode& node) {
    const Expression x = expression(node.parts[0]);
    require_sums_done(node, x);
    return is_plain_number(x) ? x : transposed(x);
}

std::string FormulaExpressions::own_name(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 2; program_.has(name) || is_known(name) || std::ranges::count(names_.reserved, name) > 0;
         ++i)
        name = wanted + '_' + std::to_string(i);
    return name;
}

bool FormulaExpressions::is_known(const std::string& name) const {
    return scanned_.contains(name) || lines_.contains(name) || parameters_.contains(name) ||
           names_.find(name);
}

bool FormulaExpressions::is_special(const std::string& name) {
    const auto special = special_formula_functions();
    return std::ranges::find(special, name, &FormulaFunction::name) != special.end();
}

}  // namespace headlight
