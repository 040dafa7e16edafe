#include "core/attention/refusals.h"

#include "core/attention/component.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"

namespace headlight {
void require_one_sequence(const Plan& plan, const std::string& what, const std::string& why) {
    if (plan.spec.source.type != SourceType::self)
        throw Error({what, "source", "self: " + why, "cross"});
}

void refuse_turned_vectors(const Plan& plan, const std::string& what, const std::string& why) {
    if (const PositionComponent* position = position_with(plan.spec, &PositionComponent::turns_vectors))
        throw Error({what, "position", "none, or one that is added to the tokens: " + why, position->word});
}

void refuse_mask(const Plan& plan, const std::string& what, const std::string& why) {
    if (is_masked(plan.spec.mask))
        throw Error({what, "mask", "none: " + why, "a mask"});
}

void refuse_shared_heads(const Plan& plan, const std::string& what, const std::string& why) {
    if (plan.kv_heads != plan.heads || plan.spec.heads.sharing != Sharing::none)
        throw Error({what, "heads", "single or multi: " + why, "shared ones"});
}

void require_own_heads(const Plan& plan, const std::string& what, const std::string& why) {
    if (plan.kv_heads != plan.heads)
        throw Error({what, "heads", "single or multi: " + why,
                     std::to_string(plan.kv_heads) + " heads of keys and values"});
}

void refuse_mixed_heads(const Plan& plan, const std::string& what) {
    if (plan.spec.heads.type == HeadsType::talking)
        throw Error({what, "heads", "heads that do not mix their weights", to_word(plan.spec.heads.type)});
}

void require_softmax(const Plan& plan, const std::string& what, const std::string& why) {
    if (plan.spec.normalizer.type != NormalizerType::softmax)
        throw Error({what, "normalizer", "softmax: " + why, to_word(plan.spec.normalizer.type)});
}

void require_value_width(const Plan& plan, const std::string& what, const std::string& of, Index width,
                         const std::string& why) {
    if (plan.head_value_width() != width)
        throw Error({what, "value",
                     "as many features for each head as " + of + " have, " + std::to_string(width) + why,
                     std::to_string(plan.head_value_width())});
}

void require_values_of_query_width(const Plan& plan, const std::string& what) {
    require_value_width(plan, what, "queries", plan.head_query_width());
}

void require_values_of_key_width(const Plan& plan, const std::string& what) {
    require_value_width(plan, what, "keys", plan.head_key_width());
}

void require_one_token_width(const Plan& plan, const std::string& what) {
    if (plan.tokens.value_width != plan.tokens.query_width)
        throw Error({what, "values",
                     "token vectors of " + std::to_string(plan.tokens.query_width) +
                         " numbers, as learned tokens have, which have one for all three",
                     std::to_string(plan.tokens.value_width)});
}

void require_keys_of_query_width(const Plan& plan, const std::string& what) {
    const Index width = plan.head_query_width();
    if (plan.head_key_width() != width)
        throw Error({what, "keys", "the queries’ width " + std::to_string(width) + " in each head",
                     std::to_string(plan.head_key_width())});
}

void require_own_keys_and_values(const Plan& plan, const std::string& what, const std::string& made,
                                 const std::string& heads) {
    const auto refuse = [&](const char* part, const std::string& expected, const std::string& got) {
        throw Error({what, part, expected, got});
    };
    if (plan.spec.projections.type != ProjectionType::learned)
        refuse("projections", "learned projections: " + made, "projections without matrices");
    require_own_heads(plan, what, heads);
    if (plan.spec.heads.sharing != Sharing::none)
        refuse("heads.sharing", "none: " + made, "shared vectors");
}

}  // namespace headlight
