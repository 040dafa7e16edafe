#pragma once

#include "core/io/session.h"
#include "core/workbench/run_session.h"

namespace headlight {

/// Where `session` looks, at a place that it has: no compared mechanism that is gone, no view that a model
/// does not have, no level that a capture does not have.
ViewState settled_view(const Session& session);
/// The same once it has run: tokens, heads and sites that there are. `run` is of `session`.
ViewState settled_view(const Session& session, const Run& run);

/// The same session, looked at from there: a look is no edit.
Session with_view(Session session, const ViewState& view);

}  // namespace headlight
