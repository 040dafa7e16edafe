#pragma once

#include "core/workbench/spec_axes.h"
#include "ui/panels/search_combo.h"

#include <QElapsedTimer>

#include <map>

namespace headlight {

/// A choice among words, each with its meaning behind it in the list; of many, a list that is searched. Those
/// that cannot stand here are greyed, and say why there, and to whoever types them.
class WordCombo : public SearchCombo {
    Q_OBJECT
public:
    explicit WordCombo(QWidget* parent = nullptr);

    void set_words(std::vector<AxisWord> words);
    void show_word(const std::string& word);
    /// Word -> the reason, in sentences.
    void show_impossible(const std::map<std::string, std::string>& reasons);
    const std::vector<AxisWord>& words() const { return words_; }

    void showPopup() override;

signals:
    void chosen(const std::string& word);
    /// A greyed word was typed, or was to be picked from the list; why it is greyed.
    void refused(const QString& reason);

protected:
    bool is_searched() const override;
    ChoicePopup* make_popup() override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString reason_of_typed() const;
    /// "multi: It does not divide."; empty for a word that can be chosen.
    QString reason_of(const AxisWord& word) const;

    std::vector<AxisWord> words_;
    std::map<std::string, std::string> reasons_;
    QString typed_;  ///< so far, letter after letter without a pause
    QElapsedTimer pause_;
};

}  // namespace headlight
