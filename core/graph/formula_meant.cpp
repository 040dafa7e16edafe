#include "core/graph/formula_meant.h"

#include "core/graph/formula_builder.h"
#include "core/graph/formula_spellings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>
#include <vector>

namespace headlight {
namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// TeX, and signs of print, in the signs of a formula; products without a sign stay so.
class Mathematics {
public:
    explicit Mathematics(std::string_view text) : rest_(text) {}

    /// Empty where nobody could say.
    std::string in_signs() {
        std::string text;
        while (!rest_.empty() && depth_ <= most_depth)
            read(text);
        return is_unclear_ ? std::string() : text;
    }

private:
    static constexpr int most_depth = 30;

    bool take(std::string_view sign) {
        const bool is_there = rest_.starts_with(sign);
        if (is_there)
            rest_.remove_prefix(sign.size());
        return is_there;
    }
    void skip_spaces() {
        while (take(" "))
            continue;
    }
    std::string word() {
        std::size_t end = 0;
        while (end < rest_.size() && is_of_word(rest_[end]))
            ++end;
        std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return text;
    }

    /// "{...}" or one word or sign, without its braces.
    std::string group() {
        skip_spaces();
        if (!take("{")) {
            std::string text;
            read(text);
            return text;
        }
        ++depth_;
        std::string text;
        while (!rest_.empty() && !take("}") && depth_ <= most_depth)
            read(text);
        --depth_;
        return text;
    }

    static bool is_name_alone(std::string_view text) {
        return std::ranges::all_of(text, [](char c) { return is_of_word(c) || c == ' '; });
    }

    void read(std::string& text) {
        if (take("\\"))
            command(text);
        else if (take("{"))
            braces(text);
        else if (take("√"))
            root(text);
        else if (take("^"))
            raise(text);
        else if (const QuotedInfinity found = quoted_infinity(rest_); found.bytes > 0)
            infinity(text, found);
        else if (take("'") || take("’") || take("′") || take("ᵀ") || take("⊤") || take("⊺"))
            text += ".T";
        else if (take("·"))
            text += " @ ";
        else if (is_name_alone(text) && (take(":=") || take("<-") || take("←")))
            text += " = ";
        else if (take("_{"))
            braces(text += '_');
        else if (take("$") || take("&") || take("}"))
            return;
        else if (!rest_.empty()) {
            text += rest_.front();
            rest_.remove_prefix(1);
        }
    }

    /// What a brace has opened: a subscript's letters, or what stands in brackets here.
    void braces(std::string& text) {
        rest_ = std::string_view(rest_.data() - 1, rest_.size() + 1);
        const bool is_subscript = text.ends_with('_');
        const std::string inside = group();
        const bool is_word = std::ranges::all_of(inside, is_of_word);
        text += is_subscript || is_word ? inside : '(' + inside + ')';
    }

    void root(std::string& text) {
        skip_spaces();
        if (rest_.starts_with('(')) {
            text += "sqrt";
            return;
        }
        const bool is_word = !rest_.empty() && is_of_word(rest_.front());
        text += "sqrt(" + (is_word ? word() : group()) + ')';
    }

    void infinity(std::string& text, const QuotedInfinity& found) {
        rest_.remove_prefix(found.bytes);
        text += found.is_negative ? "-inf" : "inf";
    }

    void raise(std::string& text) {
        const std::string_view before = rest_;
        const std::string power = group();
        const bool goes_on = !rest_.empty() && is_of_word(rest_.front()) && !before.starts_with('{');
        const bool is_turned = power == "T" || power == ".T" || power == "top";
        text += is_turned && !goes_on ? ".T" : "**" + power;
    }

    void command(std::string& text) {
        std::size_t end = 0;
        while (end < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[end])) != 0)
            ++end;
        const std::string name(rest_.substr(0, end));
        rest_.remove_prefix(std::min(rest_.size(), std::max<std::size_t>(end, 1)));  // "\,", too
        const auto is_one_of = [&](auto... names) { return ((name == names) || ...); };
        if (is_one_of("frac", "dfrac", "tfrac")) {
            const std::string above = group(), below = group();
            text += '(' + above + ") / (" + below + ')';
        } else if (name == "sqrt") {
            text += "sqrt(" + group() + ')';
        } else if (is_one_of("operatorname", "text", "mathrm", "mathbf", "mathit", "mathsf", "mathcal",
                             "boldsymbol")) {
            text += group();
        } else if (is_one_of("cdot", "times")) {
            text += " @ ";
        } else if (is_one_of("odot", "circ", "ast")) {
            text += " * ";
        } else if (is_one_of("top", "intercal")) {
            text += ".T";
        } else if (name == "infty") {
            text += "inf";
        } else if (is_one_of("le", "leq")) {
            text += " <= ";
        } else if (is_one_of("ge", "geq")) {
            text += " >= ";
        } else if (is_one_of("ne", "neq")) {
            text += " != ";
        } else if (is_one_of("sum", "prod", "int")) {  // of what follows, as far as a reader sees
            is_unclear_ = true;
        } else if (!is_one_of("", "left", "right", "big", "Big", "bigl", "bigr", "quad", "qquad")) {
            text += name;
        }
    }

    std::string_view rest_;
    int depth_ = 0;
    bool is_unclear_ = false;
};

/// Words, numbers and signs of a line; ".T" is one.
std::vector<std::string> parts_of(std::string_view line) {
    std::vector<std::string> parts;
    while (!line.empty() && line.front() != '#') {
        std::size_t end = 1;
        if (is_of_word(line.front())) {
            const bool is_number = std::isdigit(static_cast<unsigned char>(line.front())) != 0;
            while (end < line.size() && (is_of_word(line[end]) || (is_number && line[end] == '.')))
                ++end;
        } else if (line.starts_with(".T") || line.starts_with("**") || line.starts_with("<=") ||
                   line.starts_with(">=") || line.starts_with("==") || line.starts_with("!=")) {
            end = 2;
        }
        if (line.front() != ' ' && line.front() != '\t' && line.front() != '\r')
            parts.emplace_back(line.substr(0, end));
        line.remove_prefix(end);
    }
    return parts;
}

