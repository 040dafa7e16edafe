#pragma once

#include "core/io/session.h"
#include "core/tensor/error.h"
#include "ui/jobs/job_queue.h"

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

namespace headlight {

class Document;

/// What a window had open when it ended.
struct LastWork {
    Session session;
    QString file;             ///< where it was last saved or opened; empty for never
    bool saved = false;       ///< nothing had changed since
    bool was_closed = false;  ///< the window closed in peace; otherwise it was killed
};

/// Keeps the work of one window in a folder, so that a kill loses at most a few seconds and closing loses
/// nothing. Each running window holds a place of its own ("window-0.json"), guarded by a lock file that a
/// dead process gives up.
class Autosave : public QObject {
    Q_OBJECT
public:
    /// From the first change to the write: a kill loses at most five seconds, the time of writing included.
    static constexpr std::chrono::milliseconds longest_delay{3000};

    /// Takes the first place in `folder` that no running window holds.
    explicit Autosave(std::filesystem::path folder, QObject* parent = nullptr);
    ~Autosave() override;

    /// What the last window at this place left; nothing at the first start or when the file cannot be read.
    std::optional<LastWork> last_work() const;

    /// Starts to watch `document`. `file` is where its session belongs; see set_file().
    void watch(Document& document);
    void set_file(const QString& file) { file_ = file; }

    /// Writes now and waits for the disk: the window closes.
    void close();
    /// Blocks until what was handed over is on the disk, for whoever is about to read it; any thread may ask.
    void wait() { writer_.wait(); }
    /// Puts unsaved work that is about to be replaced beside the others, and returns the file that it is
    /// being written to; the oldest of more than ten are removed.
    std::filesystem::path keep_aside(std::shared_ptr<const Session> session);

    const std::filesystem::path& path() const { return path_; }

signals:
    /// The work was written, or could not be.
    void written();
    void failed(const headlight::Error& error);

private:
    void write(bool closed);
    /// Runs `work` on the writer and tells how it went.
    void add(std::function<void()> work);

    std::filesystem::path folder_, path_;
    std::unique_ptr<QLockFile> lock_;
    Document* document_ = nullptr;
    QString file_;
    QTimer delay_;
    JobQueue writer_;
};

}  // namespace headlight
