#pragma once

#include "ui/panels/choice_popup.h"
#include "ui/views/lazy_combo.h"

namespace headlight {

/// A drop-down list that is searched by what is typed: in place of a list of its own it opens one with a
/// search line, and a letter that is typed on it stands there already.
class SearchCombo : public LazyCombo {
    Q_OBJECT
public:
    explicit SearchCombo(int letters, QWidget* parent = nullptr);

    void showPopup() override;

protected:
    /// Whether there is enough to search in; else it is an ordinary list.
    virtual bool is_searched() const { return true; }
    /// Made when it is first opened.
    virtual ChoicePopup* make_popup() = 0;

    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Opens the choices with `typed` in their search line.
    void open(const QString& typed);

    ChoicePopup* popup_ = nullptr;
};

}  // namespace headlight
