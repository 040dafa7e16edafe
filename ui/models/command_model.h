#pragma once

#include "core/catalog/search_text.h"
#include "ui/models/menu_commands.h"

#include <QAbstractListModel>
#include <QStringList>

#include <optional>
#include <span>
#include <vector>

namespace headlight {

/// The commands that a text finds, best first. Every word of it, in any order, stands in the command's text,
/// in the other words for it, in its path or in its tip. First comes the command whose text is what was
/// typed, then those whose text begins with it; after them those that have its words nearer to the beginnings
/// of their text and of its words; the other words for a command come before paths and tips. Of equals those
/// used last come first, and then the order of the menus is kept. Nothing typed finds all. Undo and Redo are
/// found by the edit that they name as well, but behind all others: a word of what was done last shall not
/// take it back.
class CommandModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        PathRole = Qt::UserRole,
        KeysRole,
        EnabledRole,
        LackRole  ///< of what is disabled: why, as far as it says so
    };

    using QAbstractListModel::QAbstractListModel;

    /// `used_last`: ids, the last one first.
    void set_commands(std::vector<MenuCommand> commands, const QStringList& used_last);
    /// `offer`, where there is one, comes after all that is found: what else can be done with the text.
    void set_text(const QString& text, std::optional<MenuCommand> offer = {});
    const MenuCommand& command(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    /// A command as a search compares it.
    struct Searched {
        SearchText text, path, tip, words;
        bool names_edit = false;  ///< the text goes on with what was done
    };

    /// How far it is from what was typed, 0 best; nothing where it is not found.
    static std::optional<int> rank(const Searched& in, const SearchText& typed,
                                   std::span<const SearchText> words);
    void find();

    std::vector<MenuCommand> commands_;  ///< those used last first
    std::vector<Searched> searched_;     ///< [command]
    QString text_;                       ///< typed
    std::vector<std::size_t> found_;     ///< [row]: of commands_
    std::optional<MenuCommand> offer_;
};

}  // namespace headlight
