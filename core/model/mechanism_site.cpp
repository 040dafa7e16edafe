#include "core/model/mechanism_site.h"

#include "core/attention/component.h"
#include "core/attention/spec_words.h"
#include "core/nn/score.h"
#include "core/tensor/error.h"

#include <numeric>
#include <optional>
#include <vector>

namespace headlight {

namespace {

Mask with_causal(const Mask& mask) {
    const bool has_it = std::holds_alternative<CausalMask>(mask.rule);
    return has_it ? mask : joined_masks(mask, {CausalMask{}});
}

/// What is tried, the most usual in a model first.
std::vector<AttentionSpec> specs_at(AttentionSpec spec, SitePlace place) {
    const bool looks_at_source = place == SitePlace::cross || place == SitePlace::step;
    spec.source.type = looks_at_source ? SourceType::cross : SourceType::self;
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

/// Throws Error for what needs other queries than the one of a step, by the name that it has. What else does
/// is found by its numbers.
void require_lone_query(const AttentionSpec& mechanism) {
    const auto refuse = [](const char* part, const std::string& expected, const std::string& got) {
        throw Error({"attend to a source step by step", part, expected, '"' + got + '"'});
    };
    if (mechanism.position.type != PositionType::none)
        refuse("position", "none: each query would have the place of the first",
               to_word(mechanism.position.type));
    const Score& score = mechanism.score;
    if (nn::remembers(score))
        refuse("score", "one that does not follow the weights of the step before", to_word(score.type));
    if (nn::couples_queries(score))
        refuse("score", "one that knows a query's scores from that query alone", to_word(score.type));
    const NormalizerComponent* normalizer = component_of(mechanism.normalizer.type);
    if (normalizer && normalizer->couples_rows)
        refuse("normalizer", "one that knows a query's weights from its own scores", normalizer->word);
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
                                                       Index width, Index longest, Index key_width) {
    const bool is_step = place == SitePlace::step;
    if ((place == SitePlace::cross || is_step) && is_masked(mechanism.mask))
        throw Error({"attend to a source", "mask", "none: patterns of places are those of one sequence",
                     "the mechanism's own"});
    if (is_step)
        require_lone_query(mechanism);
    const nn::GraphSite site{width, longest, longest, place != SitePlace::encoder, is_step, key_width};
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
