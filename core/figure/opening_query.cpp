#include "core/figure/opening_query.h"

#include "core/tensor/error.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headlight {
namespace {

/// Whether no query of the first head looks at a later key, as far as two of its rows tell.
bool looks_causal(const Trace& trace, const Stage& weights) {
    const Index queries = weights.extent(Axis::query), keys = weights.extent(Axis::key);
    const std::vector<Axis> of_map{Axis::head, Axis::query, Axis::key};
    if (weights.axes != of_map || weights.shape.front() == 0 || queries != keys || queries < 2)
        return false;
    std::vector<double> row(static_cast<std::size_t>(keys));
    for (const Index query : {Index(0), (queries - 1) / 2}) {
        trace.read_rows(weights, 0, query, 1, row);
        const auto later = row.begin() + query + 1;
        const auto is_looked_at = [](double weight) { return std::isfinite(weight) && weight != 0; };
        if (std::any_of(later, row.end(), is_looked_at) || std::none_of(row.begin(), later, is_looked_at))
            return false;
    }
    return true;
}

}  // namespace

Index opening_query(const Trace& trace, const std::string& site) {
    const Stage* weights = trace.find("weights", site);
    try {
        return weights && looks_causal(trace, *weights) ? weights->extent(Axis::query) - 1 : 0;
    } catch (const Error&) {
        return 0;  // whoever looks at the map is told why it cannot be read
    }
}

}  // namespace headlight
