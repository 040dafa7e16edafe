#include "ui/models/window_settings.h"

#include <QFile>
#include <QLockFile>
#include <QSettings>
#include <QThread>

#include <utility>

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

void write_to(const QString& file, const QHash<QString, QVariant>& values) {
    QSettings settings(file, QSettings::IniFormat);
    for (auto each = values.begin(); each != values.end(); ++each)
        settings.setValue(each.key(), each.value());
    remove_broken_lock(settings.fileName());
}  // written by its destructor

}  // namespace

WindowSettings::WindowSettings(const QString& file) : file_(file) {
    const QSettings settings(file_, QSettings::IniFormat);
    for (const QString& key : settings.allKeys())
        values_.insert(key, settings.value(key));
}

WindowSettings::~WindowSettings() { write(); }

QVariant WindowSettings::value(const QString& key, const QVariant& otherwise) const {
    return values_.value(key, otherwise);
}

void WindowSettings::set_value(const QString& key, const QVariant& value) {
    values_.insert(key, value);
    if (unwritten_.isEmpty())  // with what else changes before the event loop is back
        QMetaObject::invokeMethod(this, &WindowSettings::write, Qt::QueuedConnection);
    unwritten_.insert(key, value);
}

void WindowSettings::write() {
    if (unwritten_.isEmpty())
        return;
    writer_.add({"keep settings",
                 [file = file_, values = std::exchange(unwritten_, {})]() -> Job::Delivery {
                     write_to(file, values);
                     return {};
                 },
                 [](const Error&) {}});
}

}  // namespace headlight
