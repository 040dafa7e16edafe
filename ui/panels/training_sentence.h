#pragma once

#include "core/model/film.h"
#include "core/model/tasks/task.h"

#include <QObject>

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace headlight {

class WindowSettings;

/// The fields of the sentence that is filmed while a model learns, and of what the model is made to say of
/// it. What was typed is remembered for each task, also what the task cannot read.
class TrainingSentence : public QObject {
    Q_OBJECT
public:
    explicit TrainingSentence(WindowSettings& settings, QObject* parent = nullptr);

    void add_rows(QFormLayout& form);
    QPushButton* example_button() const { return example_; }

    /// What was last typed for the task, else one of its examples. Comes before all that follows.
    void show_for(const Task& task);
    /// As if it was typed for the task that is shown.
    void show_text(const FilmedText& text);
    FilmedText text() const;
    /// Throws Error for words that the task does not have.
    void check() const;

signals:
    /// By the person: a letter, or all of it by another example.
    void edited();

private:
    void show(const FilmedText& text);
    void show_next_example();
    void keep();
    QString key(const char* side) const;

    WindowSettings& settings_;
    const Task* task_ = nullptr;
    QLineEdit *source_, *target_;
    QLabel* target_label_;
    QPushButton* example_;
    Index example_number_ = 0;
    bool answers_example_ = true;  ///< the answer is not one that was typed
};

}  // namespace headlight
