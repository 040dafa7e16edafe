#include "core/graph/formula_meant.h"

#include "core/graph/formula_builder.h"
#include "core/graph/formula_functions.h"
#include "core/graph/formula_mathematics.h"
#include "core/graph/formula_spellings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace headlight {
namespace {

/// Words, numbers and signs of a line; ".T" is one.
using LineParts = std::vector<std::string>;

LineParts parts_of(std::string_view line) {
    constexpr std::array<std::string_view, 7> long_signs = {".T", "**", "//", "<=", ">=", "==", "!="};
    LineParts parts;
    while (!line.empty() && line.front() != '#') {
        std::size_t end = 1;
        if (is_of_word(line.front())) {
            const bool is_number = std::isdigit(static_cast<unsigned char>(line.front())) != 0;
            while (end < line.size() && (is_of_word(line[end]) || (is_number && line[end] == '.')))
                ++end;
        } else if (std::ranges::count(long_signs, line.substr(0, 2)) > 0) {
            end = 2;
        }
        if (line.front() != ' ' && line.front() != '\t' && line.front() != '\r')
            parts.emplace_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return parts;
}

bool is_number(const std::string& part) {
    return std::isdigit(static_cast<unsigned char>(part.front())) != 0;
}
bool is_name(const std::string& part) {
    static constexpr std::array<std::string_view, 3> joining = {"and", "or", "not"};
    return is_of_word(part.front()) && !is_number(part) && std::ranges::count(joining, part) == 0;
}
/// A name that stands for a matrix: a bracket behind another one holds what a function gets.
bool is_matrix(const std::string& part) { return part == "q" || part == "k" || part == "v" || part == "x"; }

bool begins_value(const std::string& part) { return is_name(part) || is_number(part) || part == "("; }
bool ends_value(const std::string& part) {
    return is_name(part) || is_number(part) || part == ")" || part == "]" || part == ".T";
}

/// The sign that two parts lack between them; empty where they lack none.
std::string product_between(const std::string& left, const std::string& right) {
    const bool is_call = right == "(" && is_name(left) && !is_matrix(left);
    if (!ends_value(left) || !begins_value(right) || is_call)
        return {};
    return is_number(left) || is_number(right) ? "*" : "@";
}

// What a reader understands, step by step.

/// Words behind "%", as in TeX, or "//" are a comment.
LineParts without_comment(LineParts parts) {
    for (std::size_t i = 0; i + 2 < parts.size(); ++i)
        if ((parts[i] == "%" || parts[i] == "//") && is_name(parts[i + 1]) && is_name(parts[i + 2]))
            parts.resize(i);
    return parts;
}

/// "self.softmax(x)" of Python's classes. What else they have is not here: nothing is meant.
LineParts without_self(LineParts parts) {
    for (std::size_t i = 0; i + 2 < parts.size(); ++i)
        if (parts[i] == "self" && parts[i + 1] == ".") {
            if (!is_formula_function(parts[i + 2]))
                return {};
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i),
                        parts.begin() + static_cast<std::ptrdiff_t>(i) + 2);
        }
    return parts;
}

/// "soft max(" and "log sigmoid(" are a function's name that came apart.
LineParts with_whole_functions(LineParts parts) {
    LineParts whole;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool is_call =
            i > 0 && i + 1 < parts.size() && parts[i + 1] == "(" && is_of_word(parts[i].front());
        if (is_call && is_formula_function(parts[i - 1] + parts[i]))
            whole.back() += parts[i];
        else if (is_call && is_formula_function(parts[i - 1] + '_' + parts[i]))
            whole.back() += '_' + parts[i];
        else
            whole.push_back(parts[i]);
    }
    return whole;
}

/// Matrices stand side by side in papers: "QK" is a product. What has a "=" behind it stays what it is: a
/// line's own name, and "dim".
LineParts in_own_names(LineParts parts) {
    LineParts named;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string& part = parts[i];
        if (i + 1 < parts.size() && parts[i + 1] == "=")
            named.push_back(part);
        else if (part.find_first_not_of("QKVqkv") == std::string::npos)
            for (const char letter : part)
                named.push_back(own_spelling(std::string(1, letter)));
        else
            named.push_back(own_spelling(part));
    }
    return named;
}

/// "W[d x d]" has the extents d and d.
LineParts with_extents(LineParts parts) {
    std::vector<bool> open;  // brackets, and whether they hold extents
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (parts[i] == "(" || parts[i] == "[")
            open.push_back(parts[i] == "[" && i > 0 && is_name(parts[i - 1]));
        else if ((parts[i] == ")" || parts[i] == "]") && !open.empty())
            open.pop_back();
        else if (parts[i] == "x" && !open.empty() && open.back() && ends_value(parts[i - 1]) &&
                 begins_value(parts[i + 1]))
            parts[i] = ",";
    }
    return parts;
}

