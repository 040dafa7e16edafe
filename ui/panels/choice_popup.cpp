#include "ui/panels/choice_popup.h"

#include "ui/views/describe.h"

#include <QAbstractItemDelegate>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolTip>
#include <QTreeView>

namespace headlight {

ChoicePopup::ChoicePopup(QComboBox& list, const Words& words) : ChoicePopup(list, *list.model(), words) {
    list_ = &list;
}

ChoicePopup::ChoicePopup(QWidget& button, QAbstractItemModel& choices, const Words& words)
    : SearchPopup(&button), anchor_(button), choices_(choices), letters_(words.letters) {
    found_.setSourceModel(&choices);
    // A press on the list closes this, and is not to open it again.
    setAttribute(Qt::WA_NoMouseReplay);
    const QString id = button.objectName();
    describe(&search(), id + QStringLiteral("_search"), words.search, words.effect);
    search().setPlaceholderText(words.placeholder);
    describe(&rows(), id + QStringLiteral("_rows"), words.rows, words.rows_effect);
    rows().setModel(&found_);
    nothing().setObjectName(id + QStringLiteral("_nothing"));
    nothing().setText(words.nothing);
}

bool ChoicePopup::begins_search(const QKeyEvent& event) {
    const bool is_key = event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    return !is_key && !event.text().isEmpty() && event.text().front().isLetterOrNumber();
}

void ChoicePopup::draw_rows_with(QAbstractItemDelegate* delegate) {
    delegate->setParent(this);
    rows().setItemDelegate(delegate);
}

void ChoicePopup::open(const QString& typed) {
    search().setText(typed);
    filter();
    ensurePolished();
    show_below(anchor_, letters_ * fontMetrics().averageCharWidth());
}

void ChoicePopup::filter() {
    const QString text = search().text();
    found_.set_text(text);
    // Opening means where one is.
    const int current = list_ ? list_->currentIndex() : -1;
    const QModelIndex meant = text.trimmed().isEmpty() ? found_.mapFromSource(choices_.index(current, 0))
                                                       : found_.best();
    rows().setCurrentIndex({});
    if (can_be_picked(meant))
        rows().setCurrentIndex(meant);
    else if (!meant.isValid() || text.trimmed().isEmpty())  // else Return would choose what nobody meant
        move_current(1);
    show_whether_found(found_.rowCount() > 0);
}

void ChoicePopup::refuse(const QModelIndex& index) {
    const QModelIndex meant = index.isValid() || search().text().trimmed().isEmpty() ? index : found_.best();
    if (!meant.isValid() || meant.flags().testFlag(Qt::ItemIsEnabled))  // nothing, or a heading
        return;
    QToolTip::showText(rows().viewport()->mapToGlobal(rows().visualRect(meant).bottomLeft()),
                       meant.data(Qt::ToolTipRole).toString(), &rows());
    emit refused(found_.mapToSource(meant).row());
}

void ChoicePopup::accept(const QModelIndex& index) { emit picked(found_.mapToSource(index).row()); }

}  // namespace headlight
