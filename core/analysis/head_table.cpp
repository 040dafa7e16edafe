#include "core/analysis/head_table.h"

#include "core/analysis/distance_bins.h"
#include "core/map/site_name.h"
#include "core/tensor/csv.h"

#include <algorithm>
#include <atomic>

namespace headlight {

namespace {

bool have_maps(std::span<const HeadRow> heads) {
    return std::ranges::any_of(heads, [](const HeadRow& head) { return !head.maps.empty(); });
}

}  // namespace

Index HeadRow::layer_number() const { return parse_site(site).layer.value_or(place.layer) + 1; }

std::vector<HeadRow> head_table(std::span<const LabelledMaps> maps,
                                const std::function<void(double share)>& progress) {
    std::vector<HeadRow> table;
    Index all = 0;
    for (const LabelledMaps& each : maps) {
        const MapSource::Extents& extents = each.maps->extents();
        all += extents.layers * extents.heads * extents.queries;
    }
    std::atomic<Index> done = 0;
    const auto counted = [&](Index rows) {
        const Index now = done.fetch_add(rows, std::memory_order_relaxed) + rows;
        if (progress)
            progress(static_cast<double>(now) / static_cast<double>(all));
    };
    for (const LabelledMaps& each : maps) {
        std::vector<HeadCounts> counts = counts_of_heads(each, counted);
        for (Index layer = 0, row = 0; layer < each.maps->extents().layers; ++layer)
            for (Index head = 0; head < each.maps->extents().heads; ++head, ++row)
                table.push_back({maps.size() > 1 ? each.name : "",
                                 site_at(each, layer),
                                 {layer, head},
                                 std::move(counts[static_cast<std::size_t>(row)].numbers),
                                 std::move(counts[static_cast<std::size_t>(row)].distances),
                                 each.maps->extents().queries,
                                 each.maps->extents().keys,
                                 first_query_place(each, layer)});
    }
    return table;
}

std::vector<HeadRow> own_heads(std::vector<HeadRow> table) {
    const bool is_of_mechanism = std::ranges::any_of(table, &std::string::empty, &HeadRow::site);
    if (is_of_mechanism)
        std::erase_if(table, [](const HeadRow& head) { return !head.site.empty(); });
    return table;
}

std::vector<std::size_t> known_statistics(std::span<const HeadRow> heads) {
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < head_statistics().size(); ++place)
        if (head_statistics()[place].is_usual() || std::ranges::any_of(heads, [&](const HeadRow& head) {
                return place < head.numbers.size() && head.numbers[place].has_value();
            }))
            places.push_back(place);
    return places;
}

std::string head_table_csv(std::span<const HeadRow> heads, std::span<const std::string> names,
                           std::span<const std::size_t> columns) {
    const bool has_maps = have_maps(heads);
    std::string text = "layer,head";
    for (const std::size_t column : columns)
        (text += ',') += csv_field(names[column]);
    text += has_maps ? ",maps\n" : "\n";
    for (const HeadRow& head : heads) {
        text += std::to_string(head.layer_number()) + ',' + std::to_string(head.place.head + 1);
        for (const std::size_t column : columns) {
            text += ',';
            if (const auto& number = head.numbers[column])
                text += csv_number(*number);
        }
        text += has_maps ? ',' + csv_field(head.maps) + '\n' : "\n";
    }
    return text;
}

std::string distance_csv(std::span<const HeadRow> heads) {
    const bool has_maps = have_maps(heads);
    std::string text = has_maps ? "layer,head,from,to,share,maps\n" : "layer,head,from,to,share\n";
    for (const HeadRow& head : heads) {
        const DistanceBins bins(head.queries, head.keys, head.first_place);
        for (std::size_t at = 0; at < head.distances.size(); ++at) {
            const auto bin = static_cast<Index>(at);
            for (const Index number :
                 {head.layer_number(), head.place.head + 1, bins.first(bin), bins.last(bin)})
                text += std::to_string(number) + ',';
            text += csv_number(head.distances[at]) + (has_maps ? ',' + csv_field(head.maps) : "") + '\n';
        }
    }
    return text;
}

}  // namespace headlight
