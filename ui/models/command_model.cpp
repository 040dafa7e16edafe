#include "ui/models/command_model.h"

#include <algorithm>
#include <utility>

namespace headlight {

void CommandModel::set_commands(std::vector<MenuCommand> commands, const QStringList& used_last) {
    beginResetModel();
    commands_ = std::move(commands);
    std::ranges::stable_sort(commands_, {}, [&](const MenuCommand& each) {
        const qsizetype place = each.id.isEmpty() ? -1 : used_last.indexOf(each.id);
        return place < 0 ? used_last.size() : place;
    });
    searched_.clear();
    for (const MenuCommand& each : commands_)
        searched_.push_back({SearchText(each.text.toStdString()), SearchText(each.path.toStdString()),
                             SearchText(each.tip.toStdString()), SearchText(each.words.toStdString()),
                             each.id == QLatin1String("edit_undo") || each.id == QLatin1String("edit_redo")});
    find();
    endResetModel();
}

void CommandModel::set_text(const QString& text, std::optional<MenuCommand> offer) {
    beginResetModel();
    text_ = text.simplified();
    offer_ = std::move(offer);
    find();
    endResetModel();
}

const MenuCommand& CommandModel::command(int row) const {
    const auto at = static_cast<std::size_t>(row);
    return at < found_.size() ? commands_[found_[at]] : *offer_;
}

std::optional<int> CommandModel::rank(const Searched& in, const SearchText& typed,
                                      std::span<const SearchText> words) {
    int sum = 0;
    for (const SearchText& word : words) {
        const SearchText::Place place = in.text.place_of(word);
        const bool is_other_word = in.words.has_word_of(word);
        if (place == SearchText::nowhere && !is_other_word && !in.path.contains(word) &&
            !in.tip.contains(word))
            return std::nullopt;
        const bool is_in_text = in.text.has_word_of(word);
        const bool is_of_edit = in.names_edit && place > SearchText::beginning;
        if (is_in_text && !is_of_edit)
            sum += place;
        else if (is_other_word)
            sum += SearchText::in_word;
        else if (!is_of_edit && (in.path.has_word_of(word) || in.tip.has_word_of(word)))
            sum += SearchText::nowhere;
        else
            sum += SearchText::nowhere + 1;
    }
    const SearchText::Place whole = in.text.place_of(typed);
    return words.size() > 1 && whole <= SearchText::beginning ? whole : sum;
}

void CommandModel::find() {
    const SearchText typed(text_.toStdString());
    std::vector<SearchText> words;
    for (const QString& word : text_.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        if (SearchText searched(word.toStdString()); !searched.is_empty())  // signs alone say nothing
            words.push_back(std::move(searched));
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t at = 0; at < searched_.size(); ++at)
        if (const auto found = words.empty() ? std::optional(0) : rank(searched_[at], typed, words))
            ranked.emplace_back(*found, at);
    std::ranges::sort(ranked);
    found_.clear();
    for (const auto& each : ranked)
        found_.push_back(each.second);
}

int CommandModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(found_.size()) + (offer_ ? 1 : 0);
}

QVariant CommandModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const MenuCommand& shown = command(index.row());
    const QString lack = shown.is_enabled ? QString() : shown.tip;
    switch (role) {
    case Qt::DisplayRole:
        return shown.text;
    case Qt::ToolTipRole:
        return shown.tip;
    case Qt::AccessibleTextRole: {
        QStringList said{shown.text, shown.path, shown.keys};
        if (!shown.is_enabled)
            said << tr("not possible now") << lack;
        said.removeAll(QString());
        return said.join(QStringLiteral(", "));
    }
    case PathRole:
        return shown.path;
    case KeysRole:
        return shown.keys;
    case EnabledRole:
        return shown.is_enabled;
    case LackRole:
        return lack;
    default:
        return {};
    }
}

}  // namespace headlight
