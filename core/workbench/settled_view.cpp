#include "core/workbench/settled_view.h"

#include "core/figure/comparison.h"
#include "core/io/session_model.h"
#include "core/io/view_subject.h"

#include <algorithm>

namespace headlight {
namespace {

/// The site that is selected where the session has it and the view shows it: a compared mechanism is beside
/// the session's own in the comparison, and current nowhere.
std::string settled_site(const Session& session) {
    const std::string& site = session.view.selection.site;
    if (!session.runs_mechanism())
        return site;
    if (site.empty() || !view(session.view.view).all_sites)
        return {};
    const std::vector<std::string> names = comparison_names(session);
    return std::find(names.begin() + 1, names.end(), site) == names.end() ? std::string() : site;
}

/// Indices that some stage of the selected site has.
Selection within(const Trace& trace, Selection selection) {
    const auto clamp = [&](Index& index, Axis axis) {
        Index extent = 0;
        for (const Stage& stage : trace.stages())
            if (stage.site == selection.site && stage.has_axis(axis))
                extent = std::max(extent, stage.extent(axis));
        index = std::clamp<Index>(index, 0, std::max<Index>(extent, 1) - 1);
    };
    clamp(selection.head, Axis::head);
    clamp(selection.query, Axis::query);
    clamp(selection.key, Axis::key);
    return selection;
}

/// `site` where the capture has it, else its first one.
std::string captured_site(const Trace& trace, const std::string& site) {
    const std::vector<std::string> sites = sites_with_weights(trace);
    return sites.empty() || std::ranges::count(sites, site) > 0 ? site : sites.front();
}

/// In either orientation: an operand of a product is drawn with its rows as columns.
bool has_matrices_of(const Trace& trace, Index rows, Index columns) {
    return std::ranges::any_of(trace.stages(), [&](const Stage& stage) {
        if (stage.shape.size() < 2)
            return false;
        const Index last = stage.shape.back(), before_last = stage.shape[stage.shape.size() - 2];
        return (before_last == rows && last == columns) || (before_last == columns && last == rows);
    });
}

}  // namespace

ViewState settled_view(const Session& session) {
    ViewState state = session.view;
    state.selection.site = settled_site(session);
    if (!missing_for(state.view, view_subject(session)).empty())
        state = in_view(state, ViewKind::heatmap);
    // The box is all that is known of attention that was computed elsewhere: a level that was open for a
    // mechanism would come back with nothing to say.
    if (session.capture && state.level != Level::box)
        state.level.reset();
    return state;
}

ViewState settled_view(const Session& session, const Run& run) {
    ViewState view = settled_view(session);
    if (!missing_for(view.view, view_subject(session, run.trace.get(), run.transcript.get())).empty())
        view = in_view(view, ViewKind::heatmap);
    if (view.zoom && !has_matrices_of(*run.trace, view.zoom->rows.extent, view.zoom->columns.extent))
        view.zoom.reset();
    if (view.block && !has_matrices_of(*run.trace, view.block->of_rows, view.block->of_columns))
        view.block.reset();
    if (!run.transcript) {
        if (!run.plan) {
            view.selection.site = captured_site(*run.trace, view.selection.site);
            if (view.selection.query == last_row)
                view.selection.query = run.opening_query;
        }
        view.selection = within(*run.trace, view.selection);
        return view;
    }
    view.selection = settled_selection(*run.transcript, view.selection);
    // An encoder reads all of its tokens at once: no row of it comes later than another.
    if (run.transcript->find(view.selection.site)->site.in_encoder)
        view.decoding_step.reset();
    return view;
}

Session with_view(Session session, const ViewState& view) {
    session.view = view;
    return session;
}

}  // namespace headlight
