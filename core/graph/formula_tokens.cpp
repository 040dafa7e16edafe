#include "core/graph/formula_tokens.h"

#include "core/graph/formula_spellings.h"
#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace headlight {
namespace {

/// What people copy from papers, as it is typed here.
struct Spelling {
    std::string_view found, meant;
};
constexpr std::array spellings = {
    Spelling{"−", "-"},  Spelling{"–", "-"},   Spelling{"≤", "<="},  Spelling{"≥", ">="},
    Spelling{"≠", "!="}, Spelling{"∧", "and"}, Spelling{"∨", "or"},  Spelling{"¬", "not"},
    Spelling{"×", "*"},  Spelling{"∘", "*"},   Spelling{"⊙", "*"},   Spelling{"∗", "*"},
    Spelling{"÷", "/"},  Spelling{"²", "**2"}, Spelling{"³", "**3"}, Spelling{"ᵀ", ".T"},
    Spelling{"⊤", ".T"}, Spelling{"∞", "inf"}, Spelling{"π", "pi"},
};
constexpr std::string_view of_products = "\"*\" number by number, or \"@\" of matrices";
constexpr std::string_view of_lengths =
    "norm(x), the length of each row, normalize(...), or the distance of each pair, ";
/// What people write elsewhere, and what it is here.
constexpr std::array<Spelling, 32> typed_elsewhere = {
    {{"·", of_products},
     {"⋅", of_products},
     {"∙", of_products},
     {"•", of_products},
     {"⊗", "\"*\" number by number, \"@\" of matrices, or a.T @ b of two rows"},
     {"&&", "\"and\" between two conditions"},
     {"||", "\"or\" between two conditions; norm(x) is the length of each row"},
     {"=>", "\">=\" to compare"},
     {"=<", "\"<=\" to compare"},
     {"<>", "\"!=\" to compare"},
     {"½", "0.5"},
     {"¼", "0.25"},
     {"¾", "0.75"},
     {"√", "sqrt(...)"},
     {"∑", "sum(...)"},
     {"Σ", "sum(...)"},
     {"σ", "sigmoid(x) of each number, softmax(x) of each row, or a name such as sigma"},
     {"‖", of_lengths},
     {"∥", of_lengths},
     {"’", "a name, a number or a sign: a transpose is x.T"},
     {"′", "a name, a number or a sign: a transpose is x.T"},
     {"∝", "\"=\", and what makes the sum 1: exp(x) / sum(exp(x)), which is softmax(x)"},
     {"!", "not, or != to compare"},
     {"?", "where(condition, a, b), for \"condition ? a : b\""},
     {"~", "not"},
     {"`", "the lines of the formula alone: leave the fences out, \"```\" of Markdown"},
     {";", "the end of the line: one value a line"},
     {"'", "a name, a number or a sign: a transpose is x.T, and sums of einsum are written with "
           "\"@\" and sum"},
     {"\"", "a name, a number or a sign: there are no texts"},
     {"{", "\"(\" or \"[\""},
     {"}", "\")\" or \"]\""}}};
/// The longest first.
constexpr std::array<std::string_view, 26> signs = {"...", "**", "//", "<=", ">=", "==", "!=", "+", "-",
                                                    "*",   "/",  "%",  "@",  "^",  "<",  ">",  "=", "(",
                                                    ")",   "[",  "]",  ",",  ":",  ".",  "&",  "|"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Part of a character of more than one byte, but not its first.
bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The words, numbers and signs of a text. Within brackets a line has no end.
class Tokens {
public:
    explicit Tokens(const std::string& text) : text_(text) {
        if (text_.starts_with("\uFEFF"))  // some editors begin a text with it
            at_ = 3;
        while (at_ < text_.size())
            read();
        add(FormulaToken::Kind::line_end, at_, "");
        add(FormulaToken::Kind::end, at_, "");
    }

    std::vector<FormulaToken> take() { return std::move(tokens_); }

private:
    void read() {
        const char c = text_[at_];
        if (c == '\n') {
            if (open_ == 0)
                add(FormulaToken::Kind::line_end, at_, "");
            step(1);
            ++place_.line;
            place_.column = 1;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            step(1);
        } else if (text_.compare(at_, 2, "\u00A0") == 0) {  // a space that keeps words together
            step(2);
        } else if (c == '#') {
            while (at_ < text_.size() && text_[at_] != '\n')
                step(1);
        } else if (begins_comment_elsewhere()) {
            const std::string_view rest = std::string_view(text_).substr(at_);
            refuse_formula(place_, "\"#\" before a comment",
                           '"' + excerpt(std::string(rest.substr(0, rest.find_first_not_of(rest.front())))) +
                               '"');
        } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
            read_number();
        } else if (read_infinity()) {
            return;
        } else if (is_letter(c)) {
            std::size_t end = at_;
            while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end])))
                ++end;
            take_to(FormulaToken::Kind::name, end);
        } else if (const auto elsewhere = sign_elsewhere(); !elsewhere.empty()) {
            refuse_character(std::string(elsewhere));
        } else if (!read_spelling() && !read_sign()) {
            std::size_t end = at_ + 1;
            while (end < text_.size() && goes_on(text_[end]))
                ++end;
            refuse_character(text_.substr(at_, end - at_));
        }
    }

    /// "//", "/*", "%" or a text at the beginning of a line, where no value goes on.
    bool begins_comment_elsewhere() const {
        if (open_ > 0 || (!tokens_.empty() && tokens_.back().kind != FormulaToken::Kind::line_end))
            return false;
        const std::string_view rest = std::string_view(text_).substr(at_);
        if (rest.starts_with('"') || rest.starts_with('\'') || rest.starts_with("/*"))
            return true;
        const std::size_t signs_end = rest.starts_with("//") ? 2 : rest.starts_with('%') ? 1 : 0;
        const std::size_t next = rest.find_first_not_of(" \t", signs_end);
        return signs_end > 0 && (next == rest.npos || (!is_digit(rest[next]) && rest[next] != '('));
    }

    /// One of two characters that each may be a sign of its own here.
    std::string_view sign_elsewhere() const {
        const std::string_view next = std::string_view(text_).substr(at_, 2);
        return std::ranges::count(typed_elsewhere, next, &Spelling::found) > 0 ? next : std::string_view();
    }

    [[noreturn]] void refuse_character(const std::string& got) const {
        if (got == "'" || got == "\"")
            refuse_text();
        if (got == "\\")
            refuse_backslash();
        if (got == ";" && open_ > 0)
            refuse_formula(place_, "\",\" between the values of a function", "\";\"");
        const auto known = std::ranges::find(typed_elsewhere, got, &Spelling::found);
        const bool is_letter_elsewhere = static_cast<unsigned char>(got.front()) >= 0x80;
        const bool is_length = known != typed_elsewhere.end() && known->meant == of_lengths;
        const std::string_view more = is_length ? distances_said_here() : "";
        refuse_formula(
            place_,
            known != typed_elsewhere.end() ? std::string(known->meant).append(more)
            : is_letter_elsewhere
                ? "a name of the letters a to z, digits and \"_\", such as alpha, a number or a sign"
                : "a name, a number or a sign",
            '"' + excerpt(got) + '"');
    }

    /// A command of TeX, or a line that goes on as in Python.
    [[noreturn]] void refuse_backslash() const {
        const std::string_view rest = std::string_view(text_).substr(at_ + 1);
        const auto is_of_word = [](char c) { return is_letter(c) && c != '_'; };
        const std::string word(rest.begin(), std::ranges::find_if_not(rest, is_of_word));
        if (!word.empty())
            refuse_formula(place_, tex_said_here(word), "\"\\" + excerpt(word) + '"');
        const std::size_t next = rest.find_first_not_of(" \t\r");
        const bool ends_line =
            next == rest.npos || rest[next] == '\n' || rest[next] == '#' || rest[next] == '\\';
        refuse_formula(place_,
                       ends_line ? "an open bracket where a line goes on in the next one"
                                 : "a name, a number or a sign; inv(x) @ y, for \"x \\ y\"",
                       "\"\\\"");
    }

    /// What a function of another library gets a text for is said here without one.
    void refuse_text() const {
        const std::string_view rest = std::string_view(text_).substr(at_);
        if (const QuotedInfinity found = quoted_infinity(rest); found.bytes > 0)
            refuse_formula(place_,
                           std::string("the number alone, ") + (found.is_negative ? "-inf" : "inf") +
                               ", without quotation marks",
                           std::string(rest.substr(0, found.bytes)));
        const bool has_keyword = open_ > 0 && tokens_.size() > 1 && tokens_.back().text == "=";
        if (has_keyword) {  // gelu(x, approximate='tanh')
            const FormulaToken& keyword = tokens_[tokens_.size() - 2];
            if (const std::string_view here = keyword_said_here(keyword.text); !here.empty())
                refuse_formula(keyword.place, std::string(here), '"' + excerpt(keyword.text) + " =\"");
        }
        int closed = 0;
        for (std::size_t i = tokens_.size(); i-- > 1 && tokens_[i].place.line == place_.line;) {
            if (tokens_[i].text == ")")
                ++closed;
            if (tokens_[i].text != "(" || --closed >= 0)
                continue;
            closed = 0;
            const FormulaToken& before = tokens_[i - 1];
            const std::string_view here =
                before.kind == FormulaToken::Kind::name ? said_here(before.text) : "";
            if (!here.empty())
                refuse_formula(before.place, std::string(here), '"' + before.text + '"');
        }
    }

    void read_number() {
        double number = 0;
        const char* begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
        if (error != std::errc())
            refuse_formula(place_, "a number that a computer has",
                           '"' + excerpt(std::string(begin, end)) + '"');
        const auto last = static_cast<std::size_t>(end - text_.data());
        if (last < text_.size() && is_letter(text_[last]))
            refuse_formula(place_, "a number, or a name that begins with a letter; a product has a \"*\"",
                           '"' + excerpt(text_.substr(at_, last + 1 - at_)) + '"');
        take_to(FormulaToken::Kind::number, last);
        tokens_.back().number = number;
    }

    /// float('-inf') is the number alone; there are no other texts.
    bool read_infinity() {
        constexpr std::string_view before = "float(";
        const std::string_view rest = std::string_view(text_).substr(at_);
        if (!rest.starts_with(before))
            return false;
        const auto behind_spaces = [&](std::size_t at) {
            return std::min(rest.find_first_not_of(' ', at), rest.size());
        };
        const std::size_t begin = behind_spaces(before.size());
        const QuotedInfinity found = quoted_infinity(rest.substr(begin));
        const std::size_t end = behind_spaces(begin + found.bytes);
        if (found.bytes == 0 || !rest.substr(end).starts_with(')'))
            return false;
        add(FormulaToken::Kind::sign, at_, "(");
        if (found.is_negative)
            add(FormulaToken::Kind::sign, at_, "-");
        add(FormulaToken::Kind::name, at_, "inf");
        add(FormulaToken::Kind::sign, at_, ")");
        step(end + 1);
        tokens_.back().end = at_;
        return true;
    }

    bool read_spelling() {
        for (const auto& [found, meant] : spellings)
            if (text_.compare(at_, found.size(), found) == 0) {
                const std::size_t begin = at_, end = at_ + found.size();
                const bool is_word = is_letter(meant.front());
                if (meant == ".T") {
                    add(FormulaToken::Kind::sign, begin, ".");
                    add(FormulaToken::Kind::name, begin, "T");
                } else if (is_digit(meant.back())) {  // a power
                    add(FormulaToken::Kind::sign, begin, "**");
                    add(FormulaToken::Kind::number, begin, std::string(1, meant.back()));
                    tokens_.back().number = meant.back() - '0';
                } else {
                    add(is_word ? FormulaToken::Kind::name : FormulaToken::Kind::sign, begin,
                        std::string(meant));
                }
                step(end - begin);
                tokens_.back().end = end;
                return true;
            }
        return false;
    }

    bool read_sign() {
        for (const std::string_view sign : signs)
            if (text_.compare(at_, sign.size(), sign) == 0) {
                take_to(FormulaToken::Kind::sign, at_ + sign.size());
                open_ += sign == "(" || sign == "[" ? 1 : sign == ")" || sign == "]" ? -1 : 0;
                open_ = std::max(open_, 0);
                return true;
            }
        return false;
    }

    void take_to(FormulaToken::Kind kind, std::size_t end) {
        add(kind, at_, text_.substr(at_, end - at_));
        tokens_.back().end = end;
        step(end - at_);
    }
    void add(FormulaToken::Kind kind, std::size_t begin, std::string text) {
        tokens_.push_back({kind, std::move(text), 0, place_, begin, begin});
    }
    void step(std::size_t bytes) {
        for (const std::size_t end = at_ + bytes; at_ < end; ++at_)
            place_.column += goes_on(text_[at_]) ? 0 : 1;
    }

    const std::string& text_;
    std::size_t at_ = 0;
    FormulaPlace place_;
    int open_ = 0;  ///< brackets
    std::vector<FormulaToken> tokens_;
};

}  // namespace

std::string shown(const FormulaToken& token) {
    if (token.kind == FormulaToken::Kind::end)
        return "the end of the formula";
    return token.kind == FormulaToken::Kind::line_end ? "the end of the line"
                                                      : '"' + excerpt(token.text) + '"';
}

std::vector<FormulaToken> formula_tokens(const std::string& text) { return Tokens(text).take(); }

}  // namespace headlight
