#include "ui/panels/window_columns.h"

#include "ui/actions/context_menu.h"
#include "ui/actions/shortcuts.h"
#include "ui/panels/dock_table.h"
#include "ui/panels/fold_strip.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QStyle>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace headlight {

WindowColumns::WindowColumns(QMainWindow* window) : QObject(window), window_(*window) {
    window_.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks |
                           QMainWindow::AllowNestedDocks);
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window_.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    add_strip(Side::left, QStringLiteral("left"), tr("Left panels"));
    add_strip(Side::right, QStringLiteral("right"), tr("Inspector"));
}

void WindowColumns::add_strip(Side side, const QString& id, const QString& name) {
    Column& here = column(side);
    here.fold = make_action(QStringLiteral("fold_") + id, this);
    here.fold->setCheckable(true);
    give_keys(*here.fold);
    here.fold->setIconText(side == Side::left ? QStringLiteral("‹") : QStringLiteral("›"));
    connect(here.fold, &QAction::toggled, this, [this, side](bool folded) { fold(side, folded); });

    auto* button = new FoldStrip(name);
    describe_with_key(button, QStringLiteral("unfold_") + id, tr("Show: %1").arg(name),
                      tr("Brings the panels back"), here.fold->objectName());
    connect(button, &QAbstractButton::clicked, this, [this, side] { fold(side, false); });
    here.strip = new QToolBar(name);
    here.strip->setObjectName(QStringLiteral("strip_") + id);
    here.strip->setMovable(false);
    here.strip->setFloatable(false);
    here.strip->toggleViewAction()->setVisible(false);  // the fold action is what shows it
    here.strip->addWidget(button);
    window_.addToolBar(side == Side::left ? Qt::LeftToolBarArea : Qt::RightToolBarArea, here.strip);
    here.strip->hide();
}

void WindowColumns::add(const DockRow& row, QWidget* content) {
    const QString title = QCoreApplication::translate("Docks", row.title);
    auto* dock = new QDockWidget(title);
    dock->setObjectName(QLatin1String(row.id));
    dock->toggleViewAction()->setObjectName(QStringLiteral("show_") + dock->objectName());
    dock->setWidget(content);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    auto* heading = new QLabel(title);
    heading->setContentsMargins(11, 6, 8, 6);
    make_title(*heading);
    make_note(*heading);
    dock->setTitleBarWidget(heading);
    const bool is_right = row.place == DockRow::Place::right || row.place == DockRow::Place::behind_right;
    window_.addDockWidget(is_right ? Qt::RightDockWidgetArea : Qt::LeftDockWidgetArea, dock);
    switch (row.place) {
    case DockRow::Place::upper_left:
        upper_left_ = dock;
        break;
    case DockRow::Place::lower_left:
        add_lower_left(dock);
        break;
    case DockRow::Place::begin:
        begin_ = dock;
        begin_->setFeatures(QDockWidget::NoDockWidgetFeatures);
        begin_->toggleViewAction()->setVisible(false);
        break;
    case DockRow::Place::right:
        inspector_ = dock;
        break;
    case DockRow::Place::behind_right:
        add_behind_right(dock);
        break;
    }
    if (!row.is_shown)
        dock->hide();
}

void WindowColumns::add_lower_left(QDockWidget* dock) {
    dock->setTitleBarWidget(new QWidget);  // its tab says who it is
    if (!lower_left_.empty())
        window_.tabifyDockWidget(lower_left_.back(), dock);
    lower_left_.push_back(dock);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool is_in_front) {
        if (is_in_front && !left_.is_put_away)
            in_front_ = dock;
    });
}

void WindowColumns::set_begin_title(const QString& title) {
    begin_->setWindowTitle(title);
    qobject_cast<QLabel*>(begin_->titleBarWidget())->setText(title);
}

void WindowColumns::set_begin_font(const QFont& font) { begin_->setFont(font); }

void WindowColumns::put_in_right_title(QAction* toggle) {
    toggle_ = toggle;
    auto* line = new QWidget;
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 8, 0);
    layout->addWidget(inspector_->titleBarWidget(), 1);
    auto* button = new QToolButton;
    give_role(*button, Role::toggle);
    button->setDefaultAction(toggle);
    button->setAccessibleName(toggle->iconText());
    layout->addWidget(button);
    inspector_->setTitleBarWidget(line);
}

void WindowColumns::add_behind_right(QDockWidget* dock) {
    behind_right_ = dock;
    behind_right_->setTitleBarWidget(new QWidget);  // its tab says who it is
    window_.tabifyDockWidget(inspector_, behind_right_);
    in_front_right_ = inspector_;
    for (QDockWidget* each : {inspector_, behind_right_})
        connect(each, &QDockWidget::visibilityChanged, this, [this, each](bool is_in_front) {
            if (is_in_front && !right_.is_put_away)
                in_front_right_ = each;
        });
}

