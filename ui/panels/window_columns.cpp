#include "ui/panels/window_columns.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace headlight {

WindowColumns::WindowColumns(QMainWindow* window) : QObject(window), window_(*window) {
    window_.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowTabbedDocks |
                           QMainWindow::AllowNestedDocks);
    window_.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window_.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window_.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
}

QDockWidget* WindowColumns::add(const QString& id, const QString& title, QWidget* content,
                                Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(id);
    dock->setWidget(content);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    auto* heading = new QLabel(title);
    heading->setObjectName(QStringLiteral("dock_title"));
    dock->setTitleBarWidget(heading);
    window_.addDockWidget(area, dock);
    return dock;
}

void WindowColumns::add_upper_left(const QString& id, const QString& title, QWidget* content) {
    upper_left_ = add(id, title, content, Qt::LeftDockWidgetArea);
}

void WindowColumns::add_lower_left(const QString& id, const QString& title, QWidget* content) {
    QDockWidget* dock = add(id, title, content, Qt::LeftDockWidgetArea);
    dock->setTitleBarWidget(new QWidget);  // its tab says who it is
    if (!lower_left_.empty())
        window_.tabifyDockWidget(lower_left_.back(), dock);
    lower_left_.push_back(dock);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool is_in_front) {
        if (is_in_front && !is_only_picture())
            in_front_ = dock;
    });
}

void WindowColumns::add_right(const QString& id, const QString& title, QWidget* content) {
    right_ = add(id, title, content, Qt::RightDockWidgetArea);
}

void WindowColumns::fill_menu(QMenu& menu) const {
    menu.addAction(upper_left_->toggleViewAction());
    for (const QDockWidget* dock : lower_left_)
        menu.addAction(dock->toggleViewAction());
    menu.addAction(right_->toggleViewAction());
}

void WindowColumns::bring_to_front(const QString& id) {
    in_front_ = *std::ranges::find(lower_left_, id, &QObject::objectName);
    if (!is_only_picture())
        in_front_->show();
    in_front_->raise();
}

void WindowColumns::show_upper_left(bool visible) {
    if (!is_only_picture())
        upper_left_->setVisible(visible);
}

QDockWidget* WindowColumns::left() const { return upper_left_->isHidden() ? in_front_ : upper_left_; }

WindowColumns::Sizes WindowColumns::sizes() const {
    return {left()->width(), right_->width(), upper_left_->height(), in_front_->height()};
}

void WindowColumns::set_sizes(const Sizes& sizes) {
    window_.resizeDocks({left(), right_}, {sizes.left, sizes.right}, Qt::Horizontal);
    if (!upper_left_->isHidden())
        window_.resizeDocks({upper_left_, in_front_}, {sizes.upper, sizes.lower}, Qt::Vertical);
}

void WindowColumns::lay_out() {
    const int width = window_.width(), height = window_.height();
    set_sizes({std::clamp(width * 24 / 100, 264, 400), std::clamp(width * 22 / 100, 232, 400),
               height * 42 / 100, height * 58 / 100});
}

void WindowColumns::keep_sizes() { kept_ = sizes(); }

void WindowColumns::bring_sizes_back() {
    if (const auto kept = std::exchange(kept_, std::nullopt))
        set_sizes(*kept);
    else
        lay_out();
}

void WindowColumns::show_only_picture(bool only, const std::vector<QWidget*>& others) {
    if (!only) {
        for (QWidget* part : hidden_)
            part->show();
        hidden_.clear();
        // Docks that come back sort out their tabs only now.
        QTimer::singleShot(0, in_front_, [front = in_front_] { front->raise(); });
        return;
    }
    std::vector<QWidget*> parts{upper_left_, right_};
    parts.insert(parts.end(), lower_left_.begin(), lower_left_.end());
    parts.insert(parts.end(), others.begin(), others.end());
    for (QWidget* part : parts)
        if (!part->isHidden()) {
            hidden_.push_back(part);
            part->hide();
        }
}

}  // namespace headlight
