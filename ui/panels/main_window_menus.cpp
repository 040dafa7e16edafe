// The menus, and the windows beside this one that they open.

#include "ui/panels/main_window.h"

#include "ui/lesson/lesson_player.h"
#include "ui/models/action_tip.h"
#include "ui/models/menu_commands.h"
#include "ui/panels/catalogue_dialog.h"
#include "ui/panels/command_palette.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/find_bar.h"
#include "ui/panels/full_screen.h"
#include "ui/panels/help_menu.h"
#include "ui/panels/keys_over_text.h"
#include "ui/panels/lesson_menu.h"
#include "ui/panels/levels_dialog.h"
#include "ui/panels/map_strip.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/motion_bar.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/train_action.h"
#include "ui/panels/view_actions.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_messages.h"
#include "ui/views/shortcuts.h"

#include <QMenuBar>

namespace headlight {

void MainWindow::build_menus() {
    files_->fill_menu(*menuBar()->addMenu(tr("&File")));

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = document_->histories()->createUndoAction(this, tr("&Undo"));
    undo->setObjectName(QStringLiteral("edit_undo"));
    QAction* redo = document_->histories()->createRedoAction(this, tr("&Redo"));
    redo->setObjectName(QStringLiteral("edit_redo"));
    give_keys(*undo);
    give_keys(*redo);
    undo->setToolTip(tr("Takes back the last edit"));
    tell_lack(*undo, tr("There is no edit to take back"));
    redo->setToolTip(tr("Makes the edit again that was taken back"));
    tell_lack(*redo, tr("There is no edit that was taken back"));
    edit->addActions({undo, redo});
    edit->addSeparator();
    const auto add = [this](QMenu* menu, const QString& id, const QString& text, auto&& slot) {
        QAction* action = menu->addAction(text);
        action->setObjectName(id);
        give_keys(*action);
        connect(action, &QAction::triggered, this, slot);
    };
    add(edit, QStringLiteral("find_tokens"), tr("&Find tokens…"), [this] { find_->open(); });
    add(edit, QStringLiteral("find_next_token"), tr("Find ne&xt"), [this] { find_->find_next(); });
    add(edit, QStringLiteral("find_previous_token"), tr("Find pre&vious"),
        [this] { find_->find_previous(); });

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view_actions_->fill_menu(*view);
    view->addSeparator();
    add(view, QStringLiteral("next_level"), tr("Next le&vel…"), [this] { show_next_level(); });
    add(view, QStringLiteral("show_cost"), tr("C&ost…"), [this] { show_cost(); });
    add(view, QStringLiteral("figure_panel"), tr("Set &up the figure…"),
        [this] { columns_->open_behind_right(); });
    QMenu* panels = view->addMenu(tr("&Panels"));
    columns_->fill_menu(*panels);
    panels->addAction(map_->action());
    add(view, QStringLiteral("whole_matrix"), tr("The whole &matrix"), [this] { views_->reset_zoom(); });
    full_screen_ =
        new FullScreen(this, *columns_, *views_, {status_}, [this] { return messages_->dismiss_shown(); });
    view->addAction(full_screen_->action());

    QMenu* play = menuBar()->addMenu(tr("&Play"));
    player_->fill_menu(*play);
    motion_->fill_menu(*play);

    menuBar()->addMenu(lessons_);

    QMenu* model = menuBar()->addMenu(tr("&Model"));
    add(model, QStringLiteral("choose_mechanism"), tr("Choose the &mechanism…"), [this] {
        columns_->open(mechanism_dock);
        mechanism_->open_chooser();
    });
    add(model, QStringLiteral("next_mechanism"), tr("&Next mechanism"),
        [this] { mechanism_->next_mechanism(); });
    add(model, QStringLiteral("previous_mechanism"), tr("&Previous mechanism"),
        [this] { mechanism_->previous_mechanism(); });
    add(model, QStringLiteral("compare_mechanism"), tr("Compare with another mec&hanism…"),
        [this] { views_->add_compared(); });
    add(model, QStringLiteral("compose_mechanism"), tr("&Build your own mechanism"), [this] {
        columns_->open(mechanism_dock);
        mechanism_->build_your_own();
    });
    add(model, QStringLiteral("edit_mask_action"), tr("Edit the mas&k…"),
        [this] { mechanism_->edit_mask(); });
    model->addSeparator();
    add(model, QStringLiteral("choose_model"), tr("Run a trained mode&l…"), [this] {
        columns_->open(model_dock);
        model_->open_chooser();
    });
    add(model, QStringLiteral("train_model"), tr("&Train a model…"), [this] { train_->show(); });

    auto* help = new HelpMenu(this);
    connect(help, &HelpMenu::begin_requested, this, [this] {
        full_screen_->action()->setChecked(false);
        lesson_->leave();  // its column is where the ways are
        columns_->show_begin(true);
    });
    connect(help, &HelpMenu::picture_requested, this, &MainWindow::show_catalogue);
    connect(help, &HelpMenu::commands_requested, this, &MainWindow::show_commands);
    menuBar()->addMenu(help);
    new KeysOverText(this, menuBar()->actions());
    connect(help, &HelpMenu::example_requested, files_, &FileActions::show_example);
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
