#include "core/graph/formula_syntax.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

namespace headlight {
namespace {

constexpr int most_depth = 200;  // a bracket takes two
constexpr std::size_t most_parts = 5000;

struct Token {
    enum class Kind { number, name, sign, line_end, end };
    Kind kind = Kind::end;
    std::string text;
    double number = 0;
    FormulaPlace place;
    std::size_t begin = 0, end = 0;  ///< bytes
};

std::string shown(const Token& token) {
    if (token.kind == Token::Kind::end)
        return "the end of the formula";
    return token.kind == Token::Kind::line_end ? "the end of the line" : '"' + excerpt(token.text) + '"';
}

/// What people copy from papers, as it is typed here.
struct Spelling {
    std::string_view found, meant;
};
constexpr std::array spellings = {
    Spelling{"−", "-"},  Spelling{"≤", "<="}, Spelling{"≥", ">="},  Spelling{"≠", "!="},
    Spelling{"×", "*"},  Spelling{"∘", "*"},  Spelling{"⊙", "*"},   Spelling{"÷", "/"},
    Spelling{"ᵀ", ".T"}, Spelling{"⊤", ".T"}, Spelling{"∞", "inf"}, Spelling{"π", "pi"},
};
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
        add(Token::Kind::line_end, at_, "");
        add(Token::Kind::end, at_, "");
    }

