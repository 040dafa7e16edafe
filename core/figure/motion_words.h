#pragma once

#include "core/figure/motion_step.h"

#include <string>

namespace headlight {

// What happens in a step, in words with the numbers of the run. Lines of arithmetic add up with the digits
// that they show (printed_line.h). Rows and columns are those of the panels as they are drawn.

/// "Row 3, “sat”, of Query × column 2, “cat”, of Keyᵀ: 0.12 × 0.5 + 0.4 × 0.1 = 0.1", with the first `terms`
/// of the products: "so far 0.06" until all are there.
std::string product_words(const Figure& figure, const MotionStep& step, Index row, Index column, Index terms);
/// "0.6 × row 1, “the” + 0.4 × row 2, “cat”, of Value …": with the first `terms` of the rows that are added.
std::string mixture_words(const Figure& figure, const MotionStep& step, Index row, Index terms);
/// "The largest number in row 3, “sat”, of Masked scores: 0.5"
std::string largest_words(const Figure& figure, const MotionStep& step, Index row);
/// What a row is divided by, with its first `terms`.
std::string divisor_words(const Figure& figure, const MotionStep& step, Index row, Index terms);
/// The cell of a sum, a scaling, a mask, an exponential, a share or a softmax.
std::string cell_words(const Figure& figure, const MotionStep& step, Index row, Index column);
/// "Row 3, “sat”, of Token vectors × W_q: row 3, “sat”, of Query"
std::string projection_words(const Figure& figure, const MotionStep& step, Index row);
/// What the whole step does, before it begins; and that it is done.
std::string beginning_words(const Figure& figure, const MotionStep& step);
std::string ending_words(const Figure& figure, const MotionStep& step);

}  // namespace headlight
