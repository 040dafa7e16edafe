#include "ui/panels/window_dialogs.h"

#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/panels/catalogue_dialog.h"
#include "ui/panels/command_palette.h"
#include "ui/panels/cost_dialog.h"
#include "ui/panels/dialog_table.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/keys_dialog.h"
#include "ui/panels/levels_dialog.h"
#include "ui/panels/mask_box.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/side_panels.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_messages.h"

#include <QMainWindow>
#include <QMenuBar>

namespace headlight {

WindowDialogs::WindowDialogs(Document& document, WindowSettings& settings, KeySettings& keys,
                             Actions& actions, const Surroundings& around, QMainWindow* window)
    : QObject(window), document_(document), settings_(settings), keys_(keys), actions_(actions),
      around_(around), window_(window) {
    for (const DialogRow& row : dialog_rows())
        actions_.bind(QLatin1String(row.action), this, [this, row] { open(row); });
    actions_.bind(QStringLiteral("next_level"), this, &WindowDialogs::show_next_level);
    connect(&around_.panels.mechanism().mask(), &MaskBox::edit_asked,
            &actions_.at(QStringLiteral("edit_mask_action")), &QAction::trigger);
    connect(&document_.looking(), &Looking::view_changed, this, &WindowDialogs::show_level);
    connect(&document_, &Document::run_changed, this, &WindowDialogs::forget_here);  // it is of other numbers
}

WindowDialogs::~WindowDialogs() = default;

void WindowDialogs::open(const DialogRow& row) {
    const QString id = QLatin1String(row.action);
    QPointer<QWidget> dialog = made_.value(id);
    // One that goes when it is closed may be on its way.
    const bool is_going = dialog && dialog->testAttribute(Qt::WA_DeleteOnClose) && dialog->isHidden();
    if (!dialog || is_going)
        made_.insert(id, dialog = row.make(*this));
    if (dialog)
        row.open(*this, *dialog);
}

std::vector<MenuCommand> WindowDialogs::commands() const {
    return commands_in(window_->menuBar()->actions(), window_->actions());
}

std::vector<MenuCommand> WindowDialogs::commands_here() {
    forget_here();
    here_ = around_.views.menu_here().release();
    QList<QAction*> menus = window_->menuBar()->actions();
    if (here_)
        menus.append(here_->menuAction());
    return commands_in(menus, window_->actions());
}

void WindowDialogs::forget_here() {
    if (here_)
        here_->deleteLater();
    here_.clear();
}

QWidget* WindowDialogs::make_palette() {
    auto* palette = new CommandPalette(settings_, window_);
    connect(palette, &CommandPalette::refused, &around_.messages, &WindowMessages::say);
    // Once the palette is gone, which would close what opens beside it.
    connect(
        palette, &CommandPalette::mechanisms_wanted, this,
        [this](const QString& text) { around_.panels.ask_for_mechanism(text); }, Qt::QueuedConnection);
    return palette;
}

QWidget* WindowDialogs::make_keys() {
    return new KeysDialog(
        keys_, [this] { return commands(); }, window_);
}

QWidget* WindowDialogs::make_cost() { return new CostDialog(document_, window_); }

void WindowDialogs::show_catalogue(const QString& picture) {
    if (!catalogue_) {
        catalogue_ = new CatalogueDialog(document_, window_);
        connect(catalogue_, &CatalogueDialog::chosen, &around_.panels.mechanism(), &MechanismPanel::choose);
        connect(catalogue_, &CatalogueDialog::export_requested, this,
                [this](const QString& word) { around_.files.export_catalogue(word, *catalogue_); });
    }
    catalogue_->show_picture(picture);
}

void WindowDialogs::show_next_level() {
    ViewState view = document_.view();
    view.level = next_level(view.level, document_.run().get());
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
    connect(levels_, &LevelsDialog::notice, &around_.messages, &WindowMessages::say);
    connect(levels_, &LevelsDialog::problem, &around_.messages, &WindowMessages::show_past_problem);
    connect(levels_, &LevelsDialog::mine_requested, &around_.panels.mechanism(), &MechanismPanel::make_mine);
}

}  // namespace headlight
