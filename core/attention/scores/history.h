#pragma once

#include "core/attention/component.h"
#include "core/attention/pipeline.h"
#include "core/attention/spec_words.h"
#include "core/tensor/error.h"

namespace headlight {

/// What a head has looked at before the present query: for scores whose rows follow one another.
template <class Real>
class History {
public:
    enum class Kind {
        last,  ///< the weights of the query before; for the first query uniform over what it may look at
        sum,   ///< the sum of all weights so far; zeros for the first query
    };
    History(const Plan& plan, Operands<Real>& operands, Kind kind)
        : plan_(plan), kind_(kind), rows_(operands.allocate(plan.heads * plan.keys)) {}

    /// Brings it to the row's query, which must be the one after the last one asked for. [m]
    const Real* before(const ScoreRow<Real>& row) {
        Real* seen = rows_ + row.head * plan_.keys;
        if (!row.previous)
            start(seen);
        for (Index key = 0; row.previous && key < plan_.keys; ++key)
            seen[key] = row.previous[key] + (kind_ == Kind::sum ? seen[key] : Real(0));
        return seen;
    }
    const Real* of_head(Index head) const { return rows_ + head * plan_.keys; }

private:
    void start(Real* seen) const {
        Index open = 0;
        const auto is_open = [&](Index key) {
            return plan_.spec.mask_value || plan_.allowed.allowed(0, key);
        };
        for (Index key = 0; key < plan_.keys; ++key)
            open += is_open(key) ? 1 : 0;
        for (Index key = 0; key < plan_.keys; ++key)
            seen[key] = kind_ == Kind::last && is_open(key) ? 1 / static_cast<Real>(open) : Real(0);
    }

    const Plan& plan_;
    Kind kind_;
    Real* rows_;
};

inline double history_memory(const Plan& plan, const RunNeeds& needs) {
    return elements(plan.heads, plan.keys) * needs.real;
}

/// A row's weights must be final before the next row is scored. Throws Error where they are not.
inline void require_finished_rows(const Plan& plan) {
    const AttentionSpec& spec = plan.spec;
    const auto refuse = [&](const std::string& where, const std::string& expected, const std::string& got) {
        throw Error({to_word(spec.score.type) + " score", where, expected, got});
    };
    const std::string rule = ": each query needs the finished weights of the one before";
    if (spec.heads.type == HeadsType::talking)
        refuse("heads", "heads that do not mix their scores or weights" + rule, to_word(spec.heads.type));
    const NormalizerComponent* normalizer = component_of(spec.normalizer.type);
    if (normalizer && normalizer->couples_rows)
        refuse("normalizer", "one that works on each row alone" + rule, normalizer->word);
    if (!is_composed(spec))
        refuse("algorithm", "composed" + rule, to_word(spec.algorithm.type));
}

}  // namespace headlight
