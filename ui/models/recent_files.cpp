#include "ui/models/recent_files.h"

#include "ui/models/window_settings.h"

#include <QFileInfo>

namespace headlight {
namespace {

const QString settings_key = QStringLiteral("files/recent");

}

RecentFiles::RecentFiles(WindowSettings& settings, QObject* parent)
    : QObject(parent), settings_(settings), files_(settings.value(settings_key).toStringList()) {}

void RecentFiles::add(const QString& file) {
    const QString absolute = QFileInfo(file).absoluteFilePath();
    files_.removeAll(absolute);
    files_.prepend(absolute);
    while (files_.size() > longest)
        files_.removeLast();
    store();
}

void RecentFiles::remove(const QString& file) {
    files_.removeAll(file);
    store();
}

void RecentFiles::clear() {
    files_.clear();
    store();
}

void RecentFiles::store() {
    settings_.set_value(settings_key, files_);
    emit changed();
}

}  // namespace headlight
