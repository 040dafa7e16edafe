#include "ui/panels/keys_dialog.h"

#include "ui/actions/key_settings.h"
#include "ui/actions/key_use.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/menu_text.h"
#include "ui/panels/command_row.h"
#include "ui/views/describe.h"
#include "ui/views/key_field.h"
#include "ui/views/role.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

/// "Redo, also Ctrl+Y": its name, and the keys that a field of one key does not show.
QString name_and_further_keys(const QString& name, const QList<QKeySequence>& keys) {
    return keys.size() < 2
               ? name
               : QCoreApplication::translate("KeysDialog", "%1, also %2")
                     .arg(name, QKeySequence::listToString(keys.mid(1), QKeySequence::NativeText));
}

/// Commands of buttons, which no menu has.
void add_commands_of_buttons(std::vector<MenuCommand>& commands) {
    for (const Shortcut& row : shortcuts()) {
        const QString id = QLatin1String(row.id);
        if (row.kind != Shortcut::Kind::action || *row.words == '\0' ||
            std::ranges::count(commands, id, &MenuCommand::id))
            continue;
        commands.push_back({.action = {},
                            .id = id,
                            .text = shortcut_words(row),
                            .path = QCoreApplication::translate("Actions", row.group),
                            .keys = key_text(id),
                            .tip = {}});
    }
}

}  // namespace

KeysDialog::KeysDialog(KeySettings& keys, Commands commands, QWidget* parent)
    : QDialog(parent), keys_(keys), commands_(std::move(commands)), search_(new QLineEdit),
      rows_(new QTreeView), command_(new QLabel), field_(new KeyField), none_(new QPushButton(tr("&No key"))),
      standard_(new QPushButton(tr("&Standard"))), all_standard_(new QPushButton(tr("&All as standard…"))),
      said_(new QLabel) {
    setObjectName(QStringLiteral("keys_dialog"));
    setWindowTitle(tr("Change the keys"));
    describe(search_, QStringLiteral("keys_search"), tr("Find a command"),
             tr("Finds commands by words of their name, of their menu and of what they do; Down goes through "
                "them, Enter to the field of the key"));
    search_->setPlaceholderText(tr("Find a command"));
    search_->setClearButtonEnabled(true);
    search_->installEventFilter(this);
    describe(rows_, QStringLiteral("keys_rows"), tr("Commands"), tr("Every command, with its key"));
    rows_->setHeaderHidden(true);
    rows_->setRootIsDecorated(false);
    rows_->setItemsExpandable(false);
    rows_->setUniformRowHeights(true);
    rows_->setItemDelegate(new CommandRow(rows_));
    rows_->setModel(&model_);
    said_->setObjectName(QStringLiteral("keys_said"));
    said_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(all_standard_, QDialogButtonBox::ResetRole);
    describe(all_standard_, QStringLiteral("keys_all_standard"), tr("All as standard"),
             tr("Gives every command its standard keys again"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(search_);
    column->addWidget(rows_, 1);
    column->addWidget(build_choice());
    column->addWidget(said_);
    column->addWidget(buttons);
    for (QPushButton* each : {none_, standard_, all_standard_, buttons->button(QDialogButtonBox::Close)})
        each->setAutoDefault(false);  // Enter is the list's
    resize(96 * fontMetrics().averageCharWidth(), 30 * fontMetrics().height());
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(all_standard_, &QPushButton::clicked, this, &KeysDialog::ask_all_standard);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        model_.set_text(text);
        rows_->setCurrentIndex(model_.index(0, 0));
        show_chosen();
    });
    connect(rows_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        say({});
        show_chosen();
    });
    connect(&KeysInForce::instance(), &KeysInForce::changed, this, &KeysDialog::fill);
    fill();
}

QWidget* KeysDialog::build_choice() {
    command_->setObjectName(QStringLiteral("keys_command"));
    command_->setWordWrap(true);
    make_title(*command_);
    command_->setBuddy(field_);
    describe(field_, QStringLiteral("keys_field"), tr("Key of the command"),
             tr("Press the new key here, with what is held, such as Ctrl; it takes the place of all that the "
                "command has"));
    describe(none_, QStringLiteral("keys_none"), tr("No key"), tr("Takes the key away from the command"));
    describe(standard_, QStringLiteral("keys_standard"), tr("Standard"),
             tr("Gives the command its standard keys again"));
    auto* choice = new QWidget;
    auto* line = new QHBoxLayout(choice);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(command_, 1);
    line->addWidget(field_);
    line->addWidget(none_);
    line->addWidget(standard_);
    connect(field_, &KeyField::pressed, this, &KeysDialog::take);
    connect(none_, &QPushButton::clicked, this, &KeysDialog::take_none);
    connect(standard_, &QPushButton::clicked, this, &KeysDialog::take_standard);
    return choice;
}

