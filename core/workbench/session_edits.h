#pragma once

#include "core/workbench/edit.h"

namespace headlight {

// What replaces most of a session at once, in the light in which it was looked at.

/// The worked example, as in a new window.
Edit start_over(const Session& session);
/// first_example().
Edit show_three_words(const Session& session);
/// A stop of the tour: the mechanism on its own example, as its page of the catalogue shows it, with numbers
/// in cells and colours that mean the same at every stop.
Edit show_tour_stop(const Session& session, const Mechanism& mechanism);
/// The mechanism on a text again, in place of a file or an image, at its weights: what looks at what, not the
/// vectors at which the three words begin. Three dimensions are for checking by hand; a sentence of one's own
/// has the usual number.
Edit write_own_sentence(Session session);

}  // namespace headlight
