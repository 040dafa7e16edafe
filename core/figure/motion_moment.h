#pragma once

#include "core/tensor/tensor.h"

#include <string>
#include <vector>

namespace headlight {

/// Cells of a panel that something happens to. Rows and columns are counted in the panel's whole matrix,
/// whatever part of it is drawn.
struct MotionMark {
    enum class Kind {
        unwritten,  ///< they have no number yet: their places are empty
        unsummed,   ///< rows that are not summed up yet: the places of their sums beside them are empty
        read,       ///< the row or column that meets another
        taken,      ///< what is being multiplied, added or changed
        written,    ///< what gets its number
    };
    Kind kind = Kind::read;
    Index panel = 0;
    Index first_row = 0, first_column = 0, rows = 1, columns = 1;
    bool operator==(const MotionMark&) const = default;
};

/// A cell of a panel, counted as those of MotionMark.
struct MotionCell {
    Index panel = 0, row = 0, column = 0;
    bool is_sum = false;  ///< what stands for the row's sum beside the panel, in place of the cell
    bool operator==(const MotionCell&) const = default;
};

/// A number on its way from one cell to another, or that stays at one and grows.
struct MotionNumber {
    MotionCell from, to;
    double way = 1;  ///< the share of it that is done, 0 to 1
    std::string text;
    bool operator==(const MotionNumber&) const = default;
};

/// What a row has been summed up to, in the place of its numbers.
struct PartialRow {
    Index panel = 0, row = 0;
    std::vector<double> values;  ///< [column] of the whole matrix
    bool operator==(const PartialRow&) const = default;
};

/// What an arrow of a map carries, on its way along it.
struct MotionDot {
    Index panel = 0;
    Index arrow = 0;   ///< by its place in Flow::edges
    double way = 0;    ///< the share of it that is done, 0 to 1
    double share = 1;  ///< of the most that is carried, as which it is drawn
    bool operator==(const MotionDot&) const = default;
};

/// What is drawn over a still figure at one moment of a step, and the words under it.
struct MotionMoment {
    std::vector<MotionMark> marks;
    std::vector<MotionNumber> numbers;
    std::vector<PartialRow> partial;
    std::vector<MotionDot> dots;
    std::string words;
    bool operator==(const MotionMoment&) const = default;
};

}  // namespace headlight
