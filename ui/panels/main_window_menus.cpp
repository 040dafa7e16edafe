// What the menus do.

#include "ui/panels/main_window.h"

#include "ui/actions/actions.h"
#include "ui/lesson/lesson_player.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/find_bar.h"
#include "ui/panels/full_screen.h"
#include "ui/panels/help_actions.h"
#include "ui/panels/keys_over_text.h"
#include "ui/panels/map_strip.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/player_line.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/train_action.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_dialogs.h"
#include "ui/panels/window_lessons.h"
#include "ui/panels/window_messages.h"

#include <QMenuBar>

namespace headlight {

void MainWindow::build_menus() {
    const auto bind = [this](const char* id, auto&& work) { actions_->bind(QLatin1String(id), this, work); };
    actions_->adopt(QStringLiteral("edit_undo"),
                    *document_->histories()->createUndoAction(this, tr("&Undo")));
    actions_->adopt(QStringLiteral("edit_redo"),
                    *document_->histories()->createRedoAction(this, tr("&Redo")));
    bind("find_tokens", [this] { find_->open(); });
    bind("find_next_token", [this] { find_->find_next(); });
    bind("find_previous_token", [this] { find_->find_previous(); });
    bind("whole_matrix", [this] { views_->reset_zoom(); });
    bind("figure_panel", [this] { columns_->open_behind_right(); });
    bind("choose_mechanism", [this] { panels_->ask_for_mechanism(); });
    bind("next_mechanism", [this] { panels_->mechanism().next_mechanism(); });
    bind("previous_mechanism", [this] { panels_->mechanism().previous_mechanism(); });
    bind("compare_mechanism", [this] { views_->add_compared(); });
    bind("compose_mechanism", [this] { panels_->open_mechanism().build_your_own(); });
    bind("mechanism_example", [this] { panels_->mechanism().use_example(); });
    bind("choose_model", [this] { panels_->open_model().open_chooser(); });
    auto* dialogs = new WindowDialogs(*document_, settings_, keys_, *actions_,
                                      {*views_, *panels_, *files_, *messages_, *train_, *lessons_}, this);
    full_screen_ = new FullScreen(this, *actions_, *columns_, *views_, {&player_->status()},
                                  [this] { return messages_->dismiss_shown(); });
    connect(full_screen_, &FullScreen::notice, messages_, &WindowMessages::say);
    connect(full_screen_, &FullScreen::notice_over, messages_, &WindowMessages::take_back);
    auto* help = new HelpActions(*actions_, this);
    connect(help, &HelpActions::begin_requested, this, [this] {
        full_screen_->action()->setChecked(false);
        lessons_->leave_for_begin();  // its column is where the ways are
        columns_->show_begin(true);
    });
    connect(help, &HelpActions::picture_requested, dialogs, &WindowDialogs::show_catalogue);
    connect(help, &HelpActions::example_requested, files_, &FileActions::show_example);
    connect(&panels_->mechanism(), &MechanismPanel::page_requested, help, &HelpActions::open_page);
    actions_->put(QStringLiteral("shown_panels"), columns_->show_actions());
    for (QAction* own :
         {columns_->fold_action(WindowColumns::Side::left), columns_->fold_action(WindowColumns::Side::right),
          columns_->right_toggle(), map_->action()})
        actions_->put(own->objectName(), {own});
    actions_->fill(*menuBar());
    new KeysOverText(this, menuBar()->actions());
}

}  // namespace headlight
