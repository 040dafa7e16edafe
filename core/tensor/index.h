#pragma once

#include <cstddef>
#include <type_traits>

namespace headlight {

/// Counts and numbers elements, rows, tokens, heads.
using Index = std::ptrdiff_t;

/// How many parts of a size hold so many: the quotient, rounded up, for the last part may be short.
template <class Number>
constexpr Number parts_of_size(Number count, std::type_identity_t<Number> size) {
    return (count + size - 1) / size;
}

}  // namespace headlight
