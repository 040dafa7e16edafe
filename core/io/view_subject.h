#pragma once

#include "core/attention/trace.h"
#include "core/figure/view.h"
#include "core/io/session.h"
#include "core/model/transcript.h"

namespace headlight {

/// What a view may ask about the session, and about what its run has recorded, before it is shown. Null
/// before it has run, and `said` for what is no model.
ViewSubject view_subject(const Session& session, const Trace* recorded = nullptr,
                         const Transcript* said = nullptr);

}  // namespace headlight
