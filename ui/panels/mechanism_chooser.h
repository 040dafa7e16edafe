#pragma once

#include "ui/models/mechanism_model.h"

#include <QToolButton>

class QFrame;
class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace headlight {

/// The name of the mechanism as a button; pressed, it opens the catalogue as a tree with a search line.
class MechanismChooser : public QToolButton {
    Q_OBJECT
public:
    explicit MechanismChooser(QWidget* parent = nullptr);

    void set_current(const std::string& id);
    /// The mechanism `by` places further in teaching order; the ends stay.
    void step(int by);
    void open();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void chosen(const std::string& id);
    /// After chosen(), when it was picked in the tree: the tree is gone, and the keyboard with it.
    void picked();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void build_popup();
    void filter(const QString& text);
    /// The mechanism that a search most likely means.
    QModelIndex best_found(const QString& typed) const;
    void move_current(int by);
    void accept(const QModelIndex& index);

    MechanismModel model_;
    std::string current_;
    QFrame* popup_ = nullptr;
    QLineEdit* search_ = nullptr;
    QTreeView* tree_ = nullptr;
    QSortFilterProxyModel* found_ = nullptr;
};

}  // namespace headlight
