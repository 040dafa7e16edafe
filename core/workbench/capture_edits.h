#pragma once

#include "core/workbench/edit.h"

namespace headlight {

// What a person does with a capture; without one there is nothing that these could change. `called` is what
// the control calls the choice.

/// Another head of the model that was captured, by its file.
Edit look_at_captured_head(Session session, std::string file, std::string_view called);
Edit choose_unit(Session session, TokenUnit unit, std::string_view called);
Edit choose_spelling(Session session, TokenSpelling spelling, std::string_view called);

}  // namespace headlight
