// What a window keeps for the next one when it closes, and brings back when it begins.

#include "ui/panels/main_window.h"

#include "core/lesson/shipped_lessons.h"
#include "core/workbench/mask_edits.h"
#include "ui/models/autosave.h"
#include "ui/models/open_file.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/full_screen.h"
#include "ui/panels/train_action.h"
#include "ui/panels/window_columns.h"
#include "ui/panels/window_lessons.h"
#include "ui/panels/window_messages.h"
#include "ui/views/keep_on_screen.h"

#include <QAction>
#include <QCloseEvent>
#include <QMessageBox>
#include <QPushButton>

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

void MainWindow::restore_work(const std::optional<LastWork>& work) {
    if (!work)
        return;
    if (!work->saved)
        document_->history()->resetClean();
    files_->restore_files(work->file, {});
    if (work->lesson && !restore_lesson(*work))
        return;
    if (work->drawing) {
        document_->edit(draw_mask(document_->session(), work->drawing));
        return messages_->show_lasting_notice(
            tr("Your work was restored, with the mask that you were drawing. Undo takes the mask back."));
    }
    if (work->was_closed)
        messages_->say(tr("Back where you left it. File > New starts from the worked example."));
    else
        messages_->show_lasting_notice(tr("Headlight was not closed properly. Your work was restored."));
}

bool MainWindow::restore_lesson(const LastWork& work) {
    try {
        lessons_->resume({open_lesson_at(work.lesson->place), work.lesson->place}, work.lesson->session);
    } catch (const Error& error) {
        messages_->show_lasting_notice(
            tr("The lesson that was open cannot be opened any more: %1. This is what was open before it.")
                .arg(QString::fromStdString(error.what())));
        if (!work.lesson->saved)
            files_->offer(UnsavedWork{std::make_shared<const Session>(work.lesson->session)});
        return false;
    }
    if (!work.lesson->saved)
        document_->history()->resetClean();
    files_->restore_files(work.file, work.lesson->file);
    return true;
}

void MainWindow::tell_found_work() {
    const FoundWork& found = autosave_->found();
    if (!found.sessions.empty() || !found.unreadable.empty() || !found.removed.empty())
        messages_->add_lasting_notice(files_->offer(found));
    if (keys_.problem())
        messages_->add_lasting_notice(QString::fromStdString(keys_.problem()->what()));
    if (autosave_->problem())
        messages_->show_lasting_problem(*autosave_->problem());
}

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
    const std::optional<Error> error = autosave_->close();
    const bool is_lost = error && document_->has_unsaved_work();
    if (is_lost && (is_terminating_ || !may_lose_work(*error)))
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

bool MainWindow::may_lose_work(const Error& error) {
    QMessageBox box(QMessageBox::Warning, tr("Your work is not kept"),
                    tr("Headlight could not keep your work for the next start: %1\n\nSave it to another "
                       "place, or close without it.")
                        .arg(QString::fromStdString(error.what())),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("lost_work_question"));
    box.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* save = box.addButton(tr("&Save as…"), QMessageBox::AcceptRole);
    const QPushButton* lose = box.addButton(tr("Close &without it"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() == save)
        files_->ask_save();
    return box.clickedButton() == lose;
}

bool MainWindow::terminate() {
    is_terminating_ = true;
    const bool is_closed = close();
    is_terminating_ = false;
    return is_closed;
}

}  // namespace headlight
