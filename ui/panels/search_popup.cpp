#include "ui/panels/search_popup.h"

#include "ui/views/role.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QScreen>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

/// What the screen has above the bars below the window's picture, which stay in sight, and, as long as that
/// is enough, no higher than the window.
QRect room_above_bars(const QWidget& anchor) {
    constexpr int enough = 24;  // lines
    QRect room = anchor.screen()->availableGeometry();
    const auto* window = qobject_cast<const QMainWindow*>(anchor.window());
    if (!window)
        return room;
    if (const QWidget* picture = window->centralWidget(); picture && picture->isVisible())
        room.setBottom(std::min(room.bottom(), picture->mapToGlobal(QPoint(0, picture->height())).y()));
    const int highest = room.top(), lowest = room.bottom() - enough * anchor.fontMetrics().lineSpacing();
    room.setTop(std::clamp(window->mapToGlobal(QPoint()).y(), highest, std::max(highest, lowest)));
    return room;
}

}  // namespace

SearchPopup::SearchPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup), search_(new QLineEdit), rows_(new QTreeView), nothing_(new QLabel) {
    setFrameShape(StyledPanel);
    search_->setClearButtonEnabled(true);
    rows_->setHeaderHidden(true);
    rows_->setUniformRowHeights(true);
    rows_->setItemsExpandable(false);
    rows_->setRootIsDecorated(false);
    rows_->setIndentation(12);
    rows_->setFrameShape(NoFrame);
    rows_->setFocusPolicy(Qt::NoFocus);
    rows_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    make_note(*nothing_);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    nothing_->hide();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(search_);
    layout->addWidget(nothing_, 1);
    layout->addWidget(rows_, 1);
    search_->installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &SearchPopup::filter);
    connect(rows_, &QTreeView::clicked, this, &SearchPopup::pick);
}

void SearchPopup::put_below_search(QWidget* part) {
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, part);
}

void SearchPopup::show_below(const QWidget& anchor, int width) {
    show_at(QRect(anchor.mapToGlobal(QPoint(0, anchor.height())),
                  QSize(std::max(anchor.width(), width), 48 * fontMetrics().lineSpacing())),
            room_above_bars(anchor));
}

void SearchPopup::show_over(const QWidget& window, int width) {
    constexpr int least = 16;  // lines: of a low window the screen around it is used
    QRect place(QPoint(),
                QSize(width, std::max(window.height() * 2 / 3, least * fontMetrics().lineSpacing())));
    place.moveCenter(window.mapToGlobal(window.rect().center()));
    place.moveTop(window.mapToGlobal(QPoint(0, window.height() / 10)).y());
    show_at(place, window.screen()->availableGeometry());
}

void SearchPopup::show_at(QRect place, const QRect& room) {
    place.setSize(place.size().boundedTo(room.size() - QSize(16, 32)));
    // The button may be scrolled out of sight.
    place.moveBottom(std::min(place.bottom(), room.bottom() - 8));
    place.moveTop(std::max(place.top(), room.top() + 8));
    place.moveRight(std::min(place.right(), room.right() - 8));
    place.moveLeft(std::max(place.left(), room.left() + 8));
    setGeometry(place);
    show();
    search_->setFocus();
    rows_->scrollTo(rows_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void SearchPopup::show_whether_found(bool found_any) {
    nothing_->setVisible(!found_any);
    rows_->setVisible(found_any);
}

bool SearchPopup::can_be_picked(const QModelIndex& index) {
    return index.flags().testFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
}

void SearchPopup::move_current(int by) {
    QModelIndex next = rows_->currentIndex();
    const QAbstractItemModel& model = *rows_->model();
    if (!next.isValid()) {
        // A heading has its rows in it, or behind it.
        for (next = model.index(0, 0); next.isValid() && !can_be_picked(next);)
            next = model.hasChildren(next) ? model.index(0, 0, next) : next.siblingAtRow(next.row() + 1);
        rows_->setCurrentIndex(next);
        return;
    }
    QModelIndex last = next;
    for (int left = std::abs(by); left > 0;) {
        next = by > 0 ? rows_->indexBelow(next) : rows_->indexAbove(next);
        if (!next.isValid())
            break;
        if (can_be_picked(next)) {
            last = next;
            --left;
        }
    }
    rows_->setCurrentIndex(last);
}

void SearchPopup::pick(const QModelIndex& index) {
    if (!can_be_picked(index))
        return refuse(index);
    hide();
    accept(index);
}

bool SearchPopup::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return false;
    constexpr int page = 12;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
        move_current(1);
        return true;
    case Qt::Key_Up:
        move_current(-1);
        return true;
    case Qt::Key_PageDown:
        move_current(page);
        return true;
    case Qt::Key_PageUp:
        move_current(-page);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        pick(rows_->currentIndex());
        return true;
    default:
        return false;
    }
}

}  // namespace headlight
