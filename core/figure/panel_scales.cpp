// The colour scales that panels of related stages and heads share.

#include "core/figure/fitted_scale.h"
#include "core/figure/panel_maker.h"
#include "core/figure/view.h"
#include "core/figure/words.h"
#include "core/map/trace_maps.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

namespace headlight {

namespace {

std::string colours_in(const StageChain& chain, const std::string& stage) {
    const DeclaredStage* declared = chain.declared(stage);
    if (!declared || declared->colours_of.empty())
        return stage;
    const std::string shown = chain.shown_by(declared->colours_of);
    // With the mask inside the scale the masked scores are those before the scale.
    const bool comes_later = chain.is_score_stage(stage) && !chain.is_before(declared->colours_of, stage);
    if (comes_later || shown.empty())
        return chain.is_recorded("scores") && chain.is_score_stage(stage) ? "scores" : stage;
    return shown == stage ? stage : colours_in(chain, shown);
}

/// Stages with one scale: their numbers are of one kind, and differences between them are the point of the
/// picture.
std::vector<std::string> scale_group(const StageChain& chain, const std::string& stage) {
    const std::string leader = colours_in(chain, stage);
    std::vector<std::string> group;
    for (const std::string& other : chain.recorded())
        if (colours_in(chain, other) == leader)
            group.push_back(other);
    return group;
}

struct RangedStage {
    std::string name;
    NumberRange range;  ///< empty where it counts for no scale
};

/// Those of a group whose scale leaves `stage` some colour: token vectors beside the contexts of a state that
/// grows from token to token would be a white picture. What counts for no scale stays with the widest.
std::vector<RangedStage> with_one_scale(std::vector<RangedStage> group, const std::string& stage) {
    constexpr double too_wide = 8;
    while (true) {
        double widest = 0;
        for (const RangedStage& member : group)
            widest = std::max(widest, member.range.furthest());
        const auto is_seen_beside_it = [&](const RangedStage& member) {
            const double furthest = member.range.furthest();
            return furthest == 0 || furthest * too_wide >= widest;
        };
        const auto narrower = std::stable_partition(group.begin(), group.end(), is_seen_beside_it);
        if (std::ranges::find(narrower, group.end(), stage, &RangedStage::name) == group.end()) {
            group.erase(narrower, group.end());
            return group;
        }
        group.erase(group.begin(), narrower);
    }
}

/// Numbers on one side of zero whose differences are small beside them: around a middle of zero all of them
/// would have one colour. Differences that rounding makes are none.
bool is_far_from_zero(const NumberRange& range) {
    const double near = std::min(std::abs(range.low), std::abs(range.high)), far = range.furthest();
    constexpr double far_enough = 0.75, least_difference = 1e-6;
    const bool is_of_one_sign = range.low > 0 || range.high < 0;
    return !range.empty() && is_of_one_sign && near >= far_enough * far &&
           far - near > least_difference * far;
}

}  // namespace

std::string PanelMaker::colours_of(const std::string& stage) const { return colours_in(chain_, stage); }

ColourScale PanelMaker::scale(const std::string& stage) const {
    if (const auto known = scales_.find(stage); known != scales_.end())
        return known->second;
    const std::vector<std::string> related = scale_group(chain_, stage);
    const bool is_otherwise = is_seen_otherwise(stage);
    // A finite mask value would drown every score.
    const auto counts = [drowns = trace_.spec.mask_value && related.size() > 1](const std::string& name) {
        return !drowns || name != "masked_scores";
    };
    std::vector<RangedStage> group;
    for (const std::string& name : related)
        group.push_back({name, counts(name) && !is_otherwise ? range_of_stage(name, false) : NumberRange()});
    group = with_one_scale(std::move(group), stage);
    NumberRange range = is_otherwise ? range_of_stage(stage, true) : NumberRange();
    std::vector<std::string> ranged;
    for (const RangedStage& member : group) {
        range.include_divided(member.range, 1);
        if (counts(member.name))
            ranged.push_back(member.name);
    }
    const bool is_ranked = settings_.range.kind == RangeKind::percentiles;
    if (has_norms(stage))
        return scales_[stage] =
                   norm_scale(settings_, range, is_ranked ? sample_of({stage}) : std::vector<double>());
    const DeclaredStage* declared = chain_.declared(stage);
    const bool exceeds_1 = !is_weight_stage(stage) && range.high > 1;
    const Stage* found = trace_.find(stage, chain_.site());
    const bool is_signed = range.low < 0 || (found && found->is_large() && may_be_negative(trace_, *found));
    const bool is_share = declared && declared->is_share && !is_signed && !exceeds_1;
    ColourScale scale;
    scale.map = settings_.colour_map;
    if (is_share) {
        // Weights that are no shares of 1 may exceed it: the colour of 1 would hide by how much.
        scale.high = range.high > 1 + 1e-9 ? range.high : 1;
        if (settings_.scale == ScaleKind::logarithmic) {
            scale.kind = ScaleKind::logarithmic;
            scale.low = 1e-4;
        }
    } else if (settings_.range.kind == RangeKind::fitted && is_query_by_key(stage) &&
               is_far_from_zero(range)) {
        scale.low = range.low;
        scale.high = range.high;
    } else {
        // Signed numbers need a middle that means zero, also when this run happens to have no negative one.
        scale.high = range.empty() ? 1 : std::max(std::abs(range.low), std::abs(range.high));
        scale.high = scale.high > 0 ? scale.high : 1;
        scale.low = -scale.high;
        if (settings_.colour_map != "greys")
            scale.map = "diverging";
    }
    if (is_share || is_ranked || settings_.range.kind == RangeKind::numbers)
        scale = ranged_scale(scale, settings_.range, range,
                             is_ranked ? sample_of(ranged) : std::vector<double>());
    for (const RangedStage& member : group)
        if (!has_norms(member.name))
            scales_[member.name] = scale;
    return scales_[stage] = scale;
}

std::vector<double> PanelMaker::sample_of(const std::vector<std::string>& stages) const {
    std::vector<const Stage*> sampled;
    std::size_t count = 0;
    for (const std::string& name : stages)
        if (const Stage* stage = trace_.find(name, chain_.site()); stage && !stage->is_large()) {
            sampled.push_back(stage);
            count += static_cast<std::size_t>(stage->size() / heads_of(name)) * ranged_heads(name).size();
        }
    EvenSample sample(count);
    for (const Stage* stage : sampled)
        for (const Index head : ranged_heads(stage->name)) {
            // All that there is of the head: of the energy, that of every query.
            const Storage<const double> numbers = is_seen_otherwise(stage->name)
                                                      ? seen().map(*stage, head).weights
                                                      : trace_.shared_matrix(*stage, head);
            sample.take({numbers.data(), numbers.size()}, left_out(stage->name, head));
        }
    return sample.numbers();
}

std::vector<Index> PanelMaker::chosen_heads(const std::string& stage) const {
    std::vector<Index> heads;
    std::ranges::copy_if(settings_.options.heads, std::back_inserter(heads),
                         [&](Index head) { return head < heads_of(stage); });
    return heads.empty() ? std::vector{head_in(stage)} : heads;
}

std::vector<Index> PanelMaker::ranged_heads(const std::string& stage) const {
    const View& drawn = view(settings_.view);
    const bool draws_several =
        drawn.all_heads || drawn.all_sites || drawn.reads_every_head || drawn.chooses_axes;
    const bool draws_chosen = drawn.overlays_heads || (drawn.all_heads && !settings_.options.heads.empty());
    if (settings_.range.follows_numbers() && draws_chosen)
        return chosen_heads(stage);
    if (settings_.range.follows_numbers() && !draws_several)
        return {head_in(stage)};
    std::vector<Index> all(static_cast<std::size_t>(heads_of(stage)));
    std::iota(all.begin(), all.end(), Index(0));
    return all;
}

std::vector<std::uint8_t> PanelMaker::left_out(const std::string& stage, Index head) const {
    // From 0 to 1 the 0 of a forbidden pair moves no end, and need not be looked for; a score that is hatched
    // all the same does.
    const bool matters =
        shows_mask(stage) ? settings_.range.kind != RangeKind::unit : view(settings_.view).hatches_forbidden;
    return matters && is_query_by_key(stage) ? forbidden(stage, head) : std::vector<std::uint8_t>();
}

NumberRange PanelMaker::range_of_stage(const std::string& stage, bool is_otherwise) const {
    NumberRange range;
    const Stage* found = trace_.find(stage, chain_.site());
    if (!found || found->is_large())
        return range;
    for (const Index head : ranged_heads(stage)) {
        const Storage<const double> numbers =
            is_otherwise ? seen().map(*found, head).weights : trace_.shared_matrix(*found, head);
        range.include_divided(range_of_numbers({numbers.data(), numbers.size()}, left_out(stage, head)), 1);
    }
    return range;
}

}  // namespace headlight
