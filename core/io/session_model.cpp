#include "core/io/session_model.h"

#include <algorithm>

namespace headlight {

Session with_model(Session session, const std::string& name, const TaskModel& model) {
    session.model = SessionModel{name, {}};
    session.model->request.source = example_source(model, 0);
    session.view.view = model.host->is_classifier() ? ViewKind::heatmap : ViewKind::steps;
    session.view.decoding_step.reset();
    session.view.selection = {};
    session.view.selection.query = last_row;
    return session;
}

Session without_model(Session session) {
    if (!session.model)
        return session;
    session.model.reset();
    session.view.selection = {};
    session.view.decoding_step.reset();
    return session;
}

Selection settled_selection(const Utterance& utterance, Selection selection) {
    const std::vector<SpokenSite>& sites = utterance.sites;
    auto found =
        std::ranges::find(sites, selection.site, [](const SpokenSite& each) { return each.site.name; });
    const SpokenSite& site = found == sites.end() ? leading_site(sites) : *found;
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

Trace trace_of(const Utterance& utterance, const std::string& name) {
    Trace trace = joined_sites(utterance.sites);
    // A folder is called by its last name.
    const std::string whole = name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
    trace.name = whole.substr(whole.rfind('/') + 1);
    return trace;
}

}  // namespace headlight
