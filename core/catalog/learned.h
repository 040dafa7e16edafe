#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// What a small model learned whose layers have a mechanism, with the budget of docs/learned.md.
struct LearnedResult {
    std::string mechanism;            ///< its id
    std::string task;                 ///< "sort"
    std::string host;                 ///< "gpt", "encoder" or "transformer"
    int heads = 1;                    ///< of its layers
    double exact_match = 0;           ///< the share of held-out examples of which all is right, 0 to 1
    std::optional<double> deviation;  ///< of the shares of several seeds, whose mean that is
    int seeds = 1;
};

/// A header, then a line for each mechanism and task: resources/learned.csv, which scripts/learned.py writes.
/// Throws Error with the number of a line that is none.
std::vector<LearnedResult> parse_learned_results(std::string_view csv);

/// Those inside the program, by mechanism and then by task.
std::span<const LearnedResult> learned_results();

/// Those of one mechanism; empty where none has been trained.
std::span<const LearnedResult> learned_by(std::string_view mechanism);

/// "sort 0.615 (1 seed), copy across 0.930 ± 0.020 (3 seeds)": across from an encoder to a decoder.
std::string to_string(std::span<const LearnedResult> results);

}  // namespace headlight
