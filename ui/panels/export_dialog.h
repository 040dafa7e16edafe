#pragma once

#include "ui/jobs/latest_job.h"
#include "ui/panels/export_order.h"

#include <QDialog>
#include <QMap>

#include <filesystem>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QRadioButton;
class QScreen;
class QScrollArea;
class QTimer;
class QVBoxLayout;

namespace headlight {

/// How many of its pixels, as a window counts them, a screen has on an inch. What it says of its own size
/// counts, unless that is no size of a screen.
double dots_per_inch(const QScreen& screen);

/// Saves a view as a figure: the format, the width in print or pixels, the theme, with a preview of exactly
/// that.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// How large, in which theme and for which venue a figure was exported: the next one begins with that.
    struct Choices {
        ExportOptions options;
        FigureTheme theme;
        int venue;  ///< its place in the list of venues; 0 for none
    };

    /// Where files go unless the person says otherwise; the format sets their extension.
    struct Names {
        QString beginning;  ///< of those that have none: "/home/me/eight", then "-heads.pdf"
        QString extension = QStringLiteral("pdf");  ///< of those that have none
        QMap<QString, QString> of_views;  ///< by view_word(): where that view was exported to, or opened from
    };

    ExportDialog(Document& document, Names names, QWidget* parent = nullptr);

    /// The word of the view that the document shows, or that of panels.
    static QString shown_word(const Document& document);
    /// The same of the view that is saved.
    QString view_word() const;
    /// In place of a view every number of every map is saved.
    bool saves_all_maps() const;
    /// In place of a view of the run this picture of all mechanisms is saved; null where it is none.
    const CataloguePicture* catalogue_picture() const;
    /// By its word; as wide as it is comfortable to read.
    void choose_catalogue_picture(const QString& word);
    QString path() const;
    ExportOptions options() const;
    Choices choices() const;
    void choose(const Choices& choices);

signals:
    void exported(const QString& path);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr QSize least_preview{300, 220}, usual_preview{420, 340};
    static constexpr double column_mm = 85;  ///< one column of most two-column papers
    // In the list of views, where they are none.
    static constexpr const char *panels_word = "panels", *all_maps_word = "all_maps";
    static QString text_of(std::string_view text);

    ExportOrder order() const;
    void show_size(const ExportOptions& size);
    void build();
    void fill_views();
    void fill_sizes();
    void fill_looks();
    /// What is chosen, one below the other.
    QFormLayout* fields();
    QVBoxLayout* preview_column();
    /// Nothing where panels are chosen.
    std::optional<ViewKind> chosen_view() const;
    /// Shows the field of the panels where these are chosen, and chooses a format that all maps have.
    void adopt_view();
    /// Puts the words of the panels into the session, as far as they are right.
    void adopt_panels();
    const Exporter& chosen_exporter() const;
    /// A name that ends in a format's extension chooses that format.
    void adopt_extension();
    void follow_format();
    /// Offers the name of the chosen view, unless the person has typed one.
    void follow_view();
    QString offered_name() const;
    void adopt_named_width();
    void leave_named_width();
    void refresh();
    void preview();
    /// One that `fits` is as large as the preview; another one is scrolled.
    void show_picture(const QImage& image, bool fits);
    /// In place of a picture.
    void show_text(const QString& text);
    /// `proportion`: height by width.
    void show_size_of(double proportion);
    void show_labels(const LabelContrast& least, const std::string& thinned);
    void browse();
    void save();
    void set_can_save(bool can);
    void show_problem(const QString& html);

    Document& document_;
    QComboBox* view_;
    QPlainTextEdit* panels_;
    QString panels_problem_;  ///< what is wrong with their words; empty where nothing is
    QComboBox* format_;
    QDoubleSpinBox* width_;
    QComboBox* unit_;
    QComboBox* named_width_;
    QDoubleSpinBox* dpi_;
    QComboBox* theme_;
    QComboBox* seen_by_;
    QCheckBox* vector_cells_;
    QLineEdit* path_;
    Names names_;
    QString offered_;  ///< the path as this dialog has set it
    QLabel* contrast_note_;
    QLabel* size_note_;
    QLabel* preview_;
    QScrollArea* preview_area_;
    QRadioButton *fit_, *real_size_;
    QLabel* problem_;
    QPushButton* save_;
    QPushButton* browse_;
    QTimer* soon_;
    LatestJob previewing_, saving_;
};

}  // namespace headlight
