#pragma once

#include "tests/oracle/oracle_parts.h"
#include "tests/oracle/pattern.h"

#include <span>
#include <string_view>

namespace headlight {

// An oracle that is a file of its own: scores/trilinear.cpp defines oracle_scores_trilinear(), for the
// component of core/attention/scores/trilinear.cpp. It computes, from the paper, and reads no file of the
// engine that does: tests/core/rooms_test.cpp holds it to that.

struct OwnOracle {
    std::string_view axis;  ///< the folder: "scores"
    std::string_view word;  ///< the file: "trilinear"
    void (*add)(const OracleParts& parts, reference::Setting& setting);
};
struct OwnMaskOracle {
    std::string_view word;
    reference::Allowed (*allowed)(const Pattern& pattern, std::size_t queries, std::size_t keys);
};

/// Written by CMake from the names of the files (HeadlightComponents.cmake).
std::span<const OwnOracle> own_oracles();
std::span<const OwnMaskOracle> own_mask_oracles();

}  // namespace headlight
