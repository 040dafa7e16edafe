#include "core/text/token_pattern.h"

#include "core/tensor/error.h"

#include <unicode/unistr.h>
#include <unicode/uregex.h>

#include <algorithm>
#include <cstdint>

namespace headlight {
namespace {

/// ICU asks once in about ten thousand steps whether to go on: all tokens together get a few milliseconds.
constexpr int most_asked = 64;
constexpr std::int32_t most_stack = 1 << 20;  // bytes

}  // namespace

struct TokenPattern::Compiled {
    struct Close {
        void operator()(URegularExpression* opened) const { uregex_close(opened); }
    };
    std::string text;
    std::unique_ptr<URegularExpression, Close> expression;
    mutable int asked = 0;  ///< ICU hands out const to what it calls

    static UBool goes_on_matching(const void* compiled, std::int32_t) {
        return ++static_cast<const Compiled*>(compiled)->asked <= most_asked;
    }
};

TokenPattern::TokenPattern(const std::string& expression) : compiled_(std::make_unique<Compiled>()) {
    constexpr const char* what = "regular expression";
    if (expression.size() > longest)
        throw Error(
            {what, "", "at most " + std::to_string(longest) + " bytes", std::to_string(expression.size())});
    const icu::UnicodeString pattern = icu::UnicodeString::fromUTF8(expression);
    UErrorCode status = U_ZERO_ERROR;
    UParseError place{};
    compiled_->text = expression;
    compiled_->expression.reset(uregex_open(pattern.getBuffer(), pattern.length(), 0, &place, &status));
    if (U_SUCCESS(status))
        uregex_setStackLimit(compiled_->expression.get(), most_stack, &status);
    if (U_SUCCESS(status))
        uregex_setMatchCallback(compiled_->expression.get(), Compiled::goes_on_matching, compiled_.get(),
                                &status);
    if (U_FAILURE(status))
        throw Error({what, place.offset > 0 ? "character " + std::to_string(place.offset) : std::string(),
                     R"(one such as </s>|^\W$)", '"' + excerpt(expression) + '"'});
}

TokenPattern::~TokenPattern() = default;

bool TokenPattern::is_in(const std::string& token) const {
    const icu::UnicodeString text = icu::UnicodeString::fromUTF8(token);
    UErrorCode status = U_ZERO_ERROR;
    uregex_setText(compiled_->expression.get(), text.getBuffer(), text.length(), &status);
    const bool is_found = uregex_find(compiled_->expression.get(), 0, &status) != 0;
    if (U_FAILURE(status))
        throw Error({"regular expression", "", "one that is quickly found, or not, in each token",
                     '"' + excerpt(compiled_->text) + '"'});
    return is_found;
}

}  // namespace headlight
