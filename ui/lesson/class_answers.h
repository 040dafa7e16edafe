#pragma once

#include "core/lesson/answer_book.h"
#include "core/tensor/error.h"
#include "ui/jobs/job_queue.h"

#include <QString>

#include <functional>

namespace headlight {

class WindowSettings;

/// What classes answer on this computer. It stays here until somebody exports it.
class ClassAnswers : public QObject {
    Q_OBJECT
public:
    ClassAnswers(std::filesystem::path file, WindowSettings& settings, QObject* parent = nullptr);

    /// Which class answers now, as its teacher calls it; remembered.
    QString class_name() const;
    void set_class_name(const QString& name);

    /// Writes them down, off this thread, with the time and the class.
    void add(std::vector<GivenAnswer> answers);
    /// Reads what is written down by now, off this thread, and hands it to `taken`, or to `refused` why it
    /// cannot be read. `who` waits for it: nothing is called once it is gone.
    void read(const QObject* who, std::function<void(std::vector<GivenAnswer>)> taken, Job::Refusal refused);
    /// Removes those of a class, off this thread. `refused` is told why it cannot be done; problem() is where
    /// `who` is gone by then.
    void forget(const QString& class_name, const QObject* who, Job::Refusal refused);
    /// Writes some as a table to a file, likewise.
    void write_table(std::vector<GivenAnswer> answers, const QString& path, const QObject* who,
                     Job::Refusal refused);

signals:
    /// They could not be kept, removed or written.
    void problem(const headlight::Error& error);

private:
    Job::Refusal told_to(const QObject* who, Job::Refusal refused);

    AnswerBook book_;
    WindowSettings& settings_;
    JobQueue queue_;
};

}  // namespace headlight
