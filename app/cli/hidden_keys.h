#pragma once

#include "app/cli/arguments.h"
#include "core/attention/inputs.h"

#include <span>
#include <vector>

namespace headlight {

inline const Flag hide_option{
    "--hide", "TOKENS",
    "weights without these keys, by name or number from 1, separated by commas; each "
    "row's others share what it gave"};

/// The keys of one kind of maps.
struct KeyAxis {
    const TokenLabels* tokens = nullptr;
    Index keys = 0;
};

/// Returns, for each axis, the numbers from 0, rising, of the keys that --hide names or counts from 1; a name
/// stands for every token that has it, with or without the mark of its tokenizer. None where the option is
/// not given. Refuses what is no key of any of them.
std::vector<std::vector<Index>> hidden_keys(const Arguments& arguments, std::span<const KeyAxis> axes);

}  // namespace headlight
