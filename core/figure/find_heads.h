#pragma once

#include "core/figure/figure.h"

#include <string_view>
#include <vector>

namespace headlight {

/// The marks of the heads that somebody asks for, by their place in HeadMarks::heads: "7" and "head 7" are
/// the seventh of every layer, "layer 3" and "L3" all of a layer, "3.7", "L3H7" and "layer 3, head 7" one,
/// counted from 1 as their names are. Other words, as in "cross", are looked for in the names. None of an
/// empty text.
std::vector<std::size_t> find_heads(const HeadMarks& marks, std::string_view asked);

}  // namespace headlight
