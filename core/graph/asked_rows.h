#pragma once

#include "core/graph/graph_values.h"
#include "core/graph/program.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headlight {

/// Rows of what a program's lines say, in double, each computed when it is asked for and kept: one number is
/// made of few rows, however many tokens there are; throws TooMuch where it is not, and is then done with.
/// The program stays where it is, and so do expressions that are asked for.
class AskedRows {
public:
    /// A row of a tensor whose numbers are known; nothing where the program is to say them.
    using Known = std::function<std::optional<std::span<const double>>(const std::string& tensor,
                                                                       const Extent& extent, Place place)>;
    AskedRows(const Program& program, Known known);

    /// The line that assigns `name` outside of loops; null where none does.
    const ProgramLine* line_of(std::string_view name) const;
    /// What the program begins with under this name; null where that is nothing.
    const GivenTensor* given(std::string_view name) const;
    /// One number; an extent of 1 meets every head, row or column.
    double at(const Expression& x, Place place);
    /// The row of `place` of an expression of the program's tensors.
    std::span<const double> row(const Expression& x, Place place);

private:
    static constexpr Index most_numbers =
        1 << 24;                             ///< of all rows, and of a matrix that one is multiplied with
    static constexpr int most_depth = 1000;  ///< of rows that follow from rows
    using Rows = std::map<std::pair<Index, Index>, std::vector<double>>;  ///< by head and row

    std::optional<std::span<const double>> row_of_tensor(const Expression& x, Place place);
    std::vector<double> computed(const Expression& x, Place place);
    std::vector<double> mixed(const Expression& x, Place place);
    /// What sum_of_pairs() adds up for one query, [keys, features] or what meets that.
    struct Summand {
        std::vector<double> numbers;
        Extent extent;
    };
    Summand summand(const Expression& x, Place place);
    std::vector<double> summed_pairs(const Expression& x, Place place);
    /// All rows of one head of an operand, whatever it is the operand of.
    std::span<const double> matrix(const Expression& x, Index head);
    /// The numbers of a tensor that a loop assigns, which no row has by itself: those of a run of everything.
    std::span<const double> after_the_loops(const std::string& tensor);

    /// A program, from its first line to its last.
    struct WholeRun {
        explicit WholeRun(const Program& program);
        Graph graph;
        GraphValues values;
    };

    const Program& program_;
    Known known_;
    std::map<std::string, const GivenTensor*, std::less<>> given_;
    std::map<std::string, const ProgramLine*, std::less<>> lines_;
    std::map<const ExpressionNode*, Rows> rows_;
    std::map<std::pair<const ExpressionNode*, Index>, std::vector<double>> matrices_;
    Index made_ = 0;
    int depth_ = 0;
    std::unique_ptr<WholeRun> whole_run_;
};

}  // namespace headlight
