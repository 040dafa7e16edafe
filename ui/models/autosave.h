#pragma once

#include "core/io/session.h"
#include "core/tensor/error.h"
#include "ui/jobs/job_queue.h"
#include "ui/models/work_folder.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headlight {

class Document;

/// What was found in the folder beside the work of this window, and moved to files of its own.
struct FoundWork {
    std::vector<std::filesystem::path> sessions;    ///< of other windows that are gone, unsaved
    std::vector<std::filesystem::path> unreadable;  ///< what could not be parsed, as it was
    std::vector<std::filesystem::path> removed;     ///< the oldest of too many that were put aside
};

/// A session that is about to be replaced, and where in a lesson it is shown.
struct UnsavedWork {
    std::shared_ptr<const Session> session;
    std::optional<LessonPlace> lesson{};
};

/// Keeps the work of one window in a folder, so that a kill loses at most a few seconds and closing loses
/// nothing. Each running window holds a place of its own ("window-0.json"), guarded by a lock file that a
/// dead process gives up. Nothing in the folder is overwritten that this window has not written or read.
class Autosave : public QObject {
    Q_OBJECT
public:
    /// From the first change to the write: a kill loses at most five seconds, the time of writing included.
    static constexpr std::chrono::milliseconds longest_delay{2000};
    /// After a write that failed, without a further change: there may be room on the disk again, and from
    /// then on a kill loses at most five seconds.
    static constexpr std::chrono::milliseconds retry_delay{3000};

    /// How long it waits before it writes.
    struct Delays {
        std::chrono::milliseconds first = longest_delay;  ///< after the first change
        std::chrono::milliseconds retry = retry_delay;    ///< after a write that failed
    };

    /// Takes the first place in `folder` that no running window holds, and looks at what is in the folder.
    explicit Autosave(std::filesystem::path folder, QObject* parent = nullptr);
    Autosave(std::filesystem::path folder, const Delays& delays, QObject* parent = nullptr);
    ~Autosave() override;

    /// Why there is no place to keep the work in, if so: write() then fails with it.
    const std::optional<Error>& problem() const { return problem_; }
    /// What the last window at this place left; nothing at the first start and where it was unreadable.
    const std::optional<LastWork>& last_work() const { return last_work_; }
    const FoundWork& found() const { return found_; }

    /// Starts to watch `document`. See set_file() for where its session belongs.
    void watch(Document& document);
    void set_file(const QString& file) { file_ = file; }
    /// Where what was saved inside the lesson that is shown belongs.
    void set_lesson_file(const QString& file) { lesson_file_ = file; }

    /// Hands over now what waits for the timer, or may not have got to the disk: see wait().
    void hurry();
    /// Writes now and waits for the disk: the window closes. Returns why the work is not kept, if so.
    std::optional<Error> close();
    /// Blocks until what was handed over is on the disk, for whoever is about to read it; any thread may ask.
    void wait() { writer_.wait(); }
    /// Puts unsaved work that is about to be replaced beside the others. Calls `kept` with its files once
    /// they are on the disk, or `refuse` where they could not be written: nothing may be replaced then. The
    /// oldest of more than most_unsaved are removed, which removed() tells.
    void keep_aside(std::vector<UnsavedWork> work,
                    std::function<void(const std::vector<std::filesystem::path>&)> kept, Job::Refusal refuse);

    const std::filesystem::path& path() const { return path_; }
    /// Whether the file is one that the program keeps for a person, and none that they have saved.
    bool keeps(const std::filesystem::path& file) const;

signals:
    void removed(const std::vector<std::filesystem::path>& oldest);
    /// The work was written, or could not be.
    void written();
    void failed(const headlight::Error& error);

private:
    /// Holds the first free place, and reads what its last window left.
    void take_place();
    /// Puts aside what other windows left that are gone.
    void find_others();
    /// Moves a file that cannot be parsed to another name; false where it cannot be moved.
    bool set_aside(const std::filesystem::path& file);
    /// Whether a failure is told again that has been told: when a person changes something, or closes.
    enum class Telling { always, news_only };
    void write(bool closed, Telling telling = Telling::always);

    std::filesystem::path folder_, path_;
    std::unique_ptr<ProcessLock> lock_;
    std::optional<Error> problem_;
    std::optional<LastWork> last_work_;
    FoundWork found_;
    Document* document_ = nullptr;
    QString file_, lesson_file_;
    QTimer delay_, retry_;
    std::optional<Error> last_failure_;  ///< of the newest write
    int under_way_ = 0;                  ///< writes that were handed over, and of which nothing was told yet
    JobQueue writer_;
};

}  // namespace headlight
