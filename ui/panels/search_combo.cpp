#include "ui/panels/search_combo.h"

#include "ui/panels/number_control.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace headlight {

SearchCombo::SearchCombo(int letters, QWidget* parent) : LazyCombo(letters, parent) {
    ignore_passing_wheel(this);
}

void SearchCombo::showPopup() {
    if (is_searched())
        open({});
    else
        LazyCombo::showPopup();
}

void SearchCombo::open(const QString& typed) {
    if (!popup_) {
        popup_ = make_popup();
        connect(popup_, &ChoicePopup::picked, this, [this](int row) {
            setCurrentIndex(row);
            emit activated(row);
        });
    }
    popup_->open(typed);
}

void SearchCombo::mousePressEvent(QMouseEvent* event) {
    if (!is_searched())
        return LazyCombo::mousePressEvent(event);
    // A QComboBox would make the list of its own, and draw its arrow pressed until that is closed.
    if (event->button() == Qt::LeftButton)
        showPopup();
    else
        event->ignore();
}

void SearchCombo::keyPressEvent(QKeyEvent* event) {
    if (is_searched() && ChoicePopup::begins_search(*event))
        return open(event->text());
    LazyCombo::keyPressEvent(event);
}

}  // namespace headlight
