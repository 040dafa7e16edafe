// Where lessons that are made come from and go to.
#include "ui/lesson/lesson_editor.h"

#include "core/io/files.h"
#include "core/lesson/lesson_file.h"
#include "core/lesson/lesson_runs.h"
#include "core/lesson/shipped_lessons.h"
#include "core/tensor/error.h"
#include "ui/actions/context_menu.h"
#include "ui/views/describe.h"
#include "ui/views/save_path.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>

namespace headlight {
namespace {

/// Throws Error where a number, or the answer of its question, is not there.
void check_step(LessonRuns& runs, std::size_t step) {
    const LessonStep& checked = runs.lesson().steps[step];
    for (std::size_t state = 0; state < checked.states.size(); ++state)
        runs.text(step, state);
    runs.notes(step);
    runs.because(step);
    if (checked.question) {
        require_finished(*checked.question);
        runs.answer(step);
    }
}

/// Which belongs to no folder, and has no place in a course.
Lesson copy_of(Lesson lesson) {
    lesson.id = "draft";
    lesson.title = LessonEditor::tr("%1 (a copy)").arg(QString::fromStdString(lesson.title)).toStdString();
    lesson.order = 0;
    lesson.source.clear();
    return lesson;
}

QString wrong_in_step(const Lesson& lesson, std::size_t step, const Error& error) {
    return LessonEditor::tr("Step %1, “%2”: %3")
        .arg(step + 1)
        .arg(QString::fromStdString(lesson.steps[step].title), QString::fromStdString(error.what()));
}

}  // namespace

QWidget* LessonEditor::build_buttons() {
    auto* begin =
        made_button("editor_begin", tr("&New"), tr("An empty lesson, or a copy of one of the course"));
    auto* open = made_button("editor_open", tr("&Open…"), tr("A lesson's folder"));
    auto* save = made_button("editor_save", tr("&Save"), tr("Writes it into its folder again"));
    auto* save_as = made_button("editor_save_as", tr("Save &as…"),
                                tr("Writes lesson.md and lesson.json into a new folder that you name"));
    auto* checks = made_button("editor_check", tr("&Check the numbers"),
                               tr("Runs every step and looks for each number in braces"));
    auto* play =
        made_button("editor_play", tr("&Play"),
                    tr("Goes through it in the window; this one comes back when you leave the lesson"));
    auto* close = made_button("editor_close", tr("C&lose"),
                              tr("Puts this window away; what is written is there again the next time"));
    auto* beginnings = new ContextMenu(QStringLiteral("editor_beginnings_menu"), begin);
    begin->setMenu(beginnings);
    connect(beginnings, &QMenu::aboutToShow, this, [this, beginnings] {
        beginnings->offer_nothing();
        fill_beginnings(*beginnings);
    });
    auto* part = new QWidget;
    auto* buttons = new QHBoxLayout(part);
    buttons->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* button : {begin, open, save, save_as})
        buttons->addWidget(button);
    buttons->addStretch(1);
    for (QPushButton* button : {checks, play, close})
        buttons->addWidget(button);
    connect(open, &QPushButton::clicked, this, &LessonEditor::ask_open);
    connect(save, &QPushButton::clicked, this, &LessonEditor::save);
    connect(save_as, &QPushButton::clicked, this, &LessonEditor::ask_save);
    connect(checks, &QPushButton::clicked, this, &LessonEditor::check);
    connect(play, &QPushButton::clicked, this, &LessonEditor::play);
    connect(close, &QPushButton::clicked, this, &QWidget::close);
    return part;
}

void LessonEditor::fill_beginnings(ContextMenu& menu) {
    const auto bind = [this](const QAction& entry, const auto& make) {
        connect(&entry, &QAction::triggered, this, [this, make] {
            if (may_leave())
                make();
        });
    };
    bind(menu.offer(QStringLiteral("editor_empty")), [this] {
        is_unsaved_ = false;
        edit(empty_lesson());
        keeping_.start();
    });
    for (const LessonDraft::Other& other : draft_.others()) {
        const QString place = QString::fromStdString(other.place.filename().string());
        connect(
            &menu.offer(QStringLiteral("editor_other_draft"), {QString::fromStdString(other.title)}, place),
            &QAction::triggered, this, [this, there = other.place] { change_draft(there); });
    }
    for (const Lesson& lesson : shipped_lessons())
        bind(menu.offer(QStringLiteral("editor_copy"),
                        {QString::number(lesson.order), QString::fromStdString(lesson.title)},
                        QString::fromStdString(lesson.id)),
             [this, &lesson] { edit_copy(lesson); });
}

void LessonEditor::change_draft(const std::filesystem::path& other) {
    if (keeping_.isActive())
        keep();
    queue_.wait();  // before another window may take the place
    if (draft_.change_to(other))
        begin_with_draft();
    else
        say(tr("Another window has opened that lesson by now."));
}

void LessonEditor::edit_copy(Lesson lesson) {
    edit(copy_of(std::move(lesson)));
    keep_soon();
}

