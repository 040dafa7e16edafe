#include "core/io/session_run.h"

#include "core/attention/overflow.h"
#include "core/figure/apply_options.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/figure/fit_scales.h"
#include "core/figure/view.h"
#include "core/io/drawn_weights.h"
#include "core/io/figure_source.h"
#include "core/io/seen_picture.h"
#include "core/io/session_capture.h"
#include "core/io/session_counterpart.h"
#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/map/lazy_run.h"

namespace headlight {

namespace {

SessionRun generate(const SessionModel& model) {
    SessionRun run;
    Generator generator(std::make_shared<const TrainedModel>(open_model(model.name)));
    run.said = std::make_shared<const Transcript>(*generator.generate(model.request));
    run.trace = trace_of(*run.said, model.name);
    if (!run.said->untouched_sites.empty())
        run.untouched = std::make_shared<const Trace>(untouched_trace(*run.said, model.name));
    if (!run.said->sites_before.empty())
        run.before = std::make_shared<const Trace>(trace_of(run.said->sites_before, model.name));
    return run;
}

SessionRun attend(const Session& session) {
    const AttentionSpec spec = session_spec(session);
    const Inputs inputs = session_inputs(session);
    // Views that need every number of a map are drawn as long as memory has them.
    const View& shown = view(view_settings(session).view);
    const bool is_large = inputs.query.rows() * inputs.key_tokens().rows() > LazyMaps::most_kept &&
                          (shown.draws_large_maps || shown.reads_every_head);
    const auto planned = [&](Keeps keeps) {
        return std::make_shared<const Plan>(plan(spec, inputs, {.seed = session.seed, .keeps = keeps}));
    };
    auto ready = planned(is_large ? Keeps::rows : Keeps::trace);
    if (is_large && !has_lazy_rows(*ready))
        ready = planned(Keeps::trace);
    Trace trace = record_as_planned(ready);
    trace.name = comparison_names(session).front();
    require_no_overflow(*ready, trace);
    SessionRun run;
    run.comparison = plan_comparison(session, ready);
    run.trace = *run_comparison(run.comparison, trace);
    run.random_weights = random_weights_note(session, *ready);
    return run;
}

SessionRun run_alone(const Session& session) {
    return session.model ? generate(*session.model) : attend(session);
}

/// What is no trace goes into `run`, as the session's own run has it.
ComparedTraces run_both(Session session, SessionRun& run) {
    session.compared.clear();
    SessionRun own = run_alone(session), other = run_alone(counterpart_session(session));
    run.random_weights = std::move(own.random_weights);
    run.said = std::move(own.said);
    return beside_counterpart(session, std::move(own.trace), std::move(other.trace));
}

}  // namespace

SessionRun run_session(const Session& session) {
    if (!session.capture && !session.has_counterpart())
        return run_alone(session);
    SessionRun run;
    ComparedTraces traces =
        session.capture ? captured_traces(*session.capture, other_capture(session)) : run_both(session, run);
    run.trace = std::move(traces.trace);
    run.untouched = std::move(traces.other);
    run.reading = std::move(traces.reading);
    return run;
}

Figure session_figure(const Session& session) {
    if (!session.figure.options.panels.empty()) {
        const FigureSource source = source_of(session);
        Figure figure = figure_of(source, source.view);
        figure.session = write_session(session);
        return figure;
    }
    const SessionRun run = run_session(session);
    const ViewSettings settings = view_settings(session);
    const PatchedPicture picture = seen_picture(session, run.said.get());
    Figure figure = run.untouched ? build_changed_figure(run.trace, *run.untouched, settings, picture)
                                  : build_figure(run.trace, settings, picture);
    apply_options(figure, settings);
    complete_large_maps(figure, settings.range);
    figure.session = write_session(session);
    return figure;
}

}  // namespace headlight
