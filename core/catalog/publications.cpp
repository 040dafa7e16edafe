#include "core/catalog/publications.h"

#include "core/catalog/publication_years.h"

#include <algorithm>
#include <cctype>
#include <charconv>
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

int first_month(const Publication& publication) {
    constexpr std::string_view arxiv = "arXiv:";
    const std::string_view venue = publication.venue;
    if (publication.first_month > 0 || !venue.starts_with(arxiv))
        return publication.first_month;
    const auto two_digits = [&](std::size_t at) {
        int number = 0;
        const std::string_view digits = venue.substr(std::min(arxiv.size() + at, venue.size()), 2);
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return number;
    };
    const int year = publication.first_year > 0 ? publication.first_year : publication.year;
    return year == 2000 + two_digits(0) ? two_digits(2) : 0;  // "arXiv:2006.04768"
}

}  // namespace headlight