void LessonEditor::change(const Lesson& lesson, std::size_t step, std::size_t part) {
    const auto is_written_now = [now = write_lesson_draft(lesson_)](const Lesson& each) {
        return write_lesson_draft(each) == now;
    };
    if (!is_written_now(lesson) && !is_written_now(copy_of(lesson))) {
        if (!may_leave())
            return;
        if (std::filesystem::path(lesson.source).is_absolute())
            open(lesson);
        else
            edit_copy(lesson);
    }
    steps_->setCurrentRow(int(step), QItemSelectionModel::ClearAndSelect);
    parts_->setCurrentIndex(int(part));
    say(tr("Take the view has this part show what the window shows: a sentence of yours, too."));
}

bool LessonEditor::may_leave() {
    if (!is_unsaved_)
        return true;
    QMessageBox box(QMessageBox::Question, tr("Leave this lesson"),
                    tr("“%1” was not saved since it was changed.").arg(title_->text()), QMessageBox::Cancel,
                    this);
    box.setObjectName(QStringLiteral("leave_lesson_question"));
    box.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* leave = box.addButton(tr("&Leave it"), QMessageBox::DestructiveRole);
    box.exec();
    return box.clickedButton() == leave;
}

void LessonEditor::ask_open() {
    if (!may_leave())
        return;
    if (const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a lesson's folder"));
        !folder.isEmpty())
        open_folder(folder);
}

void LessonEditor::open_folder(const QString& folder) {
    try {
        open(read_lesson(folder.toStdString(), Unfinished::allowed));
    } catch (const Error& error) {
        say(QString::fromStdString(error.what()));
    }
}

void LessonEditor::open(Lesson lesson) {
    edit(std::move(lesson));
    is_unsaved_ = false;
    keeping_.start();
}

void LessonEditor::save() {
    if (lesson_.source.empty())
        ask_save();
    else
        save_to(QString::fromStdString(lesson_.source));
}

void LessonEditor::ask_save() {
    // A name that is no path: "Word order: cold milk" is the folder "Word order- cold milk".
    static const QRegularExpression signs(QStringLiteral(R"([/\\:*?"<>|\x00-\x1f])"));
    const QString name = title_->text().simplified().replace(signs, QStringLiteral("-"));
    const QString folder =
        QFileDialog::getSaveFileName(this, tr("Name a new folder for the lesson"),
                                     QDir(documents_folder()).filePath(name.isEmpty() ? tr("lesson") : name),
                                     {}, nullptr, QFileDialog::DontConfirmOverwrite);
    if (!folder.isEmpty() && may_replace(this, QDir(folder).filePath(QStringLiteral("lesson.json"))))
        save_to(folder);
}

void LessonEditor::save_to(const QString& folder) {
    lesson_.source = folder.toStdString();
    is_unsaved_ = false;
    keeping_.start();  // what is kept knows where it is saved
    queue_.add({"save lesson",
                [this, folder, lesson = lesson_]() -> Job::Delivery {
                    write_lesson(folder.toStdString(), lesson);
                    return [this, folder] { say(tr("Saved in %1.").arg(QDir::toNativeSeparators(folder))); };
                },
                [this](const Error& error) {
                    is_unsaved_ = true;
                    say(QString::fromStdString(error.what()));
                }});
}

void LessonEditor::keep() {
    keeping_.stop();
    if (draft_.file().empty())
        return say(tr("There is no place to keep what is written here: save it in a folder."));
    queue_.add({"keep lesson",
                [file = draft_.file(), lesson = lesson_]() -> Job::Delivery {
                    write_file_atomically(file, write_lesson_draft(lesson));
                    return {};
                },
                [this](const Error& error) {
                    say(QString::fromStdString(error.what()));
                    keeping_.start();  // there may be room on the disk again
                }});
}

void LessonEditor::play() {
    for (std::size_t at = 0; at < lesson_.steps.size(); ++at)
        try {
            if (const auto& question = lesson_.steps[at].question)
                require_finished(*question);
        } catch (const Error& error) {
            steps_->setCurrentRow(int(at), QItemSelectionModel::ClearAndSelect);
            return say(wrong_in_step(lesson_, at, error));
        }
    emit play_asked(lesson_);
}

void LessonEditor::check() {
    say(tr("Running the steps…"));
    queue_.add({"check lesson",
                [this, lesson = lesson_]() -> Job::Delivery {
                    LessonRuns runs(lesson);
                    QStringList wrong;
                    std::optional<std::size_t> first;
                    for (std::size_t at = 0; at < lesson.steps.size(); ++at)
                        try {
                            check_step(runs, at);
                        } catch (const Error& error) {
                            first = first.value_or(at);
                            wrong += wrong_in_step(lesson, at, error);
                        }
                    if (first)
                        return [this, words = wrong.join(u'\n'), at = *first] {
                            if (at < lesson_.steps.size())
                                steps_->setCurrentRow(int(at), QItemSelectionModel::ClearAndSelect);
                            say(words);
                        };
                    return [this] { say(tr("Every number and every answer is there.")); };
                },
                [this](const Error& error) { say(QString::fromStdString(error.what())); }});
}

}  // namespace headlight
