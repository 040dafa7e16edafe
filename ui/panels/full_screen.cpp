#include "ui/panels/full_screen.h"

#include "ui/actions/actions.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"

#include <QAction>
#include <QMainWindow>
#include <QMenuBar>

#include <utility>

namespace headlight {

FullScreen::FullScreen(QMainWindow* window, Actions& actions, WindowColumns& columns, ViewTabs& views,
                       std::vector<QWidget*> others, std::function<bool()> close_message)
    : QObject(window), window_(*window), columns_(columns), views_(views), others_(std::move(others)),
      action_(&actions.at(QStringLiteral("only_picture"))),
      leave_(&actions.at(QStringLiteral("leave_full_screen"))) {
    action_->setCheckable(true);
    connect(action_, &QAction::toggled, this, [this](bool on) { on ? enter() : leave(); });
    leave_->setEnabled(false);  // Esc has other work then
    connect(leave_, &QAction::triggered, action_, [this, close_message = std::move(close_message)] {
        if (!close_message())
            action_->setChecked(false);
    });
}

void FullScreen::enter() {
    before_ = window_.windowState();
    geometry_ = window_.geometry();
    columns_.show_only_picture(true);
    views_.show_only_picture(true);
    for (QWidget* part : others_)
        if (!part->isHidden()) {
            hidden_.push_back(part);
            part->hide();
        }
    // Not hidden: the keys of a menu bar that is hidden do nothing.
    window_.menuBar()->setMaximumHeight(0);
    leave_->setEnabled(true);
    window_.setWindowState(before_ | Qt::WindowFullScreen);
}

void FullScreen::leave() {
    leave_->setEnabled(false);
    window_.setWindowState(before_ & ~Qt::WindowFullScreen);
    window_.menuBar()->setMaximumHeight(QWIDGETSIZE_MAX);
    for (QWidget* part : std::exchange(hidden_, {}))
        part->show();
    views_.show_only_picture(false);
    columns_.show_only_picture(false);
    if (!(before_ & (Qt::WindowMaximized | Qt::WindowMinimized)))
        window_.setGeometry(geometry_);  // not every window system does it
}

}  // namespace headlight
