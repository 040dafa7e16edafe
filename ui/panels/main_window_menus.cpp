// The menus, and the windows beside this one that they open.

#include "ui/panels/main_window.h"

#include "ui/actions/actions.h"
#include "ui/lesson/lesson_player.h"
#include "ui/models/menu_commands.h"
#include "ui/panels/catalogue_dialog.h"
#include "ui/panels/command_palette.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/find_bar.h"
#include "ui/panels/full_screen.h"
#include "ui/panels/help_actions.h"
#include "ui/panels/keys_dialog.h"
#include "ui/panels/keys_over_text.h"
#include "ui/panels/lesson_menu.h"
#include "ui/panels/levels_dialog.h"
#include "ui/panels/map_strip.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/motion_bar.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/train_action.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"
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
    bind("change_keys", [this] { show_keys(); });
    bind("next_level", [this] { show_next_level(); });
    bind("whole_matrix", [this] { views_->reset_zoom(); });
    bind("figure_panel", [this] { columns_->open_behind_right(); });
    bind("choose_mechanism", [this] {
        columns_->open(mechanism_dock);
        mechanism_->open_chooser();
    });
    bind("next_mechanism", [this] { mechanism_->next_mechanism(); });
    bind("previous_mechanism", [this] { mechanism_->previous_mechanism(); });
    bind("compare_mechanism", [this] { views_->add_compared(); });
    bind("compose_mechanism", [this] {
        columns_->open(mechanism_dock);
        mechanism_->build_your_own();
    });
    bind("edit_mask_action", [this] { mechanism_->edit_mask(); });
    bind("choose_model", [this] {
        columns_->open(model_dock);
        model_->open_chooser();
    });
    bind("train_model", [this] { train_->show(); });
    bind("show_cost", [this] { show_cost(); });
    full_screen_ = new FullScreen(this, *actions_, *columns_, *views_, {status_},
                                  [this] { return messages_->dismiss_shown(); });
    auto* help = new HelpActions(*actions_, this);
    connect(help, &HelpActions::begin_requested, this, [this] {
        full_screen_->action()->setChecked(false);
        lesson_->leave();  // its column is where the ways are
        columns_->show_begin(true);
    });
    connect(help, &HelpActions::picture_requested, this, &MainWindow::show_catalogue);
    connect(help, &HelpActions::commands_requested, this, &MainWindow::show_commands);
    connect(help, &HelpActions::example_requested, files_, &FileActions::show_example);
    QMenu& panels = actions_->menu(QStringLiteral("panels_menu"));
    columns_->fill_menu(panels);
    panels.addAction(map_->action());
    QMenu& play = actions_->menu(QStringLiteral("play_menu"));
    player_->fill_menu(play);
    motion_->fill_menu(play);
    actions_->put(QStringLiteral("lessons"), {lessons_->menuAction()});
    actions_->fill(*menuBar());
    new KeysOverText(this, menuBar()->actions());
}

void MainWindow::show_commands() {
    if (!commands_) {
        commands_ = new CommandPalette(settings_, this);
        connect(commands_, &CommandPalette::refused, messages_, &WindowMessages::say);
        const auto search_mechanisms = [this](const QString& text) {
            columns_->open(mechanism_dock);
            mechanism_->search_mechanisms(text);
        };
        // Once the palette is gone, which would close what opens beside it.
        connect(commands_, &CommandPalette::mechanisms_wanted, this, search_mechanisms, Qt::QueuedConnection);
    }
    commands_->open(commands_in(menuBar()->actions(), actions()));
}

void MainWindow::show_keys() {
    if (!keys_dialog_)
        keys_dialog_ = new KeysDialog(
            keys_, [this] { return commands_in(menuBar()->actions(), actions()); }, this);
    keys_dialog_->open_fresh();
}

void MainWindow::show_cost() {
    if (!cost_)
        cost_ = new CostDialog(*document_, this);
    else if (!cost_->isVisible())
        cost_->open_fresh();
    cost_->show();
    cost_->raise();
    cost_->activateWindow();
}

void MainWindow::show_catalogue(const QString& picture) {
    if (!catalogue_) {
        catalogue_ = new CatalogueDialog(*document_, this);
        connect(catalogue_, &CatalogueDialog::chosen, mechanism_, &MechanismPanel::choose);
        connect(catalogue_, &CatalogueDialog::export_requested, files_,
                [this](const QString& word) { files_->export_catalogue(word, *catalogue_); });
    }
    catalogue_->show_picture(picture);
}

void MainWindow::show_next_level() {
    ViewState view = document_->view();
    view.level = next_level(view.level);
    document_->look(view);
    if (levels_) {
        levels_->raise();
        levels_->activateWindow();
    }
}

void MainWindow::show_level() {
    if (levels_ || !document_->view().level)
        return;
    levels_ = new LevelsDialog(*document_, this);
    levels_->addAction(findChild<QAction*>(QStringLiteral("next_level")));
    connect(levels_, &LevelsDialog::notice, messages_, &WindowMessages::say);
    connect(levels_, &LevelsDialog::problem, messages_, &WindowMessages::show_past_problem);
    connect(levels_, &LevelsDialog::mine_requested, mechanism_, &MechanismPanel::make_mine);
}

}  // namespace headlight
