#include "ui/panels/file_actions.h"

#include "core/attention/options.h"
#include "core/io/files.h"
#include "core/io/mechanism_file.h"
#include "core/io/session_model.h"
#include "core/io/session_place.h"
#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"
#include "ui/models/autosave.h"
#include "ui/models/document.h"
#include "ui/models/open_file.h"
#include "ui/render/export.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QWidget>

#include <algorithm>
#include <optional>

namespace headlight {
namespace {

const QString recent_files = QStringLiteral("recent_files");

QString file_name(const QString& path) { return QFileInfo(path).fileName(); }

QString told_of_removed(const std::vector<std::filesystem::path>& oldest) {
    QStringList names;
    for (const auto& file : oldest)
        names += QString::fromStdString(file.filename().string());
    return FileActions::tr("The newest %1 works that were put aside are kept. Removed: %2.")
        .arg(most_unsaved)
        .arg(names.join(QStringLiteral(", ")));
}

QString lesson_stem(const LessonPlace& lesson) {
    const QString name = file_name(QString::fromStdString(lesson.lesson));
    return QStringLiteral("%1-%2").arg(name.isEmpty() ? QStringLiteral("lesson") : name).arg(lesson.step + 1);
}

/// Returns the name that is proposed for a session that is in no file yet: "softmax-2.json" for the second
/// step of a lesson, "map-session.json" for a view of map.npz.
QString first_name(const std::optional<LessonPlace>& lesson, const QString& from) {
    if (!from.isEmpty())
        return QFileInfo(from).completeBaseName() + QStringLiteral("-session.json");
    if (!lesson)
        return QStringLiteral("session.json");
    return lesson_stem(*lesson) + QStringLiteral(".json");
}

bool is_formula_name(const QString& path) {
    return path.endsWith(QLatin1String(formula_extension), Qt::CaseInsensitive);
}

/// Returns the lines of a formula with what stands around them, as its file has them.
std::string formula_file(const AttentionSpec& spec) {
    return write_formula(spec, spec.algorithm.options.word("text"));
}

/// Returns what the names of figures begin with: the name of the file that is shown, without its extension.
QString figure_stem(const std::optional<LessonPlace>& lesson, const QString& shown) {
    return !shown.isEmpty() ? QFileInfo(shown).completeBaseName()
           : lesson         ? lesson_stem(*lesson)
                            : QStringLiteral("attention");
}

}  // namespace

FileActions::FileVersion FileActions::version_of(const QString& file) {
    std::error_code missing;  // then it is the version of no file
    const std::filesystem::path path = file.toStdString();
    const auto written = std::filesystem::last_write_time(path, missing);
    return {written, std::filesystem::file_size(path, missing)};
}

FileActions::FileActions(Document& document, Autosave& autosave, WindowSettings& settings, Actions& actions,
                         QWidget* window)
    : QObject(window), document_(document), autosave_(autosave),
      folder_(settings, QStringLiteral("files/folder")), window_(window), recent_(settings),
      recent_menu_(new ContextMenu(recent_files, window)), of_run_{
                                                               &actions.at(QStringLiteral("file_export")),
                                                               &actions.at(QStringLiteral("copy_figure")),
                                                               &actions.at(QStringLiteral("copy_numbers")),
                                                               &actions.at(QStringLiteral("copy_words")),
                                                               &actions.at(QStringLiteral("file_print"))} {
    actions.put(recent_files, {recent_menu_->menuAction()});
    actions.set_effect(
        QStringLiteral("file_export"),
        tr("Saves the picture or its numbers (%1)").arg(QString::fromStdString(extension_list())));
    bind(actions);
    connect(&autosave_, &Autosave::removed, this,
            [this](const auto& oldest) { emit notice(told_of_removed(oldest)); });
    connect(&document_, &Document::lesson_changed, this, &FileActions::follow_lesson);
    connect(&document_, &Document::run_changed, this, &FileActions::follow_run);
    follow_run();
    connect(&recent_, &RecentFiles::changed, this, &FileActions::fill_recent);
    fill_recent();
}

void FileActions::bind(Actions& actions) {
    actions.bind(QStringLiteral("file_new"), this, [this] {
        start_over(tr("A new session, from the worked example. Undo brings back what was there."));
    });
    actions.bind(QStringLiteral("file_open"), this, &FileActions::ask_open);
    actions.bind(QStringLiteral("example_picture"), this, &FileActions::show_example_picture);
    actions.bind(QStringLiteral("paste_picture"), this, &FileActions::paste_picture);
    actions.bind(QStringLiteral("file_save"), this, &FileActions::save);
    actions.bind(QStringLiteral("file_save_as"), this, &FileActions::ask_save);
    actions.bind(QStringLiteral("copy_figure"), this, &FileActions::copy_figure);
    actions.bind(QStringLiteral("copy_numbers"), this, &FileActions::copy_numbers);
    actions.bind(QStringLiteral("copy_words"), this, &FileActions::copy_words);
    actions.bind(QStringLiteral("copy_citation"), this, &FileActions::copy_citation);
    actions.bind(QStringLiteral("file_quit"), window_, &QWidget::close);
}

void FileActions::follow_run() {
    for (QAction* action : of_run_)
        action->setEnabled(document_.run() != nullptr);
}

void FileActions::fill_recent() {
    recent_menu_->offer_nothing();
    const QStringList files = recent_.files();
    for (const QString& file : files) {
        const QString shown = QFontMetrics(recent_menu_->font())
                                  .elidedText(QDir::toNativeSeparators(file), Qt::ElideMiddle, 480);
        // The list of commands remembers which were used, beyond "Clear this list": a file is not named
        // there.
        const QString one = QString::number(qHash(file, 0));
        connect(&recent_menu_->offer(QStringLiteral("open_recent"), {shown, file}, one), &QAction::triggered,
                this, [this, file] { open_path(file); });
    }
    recent_menu_->setEnabled(!files.isEmpty());
    if (!files.isEmpty())
        connect(&recent_menu_->offer(QStringLiteral("clear_recent")), &QAction::triggered, &recent_,
                &RecentFiles::clear, Qt::QueuedConnection);
}

void FileActions::restore_files(const QString& own, const QString& in_lesson) {
    own_ = {own, version_of(own), {}};
    in_lesson_ = {in_lesson, version_of(in_lesson), {}};
    tell_files();
}

QString FileActions::name() const {
    const Place& place = where();
    if (place.file.isEmpty() && !place.from.isEmpty())
        return tr("%1 (a view of it, not saved)").arg(file_name(place.from));
    return file_name(place.file);
}

void FileActions::set_place(const Place& place) {
    (document_.lesson() ? in_lesson_ : own_) = place;
    tell_files();
}

void FileActions::tell_files() {
    autosave_.set_file(own_.file);
    autosave_.set_lesson_file(in_lesson_.file);
    emit file_changed();
}

void FileActions::follow_lesson() {
    std::optional<std::string> shown;
    if (document_.lesson())
        shown = document_.lesson()->lesson;
    if (std::exchange(lesson_, shown) == shown)
        return;  // it only went on
    in_lesson_ = {};
    tell_files();
}

std::vector<UnsavedWork> FileActions::unsaved_work(Replaced replaced) const {
    std::vector<UnsavedWork> work;
    if (replaced == Replaced::everything && !document_.own_history()->isClean())
        work.push_back({document_.own_snapshot()});
    // Where only the lesson is left, what was opened in it stays open.
    const bool stays = replaced == Replaced::lesson && document_.shows_opened();
    if (document_.lesson() && !document_.history()->isClean() && !stays)
        work.push_back({document_.snapshot(), document_.lesson()});
    return work;
}

void FileActions::make_way(Replaced replaced, std::function<void()> go_on) {
    const bool is_under_way = waiting_.has_value();
    waiting_ = Waiting{replaced, std::move(go_on)};
    if (!is_under_way)
        put_aside();
}

void FileActions::put_aside() {
    const std::vector<UnsavedWork> work = unsaved_work(waiting_->replaced);
    const auto go_on = [this] { std::exchange(waiting_, std::nullopt)->go_on(); };
    if (work.empty())
        return go_on();
    const auto kept = [this, work, go_on](const std::vector<std::filesystem::path>& files) {
        add_recent(files);
        // A person may have gone on working meanwhile.
        const std::vector<UnsavedWork> now = unsaved_work(waiting_->replaced);
        const bool is_all_kept = std::ranges::all_of(now, [&](const UnsavedWork& each) {
            return std::ranges::any_of(work, [&](const UnsavedWork& known) {
                return same_edits(*known.session, *each.session) && known.lesson == each.lesson;
            });
        });
        is_all_kept ? go_on() : put_aside();
    };
    autosave_.keep_aside(work, kept, [this](const Error& error) {
        waiting_.reset();
        emit problem(
            Error({"replace what is open", "",
                   "its unsaved changes on the disk first: they are still open, and nothing was replaced",
                   error.what()}));
    });
}

void FileActions::leave_lesson() {
    const bool was_changed = !unsaved_work(Replaced::lesson).empty();
    make_way(Replaced::lesson, [this, was_changed] {
        const bool stays = document_.keeps_opened();
        document_.leave_lesson();
        QStringList told;
        if (stays)
            told +=
                tr("What you opened in the lesson stays open. Undo brings back what was there before it.");
        if (was_changed)
            told += tr("What you changed in the lesson is the first file under File > Open recent.");
        if (!told.isEmpty())
            emit notice(told.join(u' '));
    });
}

void FileActions::save() {
    const Place place = where();
    if (place.file.isEmpty())
        return ask_save();
    // What this window is writing changes the file as well.
    if (is_saving() || !QFileInfo::exists(place.file) || version_of(place.file) == place.version)
        return save_to(place.file);
    QMessageBox box(
        QMessageBox::Question, tr("Save the session"),
        tr("%1 was changed by another window or program since it was opened or saved here. Replace "
           "what it holds now?")
            .arg(file_name(place.file)),
        QMessageBox::Cancel, window_);
    box.setObjectName(QStringLiteral("changed_file_question"));
    box.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* elsewhere = box.addButton(tr("&Save as…"), QMessageBox::AcceptRole);
    const QPushButton* replace = box.addButton(tr("&Replace"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() == replace)
        save_to(place.file);
    else if (box.clickedButton() == elsewhere)
        ask_save();
}

void FileActions::ask_save() {
    const QString suggestion =
        file().isEmpty() ? QDir(folder_.path()).filePath(first_name(document_.lesson(), where().from))
                         : file();
    const QString path = ask_save_path(window_, tr("Save the session"), suggestion, tr("Sessions (*.json)"),
                                       {QStringLiteral("json")});
    if (!path.isEmpty())
        save_to(path);
}

void FileActions::save_to(const QString& path) {
    const auto session = document_.snapshot();
    const std::optional<LessonPlace> lesson = document_.lesson();
    autosave_.hurry();
    const auto write = [this, path, session, lesson]() -> Job::Delivery {
        // What a kill brings back is never older than what was saved: it would be saved over it.
        autosave_.wait();
        write_file_atomically(path.toStdString(), write_session_to(path.toStdString(), *session, lesson));
        return [this, path, session, lesson, version = version_of(path)] {
            --saving_;
            recent_.add(path);
            folder_.remember_place_of(path);
            take_saved(session, lesson, {path, version, {}});
            emit notice(tr("Saved %1.").arg(file_name(path)));
        };
    };
    ++saving_;
    writing_.add({"save file", write, [this](const Error& error) {
                      --saving_;
                      emit problem(error);
                  }});
}

void FileActions::take_saved(const std::shared_ptr<const Session>& session,
                             const std::optional<LessonPlace>& lesson, const Place& place) {
    if (!lesson) {
        if (same_edits(*document_.own_snapshot(), *session))
            document_.own_history()->setClean();
        own_ = place;
    } else if (document_.lesson() && document_.lesson()->lesson == lesson->lesson) {
        if (same_edits(document_.session(), *session))
            document_.history()->setClean();
        in_lesson_ = place;
    }
    tell_files();
}

void FileActions::add_writing(const std::string& name, Job::Work work) {
    writing_.add({name, std::move(work), [this](const Error& error) { emit problem(error); }});
}

void FileActions::ask_save_mechanism() {
    const Session& session = document_.session();
    if (!session.custom)
        return;
    const CustomMechanism mechanism{session.custom->name, session_spec(session)};
    const QString name = QString::fromStdString(mechanism.name).replace(QChar('/'), QChar('-'));
    QStringList extensions{QStringLiteral("json")};
    QString kinds = tr("Mechanisms (*.json)");
    if (mechanism.spec.algorithm.type == AlgorithmType::formula) {  // first: its lines can be read
        extensions.prepend(QStringLiteral("formula"));
        kinds.prepend(tr("Formulas (*.formula)") + QStringLiteral(";;"));
    }
    const QString path = ask_save_path(
        window_, tr("Save the mechanism"),
        QDir(folder_.path()).filePath(name + QChar(u'.') + extensions.constFirst()), kinds, extensions);
    if (!path.isEmpty())
        save_mechanism_to(path, mechanism);
}

void FileActions::save_mechanism_to(const QString& path, const CustomMechanism& mechanism) {
    add_writing("save file", [this, path, mechanism]() -> Job::Delivery {
        write_file_atomically(path.toStdString(), is_formula_name(path) ? formula_file(mechanism.spec)
                                                                        : write_mechanism(mechanism));
        return [this, path] {
            folder_.remember_place_of(path);
            emit notice(tr("Saved %1. Dropped on a window, it opens there.").arg(file_name(path)));
        };
    });
}

QString FileActions::figures_beginning() const {
    const QString stem = figure_stem(document_.lesson(), file().isEmpty() ? where().from : file());
    const QDir folder(file().isEmpty() ? folder_.path() : QFileInfo(file()).path());
    return folder.filePath(stem);
}

void FileActions::add_recent(const std::vector<std::filesystem::path>& files) {
    for (const auto& file : files)
        recent_.add(QString::fromStdString(file.string()));
}

void FileActions::offer(const UnsavedWork& work) {
    autosave_.keep_aside(
        {work}, [this](const auto& files) { add_recent(files); },
        [this](const Error& error) { emit problem(error); });
}

QString FileActions::offer(const FoundWork& found) {
    QStringList texts;
    add_recent(found.sessions);
    if (found.sessions.size() == 1)
        texts += tr("The work of another window was found: it is the first file under File > Open recent.");
    else if (found.sessions.size() > 1)
        texts += tr("The work of %1 other windows was found: it is under File > Open recent.")
                     .arg(found.sessions.size());
    for (const auto& file : found.unreadable)
        texts += tr("Work that could not be read was kept as %1.")
                     .arg(QDir::toNativeSeparators(QString::fromStdString(file.string())));
    if (!found.removed.empty())
        texts += told_of_removed(found.removed);
    return texts.join(QChar(' '));
}

}  // namespace headlight
