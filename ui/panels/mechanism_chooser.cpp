#include "ui/panels/mechanism_chooser.h"

#include "ui/panels/describe.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScreen>
#include <QSortFilterProxyModel>
#include <QStyleOption>
#include <QStylePainter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace headlight {

MechanismChooser::MechanismChooser(QWidget* parent) : QToolButton(parent) {
    describe(this, QStringLiteral("mechanism"), tr("Mechanism"),
             tr("Which attention turns the queries, keys and values into weights. "
                "Page up and page down go to the one before and after"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::StrongFocus);
    installEventFilter(this);
    connect(this, &QToolButton::clicked, this, &MechanismChooser::open);
}

void MechanismChooser::set_current(const std::string& id) {
    current_ = id;
    const QString name = model_.index_of(id).data().toString();
    setText(name.isEmpty() ? QString::fromStdString(id) : name);
    setAccessibleName(tr("Mechanism: %1").arg(text()));
}

void MechanismChooser::step(int by) {
    const auto all = mechanisms();
    const auto here =
        std::find_if(all.begin(), all.end(), [&](const Mechanism& each) { return each.id == current_; });
    const auto target =
        std::clamp<std::ptrdiff_t>(here - all.begin() + by, 0, static_cast<std::ptrdiff_t>(all.size()) - 1);
    if (target != here - all.begin())
        emit chosen(all[static_cast<std::size_t>(target)].id);
}

QSize MechanismChooser::minimumSizeHint() const {
    return {12 * fontMetrics().averageCharWidth(), sizeHint().height()};
}

QSize MechanismChooser::sizeHint() const {
    return {fontMetrics().horizontalAdvance(QStringLiteral("Scaled dot-product attention")) + 48,
            fontMetrics().height() + 14};
}

void MechanismChooser::paintEvent(QPaintEvent*) {
    // Looks like the combo boxes beside it; the tree and its search line are what a combo box cannot have.
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    option.initFrom(this);
    option.currentText = fontMetrics().elidedText(text(), Qt::ElideRight, width() - 40);
    if (isDown())
        option.state |= QStyle::State_Sunken;
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

void MechanismChooser::build_popup() {
    popup_ = new QFrame(this, Qt::Popup);
    popup_->setFrameShape(QFrame::StyledPanel);
    search_ = new QLineEdit;
    describe(search_, QStringLiteral("mechanism_search"), tr("Search the mechanisms"),
             tr("Finds by name, family, paper or year"));
    search_->setPlaceholderText(tr("Search by name, family, paper, year"));
    search_->setClearButtonEnabled(true);
    tree_ = new QTreeView;
    describe(tree_, QStringLiteral("mechanism_tree"), tr("Mechanisms by family"),
             tr("Every mechanism, by what it changes in the formula, in teaching order"));
    tree_->setHeaderHidden(true);
    tree_->setUniformRowHeights(true);
    tree_->setItemsExpandable(false);
    tree_->setRootIsDecorated(false);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setFocusPolicy(Qt::NoFocus);
    found_ = new QSortFilterProxyModel(popup_);
    found_->setSourceModel(&model_);
    found_->setRecursiveFilteringEnabled(true);
    found_->setFilterRole(MechanismModel::SearchRole);
    found_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    tree_->setModel(found_);

    auto* layout = new QVBoxLayout(popup_);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(search_);
    layout->addWidget(tree_);
    // Rows are measured once: the theme's padding has to be known before.
    tree_->ensurePolished();
    search_->installEventFilter(this);
    connect(search_, &QLineEdit::textChanged, this, &MechanismChooser::filter);
    connect(tree_, &QTreeView::clicked, this, &MechanismChooser::accept);
}

void MechanismChooser::open() {
    if (!popup_)
        build_popup();
    search_->clear();
    filter({});
    const int rows = model_.rowCount() + static_cast<int>(mechanisms().size());
    const int tree_height = rows * tree_->sizeHintForRow(0) + 2 * tree_->frameWidth() + 8;
    const int search_height = search_->sizeHint().height() + 3 * 8;
    const QRect screen = this->screen()->availableGeometry();
    QRect place(mapToGlobal(QPoint(0, height())),
                QSize(std::max(width(), 300), std::min(tree_height + search_height, screen.height() - 32)));
    place.moveBottom(std::min(place.bottom(), screen.bottom() - 8));
    popup_->setGeometry(place);
    popup_->show();
    search_->setFocus();
    tree_->scrollTo(tree_->currentIndex());
}

void MechanismChooser::filter(const QString& text) {
    const QString typed = text.trimmed();
    found_->setFilterFixedString(typed);
    tree_->expandAll();
    // Opening means where one is.
    tree_->setCurrentIndex(typed.isEmpty() ? found_->mapFromSource(model_.index_of(current_))
                                           : best_found(typed));
    if (!tree_->currentIndex().isValid())
        move_current(1);
}

QModelIndex MechanismChooser::best_found(const QString& typed) const {
    QModelIndex best;
    int best_rank = std::numeric_limits<int>::max();
    for (int family = 0; family < found_->rowCount(); ++family) {
        const QModelIndex parent = found_->index(family, 0);
        for (int row = 0; row < found_->rowCount(parent); ++row) {
            const QModelIndex index = found_->index(row, 0, parent);
            const int rank = search_rank(*model_.mechanism_at(found_->mapToSource(index)), typed);
            if (rank < best_rank) {
                best_rank = rank;
                best = index;
            }
        }
    }
    return best;
}

void MechanismChooser::move_current(int by) {
    QModelIndex next = tree_->currentIndex();
    if (!next.isValid())
        next = found_->index(0, 0);
    else
        next = by > 0 ? tree_->indexBelow(next) : tree_->indexAbove(next);
    while (next.isValid() && !next.flags().testFlag(Qt::ItemIsSelectable))
        next = by > 0 ? tree_->indexBelow(next) : tree_->indexAbove(next);
    if (next.isValid())
        tree_->setCurrentIndex(next);
}

void MechanismChooser::accept(const QModelIndex& index) {
    const QString id = index.data(MechanismModel::IdRole).toString();
    if (id.isEmpty())
        return;
    popup_->hide();
    emit chosen(id.toStdString());
    emit picked();
}

bool MechanismChooser::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QToolButton::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == this) {
        if (key == Qt::Key_PageDown || key == Qt::Key_PageUp) {
            step(key == Qt::Key_PageDown ? 1 : -1);
            return true;
        }
        if (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter) {
            open();
            return true;
        }
        return false;
    }
    switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        move_current(key == Qt::Key_Down ? 1 : -1);
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
