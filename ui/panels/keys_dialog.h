#pragma once

#include "ui/models/command_model.h"

#include <QDialog>

#include <functional>
#include <vector>

class QLabel;
class QLineEdit;
class QPushButton;
class QTreeView;

namespace headlight {

class KeyField;
class KeySettings;

/// Every command with its key, for a person to give it another one. What is changed is in force and kept at
/// once; a key that something else has is refused, with the name of that.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    using Commands = std::function<std::vector<MenuCommand>()>;

    /// `commands`: those of the window, as they are when they are asked for.
    KeysDialog(KeySettings& keys, Commands commands, QWidget* parent = nullptr);

    /// With all commands.
    void begin_fresh();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* build_choice();
    /// The commands whose keys can be changed, or that have one; the one that was chosen stays so.
    void fill();
    void choose_row(const QString& id);
    /// nullptr where no row is chosen.
    const MenuCommand* chosen() const;
    /// The chosen command and its keys: the first in the field, others beside the name.
    void show_chosen();
    void take(const QKeySequence& keys);
    void take_none();
    void take_standard();
    void ask_all_standard();
    /// Whether one of `keys` is in use elsewhere, which is told then.
    bool is_refused(const QList<QKeySequence>& keys);
    /// The command by the words of its menu where it is in one.
    QString called(const QString& id, const QString& otherwise) const;
    void say(const QString& words);

    KeySettings& keys_;
    Commands commands_;
    std::vector<MenuCommand> shown_;
    CommandModel model_;
    QLineEdit* search_;
    QTreeView* rows_;
    QLabel* command_;
    KeyField* field_;
    QPushButton *none_, *standard_, *all_standard_;
    QLabel* said_;
};

}  // namespace headlight
