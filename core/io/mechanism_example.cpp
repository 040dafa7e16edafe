#include "core/io/mechanism_example.h"

#include "core/attention/executor.h"

#include <optional>

namespace headlight {
namespace {

/// The stage of the session's picture as a run would have it; nothing where there is none.
std::optional<Stage> pictured_stage(const Session& session) {
    const Trace layout =
        empty_trace(plan(session_spec(session), session_inputs(session), {.seed = session.seed}));
    const Stage* stage = layout.find(session.view.selection.stage);
    return stage ? std::optional(*stage) : std::nullopt;
}

/// Side by side what is compared; all heads of a map that each has one of; else the stage alone.
ViewKind best_view(const Session& session, const std::optional<Stage>& stage) {
    if (!session.compared.empty())
        return ViewKind::compare;
    const bool has_heads = stage && stage->extent(Axis::head) > 1 && stage->axes.back() == Axis::key;
    return has_heads ? ViewKind::grid : ViewKind::heatmap;
}

/// In pixels: a few columns that filled the width would make a picture that is twice as high.
int best_width(ViewKind view, const std::optional<Stage>& stage) {
    constexpr int usual = 520, narrow = 330;
    if (view != ViewKind::heatmap || !stage || stage->shape.size() < 2)
        return usual;
    const auto rows = static_cast<double>(stage->shape[stage->shape.size() - 2]),
               columns = static_cast<double>(stage->shape.back());
    constexpr double few = 0.6;  // columns, in the number of rows
    return columns < few * rows ? narrow : usual;
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
    const std::optional<Stage> stage = session.compared.empty() ? pictured_stage(session) : std::nullopt;
    session.view.view = best_view(session, stage);
    session.figure.range = RangeKind::fitted;
    session.view.theme = FigureTheme::paper;
    session.figure.values_in_cells =
        false;  // beside an explanation the shape counts, and 130 pictures must be small
    session.exported = {.width_mm = {}, .width_px = best_width(session.view.view, stage), .dpi = 96};
    return session;
}

}  // namespace headlight
