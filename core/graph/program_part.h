#pragma once

#include "core/graph/expression.h"
#include "core/graph/from_places.h"

#include <string>
#include <vector>

namespace headlight {

/// Numbers that a program begins with.
struct GivenTensor {
    enum class Kind {
        input,      ///< token vectors
        parameter,  ///< what a model learns
        constant,   ///< what follows from places and options alone: masks, angles, slopes
    };
    std::string name;
    Kind kind = Kind::input;
    Extent extent;
    FromPlaces<double> numbers;  ///< row by row, head by head
    std::string note;            ///< what they are: "token vectors"
    bool is_truth = false;       ///< 1 and 0 stand for true and false
    /// What a formula says in the place of the numbers of pairs [n, m] of queries and keys, for texts of any
    /// length: "j <= i and allowed"; empty where their places are not enough to say it.
    std::string rule = {};
};

/// name = value.
struct ProgramLine {
    std::string name;
    Expression value;
    std::string note;
};

/// Assignments one after another; `times` times, in which case names may be assigned again, always with the
/// same extent.
struct ProgramPart {
    Index times = 1;
    std::vector<ProgramLine> assignments;
};

}  // namespace headlight
