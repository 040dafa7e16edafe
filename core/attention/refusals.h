#pragma once

#include "core/attention/plan.h"

#include <string>

namespace headlight {

// What several components cannot take; each throws Error then, with `what`, the component, as its operation.

/// Refuses a second sequence. `why` ends the sentence that begins with "self: ".
void require_one_sequence(const Plan& plan, const std::string& what, const std::string& why);
/// Refuses positions that turn queries and keys. `why` says what there is to turn.
void refuse_turned_vectors(const Plan& plan, const std::string& what, const std::string& why);
/// Refuses a mask. `why` ends the sentence that begins with "none: ".
void refuse_mask(const Plan& plan, const std::string& what, const std::string& why);
/// Refuses heads that share keys, values or a projection. `why` ends the sentence that begins with "single or
/// multi: ".
void refuse_shared_heads(const Plan& plan, const std::string& what,
                         const std::string& why = "there are no keys and values that heads could share");
/// Refuses heads that share keys and values. `why` ends the sentence that begins with "single or multi: ".
void require_own_heads(const Plan& plan, const std::string& what, const std::string& why);
/// Refuses heads that mix their scores and weights.
void refuse_mixed_heads(const Plan& plan, const std::string& what);
/// Refuses other normalisers. `why` ends the sentence that begins with "softmax: ".
void require_softmax(const Plan& plan, const std::string& what, const std::string& why);
/// Refuses values with another number of features for each head than `width`, which `of` have; `why` follows
/// the number: ", which are their gates".
void require_value_width(const Plan& plan, const std::string& what, const std::string& of, Index width,
                         const std::string& why = {});
/// Refuses values with another number of features than queries have.
void require_values_of_query_width(const Plan& plan, const std::string& what);
/// Refuses values that are made of token vectors of another width than queries are: a token that is learned
/// has one vector for all three.
void require_one_token_width(const Plan& plan, const std::string& what);
/// Refuses values with another number of features than keys have.
void require_values_of_key_width(const Plan& plan, const std::string& what);
/// Refuses keys with another number of features than queries have.
void require_keys_of_query_width(const Plan& plan, const std::string& what);
/// Refuses what would stand in the place of the keys and values that an algorithm makes itself: tokens as
/// they are, heads that share, one projection for two. `made` says what keys and values are made from,
/// `heads` ends the sentence that begins with "single or multi: ".
void require_own_keys_and_values(const Plan& plan, const std::string& what, const std::string& made,
                                 const std::string& heads);

}  // namespace headlight
