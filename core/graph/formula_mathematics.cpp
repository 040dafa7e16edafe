#include "core/graph/formula_mathematics.h"

#include "core/graph/formula_spellings.h"

#include <algorithm>
#include <array>

namespace headlight {
namespace {

/// Signs of papers and of other languages, as they are typed here. Those of which others begin stand first.
struct SignElsewhere {
    std::string_view found, meant;
};
constexpr std::array signs_elsewhere = {
    SignElsewhere{"&&", " and "}, SignElsewhere{"||", " or "},  SignElsewhere{"=>", " >= "},
    SignElsewhere{"=<", " <= "},  SignElsewhere{"<>", " != "},  SignElsewhere{"'", ".T"},
    SignElsewhere{"’", ".T"},     SignElsewhere{"′", ".T"},     SignElsewhere{"ᵀ", ".T"},
    SignElsewhere{"⊤", ".T"},     SignElsewhere{"⊺", ".T"},     SignElsewhere{"·", " @ "},
    SignElsewhere{"⋅", " @ "},    SignElsewhere{"∙", " @ "},    SignElsewhere{"•", " @ "},
    SignElsewhere{"½", " 0.5 "},  SignElsewhere{"¼", " 0.25 "}, SignElsewhere{"¾", " 0.75 "},
    SignElsewhere{"$", ""},       SignElsewhere{"&", ""},       SignElsewhere{"}", ""},
};

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
        else if (is_name_alone(text) && (take(":=") || take("<-") || take("←") || take("=>")))
            text += " = ";
        else if (take("_{"))
            braces(text += '_');
        else if (!sign(text) && !rest_.empty()) {
            text += rest_.front();
            rest_.remove_prefix(1);
        }
    }

    bool sign(std::string& text) {
        const auto found = std::ranges::find_if(signs_elsewhere,
                                                [&](const SignElsewhere& each) { return take(each.found); });
        if (found != signs_elsewhere.end())
            text += found->meant;
        return found != signs_elsewhere.end();
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
        } else if (is_one_of("sum", "prod", "int", "begin", "end")) {  // of what follows, as a reader sees
            is_unclear_ = true;
        } else if (!is_one_of("", "left", "right", "big", "Big", "bigl", "bigr", "quad", "qquad")) {
            text += name;
        }
    }

    std::string_view rest_;
    int depth_ = 0;
    bool is_unclear_ = false;
};

}  // namespace

std::string mathematics_in_signs(std::string_view line) { return Mathematics(line).in_signs(); }

}  // namespace headlight
