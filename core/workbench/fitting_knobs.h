#pragma once

#include "core/io/session.h"

namespace headlight {

/// `values` for `mechanism` on the token vectors of `session`, with as many heads as divide their width, and
/// as many rotated features as make pairs: a number that does not fit gives way to the default, or to the
/// nearest that fits. As they are where they fit, and where no number would.
ParameterValues fitting_knobs(const Session& session, const Mechanism& mechanism, ParameterValues values);

/// The same for the session's own mechanism and those beside it.
Session with_fitting_knobs(Session session);

}  // namespace headlight
