#include "core/io/session_run.h"

#include "core/attention/executor.h"
#include "core/attention/overflow.h"
#include "core/figure/build_figure.h"

namespace headlight {

SessionRun run_session(const Session& session) {
    const auto ready = std::make_shared<const Plan>(
        plan(session_spec(session), session_inputs(session), {.seed = session.seed}));
    Trace trace = record(ready);
    trace.name = comparison_names(session).front();
    require_no_overflow(*ready, trace);
    SessionRun run;
    run.comparison = plan_comparison(session, ready);
    run.trace = *run_comparison(run.comparison, trace);
    return run;
}

Figure session_figure(const Session& session) {
    Figure figure = build_figure(run_session(session).trace, session.view);
    figure.session = write_session(session);
    return figure;
}

}  // namespace headlight
