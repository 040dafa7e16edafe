// What a window keeps for the next one when it closes, and brings back when it begins.

#include "ui/panels/main_window.h"

#include "ui/panels/full_screen.h"
#include "ui/panels/train_action.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_work.h"
#include "ui/views/keep_on_screen.h"

#include <QAction>
#include <QCloseEvent>

#include <utility>

namespace headlight {
namespace {

const QString geometry_key = QStringLiteral("window/geometry");
const QString state_key = QStringLiteral("window/state");
constexpr int state_version = 4;
const std::pair<WindowColumns::Side, QString> folded_keys[] = {
    {WindowColumns::Side::left, QStringLiteral("window/left_folded")},
    {WindowColumns::Side::right, QStringLiteral("window/right_folded")}};
const std::pair<WindowColumns::Side, QString> width_keys[] = {
    {WindowColumns::Side::left, QStringLiteral("window/left_width")},
    {WindowColumns::Side::right, QStringLiteral("window/right_width")}};

}  // namespace

void MainWindow::restore_layout() {
    if (!restoreGeometry(settings_.value(geometry_key).toByteArray()))
        resize(sizeHint());
    keep_on_screen(*this);  // it may be another one now
    placed_ = restoreState(settings_.value(state_key).toByteArray(), state_version);
    for (const auto& [side, key] : folded_keys)
        columns_->fold(side, settings_.value(key).toBool());
    columns_->fold_for_class(is_for_class());
    place_messages();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(was_shown_, true))
        return;
    if (!placed_)
        return columns_->lay_out();
    for (const auto& [side, key] : width_keys)
        if (const int width = settings_.value(key).toInt(); width > 0)
            columns_->set_width(side, width);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (is_terminating_)
        train_->pause();
    else if (!train_->may_close())
        return event->ignore();
    if (!work_->keep(is_terminating_))
        return event->ignore();
    for (const auto& [side, key] : width_keys)
        settings_.set_value(key, columns_->width(side));
    full_screen_->action()->setChecked(false);  // the next start has its panels again
    for (const auto& [side, key] : folded_keys)
        settings_.set_value(key, columns_->stays_folded(side));
    columns_->bring_all_back();
    settings_.set_value(geometry_key, saveGeometry());
    settings_.set_value(state_key, saveState(state_version));
    settings_.write();
    event->accept();
}

bool MainWindow::terminate() {
    is_terminating_ = true;
    const bool is_closed = close();
    is_terminating_ = false;
    return is_closed;
}

}  // namespace headlight
