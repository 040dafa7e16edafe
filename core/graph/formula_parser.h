#pragma once

#include "core/graph/formula_syntax.h"
#include "core/graph/formula_tokens.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// How tightly a sign holds together what is beside it, from 1, the loosest; 0 of what joins no values.
int strength_of_sign(const std::string& sign);

/// The grammar of formulas, a token after another: lines stand in formula_syntax.cpp, values in
/// formula_parser.cpp. Every member throws Error{"formula", "line 2, column 15", expected, got}.
class FormulaParser {
public:
    explicit FormulaParser(const std::string& text) : text_(text), tokens_(formula_tokens(text)) {}
    std::vector<FormulaLine> lines();

private:
    const FormulaToken& now() const { return tokens_[at_]; }
    const FormulaToken& ahead() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    const FormulaToken& next() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
    bool is(std::string_view sign) const {
        return (now().kind == FormulaToken::Kind::sign || now().kind == FormulaToken::Kind::name) &&
               now().text == sign;
    }
    bool take(std::string_view sign) {
        const bool there = is(sign);
        if (there)
            next();
        return there;
    }
    void expect(std::string_view sign, const std::string& why);
    /// The bracket before is one until it is closed.
    void open() { open_.push_back(tokens_[at_ - 1]); }
    void close() {
        next();
        open_.pop_back();
    }
    /// A name that the formula has itself comes before a library and before what libraries call functions.
    bool is_named(const std::string& name) const { return std::ranges::find(named_, name) != named_.end(); }
    void skip_line_ends() {
        while (now().kind == FormulaToken::Kind::line_end)
            next();
    }
    /// A line that goes on with the value of the line above.
    void require_no_rest() const;
    /// W[d, d], which only declares a parameter: all that there is behind the name of a line.
    bool is_index_alone() const;
    /// (x) = ..., behind the name of a line.
    bool defines_function() const;
    FormulaLine line();
    /// What the words before this token, or this one, are said by here; empty where nothing is known of them.
    std::string lacks_before() const;
    /// What can follow a value that is whole.
    std::string after_value() const;
    FormulaLine repeated();
    FormulaNode node(FormulaNode::Kind kind, const FormulaPlace& place, std::string text = {});
    /// What holds more tightly than `least`.
    FormulaNode expression(int least);
    FormulaNode negated();
    FormulaNode signed_value();
    FormulaNode power();
    FormulaNode value();
    /// np.exp(x) and F.softmax(x) are exp(x) and softmax(x), and x.sum(axis=-1) is sum(x, axis=-1).
    FormulaNode method(FormulaNode of, const FormulaToken& word);
    /// self.softmax(x), and a projection of a class, self.W_q(x).
    [[noreturn]] void refuse_of_class(const FormulaPlace& place, const std::string& word) const;
    void arguments(FormulaNode& call);
    /// dtype=torch.float32, and what stands in x.to(q.dtype): types that numbers have here anyway, and
    /// devices.
    bool take_type(const FormulaNode& call, const std::string& keyword);
    /// (a, b), not (a + b) * c.
    bool begins_tuple() const;
    /// Values between the bracket here and its end.
    FormulaNode listed(std::string_view end);
    FormulaNode indexed(FormulaNode of);
    FormulaNode one_index();
    FormulaNode atom();
    /// Where the value stands in the next line.
    std::string goes_on(const FormulaToken& token) const;
    /// Brackets within brackets go as deep as a stack allows.
    class Deeper;

    const std::string& text_;
    std::vector<FormulaToken> tokens_;
    std::vector<FormulaToken> open_;  ///< brackets that are not closed yet
    std::vector<std::string> named_;  ///< of lines before, states, and what has an index
    std::size_t at_ = 0, made_ = 0;
    int depth_ = 0;
};

}  // namespace headlight