/// Matrices stand side by side in papers: "QK" is a product.
std::vector<std::string> in_own_names(const std::vector<std::string>& parts) {
    std::vector<std::string> named;
    for (const std::string& part : parts)
        if (part.find_first_not_of("QKVqkv") == std::string::npos)
            for (const char letter : part)
                named.push_back(own_spelling(std::string(1, letter)));
        else
            named.push_back(own_spelling(part));
    return named;
}

/// "soft max(" and "log sigmoid(" are a function's name that came apart.
std::vector<std::string> with_whole_functions(const std::vector<std::string>& parts) {
    const auto is_function = [](const std::string& name) {
        return std::ranges::find(formula_functions(), name, &FormulaFunction::name) !=
               formula_functions().end();
    };
    std::vector<std::string> whole;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const bool is_call =
            i > 0 && i + 1 < parts.size() && parts[i + 1] == "(" && is_of_word(parts[i].front());
        if (is_call && is_function(parts[i - 1] + parts[i]))
            whole.back() += parts[i];
        else if (is_call && is_function(parts[i - 1] + '_' + parts[i]))
            whole.back() += '_' + parts[i];
        else
            whole.push_back(parts[i]);
    }
    return whole;
}

/// Papers leave it to the reader that products of queries and keys are of rows: "q k" and "q · k".
std::vector<std::string> with_turned_keys(const std::vector<std::string>& parts) {
    std::vector<std::string> turned;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        turned.push_back(parts[i]);
        const bool is_behind_query =
            i > 0 && parts[i] == "k" &&
            (parts[i - 1] == "q" || (i > 1 && parts[i - 1] == "@" && parts[i - 2] == "q"));
        const std::string next = i + 1 < parts.size() ? parts[i + 1] : std::string();
        if (is_behind_query && next != ".T" && next != "." && next != "[")
            turned.emplace_back(".T");
    }
    return turned;
}

bool is_number(const std::string& part) {
    return std::isdigit(static_cast<unsigned char>(part.front())) != 0;
}

/// "\cdot" is of numbers as well as of matrices.
std::vector<std::string> with_products_of_numbers(std::vector<std::string> parts) {
    for (std::size_t i = 1; i + 1 < parts.size(); ++i)
        if (parts[i] == "@" && (is_number(parts[i - 1]) || is_number(parts[i + 1])))
            parts[i] = "*";
    return parts;
}

bool is_name(const std::string& part) {
    static constexpr std::array<std::string_view, 3> joining = {"and", "or", "not"};
    return is_of_word(part.front()) && std::isdigit(static_cast<unsigned char>(part.front())) == 0 &&
           std::ranges::count(joining, part) == 0;
}
/// A name that stands for a matrix: a bracket behind another one holds what a function gets.
bool is_matrix(const std::string& part) { return part == "q" || part == "k" || part == "v" || part == "x"; }

bool ends_value(const std::string& part) {
    return is_name(part) || is_number(part) || part == ")" || part == "]" || part == ".T";
}

/// The sign that two parts lack between them; empty where they lack none.
std::string product_between(const std::string& left, const std::string& right) {
    const bool begins = is_name(right) || is_number(right) || right == "(";
    const bool is_call = right == "(" && is_name(left) && !is_matrix(left);
    if (!ends_value(left) || !begins || is_call)
        return {};
    return is_number(left) || is_number(right) ? "*" : "@";
}

std::string written(const std::vector<std::string>& parts) {
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
    static constexpr std::array<std::string_view, 5> widths = {"d_k", "d_q", "dk", "d_model", "d_h"};
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 18> names = {
        {{"Q", "q"},
         {"K", "k"},
         {"V", "v"},
         {"X", "x"},
         {"qk", "q @ k.T"},
         {"QK", "q @ k.T"},
         {"qkT", "q @ k.T"},
         {"QKT", "q @ k.T"},
         {"num_heads", "heads"},
         {"n_heads", "heads"},
         {"head_dim", "d"},
         {"seq_len", "n"},
         {"infinity", "inf"},
         {"Infinity", "inf"},
         {"infty", "inf"},
         {"NINF", "-inf"},
         {"Softmax", "softmax"},
         {"SoftMax", "softmax"}}};
    if (std::ranges::count(widths, name) > 0)
        return "d";
    const auto known = std::ranges::find_if(names, [&](const auto& each) { return each.first == name; });
    return known == names.end() ? name : std::string(known->second);
}

std::optional<std::string> meant_formula(std::string_view line) {
    constexpr std::size_t longest = 200;  // that is shown in an error, and that is read as deep as it goes
    const std::string_view typed_part = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const bool goes_on = typed_part.ends_with('\\') && !typed_part.ends_with("\\\\");  // as in Python
    if (line.size() > longest || goes_on)
        return {};
    std::vector<std::string> parts = with_products_of_numbers(
        with_turned_keys(in_own_names(with_whole_functions(parts_of(Mathematics(line).in_signs())))));
    const bool has_mask = std::ranges::find(parts, "mask") != parts.end();  // which no sign joins to scores
    if (std::ranges::any_of(parts, is_of_python) || has_mask || (!parts.empty() && parts[0] == "repeat"))
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
    if (name.empty())
        name = own_name(value);
    std::string meant = name + " = " + value;
    const auto as_one = [](const std::vector<std::string>& all) {
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
