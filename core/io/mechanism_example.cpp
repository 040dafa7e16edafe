#include "core/io/mechanism_example.h"

#include "core/attention/executor.h"

namespace headlight {
namespace {

/// Side by side what is compared; all heads of a map that each has one of; else the stage alone.
ViewKind best_view(const Session& session) {
    if (!session.compared.empty())
        return ViewKind::compare;
    const Trace layout =
        empty_trace(plan(session_spec(session), session_inputs(session), {.seed = session.seed}));
    const Stage* stage = layout.find(session.view.selection.stage);
    const bool has_heads = stage && stage->extent(Axis::head) > 1 && stage->axes.back() == Axis::key;
    return has_heads ? ViewKind::grid : ViewKind::heatmap;
}

}  // namespace

Session mechanism_example(const Mechanism& mechanism) {
    Session session;
    session.mechanism = mechanism.id;
    session.values = mechanism.example.values;
    session.sequence.query_text = mechanism.example.query;
    session.sequence.key_text = mechanism.example.key;
    if (!mechanism.example.beside.empty())
        session.compared.emplace_back().mechanism = mechanism.example.beside;
    session.view.selection.stage = mechanism.example.stage;
    session.view.view = best_view(session);
    session.figure.range = RangeKind::fitted;
    session.view.theme = FigureTheme::paper;
    session.figure.values_in_cells =
        false;  // beside an explanation the shape counts, and 130 pictures must be small
    session.exported = {.width_mm = {}, .width_px = 520, .dpi = 96};
    return session;
}

}  // namespace headlight
