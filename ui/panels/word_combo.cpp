#include "ui/panels/word_combo.h"

#include "ui/panels/number_control.h"
#include "ui/panels/setting_control.h"

#include <QStandardItemModel>

namespace headlight {

WordCombo::WordCombo(QWidget* parent) : QComboBox(parent) {
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(10);
    setMaxVisibleItems(32);
    ignore_passing_wheel(this);
    connect(this, &QComboBox::activated, this,
            [this](int row) { emit chosen(words_[static_cast<std::size_t>(row)].word); });
}

void WordCombo::set_words(std::vector<AxisWord> words) {
    words_ = std::move(words);
    clear();
    for (const AxisWord& each : words_)
        addItem(in_words(each.word), QString::fromStdString(each.word));
    show_impossible({});
}

void WordCombo::show_word(const std::string& word) {
    setCurrentIndex(findData(QString::fromStdString(word)));
}

void WordCombo::show_impossible(const std::map<std::string, std::string>& reasons) {
    const auto* items = qobject_cast<const QStandardItemModel*>(model());
    for (int row = 0; row < count(); ++row) {
        const AxisWord& each = words_[static_cast<std::size_t>(row)];
        const auto reason = reasons.find(each.word);
        const QString meaning = QString::fromStdString(each.meaning);
        items->item(row)->setEnabled(reason == reasons.end());
        setItemData(row,
                    reason == reasons.end() ? meaning
                                            : tr("Not with the other choices: it needs %1. (%2)")
                                                  .arg(QString::fromStdString(reason->second), meaning),
                    Qt::ToolTipRole);
    }
}

}  // namespace headlight
