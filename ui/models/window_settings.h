#pragma once

#include "ui/jobs/job_queue.h"

#include <QHash>
#include <QVariant>

namespace headlight {

/// What a window remembers between its runs, in an INI file. Read once, when made; what changes is written by
/// another thread soon after, so that a busy disk does not make the window stand still. When this is
/// destroyed, it waits for what is not written yet.
///
/// Another program's changes to other keys stay in the file. A program that is killed while it writes may
/// leave the file's lock without a word of whose it is; Qt would wait for half a minute until it is too old.
/// Such a lock is removed first.
class WindowSettings : public QObject {
    Q_OBJECT
public:
    explicit WindowSettings(const QString& file);
    ~WindowSettings() override;

    /// What was last set, by this program or an earlier one; `otherwise` where nothing was.
    QVariant value(const QString& key, const QVariant& otherwise = {}) const;
    void set_value(const QString& key, const QVariant& value);
    /// Begins to write at once what has changed.
    void write();

private:
    const QString file_;
    QHash<QString, QVariant> values_;
    QHash<QString, QVariant> unwritten_;
    JobQueue writer_;
};

}  // namespace headlight
