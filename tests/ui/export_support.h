#pragma once

#include "tests/ui/windowed_test.h"
#include "ui/panels/export_dialog.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>

namespace headlight {

/// Whether no export is open: one goes once its file is written.
inline bool is_exported(WindowUnderTest& test) { return !test.window().findChild<ExportDialog*>(); }

/// The dialog that exports what the window shows; one from before has gone by then.
inline ExportDialog* open_export(WindowUnderTest& test) {
    HEADLIGHT_WAIT_FOR(is_exported(test), patience)
    test.trigger("file_export");
    return test.window().findChild<ExportDialog*>();
}

/// Types that name of a file in the test's folder and saves; returns its path, where it soon is.
inline QString export_as(WindowUnderTest& test, const QString& format, const QString& name) {
    ExportDialog* dialog = open_export(test);
    auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
    formats->setCurrentIndex(formats->findData(format));
    const QString path = test.file(name);
    type_over(dialog->findChild<QLineEdit*>(QStringLiteral("export_path")), path);
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("export_save")), Qt::LeftButton);
    return path;
}

}  // namespace headlight
