#include "ui/panels/lesson_hand_out.h"

#include "core/io/files.h"
#include "ui/lesson/lesson_player.h"
#include "ui/publish/lesson_page.h"
#include "ui/views/save_path.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

namespace headlight {
namespace {

const QString lesson_folder_key = QStringLiteral("lessons/folder");

void write_bytes(const QString& path, const QByteArray& bytes) {
    write_file_atomically(path.toStdString(),
                          std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace

LessonHandOut::LessonHandOut(const LessonPlayer& player, QSettings& settings, QWidget* window)
    : QObject(window), player_(player), settings_(settings), window_(window) {}

QString LessonHandOut::suggestion(const char* extension) const {
    const QString folder = existing_folder(settings_.value(lesson_folder_key, documents_folder()).toString());
    return QDir(folder).filePath(QString::fromStdString(player_.lesson().id) + QLatin1String(extension));
}

void LessonHandOut::remember(const QString& folder) { settings_.setValue(lesson_folder_key, folder); }

void LessonHandOut::ask_handout() {
    if (!player_.is_open())
        return;
    const QString path = ask_save_path(window_, tr("A sheet for the class"), suggestion(".pdf"),
                                       tr("Sheets of A4 (*.pdf)"), {QStringLiteral("pdf")});
    if (!path.isEmpty())
        write_handout(path);
}

void LessonHandOut::ask_page() {
    if (!player_.is_open())
        return;
    const QString path = ask_save_path(window_, tr("The lesson as a page"), suggestion(".html"),
                                       tr("Pages (*.html)"), {QStringLiteral("html")});
    if (!path.isEmpty())
        write_page(path);
}

void LessonHandOut::ask_pictures() {
    if (!player_.is_open())
        return;
    const QString folder = QFileDialog::getExistingDirectory(window_, tr("A folder for the pictures"),
                                                             QFileInfo(suggestion("")).path());
    if (!folder.isEmpty())
        write_pictures(folder);
}

void LessonHandOut::write_handout(const QString& path) {
    remember(QFileInfo(path).absolutePath());
    write(path, [path](const Lesson& lesson) {
        LessonRuns runs(lesson);
        write_bytes(path, lesson_handout(runs));
    });
}

void LessonHandOut::write_page(const QString& path) {
    remember(QFileInfo(path).absolutePath());
    write(path, [path](const Lesson& lesson) {
        LessonRuns runs(lesson);
        write_bytes(path, lesson_page(runs));
    });
}

void LessonHandOut::write_pictures(const QString& folder) {
    remember(folder);
    write(folder, [folder](const Lesson& lesson) {
        write_lesson_pictures(lesson, ExportFormat::pdf, folder.toStdString());
    });
}

void LessonHandOut::write(const QString& path, const std::function<void(const Lesson&)>& work) {
    if (!player_.is_open())  // left while a dialog asked
        return;
    writing_.add({"hand out a lesson",
                  [this, path, work, lesson = player_.lesson()]() -> Job::Delivery {
                      work(lesson);
                      return
                          [this, path] { emit notice(tr("Wrote %1.").arg(QDir::toNativeSeparators(path))); };
                  },
                  [this](const Error& error) { emit problem(error); }});
}

}  // namespace headlight
