#include "ui/panels/full_screen.h"

#include "ui/actions/shortcuts.h"
#include "ui/models/action_tip.h"
#include "ui/panels/view_tabs.h"
#include "ui/panels/window_columns.h"

#include <QAction>
#include <QMainWindow>
#include <QMenuBar>

#include <utility>

namespace headlight {

FullScreen::FullScreen(QMainWindow* window, WindowColumns& columns, ViewTabs& views,
                       std::vector<QWidget*> others, std::function<bool()> close_message)
    : QObject(window), window_(*window), columns_(columns), views_(views), others_(std::move(others)),
      action_(new QAction(tr("&Full screen"), this)), leave_(new QAction(tr("Leave the full screen"), this)) {
    action_->setObjectName(QStringLiteral("only_picture"));
    action_->setCheckable(true);
    give_keys(*action_);
    action_->setToolTip(tr("The picture and the player alone, on the whole screen; Esc comes back"));
    connect(action_, &QAction::toggled, this, [this](bool on) { on ? enter() : leave(); });
    leave_->setObjectName(QStringLiteral("leave_full_screen"));
    give_keys(*leave_);
    leave_->setEnabled(false);  // Esc has other work then
    leave_->setToolTip(tr("Brings the panels back"));
    tell_lack(*leave_, tr("The window does not fill the screen"));
    connect(leave_, &QAction::triggered, action_, [this, close_message = std::move(close_message)] {
        if (!close_message())
            action_->setChecked(false);
    });
    window_.addAction(leave_);
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
