#pragma once

#include "core/io/session.h"

#include <string>
#include <string_view>

namespace headlight {

/// What a person does to a session in one step. The functions that make one stand in the headers of this room
/// that end with _edits.h: each takes a session and what was chosen, and returns what becomes of it.
struct Edit {
    std::string name;  ///< what undo calls it
    Session after;
    /// Edits that follow one another in one go with the same key become one step (MergeKeys). Empty: a step
    /// of its own.
    std::string merge{};
};

/// The key of edits while `what` is typed: another one with every space, so that typing is undone word by
/// word.
std::string typing_key(std::string_view what, std::string_view text);

/// The key of edits by one movement of the hand: `gesture` counts those of the control.
std::string gesture_key(std::string_view control, int gesture);
/// Whether gesture_key() made it: edits with it are one movement, however long that takes.
bool is_gesture_key(std::string_view key);

/// What a control calls something, as it stands within a name: "Identity" in "Parameters: identity".
std::string in_lower_case(std::string_view words);

}  // namespace headlight
