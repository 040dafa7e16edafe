#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/models/document.h"
#include "ui/render/export.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTimer;

namespace headlight {

/// Saves a view as a figure: the format, the width in print or pixels, the theme, with a preview of exactly
/// that.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `folder` is where the file goes unless the person says otherwise.
    ExportDialog(Document& document, const QString& folder, QWidget* parent = nullptr);

    QString path() const;
    ExportOptions options() const;

signals:
    void exported(const QString& path);

private:
    void show_size(const ExportOptions& size);
    void build();
    ExportFormat chosen_format() const;
    void follow_format();
    void refresh();
    void preview();
    void browse();
    void save();
    void show_problem(const QString& html);
    std::shared_ptr<const Figure> figure() const;

    Document& document_;
    QComboBox* view_;
    QComboBox* format_;
    QDoubleSpinBox* width_;
    QComboBox* unit_;
    QDoubleSpinBox* dpi_;
    QComboBox* theme_;
    QCheckBox* vector_cells_;
    QLineEdit* path_;
    QLabel* size_note_;
    QLabel* preview_;
    QLabel* problem_;
    QPushButton* save_;
    QTimer* soon_;
    LatestJob previewing_, saving_;
};

}  // namespace headlight
