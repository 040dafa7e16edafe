#pragma once

#include "core/figure/view.h"
#include "core/io/session.h"

namespace headlight {

/// What a view may ask about the session before it is shown.
ViewSubject view_subject(const Session& session);

}  // namespace headlight
