#pragma once

#include "core/model/generator.h"
#include "core/workbench/edit.h"

namespace headlight {

// What a person does with a model; of what is said, without one there is nothing that these could change.

/// with_model(); `called` is its short name.
/// The step is called as people call the model (model_title()), not by its folder.
Edit run_model(Session session, const std::string& name, const TaskModel& model);
/// on_its_mechanism().
Edit leave_model(Session session);

/// The decoding step that the view is at: that of the selected row, where the rows are the decoder's; else
/// the last one.
Index current_step(const ViewState& view, const Transcript& transcript);

/// Whether `now` has lost what a person changed inside the model, because it is about another text or model.
bool has_lost_interventions(const Session& before, const Session& now);

/// Another source; what was chosen for the old one goes, what was changed inside goes where the words are
/// others, and the view shows all of what is said.
Session with_source(Session session, const std::string& text);

Edit type_source(Session session, const std::string& text);
Edit show_next_source(Session session, const std::string& text);

/// Step `step` is followed by `word`, and the model decodes on from there. The words that it would say anyway
/// are left to it. Throws Error when that step's word was given to the model with the source.
Edit choose_word(Session session, const Transcript& transcript, Index step, const std::string& word);

/// The text that it has to say; an empty one leaves it to the model again. What was changed inside goes with
/// other words, as with another source.
Edit type_target(Session session, const std::string& text);

/// Nothing chosen and nothing forced.
Edit leave_words_to_model(Session session);

/// How it finds the words that nobody has decided; `name` is what the control calls the choice.
Edit change_word_choice(Session session, std::string name, const WordChoice& choice, std::string merge = {});

/// The pictures show the text that leads to a node of the beam's tree; of its best one, all of it as ever.
Edit follow_beam(Session session, const TranscriptBeams& beams, Index node);

}  // namespace headlight
