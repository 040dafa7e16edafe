#pragma once

#include "core/io/session.h"

#include <string>

namespace headlight {

/// `session` on the patches of an image, which its view shows, the patch in the middle looking. The text
/// stays for when the image goes; a mask that was drawn for its tokens, and what was said of
/// their figure (another_text.h), do not.
Session with_image(Session session, PatchedPicture image, std::string name);

/// `session` on its text again.
Session without_image(Session session);

/// The image cut into so many columns, the selected patches about where they were.
Session with_patch_columns(Session session, Index columns);

/// Whether the patches look, so that no text is read.
bool reads_image_alone(const Session& session);

}  // namespace headlight
