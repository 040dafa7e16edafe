#pragma once

#include "core/lesson/answer_book.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace headlight {

class ClassAnswers;
class OptionsBox;

/// Asks the questions of a quiz, one after another, and keeps what is answered. Before a lesson the answers
/// are not told: the same questions come again after it.
class QuizDialog : public QDialog {
    Q_OBJECT
public:
    QuizDialog(const QString& title, std::vector<QuizQuestion> quiz, bool is_course, GivenAnswer::When when,
               ClassAnswers& answers, QWidget* parent = nullptr);

private:
    void ask();
    void take();

    std::vector<QuizQuestion> quiz_;
    bool is_course_;
    GivenAnswer::When when_;
    ClassAnswers& answers_;
    std::size_t at_ = 0;
    bool is_told_ = false;  ///< whether the answer of this question stands below it
    QVBoxLayout* column_;
    QLabel *place_, *asked_, *verdict_;
    OptionsBox* options_ = nullptr;
    QPushButton* next_;
};

}  // namespace headlight
