#include "ui/panels/window_dialogs.h"

#include "ui/actions/actions.h"
#include "ui/models/document.h"
#include "ui/models/menu_commands.h"
#include "ui/panels/catalogue_dialog.h"
#include "ui/panels/command_palette.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/keys_dialog.h"
#include "ui/panels/levels_dialog.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/window_messages.h"

#include <QMainWindow>
#include <QMenuBar>

namespace headlight {

WindowDialogs::WindowDialogs(Document& document, WindowSettings& settings, KeySettings& keys,
                             Actions& actions, SidePanels& panels, FileActions& files,
                             WindowMessages& messages, QMainWindow* window)
    : QObject(window), document_(document), settings_(settings), keys_(keys), actions_(actions),
      panels_(panels), files_(files), messages_(messages), window_(window) {
    actions_.bind(QStringLiteral("change_keys"), this, &WindowDialogs::show_keys);
    actions_.bind(QStringLiteral("next_level"), this, &WindowDialogs::show_next_level);
    actions_.bind(QStringLiteral("show_cost"), this, &WindowDialogs::show_cost);
    connect(&document_.looking(), &Looking::view_changed, this, &WindowDialogs::show_level);
}

void WindowDialogs::show_commands() {
    if (!commands_) {
        commands_ = new CommandPalette(settings_, window_);
        connect(commands_, &CommandPalette::refused, &messages_, &WindowMessages::say);
        // Once the palette is gone, which would close what opens beside it.
        connect(
            commands_, &CommandPalette::mechanisms_wanted, this,
            [this](const QString& text) { panels_.open_mechanism().search_mechanisms(text); },
            Qt::QueuedConnection);
    }
    commands_->open(commands_in(window_->menuBar()->actions(), window_->actions()));
}

void WindowDialogs::show_keys() {
    if (!keys_dialog_)
        keys_dialog_ = new KeysDialog(
            keys_, [this] { return commands_in(window_->menuBar()->actions(), window_->actions()); },
            window_);
    keys_dialog_->open_fresh();
}

void WindowDialogs::show_cost() {
    if (!cost_)
        cost_ = new CostDialog(document_, window_);
    else if (!cost_->isVisible())
        cost_->open_fresh();
    cost_->show();
    cost_->raise();
    cost_->activateWindow();
}

void WindowDialogs::show_catalogue(const QString& picture) {
    if (!catalogue_) {
        catalogue_ = new CatalogueDialog(document_, window_);
        connect(catalogue_, &CatalogueDialog::chosen, &panels_.mechanism(), &MechanismPanel::choose);
        connect(catalogue_, &CatalogueDialog::export_requested, this,
                [this](const QString& word) { files_.export_catalogue(word, *catalogue_); });
    }
    catalogue_->show_picture(picture);
}

void WindowDialogs::show_next_level() {
    ViewState view = document_.view();
    view.level = next_level(view.level);
    document_.looking().look_at(view);
    if (levels_) {
        levels_->raise();
        levels_->activateWindow();
    }
}

void WindowDialogs::show_level() {
    if (levels_ || !document_.view().level)
        return;
    levels_ = new LevelsDialog(document_, window_);
    levels_->addAction(&actions_.at(QStringLiteral("next_level")));
    connect(levels_, &LevelsDialog::notice, &messages_, &WindowMessages::say);
    connect(levels_, &LevelsDialog::problem, &messages_, &WindowMessages::show_past_problem);
    connect(levels_, &LevelsDialog::mine_requested, &panels_.mechanism(), &MechanismPanel::make_mine);
}

}  // namespace headlight
