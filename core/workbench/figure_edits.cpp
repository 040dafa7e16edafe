#include "core/workbench/figure_edits.h"

#include "core/figure/words.h"

#include <algorithm>
#include <utility>

namespace headlight {

Edit show_values(Session session, bool on) {
    session.figure.values_in_cells = on;
    return {on ? "Show values" : "Hide values", std::move(session)};
}

Edit show_differences(Session session, bool on) {
    session.figure.differences = on;
    return {on ? "Show the difference" : "Show the weights", std::move(session)};
}

Edit turn_in_figure(Session session, std::string_view called, bool FigureSettings::*setting, bool on) {
    session.figure.*setting = on;
    return {(on ? "Show " : "Hide ") + in_lower_case(called), std::move(session)};
}

Edit fit_range(Session session) {
    session.figure.range = RangeKind::fitted;
    return {"Scale: Fitted", std::move(session)};
}

Edit choose_logarithmic_scale(Session session) {
    session.figure.scale = ScaleKind::logarithmic;
    return {"Scale: Log", std::move(session)};
}

Edit choose_range(Session session, const ColourRange& range) {
    session.figure.range = range;
    return {"Range: " + range_in_words(range), std::move(session)};
}

Edit choose_range_of(Session session, const ColourRange& range, const std::string& file) {
    session.figure.range = range;
    return {"Range as in " + file, std::move(session)};
}

Edit scale_each_head(Session session, bool on) {
    session.figure.own_scales = on;
    return {"Scale of each head", std::move(session)};
}

Edit draw_heads(Session session, const std::vector<Index>& heads) {
    const bool are_several = heads.size() > 1;
    session.figure.options.heads = are_several ? heads : std::vector<Index>();
    return {are_several ? "Draw heads " + head_numbers(heads) : "Draw one head", std::move(session)};
}

Edit hide_keys(Session session, std::string name, std::vector<Index> keys) {
    session.figure.hidden_keys = std::move(keys);
    return {std::move(name), std::move(session)};
}

Edit choose_lines(Session session, const LineChoice& choice) {
    session.figure.options.lines = choice;
    return {"Choose lines", std::move(session), "lines"};
}

bool is_pinned(const Session& session, const PinnedMap& map) {
    return std::ranges::count(session.figure.pinned, map) > 0;
}

bool can_pin_more(const Session& session) { return std::ssize(session.figure.pinned) < most_pinned; }

Edit turn_pin(Session session, const PinnedMap& map) {
    const bool was_pinned = is_pinned(session, map);
    if (was_pinned)
        std::erase(session.figure.pinned, map);
    else if (can_pin_more(session))
        session.figure.pinned.push_back(map);
    return {(was_pinned ? "Unpin head " : "Pin head ") + std::to_string(map.head + 1), std::move(session)};
}

Edit choose_panels(Session session, std::vector<PanelWords> panels) {
    session.figure.options.panels = std::move(panels);
    return {"Change the panels", std::move(session), "panels"};
}

Edit change_options(Session session, const FigureOptions& options, std::string_view called,
                    std::string merge) {
    session.figure.options = options;
    return {"Figure: " + std::string(called), std::move(session), std::move(merge)};
}

Edit reset_figure(Session session) {
    session.figure.options = {};
    session.figure.values_in_cells = true;
    return {"Reset the figure", std::move(session)};
}

}  // namespace headlight
