#pragma once

#include "core/io/compared_traces.h"
#include "core/io/session.h"

namespace headlight {

/// What is run beside a session that has_counterpart() and shows no capture: the same, but for the text or
/// the model. Of another text, and of another model, nothing of what a person chose or changed on the way.
Session counterpart_session(Session session);

/// The runs of a session, which compares nothing else, and of its counterpart, each called what it is.
/// Throws Error where there is nothing to compare.
ComparedTraces beside_counterpart(const Session& session, Trace own, Trace other);

}  // namespace headlight
