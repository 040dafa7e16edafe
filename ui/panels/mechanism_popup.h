#pragma once

#include "ui/models/mechanism_filter.h"
#include "ui/models/mechanism_model.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QTreeView;

namespace headlight {

class MechanismFilterBar;

/// The catalogue as a tree, with a search line and filters above it. The keys go to the search line; the
/// arrows, page keys and Return that it has no use for are the tree's.
class MechanismPopup : public QFrame {
    Q_OBJECT
public:
    explicit MechanismPopup(MechanismModel& model, QWidget* parent);

    /// Below `anchor`, at `current`, a row of the model.
    void open_below(const QWidget& anchor, const QModelIndex& current);

signals:
    /// A mechanism of the catalogue, or one's own: a row of the model.
    void picked(const QModelIndex& index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter();
    void move_current(int by);
    void accept(const QModelIndex& index);

    MechanismModel& model_;
    MechanismFilter found_;
    QPersistentModelIndex current_;  ///< of the model: where one is
    QLineEdit* search_;
    MechanismFilterBar* filters_;
    QTreeView* tree_;
    QLabel* nothing_;
    bool drop_down_left_ = false;  ///< a moment ago
};

}  // namespace headlight
