#pragma once

#include "ui/views/lazy_combo.h"

namespace headlight {

/// A combo box in a narrow column whose list is as wide as its longest entry. Of a chosen entry without room
/// it shows what tells it from the others, and its tip has the whole.
class WideCombo : public LazyCombo {
    Q_OBJECT
public:
    explicit WideCombo(QWidget* parent = nullptr);

    /// What can be read of the chosen entry at the present width.
    QString shown_text() const;
    void showPopup() override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// Letters of the words, each to a comma, with which another entry begins as well.
    qsizetype shared_beginning() const;
};

}  // namespace headlight
