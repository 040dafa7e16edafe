#include "core/figure/head_places.h"

#include "core/figure/site_words.h"
#include "core/map/site_name.h"

#include <algorithm>

namespace headlight {

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

std::string head_in_words(const HeadRow& head, bool has_layers) {
    const std::string number = "head " + std::to_string(head.place.head + 1);
    return head.site.empty() ? number : site_in_words(head.site, has_layers) + ", " + number;
}

std::string short_head(const HeadRow& head, bool has_layers) {
    const std::string number = std::to_string(head.place.head + 1);
    const SiteName site = parse_site(head.site);
    const std::string place =
        has_layers && site.layer ? std::to_string(*site.layer + 1) + "." + number : number;
    return site.kind.empty() ? place : site.kind + " " + place;
}

}  // namespace headlight
