#include "ui/panels/lesson_hand_out.h"

#include "core/io/files.h"
#include "ui/lesson/lesson_player.h"
#include "ui/publish/lesson_page.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace headlight {
namespace {

void write_bytes(const QString& path, const QByteArray& bytes) {
    write_file_atomically(path.toStdString(),
                          std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace

LessonHandOut::LessonHandOut(const LessonPlayer& player, WindowSettings& settings, QWidget* window)
    : QObject(window), player_(player), folder_(settings, QStringLiteral("lessons/folder")), window_(window) {
}

QString LessonHandOut::suggestion(const char* extension) const {
    return QDir(folder_.path())
        .filePath(QString::fromStdString(player_.lesson().id) + QLatin1String(extension));
}

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
    const QString folder =
        QFileDialog::getExistingDirectory(window_, tr("A folder for the pictures"), folder_.path());
    if (!folder.isEmpty())
        write_pictures(folder);
}

void LessonHandOut::write_handout(const QString& path) {
    write(path, QFileInfo(path).absolutePath(), [path](const Lesson& lesson) {
        LessonRuns runs(lesson);
        write_bytes(path, lesson_handout(runs));
    });
}

void LessonHandOut::write_page(const QString& path) {
    write(path, QFileInfo(path).absolutePath(), [path](const Lesson& lesson) {
        LessonRuns runs(lesson);
        write_bytes(path, lesson_page(runs));
    });
}

void LessonHandOut::write_pictures(const QString& folder) {
    write(folder, folder, [folder](const Lesson& lesson) {
        write_lesson_pictures(lesson, ExportFormat::pdf, folder.toStdString());
    });
}

void LessonHandOut::write(const QString& path, const QString& folder,
                          const std::function<void(const Lesson&)>& work) {
    if (!player_.is_open())  // left while a dialog asked
        return;
    writing_.add({"hand out a lesson",
                  [this, path, folder, work, lesson = player_.lesson()]() -> Job::Delivery {
                      work(lesson);
                      return [this, path, folder] {
                          folder_.remember(folder);
                          emit notice(tr("Wrote %1.").arg(QDir::toNativeSeparators(path)));
                      };
                  },
                  [this](const Error& error) { emit problem(error); }});
}

}  // namespace headlight
