#pragma once

#include "core/lesson/lesson.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;

namespace headlight {

/// What makes a question of a lesson: its kind, what is asked, and what its kind needs.
class QuestionForm : public QWidget {
    Q_OBJECT
public:
    /// Around a lesson only choices are asked; in its steps there may be none.
    enum class Place { in_a_step, around_a_lesson };
    explicit QuestionForm(Place place, QWidget* parent = nullptr);

    void show_question(const std::optional<Question>& question);
    std::optional<Question> question() const;

signals:
    /// Somebody changed it.
    void edited();

private:
    void show_fields();
    bool has_question() const;

    Place place_;
    QFormLayout* rows_;
    QComboBox* kind_;
    QLineEdit *ask_, *query_, *key_, *because_;
    QDoubleSpinBox* tolerance_;
    QPlainTextEdit* options_;
    QSpinBox* answer_;
};

}  // namespace headlight
