#include "core/analysis/head_overview.h"

#include "core/map/hidden_keys.h"
#include "core/map/site_name.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headlight {
namespace {

/// On either side of a picture: all of them together have about as many cells as a screen has pixels.
Index picture_cells(Index heads) {
    constexpr double all_cells = 2.5e6, fewest = 16, most = 96;
    const double side = std::sqrt(all_cells / static_cast<double>(std::max<Index>(1, heads)));
    return static_cast<Index>(std::clamp(side, fewest, most));
}

/// A mechanism's own maps are at no site; those at one are of mechanisms that stand beside it.
bool is_own(const LabelledMaps& maps, std::span<const LabelledMaps> all) {
    const auto is_of_mechanism = [](const LabelledMaps& each) { return site_at(each, 0).empty(); };
    return is_of_mechanism(maps) || std::ranges::none_of(all, is_of_mechanism);
}

}  // namespace

HeadOverview pictured_heads(std::span<const LabelledMaps> maps) {
    Index count = 0;
    for (const LabelledMaps& each : maps)
        count += each.maps->extents().layers * each.maps->extents().heads;
    HeadOverview overview;
    if (!maps.empty())
        overview.lens = maps.front().lens;
    for (const LabelledMaps& each : maps) {
        if (!is_own(each, maps))
            continue;
        const auto& hidden = each.lens.hidden_keys;
        const auto seen =
            hidden.empty() ? each.maps : std::make_shared<const MapsWithoutKeys>(each.maps, hidden);
        std::ranges::move(thumbnails_of(*seen, picture_cells(count)), std::back_inserter(overview.pictures));
        for (Index layer = 0; layer < each.maps->extents().layers; ++layer)
            for (Index head = 0; head < each.maps->extents().heads; ++head)
                overview.heads.push_back(
                    {maps.size() > 1 ? each.name : "", site_at(each, layer), {layer, head}, {}, {}});
    }
    return overview;
}

std::optional<double> HeadOverview::hidden_mass() const {
    const std::size_t hidden = *find_statistic("hidden");
    double sum = 0;
    Index counted = 0;
    for (std::size_t head = 0; head < heads.size(); ++head)
        if (const auto mass = number(head, hidden)) {
            sum += *mass;
            ++counted;
        }
    return counted > 0 ? std::optional(sum / static_cast<double>(counted)) : std::nullopt;
}

HeadOverview with_statistics(HeadOverview overview, std::span<const LabelledMaps> maps,
                             const std::function<void(double share)>& progress) {
    overview.heads = own_heads(head_table(maps, progress));
    overview.has_statistics = true;
    return overview;
}

}  // namespace headlight
