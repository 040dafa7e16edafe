#include "core/figure/formula.h"

#include "core/attention/pipeline_stages.h"

#include <set>

namespace headlight {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

std::string class_attribute(std::string_view stage) { return "class=\"stage-" + std::string(stage) + '"'; }

}  // namespace

std::string light_formula(std::string svg, std::string_view stage, std::string_view lit,
                          std::string_view plain, const AttentionSpec* spec) {
    replace_all(svg, "currentColor", plain);
    std::string shown(stage);
    std::set<std::string> passed;  // two stages may light each other, of which a formula has neither
    while (svg.find(class_attribute(shown)) == svg.npos) {
        const auto declared = declared_stage(spec, shown);
        if (!declared || declared->lights.empty() || !passed.insert(shown).second)
            return svg;
        shown = declared->lights;
    }
    const std::string term = class_attribute(shown);
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
