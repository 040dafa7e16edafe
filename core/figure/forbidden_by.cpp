#include "core/figure/forbidden_by.h"

#include "core/attention/component.h"
#include "core/attention/forbidden_pairs.h"
#include "core/figure/allowed_cells.h"
#include "core/figure/figure.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <variant>
#include <vector>

namespace headlight {
namespace {

/// Whether the panel is a large map whose mask is known.
bool has_known_mask(const Panel& panel) {
    constexpr Index few = 64;
    return panel.large && !allowed_cells(*panel.large, panel.rows, panel.columns, std::min(panel.rows, few),
                                         std::min(panel.columns, few))
                               .empty();
}

/// What a person forbade of the panel's map.
std::vector<ChangedByHand> forbidden_by_hand(const Trace& trace, const Panel& panel) {
    std::vector<ChangedByHand> set;
    std::ranges::copy_if(trace.by_hand, std::back_inserter(set), [&](const ChangedByHand& change) {
        return change.site == panel.site && change.stage == "masked_scores" &&
               change.head.value_or(panel.head) == panel.head;
    });
    return set;
}

/// Whether every pair of the panel's map that is forbidden is among these.
bool are_all(const std::vector<ChangedByHand>& set, const Trace& trace, const Panel& panel) {
    const Stage* weights = trace.find("weights", panel.site);
    if (panel.large || !weights)
        return false;
    const Index keys = weights->extent(Axis::key);
    const std::vector<std::uint8_t> forbidden = ForbiddenPairs(trace, panel.site).of_head(panel.head);
    for (Index at = 0; at < std::ssize(forbidden); ++at)
        if (forbidden[static_cast<std::size_t>(at)] &&
            std::ranges::none_of(set, [&](const ChangedByHand& change) {
                return change.is_at(panel.site, "masked_scores", panel.head, at / keys, at % keys);
            }))
            return false;
    return true;
}

/// The number of keys that a cache keeps, where there are more.
Index dropped_by_cache(const AttentionSpec& spec, const Trace& trace, const Panel& panel) {
    const Stage* weights = trace.find("weights", panel.site);
    const Index newest = newest_keys(spec);
    return weights && weights->extent(Axis::key) > newest ? newest : 0;
}

}  // namespace

std::string forbidden_in_words(const ForbiddenBy& who) {
    std::string text;
    const auto add = [&text](bool does, const char* by) {
        if (does)
            text += (text.empty() ? "forbidden " : ", or ") + std::string(by);
    };
    add(who.mask, "by the mask");
    add(who.selection, "by the selection of keys");
    add(who.hand, "by hand");
    if (who.cache > 0)
        text += (text.empty() ? "" : ", or ") +
                std::string("dropped from the cache, which keeps the newest ") + std::to_string(who.cache);
    return text;
}

ForbiddenBy forbidden_by(const Trace& trace, const Panel& panel) {
    ForbiddenBy who;
    if (panel.forbidden.empty() && !has_known_mask(panel))
        return who;
    const std::vector<ChangedByHand> by_hand = forbidden_by_hand(trace, panel);
    who.hand = !by_hand.empty();
    if (who.hand && are_all(by_hand, trace, panel))
        return who;
    const AttentionSpec* spec = trace.known_spec_at(panel.site);
    who.selection = spec && spec->selection.type != SelectionType::none;
    who.cache = spec ? dropped_by_cache(*spec, trace, panel) : 0;
    const bool has_others = who.selection || who.cache > 0;
    who.mask = !has_others || !std::holds_alternative<NoMask>(spec->mask.rule);
    return who;
}

}  // namespace headlight