QList<QAction*> WindowColumns::show_actions() const {
    QList<QAction*> actions;
    for (const Side side : {Side::left, Side::right})
        for (const QDockWidget* dock : docks(side)) {
            give_keys(*dock->toggleViewAction());
            actions.append(dock->toggleViewAction());
        }
    return actions;
}

std::vector<QDockWidget*> WindowColumns::docks(Side side) const {
    if (side == Side::right)
        return {inspector_, behind_right_};
    std::vector<QDockWidget*> left{upper_left_};
    left.insert(left.end(), lower_left_.begin(), lower_left_.end());
    return left;
}

void WindowColumns::bring_to_front(const QString& id) {
    in_front_ = *std::ranges::find(lower_left_, id, &QObject::objectName);
    if (!left_.is_put_away)
        in_front_->show();
    else if (std::ranges::count(left_.hidden, in_front_) == 0)
        left_.hidden.push_back(in_front_);
    in_front_->raise();
}

void WindowColumns::show_begin(bool shown) {
    if (shown)
        fold(Side::left, false);
    if (std::exchange(shows_begin_, shown) != shown)
        update(Side::left);
}

void WindowColumns::put_back(const LeftState& before) {
    if (left_state() == before)
        return;
    const QWidget* had_focus = window_.focusWidget();
    shows_begin_ = before.shows_begin;
    left_.is_folded = before.is_folded;
    left_.is_folded_for_class = before.is_folded_for_class;
    left_.fold->setChecked(is_folded(Side::left));
    update(Side::left);
    look_after_focus(had_focus);
}

void WindowColumns::open(const QString& id) {
    bring_to_front(id);  // a column that comes back raises, later on, what is in front now
    show_begin(false);
    fold(Side::left, false);
}

void WindowColumns::open_behind_right() {
    fold(Side::right, false);
    in_front_right_ = behind_right_;
    if (right_.is_put_away) {  // for the picture alone
        if (std::ranges::count(right_.hidden, behind_right_) == 0)
            right_.hidden.push_back(behind_right_);
        return;
    }
    behind_right_->show();
    behind_right_->raise();
}

void WindowColumns::favour_lower_left() {
    if (left_.is_put_away || upper_left_->isHidden())
        return;
    const int both = upper_left_->height() + in_front_->height(),
              least = upper_left_->minimumSizeHint().height();
    window_.resizeDocks({upper_left_, in_front_}, {least, std::max(1, both - least)}, Qt::Vertical);
}

void WindowColumns::show_upper_left(bool visible) {
    if (!left_.is_put_away) {
        upper_left_->setVisible(visible);
        return;
    }
    std::erase(left_.hidden, upper_left_);
    if (visible)
        left_.hidden.push_back(upper_left_);
}

void WindowColumns::fold(Side side, bool folded) {
    if (is_folded(side) == folded)
        return;
    Column& here = column(side);
    here.is_folded = folded;
    here.is_folded_for_class = false;
    here.fold->setChecked(folded);
    update(side);
}

void WindowColumns::look_after_focus(const QWidget* had_focus) {
    if (had_focus && window_.isVisible() && !had_focus->isVisible())
        emit focus_put_away();
}

void WindowColumns::remember_widths() {
    if (left_.before_class)
        return;  // it looks already
    for (const Side side : {Side::left, Side::right})
        column(side).before_class = width(side);
    begin_before_class_ = begin_->isVisible() ? std::optional(begin_->width()) : std::nullopt;
}

void WindowColumns::give_widths_back() {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);  // of large type, or the window grows
    for (const Side side : {Side::left, Side::right})
        if (const auto before = std::exchange(column(side).before_class, std::nullopt))
            column(side).sizes.width = *before;
    // Once everything has its smaller type, and what comes back is there.
    QTimer::singleShot(0, this, [this, begin = std::exchange(begin_before_class_, std::nullopt)] {
        for (const Side side : {Side::left, Side::right})
            set_width(side, column(side).sizes.width);
        if (begin && begin_->isVisible())
            window_.resizeDocks({begin_}, {*begin}, Qt::Horizontal);
    });
}

void WindowColumns::fold_for_class(bool folded) {
    const QWidget* had_focus = window_.focusWidget();
    if (folded)
        remember_widths();
    else if (left_.before_class)
        give_widths_back();
    for (const Side side : {Side::left, Side::right}) {
        const bool was_folded = is_folded(side);
        column(side).is_folded_for_class = folded;
        if (is_folded(side) == was_folded)
            continue;
        column(side).fold->setChecked(is_folded(side));
        update(side);
    }
    look_after_focus(had_focus);
}