/// Papers leave it to the reader that products of queries and keys are of rows: "q k" and "q · k", and "q^T
/// k" where vectors are columns.
LineParts with_turned_keys(LineParts parts) {
    LineParts turned;
    const auto at = [&](std::size_t i) { return i < parts.size() ? parts[i] : std::string(); };
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t key = at(i + 1) == "@" ? i + 2 : i + 1;
        if (parts[i] == ".T" && i > 0 && parts[i - 1] == "q" && at(key) == "k" && at(key + 1) != ".T")
            continue;
        turned.push_back(parts[i]);
        const bool is_behind_query =
            parts[i] == "k" && turned.size() > 1 &&
            (turned[turned.size() - 2] == "q" ||
             (turned.size() > 2 && turned[turned.size() - 2] == "@" && turned[turned.size() - 3] == "q"));
        if (is_behind_query && at(i + 1) != ".T" && at(i + 1) != "." && at(i + 1) != "[")
            turned.emplace_back(".T");
    }
    return turned;
}

/// "\cdot" is of numbers as well as of matrices.
LineParts with_products_of_numbers(LineParts parts) {
    for (std::size_t i = 1; i + 1 < parts.size(); ++i)
        if (parts[i] == "@" && (is_number(parts[i - 1]) || is_number(parts[i + 1])))
            parts[i] = "*";
    return parts;
}

/// Behind the part that ends what a function without brackets gets: the next value, or, of a function of
/// rows, all but the values at the end, as in "softmax q k v".
std::size_t end_of_argument(const LineParts& parts, std::size_t function) {
    const FunctionOfValues* found = function_of_values(parts[function]);
    const bool is_of_rows = found && found->has_axis;
    int open = 0;
    std::size_t end = function + 1;
    for (; end < parts.size(); ++end) {
        const std::string& part = parts[end];
        const bool opens = part == "(" || part == "[", closes = part == ")" || part == "]";
        const bool goes_on = is_of_rows ? part != "," : end == function + 1 || opens || part == ".T";
        if (open == 0 && (closes || !goes_on))
            break;
        open += opens ? 1 : closes ? -1 : 0;
    }
    const bool has_values = is_of_rows && end == parts.size() && end > function + 3 && parts[end - 1] == "v";
    return !has_values ? end : parts[end - 2] == "@" ? end - 2 : end - 1;
}

/// "sqrt d" and "softmax q k", not "scores where j <= i", whose values stand before it.
LineParts with_brackets(LineParts parts) {
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
        if (is_formula_function(parts[i]) && parts[i] != "where" && begins_value(parts[i + 1]) &&
            parts[i + 1] != "(") {
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(end_of_argument(parts, i)), ")");
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, "(");
        }
    return parts;
}

/// "scores == q k", and "context softmax(...) v" of a name that is a line's.
LineParts with_equals_sign(LineParts parts) {
    static constexpr std::array<std::string_view, 4> lines = {"scores", "weights", "context", "output"};
    if (parts.size() < 3 || !is_name(parts[0]) || std::ranges::count(parts, "=") > 0)
        return parts;
    const bool is_value = is_matrix(parts[0]) || parts[0] == "i" || parts[0] == "j";
    if (parts[1] == "==" && !is_value)
        parts[1] = "=";
    else if (std::ranges::count(lines, parts[0]) > 0 && !product_between(parts[0], parts[1]).empty())
        parts.insert(parts.begin() + 1, "=");
    return parts;
}

constexpr std::array steps_to_meaning = {
    without_comment, without_self,     with_whole_functions,     with_extents,
    in_own_names,    with_turned_keys, with_products_of_numbers, with_equals_sign,
    with_brackets};

/// Sums over an index, masks that no sign joins to scores, the rest of the line above, and what is said
/// otherwise here.
bool is_unclear(const LineParts& parts) {
    static constexpr std::array<std::string_view, 10> between = {"+", "-",  "*",  "/", "@",
                                                                 "%", "//", "**", ".", "^"};
    if (!parts.empty() && std::ranges::count(between, parts[0]) > 0)
        return true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool is_call = i + 1 < parts.size() && parts[i + 1] == "(";
        if (is_of_python(parts[i]) || parts[i] == "mask" || parts[i].starts_with("sum_") ||
            (is_call && !said_here(parts[i]).empty()) || (!is_call && parts[i] == "where"))
            return true;
        const bool has_axis_alone = is_call && i + 3 < parts.size() && parts[i + 3] == "=" &&
                                    (parts[i + 2] == "dim" || parts[i + 2] == "axis");
        if (has_axis_alone)  // Softmax(dim=-1)(x) of PyTorch
            return true;
    }
    return parts.empty() || parts[0] == "repeat";
}

