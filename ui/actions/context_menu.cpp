#include "ui/actions/context_menu.h"

#include "ui/actions/shortcuts.h"
#include "ui/models/menu_text.h"

#include <algorithm>

namespace headlight {
namespace {

const ActionRow& known_row(const QString& id) {
    const ActionRow* row = action_row(id);
    if (!row)
        qFatal("no row of the table of actions is called %s", qPrintable(id));
    return *row;
}

/// QString::arg() would warn where a tip leaves out what its text names.
QString filled(const QString& words, const QStringList& about) {
    QString text;
    for (qsizetype at = 0; at < words.size(); ++at) {
        const int number =
            words[at] == QLatin1Char('%') && at + 1 < words.size() ? words[at + 1].digitValue() : 0;
        if (number >= 1 && number <= about.size()) {
            text += about[number - 1];
            ++at;
        } else {
            text += words[at];
        }
    }
    return text;
}

}  // namespace

QAction* make_action(const QString& id, QObject* parent, const QStringList& about, const QString& one) {
    const ActionRow& row = known_row(id);
    QStringList shown;
    for (const QString& each : about)
        shown += menu_text(each);
    auto* action = new QAction(filled(action_words(row.text), shown), parent);
    action->setObjectName(one.isEmpty() ? id : id + QLatin1Char('_') + one);
    // Each of several that have a row, as the views, may have a key of its own.
    const QString keyed = shortcut(action->objectName()) ? action->objectName() : id;
    const auto show_tip = [action, keyed, tip = filled(action_words(row.tip), about),
                           lacks = *row.lacks == '\0' ? QString() : action_words(row.lacks)] {
        action->setToolTip(action->isEnabled() || lacks.isEmpty() ? with_key(tip, keyed) : lacks);
    };
    follow_keys(*action, show_tip);
    QObject::connect(action, &QAction::enabledChanged, action, show_tip);
    return action;
}

ContextMenu::ContextMenu(const QString& id, QWidget* parent)
    : QMenu(action_words(known_row(id).text), parent) {
    setObjectName(id);
    setToolTipsVisible(true);
    add_lines();
}

/// A menu shows none that stands at an end, or beside another.
void ContextMenu::add_lines() {
    const auto rows = action_rows();
    for (auto row = rows.begin(); row != rows.end(); ++row)
        if (row->kind == ActionRow::Kind::line && objectName() == QLatin1String(row->menu))
            placed_.push_back({row - rows.begin(), addSeparator()});
}

QAction& ContextMenu::offer(const QString& id, const QStringList& about, const QString& one) {
    QAction* action = make_action(id, this, about, one);
    place(*action, id);
    return *action;
}

ContextMenu& ContextMenu::offer_menu(const QString& id) {
    auto* part = new ContextMenu(id, this);
    parts_.append(part);
    place(*part->menuAction(), id);
    return *part;
}

void ContextMenu::place(QAction& action, const QString& id) {
    const auto rows = action_rows();
    const auto row = std::ranges::find_if(rows, [&](const ActionRow& each) {
        return id == QLatin1String(each.id) && objectName() == QLatin1String(each.menu);
    });
    if (row == rows.end())
        qFatal("the table of actions has no %s in %s", qPrintable(id), qPrintable(objectName()));
    const std::ptrdiff_t at = row - rows.begin();
    const auto behind = std::ranges::find_if(placed_, [at](const Placed& each) { return each.row > at; });
    insertAction(behind == placed_.end() ? nullptr : behind->action, &action);
    placed_.insert(behind, {at, &action});
}

void ContextMenu::offer_nothing() {
    placed_.clear();
    qDeleteAll(parts_);
    parts_.clear();
    clear();
    add_lines();
}

}  // namespace headlight
