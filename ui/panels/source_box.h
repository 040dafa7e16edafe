#pragma once

#include "core/tensor/tensor.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace headlight {

class Document;
class SequenceEdit;
class WrappedLabel;

/// What a model reads, and what it is made to say. What is typed stays as it is typed: what the model cannot
/// read of it is marked, and said under the field.
class SourceBox : public QWidget {
    Q_OBJECT
public:
    explicit SourceBox(Document& document, QWidget* parent = nullptr);

signals:
    /// A text was pasted that is too long to show.
    void paste_refused(qsizetype length);

private:
    void build();
    void refresh();
    void show_next_example();
    void show_known_words();

    Document& document_;
    SequenceEdit* source_;
    QPushButton* example_;
    QPushButton* words_;  ///< of a model that knows more than a message can list
    QLineEdit* target_;
    WrappedLabel* refusal_;  ///< of what is typed: no mistake, but on the way to another word
    Index example_number_ = 0;
};

}  // namespace headlight
