#include "core/graph/formula_syntax.h"

#include "core/graph/formula_meant.h"
#include "core/graph/formula_parser.h"
#include "core/graph/formula_spellings.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"

#include <charconv>

namespace headlight {

std::vector<FormulaLine> FormulaParser::lines() {
    std::vector<FormulaLine> list;
    skip_line_ends();
    const int left = now().place.column;
    for (; now().kind != FormulaToken::Kind::end; skip_line_ends()) {
        if (!list.empty())
            require_no_rest();
        if (now().place.column != left)
            refuse_formula(
                now().place,
                "a line that begins where the first one does; only lines below \"repeat\" are indented",
                "one that begins elsewhere");
        list.push_back(line());
    }
    return list;
}

void FormulaParser::require_no_rest() const {
    const bool is_word =
        now().kind == FormulaToken::Kind::name && (is("and") || is("or")) && ahead().text != "=";
    const bool is_sign = now().kind == FormulaToken::Kind::sign &&
                         (strength_of_sign(now().text) > 0 || is("**") || is("^") || is("."));
    if (is_word || is_sign)
        refuse_formula(now().place,
                       "an open bracket in the line above, as in z = (q @ k.T / 2 ...): a line goes on "
                       "only within one",
                       shown(now()) + " at the beginning of a line");
}

bool FormulaParser::is_index_alone() const {
    std::size_t end = at_;
    while (tokens_[end].kind != FormulaToken::Kind::line_end && tokens_[end].text != "]")
        ++end;
    return is("[") && tokens_[end].text == "]" && tokens_[end + 1].kind == FormulaToken::Kind::line_end;
}

bool FormulaParser::defines_function() const {
    return is("(") && at_ + 3 < tokens_.size() && tokens_[at_ + 1].kind == FormulaToken::Kind::name &&
           tokens_[at_ + 2].text == ")" && tokens_[at_ + 3].text == "=";
}

FormulaLine FormulaParser::line() {
    if (is("repeat") && !(ahead().kind == FormulaToken::Kind::sign && ahead().text == "="))
        return repeated();
    FormulaLine line;
    line.place = now().place;
    if (now().kind != FormulaToken::Kind::name)
        refuse_formula(now().place, "a line \"name = ...\"", shown(now()));
    line.name = next().text;
    if (const std::string_view here = line_said_here(line.name); !here.empty() && !is("="))
        refuse_formula(line.place, std::string(here), '"' + line.name + '"');
    if (is_index_alone())
        refuse_formula(line.place, std::string(said_here("Linear")), "a line without \"=\"");
    if (now().kind == FormulaToken::Kind::sign && now().text == "[")
        refuse_formula(now().place,
                       "\"=\" after the name: its extents follow from what it is, of all places at once, and "
                       "what some places have is chosen in another line, where(condition, a, b)",
                       shown(now()));
    if (defines_function())
        refuse_formula(now().place, std::string(said_here("phi")), shown(now()));
    if (is(","))
        refuse_formula(now().place, "one name a line, \"=\" and its value", shown(now()));
    if (ahead().kind == FormulaToken::Kind::sign && ahead().text == "=" && strength_of_sign(now().text) > 0)
        refuse_formula(now().place, "a new name for a new value, as in \"more = " + line.name + " + 1\"",
                       shown(now()) + " before \"=\"");
    expect("=", "after the name that the line gives a value, as in \"context = weights @ v\"");
    const std::size_t begin = now().begin;
    line.value = expression(0);
    line.text = text_.substr(begin, tokens_[at_ - 1].end - begin);
    if (now().kind != FormulaToken::Kind::line_end)
        refuse_formula(now().place, after_value(), shown(now()));
    named_.push_back(line.name);
    return line;
}

FormulaLine FormulaParser::repeated() {
    FormulaLine line;
    line.place = next().place;
    line.times = expression(0);
    expect(":", "after how many times");
    if (now().kind != FormulaToken::Kind::line_end)
        refuse_formula(now().place, "the lines to repeat below, each indented", shown(now()));
    skip_line_ends();
    while (now().kind != FormulaToken::Kind::end && now().place.column > line.place.column) {
        if (is("repeat"))
            refuse_formula(now().place, "lines \"name = ...\" in what is repeated", "a second \"repeat\"");
        if (!line.body.empty())
            require_no_rest();
        line.body.push_back(this->line());
        skip_line_ends();
    }
    if (line.body.empty())
        refuse_formula(now().place, "the lines to repeat, each indented", shown(now()));
    return line;
}

std::string to_string(const FormulaPlace& place) {
    return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

void refuse_formula(const FormulaPlace& place, const std::string& expected, const std::string& got) {
    throw Error({"formula", to_string(place), expected, got});
}

namespace {

/// The line of a text that an error names; empty where it names none.
std::string line_at(const std::string& text, const std::string& where) {
    constexpr std::string_view before = "line ";
    int number = 0;
    if (where.starts_with(before))
        std::from_chars(where.data() + before.size(), where.data() + where.size(), number);
    std::size_t begin = 0;
    for (int line = 1; line < number && begin != std::string::npos; ++line)
        begin = text.find('\n', begin) == std::string::npos ? std::string::npos : text.find('\n', begin) + 1;
    return number < 1 || begin == std::string::npos ? std::string()
                                                    : text.substr(begin, text.find('\n', begin) - begin);
}

/// W[d @ by @ d] is a value of the grammar, and no names make it run.
bool has_product_in_index(const FormulaNode& node, bool is_in_index = false) {
    const bool is_product = node.kind == FormulaNode::Kind::sign && node.text == "@";
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
        const bool is_index = node.kind == FormulaNode::Kind::index && i > 0;
        if (has_product_in_index(node.parts[i], is_in_index || is_index))
            return true;
    }
    return is_product && is_in_index;
}

/// The error with what its line was probably meant to be, where that is a line.
Error with_what_was_meant(const std::string& text, const Error& error) {
    const auto meant = meant_formula(line_at(text, error.detail().where));
    if (!meant)
        return error;
    try {
        for (const FormulaLine& line : FormulaParser(*meant).lines())
            if (has_product_in_index(line.value))
                return error;
    } catch (const Error&) {
        return error;
    }
    ErrorDetail detail = error.detail();
    detail.got += did_you_mean(*meant);
    return Error(detail);
}

}  // namespace

std::vector<FormulaLine> parse_formula(const std::string& text) {
    if (text.size() > most_formula_bytes)
        throw Error({"formula", "", "at most " + std::to_string(most_formula_bytes) + " bytes",
                     std::to_string(text.size())});
    try {
        return FormulaParser(text).lines();
    } catch (const Error& error) {
        throw with_what_was_meant(text, error);
    }
}

}  // namespace headlight
