#include "core/io/session_model.h"

#include "core/figure/another_text.h"
#include "core/figure/view.h"
#include "core/io/model_title.h"
#include "core/io/shipped_models.h"
#include "core/io/view_subject.h"
#include "core/model/intervention_places.h"
#include "core/tensor/error.h"
#include "core/tensor/visible_text.h"

#include <algorithm>

namespace headlight {

namespace {

bool reads(const TaskModel& model, const std::string& text) {
    try {
        prompt(model, text);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Whether the model knows every word and has every place of a request.
bool can_be_asked(const TaskModel& model, const GenerationRequest& request) try {
    const Prompt read = prompt(model, request.source);
    if (request.target)
        forced_tokens(model, read, *request.target);
    model.target.numbers(request.chosen);
    require_possible_interventions(model, read, request.interventions);
    return true;
} catch (const Error&) {
    return false;
}

/// The view in which it shows what it does.
ViewKind first_view(const TaskModel& model) {
    return model.task.sight              ? ViewKind::image
           : model.host->is_classifier() ? ViewKind::heatmap
                                         : ViewKind::steps;
}

/// Whether the session is in a view that its model has, and that is more than the first one of some kind of
/// model: where somebody looks who goes from model to model.
bool is_place_in_any_model(const Session& session) {
    const ViewKind kind = session.view.view;
    return kind != ViewKind::steps && kind != ViewKind::image &&
           missing_for(kind, view_subject(session)).empty();
}

}  // namespace

Session with_model(Session session, const std::string& name, const TaskModel& model) {
    if (session.model && is_missing(session.model->name) && can_be_asked(model, session.model->request)) {
        session.model->name = name;
        return session;
    }
    if (session.attends_elsewhere() != name)
        session.figure = for_another_text(session.figure);
    if (session.capture)  // a range that was chosen for its weights
        session.figure.range = FigureSettings().range;
    session.capture.reset();
    session.counterpart.reset();
    GenerationRequest request;
    request.source = session.model && reads(model, session.model->request.source)
                         ? session.model->request.source
                         : example_source(model, 0);
    if (session.model)
        request.choice = session.model->request.choice;
    const bool follows_another = session.model.has_value();
    session.model = SessionModel{name, std::move(request)};
    if (!follows_another || !is_place_in_any_model(session))
        session.view = in_view(session.view, first_view(model));
    session.view.decoding_step.reset();
    session.view.selection = {};
    session.view.selection.query = last_row;
    return session;
}

Selection settled_selection(const Transcript& transcript, Selection selection) {
    const SiteRecord* found = transcript.find(selection.site);
    const SiteRecord& site = found ? *found : leading_site(transcript.sites);
    selection.site = site.site.name;
    const auto clamped = [](Index index, Index extent) {
        return std::clamp<Index>(index, 0, std::max<Index>(extent, 1) - 1);
    };
    selection.head = clamped(selection.head, site.plan->heads);
    selection.query = clamped(selection.query, site.plan->queries);
    selection.key = clamped(selection.key, site.plan->keys);
    if (!site.trace->find(selection.stage))
        selection.stage = "weights";
    return selection;
}

Trace trace_of(const Transcript& transcript, const std::string& name) {
    return trace_of(transcript.sites, name);
}

Trace trace_of(std::span<const SiteRecord> sites, const std::string& name) {
    Trace trace = joined_sites(sites);
    trace.name = model_title(name);
    return trace;
}

Trace untouched_trace(const Transcript& transcript, const std::string& name) {
    Trace trace = trace_of(transcript.untouched_sites, name);
    if (transcript.untouched && !transcript.sites_before.empty()) {
        const std::string alone = text_of(transcript.model->model->task, *transcript.untouched, Side::target);
        trace.left_out = "Difference: both read the words of the changed model; the untouched one by itself "
                         "says " +
                         (alone.empty() ? "nothing" : in_quotes(alone)) + ".";
    }
    return trace;
}

}  // namespace headlight
