// Cells and rows of a panel that are marked: forbidden by the mask, or set by hand.

#include "core/analysis/pooled_layers.h"
#include "core/figure/allowed_cells.h"
#include "core/figure/panel_maker.h"
#include "core/figure/words.h"
#include "core/map/trace_maps.h"

#include <algorithm>
#include <functional>

namespace headlight {

namespace {

/// What both forbid; nothing where one forbids nothing.
std::vector<std::uint8_t> forbidden_in_both(std::vector<std::uint8_t> one,
                                            const std::vector<std::uint8_t>& other) {
    if (other.size() != one.size())
        return {};
    std::ranges::transform(one, other, one.begin(), std::bit_and());
    return one;
}

}  // namespace

std::vector<std::uint8_t> PanelMaker::forbidden_at(const std::string& site, Index head) const {
    const Stage* weights = trace_.find("weights", site);
    if (weights && weights->is_lazy && !weights->is_large())
        if (const MapOrigin& origin = trace_.lazy_maps(*weights).origin(); origin.tiles)
            return forbidden_pairs({.tiles = origin.tiles, .place = {origin.layer, head}},
                                   weights->extent(Axis::query), weights->extent(Axis::key));
    return forbidden_.try_emplace(site, trace_, site).first->second.of_head(head);
}

std::vector<std::uint8_t> PanelMaker::forbidden_to_all(const std::string& site, Index heads) const {
    std::vector<std::uint8_t> all = forbidden_at(site, 0);
    for (Index head = 1; head < heads && !all.empty(); ++head)
        all = forbidden_in_both(std::move(all), forbidden_at(site, head));
    return all;
}

std::vector<std::uint8_t> PanelMaker::forbidden(const std::string& stage, Index head) const {
    if (is_rollout(stage))
        return {};  // what a layer forbids may come through another
    const auto at = [&](const std::string& site) {
        return is_pooled(stage) ? forbidden_to_all(site, recorded_heads(stage)) : forbidden_at(site, head);
    };
    std::vector<std::uint8_t> all = at(chain_.site());
    if (pools_layers(stage))
        for (const Stage* weights : weights_of_layers(trace_, chain_.site()))
            if (weights->site != chain_.site() && !all.empty())
                all = forbidden_in_both(std::move(all), at(weights->site));
    return all;
}

bool PanelMaker::shows_mask(const std::string& stage) {
    const DeclaredStage* declared = any_declaration(stage);
    return declared && declared->leaves_out_masked;
}

std::vector<std::uint8_t> PanelMaker::fully_masked(const Panel& panel) const {
    std::vector<std::uint8_t> flags(static_cast<std::size_t>(panel.rows), 0);
    const auto& forbidden = panel.forbidden;
    if (!trace_.joined_specs.contains(panel.site)) {
        for (const Index row : trace_.fully_masked_queries)
            if (row >= 0 && row < panel.rows)
                flags[static_cast<std::size_t>(row)] = 1;
    } else if (!forbidden.empty()) {
        for (Index row = 0; row < panel.rows; ++row) {
            const auto first = forbidden.begin() + row * panel.columns;
            flags[static_cast<std::size_t>(row)] =
                std::find(first, first + panel.columns, 0) == first + panel.columns;
        }
    }
    if (std::ranges::find(flags, 1) == flags.end())
        flags.clear();
    return flags;
}

std::vector<std::uint8_t> PanelMaker::set_by_hand(const Panel& panel) const {
    std::vector<std::uint8_t> cells;
    for (const ChangedByHand& change : trace_.by_hand) {
        if (change.site != panel.site || change.stage != panel.stage)
            continue;
        cells.resize(panel.values.size());
        const Index heads = is_pooled(panel.stage) ? recorded_heads(panel.stage) : 1;
        const auto is_set = [&](const ChangedByHand& set, Index row, Index column) {
            for (Index head = 0; head < heads; ++head)
                if (set.is_at(panel.site, panel.stage, heads > 1 ? head : panel.head, row, column))
                    return true;
            return false;
        };
        for (Index row = 0; row < panel.rows; ++row)
            for (Index column = 0; column < panel.columns; ++column)
                if (is_set(change, row, column))
                    cells[static_cast<std::size_t>(row * panel.columns + column)] = 1;
    }
    return std::ranges::find(cells, 1) == cells.end() ? std::vector<std::uint8_t>() : cells;
}

}  // namespace headlight
