#include "ui/panels/command_palette.h"

#include "core/catalog/search.h"
#include "ui/actions/action_table.h"
#include "ui/models/action_tip.h"
#include "ui/models/window_settings.h"
#include "ui/panels/command_row.h"
#include "ui/views/describe.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeView>

#include <optional>
#include <utility>
#include <vector>

namespace headlight {
namespace {

const QString used_commands_key = QStringLiteral("commands/used_last");

const QString find_mechanism_id = QStringLiteral("find_mechanism");

/// Looks for a text that means a mechanism where mechanisms are. Nothing of any other text.
std::optional<MenuCommand> search_of_catalogue(const QString& text) {
    std::vector<const Mechanism*> all;
    for (const Mechanism& each : mechanisms())
        all.push_back(&each);
    const auto is_linear = [](const Mechanism&) { return true; };  // counting costs would take too long here
    // No guesses at what was mistyped: it may be a command.
    if (text.isEmpty() || find_mechanisms(text.toStdString(), all, is_linear, true).empty())
        return {};
    MenuCommand search;
    search.id = find_mechanism_id;
    search.text = CommandPalette::tr("Find “%1” in the catalogue").arg(text);
    search.tip = CommandPalette::tr("Mechanisms of this name, family, paper, year or model");
    return search;
}

}  // namespace

CommandPalette::CommandPalette(WindowSettings& settings, QWidget* window)
    : SearchPopup(window), settings_(settings) {
    setObjectName(QStringLiteral("command_palette"));
    setAccessibleName(tr("Commands"));
    describe(
        &search(), QStringLiteral("command_search"), tr("Find a command"),
        tr("Finds what the menus do by words of its name, of its menu and of what it says about itself"));
    search().setPlaceholderText(tr("Type what you want to do"));
    describe(&rows(), QStringLiteral("command_rows"), tr("Commands"),
             tr("Everything that the menus do; what you used last stands first"));
    rows().setUniformRowHeights(false);  // what is disabled says why below
    rows().setItemDelegate(new CommandRow(&rows()));
    rows().setModel(&model_);
    nothing().setObjectName(QStringLiteral("command_nothing"));
    nothing().setText(tr("No command has these words."));
}

void CommandPalette::open(std::vector<MenuCommand> commands) {
    constexpr int letters = 84;  // a text, its menus, its keys
    for (MenuCommand& each : commands)
        if (const ActionRow* row = action_row(each.id); row && *row->words != '\0')
            each.words = action_words(row->words);
    model_.set_commands(std::move(commands), used_last());
    search().clear();
    filter();
    ensurePolished();
    show_over(*parentWidget(), letters * fontMetrics().averageCharWidth());
}

void CommandPalette::filter() {
    const QString text = search().text().simplified();
    model_.set_text(text, search_of_catalogue(text));
    move_current(1);
    show_whether_found(model_.rowCount() > 0);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto& key = *static_cast<QKeyEvent*>(event);
        const bool is_plain =
            !(key.modifiers() & ~Qt::KeypadModifier);  // with Shift they select what is typed
        if (is_plain && (key.key() == Qt::Key_Home || key.key() == Qt::Key_End)) {
            move_current(key.key() == Qt::Key_End ? model_.rowCount() : -model_.rowCount());
            return true;
        }
    }
    return SearchPopup::eventFilter(watched, event);
}

void CommandPalette::accept(const QModelIndex& index) {
    const MenuCommand& chosen = model_.command(index.row());
    if (chosen.id == find_mechanism_id) {
        emit mechanisms_wanted(search().text().simplified());
        return;
    }
    QAction* action = chosen.action;
    if (!action)  // gone since the list was made
        return;
    if (!action->isEnabled()) {
        const QString lack = own_tip(*action);
        emit refused(lack.isEmpty() ? tr("“%1” is not possible now.").arg(chosen.text)
                                    : tr("“%1” is not possible now. %2").arg(chosen.text, lack));
        return;
    }
    if (!chosen.id.isEmpty())
        remember(chosen.id);
    // Once the keyboard is back where it was: what is chosen may look at the focus, or ask something.
    QMetaObject::invokeMethod(action, &QAction::trigger, Qt::QueuedConnection);
}

QStringList CommandPalette::used_last() const { return settings_.value(used_commands_key).toStringList(); }

void CommandPalette::remember(const QString& id) {
    constexpr qsizetype longest = 8;
    QStringList ids = used_last();
    ids.removeAll(id);
    ids.prepend(id);
    settings_.set_value(used_commands_key, ids.mid(0, longest));
}

}  // namespace headlight
