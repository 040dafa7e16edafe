#include "core/attention/key_spans.h"

#include "core/tensor/interruption.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace headlight {

std::optional<std::vector<KeySpan>> spans_of_keys(const AllowedPairs& allowed) {
    std::map<Index, Index> ends;  // of the longest that begins there
    std::vector<std::uint8_t> row(static_cast<std::size_t>(allowed.keys()));
    for (Index query = 0; query < allowed.queries(); ++query) {
        Interruption::check();
        const Index end = allowed.end(query);
        if (end == 0)
            continue;
        allowed.write_row(query, row.data());
        const auto last = row.begin() + end;
        const auto first = std::find(row.begin(), last, std::uint8_t(1));
        if (std::find(first, last, std::uint8_t(0)) != last)
            return {};
        Index& longest = ends[first - row.begin()];
        longest = std::max(longest, end);
    }
    std::vector<KeySpan> spans;
    for (const auto& [begin, end] : ends) {
        if (!spans.empty() && begin < spans.back().end)
            return {};
        spans.push_back({begin, end});
    }
    return spans;
}

}  // namespace headlight
