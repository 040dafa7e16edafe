#pragma once

#include "core/figure/figure.h"

#include <string>
#include <vector>

namespace headlight {

/// How the numbers of a matrix follow from those of the matrices before it.
enum class MotionWork {
    none,
    unchanged,    ///< the same numbers again, as where a mask forbids nothing: nothing moves
    product,      ///< a row times a column is a cell: query × keyᵀ
    mixture,      ///< rows are weighted and added: weights × values
    sum,          ///< cell by cell: scores + bias
    scaling,      ///< each cell times the same number
    mask,         ///< some cells become −∞, the others stay
    exponential,  ///< e to the power of what each cell lies below its row's largest
    share,        ///< each cell over the sum of its row
    softmax,      ///< both at once
    projection,   ///< each row times a matrix that is not drawn
    flow,         ///< on a map: what the keys give flows into the part in view, and on
};

/// Whether each number is divided by a sum over its row.
inline bool adds_up(MotionWork work) { return work == MotionWork::share || work == MotionWork::softmax; }
/// Whether each number is held against the largest of its row.
inline bool looks_for_largest(MotionWork work) {
    return work == MotionWork::exponential || work == MotionWork::softmax;
}

/// The equation of a figure of *Stages*, as its panels have it.
struct MotionStep {
    MotionWork work = MotionWork::none;
    std::vector<Index> operands;  ///< panels, from left to right
    Index result = 0;             ///< the panel behind them
    double factor = 1;            ///< of a scaling
    std::string operation;        ///< what stands before the result, without = and →: "÷ √8"
};

/// As many tokens can be followed with the eye; larger matrices do not move.
inline constexpr Index most_moving_rows = 64;
/// Numbers in a matrix that moves: those tokens with 512 features each.
inline constexpr std::size_t most_moving_cells = 64 * 512;

/// What the equation does, asked of its numbers: the work is one that gives each number of the result, within
/// the rounding of a run in floats. What no work gives, as where keys are hidden, heads mixed or rows
/// normalised another way, has none, so that no motion shows what was not computed; equal numbers are no
/// scaling and no sharing out. A projection's matrix is not drawn: there the operation says it.
MotionStep motion_step(const Figure& figure);

/// The number of a cell of the panel's matrix as it is drawn.
inline double drawn_number(const Panel& panel, Index row, Index column) {
    return panel.values[static_cast<std::size_t>(row * panel.columns + column)];
}
double sum_of_row(const Panel& panel, Index row);
/// The largest number of a row, and the sum of its exponentials below that: 0 where nothing is above −∞.
double largest_of_row(const Panel& panel, Index row);
double sum_of_exponentials(const Panel& panel, Index row);
/// What the first `count` cells of a row add to the sum that its cells are divided by: of a softmax their
/// exponentials below the largest of the whole row, otherwise their numbers.
std::vector<double> parts_of_sum(const Panel& panel, MotionWork work, Index row, Index count);
/// e to the power of what a number lies below the largest of its row; 0 for −∞.
double exponential_below(double number, double largest);

}  // namespace headlight
