#pragma once

#include "core/model/transcript.h"
#include "core/workbench/edit.h"

#include <optional>
#include <string>
#include <vector>

namespace headlight {

// What a person changes inside a model; without one there is nothing that these could change.

/// `name` is the entry of the menu.
Edit intervene(Session session, std::string name, const Intervention& intervention);
/// intervene() with one weight, in place of what was set there before: the last one that is set is the one
/// that holds. Weights that are set with one `merge` key become one step.
Edit set_weight(Session session, const Intervention& weight, std::string merge = {});
/// The key of edits that set one weight with the keyboard, one press after another.
std::string weight_key(const Intervention& weight);
/// `called` is what the chip of the intervention says.
Edit take_back(Session session, std::size_t index, std::string_view called);

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
