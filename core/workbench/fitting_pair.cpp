#include "core/workbench/fitting_pair.h"

#include "core/attention/forbidden_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace headlight {
namespace {

/// Keys are called as the queries are where a text looks at itself.
const std::vector<std::string>& words_along(const Trace& trace, const std::string& site, Axis axis) {
    const TokenLabels& tokens = trace.tokens_at(site);
    return axis == Axis::key && !tokens.key.empty() ? tokens.key : tokens.query;
}

Index count_along(const Trace& trace, const std::string& site, Axis axis) {
    const Stage* weights = trace.find("weights", site);
    return weights && weights->has_axis(axis) ? weights->extent(axis) : 0;
}

/// "decoder" of "decoder.1.cross".
std::string side_of(const std::string& site) { return site.substr(0, site.find('.')); }

bool count_the_same(const Trace& trace, const std::string& one, const std::string& other, Axis axis) {
    if (count_along(trace, one, axis) != count_along(trace, other, axis))
        return false;
    const bool are_steps = axis == Axis::query && side_of(one) == "decoder" && side_of(other) == "decoder";
    return are_steps || words_along(trace, one, axis) == words_along(trace, other, axis);
}

/// Where the word of a token stands along an axis of another site: the place nearest to its own.
std::optional<Index> same_word(const Trace& trace, const std::string& from, Axis axis, Index token,
                               const std::string& to, Axis to_axis) {
    const std::vector<std::string>& words = words_along(trace, from, axis);
    if (token < 0 || token >= std::ssize(words))
        return std::nullopt;
    const std::vector<std::string>& others = words_along(trace, to, to_axis);
    const Index count = std::min<Index>(std::ssize(others), count_along(trace, to, to_axis));
    std::optional<Index> found;
    for (Index at = 0; at < count; ++at)
        if (others[static_cast<std::size_t>(at)] == words[static_cast<std::size_t>(token)] &&
            (!found || std::abs(at - token) < std::abs(*found - token)))
            found = at;
    return found;
}

Index fitting_query(const Trace& trace, const Selection& here, const Selection& there) {
    if (count_the_same(trace, here.site, there.site, Axis::query))
        return there.query;
    for (const Axis axis : {Axis::query, Axis::key}) {
        const Index token = axis == Axis::query ? here.query : here.key;
        if (const auto same = same_word(trace, here.site, axis, token, there.site, Axis::query))
            return *same;
    }
    return there.query;
}

/// One row of the weights at the selected site and head; which keys it may look at.
class LookedAt {
public:
    LookedAt(const Trace& trace, const Selection& at, const Stage& weights)
        : row_(static_cast<std::size_t>(weights.extent(Axis::key))) {
        const Index head = std::clamp<Index>(at.head, 0, weights.heads() - 1);
        trace.read_rows(weights, head, at.query, 1, row_);
        const std::vector<std::uint8_t> forbidden = ForbiddenPairs(trace, at.site).of_head(head);
        const std::size_t first = static_cast<std::size_t>(at.query) * row_.size();
        if (forbidden.size() >= first + row_.size())
            forbidden_.assign(forbidden.begin() + static_cast<std::ptrdiff_t>(first),
                              forbidden.begin() + static_cast<std::ptrdiff_t>(first + row_.size()));
    }

    bool allows(Index key) const {
        const auto at = static_cast<std::size_t>(key);
        return key >= 0 && at < row_.size() && (forbidden_.empty() || forbidden_[at] == 0);
    }
    /// Nothing where it may look at none.
    std::optional<Index> largest() const {
        std::optional<Index> found;
        const auto size = [this](Index key) {
            const double weight = std::abs(row_[static_cast<std::size_t>(key)]);
            return std::isnan(weight) ? 0 : weight;
        };
        for (Index key = 0; key < std::ssize(row_); ++key)
            if (allows(key) && (!found || size(key) > size(*found)))
                found = key;
        return found;
    }

private:
    std::vector<double> row_;              ///< [key]
    std::vector<std::uint8_t> forbidden_;  ///< [key]; empty where none is
};

}  // namespace

Selection with_fitting_pair(const Trace& trace, const Selection& here, Selection there,
                            const ChosenPair& chosen) {
    const Stage* weights = trace.find("weights", there.site);
    const bool has_map = weights && weights->has_axis(Axis::query) && weights->has_axis(Axis::key) &&
                         weights->size() > 0 && !weights->is_lazy;
    if (here.site == there.site || !has_map)
        return there;
    const Index queries = weights->extent(Axis::query);
    there.query =
        std::clamp<Index>(chosen.query ? *chosen.query : fitting_query(trace, here, there), 0, queries - 1);
    const LookedAt looked(trace, there, *weights);
    if (chosen.key) {
        there.key = *chosen.key;
        return there;
    }
    const std::optional<Index> same =
        count_the_same(trace, here.site, there.site, Axis::key)
            ? std::optional(here.key)
            : same_word(trace, here.site, Axis::key, here.key, there.site, Axis::key);
    there.key = same && looked.allows(*same) ? *same : looked.largest().value_or(there.key);
    return there;
}

}  // namespace headlight
