#pragma once

#include "core/lesson/lesson.h"
#include "ui/jobs/job_queue.h"
#include "ui/views/save_path.h"

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace headlight {

class LessonPlayer;
class WindowSettings;

/// What is handed out of the open lesson, written off the UI thread: a sheet for the class, a page, its
/// pictures.
class LessonHandOut : public QObject {
    Q_OBJECT
public:
    LessonHandOut(const LessonPlayer& player, WindowSettings& settings, QWidget* window);

public slots:
    void ask_handout();
    void ask_page();
    void ask_pictures();
    void write_handout(const QString& path);
    void write_page(const QString& path);
    void write_pictures(const QString& folder);

signals:
    void problem(const headlight::Error& error);
    void notice(const QString& text);

private:
    /// "softmax.pdf" in the folder that was used last.
    QString suggestion(const char* extension) const;
    /// `work` writes `path`, a file in `folder` or the folder itself.
    void write(const QString& path, const QString& folder, const std::function<void(const Lesson&)>& work);

    const LessonPlayer& player_;
    WorkingFolder folder_;
    QWidget* window_;
    JobQueue writing_;
};

}  // namespace headlight
