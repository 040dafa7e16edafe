#pragma once

#include "ui/models/mechanism_filter.h"
#include "ui/models/mechanism_model.h"
#include "ui/panels/search_popup.h"

namespace headlight {

class MechanismFilterBar;
class WrappedLabel;

/// The catalogue as a tree, with a search line and filters above it.
class MechanismPopup : public SearchPopup {
    Q_OBJECT
public:
    explicit MechanismPopup(MechanismModel& model, QWidget* parent);

    /// Below `anchor`, at `current`, a row of the model, or at what the text finds.
    void open_below(const QWidget& anchor, const QModelIndex& current, const QString& text = {});

    void filter() override;

signals:
    /// A mechanism of the catalogue, or one's own: a row of the model.
    void picked(const QModelIndex& index);
    /// It is gone, after picked() or without.
    void closed(bool was_picked);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void accept(const QModelIndex& index) override;

private:
    /// The rows that are left, and how many.
    void show_found();

    MechanismModel& model_;
    MechanismFilter found_;
    QPersistentModelIndex current_;  ///< of the model: where one is
    MechanismFilterBar* filters_;
    WrappedLabel* layers_;         ///< of the model that is searched for
    bool drop_down_left_ = false;  ///< a moment ago
    bool is_picked_ = false;       ///< since it was opened
};

}  // namespace headlight
