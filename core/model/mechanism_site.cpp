#include "core/model/mechanism_site.h"

#include "core/tensor/error.h"

#include <numeric>
#include <optional>
#include <vector>

namespace headlight {

namespace {

Mask with_causal(const Mask& mask) {
    if (!is_masked(mask))
        return {CausalMask{}};
    if (std::holds_alternative<CausalMask>(mask.rule))
        return mask;
    return {AllOf{{mask, {CausalMask{}}}}};
}

/// What is tried, the most usual in a model first.
std::vector<AttentionSpec> specs_at(AttentionSpec spec, SitePlace place) {
    spec.source.type = place == SitePlace::cross ? SourceType::cross : SourceType::self;
    std::vector<AttentionSpec> projected{spec};
    if (spec.projections.type != ProjectionType::learned) {
        spec.projections.type = ProjectionType::learned;
        projected.insert(projected.begin(), spec);
    }
    if (place != SitePlace::decoder)
        return projected;
    // Some algorithms are causal by themselves and take no mask.
    std::vector<AttentionSpec> all;
    for (const AttentionSpec& each : projected) {
        AttentionSpec causal = each;
        causal.mask = with_causal(each.mask);
        if (causal != each)
            all.push_back(std::move(causal));
        all.push_back(each);
    }
    return all;
}

}  // namespace

AttentionSpec with_heads(AttentionSpec mechanism, Index heads) {
    if (mechanism.heads.type == HeadsType::single)
        return mechanism;
    mechanism.heads.heads = heads;
    mechanism.heads.kv_heads = std::gcd(mechanism.heads.kv_heads, heads);
    return mechanism;
}

std::shared_ptr<const nn::GraphAttention> mechanism_at(const AttentionSpec& mechanism, SitePlace place,
                                                       Index width, Index longest) {
    if (place == SitePlace::cross && is_masked(mechanism.mask))
        throw Error({"attend to a source", "mask", "none: patterns of places are those of one sequence",
                     "the mechanism's own"});
    const nn::GraphSite site{width, longest, longest, place != SitePlace::encoder};
    std::optional<Error> refusal;
    for (const AttentionSpec& spec : specs_at(mechanism, place)) {
        try {
            return std::make_shared<const nn::GraphAttention>(spec, site);
        } catch (const Error& error) {
            if (!refusal)
                refusal = error;
        }
    }
    throw *refusal;
}

}  // namespace headlight
