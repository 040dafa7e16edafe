#pragma once

#include "core/figure/figure.h"

#include <string>
#include <string_view>
#include <vector>

namespace headlight {

/// The panels whose numbers a file of numbers has: no thumbnails, no blank places, and no heads of which the
/// figure's table has every number by name. Throws Error, as what `operation` does, for a large map: the
/// panel has none of its numbers.
std::vector<const Panel*> panels_with_numbers(const Figure& figure, const std::string& operation);

/// A row's or column's token, or its number from 1.
std::string axis_label(const AxisLabels& axis, Index at);
/// Returns the label of each row or column of an axis of this length.
std::vector<std::string> labels_in_full(const AxisLabels& axis, Index extent);
/// The same as a file of numbers has them: "the" of a token that is drawn as "␣the". A space alone stays "␣".
/// Each of two tokens that are compared, "␣the ↔ ␣a".
std::vector<std::string> labels_without_spaces(const AxisLabels& axis, Index extent);

/// Decimals of numbers in narrow cells: those that a person asks for, or as many as show three digits of the
/// largest number, 2 at most.
int usual_decimals(const Panel& panel);

/// A number of a panel as it stands in its cell, with so many decimals. What is exactly zero is written
/// short, in every panel: it is told at a glance from a small weight, which has its decimals.
std::string cell_text(double value, int decimals);

/// Decimals of the sums of rows: two, or four where two would leave a digit at most of the largest.
int decimals_of_sums(const std::vector<double>& sums);

/// Whether a number stands in its cell as nothing but zeros: it steps back behind the others.
bool reads_as_zero(std::string_view text);

}  // namespace headlight
