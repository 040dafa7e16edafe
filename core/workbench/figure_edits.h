#pragma once

#include "core/workbench/edit.h"

namespace headlight {

// What a person does with the figure's settings. `called` is what the control calls the choice.

/// A setting that has a word for each of its values, as menus have it: `name` is that word.
template <class Value>
Edit choose_in_figure(Session session, std::string name, Value FigureSettings::*part, Value value) {
    session.figure.*part = std::move(value);
    return {std::move(name), std::move(session)};
}

Edit show_values(Session session, bool on);
/// What a counterpart, or changes inside a model, make of the maps, in place of the maps.
Edit show_differences(Session session, bool on);
/// A switch of the comparison: "Show differences".
Edit turn_in_figure(Session session, std::string_view called, bool FigureSettings::*setting, bool on);
/// Colours from the smallest to the largest number shown.
Edit fit_range(Session session);
Edit choose_logarithmic_scale(Session session);
Edit choose_range(Session session, const ColourRange& range);
/// The range of another figure, whose file is `file`.
Edit choose_range_of(Session session, const ColourRange& range, const std::string& file);
Edit scale_each_head(Session session, bool on);

/// Heads that are drawn over one another, in order. One alone is none of them: it is looked at instead.
Edit draw_heads(Session session, const std::vector<Index>& heads);
/// Keys whose weight is shared out among the others, in rising order; `name` is the entry of the menu.
Edit hide_keys(Session session, std::string name, std::vector<Index> keys);
Edit choose_lines(Session session, const LineChoice& choice);

bool is_pinned(const Session& session, const PinnedMap& map);
/// There is room for one more.
bool can_pin_more(const Session& session);
/// The comparison keeps the map, or no longer. Nothing changes where there is no room.
Edit turn_pin(Session session, const PinnedMap& map);

Edit choose_panels(Session session, std::vector<PanelWords> panels);
/// "Figure: Digits".
Edit change_options(Session session, const FigureOptions& options, std::string_view called,
                    std::string merge = {});
/// As the program draws it by itself.
Edit reset_figure(Session session);

}  // namespace headlight