void WindowColumns::show_only_picture(bool only) {
    const QWidget* had_focus = window_.focusWidget();
    is_only_picture_ = only;
    update(Side::left);
    update(Side::right);
    look_after_focus(had_focus);
}

void WindowColumns::update(Side side) {
    // Never beside the panels that they stand for: a window grows to what it shows, and stays that large.
    const bool shows_strip = is_folded(side) && !is_only_picture_;
    if (!shows_strip)
        column(side).strip->hide();
    if (side == Side::left && !is_begin_in_sight())
        begin_->hide();
    if (is_away(side))
        put_away(side);
    else
        bring_back(side);
    column(side).strip->setVisible(shows_strip);
    if (side == Side::left) {
        begin_->setVisible(is_begin_in_sight());
        window_.resizeDocks({begin_}, {left_.sizes.width}, Qt::Horizontal);
    }
    emit away_changed();
}

void WindowColumns::put_away(Side side) {
    Column& here = column(side);
    if (std::exchange(here.is_put_away, true))
        return;
    here.sizes = sizes(side);
    here.hidden.clear();
    for (QDockWidget* dock : docks(side))
        if (!dock->isHidden()) {
            here.hidden.push_back(dock);
            dock->hide();
        }
}

void WindowColumns::bring_back(Side side) {
    Column& here = column(side);
    if (!std::exchange(here.is_put_away, false))
        return;
    // Showing one after another brings each to the front.
    QDockWidget *front = in_front_, *front_right = in_front_right_;
    for (QDockWidget* dock : here.hidden)
        dock->show();
    in_front_ = front;
    in_front_right_ = front_right;
    // Docks that come back sort out their tabs and their sizes only now.
    const bool is_alone = side == Side::right && behind_right_->isHidden();
    QDockWidget* raised = is_alone ? nullptr : side == Side::left ? front : front_right;
    QTimer::singleShot(0, this, [this, side, raised, sizes = here.sizes] {
        if (column(side).is_put_away)
            return;
        set_sizes(side, sizes);
        if (raised)
            raised->raise();
    });
}

void WindowColumns::bring_all_back() {
    is_only_picture_ = shows_begin_ = false;
    begin_->hide();
    for (const Side side : {Side::left, Side::right}) {
        bring_back(side);
        column(side).strip->hide();
    }
}

QDockWidget* WindowColumns::representative(Side side) const {
    if (side == Side::right)
        return inspector_->isHidden() ? behind_right_ : inspector_;
    return upper_left_->isHidden() ? in_front_ : upper_left_;
}

WindowColumns::Sizes WindowColumns::sizes(Side side) const {
    // From one dock to the other lies the line between them and the tabs, which belong to the lower place.
    const int line = window_.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &window_);
    const int lower = in_front_->geometry().bottom() - upper_left_->geometry().bottom() - line;
    Sizes now = column(side).sizes;
    now.width = std::max(representative(side)->width(), 1);
    if (!upper_left_->isHidden() && !in_front_->isHidden() && upper_left_->height() > 0 && lower > 0) {
        now.upper = upper_left_->height();
        now.lower = lower;
    }
    return now;
}

void WindowColumns::set_sizes(Side side, const Sizes& sizes) {
    window_.resizeDocks({representative(side)}, {sizes.width}, Qt::Horizontal);
    if (side == Side::left && !upper_left_->isHidden())
        window_.resizeDocks({upper_left_, in_front_}, {sizes.upper, sizes.lower}, Qt::Vertical);
}

void WindowColumns::lay_out() {
    const int width = window_.width(), height = window_.height();
    for (const Side side : {Side::left, Side::right}) {
        // A form with labels beside its fields needs more than the inspector's lines of text.
        const int part = side == Side::left ? 195 : 167;
        const Sizes fresh{std::clamp(width * part / 1000, 210, 400), height * 42 / 100, height * 58 / 100};
        column(side).sizes = fresh;
        set_width(side, fresh.width);
        if (!column(side).is_put_away)
            set_sizes(side, fresh);
    }
}

int WindowColumns::width(Side side) const {
    const Column& here = column(side);
    return here.before_class.value_or(here.is_put_away ? here.sizes.width : sizes(side).width);
}

void WindowColumns::set_width(Side side, int width) {
    Column& here = column(side);
    here.sizes.width = width;
    if (here.before_class)
        here.before_class = width;
    if (!here.is_put_away)
        window_.resizeDocks({representative(side)}, {width}, Qt::Horizontal);
    if (side == Side::left && begin_->isVisible())
        window_.resizeDocks({begin_}, {width}, Qt::Horizontal);
}

}  // namespace headlight
