#pragma once

#include "core/io/compared_run.h"

#include <string>

namespace headlight {

/// "Random weights, seed 1: see the shape, not the words": what everybody must know who reads a picture of
/// parameters that nobody has trained. Empty where the plan needs none, and where the session or its file
/// gives all of them.
std::string random_weights_note(const Session& session, const Plan& plan);
/// The same of mechanisms side by side. Where not all have drawn weights it says which: "Random weights in
/// Additive attention, seed 1: see the shape, not the words".
std::string random_weights_note(const Session& session, const Comparison& comparison);

/// Puts the note, if there is one, in front of the figure's caption.
void caption_random_weights(Figure& figure, const std::string& note);

}  // namespace headlight
