#include "core/graph/formula_parser.h"

#include "core/graph/formula_builder.h"
#include "core/graph/formula_meant.h"
#include "core/graph/formula_spellings.h"
#include "core/tensor/error.h"

#include <utility>

namespace headlight {
namespace {

constexpr int most_depth = 200;  // a bracket takes two
constexpr std::size_t most_parts = 5000;
constexpr int strength_of_not = 3, strength_of_comparison = 4;

/// Functions that NumPy and PyTorch give extents or several values in round brackets.
bool may_have_tuple(const std::string& function) {
    return function == "zeros" || function == "ones" || joins_values(function) ||
           !said_here(function).empty();
}

bool is_largest_along_axis(const FormulaNode& node) {
    return node.kind == FormulaNode::Kind::call && (node.text == "max" || node.text == "min") &&
           std::ranges::any_of(node.keywords, [](const std::string& word) { return !word.empty(); });
}

/// In NumPy, which says axis and keepdims, max(x, axis=-1)[0] is the largest of the first row.
bool is_said_as_in_pytorch(const FormulaNode& call) {
    return std::ranges::any_of(call.keywords,
                               [](const std::string& word) { return word == "dim" || word == "keepdim"; });
}

}  // namespace

// "&" and "|" are what Python has for arrays.
int strength_of_sign(const std::string& sign) {
    if (sign == "or" || sign == "|")
        return 1;
    if (sign == "and" || sign == "&")
        return 2;
    if (sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "==" || sign == "!=")
        return strength_of_comparison;
    if (sign == "+" || sign == "-")
        return 5;
    if (sign == "*" || sign == "/" || sign == "@" || sign == "%" || sign == "//")
        return 6;
    return 0;
}

class FormulaParser::Deeper {
public:
    explicit Deeper(FormulaParser& the_parser) : parser_(the_parser) {
        if (++parser_.depth_ > most_depth)
            refuse_formula(parser_.now().place,
                           "at most " + std::to_string(most_depth / 2 - 2) + " brackets within one another",
                           "more");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

private:
    FormulaParser& parser_;
};

void FormulaParser::expect(std::string_view sign, const std::string& why) {
    if (take(sign))
        return;
    if (is("=") && !open_.empty())
        refuse_formula(now().place, "\"==\" to compare", "\"=\"");
    if (const std::string lacks = lacks_before(); !lacks.empty())
        refuse_formula(now().place, lacks, shown(now()));
    // What follows stands below, or nowhere: the bracket was forgotten.
    if (!open_.empty() &&
        (now().kind == FormulaToken::Kind::end || now().kind == FormulaToken::Kind::line_end ||
         now().place.line > tokens_[at_ - 1].place.line))
        refuse_formula(open_.back().place, "a bracket that is closed",
                       '"' + open_.back().text + "\" without its end");
    refuse_formula(now().place, '"' + std::string(sign) + "\" " + why, shown(now()));
}

std::string FormulaParser::lacks_before() const {
    if (now().kind == FormulaToken::Kind::line_end || now().kind == FormulaToken::Kind::end || at_ == 0)
        return {};
    if (const std::string_view between = between_said_here(now().text); !between.empty())
        return std::string(between);
    if (now().text == "where" && ahead().text != "(")
        return "where(condition, a, b), as in where(abs(i - j) < 3, scores, -inf)";
    const FormulaToken& before = tokens_[at_ - 1];
    const bool is_line_name = at_ < 2 || tokens_[at_ - 2].kind == FormulaToken::Kind::line_end;
    const bool is_behind_name =
        before.kind == FormulaToken::Kind::name && !is_line_name && !is_named(before.text);
    const bool is_value = now().kind == FormulaToken::Kind::name || now().kind == FormulaToken::Kind::number;
    if (is_behind_name && is_value && (tokens_[at_ - 2].text == "%" || tokens_[at_ - 2].text == "//"))
        return "\"#\" before a comment";
    if (is_behind_name && is_value && is_formula_function(before.text))
        return "\"(\" after the name of a function, " + before.text + "(...)";
    return is_behind_name ? std::string(name_said_here(before.text)) : std::string();
}

std::string FormulaParser::after_value() const {
    if (is("="))
        return "one \"=\" a line; \"==\" compares";
    if (const std::string lacks = lacks_before(); !lacks.empty())
        return lacks;
    const FormulaToken& before = tokens_[at_ - 1];
    if (is(",") && before.kind == FormulaToken::Kind::number && ahead().kind == FormulaToken::Kind::number &&
        before.end == now().begin && now().end == ahead().begin)
        return before.text + '.' + ahead().text + ", a number with a point";
    if (now().kind == FormulaToken::Kind::name || now().kind == FormulaToken::Kind::number || is("(") ||
        is("["))
        return "a sign between two values, such as \"*\" or \"@\"";
    return is(")") || is("]") ? "a bracket that was opened" : "the end of the line";
}

FormulaNode FormulaParser::node(FormulaNode::Kind kind, const FormulaPlace& place, std::string text) {
    if (++made_ > most_parts)
        refuse_formula(place, "at most " + std::to_string(most_parts) + " parts", "more");
    FormulaNode node;
    node.kind = kind;
    node.place = place;
    node.text = std::move(text);
    return node;
}

FormulaNode FormulaParser::expression(int least) {
    const Deeper deeper(*this);
    FormulaNode left = is("not") ? negated() : signed_value();
    FormulaNode compared;
    bool was_compared = false;
    while (true) {
        const std::string sign = now().text;
        const int held =
            now().kind == FormulaToken::Kind::line_end || now().kind == FormulaToken::Kind::number
                ? 0
                : strength_of_sign(sign);
        if (held <= least)
            return left;
        FormulaNode joined = node(FormulaNode::Kind::sign, next().place,
                                  sign == "&"   ? "and"
                                  : sign == "|" ? "or"
                                                : sign);
        FormulaNode right = expression(held);
        const bool compares = held == strength_of_comparison;
        if (compares && was_compared) {  // a <= b <= c
            FormulaNode second = std::move(joined);
            second.parts = {compared, right};
            joined = node(FormulaNode::Kind::sign, second.place, "and");
            joined.parts = {std::move(left), std::move(second)};
        } else {
            joined.parts = {std::move(left), right};
        }
        was_compared = compares;
        compared = std::move(right);
        left = std::move(joined);
    }
}

FormulaNode FormulaParser::negated() {
    FormulaNode no = node(FormulaNode::Kind::sign, next().place, "not");
    no.parts.push_back(expression(strength_of_not));
    return no;
}

FormulaNode FormulaParser::signed_value() {
    const Deeper deeper(*this);
    if (is("+")) {
        next();
        return signed_value();
    }
    if (!is("-"))
        return power();
    FormulaNode minus = node(FormulaNode::Kind::sign, next().place, "-");
    minus.parts.push_back(signed_value());
    return minus;
}

FormulaNode FormulaParser::power() {
    FormulaNode base = value();
    if (!is("**") && !is("^"))
        return base;
    FormulaNode power = node(FormulaNode::Kind::sign, next().place, "**");
    if (is("T"))
        refuse_formula(now().place, "a number; a transpose is x.T", "\"T\"");
    power.parts.push_back(std::move(base));
    power.parts.push_back(signed_value());
    return power;
}

FormulaNode FormulaParser::value() {
    FormulaNode value = atom();
    while (true) {
        if (is("[")) {
            if (value.kind == FormulaNode::Kind::name)
                named_.push_back(value.text);  // perhaps a parameter, F[d, 16]
            value = indexed(std::move(value));
        } else if (is(".")) {
            next();
            const FormulaToken word = next();
            if (word.kind != FormulaToken::Kind::name)
                refuse_formula(word.place, "\"T\" or the name of a function after \".\"", shown(word));
            if (word.text == "T" || (word.text == "mT" && !is("("))) {
                FormulaNode turned = node(FormulaNode::Kind::transpose, word.place);
                turned.parts.push_back(std::move(value));
                value = std::move(turned);
            } else {
                value = method(std::move(value), word);
            }
        } else if (is("(") && value.kind == FormulaNode::Kind::call) {  // nn.Linear(d, d)(q)
            const std::string_view here = said_here(value.text);
            refuse_formula(value.place,
                           here.empty()
                               ? "one bracket behind the name of a function, as in softmax(x, dim=-1)"
                               : std::string(here),
                           '"' + excerpt(value.text) + "(...)(\"");
        } else {
            return value;
        }
    }
}

FormulaNode FormulaParser::method(FormulaNode of, const FormulaToken& word) {
    if (of.is_name("self") && !is_named(of.text))
        refuse_of_class(of.place, word.text);
    const bool is_of_library =
        of.kind == FormulaNode::Kind::name && is_library(of.text) && !is_named(of.text);
    if (is_of_library && !is("("))
        return node(FormulaNode::Kind::name, word.place, word.text);
    FormulaNode call = node(FormulaNode::Kind::call, word.place, word.text);
    if (!is_of_library) {
        call.parts.push_back(std::move(of));
        call.keywords.emplace_back();
    }
    if (!is_of_library && word.text == "values" && is_largest_along_axis(call.parts.front()) && !is("("))
        return std::move(call.parts.front());
    if (const FormulaNode* called = call.parts.empty() ? nullptr : &call.parts.front();
        called && called->kind == FormulaNode::Kind::call && !is("("))  // finfo(x).min
        if (const std::string_view here = said_here(called->text); !here.empty())
            refuse_formula(called->place, std::string(here), '"' + called->text + '"');
    if (const std::string_view here = said_here(word.text); !here.empty() && !is("("))
        refuse_formula(word.place, std::string(here), "\"." + word.text + '"');
    expect("(", "after \"." + word.text + '"');
    arguments(call);
    return own_call(std::move(call), is_of_library ? CalledOf::library : CalledOf::value);
}

void FormulaParser::refuse_of_class(const FormulaPlace& place, const std::string& word) const {
    const std::string_view here = said_here(word);
    refuse_formula(place,
                   is_formula_function(word) || !is("(") ? excerpt(word) + ", without \"self.\""
                   : !here.empty()                       ? std::string(here)
                                                         : std::string(said_here("Linear")),
                   "\"self." + excerpt(word) + '"');
}

void FormulaParser::arguments(FormulaNode& call) {
    open();
    while (!is(")")) {
        std::string keyword;
        if (now().kind == FormulaToken::Kind::name && ahead().kind == FormulaToken::Kind::sign &&
            ahead().text == "=") {
            keyword = next().text;
            next();
            if (call.text == "scan")
                named_.push_back(keyword);  // a state
        }
        const bool is_norm = (call.text == "layer_norm" || call.text == "rms_norm") && !call.parts.empty();
        if (is_norm && (is("(") || is("[")))  // PyTorch's normalized_shape, (d,)
            refuse_formula(now().place, std::string(keyword_said_here("normalized_shape")), shown(now()));
        if (!take_type(call, keyword)) {
            call.parts.push_back(may_have_tuple(call.text) && begins_tuple() ? listed(")") : expression(0));
            call.keywords.push_back(std::move(keyword));
        }
        if (!is(")"))
            expect(",", "or \")\"");
    }
    close();
}

bool FormulaParser::take_type(const FormulaNode& call, const std::string& keyword) {
    const bool is_by_method = keyword.empty() && call.parts.size() == 1 && changes_type(call.text);
    if (call.text == "scan" || (!is_by_method && keyword != "dtype" && keyword != "device"))
        return false;
    std::size_t last = at_;
    while (last + 2 < tokens_.size() && tokens_[last + 1].text == "." &&
           tokens_[last].kind == FormulaToken::Kind::name)
        last += 2;
    const bool is_whole =
        last + 1 < tokens_.size() && (tokens_[last + 1].text == "," || tokens_[last + 1].text == ")");
    const bool is_line = last == at_ && is_named(tokens_[last].text);
    if (!is_whole || is_line || !is_type_of_numbers(tokens_[last].text))
        return false;
    at_ = last + 1;
    return true;
}

bool FormulaParser::begins_tuple() const {
    int open = 0;
    bool has_comma = false;
    for (std::size_t i = at_; is("(") && i + 1 < tokens_.size(); ++i) {
        const std::string& text = tokens_[i].text;
        open += text == "(" || text == "[" ? 1 : text == ")" || text == "]" ? -1 : 0;
        has_comma = has_comma || (open == 1 && text == ",");
        if (open == 0)
            return has_comma && (tokens_[i + 1].text == "," || tokens_[i + 1].text == ")");
    }
    return false;
}

FormulaNode FormulaParser::listed(std::string_view end) {
    FormulaNode list = node(FormulaNode::Kind::list, next().place);
    open();
    while (!is(end)) {
        list.parts.push_back(expression(0));
        if (!is(end))
            expect(",", "or \"" + std::string(end) + '"');
    }
    close();
    return list;
}

FormulaNode FormulaParser::indexed(FormulaNode of) {
    FormulaNode index = node(FormulaNode::Kind::index, next().place);
    open();
    const bool is_of_largest = is_largest_along_axis(of);
    index.parts.push_back(std::move(of));
    while (!is("]")) {
        index.parts.push_back(one_index());
        if (!is("]"))
            expect(",", "or \"]\"");
    }
    close();
    // PyTorch has the largest at [0] and their places at [1]; a row of them is of a line's own name.
    if (is_of_largest && index.parts.size() == 2 && index.parts[1].kind == FormulaNode::Kind::number) {
        FormulaNode& largest = index.parts.front();
        if (index.parts[1].number == 0 && is_said_as_in_pytorch(largest))
            return std::move(largest);
        refuse_formula(index.place, std::string(said_here("values")), "\"[\"");
    }
    return index;
}

FormulaNode FormulaParser::one_index() {
    const FormulaPlace place = now().place;
    if (is("...") || is("None"))
        return node(FormulaNode::Kind::nothing, place, next().text);
    FormulaNode first = is(":") ? node(FormulaNode::Kind::nothing, place) : expression(0);
    if (first.is_name("newaxis") && !is_named(first.text))  // what NumPy calls None
        return node(FormulaNode::Kind::nothing, place, "None");
    if (!take(":"))
        return first;
    const auto refuse_steps = [&] {
        if (is(":"))
            refuse_formula(now().place,
                           "a:b, from a to before b, without steps; columns may be listed, "
                           "x[:, [0, 2]]",
                           "a second \":\"");
    };
    refuse_steps();
    FormulaNode slice = node(FormulaNode::Kind::slice, place);
    slice.parts.push_back(std::move(first));
    slice.parts.push_back(is(",") || is("]") ? node(FormulaNode::Kind::nothing, now().place) : expression(0));
    refuse_steps();
    return slice;
}

FormulaNode FormulaParser::atom() {
    if (now().kind == FormulaToken::Kind::sign && is("["))
        return listed("]");
    const FormulaToken token = next();
    if (token.kind == FormulaToken::Kind::number) {
        FormulaNode number = node(FormulaNode::Kind::number, token.place, token.text);
        number.number = token.number;
        return number;
    }
    if (token.kind == FormulaToken::Kind::name) {
        if (!is("("))
            return node(FormulaNode::Kind::name, token.place, token.text);
        next();
        FormulaNode call = node(FormulaNode::Kind::call, token.place, token.text);
        arguments(call);
        return is_named(token.text) ? call : own_call(std::move(call), CalledOf::nothing);
    }
    if (token.text == "(" && token.kind == FormulaToken::Kind::sign) {
        open();
        FormulaNode inner = expression(0);
        expect(")", "that closes the \"(\" of column " + std::to_string(token.place.column));
        open_.pop_back();
        return inner;
    }
    refuse_formula(token.place,
                   token.text == "|" ? std::string("abs(x) of a number, norm(x) of a row")
                   : token.text == "<"
                       ? "q @ k.T, which has the products of all pairs"
                       : "a value: a name, a number, a function or a bracket" + goes_on(token),
                   shown(token));
}

std::string FormulaParser::goes_on(const FormulaToken& token) const {
    const bool is_line = now().kind == FormulaToken::Kind::name && ahead().text == "=";
    const bool is_end = now().kind == FormulaToken::Kind::end || now().kind == FormulaToken::Kind::line_end;
    return token.kind == FormulaToken::Kind::line_end && !is_line && !is_end
               ? "; a line goes on in the next one only within an open bracket"
               : "";
}

}  // namespace headlight
