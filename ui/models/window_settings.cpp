#include "ui/models/window_settings.h"

#include <QEvent>
#include <QFile>
#include <QLockFile>
#include <QThread>

namespace headlight {
namespace {

/// Between making its lock and writing whose it is, a program that lives needs less.
constexpr unsigned long milliseconds_to_write = 20;

bool is_broken(const QString& lock) {
    qint64 process = 0;
    QString host, program;
    return QFile::exists(lock) && !QLockFile(lock).getLockInfo(&process, &host, &program);
}

void remove_broken_lock(const QString& settings) {
    const QString lock = settings + QStringLiteral(".lock");
    if (!is_broken(lock))
        return;
    QThread::msleep(milliseconds_to_write);
    if (is_broken(lock))
        QFile::remove(lock);
}

}  // namespace

WindowSettings::WindowSettings(const QString& file) : QSettings(file, QSettings::IniFormat) {
    remove_broken_lock(fileName());
}

WindowSettings::~WindowSettings() { remove_broken_lock(fileName()); }

bool WindowSettings::event(QEvent* event) {
    if (event->type() == QEvent::UpdateRequest)  // it writes now
        remove_broken_lock(fileName());
    return QSettings::event(event);
}

}  // namespace headlight
