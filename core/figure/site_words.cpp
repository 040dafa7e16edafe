#include "core/figure/site_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace headlight {
namespace {

/// The layer of "decoder.1.cross", from 0; nothing where the name has none, or is no such name.
std::optional<int> layer_of(const std::string& site) {
    const std::size_t dot = site.find('.');
    if (dot == std::string::npos)
        return std::nullopt;
    int layer = 0;
    const char *first = site.data() + dot + 1, *last = site.data() + site.size();
    return std::from_chars(first, last, layer).ec == std::errc() ? std::optional(layer) : std::nullopt;
}

}  // namespace

bool is_of_later_layer(const std::string& site) { return layer_of(site).value_or(0) > 0; }

bool has_layers(const Trace& trace) {
    return std::ranges::any_of(trace.stages(), is_of_later_layer, &Stage::site);
}

std::string site_in_words(const std::string& site, bool has_layers) {
    const bool is_in_encoder = site.starts_with("encoder."), is_cross = site.ends_with(".cross");
    if ((!is_in_encoder && !site.starts_with("decoder.")) || (!is_cross && !site.ends_with(".self")))
        return site;
    std::string words = is_in_encoder ? "encoder" : "decoder";
    if (const auto layer = layer_of(site); layer && has_layers)
        words += " layer " + std::to_string(*layer + 1);
    return words + (is_cross ? ", looks at the source" : ", looks at itself");
}

std::string site_title(const std::string& site, bool has_layers) {
    std::string title = site_in_words(site, has_layers);
    if (!title.empty() && title != site)
        title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    return title;
}

}  // namespace headlight
