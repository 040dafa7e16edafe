#include "core/figure/called_tokens.h"

#include "core/figure/words.h"
#include "core/tensor/error.h"
#include "core/tensor/words.h"
#include "core/text/bare_token.h"
#include "core/text/token_text.h"

#include <charconv>

namespace headlight {
namespace {

/// "3, 7 and 12", counted from 1; of many the first ones: "3, 7, 12, 15 and 5 others".
std::string places_of(const std::vector<Index>& tokens) {
    constexpr std::size_t most = 4;
    std::vector<std::string> places;
    for (std::size_t at = 0; at < tokens.size() && at < most; ++at)
        places.push_back(std::to_string(tokens[at] + 1));
    const std::size_t others = tokens.size() - places.size();
    return others == 0 ? list_in_words(places, "and") : list_with_others(places, others);
}

}  // namespace

std::optional<Index> whole_number(const std::string& typed) {
    Index number = 0;
    const char* end = typed.data() + typed.size();
    const auto result = std::from_chars(typed.data(), end, number);
    return result.ec == std::errc() && result.ptr == end ? std::optional(number) : std::nullopt;
}

CalledTokens tokens_called(const std::string& typed, const std::vector<std::string>& names) {
    const bool may_be_bare = !typed.empty() && !whole_number(typed);
    const std::vector<std::string> texts = token_texts(names);
    const std::string meant = token_texts(std::vector{typed}).front();  // "Ġit" means " it"
    CalledTokens called;
    for (std::size_t at = 0; at < names.size(); ++at) {
        const auto is_so = [&](const std::string& name) {
            return name == typed || name == meant || visible_token(name) == typed;
        };
        if (is_so(names[at]) || (may_be_bare && is_so(texts[at])))
            called.exact.push_back(static_cast<Index>(at));
        else if (may_be_bare && bare_token(texts[at]) == typed)
            called.bare.push_back(static_cast<Index>(at));
    }
    return called;
}

std::optional<Index> token_called(const std::string& typed, const std::vector<std::string>& names,
                                  Index count) {
    const CalledTokens called = tokens_called(typed, names);
    if (!called.exact.empty())
        return called.exact.front();
    if (called.bare.size() == 1)
        return called.bare.front();
    const auto number = whole_number(typed);
    return number && *number >= 1 && *number <= count ? std::optional(*number - 1) : std::nullopt;
}

TokenMismatch token_mismatch(const std::string& typed, const std::vector<std::string>& names, Index count) {
    const std::vector<Index> several = tokens_called(typed, names).bare;
    const std::string number = "its number from 1 to " + std::to_string(count);
    if (!several.empty())
        return {"one token, by " + number, '"' + excerpt(typed) + "\", which are " + places_of(several)};
    return {"a token, or " + number, quoted_with_hint(typed, names)};
}

}  // namespace headlight
