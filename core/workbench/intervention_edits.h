#pragma once

#include "core/io/session.h"
#include "core/model/transcript.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// What a person changes inside a model, as sessions to be given to Document::edit().

Session with_intervention(Session session, const Intervention& intervention);
/// with_intervention() of one weight, in place of what was set there before: the last one that is set is the
/// one that holds.
Session with_weight(Session session, const Intervention& weight);
Session without_intervention(Session session, std::size_t index);

/// "“cat” gets no weight, head 2, step 3": what an intervention does, in the words of the transcript.
std::string intervention_text(const Intervention& intervention, const Transcript& transcript);

/// The same with the place of the model where it acts, if that is not its only one: "“cat” gets no weight,
/// decoder layer 2, looks at the source, head 1, step 3".
std::string placed_intervention_text(const Intervention& intervention, const Transcript& transcript);
/// Whether the generation is too short for it: it is about a step that there is not.
bool is_behind_the_end(const Intervention& intervention, const Transcript& transcript);

/// Kind::set_weight at a cell of a decoder's weights, with the weight that it has now; nothing at other
/// places and where the mask forbids the pair.
std::optional<Intervention> weight_at(const Transcript& transcript, const Selection& cell);

/// The changes that concern a row of a site's weights, in the order in which they are carried out.
std::vector<Intervention> interventions_at(const GenerationRequest& request, const Selection& row);

/// What can be done at a cell of a decoder's weights; empty at other places.
std::vector<Intervention> possible_interventions(const Transcript& transcript, const Selection& cell);

}  // namespace headlight
