#include "core/figure/find_heads.h"

#include "core/map/site_name.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <regex>
#include <string>

namespace headlight {
namespace {

std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
    return small;
}

/// From 1; nothing where the place has no layer.
std::optional<Index> layer_of(const std::string& site) {
    const std::optional<Index> layer = parse_site(site).layer;
    return layer ? std::optional<Index>(*layer + 1) : std::nullopt;
}

/// Layer and head that a text asks for; nothing where it is other words.
struct Asked {
    std::optional<Index> layer, head;
};

std::optional<Asked> numbers_in(const std::string& text) {
    static const std::regex head(R"((?:head|h)?\s*(\d{1,9}))"), layer(R"((?:layer|l)\s*(\d{1,9}))"),
        both(R"((?:layer|l)?\s*(\d{1,9})(?:\s*[.,:/]\s*(?:head|h)?|\s*(?:head|h)|\s)\s*(\d{1,9}))");
    std::smatch found;
    if (std::regex_match(text, found, head))
        return Asked{std::nullopt, std::stoll(found[1])};
    if (std::regex_match(text, found, layer))
        return Asked{std::stoll(found[1]), std::nullopt};
    if (std::regex_match(text, found, both))
        return Asked{std::stoll(found[1]), std::stoll(found[2])};
    return std::nullopt;
}

}  // namespace

std::vector<std::size_t> find_heads(const HeadMarks& marks, std::string_view asked) {
    constexpr std::string_view blank = " \t\n";
    const std::size_t first = asked.find_first_not_of(blank);
    if (first == asked.npos)
        return {};
    const std::string text = in_small_letters(asked.substr(first, asked.find_last_not_of(blank) + 1 - first));
    const std::optional<Asked> numbers = numbers_in(text);
    std::vector<std::size_t> found;
    for (std::size_t mark = 0; mark < marks.heads.size(); ++mark) {
        const HeadMarks::Head& head = marks.heads[mark];
        const std::string name = in_small_letters(head.name);
        if (name.empty())
            continue;  // a cell of a grid without a head
        const bool is_asked_for = numbers ? (!numbers->head || *numbers->head == head.head + 1) &&
                                                (!numbers->layer || numbers->layer == layer_of(head.site))
                                          : name.find(text) != name.npos;
        if (is_asked_for)
            found.push_back(mark);
    }
    return found;
}

}  // namespace headlight
