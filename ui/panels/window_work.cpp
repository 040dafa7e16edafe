#include "ui/panels/window_work.h"

#include "core/lesson/shipped_lessons.h"
#include "core/workbench/mask_edits.h"
#include "ui/actions/key_settings.h"
#include "ui/models/autosave.h"
#include "ui/models/document.h"
#include "ui/models/open_file.h"
#include "ui/panels/file_actions.h"
#include "ui/panels/window_lessons.h"
#include "ui/panels/window_messages.h"

#include <QMessageBox>
#include <QPushButton>

#include <memory>

namespace headlight {

WindowWork::WindowWork(Document& document, Autosave& autosave, FileActions& files, WindowLessons& lessons,
                       WindowMessages& messages, QWidget* window)
    : QObject(window), document_(document), autosave_(autosave), files_(files), lessons_(lessons),
      messages_(messages), window_(window) {}

void WindowWork::restore(const LastWork& work) {
    if (!work.saved)
        document_.history()->resetClean();
    files_.restore_files(work.file, {});
    if (work.lesson && !restore_lesson(work))
        return;
    if (work.drawing) {
        document_.edit(draw_mask(document_.session(), work.drawing));
        return messages_.show_lasting_notice(
            tr("Your work was restored, with the mask that you were drawing. Undo takes the mask back."));
    }
    if (work.was_closed)
        messages_.say(tr("Back where you left it. File > New starts from the worked example."));
    else
        messages_.show_lasting_notice(tr("Headlight was not closed properly. Your work was restored."));
}

bool WindowWork::restore_lesson(const LastWork& work) {
    try {
        lessons_.resume({open_lesson_at(work.lesson->place), work.lesson->place}, work.lesson->session);
    } catch (const Error& error) {
        messages_.show_lasting_notice(
            tr("The lesson that was open cannot be opened any more: %1. This is what was open before it.")
                .arg(QString::fromStdString(error.what())));
        if (!work.lesson->saved)
            files_.offer(UnsavedWork{std::make_shared<const Session>(work.lesson->session)});
        return false;
    }
    if (!work.lesson->saved)
        document_.history()->resetClean();
    files_.restore_files(work.file, work.lesson->file);
    return true;
}

void WindowWork::tell_found(const KeySettings& keys) {
    const FoundWork& found = autosave_.found();
    if (!found.sessions.empty() || !found.unreadable.empty() || !found.removed.empty())
        messages_.add_lasting_notice(files_.offer(found));
    if (keys.problem())
        messages_.add_lasting_notice(QString::fromStdString(keys.problem()->what()));
    if (autosave_.problem())
        messages_.show_lasting_problem(*autosave_.problem());
}

bool WindowWork::keep(bool is_terminating) {
    const std::optional<Error> error = autosave_.close();
    return !error || !document_.has_unsaved_work() || (!is_terminating && may_lose(*error));
}

bool WindowWork::may_lose(const Error& error) {
    QMessageBox box(QMessageBox::Warning, tr("Your work is not kept"),
                    tr("Headlight could not keep your work for the next start: %1\n\nSave it to another "
                       "place, or close without it.")
                        .arg(QString::fromStdString(error.what())),
                    QMessageBox::Cancel, window_);
    box.setObjectName(QStringLiteral("lost_work_question"));
    box.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* save = box.addButton(tr("&Save as…"), QMessageBox::AcceptRole);
    const QPushButton* lose = box.addButton(tr("Close &without it"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() == save)
        files_.ask_save();
    return box.clickedButton() == lose;
}

}  // namespace headlight
