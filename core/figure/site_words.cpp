#include "core/figure/site_words.h"

#include "core/figure/words.h"
#include "core/map/site_name.h"

#include <algorithm>

namespace headlight {

bool is_of_later_layer(const std::string& site) { return parse_site(site).layer.value_or(0) > 0; }

bool has_layers(const Trace& trace) {
    return std::ranges::any_of(trace.stages(), is_of_later_layer, &Stage::site);
}

std::string site_in_words(const std::string& site, bool has_layers) {
    const SiteName name = parse_site(site);
    const bool is_self = site.ends_with(".self"), is_cross = site.ends_with(".cross");
    const bool is_of_model =
        is_stream(name.kind) ||
        ((is_self || is_cross) && (site.starts_with("encoder.") || site.starts_with("decoder.")));
    const bool is_of_capture = name.layer && name.kind.find('.') == std::string::npos;
    if (!is_of_model && !is_of_capture)
        return site;
    std::string words = is_of_model ? site.substr(0, site.find('.')) : name.kind;
    if (name.layer && (has_layers || words.empty()))
        words += (words.empty() ? "layer " : " layer ") + std::to_string(*name.layer + 1);
    if (is_stream(name.kind))
        return words + (name.kind == query_stream ? ", query stream" : ", content stream");
    return words + (is_cross ? ", looks at the source" : is_self ? ", looks at itself" : "");
}

std::string short_site_words(const std::string& site, bool has_layers) {
    std::string words = site_in_words(site, has_layers);
    const auto shorten = [&](std::string_view what, std::string_view to) {
        if (const auto at = words.find(what); at != std::string::npos)
            words.replace(at, what.size(), to);
    };
    if (words == site)
        return words;
    shorten(", looks at itself", "");
    shorten(", looks at the source", " → source");
    shorten(", content stream", " contents");
    shorten(", query stream", " queries");
    shorten(" layer ", " ");
    return words;
}

std::string site_title(const std::string& site, bool has_layers) {
    const std::string title = site_in_words(site, has_layers);
    return title == site ? title : capitalized(title);
}

}  // namespace headlight
