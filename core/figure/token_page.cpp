#include "core/figure/token_page.h"

#include <algorithm>

namespace headlight {

AxisSlice page_of(Index token, Index extent, Index most) {
    const Index first = std::clamp<Index>(token, 0, std::max<Index>(extent, 1) - 1) / most * most;
    return {first, std::min(most, extent - first)};
}

std::string page_in_words(const std::string& what, const AxisSlice& page, Index extent) {
    return what + ' ' + std::to_string(page.first + 1) + " to " + std::to_string(page.first + page.count) +
           " of " + std::to_string(extent) + ", the page of the selected one";
}

}  // namespace headlight
