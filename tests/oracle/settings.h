#pragma once

#include <string_view>
#include <vector>

namespace headlight {

/// Specs in JSON that change what a component computes or what is said of it: other words of its choices, an
/// odd number, heads, padding, places, one sequence that looks at another. On four tokens of width 8 or a few
/// more, none is refused.
using Settings = std::vector<std::string_view>;

/// Those of every component. tests/contract/explain_settings_test.cpp has each explained in words, and
/// tests/cli/program_test.py written as Python. An oracle that is a file of its own has its settings in it:
/// scores/trilinear.cpp defines settings_scores_trilinear(). Those of the oracles that stand together are in
/// the folder settings, in files called like theirs.
Settings all_settings();

}  // namespace headlight
