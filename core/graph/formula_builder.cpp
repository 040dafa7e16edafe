#include "core/graph/formula_builder.h"

#include "core/graph/formula_functions.h"
#include "core/graph/formula_numbers.h"
#include "core/graph/graph_values.h"
#include "core/tensor/error.h"
#include "core/tensor/number_text.h"
#include "core/tensor/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>

namespace headlight {
namespace {

using Kind = FormulaNode::Kind;

/// Steps that scan() may be written out as.
constexpr Index most_steps = 100'000;

/// A row of the query or of the key stands in `x`, and nothing has added up what is made of it.
bool has_sides(const Expression& x) {
    const OperationFamily family = description_of(x->operation).family;
    return family == OperationFamily::side ||
           (x->operation != Operation::sum_of_pairs && std::ranges::any_of(x->operands, has_sides));
}

/// What follows from constants alone; nothing for what follows from tokens or parameters, or is too much to
/// be known before a run.
std::optional<std::vector<double>> known_numbers(const Program& program, const Expression& x) {
    std::vector<GivenTensor> constants;
    for (const GivenTensor& tensor : program.given())
        if (tensor.kind == GivenTensor::Kind::constant)
            constants.push_back(tensor);
    std::vector<ProgramPart> lines;  // that follow from constants
    std::set<std::string> known;
    for (const GivenTensor& tensor : constants)
        known.insert(tensor.name);
    const std::function<bool(const Expression&)> is_known = [&](const Expression& of) {
        if (of->operation == Operation::tensor)
            return known.contains(of->tensor);
        return std::ranges::all_of(of->operands, is_known);
    };
    for (const ProgramPart& part : program.parts())
        for (const ProgramLine& line : part.assignments)
            if (part.times == 1 && is_known(line.value) && known.insert(line.name).second)
                lines.push_back({1, {line}});
    if (!is_known(x) || x.extent().size() > most_formula_numbers)
        return {};
    lines.push_back({1, {{"known numbers", x, {}}}});
    Graph graph(constants, lines);
    graph.keep_only({"known numbers"});
    GraphValues values(graph);
    for (const GivenTensor& tensor : constants)
        values.set(tensor.name, tensor.numbers.all());
    values.run();
    const auto numbers = values.of("known numbers");
    return std::vector<double>(numbers.begin(), numbers.end());
}

Index parts_of(const FormulaNode& node) {
    Index count = 1;
    for (const FormulaNode& part : node.parts)
        count += parts_of(part);
    return count;
}

/// Functions that say more than one value: where, of which extents, how often.
constexpr std::array special_functions = {
    FormulaFunction{"inv", "inv(x)", "the inverse of a square matrix"},
    FormulaFunction{"concat", "concat([a, b])", "side by side; axis=-2: one below the other"},
    FormulaFunction{"arange", "arange(a, b)", "a row of the whole numbers from a to b - 1"},
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

class Builder {
public:
    Builder(const FormulaNames& names, Program& program)
        : names_(names), program_(program), numbers_(names) {}

    void add(std::span<const FormulaLine> lines) {
        for (const FormulaLine& line : lines) {
            later_.try_emplace(line.name, line.place.line);
            for (const FormulaLine& each : line.body)
                later_.try_emplace(each.name, each.place.line);
        }
        for (const FormulaLine& line : lines) {
            if (!line.times) {
                assign(line);
                continue;
            }
            const Index times = numbers_.whole(*line.times, 1, "how many times");
            is_repeated_ = true;
            program_.repeat(times, [&] {
                for (const FormulaLine& each : line.body)
                    assign(each);
            });
            is_repeated_ = false;
        }
    }

private:
    void assign(const FormulaLine& line) {
        require_free(line);
        line_ = &line;
        const FormulaNode& value = line.value;
        if (value.kind == Kind::list) {
            lines_.insert_or_assign(line.name, Assigned{constant(line.name, value), line.place});
            return;
        }
        const Expression x = expression(value);
        if (has_sides(x))
            refuse_formula(
                value.place,
                "sum(...) around what has [:, None] or [None, :]: numbers of each pair and each feature "
                "are added up",
                "a line without it");
        if (is_plain_number(x)) {  // a name for a number
            lines_.insert_or_assign(line.name, Assigned{x, line.place});
            numbers_.set(line.name, x->number);
            return;
        }
        if (is_repeated_ && program_.has(line.name) && program_.tensor(line.name).extent() != x.extent())
            refuse_formula(value.place, line.name + " to keep its extents in what is repeated",
                           to_string(program_.tensor(line.name).extent()) + ", then " +
                               to_string(x.extent()));
        at(value.place, [&] {
            lines_.insert_or_assign(line.name, Assigned{program_.let(line.name, x, line.text), line.place});
            return x;
        });
    }

    void require_free(const FormulaLine& line) const {
        const auto expected = [](const std::string& why) { return "a new name: " + why; };
        const std::string got = '"' + line.name + '"';
        if (const auto own = lines_.find(line.name); own != lines_.end() && !is_repeated_)
            refuse_formula(line.place, expected("a line has this one, " + to_string(own->second.place)), got);
        // Of formulas, of Python, and what its lines call.
        constexpr std::array<std::string_view, 46> words = {
            "t",        "inf",    "pi",      "repeat",   "np",       "torch",  "print", "base64",
            "unpacked", "_",      "False",   "None",     "True",     "and",    "as",    "assert",
            "async",    "await",  "break",   "class",    "continue", "def",    "del",   "elif",
            "else",     "except", "finally", "for",      "from",     "global", "if",    "import",
            "in",       "is",     "lambda",  "nonlocal", "not",      "or",     "pass",  "raise",
            "return",   "try",    "while",   "with",     "yield",    "range"};
        if (std::ranges::count(words, line.name) > 0)
            refuse_formula(line.place,
                           expected("this word has a meaning of its own in Python or in formulas, \"" +
                                    line.name + "_\" has none"),
                           got);
        if (names_.find(line.name))
            refuse_formula(line.place, expected("this one is known without a line"), got);
        if (std::ranges::count(names_.reserved, line.name) > 0 ||
            (program_.has(line.name) && !lines_.contains(line.name)))
            refuse_formula(line.place, expected("what comes after the formula, or before it, has this one"),
                           got);
    }

    static bool is_special(const std::string& name) {
        return std::ranges::find(special_functions, name, &FormulaFunction::name) != special_functions.end();
    }

    /// Refusals of extents say where.
    template <class Make>
    static Expression at(const FormulaPlace& place, const Make& make) {
        try {
            return make();
        } catch (const Error& error) {
            if (error.detail().what == "formula")
                throw;
            refuse_formula(place, error.detail().expected, error.detail().got);
        }
    }

    Expression expression(const FormulaNode& node) {
        switch (node.kind) {
        case Kind::number:
            return node.number;
        case Kind::name:
            return named(node);
        case Kind::sign:
            return joined(node);
        case Kind::transpose:
            return transposed_of(node);
        case Kind::index:
            return indexed(node);
        case Kind::call:
            return called(node);
        case Kind::list:
            return constant(own_name("numbers"), node);
        case Kind::slice:
        case Kind::nothing:
            break;
        }
        refuse_formula(node.place, "a value", "a part of an index");
    }

    Expression number(const FormulaNode& node) {
        const Expression x = expression(node);
        return x->is_truth ? as_number(x) : x;  // 1 and 0, as in Python
    }
    Expression truth(const FormulaNode& node) {
        const Expression x = expression(node);
        if (!x->is_truth)
            refuse_formula(node.place, "true or false, such as j <= i", "numbers");
        return x;
    }

    Expression named(const FormulaNode& node) {
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
        std::vector<std::string> all = names_.known;
        for (const auto& [name, assigned] : lines_)
            all.push_back(name);
        const std::string got = quoted_with_hint(excerpt(node.text), all);
        refuse_formula(
            node.place,
            names_.declare
                ? "a name of the lines above, one that is known, or a parameter with its extents, " +
                      excerpt(node.text) + "[d, 16]"
                : "a name of the lines above, or one that is known",
            got);
    }

    Expression joined(const FormulaNode& node) {
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

    static Expression opposite(const Expression& x) { return is_equal(as_number(x), 0); }

    template <class Make>
    static Expression meeting(const FormulaNode& node, const Expression& a, const Expression& b,
                              const Make& make) {
        try {
            return make();
        } catch (const Error& error) {
            if (error.detail().what == "formula")
                throw;
            const bool is_product = node.text == "*" && a.extent().columns == b.extent().rows;
            refuse_formula(node.place, "extents that meet: equal, or 1",
                           shown(node.parts[0], a) + ' ' + node.text + ' ' + shown(node.parts[1], b) +
                               (is_product ? " (a product of matrices is \"@\")" : ""));
        }
    }

    /// "q [2, 7, 4]"
    static std::string shown(const FormulaNode& node, const Expression& x) {
        const std::string name = node.kind == Kind::name ? node.text + ' '
                                 : node.kind == Kind::transpose && node.parts[0].kind == Kind::name
                                     ? node.parts[0].text + ".T "
                                     : "";
        return name + to_string(x.extent());
    }

    /// a @ b.T is one operation.
    Expression multiplied(const FormulaNode& node) {
        const bool is_turned = node.parts[1].kind == Kind::transpose;
        const Expression a = number(node.parts[0]),
                         b = number(is_turned ? node.parts[1].parts[0] : node.parts[1]);
        require_sums_done(node.parts[0], a);
        require_sums_done(node.parts[1], b);
        const Extent &left = a.extent(), right = b.extent();
        const Index inner = is_turned ? right.columns : right.rows,
                    other = is_turned ? right.rows : right.columns;
        if (left.columns != inner) {
            const std::string hint = left.columns == other ? (is_turned ? " (without \".T\" they meet)"
                                                                        : " (with \".T\" they meet)")
                                                           : "";
            const Extent turned{right.heads, right.columns, right.rows};
            refuse_formula(node.place, "as many columns before \"@\" as rows after it",
                           shown(node.parts[0], a) + " @ " +
                               (is_turned
                                    ? shown(node.parts[1], b).substr(0, shown(node.parts[1], b).find('[')) +
                                          to_string(turned)
                                    : shown(node.parts[1], b)) +
                               hint);
        }
        return at(node.place, [&] { return is_turned ? product_transposed(a, b) : product(a, b); });
    }

    /// What is multiplied, sorted or turned as a matrix is one already.
    static void require_sums_done(const FormulaNode& node, const Expression& x) {
        if (has_sides(x))
            refuse_formula(node.place, "sum(...) around what has [:, None] or [None, :]",
                           "a value of each pair and each feature");
    }

    Expression transposed_of(const FormulaNode& node) {
        const Expression x = expression(node.parts[0]);
        require_sums_done(node, x);
        return is_plain_number(x) ? x : transposed(x);
    }

    // Indices.

    Expression indexed(const FormulaNode& node) {
        const FormulaNode& of = node.parts[0];
        if (of.kind == Kind::name && !is_known(of.text) && declares_parameter(node))
            return declared(node);
        if (const auto again = declared_again(node))
            return *again;
        if (of.kind == Kind::name && !is_known(of.text) && node.parts.size() > 4)
            refuse_formula(node.place, "at most three extents: heads, rows, columns",
                           std::to_string(node.parts.size() - 1));
        const Expression x = expression(of);
        require_sums_done(of, x);
        std::vector<const FormulaNode*> parts;
        for (std::size_t i = 1; i < node.parts.size(); ++i)
            if (node.parts[i].text != "..." || node.parts[i].kind != Kind::nothing)
                parts.push_back(&node.parts[i]);
        if (const auto side = side_of(x, parts))
            return *side;
        if (parts.size() > 2 || parts.empty())
            refuse_formula(node.place, "rows, or rows and columns: x[a:b, c:d]",
                           std::to_string(parts.size()) + " indices");
        const Extent& extent = x.extent();
        if (parts.size() == 1 && parts[0]->kind != Kind::slice)
            return row(x, *parts[0]);
        const auto rows = numbers_.range(*parts[0], extent.rows, "rows");
        const auto columns = parts.size() == 2 ? numbers_.range(*parts[1], extent.columns, "columns")
                                               : counted(0, extent.columns);
        return pick(x, {std::ssize(rows), 1, rows}, {1, std::ssize(columns), columns});
    }

    bool is_known(const std::string& name) const {
        return scanned_.contains(name) || lines_.contains(name) || parameters_.contains(name) ||
               names_.find(name);
    }

    Expression declared(const FormulaNode& node) {
        const std::string& name = node.parts[0].text;
        if (!names_.declare)
            refuse_formula(node.place, "a name that is known", '"' + excerpt(name) + '"');
        std::vector<Index> extents = declared_extents(node, numbers_);
        const Expression parameter = at(node.place, [&] { return names_.declare(name, extents); });
        parameters_.insert_or_assign(name, parameter);
        declared_.insert_or_assign(name, std::move(extents));
        return parameter;
    }

    /// A parameter may be named with its extents wherever it is named.
    std::optional<Expression> declared_again(const FormulaNode& node) {
        const auto parameter = parameters_.find(node.parts[0].text);
        if (node.parts[0].kind != Kind::name || parameter == parameters_.end() || !declares_parameter(node))
            return {};
        std::vector<Index> extents;
        for (std::size_t i = 1; i < node.parts.size(); ++i) {
            const auto number = numbers_.of(node.parts[i]);
            extents.push_back(number ? static_cast<Index>(*number) : -1);
        }
        if (declared_.at(parameter->first) == extents)
            return parameter->second;
        return {};
    }

    /// x[:, None], the row of the query, and x[None, :], that of the key.
    static std::optional<Expression> side_of(const Expression& x,
                                             const std::vector<const FormulaNode*>& parts) {
        const auto is_none = [](const FormulaNode& part) {
            return part.kind == Kind::nothing && part.text == "None";
        };
        if (std::ranges::none_of(parts, [&](const FormulaNode* part) { return is_none(*part); }))
            return {};
        if (is_none(*parts[0]))
            return right_row(x);
        if (parts.size() >= 2 && is_none(*parts[1]))
            return left_row(x);
        refuse_formula(parts[0]->place, "x[:, None], the row of the query, or x[None, :], that of the key",
                       "another index with None");
    }

    /// One row; zeros before the first, so that what a token takes from those before it is nothing at the
    /// beginning.
    Expression row(const Expression& x, const FormulaNode& node) {
        const auto number = numbers_.of(node);
        const Extent& extent = x.extent();
        if (!number || *number != std::floor(*number) || *number >= static_cast<double>(extent.rows))
            refuse_formula(node.place, "a row up to " + std::to_string(extent.rows - 1) + ", or a slice a:b",
                           number              ? number_text(*number)
                           : node.is_name("t") ? "t outside of a scan"
                                               : "a value that is no number by itself");
        if (*number < 0)
            return filled({0, 1, extent.columns}, 0);
        return some_rows(x, {static_cast<Index>(*number)});
    }

    // Calls.

    Expression called(const FormulaNode& node) {
        if (node.text == "scan")
            return scanned(node);
        if (is_special(node.text))
            return special(node);
        const FunctionOfValues* function = function_of_values(word_of(node));
        if (!function) {
            std::vector<std::string> all;
            for (const FormulaFunction& each : formula_functions())
                all.emplace_back(each.name);
            refuse_formula(node.place, "a function that is known", quoted_with_hint(excerpt(node.text), all));
        }
        FunctionCall call{
            {}, axis_of(node, function->has_axis), [this](const char* part, const Expression& x) {
                return program_.let(own_name(line_->name + '_' + part), x);
            }};
        const auto values = by_place(node);
        const auto count = values.size();
        if (count < function->least || count > function->most)
            refuse_formula(node.place, std::string(function->words.form),
                           std::to_string(count) + (count == 1 ? " value" : " values"));
        for (std::size_t i = 0; i < count; ++i)
            call.operands.push_back((function->truths >> i & 1U) != 0 ? truth(*values[i])
                                                                      : number(*values[i]));
        const bool sums_pairs = function->words.name == "sum" && has_sides(call.operands[0]);
        if (sums_pairs && call.along == AlongAxis::rows)
            refuse_formula(node.place, "axis=-1, along the features of each pair", "axis=-2");
        if (sums_pairs) {
            require_vectors(*values[0], call.operands[0]);
            return at(node.place, [&] { return sum_of_pairs(call.operands[0]); });
        }
        if (function->has_axis || count == 1)
            require_elements(*values[0], function, call.operands[0]);
        if (count == 2 && function->truths == 0 && function->words.name != "mix_heads")
            return meeting(sign_of(node, values), call.operands[0], call.operands[1],
                           [&] { return function->build(call); });
        return at(node.place, [&] { return function->build(call); });
    }

    /// Python has max of rows and max of two; so has a formula.
    static std::string word_of(const FormulaNode& node) {
        const bool has_two = node.parts.size() == 2 && node.keywords[1].empty();
        return has_two && node.text == "max"   ? "maximum"
               : has_two && node.text == "min" ? "minimum"
                                               : node.text;
    }

    static FormulaNode sign_of(const FormulaNode& node, const std::vector<const FormulaNode*>& values) {
        FormulaNode sign = node;
        sign.text = "and";
        sign.parts = {*values[0], *values[1]};
        return sign;
    }

    /// Functions of each number go through what has [:, None]; others need matrices.
    static void require_elements(const FormulaNode& node, const FunctionOfValues* function,
                                 const Expression& x) {
        constexpr std::array of_matrices = {"transpose", "join_heads", "mix_heads"};
        if (function->has_axis || std::ranges::find(of_matrices, function->words.name) != of_matrices.end())
            require_sums_done(node, x);
    }

    /// What is added up for one query is made of its row, those of the keys, and of vectors.
    static void require_vectors(const FormulaNode& node, const Expression& x) {
        const OperationFamily family = description_of(x->operation).family;
        if (family == OperationFamily::side || x->operation == Operation::number)
            return;
        if (family != OperationFamily::elements && x.extent().rows != 1)
            refuse_formula(node.place,
                           "rows of the query x[:, None], of the key x[None, :], and vectors [1, d]",
                           to_string(x.extent()));
        if (family == OperationFamily::elements)
            for (const Expression& operand : x->operands)
                require_vectors(node, operand);
    }

    static std::vector<const FormulaNode*> by_place(const FormulaNode& node) {
        std::vector<const FormulaNode*> values;
        for (std::size_t i = 0; i < node.parts.size(); ++i)
            if (node.keywords[i].empty())
                values.push_back(&node.parts[i]);
        return values;
    }

    AlongAxis axis_of(const FormulaNode& node, bool has_axis) const {
        AlongAxis along = AlongAxis::columns;
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
            const std::string& keyword = node.keywords[i];
            if (keyword.empty() || keyword == "keepdims" || keyword == "keepdim")
                continue;
            if (keyword != "axis" && keyword != "dim" && keyword != "keepdims")
                refuse_formula(node.parts[i].place, "\"==\" to compare; only axis has a \"=\"",
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
                               axis ? number_text(*axis) : "no number");
        }
        return along;
    }

    Expression special(const FormulaNode& node) {
        const auto values = by_place(node);
        const auto expect = [&](std::size_t count) {
            if (values.size() == count)
                return;
            const auto found = std::ranges::find(special_functions, node.text, &FormulaFunction::name);
            refuse_formula(node.place, std::string(found->form),
                           std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"));
        };
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
            std::vector<Index> heads =
                numbers_.range(*values[1], std::max<Index>(1, x.extent().heads), "heads");
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

    /// Written out, or the numbers of a value that follows from places alone.
    Places places(const FormulaNode& node, Index extent, const char* what, bool is_of_rows) {
        const bool is_written = node.kind == Kind::list || node.kind == Kind::slice || numbers_.of(node);
        if (is_written)
            return numbers_.places(node, extent, what, is_of_rows);
        const Expression x = number(node);
        const auto known = known_numbers(program_, x);
        if (!known || x.extent().heads > 0)
            refuse_formula(node.place,
                           "numbers that follow from i, j and numbers alone, the same for all heads",
                           known ? to_string(x.extent()) : "a value of the tokens or parameters");
        std::vector<Index> numbers;
        for (const double number : *known) {
            if (number != std::floor(number) || number < 0 || number >= static_cast<double>(extent))
                refuse_formula(node.place,
                               "whole numbers from 0 to " + std::to_string(extent - 1) +
                                   ", the last of the " + what,
                               number_text(number));
            numbers.push_back(static_cast<Index>(number));
        }
        return {x.extent().rows, x.extent().columns, std::move(numbers)};
    }

    Expression concatenated(const FormulaNode& node, const std::vector<const FormulaNode*>& values) {
        const bool is_of_rows = axis_of(node, true) == AlongAxis::rows;
        std::vector<Expression> parts;
        if (values.size() != 1 || values[0]->kind != Kind::list || values[0]->parts.empty())
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

    Expression filled_by(const FormulaNode& node, const FormulaNode& first, const FormulaNode& second) {
        if (node.text == "arange") {
            const Index from = numbers_.whole(first, 0, "the first"),
                        to = numbers_.whole(second, from + 1, "one more than the last");
            return given({0, 1, to - from}, [from](Index i) { return static_cast<double>(from + i); });
        }
        return filled({0, numbers_.whole(first, 1, "its rows"), numbers_.whole(second, 1, "its columns")},
                      node.text == "ones" ? 1 : 0);
    }

    Expression filled(const Extent& extent, double number) {
        return given(extent, [number](Index) { return number; });
    }
    /// A constant, once for all that are alike.
    Expression given(const Extent& extent, std::function<double(Index)> number) {
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

    Expression constant(const std::string& name, const FormulaNode& node) {
        WrittenNumbers written = written_numbers(node, numbers_);
        return program_.give({name, GivenTensor::Kind::constant, written.extent, std::move(written.numbers),
                              "numbers of the formula", written.is_truth});
    }

    // scan(S = zeros(d, d), S + k[t].T @ v[t], q[t] @ S)

    Expression scanned(const FormulaNode& node) {
        std::vector<std::size_t> states, values;
        for (std::size_t i = 0; i < node.parts.size(); ++i)
            (node.keywords[i].empty() ? values : states).push_back(i);
        if (states.empty() || values.size() != states.size() + 1)
            refuse_formula(
                node.place,
                "scan(S = how it begins, what it becomes, what is read): as many states as values that "
                "they become, and one more",
                std::to_string(states.size()) + (states.size() == 1 ? " state and " : " states and ") +
                    std::to_string(values.size()) + (values.size() == 1 ? " value" : " values"));
        if (!scanned_.empty())
            refuse_formula(node.place, "no scan within a scan", "one");
        if (names_.tokens == 0)
            refuse_formula(node.place, "one sequence, whose tokens a scan goes through",
                           "queries and keys of two");
        if (names_.tokens * parts_of(node) > most_steps)
            refuse_formula(node.place,
                           "at most " + std::to_string(most_steps / parts_of(node)) +
                               " tokens, for a scan is written out",
                           std::to_string(names_.tokens));
        std::vector<Expression> begun;
        for (const std::size_t state : states) {
            const std::string& name = node.keywords[state];
            if (is_known(name) || name == "t")
                refuse_formula(node.parts[state].place, "a new name for a state, other than t",
                               '"' + excerpt(name) + '"');
            begun.push_back(number(node.parts[state]));
        }
        for (std::size_t i = 0; i < states.size(); ++i)
            scanned_.insert_or_assign(node.keywords[states[i]], begun[i]);
        std::vector<Expression> read;
        for (Index token = 0; token < names_.tokens; ++token) {
            numbers_.set("t", static_cast<double>(token));
            for (std::size_t i = 0; i < states.size(); ++i)
                scanned_.insert_or_assign(
                    node.keywords[states[i]],
                    state_after(node, node.keywords[states[i]], node.parts[values[i]], token));
            read.push_back(number(node.parts[values.back()]));
            if (read.back().extent().rows != 1 || !(read.back().extent() == read.front().extent()))
                refuse_formula(node.parts[values.back()].place,
                               "one row for each token, alike in heads and columns",
                               to_string(read.back().extent()));
        }
        numbers_.forget("t");
        scanned_.clear();
        return join_rows(std::move(read));
    }

    Expression state_after(const FormulaNode& node, const std::string& name, const FormulaNode& value,
                           Index token) {
        const Expression x = number(value);
        require_sums_done(value, x);
        if (is_plain_number(x) || x->operation == Operation::tensor)
            return x;
        return at(node.place,
                  [&] { return program_.let(own_name(name + '_' + std::to_string(token + 1)), x); });
    }

    /// A name that neither the formula nor the program has.
    std::string own_name(const std::string& wanted) const {
        std::string name = wanted;
        for (int i = 2; program_.has(name) || is_known(name) || std::ranges::count(names_.reserved, name) > 0;
             ++i)
            name = wanted + '_' + std::to_string(i);
        return name;
    }

    struct Assigned {
        Expression value;
        FormulaPlace place;
    };

    const FormulaNames& names_;
    Program& program_;
    FormulaNumbers numbers_;
    std::map<std::string, Assigned> lines_;
    std::map<std::string, Expression> parameters_, scanned_;
    std::map<std::string, std::vector<Index>> declared_;  ///< extents of parameters
    std::map<std::string, int> later_;                    ///< the line that gives each name its value
    const FormulaLine* line_ = nullptr;
    bool is_repeated_ = false;
};

}  // namespace

void build_formula(std::span<const FormulaLine> lines, const FormulaNames& names, Program& program) {
    Builder(names, program).add(lines);
}

std::span<const FormulaFunction> formula_functions() {
    static const std::vector<FormulaFunction> all = [] {
        std::vector<FormulaFunction> list;
        for (const FunctionOfValues& each : functions_of_values())
            list.push_back(each.words);
        list.insert(list.end(), special_functions.begin(), special_functions.end());
        return list;
    }();
    return all;
}

}  // namespace headlight
