#pragma once

#include "app/cli/arguments.h"
#include "core/io/session.h"

namespace headlight {

// How a capture is read: what `analyse` and `render` have in common.

inline const Flag other_option{
    "--with", "FILE",
    "another capture of as many layers and heads: on the tokens that both have, what "
    "changes from it to FILE"};
inline const Flag units_option{
    "--units", "UNIT",
    "rows and columns of a capture: tokens (as they are), words, sentences, lines or "
    "turns"};

/// The operand, with what the options say of it.
SessionCapture capture_asked_for(const Arguments& arguments);

/// Nothing of it but the file.
bool is_plain(const SessionCapture& capture);

}  // namespace headlight
