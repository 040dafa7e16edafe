#pragma once

#include <QObject>
#include <QStringList>

class QSettings;

namespace headlight {

/// The files opened and saved last, newest first, remembered between runs.
class RecentFiles : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype longest = 10;

    explicit RecentFiles(QSettings& settings, QObject* parent = nullptr);

    const QStringList& files() const { return files_; }
    void add(const QString& file);
    void remove(const QString& file);
    void clear();

signals:
    void changed();

private:
    void store();

    QSettings& settings_;
    QStringList files_;
};

}  // namespace headlight