std::string written(const LineParts& parts) {
    static constexpr std::string_view tight_before = ").],:", tight_behind = "([";
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string& part = parts[i];
        const std::string product = i > 0 ? product_between(parts[i - 1], part) : std::string();
        if (!product.empty())
            text += ' ' + product;
        const bool is_call = part == "(" && i > 0 && is_name(parts[i - 1]) && product.empty();
        const bool is_behind_minus = i > 0 && parts[i - 1] == "-" && (i < 2 || !ends_value(parts[i - 2]));
        const bool is_tight = i == 0 || is_call || is_behind_minus || parts[i - 1] == "." ||
                              tight_before.find(part.front()) != std::string_view::npos ||
                              tight_behind.find(parts[i - 1].front()) != std::string_view::npos ||
                              (part == "[" && is_name(parts[i - 1]));
        text += (is_tight ? "" : " ") + part;
    }
    return text;
}

/// What a line gives a value that says so by no name, or by "Attention(Q, K, V)".
std::string own_name(const std::string& value) {
    if (value.ends_with("@ v"))
        return "context";
    return value.find("softmax") != std::string::npos ? "weights" : "scores";
}

}  // namespace

std::string own_spelling(const std::string& name) {
    struct OwnSpelling {
        std::string_view here;
        std::array<std::string_view, 9> elsewhere;  ///< the last ones may be empty
    };
    static constexpr std::array own_spellings = {
        OwnSpelling{"q", {"Q", "Query", "Queries", "queries", "q_i", "Q_i"}},
        OwnSpelling{"k", {"K", "Key", "Keys", "keys", "k_j", "K_j"}},
        OwnSpelling{"v", {"V", "Value", "Values", "values", "v_j", "V_j"}},
        OwnSpelling{"x", {"X", "x_i", "X_i"}},
        OwnSpelling{"k.T", {"kT", "k_T", "KT", "K_T"}},
        OwnSpelling{"q @ k.T", {"qk", "QK", "qkT", "QKT"}},
        OwnSpelling{"d", {"d_k", "d_q", "dk", "dim", "d_model", "d_h", "d_head", "head_dim", "head_size"}},
        OwnSpelling{"d_v", {"dv"}},
        OwnSpelling{"n", {"seq_len"}},
        OwnSpelling{"heads", {"num_heads", "n_heads"}},
        OwnSpelling{"inf", {"infinity", "Infinity", "infty"}},
        OwnSpelling{"-inf", {"NINF"}},
        OwnSpelling{"softmax", {"Softmax", "SoftMax"}}};
    const auto known = std::ranges::find_if(
        own_spellings, [&](const OwnSpelling& each) { return std::ranges::count(each.elsewhere, name) > 0; });
    return known == own_spellings.end() ? name : std::string(known->here);
}

std::optional<std::string> meant_formula(std::string_view line) {
    constexpr std::size_t longest = 200;  // that is shown in an error, and that is read as deep as it goes
    const std::string_view typed_part = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const bool goes_on = typed_part.ends_with('\\') && !typed_part.ends_with("\\\\");  // as in Python
    if (line.size() > longest || goes_on)
        return {};
    LineParts parts = parts_of(mathematics_in_signs(line));
    for (const auto step : steps_to_meaning)
        parts = step(std::move(parts));
    if (is_unclear(parts))
        return {};
    const auto equals = std::ranges::find(parts, "=");
    const bool has_name = equals - parts.begin() == 1 && is_name(parts.front());
    const bool is_call = equals != parts.end() && parts.size() > 2 && is_name(parts[0]) && parts[1] == "(";
    if (equals != parts.end() && !has_name && !is_call)
        return {};
    std::string name = has_name ? parts.front() : std::string();
    if (equals != parts.end())
        parts.erase(parts.begin(), equals + 1);
    if (parts.empty())
        return {};
    const std::string value = written(parts);
    if (value.find("()") != std::string::npos)  // something was left out
        return {};
    if (name.empty() && value.find_first_of("@(") == std::string::npos)  // W[d, d], which is no line's value
        return {};
    if (name.empty())
        name = own_name(value);
    if (value == name)
        return {};
    std::string meant = name + " = " + value;
    const auto as_one = [](const LineParts& all) {
        std::string text;
        for (const std::string& part : all)
            (text += part) += ' ';
        return text;
    };
    const std::string typed(line);
    return as_one(parts_of(meant)) == as_one(parts_of(typed)) ? std::nullopt
                                                              : std::optional(std::move(meant));
}

}  // namespace headlight
