#include "ui/models/settled_view.h"

#include "core/io/session_model.h"

#include <algorithm>

namespace headlight {
namespace {

/// The site that is selected where the session has it: the name of a compared mechanism. What comes before
/// its weights is not recorded, so that the way to them is always that of the session's own.
std::string settled_site(const Session& session) {
    const std::string& site = session.view.selection.site;
    if (session.model)
        return site;
    if (site.empty() || session.view.view == ViewKind::stages)
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

}  // namespace

ViewState settled_view(const Session& session) {
    ViewState view = session.view;
    view.selection.site = settled_site(session);
    if (session.model && (view.view == ViewKind::compare || view.view == ViewKind::image))
        view.view = ViewKind::heatmap;
    return view;
}

ViewState settled_view(const Session& session, const Run& run) {
    ViewState view = settled_view(session);
    if (!run.transcript) {
        view.selection = within(*run.trace, view.selection);
        return view;
    }
    view.selection = settled_selection(*run.transcript, view.selection);
    // An encoder reads all of its tokens at once: no row of it comes later than another.
    if (run.transcript->find(view.selection.site)->site.in_encoder)
        view.decoding_step.reset();
    return view;
}

}  // namespace headlight
