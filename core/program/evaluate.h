#pragma once

#include "core/program/expression.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headlight {

/// What stands for infinity where a program's numbers become cells: spreadsheets have no infinity.
inline constexpr double cell_infinity = 1e300;

/// The numbers of a program's expressions, one after another: each may read the tensors that were set before.
class Evaluation {
public:
    /// A tensor, row by row, head by head. A name may be set again.
    void set(const std::string& name, const Extent& extent, std::vector<double> numbers);
    /// The numbers of `x` in the same order; 1 and 0 for true and false. Every tensor in it has been set.
    std::vector<double> numbers_of(const Expression& x);

private:
    struct Values {
        Extent extent;
        std::vector<double> numbers;
    };
    struct Place {
        Index head = 0, row = 0, column = 0;
    };

    double element(const Expression& x, Place at);
    /// An element of what sum_of_pairs() adds up: of the query and the key at `at`, in one of their columns.
    double of_pair(const Expression& x, Place at, Index column);
    double reduced(const Expression& x, Place at);
    double along_row(const Expression& x, Place at);
    double multiplied(const Expression& x, Place at);
    double inverse(const Expression& x, Place at);
    double moved(const Expression& x, Place at);

    std::unordered_map<std::string, Values> tensors_;
    /// Matrices that were inverted for the expression at hand.
    std::map<std::pair<const ExpressionNode*, Index>, std::vector<double>> inverses_;
};

}  // namespace headlight
