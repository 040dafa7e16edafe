#pragma once

#include "core/io/session.h"
#include "core/model/speaker.h"

#include <string>
#include <vector>

namespace headlight {

// What a person does with a model that speaks, as sessions to be given to Document::edit().

/// The decoding step that the view is at: that of the selected row, where the rows are the decoder's; else
/// the last one.
Index current_step(const ViewSettings& view, const Utterance& utterance);

/// Another source; what was chosen for the old one goes, and the view shows all of what is said.
Session with_source(Session session, const std::string& text);

/// Step `step` is followed by `word`, and the model decodes on from there. The words that it would say anyway
/// are left to it. Throws Error when that step's word was given to the model with the source.
Session with_choice(Session session, const Utterance& utterance, Index step, const std::string& word);

/// The text that it has to say; an empty one leaves it to the model again.
Session with_target(Session session, const std::string& text);

/// Nothing chosen and nothing forced.
Session with_own_words(Session session);

Session with_intervention(Session session, const Intervention& intervention);
Session without_intervention(Session session, std::size_t index);

/// "“cat” gets no weight, head 2, step 3": what an intervention does, in the words of the utterance.
std::string intervention_text(const Intervention& intervention, const Utterance& utterance);

/// What can be done at a cell of a decoder's weights; empty at other places.
std::vector<Intervention> possible_interventions(const Utterance& utterance, const Selection& cell);

}  // namespace headlight
