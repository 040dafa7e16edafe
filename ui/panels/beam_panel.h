#pragma once

#include <QWidget>

class QCheckBox;
class QPushButton;
class QToolButton;

namespace headlight {

class BeamTreeView;
class Document;
class WrappedLabel;

/// Under the pictures of a model that searches with a beam: the tree of the search. What is chosen in it is
/// what the pictures show. Hidden where nothing is searched for; the tree can be folded away.
class BeamPanel : public QWidget {
    Q_OBJECT
public:
    explicit BeamPanel(Document& document, QWidget* parent = nullptr);

private:
    void refresh();
    void fold(bool is_folded);
    void follow(qsizetype node);

    Document& document_;
    QToolButton* fold_;
    WrappedLabel* heading_;
    QCheckBox* pruned_;
    QPushButton* best_;
    BeamTreeView* tree_;
};

}  // namespace headlight