void KeysDialog::begin_fresh() {
    keys_.forget_what_is_gone();
    search_->clear();
    say({});
    fill();
    search_->setFocus();
}

void KeysDialog::fill() {
    const QString before = chosen() ? chosen()->id : QString();
    shown_ = commands_();
    std::erase_if(shown_, [](const MenuCommand& each) {
        return each.id.isEmpty() || (!can_change_keys(each.id) && each.keys.isEmpty());
    });
    add_commands_of_buttons(shown_);
    for (MenuCommand& each : shown_)
        each.is_enabled = true;  // its key can be changed at any time
    model_.set_commands(shown_, {});
    choose_row(before);
    all_standard_->setEnabled(!KeysInForce::instance().chosen().isEmpty());
}

void KeysDialog::choose_row(const QString& id) {
    int at = 0;
    for (int row = 0; row < model_.rowCount(); ++row)
        if (model_.command(row).id == id)
            at = row;
    rows_->setCurrentIndex(model_.index(at, 0));
    rows_->scrollTo(rows_->currentIndex());
    show_chosen();
}

const MenuCommand* KeysDialog::chosen() const {
    const QModelIndex row = rows_->currentIndex();
    return row.isValid() ? &model_.command(row.row()) : nullptr;
}

void KeysDialog::show_chosen() {
    const MenuCommand* command = chosen();
    const bool can_change = command && can_change_keys(command->id);
    const QList<QKeySequence> keys = command ? keys_of(command->id) : QList<QKeySequence>();
    command_->setText(!command     ? tr("No command has these words.")
                      : can_change ? name_and_further_keys(menu_text(command->text), keys)
                                   : tr("%1: %2 works whatever has the focus, and stays so")
                                         .arg(menu_text(command->text), command->keys));
    field_->setKeySequence(keys.value(0));
    field_->setEnabled(can_change);
    none_->setEnabled(can_change && !keys.isEmpty());
    standard_->setEnabled(can_change && KeysInForce::instance().chosen().contains(command->id));
}

void KeysDialog::take(const QKeySequence& keys) {
    const MenuCommand command = *chosen();
    if (keys_of(command.id).contains(keys)) {  // and may have others, which it keeps
        show_chosen();
        return say(tr("“%1” has %2 already.").arg(command.text, keys.toString(QKeySequence::NativeText)));
    }
    if (is_refused({keys}))
        return show_chosen();
    keys_.choose(command.id, keys);
    say(tr("%1 is “%2” now.").arg(keys.toString(QKeySequence::NativeText), command.text));
}

void KeysDialog::take_none() {
    const MenuCommand command = *chosen();
    keys_.choose(command.id, {});
    say(tr("“%1” has no key now.").arg(command.text));
}

void KeysDialog::take_standard() {
    const MenuCommand command = *chosen();
    if (is_refused(keys_of(command.id, {})))
        return;
    keys_.reset(command.id);
    say(tr("“%1” has its standard keys again.").arg(command.text));
}

bool KeysDialog::is_refused(const QList<QKeySequence>& keys) {
    for (const QKeySequence& each : keys)
        if (const auto use = use_of(each, chosen()->id, KeysInForce::instance().chosen())) {
            const QString shown = each.toString(QKeySequence::NativeText);
            say(use->id.isEmpty() ? tr("%1 cannot be given away. What it does: “%2”.").arg(shown, use->words)
                                  : tr("%1 already belongs to “%2”. Give that command another key first.")
                                        .arg(shown, called(use->id, use->words)));
            return true;
        }
    return false;
}

QString KeysDialog::called(const QString& id, const QString& otherwise) const {
    const auto known = std::ranges::find(shown_, id, &MenuCommand::id);
    return known == shown_.end() ? otherwise : known->text;
}

void KeysDialog::ask_all_standard() {
    QMessageBox question(QMessageBox::Warning, windowTitle(),
                         tr("Give every command its standard keys again, and forget those that you chose?"),
                         QMessageBox::Cancel, this);
    question.setObjectName(QStringLiteral("keys_question"));
    question.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* all = question.addButton(tr("&All as standard"), QMessageBox::DestructiveRole);
    question.exec();
    if (question.clickedButton() != all)
        return;
    keys_.reset_all();
    say(tr("Every command has its standard keys again."));
}

void KeysDialog::say(const QString& words) {
    said_->setText(words);
    field_->setAccessibleDescription(words.isEmpty() ? field_->toolTip() : words);
}

bool KeysDialog::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        QCoreApplication::sendEvent(rows_, event);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (field_->isEnabled())
            field_->setFocus(Qt::OtherFocusReason);
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

}  // namespace headlight
