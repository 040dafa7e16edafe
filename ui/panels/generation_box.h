#pragma once

#include <QWidget>

class QLabel;
class QListView;
class QPushButton;

namespace headlight {

class CandidateModel;
class CopyBar;
class Document;
class WrappedLabel;

/// What a model says, and at each step what it might have said instead.
class GenerationBox : public QWidget {
    Q_OBJECT
public:
    explicit GenerationBox(Document& document, QWidget* parent = nullptr);

    /// Stands between what is said and the candidates.
    void insert(QWidget* widget);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void refresh();
    void show_output();
    void show_candidates();

    Document& document_;
    CandidateModel* candidates_;
    WrappedLabel* output_;
    WrappedLabel* cut_;  ///< that the output has no end
    QLabel* step_;
    CopyBar* copying_;
    QListView* list_;
    QPushButton* own_words_;
};

}  // namespace headlight
