#pragma once

#include "ui/views/bring_to_front.h"

#include <functional>
#include <span>

namespace headlight {

class WindowDialogs;

/// A window beside the main one, which an action opens.
struct DialogRow {
    const char* action;  ///< the id of its row in the table of actions
    /// When it is first asked for, or again where it has gone as it was closed; WindowDialogs has what it may
    /// need. nullptr where there is none: it says why, or shows it once it is computed.
    std::function<QWidget*(WindowDialogs&)> make;
    /// Each time that it is asked for.
    std::function<void(WindowDialogs&, QWidget&)> open = [](WindowDialogs&, QWidget& dialog) {
        bring_to_front(dialog);
    };
};

std::span<const DialogRow> dialog_rows();

/// One more, before any window is made; what it points to stays.
void add_dialog_row(const DialogRow& row);

}  // namespace headlight
