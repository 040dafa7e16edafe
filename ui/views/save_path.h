#pragma once

#include <QString>
#include <QStringList>

#include <utility>

class QWidget;

namespace headlight {

class WindowSettings;

/// `folder` if there is such a folder, else the home folder: a new account has no Documents yet, and a
/// remembered folder may be gone.
QString existing_folder(const QString& folder);

/// The person's Documents or Pictures, or what stands in for them.
QString documents_folder();
QString pictures_folder();

/// Where file dialogs of a kind begin: the folder in which one of them led to something last, remembered
/// under `key`; Documents until then, and where it is gone.
class WorkingFolder {
public:
    WorkingFolder(WindowSettings& settings, QString key) : settings_(settings), key_(std::move(key)) {}
    QString path() const;
    /// Something in it was read or written.
    void remember(const QString& folder);
    void remember_place_of(const QString& file);

private:
    WindowSettings& settings_;
    QString key_;
};

/// Whether `path` may be written: there is nothing yet, or the person says that it may be replaced.
bool may_replace(QWidget* parent, const QString& path);

/// Asks for a file to write; empty when the person cancels. A name with none of the `extensions` gets
/// that of the chosen kind, at first the first ("json"), before the question whether what is there may be
/// replaced: "lesson" is lesson.json, "lesson.v2" is lesson.v2.json.
QString ask_save_path(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
                      const QStringList& extensions);

}  // namespace headlight
