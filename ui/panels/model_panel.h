#pragma once

#include "core/tensor/error.h"
#include "ui/models/candidate_model.h"
#include "ui/models/model_opener.h"

#include <QWidget>

class QComboBox;
class QGroupBox;
class QLabel;
class QLineEdit;
class QListView;
class QPushButton;

namespace headlight {

class Document;
class FlowLayout;
class SequenceEdit;
class WrappedLabel;

/// A trained model that speaks in place of a mechanism: which, what it reads, what it says and what it might
/// have said, and what a person changes in it.
class ModelPanel : public QWidget {
    Q_OBJECT
public:
    explicit ModelPanel(Document& document, QWidget* parent = nullptr);

    /// Opens the list of models.
    void open_chooser();

signals:
    /// Choosing a folder is the window's business.
    void folder_requested();
    void problem(const headlight::Error& error);
    /// A text was pasted that is too long to show.
    void paste_refused(qsizetype length);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build_choice();
    void build_speech();
    void connect_parts();
    void refresh();
    void refresh_choice();
    void refresh_site();
    void refresh_output();
    void refresh_interventions();
    void show_candidates();
    void show_next_example();

    Document& document_;
    ModelOpener* opener_;
    CandidateModel* candidates_;
    QComboBox* models_;
    QPushButton* folder_;
    WrappedLabel* task_;
    WrappedLabel* what_to_see_;
    QWidget* speech_;  ///< all that only a model has
    QLabel* source_title_;
    SequenceEdit* source_;
    QPushButton* example_;
    WrappedLabel* refusal_;  ///< of what is typed: no mistake, but on the way to another word
    QLabel* site_title_;
    QComboBox* site_;
    WrappedLabel* output_;
    QLabel* step_;
    QListView* list_;
    QPushButton* own_words_;
    QLineEdit* target_;
    QWidget* interventions_;
    WrappedLabel* comparison_;
    FlowLayout* chips_;
    Index example_number_ = 0;
};

}  // namespace headlight
