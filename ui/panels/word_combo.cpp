#include "ui/panels/word_combo.h"

#include "ui/panels/setting_control.h"

#include <QAbstractItemView>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QStandardItemModel>
#include <QStyleHints>
#include <QStyledItemDelegate>

#include <algorithm>

namespace headlight {
namespace {

constexpr int most_letters = 90;  // of a row

/// A word, and what it means, or why it cannot stand here.
class WordRow : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (const QString meaning = index.data(Qt::ToolTipRole).toString(); !meaning.isEmpty())
            option->text += QStringLiteral(" · ") + meaning;
    }
};

}  // namespace

WordCombo::WordCombo(QWidget* parent) : SearchCombo(10, parent) {
    setMaxVisibleItems(32);
    connect(this, &QComboBox::activated, this,
            [this](int row) { emit chosen(words_[static_cast<std::size_t>(row)].word); });
}

void WordCombo::set_words(std::vector<AxisWord> words) {
    words_ = std::move(words);
    clear();
    for (const AxisWord& each : words_) {
        const QString word = in_words(each.word);
        addItem(word, QString::fromStdString(each.word));
        setItemData(count() - 1, QString(word + QChar(' ') + QString::fromStdString(each.meaning)),
                    ChoiceFilter::SearchRole);
    }
    show_impossible({});
}

void WordCombo::show_word(const std::string& word) {
    setCurrentIndex(findData(QString::fromStdString(word)));
}

bool WordCombo::is_searched() const {
    constexpr int few = 12;  // are seen at once
    return count() > few;
}

ChoicePopup* WordCombo::make_popup() {
    auto* popup = new ChoicePopup(*this, {.search = tr("Search: %1").arg(accessibleName()),
                                          .effect = tr("Finds a word by its name and by what it means"),
                                          .placeholder = tr("Search by name or meaning"),
                                          .rows = accessibleName(),
                                          .rows_effect = toolTip(),
                                          .nothing = tr("No word is like this. Search for less."),
                                          .letters = most_letters});
    popup->draw_rows_with(new WordRow);
    connect(popup, &ChoicePopup::refused, this,
            [this](int row) { emit refused(reason_of(words_[static_cast<std::size_t>(row)])); });
    return popup;
}

void WordCombo::showPopup() {
    if (is_searched())
        return SearchCombo::showPopup();
    constexpr int frame = 32;
    if (!dynamic_cast<WordRow*>(itemDelegate()))
        setItemDelegate(new WordRow(this));
    view()->setTextElideMode(Qt::ElideRight);
    view()->setMinimumWidth(
        std::min(view()->sizeHintForColumn(0) + frame, most_letters * fontMetrics().averageCharWidth()));
    SearchCombo::showPopup();
}

void WordCombo::show_impossible(const std::map<std::string, std::string>& reasons) {
    reasons_ = reasons;
    const auto* items = qobject_cast<const QStandardItemModel*>(model());
    for (int row = 0; row < count(); ++row) {
        const AxisWord& each = words_[static_cast<std::size_t>(row)];
        const auto reason = reasons.find(each.word);
        const QString meaning = QString::fromStdString(each.meaning);
        items->item(row)->setEnabled(reason == reasons.end());
        setItemData(row,
                    reason == reasons.end()
                        ? meaning
                        : tr("%1 (%2)").arg(QString::fromStdString(reason->second), meaning),
                    Qt::ToolTipRole);
    }
}

void WordCombo::keyPressEvent(QKeyEvent* event) {
    const int before = currentIndex();
    SearchCombo::keyPressEvent(event);
    const QString text = event->text();
    if (is_searched() || text.isEmpty() || !text.front().isPrint() ||
        event->modifiers() & Qt::ControlModifier)
        return;
    if (!pause_.isValid() || pause_.elapsed() > QGuiApplication::styleHints()->keyboardInputInterval())
        typed_.clear();
    pause_.start();
    typed_ += text;
    if (currentIndex() != before)
        return;
    if (const QString reason = reason_of_typed(); !reason.isEmpty())
        emit refused(reason);
}

QString WordCombo::reason_of_typed() const {
    QString reason;
    for (const AxisWord& each : words_) {
        if (!in_words(each.word).startsWith(typed_, Qt::CaseInsensitive))
            continue;
        const QString of_word = reason_of(each);
        if (of_word.isEmpty())
            return {};
        if (reason.isEmpty())
            reason = of_word;
    }
    return reason;
}

QString WordCombo::reason_of(const AxisWord& word) const {
    const auto found = reasons_.find(word.word);
    return found == reasons_.end()
               ? QString()
               : tr("%1: %2").arg(in_words(word.word), QString::fromStdString(found->second));
}

}  // namespace headlight
