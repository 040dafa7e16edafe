#pragma once

#include "core/graph/program.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headlight {

/// What the tensors of a program are computed from, by what its lines read. A loop's lines read what any of
/// its turns reads.
class LineSources {
public:
    explicit LineSources(const Program& program);

    /// The stages that the lines of `stage` read, those of lines that are none followed back to the nearest
    /// that are; none where it follows from what is given alone. Nothing where no line has the stage.
    /// `stage_of` says which stage a tensor's numbers are, empty: of none. Where the program has a line for
    /// each row of a stage ("weights_3") and none for all of it, those that are no stage themselves are asked
    /// for by the stage's name.
    std::optional<std::vector<std::string>>
    sources_of(const std::string& stage,
               const std::function<std::string(const std::string&)>& stage_of) const;

private:
    /// The stage's own name, or that of which the line is a row.
    std::string without_row(const std::string& line) const;

    std::map<std::string, std::set<std::string>> reads_;  ///< [line]
    std::set<std::string> given_;
};

}  // namespace headlight
