#pragma once

#include <QSettings>

namespace headlight {

/// Settings in a file. A program that is killed while it writes them may leave the file's lock without a word
/// of whose it is; Qt would wait for half a minute until it is too old, and the window would stand still.
/// Such a lock is removed first.
class WindowSettings : public QSettings {
    Q_OBJECT
public:
    explicit WindowSettings(const QString& file);
    ~WindowSettings() override;

protected:
    bool event(QEvent* event) override;
};

}  // namespace headlight
