#include "ui/panels/mechanism_popup.h"

#include "ui/panels/mechanism_filter_bar.h"
#include "ui/panels/mechanism_row.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QTimer>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {

MechanismPopup::MechanismPopup(MechanismModel& model, QWidget* parent)
    : QFrame(parent, Qt::Popup), model_(model), found_(model), search_(new QLineEdit),
      filters_(new MechanismFilterBar), tree_(new QTreeView), nothing_(new QLabel) {
    setFrameShape(StyledPanel);
    describe(search_, QStringLiteral("mechanism_search"), tr("Search the mechanisms"),
             tr("Finds by name, family, paper or year"));
    search_->setPlaceholderText(tr("Search by name, family, paper, year"));
    search_->setClearButtonEnabled(true);
    describe(tree_, QStringLiteral("mechanism_tree"), tr("Mechanisms by family"),
             tr("Every mechanism, by what it changes in the formula, in teaching order"));
    tree_->setHeaderHidden(true);
    tree_->setUniformRowHeights(true);
    tree_->setItemsExpandable(false);
    tree_->setRootIsDecorated(false);
    tree_->setIndentation(12);
    tree_->setFrameShape(NoFrame);
    tree_->setFocusPolicy(Qt::NoFocus);
    tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    tree_->setItemDelegate(new MechanismRow(tree_));
    tree_->setModel(&found_);
    nothing_->setObjectName(QStringLiteral("nothing_found"));
    nothing_->setText(tr("No mechanism is like this. Clear the filters, or search for less."));
    make_note(*nothing_);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setWordWrap(true);
    nothing_->hide();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(search_);
    layout->addWidget(filters_);
    layout->addWidget(nothing_, 1);
    layout->addWidget(tree_, 1);
    search_->installEventFilter(this);
    for (const QComboBox* menu : filters_->findChildren<QComboBox*>())
        menu->view()->window()->installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &MechanismPopup::filter);
    connect(filters_, &MechanismFilterBar::changed, this, &MechanismPopup::filter);
    connect(tree_, &QTreeView::clicked, this, &MechanismPopup::accept);
}

void MechanismPopup::open_below(const QWidget& anchor, const QModelIndex& current) {
    constexpr int letters = 92;  // a name, some words about it, a year
    current_ = current;
    search_->clear();
    filter();
    ensurePolished();
    const int wanted =
        std::max(filters_->sizeHint().width() + 2 * 9, letters * fontMetrics().averageCharWidth());
    const QRect screen = anchor.screen()->availableGeometry();
    QRect place(anchor.mapToGlobal(QPoint(0, anchor.height())),
                QSize(std::min(std::max(anchor.width(), wanted), screen.width() - 16),
                      std::min(screen.height() - 32, 48 * fontMetrics().lineSpacing())));
    // The button may be scrolled out of sight.
    place.moveBottom(std::min(place.bottom(), screen.bottom() - 8));
    place.moveTop(std::max(place.top(), screen.top() + 8));
    place.moveRight(std::min(place.right(), screen.right() - 8));
    place.moveLeft(std::max(place.left(), screen.left() + 8));
    setGeometry(place);
    show();
    search_->setFocus();
    tree_->scrollTo(tree_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

void MechanismPopup::filter() {
    MechanismCriteria criteria = filters_->criteria();
    criteria.text = search_->text();
    found_.set_criteria(criteria);
    tree_->expandAll();
    // Opening means where one is.
    tree_->setCurrentIndex(criteria.text.trimmed().isEmpty() ? found_.mapFromSource(current_)
                                                             : found_.best());
    if (!tree_->currentIndex().isValid())
        move_current(1);
    int all = 0;
    for (int family = 0; family < model_.rowCount(); ++family)
        all += model_.rowCount(model_.index(family, 0));
    const int count = found_.count();
    filters_->show_count(count, all);
    nothing_->setVisible(count == 0);
    tree_->setVisible(count > 0);
}

void MechanismPopup::move_current(int by) {
    QModelIndex next = tree_->currentIndex();
    const auto is_mechanism = [](const QModelIndex& index) {
        return index.flags().testFlag(Qt::ItemIsSelectable);
    };
    if (!next.isValid()) {
        next = found_.index(0, 0);
        if (next.isValid() && !is_mechanism(next))
            next = found_.index(0, 0, next);
        tree_->setCurrentIndex(next);
        return;
    }
    QModelIndex last = next;
    for (int left = std::abs(by); left > 0;) {
        next = by > 0 ? tree_->indexBelow(next) : tree_->indexAbove(next);
        if (!next.isValid())
            break;
        if (is_mechanism(next)) {
            last = next;
            --left;
        }
    }
    tree_->setCurrentIndex(last);
}

void MechanismPopup::accept(const QModelIndex& index) {
    if (!index.flags().testFlag(Qt::ItemIsSelectable))
        return;
    hide();
    emit picked(found_.mapToSource(index));
}

void MechanismPopup::keyPressEvent(QKeyEvent* event) {
    if (!drop_down_left_ || !event->matches(QKeySequence::Cancel))
        QFrame::keyPressEvent(event);
}

bool MechanismPopup::eventFilter(QObject* watched, QEvent* event) {
    if (watched != search_) {
        // The Escape that closes a drop-down arrives here too, and is not meant for the picker around it.
        if (event->type() == QEvent::Hide) {
            drop_down_left_ = true;
            QTimer::singleShot(0, this, [this] { drop_down_left_ = false; });
        }
        return false;
    }
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
        accept(tree_->currentIndex());
        return true;
    default:
        return false;
    }
}

}  // namespace headlight
