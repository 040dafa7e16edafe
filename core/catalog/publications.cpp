#include "core/catalog/publications.h"

#include "core/catalog/publication_years.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace headlight {

std::span<const Publication> publications() {
    static const std::vector<Publication> all = [] {
        std::vector<Publication> found;
        for (const auto some : {publications_to_2018(), publications_2019_to_2020(), publications_2021(),
                                publications_2022_to_2023(), publications_2024(), publications_from_2025()})
            found.insert(found.end(), some.begin(), some.end());
        return found;
    }();
    return all;
}

const Publication* find_publication(std::string_view title) {
    const std::span<const Publication> all = publications();
    const auto is_short_form = [&](const Publication& each) {
        return each.title.size() > title.size() && each.title.starts_with(title) &&
               std::isalnum(static_cast<unsigned char>(each.title[title.size()])) == 0;
    };
    auto found = std::ranges::find(all, title, &Publication::title);
    if (found == all.end())
        found = std::ranges::find_if(all, is_short_form);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace headlight
