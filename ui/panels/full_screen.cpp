#include "ui/panels/full_screen.h"

#include "ui/actions/actions.h"
#include "ui/actions/shortcuts.h"
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
        take_words_back();  // what says that the key leaves is no message to be closed by it first
        if (!close_message())
            action_->setChecked(false);
    });
}

QString FullScreen::words() const {
    const QString leaves = key_text(leave_->objectName()), toggles = key_text(action_->objectName());
    if (leaves.isEmpty() && toggles.isEmpty())
        return tr("View > Full screen leaves it again.");
    if (leaves.isEmpty() || toggles.isEmpty())
        return tr("%1 leaves the full screen.").arg(leaves + toggles);
    return tr("%1 or %2 leaves the full screen.").arg(leaves, toggles);
}

void FullScreen::take_words_back() {
    if (!said_.isEmpty())
        emit notice_over(std::exchange(said_, {}));
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
    said_ = words();
    emit notice(said_);
}

void FullScreen::leave() {
    take_words_back();
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
