#include "ui/panels/dialog_table.h"

#include "ui/lesson/lesson_editor.h"
#include "ui/panels/command_palette.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/export_dialog.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/help_page.h"
#include "ui/panels/keys_dialog.h"
#include "ui/panels/mask_box.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/window_dialogs.h"
#include "ui/panels/window_lessons.h"

#include <QDialog>
#include <QMainWindow>

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

/// Over the main window, which waits for it.
void open_over(WindowDialogs&, QWidget& dialog) { static_cast<QDialog&>(dialog).open(); }

/// The whole program waits for it.
void run_modal(WindowDialogs&, QWidget& dialog) { static_cast<QDialog&>(dialog).exec(); }

template <QDialog* (WindowLessons::*make)(GivenAnswer::When), GivenAnswer::When when>
QWidget* make_quiz(WindowDialogs& dialogs) {
    return (dialogs.around().lessons.*make)(when);
}

QWidget* made_lesson_editor(WindowDialogs& dialogs) { return &dialogs.around().lessons.editor(); }

std::vector<DialogRow>& rows_of_dialogs() {
    using When = GivenAnswer::When;
    static std::vector<DialogRow> rows{
        {"file_export",
         [](WindowDialogs& dialogs) { return dialogs.around().files.make_export_dialog(*dialogs.window()); },
         open_over},
        {"file_print",
         [](WindowDialogs& dialogs) {
             dialogs.around().files.print();
             return nullptr;
         }},
        {"find_command", &WindowDialogs::make_palette,
         [](WindowDialogs& dialogs, QWidget& palette) {
             static_cast<CommandPalette&>(palette).open(dialogs.commands_here());
         }},
        {"change_keys", &WindowDialogs::make_keys, open_fresh<KeysDialog>},
        {"begin_lesson_editor", made_lesson_editor},
        {"lesson_change", made_lesson_editor,
         [](WindowDialogs& dialogs, QWidget&) { dialogs.around().lessons.change_lesson(); }},
        {"begin_quiz_before", make_quiz<&WindowLessons::make_course_quiz, When::before>, run_modal},
        {"begin_quiz_after", make_quiz<&WindowLessons::make_course_quiz, When::after>, run_modal},
        {"lesson_quiz_before", make_quiz<&WindowLessons::make_lesson_quiz, When::before>, run_modal},
        {"lesson_quiz_after", make_quiz<&WindowLessons::make_lesson_quiz, When::after>, run_modal},
        {"begin_progress", [](WindowDialogs& dialogs) { return dialogs.around().lessons.make_progress(); },
         run_modal},
        {"edit_mask_action",
         [](WindowDialogs& dialogs) { return dialogs.around().panels.mechanism().mask().make_editor(); },
         open_over},
        {"train_model", [](WindowDialogs& dialogs) { return &dialogs.around().train.made_window(); }},
        {"show_cost", &WindowDialogs::make_cost, open_fresh<CostDialog>},
        {"help_keyboard", [](WindowDialogs& dialogs) { return make_keys_page(dialogs.window()); }, open_over},
        {"help_about", [](WindowDialogs& dialogs) { return make_about_page(dialogs.window()); }, open_over},
    };
    return rows;
}

}  // namespace

std::span<const DialogRow> dialog_rows() { return rows_of_dialogs(); }

void add_dialog_row(const DialogRow& row) { rows_of_dialogs().push_back(row); }

}  // namespace headlight
