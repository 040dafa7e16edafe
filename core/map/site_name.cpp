#include "core/map/site_name.h"

#include <charconv>

namespace headlight {
namespace {

constexpr const char* unnamed = "layer";

std::optional<Index> number(std::string_view text) {
    Index value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value)
                                                                                  : std::nullopt;
}

/// The name of "decoder.0.query" and the like; nothing of any other site.
std::optional<SiteName> parse_stream(const std::string& site) {
    constexpr std::string_view of_decoder = "decoder.";
    const std::size_t dot = site.rfind('.');
    if (!site.starts_with(of_decoder) || dot <= of_decoder.size())
        return std::nullopt;
    const std::string kind = std::string(of_decoder) + site.substr(dot + 1);
    const auto layer = number(std::string_view(site).substr(of_decoder.size(), dot - of_decoder.size()));
    return is_stream(kind) && layer ? std::optional(SiteName{kind, layer}) : std::nullopt;
}

}  // namespace

bool is_stream(std::string_view kind) { return kind == content_stream || kind == query_stream; }

SiteName parse_site(const std::string& site) {
    if (const auto stream = parse_stream(site))
        return *stream;
    std::string rest = site;
    const bool is_cross = rest.ends_with(".cross");
    if (is_cross || rest.ends_with(".self"))
        rest.resize(rest.rfind('.'));
    std::optional<Index> layer;
    if (const std::size_t dot = rest.rfind('.'); dot != std::string::npos)
        if ((layer = number(std::string_view(rest).substr(dot + 1))))
            rest.resize(dot);
    return {is_cross ? "cross" : layer && rest == unnamed ? "" : rest, layer};
}

std::string site_of(const std::string& kind, Index layer) {
    const std::string number = '.' + std::to_string(layer);
    if (kind.empty())
        return unnamed + number;
    if (kind == "cross")
        return "decoder" + number + ".cross";
    if (is_stream(kind))
        return std::string(kind).insert(kind.find('.'), number);
    return kind + number + (kind == "encoder" || kind == "decoder" ? ".self" : "");
}

Index first_query_place(const std::string& site) { return parse_site(site).kind == query_stream ? 1 : 0; }

std::string site_at(const LabelledMaps& maps, Index layer) {
    return maps.sites.empty() ? site_of(maps.name, layer) : maps.sites[static_cast<std::size_t>(layer)];
}

Index first_query_place(const LabelledMaps& maps, Index layer) {
    return maps.first_place ? *maps.first_place : first_query_place(site_at(maps, layer));
}

Index layer_in_model(const LabelledMaps& maps, Index layer) {
    return parse_site(site_at(maps, layer)).layer.value_or(layer);
}

}  // namespace headlight
