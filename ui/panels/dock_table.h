#pragma once

#include <functional>
#include <span>

class QWidget;

namespace headlight {

class SidePanels;

/// A panel beside the picture, declared once. Its dock, its entry in the menu of panels and what the layout
/// remembers of it follow.
struct DockRow {
    /// On the left what goes in, on the right what is known of a cell and how it is drawn. The player, below,
    /// is no dock.
    enum class Place {
        upper_left,    ///< above those of lower_left; one
        lower_left,    ///< one of them is in front
        begin,         ///< takes the place of the others on the left while it is shown; one
        right,         ///< one
        behind_right,  ///< shares that place; one
    };

    const char* id;     ///< the object name that layouts are kept by
    const char* title;  ///< to be translated in "Docks"
    Place place;
    bool is_shown;  ///< at a first start
    std::function<QWidget*(SidePanels&)> build;
};

/// Every dock, in the order in which they are made.
std::span<const DockRow> dock_rows();

/// One more on the lower left, before any window is made; what it points to stays.
void add_dock_row(const DockRow& row);

}  // namespace headlight
