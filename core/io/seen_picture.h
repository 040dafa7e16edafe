#pragma once

#include "core/image/patches.h"
#include "core/io/session.h"
#include "core/model/transcript.h"

namespace headlight {

/// The picture whose patches are the session's tokens: its image, or what its model sees of the text; nothing
/// where they are of none. `said` is by the model; where it is null, as in a trace that is drawn again, the
/// model is opened and asked how it reads.
PatchedPicture seen_picture(const Session& session, const Transcript* said);

}  // namespace headlight
