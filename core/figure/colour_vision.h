#pragma once

#include "core/figure/colour.h"
#include "core/tensor/words.h"

namespace headlight {

/// How somebody sees colours, or what a printer without any leaves of them.
enum class ColourVision { usual, protanopia, deuteranopia, tritanopia, grey };

template <>
std::span<const Word<ColourVision>> words();

/// The colour as it is seen so, in sRGB. The three deficiencies are complete: Machado, Oliveira and Fernandes
/// 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency", table 1, severity 1.0, on
/// linear light. Grey keeps the relative luminance.
Rgb seen_with(ColourVision vision, Rgb colour);

/// Between two colours, WCAG 2: from 1 to 21.
double contrast(Rgb one, Rgb other);

}  // namespace headlight
