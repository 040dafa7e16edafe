// What is opened: asked for, read off the UI thread, and put into what was open or in its place.

#include "ui/panels/file_actions.h"

#include "core/figure/fit_scales.h"
#include "core/figure/theme_table.h"
#include "core/io/session_run.h"
#include "core/workbench/figure_edits.h"
#include "core/workbench/sequence_edits.h"
#include "core/workbench/session_edits.h"
#include "ui/models/autosave.h"
#include "ui/models/document.h"
#include "ui/models/open_file.h"
#include "ui/models/run_figure.h"
#include "ui/render/export.h"
#include "ui/render/picture_image.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QWidget>

namespace headlight {
namespace {

/// The error with the file's name where it names no place of its own.
Error naming(const QString& path, const Error& error) {
    return error.detail().where.empty() ? error.within(QFileInfo(path).fileName().toStdString()) : error;
}

}  // namespace

void FileActions::ask_open() {
    const QString images = QStringLiteral("*") + picture_extensions().join(QStringLiteral(" *"));
    const QString path =
        QFileDialog::getOpenFileName(window_, tr("Open"), folder_.path(),
                                     tr("Everything Headlight reads (*.json *.txt *.csv *.npz *.npy "
                                        "*.safetensors *.formula %2 %1);;Images (%1);;"
                                        "Formulas (*.formula);;All files (*)")
                                         .arg(images, name_patterns()));
    if (!path.isEmpty())
        open_path(path);
}

void FileActions::ask_parameters() {
    const QString path = QFileDialog::getOpenFileName(window_, tr("Parameters from a file"), folder_.path(),
                                                      tr("Inputs with parameters (*.json *.safetensors)"));
    if (!path.isEmpty())
        open_parameters_of(path);
}

void FileActions::ask_range_file() {
    const QString path = QFileDialog::getOpenFileName(
        window_, tr("Colours as in another figure"), folder_.path(),
        tr("Sessions, traces and exported figures (*.json *.safetensors %1)").arg(name_patterns()));
    if (!path.isEmpty())
        take_range_of(path);
}

void FileActions::take_range_of(const QString& path) {
    reading_.start(
        "take a range",
        [this, path, current = document_.snapshot()](const Cancellation&) -> Job::Delivery {
            autosave_.wait();
            writing_.wait();
            const OpenedFile opened = open_file(path.toStdString(), *current);
            if (opened.into)
                throw Error({"take a range", path.toStdString(), "a session, a trace or an exported figure",
                             "a file that becomes a part of a session"});
            const Figure figure = session_figure(opened.session);
            return [this, path, range = drawn_range(figure, opened.session.figure.range)] {
                folder_.remember_place_of(path);
                document_.edit(
                    choose_range_of(document_.session(), range, QFileInfo(path).fileName().toStdString()));
                emit notice(
                    tr("Colours go from %1, as in %2.")
                        .arg(QString::fromStdString(range_in_words(range)), QFileInfo(path).fileName()));
            };
        },
        [this, path](const Error& error) { emit problem(naming(path, error)); });
}

void FileActions::ask_other_capture() {
    const QString path =
        QFileDialog::getOpenFileName(window_, tr("A capture to compare with"), folder_.path(),
                                     tr("Captures and traces (*.npz *.npy *.safetensors *.json *.csv)"));
    if (!path.isEmpty())
        open_other_capture(path);
}

void FileActions::ask_other_model() {
    const QString path = QFileDialog::getExistingDirectory(
        window_, tr("The folder of a model to compare with"), folder_.path());
    if (!path.isEmpty())
        open_other_model(path);
}

void FileActions::ask_model() {
    const QString path =
        QFileDialog::getExistingDirectory(window_, tr("The folder of a model"), folder_.path());
    if (!path.isEmpty())
        open_path(path);
}

void FileActions::start_over(const QString& what) {
    make_way(Replaced::everything, [this, what] {
        document_.leave_lesson();
        document_.edit(headlight::start_over(document_.session()));
        document_.history()->setClean();  // there is nothing in it that could be lost
        set_place({});
        figures_ = {};
        exported_as_.reset();
        emit opened();
        emit notice(what);
    });
}

void FileActions::show_example() { start_over(tr("The worked example. Undo brings back what was there.")); }

void FileActions::show_example_picture() {
    document_.edit(headlight::show_example_picture(document_.session(), cut(example_picture())));
    emit opened();
    emit notice(tr("The patches of the picture are the tokens now. Undo brings back what was there."));
}

void FileActions::paste_picture() {
    const QImage image = QGuiApplication::clipboard()->image();
    if (image.isNull()) {
        emit problem(Error({"paste image", "clipboard", "an image", "something else, or nothing"}));
        return;
    }
    document_.open_into(paste_image(document_.session(), cut(to_picture(image))));
    emit opened();
    emit notice(tr("The patches of the image are the tokens now. Undo brings back what was there."));
}

void FileActions::open_path(const QString& path) { read(path, &open_file); }
void FileActions::open_other_capture(const QString& path) { read(path, &headlight::open_other_capture); }
void FileActions::open_other_model(const QString& folder) { read(folder, &headlight::open_other_model); }
void FileActions::open_parameters_of(const QString& path) { read(path, &open_parameters); }

void FileActions::read(const QString& named, Reader reader) {
    const QString path = QFileInfo(named).absoluteFilePath();  // the next start may be in another folder
    if (QFileInfo::exists(path))  // what cannot be read is looked for beside what was chosen
        folder_.remember_place_of(path);
    reading_.start(
        "open file",
        [this, path, reader, current = document_.snapshot()](const Cancellation&) -> Job::Delivery {
            // Work that was put aside or saved a moment ago may still be on its way to the disk.
            autosave_.wait();
            writing_.wait();
            const FileVersion version = version_of(path);  // before it is read: it may change meanwhile
            const auto opened = std::make_shared<const OpenedFile>(reader(path.toStdString(), *current));
            return [this, path, version, opened] { take(path, version, *opened); };
        },
        [this, path](const Error& error) { emit problem(naming(path, error)); });
}

Session FileActions::in_window_theme(Session session) const {
    if (is_for_paper(session.view.theme))
        session.view.theme = document_.session().view.theme;
    return session;
}

void FileActions::take(const QString& path, const FileVersion& version, const OpenedFile& opened) {
    const QString name = QFileInfo(path).fileName();
    Session after;
    if (opened.into)
        after = opened.into(document_.session());
    const auto take_into = [&](const QString& called, const QString& said) {
        emit notice(said);  // first, so that what cannot run then says so in its place
        document_.open_into({called.toStdString(), std::move(after)});
    };
    switch (opened.kind) {
    case OpenedFile::Kind::text:
    case OpenedFile::Kind::inputs:
    case OpenedFile::Kind::parameters:
        take_into(tr("Open %1").arg(name), tr("Opened %1. Undo brings back what was there.").arg(name));
        break;
    case OpenedFile::Kind::image:
        take_into(tr("Open %1").arg(name),
                  tr("Opened %1: its patches are the tokens. Undo brings back what was there.").arg(name));
        break;
    case OpenedFile::Kind::capture:
        take_into(tr("Open %1").arg(name),
                  tr("Opened %1: attention that was computed elsewhere. %2Undo brings back what was there.")
                      .arg(name, opened.remark.empty()
                                     ? QString()
                                     : QString::fromStdString(opened.remark) + QLatin1Char(' ')));
        break;
    case OpenedFile::Kind::counterpart:
        take_into(tr("Compare with %1").arg(name),
                  tr("The maps show what is more here than in %1 and what is less; Statistics has the heads "
                     "that change most. Undo ends the comparison.")
                      .arg(name));
        break;
    case OpenedFile::Kind::model:
        take_into(tr("Open the model %1").arg(name), tr("The model has answered: press play to see it step "
                                                        "by step. Undo brings back what was there."));
        break;
    case OpenedFile::Kind::mechanism:
        emit mechanism_opening();
        take_into(tr("Open %1").arg(name), tr("Opened the mechanism “%1”. Undo brings back what was there.")
                                               .arg(QString::fromStdString(after.custom->name)));
        emit mechanism_opened();
        break;
    case OpenedFile::Kind::figure:
    case OpenedFile::Kind::trace:
    case OpenedFile::Kind::session:
        if (opened.lesson)  // sets aside what is open
            return replace_with(path, version, opened);
        return make_way(Replaced::everything,
                        [this, path, version, opened] { replace_with(path, version, opened); });
    }
    recent_.add(path);
    emit this->opened();
}

void FileActions::replace_with(const QString& path, const FileVersion& version, const OpenedFile& opened) {
    const bool is_session = opened.kind == OpenedFile::Kind::session;
    const Session session = in_window_theme(opened.session);
    if (opened.lesson)
        emit lesson_opened(*opened.lesson, session);
    else
        document_.reset(session);
    if (!is_session) {
        set_place({{}, {}, path});  // a figure or a trace is never saved over
    } else if (autosave_.keeps(path.toStdString())) {
        set_place({});  // what was put aside is the program's, which removes it one day
        document_.history()->resetClean();
    } else {
        set_place({path, version, {}});
    }
    figures_ = {};
    if (opened.kind == OpenedFile::Kind::figure)
        figures_.of_views[ExportDialog::shown_word(document_)] = path;
    exported_as_.reset();
    QStringList told{is_session ? tr("Opened %1.").arg(QFileInfo(path).fileName())
                                : tr("Back at the view of %1.").arg(QFileInfo(path).fileName())};
    for (const std::string& more : {opened.remark, opened.missing_lesson})
        if (!more.empty())
            told += QString::fromStdString(more);
    recent_.add(path);
    emit this->opened();
    emit notice(told.join(u' '));
}

}  // namespace headlight
