#include "ui/panels/dialog_table.h"

#include "ui/panels/command_palette.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/keys_dialog.h"
#include "ui/panels/window_dialogs.h"

#include <vector>

namespace headlight {
namespace {

/// As it is when nothing was done in it, unless it is shown already.
template <class Dialog>
void open_fresh(WindowDialogs&, QWidget& dialog) {
    if (!dialog.isVisible())
        static_cast<Dialog&>(dialog).begin_fresh();
    bring_to_front(dialog);
}

std::vector<DialogRow>& rows_of_dialogs() {
    static std::vector<DialogRow> rows{
        {"find_command", &WindowDialogs::make_palette,
         [](WindowDialogs& dialogs, QWidget& palette) {
             static_cast<CommandPalette&>(palette).open(dialogs.commands_here());
         }},
        {"change_keys", &WindowDialogs::make_keys, open_fresh<KeysDialog>},
        {"show_cost", &WindowDialogs::make_cost, open_fresh<CostDialog>},
    };
    return rows;
}

}  // namespace

std::span<const DialogRow> dialog_rows() { return rows_of_dialogs(); }

void add_dialog_row(const DialogRow& row) { rows_of_dialogs().push_back(row); }

}  // namespace headlight
