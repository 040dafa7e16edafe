#pragma once

#include "core/tensor/error.h"

#include <QWidget>

namespace headlight {

class CounterpartBox;
class Document;
class GenerationBox;
class HeadChoice;
class ModelChoiceBox;
class SiteChoice;
class SourceBox;
class UnitsCombo;
class WrappedLabel;

/// A trained model that runs in place of a mechanism: which, what it reads, what it generates and what it
/// might have said, and what a person changes in it. Of one whose attention was captured elsewhere, what
/// there is.
class ModelPanel : public QWidget {
    Q_OBJECT
public:
    explicit ModelPanel(Document& document, QWidget* parent = nullptr);

    /// Opens the list of models.
    void open_chooser();
    /// One that comes with the program.
    void open_model(const QString& name);

signals:
    /// Choosing a folder is the window's business.
    void folder_requested();
    void other_capture_requested();
    void other_model_requested();
    void problem(const headlight::Error& error);
    /// A text was pasted that is too long to show.
    void paste_refused(qsizetype length);

private:
    /// A list with its name before it.
    static QWidget* named_row(const QString& name, QWidget* list);
    void refresh();
    /// Describes a capture: its file, and how many layers, heads and tokens.
    void describe_capture();

    Document& document_;
    ModelChoiceBox* choice_;
    WrappedLabel* hint_;     ///< what a model is, while there is none
    WrappedLabel* gone_;     ///< the folder of the session's model is not there
    WrappedLabel* capture_;  ///< what a capture holds
    UnitsCombo* unit_;
    QWidget* units_;
    SourceBox* source_;
    CounterpartBox* counterpart_;
    HeadChoice* head_;
    QWidget* heads_;
    SiteChoice* site_;
    QWidget* sites_;
    GenerationBox* generation_;
    WrappedLabel* task_;
};

}  // namespace headlight
