#pragma once

#include <QObject>
#include <QStringList>

namespace headlight {

class WindowSettings;

/// The files opened and saved last, newest first, remembered between runs.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype longest = 10;

    explicit RecentFiles(WindowSettings& settings, QObject* parent = nullptr);

    const QStringList& files() const { return files_; }
    void add(const QString& file);
    void remove(const QString& file);
    void clear();

signals:
    void changed();

private:
    void store();

    WindowSettings& settings_;
    QStringList files_;
};

}  // namespace headlight
