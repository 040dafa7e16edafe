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

std::vector<HeadMarks::Head> marks_of_heads(const HeadOverview& overview, bool has_layers) {
    std::vector<HeadMarks::Head> marks;
    marks.reserve(overview.heads.size());
    // The heads of a site follow one another, and its words are found out once.
    const std::string* known = nullptr;
    std::string place, short_place;
    for (const HeadRow& head : overview.heads) {
        if (!known || *known != head.site) {
            known = &head.site;
            const SiteName site = parse_site(head.site);
            place = head.site.empty() ? "" : site_in_words(head.site, has_layers) + ", ";
            short_place = site.kind.empty() ? "" : site.kind + " ";
            if (has_layers && site.layer)
                (short_place += std::to_string(*site.layer + 1)) += '.';
        }
        const std::string number = std::to_string(head.place.head + 1);
        std::string name = place;
        (name += "head ") += number;
        marks.push_back({head.site, head.place.head, std::move(name), short_place + number});
    }
    return marks;
}

}  // namespace headlight
