#include "core/figure/formula.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headlight {
namespace {

/// Where a formula has no term for the first stage, it may have one for the second, which contains it or
/// feeds it.
constexpr auto stand_ins = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"key_tokens", "tokens"},
    {"value_tokens", "tokens"},
    {"position", "tokens"},
    {"key_position", "key_tokens"},
    {"query", "tokens"},
    {"key", "tokens"},
    {"value", "tokens"},
    {"energy", "scores"},
    {"scaled_scores", "scores"},
    {"biased_scores", "scaled_scores"},
    {"masked_scores", "biased_scores"},
    {"row_maximum", "weights"},
    {"exponentials", "weights"},
    {"row_sum", "weights"},
    {"soft_weights", "weights"},
    {"draw", "weights"},
    {"frequencies", "weights"},
    {"weights", "output"},
    {"context", "output"},
    {"concatenation", "output"},
});

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

std::string class_attribute(std::string_view stage) { return "class=\"stage-" + std::string(stage) + '"'; }

}  // namespace

std::string light_formula(std::string svg, std::string_view stage, std::string_view lit,
                          std::string_view plain) {
    replace_all(svg, "currentColor", plain);
    while (svg.find(class_attribute(stage)) == svg.npos) {
        const auto stand_in = std::ranges::find(stand_ins, stage, &decltype(stand_ins)::value_type::first);
        if (stand_in == stand_ins.end())
            return svg;
        stage = stand_in->second;
    }
    const std::string term = class_attribute(stage);
    replace_all(svg, term, term + " fill=\"" + std::string(lit) + '"');
    return svg;
}

std::string formula_source(std::string_view svg) {
    constexpr std::string_view opening = "<desc>", closing = "</desc>";
    const std::size_t begin = svg.find(opening);
    const std::size_t end = svg.find(closing, begin);
    if (end == svg.npos)
        return {};
    std::string tex(svg.substr(begin + opening.size(), end - begin - opening.size()));
    replace_all(tex, "&lt;", "<");
    replace_all(tex, "&gt;", ">");
    replace_all(tex, "&amp;", "&");
    return tex;
}

}  // namespace headlight
