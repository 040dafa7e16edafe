#include "core/map/site_name.h"

#include <charconv>

namespace headlight {
namespace {

constexpr const char* unnamed = "layer";

/// What a decoder's site is called beside its layer, where others of its layer attend, too: "query" of
/// "decoder.0.query". Empty for any other.
std::string part_of_decoder(const std::string& site) {
    const std::string part = site.substr(site.rfind('.') + 1);
    const bool is_stream = (part == "content" || part == "query") && site.starts_with("decoder.");
    return is_stream || site.ends_with(".cross") ? part : std::string();
}

std::optional<Index> number(std::string_view text) {
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value)
                                                                                  : std::nullopt;
}

}  // namespace

SiteName parse_site(const std::string& site) {
    std::string rest = site;
    const std::string part = part_of_decoder(site);
    if (!part.empty() || rest.ends_with(".self"))
        rest.resize(rest.rfind('.'));
    std::optional<Index> layer;
    if (const std::size_t dot = rest.rfind('.'); dot != std::string::npos)
        if ((layer = number(std::string_view(rest).substr(dot + 1))))
            rest.resize(dot);
    return {!part.empty() ? part : layer && rest == unnamed ? "" : rest, layer};
}

std::string site_of(const std::string& kind, Index layer) {
    const std::string number = '.' + std::to_string(layer);
    if (kind.empty())
        return unnamed + number;
    if (kind == "cross" || kind == "content" || kind == "query")
        return "decoder" + number + '.' + kind;
    return kind + number + (kind == "encoder" || kind == "decoder" ? ".self" : "");
}

std::string site_at(const LabelledMaps& maps, Index layer) {
    return maps.sites.empty() ? site_of(maps.name, layer) : maps.sites[static_cast<std::size_t>(layer)];
}

Index layer_in_model(const LabelledMaps& maps, Index layer) {
    return parse_site(site_at(maps, layer)).layer.value_or(layer);
}

}  // namespace headlight
