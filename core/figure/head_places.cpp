#include "core/figure/head_places.h"

#include "core/figure/site_words.h"
#include "core/map/site_name.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace headlight {
namespace {

/// "query" of the stream "decoder.query": it has no other kind of that name beside it.
std::string short_kind(const std::string& kind) {
    return is_stream(kind) ? kind.substr(kind.rfind('.') + 1) : kind;
}

}  // namespace

HeadPlaces::HeadPlaces(const HeadOverview& overview) {
    for (const HeadRow& head : overview.heads) {
        if (sites.empty() || sites.back() != head.site)
            sites.push_back(head.site);
        heads = std::max(heads, head.place.head + 1);
    }
}

std::size_t HeadPlaces::cell(const HeadRow& head) const {
    const auto row = std::ranges::find(sites, head.site) - sites.begin();
    return static_cast<std::size_t>(row * heads + head.place.head);
}

bool heads_are_places(const HeadOverview& overview) {
    return !overview.heads.empty() && std::ranges::all_of(overview.heads, [](const HeadRow& head) {
        return head.place.head == 0 && !head.site.empty() && !parse_site(head.site).layer;
    });
}

std::vector<HeadMarks::Head> marks_of_heads(const HeadOverview& overview, bool has_layers) {
    std::vector<HeadMarks::Head> marks;
    marks.reserve(overview.heads.size());
    const bool are_places = heads_are_places(overview);
    // The heads of a site follow one another, and its words are found out once.
    const std::string* known = nullptr;
    std::string place, short_place;
    for (const HeadRow& head : overview.heads) {
        if (!known || *known != head.site) {
            known = &head.site;
            const SiteName site = parse_site(head.site);
            place = head.site.empty() ? "" : site_in_words(head.site, has_layers) + ", ";
            short_place = site.kind.empty() ? "" : short_kind(site.kind) + " ";
            if (has_layers && site.layer)
                (short_place += std::to_string(*site.layer + 1)) += '.';
        }
        if (are_places) {
            marks.push_back({head.site, 0, site_in_words(head.site, has_layers), parse_site(head.site).kind});
            continue;
        }
        const std::string number = std::to_string(head.place.head + 1);
        std::string name = place;
        (name += "head ") += number;
        marks.push_back({head.site, head.place.head, std::move(name), short_place + number});
    }
    return marks;
}

ScatterAxes shown_metrics(std::span<const std::string> metrics, const ScatterAxes& asked) {
    const auto has = [&](const std::string& name) { return std::ranges::count(metrics, name) > 0; };
    const auto is_asked = [&](const std::string& name) {
        return name == asked.across || name == asked.up || name == asked.colour;
    };
    std::size_t next = 0;
    const auto shown = [&](const std::string& name) {
        if (has(name))
            return name;
        while (next < metrics.size() && is_asked(metrics[next]))
            ++next;
        return metrics[std::min(next++, metrics.size() - 1)];
    };
    ScatterAxes axes;
    axes.across = shown(asked.across);
    axes.up = shown(asked.up);
    axes.colour = shown(asked.colour);
    return axes;
}

void write_map_row(const HeadMarks& marks, Index columns, Index row, std::span<float> numbers) {
    const Index line = row % marks.map_rows, width = marks.map_columns;
    auto to = numbers.begin();
    for (Index column = 0; column < columns; ++column, to += width) {
        const HeadMarks::Head& head =
            marks.heads[static_cast<std::size_t>(row / marks.map_rows * columns + column)];
        if (!head.map) {
            std::fill_n(to, width, std::numeric_limits<float>::quiet_NaN());
            continue;
        }
        const Thumbnail& map = *head.map;
        const float* weights = map.largest.data() + line * map.rows / marks.map_rows * map.columns;
        const float whole = head.whole;
        if (map.columns != width)
            for (Index cell = 0; cell < width; ++cell)
                to[cell] = weights[cell * map.columns / width] / whole;
        else if (whole == 1)  // most maps: of one text, on one scale
            std::copy_n(weights, width, to);
        else
            std::transform(weights, weights + width, to, [whole](float weight) { return weight / whole; });
        if (map.forbidden.empty())
            continue;
        const std::uint8_t* forbidden = map.forbidden.data() + line * map.rows / marks.map_rows * map.columns;
        for (Index cell = 0; cell < width; ++cell)
            if (forbidden[cell * map.columns / width])
                to[cell] = -std::numeric_limits<float>::infinity();
    }
}

}  // namespace headlight
