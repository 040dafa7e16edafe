#pragma once

#include "core/io/session.h"
#include "core/model/generator.h"

#include <string>

namespace headlight {

/// Stands in a selection for the last row, whichever that is.
inline constexpr Index last_row = 1'000'000;

/// A model that is shown for the first time, in the view in which it generates step by step, or after another
/// model in the one that was chosen for that, as Map, where this one has it: with the text that the other had
/// to read if this one can read it, else with a sentence that its task has ready. What was said of the figure
/// of anything else (another_text.h) goes. Where the folder of that other one is not there any more, this is
/// where it lies now, and is asked all that it was asked, provided that it can be.
Session with_model(Session session, const std::string& name, const TaskModel& model);

/// The place in the trace of an transcript that the view means: the site that is selected, or the leading
/// one; of its rows the selected one, or the last. A person who types never has to choose them again.
Selection settled_selection(const Transcript& transcript, Selection selection);

/// What the model said, as one trace that carries its title (model_title.h).
Trace trace_of(const Transcript& transcript, const std::string& name);
Trace trace_of(std::span<const SiteRecord> sites, const std::string& name);
/// What the model does without its changes while it reads the words of the changed one. Trace::left_out says
/// what it says by itself, where that is something else.
Trace untouched_trace(const Transcript& transcript, const std::string& name);

}  // namespace headlight
