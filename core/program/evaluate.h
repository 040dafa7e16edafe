#pragma once

#include "core/graph/expression.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace headlight {

/// What stands for infinity where a program's numbers become cells: spreadsheets have no infinity.
inline constexpr double cell_infinity = 1e300;

/// The numbers of a program's expressions, one after another: each may read the tensors that were set before.
/// Whoever evaluates a program more than once makes a Graph of it.
class Evaluation {
public:
    /// A tensor, row by row, head by head. A name may be set again.
    void set(const std::string& name, std::vector<double> numbers);
    /// The numbers of `x` in the same order; 1 and 0 for true and false. Every tensor in it has been set.
    std::vector<double> numbers_of(const Expression& x) const;

private:
    std::unordered_map<std::string, std::vector<double>> tensors_;
};

}  // namespace headlight
