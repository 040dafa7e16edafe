#pragma once

#include "core/tensor/error.h"

#include <QWidget>

class QLabel;

namespace headlight {

class Document;
class ModelChoiceBox;
class SiteChoice;
class WrappedLabel;

/// A trained model that speaks in place of a mechanism: which, what it reads, what it says and what it might
/// have said, and what a person changes in it.
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
    void problem(const headlight::Error& error);
    /// A text was pasted that is too long to show.
    void paste_refused(qsizetype length);

private:
    QWidget* build_generation();
    void refresh();

    Document& document_;
    ModelChoiceBox* choice_;
    SiteChoice* site_;
    QLabel* site_title_;
    WrappedLabel* hint_;   ///< what a model is, while there is none
    WrappedLabel* gone_;   ///< the folder of the session's model is not there
    QWidget* generation_;  ///< all that only a model has
    WrappedLabel* task_;
};

}  // namespace headlight
