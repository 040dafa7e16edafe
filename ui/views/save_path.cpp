#include "ui/views/save_path.h"

#include "ui/models/window_settings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

namespace headlight {

QString existing_folder(const QString& folder) {
    return QFileInfo(folder).isDir() ? folder : QDir::homePath();
}

QString documents_folder() {
    return existing_folder(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
}

QString pictures_folder() {
    return existing_folder(QStandardPaths::writableLocation(QStandardPaths::PicturesLocation));
}

QString WorkingFolder::path() const {
    return existing_folder(settings_.value(key_, documents_folder()).toString());
}

void WorkingFolder::remember(const QString& folder) { settings_.set_value(key_, folder); }

void WorkingFolder::remember_place_of(const QString& file) { remember(QFileInfo(file).absolutePath()); }

bool may_replace(QWidget* parent, const QString& path) {
    const QFileInfo file(path);
    if (!file.exists() && !file.isSymLink())
        return true;
    QMessageBox box(
        QMessageBox::Question, QCoreApplication::translate("SavePath", "Replace the file"),
        QCoreApplication::translate("SavePath", "%1 exists already. Replace it?").arg(file.fileName()),
        QMessageBox::Cancel, parent);
    box.setObjectName(QStringLiteral("replace_question"));
    box.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* replace =
        box.addButton(QCoreApplication::translate("SavePath", "&Replace"), QMessageBox::DestructiveRole);
    box.exec();
    return box.clickedButton() == replace;
}

QString ask_save_path(QWidget* parent, const QString& title, const QString& suggestion, const QString& filter,
                      const QStringList& extensions) {
    QFileDialog dialog(parent, title, QFileInfo(suggestion).path(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(extensions.constFirst());
    // Another kind is another extension, also of a name that is typed without one.
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& kind) {
        for (const QString& extension : extensions)
            if (kind.contains(QStringLiteral("(*.%1)").arg(extension)))
                dialog.setDefaultSuffix(extension);
    });
    // The dialog asks about the name as it was typed, some of the desktop's own without the extension.
    dialog.setOption(QFileDialog::DontConfirmOverwrite);
    dialog.selectFile(QFileInfo(suggestion).fileName());
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return {};
    QString path = dialog.selectedFiles().constFirst();
    if (!extensions.contains(QFileInfo(path).suffix(), Qt::CaseInsensitive))
        path += QChar('.') + dialog.defaultSuffix();
    return may_replace(parent, path) ? path : QString();
}

}  // namespace headlight
