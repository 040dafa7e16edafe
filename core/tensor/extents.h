#pragma once

namespace headlight {

/// The product of extents that nobody has checked yet, as a number that cannot overflow.
template <class... Extents>
constexpr double elements(Extents... extents) {
    return (1.0 * ... * static_cast<double>(extents));
}

}  // namespace headlight
