#pragma once

#include "ui/models/spec_axes.h"

#include <QComboBox>

#include <map>

namespace headlight {

/// A choice among words, each with its meaning as a tooltip. Those that cannot stand here are greyed, and say
/// why.
class WordCombo : public QComboBox {
    Q_OBJECT
public:
    explicit WordCombo(QWidget* parent = nullptr);

    void set_words(std::vector<AxisWord> words);
    void show_word(const std::string& word);
    void show_impossible(const std::map<std::string, std::string>& reasons);
    const std::vector<AxisWord>& words() const { return words_; }

signals:
    void chosen(const std::string& word);

private:
    std::vector<AxisWord> words_;
};

}  // namespace headlight
