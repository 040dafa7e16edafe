#pragma once

#include "core/figure/figure.h"
#include "core/io/compared_run.h"
#include "core/io/session.h"
#include "core/model/transcript.h"

namespace headlight {

/// A session that was run: its own mechanism's stages, behind them the maps of those beside it.
struct SessionRun {
    Trace trace;
    Comparison comparison;
    /// What it is compared with, map by map: the session's counterpart; or, of a model that a person changed
    /// inside, the same steps without the changes.
    std::shared_ptr<const Trace> untouched{};
    /// The run before a person changed the model inside: what it says and looks at without the changes. Null
    /// where it goes on as in the same steps, which `untouched` has.
    std::shared_ptr<const Trace> before{};
    std::string random_weights{};              ///< what a picture has to say of them (drawn_weights.h)
    std::shared_ptr<const Transcript> said{};  ///< by the session's model; null without a model
    std::string reading{};                     ///< ComparedTraces::reading of a capture
};

/// Throws Error where the session's own mechanism cannot run on its inputs, or its numbers overflow.
SessionRun run_session(const Session& session);

/// What the session shows, as a figure that carries it.
Figure session_figure(const Session& session);

}  // namespace headlight