    std::vector<Token> take() { return std::move(tokens_); }

private:
    void read() {
        const char c = text_[at_];
        if (c == '\n') {
            if (open_ == 0)
                add(Token::Kind::line_end, at_, "");
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
        } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
            read_number();
        } else if (is_letter(c)) {
            std::size_t end = at_;
            while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end])))
                ++end;
            take_to(Token::Kind::name, end);
        } else if (!read_spelling() && !read_sign()) {
            std::size_t end = at_ + 1;
            while (end < text_.size() && goes_on(text_[end]))
                ++end;
            refuse_character(text_.substr(at_, end - at_));
        }
    }

    /// What people write elsewhere, and what it is here.
    [[noreturn]] void refuse_character(const std::string& got) const {
        constexpr std::array<Spelling, 12> elsewhere = {
            {{"·", "\"*\" number by number, or \"@\" of matrices"},
             {"√", "sqrt(...)"},
             {"∑", "sum(...)"},
             {"Σ", "sum(...)"},
             {"‖", "normalize(...), or sqrt(sum(x * x))"},
             {"!", "not, or != to compare"},
             {"~", "not"},
             {";", "the end of the line: one value a line"},
             {"'", "a name, a number or a sign; a transpose is x.T"},
             {"\"", "a name, a number or a sign: there are no texts"},
             {"{", "\"(\" or \"[\""},
             {"}", "\")\" or \"]\""}}};
        const auto known = std::ranges::find(elsewhere, got, &Spelling::found);
        const bool is_letter_elsewhere = static_cast<unsigned char>(got.front()) >= 0x80;
        refuse_formula(
            place_,
            known != elsewhere.end() ? std::string(known->meant)
            : is_letter_elsewhere
                ? "a name of the letters a to z, digits and \"_\", such as alpha, a number or a sign"
                : "a name, a number or a sign",
            '"' + excerpt(got) + '"');
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
        take_to(Token::Kind::number, last);
        tokens_.back().number = number;
    }

    bool read_spelling() {
        for (const auto& [found, meant] : spellings)
            if (text_.compare(at_, found.size(), found) == 0) {
                const std::size_t begin = at_, end = at_ + found.size();
                const bool is_word = is_letter(meant.front());
                if (meant == ".T") {
                    add(Token::Kind::sign, begin, ".");
                    add(Token::Kind::name, begin, "T");
                } else {
                    add(is_word ? Token::Kind::name : Token::Kind::sign, begin, std::string(meant));
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
                take_to(Token::Kind::sign, at_ + sign.size());
                open_ += sign == "(" || sign == "[" ? 1 : sign == ")" || sign == "]" ? -1 : 0;
                open_ = std::max(open_, 0);
                return true;
            }
        return false;
    }

    void take_to(Token::Kind kind, std::size_t end) {
        add(kind, at_, text_.substr(at_, end - at_));
        tokens_.back().end = end;
        step(end - at_);
    }
    void add(Token::Kind kind, std::size_t begin, std::string text) {
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
    std::vector<Token> tokens_;
};

/// How tightly signs hold together, the loosest first. "&" and "|" are what Python has for arrays.
int strength(const std::string& sign) {
    if (sign == "or" || sign == "|")
        return 1;
    if (sign == "and" || sign == "&")
        return 2;
    if (sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "==" || sign == "!=")
        return 4;
    if (sign == "+" || sign == "-")
        return 5;
    if (sign == "*" || sign == "/" || sign == "@" || sign == "%" || sign == "//")
        return 6;
    return 0;
}
constexpr int of_not = 3, of_sign = 7;

using Kind = FormulaNode::Kind;

class Parser {
public:
    explicit Parser(const std::string& text) : text_(text), tokens_(Tokens(text).take()) {}

    std::vector<FormulaLine> lines() {
        std::vector<FormulaLine> list;
        skip_line_ends();
        const int left = now().place.column;
        for (; now().kind != Token::Kind::end; skip_line_ends()) {
            if (now().place.column != left)
                refuse_formula(
                    now().place,
                    "a line that begins where the first one does; only lines below \"repeat\" are indented",
                    "one that begins elsewhere");
            list.push_back(line());
        }
        return list;
    }

private:
    const Token& now() const { return tokens_[at_]; }
    const Token& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    const Token& next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
    bool is(std::string_view sign) const {
        return (now().kind == Token::Kind::sign || now().kind == Token::Kind::name) && now().text == sign;
    }
    bool take(std::string_view sign) {
        const bool there = is(sign);
        if (there)
            next();
        return there;
    }
    void expect(std::string_view sign, const std::string& why) {
        if (take(sign))
            return;
        if (is("=") && !open_.empty())
            refuse_formula(now().place, "\"==\" to compare", "\"=\"");
        // What follows stands below, or nowhere: the bracket was forgotten.
        if (!open_.empty() && (now().kind == Token::Kind::end || now().kind == Token::Kind::line_end ||
                               now().place.line > tokens_[at_ - 1].place.line))
            refuse_formula(open_.back().place, "a bracket that is closed",
                           '"' + open_.back().text + "\" without its end");
        refuse_formula(now().place, '"' + std::string(sign) + "\" " + why, shown(now()));
    }
    /// The bracket before is one until it is closed.
    void open() { open_.push_back(tokens_[at_ - 1]); }
    void close() {
        next();
        open_.pop_back();
    }
    void skip_line_ends() {
        while (now().kind == Token::Kind::line_end)
            next();
    }

    FormulaLine line() {
        if (is("repeat") && !(ahead().kind == Token::Kind::sign && ahead().text == "="))
            return repeated();
        FormulaLine line;
        line.place = now().place;
        if (now().kind != Token::Kind::name)
            refuse_formula(now().place, "a line \"name = ...\"", shown(now()));
        line.name = next().text;
        if (now().kind == Token::Kind::sign && now().text == "[")
            refuse_formula(now().place, "\"=\" after the name: its extents follow from what it is",
                           shown(now()));
        expect("=", "after the name that the line gives a value, as in \"context = weights @ v\"");
        const std::size_t begin = now().begin;
        line.value = expression(0);
        line.text = text_.substr(begin, tokens_[at_ - 1].end - begin);
        if (now().kind != Token::Kind::line_end)
            refuse_formula(now().place, after_value(), shown(now()));
        return line;
    }

    /// What can follow a value that is whole.
    std::string after_value() const {
        if (is("="))
            return "one \"=\" a line; \"==\" compares";
        if (now().kind == Token::Kind::name || now().kind == Token::Kind::number || is("(") || is("["))
            return "a sign between two values, such as \"*\" or \"@\"";
        return is(")") || is("]") ? "a bracket that was opened" : "the end of the line";
    }

    FormulaLine repeated() {
        FormulaLine line;
        line.place = next().place;
        line.times = expression(0);
        expect(":", "after how many times");
        if (now().kind != Token::Kind::line_end)
            refuse_formula(now().place, "the lines to repeat below, each indented", shown(now()));
        skip_line_ends();
        while (now().kind != Token::Kind::end && now().place.column > line.place.column) {
            if (is("repeat"))
                refuse_formula(now().place, "lines \"name = ...\" in what is repeated",
                               "a second \"repeat\"");
            line.body.push_back(this->line());
            skip_line_ends();
        }
        if (line.body.empty())
            refuse_formula(now().place, "the lines to repeat, each indented", shown(now()));
        return line;
    }

    FormulaNode node(Kind kind, const FormulaPlace& place, std::string text = {}) {
        if (++made_ > most_parts)
            refuse_formula(place, "at most " + std::to_string(most_parts) + " parts", "more");
        FormulaNode node;
        node.kind = kind;
        node.place = place;
        node.text = std::move(text);
        return node;
    }

    /// What holds more tightly than `least`.
    FormulaNode expression(int least) {
        const Deeper deeper(*this);
        FormulaNode left = is("not") ? negated() : signed_value();
        FormulaNode compared;
        bool was_compared = false;
        while (true) {
            const std::string sign = now().text;
            const int held =
                now().kind == Token::Kind::line_end || now().kind == Token::Kind::number ? 0 : strength(sign);
            if (held <= least)
                return left;
            FormulaNode joined = node(Kind::sign, next().place,
                                      sign == "&"   ? "and"
                                      : sign == "|" ? "or"
                                                    : sign);
            FormulaNode right = expression(held);
            const bool compares = held == strength("<");
            if (compares && was_compared) {  // a <= b <= c
                FormulaNode second = std::move(joined);
                second.parts = {compared, right};
                joined = node(Kind::sign, second.place, "and");
                joined.parts = {std::move(left), std::move(second)};
            } else {
                joined.parts = {std::move(left), right};
            }
            was_compared = compares;
            compared = std::move(right);
            left = std::move(joined);
        }
    }

    FormulaNode negated() {
        FormulaNode no = node(Kind::sign, next().place, "not");
        no.parts.push_back(expression(of_not));
        return no;
    }

    FormulaNode signed_value() {
        const Deeper deeper(*this);
        if (is("+")) {
            next();
            return signed_value();
        }
        if (!is("-"))
            return power();
        FormulaNode minus = node(Kind::sign, next().place, "-");
        minus.parts.push_back(signed_value());
        return minus;
    }

    FormulaNode power() {
        FormulaNode base = value();
        if (!is("**") && !is("^"))
            return base;
        FormulaNode power = node(Kind::sign, next().place, "**");
        if (is("T"))
            refuse_formula(now().place, "a number; a transpose is x.T", "\"T\"");
        power.parts.push_back(std::move(base));
        power.parts.push_back(signed_value());
        return power;
    }

    FormulaNode value() {
        FormulaNode value = atom();
        while (true) {
            if (is("[")) {
                value = indexed(std::move(value));
            } else if (is(".")) {
                next();
                const Token word = next();
                if (word.kind != Token::Kind::name)
                    refuse_formula(word.place, "\"T\" or the name of a function after \".\"", shown(word));
                if (word.text == "T") {
                    FormulaNode turned = node(Kind::transpose, word.place);
                    turned.parts.push_back(std::move(value));
                    value = std::move(turned);
                } else {
                    value = method(std::move(value), word);
                }
            } else {
                return value;
            }
        }
    }

    /// np.exp(x) and torch.exp(x) are exp(x), and x.sum(axis=-1) is sum(x, axis=-1).
    FormulaNode method(FormulaNode of, const Token& word) {
        const bool is_library = of.is_name("np") || of.is_name("torch") || of.is_name("numpy");
        if (is_library && !is("("))
            return node(Kind::name, word.place, word.text);
        FormulaNode call = node(Kind::call, word.place, word.text);
        if (!is_library) {
            call.parts.push_back(std::move(of));
            call.keywords.emplace_back();
        }
        expect("(", "after \"." + word.text + '"');
        arguments(call);
        return call;
    }

    void arguments(FormulaNode& call) {
        open();
        while (!is(")")) {
            std::string keyword;
            if (now().kind == Token::Kind::name && ahead().kind == Token::Kind::sign && ahead().text == "=") {
                keyword = next().text;
                next();
            }
            call.parts.push_back(expression(0));
            call.keywords.push_back(std::move(keyword));
            if (!is(")"))
                expect(",", "or \")\"");
        }
        close();
    }

    FormulaNode indexed(FormulaNode of) {
        FormulaNode index = node(Kind::index, next().place);
        open();
        index.parts.push_back(std::move(of));
        while (!is("]")) {
            index.parts.push_back(one_index());
            if (!is("]"))
                expect(",", "or \"]\"");
        }
        close();
        return index;
    }

    FormulaNode one_index() {
        const FormulaPlace place = now().place;
        if (is("...") || is("None"))
            return node(Kind::nothing, place, next().text);
        FormulaNode first = is(":") ? node(Kind::nothing, place) : expression(0);
        if (!take(":"))
            return first;
        FormulaNode slice = node(Kind::slice, place);
        slice.parts.push_back(std::move(first));
        slice.parts.push_back(is(",") || is("]") ? node(Kind::nothing, now().place) : expression(0));
        if (is(":"))
            refuse_formula(now().place, "a:b, from a to before b, without steps", "a second \":\"");
        return slice;
    }

    FormulaNode atom() {
        const Token token = next();
        if (token.kind == Token::Kind::number) {
            FormulaNode number = node(Kind::number, token.place, token.text);
            number.number = token.number;
            return number;
        }
        if (token.kind == Token::Kind::name) {
            if (!is("("))
                return node(Kind::name, token.place, token.text);
            next();
            FormulaNode call = node(Kind::call, token.place, token.text);
            arguments(call);
            return call;
        }
        if (token.text == "(" && token.kind == Token::Kind::sign) {
            open();
            FormulaNode inner = expression(0);
            expect(")", "that closes the \"(\" of column " + std::to_string(token.place.column));
            open_.pop_back();
            return inner;
        }
        if (token.text == "[" && token.kind == Token::Kind::sign) {
            open();
            FormulaNode list = node(Kind::list, token.place);
            while (!is("]")) {
                list.parts.push_back(expression(0));
                if (!is("]"))
                    expect(",", "or \"]\"");
            }
            close();
            return list;
        }
        refuse_formula(token.place, "a value: a name, a number, a function or a bracket", shown(token));
    }

    /// Brackets within brackets go as deep as a stack allows.
    struct Deeper {
        explicit Deeper(Parser& the_parser) : parser(the_parser) {
            if (++parser.depth_ > most_depth)
                refuse_formula(
                    parser.now().place,
                    "at most " + std::to_string(most_depth / 2 - 2) + " brackets within one another", "more");
        }
        ~Deeper() { --parser.depth_; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        Parser& parser;
    };

    const std::string& text_;
    std::vector<Token> tokens_;
    std::vector<Token> open_;  ///< brackets that are not closed yet
    std::size_t at_ = 0, made_ = 0;
    int depth_ = 0;
};

}  // namespace

std::string to_string(const FormulaPlace& place) {
    return "line " + std::to_string(place.line) + ", column " + std::to_string(place.column);
}

void refuse_formula(const FormulaPlace& place, const std::string& expected, const std::string& got) {
    throw Error({"formula", to_string(place), expected, got});
}

std::vector<FormulaLine> parse_formula(const std::string& text) {
    if (text.size() > most_formula_bytes)
        throw Error({"formula", "", "at most " + std::to_string(most_formula_bytes) + " bytes",
                     std::to_string(text.size())});
    return Parser(text).lines();
}

}  // namespace headlight
