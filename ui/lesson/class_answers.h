#pragma once

#include "core/lesson/answer_book.h"
#include "core/tensor/error.h"
#include "ui/jobs/job_queue.h"

#include <QString>

class QSettings;

namespace headlight {

/// What classes answer on this computer. It stays here until somebody exports it.
class ClassAnswers : public QObject {
    Q_OBJECT
public:
    ClassAnswers(std::filesystem::path file, QSettings& settings, QObject* parent = nullptr);

    /// Which class answers now, as its teacher calls it; remembered.
    QString class_name() const;
    void set_class_name(const QString& name);

    /// Writes them down, off this thread, with the time and the class.
    void add(std::vector<GivenAnswer> answers);
    /// Throws Error where they cannot be read.
    std::vector<GivenAnswer> answers();
    void forget(const QString& class_name);

signals:
    /// They could not be kept.
    void problem(const headlight::Error& error);

private:
    AnswerBook book_;
    QSettings& settings_;
    JobQueue queue_;
};

}  // namespace headlight
