#include "ui/models/settled_view.h"

#include "core/io/session_model.h"

#include <QCoreApplication>

#include <algorithm>

namespace headlight {
namespace {

/// The site that is selected where the session has it and the view shows it: a compared mechanism is beside
/// the session's own in the comparison, and current nowhere.
std::string settled_site(const Session& session) {
    const std::string& site = session.view.selection.site;
    if (session.model)
        return site;
    if (site.empty() || session.view.view != ViewKind::compare)
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

QString missing_for_view(ViewKind kind, const Session& session) {
    if (kind != ViewKind::image)
        return {};
    if (session.model)
        return QCoreApplication::translate(
            "Views", "A model reads text: choose a mechanism in place of the model, then open an image");
    if (!session.sequence.image)
        return QCoreApplication::translate(
            "Views", "Open an image, or choose File > Example picture: its patches become the tokens, and "
                     "what one of them looks at lies over it");
    return {};
}

ViewState settled_view(const Session& session) {
    ViewState view = session.view;
    view.selection.site = settled_site(session);
    if (!missing_for_view(view.view, session).isEmpty())
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
