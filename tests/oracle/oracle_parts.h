#pragma once

#include "core/attention/inputs.h"
#include "tests/reference/attention.h"

namespace headlight {

using reference::Number;

// How the components of a spec are said to the reference: each file of this folder translates one axis and
// computes nothing; in its folders each is the oracle of one component (own_oracles.h).

/// The parameters that a plan resolved, by name; what a spec does not have is empty.
class OracleParameters {
public:
    explicit OracleParameters(const std::map<std::string, Tensor>& tensors) : tensors_(tensors) {}

    reference::Matrix matrix(const std::string& name) const;  ///< vectors are one row
    reference::Row row(const std::string& name) const;        ///< all numbers, row by row
    Number number(const std::string& name) const { return row(name).front(); }

private:
    const std::map<std::string, Tensor>& tensors_;
};

struct OracleParts {
    const AttentionSpec& spec;  ///< complete
    OracleParameters parameters;
    std::size_t queries = 0;
    std::size_t keys = 0;
    std::uint64_t seed = 0;
};

/// The head of keys and values that a head reads.
inline std::size_t key_head_of(const OracleParts& parts, const reference::Head& head) {
    const auto heads = static_cast<std::size_t>(parts.spec.heads.count()),
               key_heads = static_cast<std::size_t>(parts.spec.heads.kv_count());
    return head.number / (heads / key_heads);
}

using PairRule = std::function<Number(const reference::Row& q, const reference::Row& k)>;

/// The scores are those of each pair by itself. Pairs that are never looked at may hold anything and are left
/// out.
void score_pairs(const OracleParts& parts, const PairRule& score, reference::Setting& setting);

void add_score_oracle(const OracleParts& parts, reference::Setting& setting);
void add_position_oracle(const OracleParts& parts, PositionType type, reference::Setting& setting);
void add_selection_oracle(const OracleParts& parts, reference::Setting& setting);
void add_normalizer_oracle(const OracleParts& parts, reference::Setting& setting);
void add_head_oracle(const OracleParts& parts, reference::Setting& setting);
void add_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
// Its parts: the linear families, the delta rule and what learns as it reads, those of heads, execution and
// memory, those of images, and those that weigh pairs by a rule of their own.
void add_recurrent_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
void add_delta_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
void add_execution_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
void add_image_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
void add_pair_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
// Those of texts in segments, and states of channels and of motion.
void add_segment_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
void add_mixed_head_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
// Filters along the text, matrices of places, and what reads the output once more.
void add_filter_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
// Rows that learned vectors make of a text, hops, slots, tokens of a memory, and layers inside.
void add_pooling_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
// Memories of learned slots, and tokens that are merged, joined or kept by what they hold.
void add_slot_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
// Features that heads learn, bands beside them, rows that are corrected, averages and states of other kinds.
void add_state_algorithm_oracle(const OracleParts& parts, reference::Setting& setting);
reference::Allowed pattern_oracle(const PatternMask& pattern, std::size_t queries, std::size_t keys);

}  // namespace headlight
