#include "ui/panels/export_dialog.h"

#include "core/figure/catalogue_figures.h"
#include "core/figure/panel_choice.h"
#include "core/figure/view.h"
#include "core/workbench/figure_edits.h"
#include "ui/panels/banner.h"
#include "ui/render/figure_in_width.h"
#include "ui/render/painter.h"
#include "ui/views/decimal_box.h"
#include "ui/views/save_path.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headlight {
namespace {

constexpr double screen_px = 1600;

}  // namespace

QString ExportDialog::text_of(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

double dots_per_inch(const QScreen& screen) {
    constexpr double fewest = 30, most = 1000;
    const double told = screen.physicalDotsPerInchX();
    return told >= fewest && told <= most ? told : screen.logicalDotsPerInchX();
}

ExportDialog::ExportDialog(Document& document, Names names, QWidget* parent)
    : QDialog(parent), document_(document), view_(new QComboBox), panels_(new QPlainTextEdit),
      format_(new QComboBox), width_(new DecimalBox), unit_(new QComboBox), named_width_(new QComboBox),
      dpi_(new DecimalBox), theme_(new QComboBox), seen_by_(new QComboBox),
      vector_cells_(new QCheckBox(tr("Cells as &vectors"))), path_(new QLineEdit), names_(std::move(names)),
      contrast_note_(new QLabel), size_note_(new QLabel), preview_(new QLabel),
      preview_area_(new QScrollArea), fit_(new QRadioButton(tr("Fit"))),
      real_size_(new QRadioButton(tr("&Real size"))), problem_(new QLabel),
      save_(new QPushButton(tr("&Save"))), soon_(new QTimer(this)) {
    setWindowTitle(tr("Export the figure"));
    setObjectName(QStringLiteral("export_dialog"));
    build();
    view_->setCurrentIndex(std::max(0, view_->findData(shown_word(document))));
    QStringList lines;
    for (const PanelWords& words : document.session().figure.options.panels)
        lines += QString::fromStdString(panel_words_text(words));
    panels_->setPlainText(lines.join(QChar('\n')));
    adopt_view();
    format_->setCurrentIndex(std::max(0, format_->findData(names_.extension)));
    follow_view();

    soon_->setSingleShot(true);
    soon_->setInterval(60);
    connect(soon_, &QTimer::timeout, this, &ExportDialog::preview);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::follow_format);
    connect(path_, &QLineEdit::textEdited, this, &ExportDialog::adopt_extension);
    connect(unit_, &QComboBox::currentIndexChanged, this, [this](int row) {
        const QSignalBlocker quiet(width_);
        width_->setRange(row == 0 ? 10 : 50, row == 0 ? 2000 : 20000);
        width_->setDecimals(row == 0 ? 1 : 0);
        width_->setValue(row == 0 ? column_mm : screen_px);
        refresh();
    });
    connect(named_width_, &QComboBox::activated, this, &ExportDialog::adopt_named_width);
    connect(width_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::leave_named_width);
    connect(unit_, &QComboBox::currentIndexChanged, this, &ExportDialog::leave_named_width);
    connect(view_, &QComboBox::currentIndexChanged, this, &ExportDialog::adopt_view);
    connect(view_, &QComboBox::currentIndexChanged, this, &ExportDialog::follow_view);
    connect(panels_, &QPlainTextEdit::textChanged, this, &ExportDialog::adopt_panels);
    for (QComboBox* combo : {view_, theme_, seen_by_})
        connect(combo, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    for (QDoubleSpinBox* number : {width_, dpi_})
        connect(number, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
    for (QAbstractButton* button :
         {static_cast<QAbstractButton*>(vector_cells_), static_cast<QAbstractButton*>(real_size_)})
        connect(button, &QAbstractButton::toggled, this, &ExportDialog::refresh);
    connect(&document_, &Document::run_changed, this, &ExportDialog::refresh);
    connect(save_, &QPushButton::clicked, this, &ExportDialog::save);
    if (document.session().exported)
        show_size(*document.session().exported);
    follow_format();
    resize(minimumSizeHint() + usual_preview - least_preview);
}

/// A figure that was opened again is exported as it was.
void ExportDialog::show_size(const ExportOptions& size) {
    unit_->setCurrentIndex(size.width_px && !size.width_mm ? 1 : 0);
    if (size.width_mm)
        width_->setValue(*size.width_mm);
    else if (size.width_px)
        width_->setValue(*size.width_px);
    dpi_->setValue(size.dpi);
    vector_cells_->setChecked(size.vector_cells);
}

QString ExportDialog::shown_word(const Document& document) {
    return document.session().figure.options.panels.empty() ? text_of(document.view().view.word())
                                                            : QString::fromLatin1(panels_word);
}

QString ExportDialog::view_word() const { return view_->currentData().toString(); }

bool ExportDialog::saves_all_maps() const { return view_word() == QLatin1String(all_maps_word); }

const CataloguePicture* ExportDialog::catalogue_picture() const {
    const auto pictures = catalogue_pictures();
    const auto chosen = std::ranges::find_if(pictures, [word = view_word()](const CataloguePicture& each) {
        return word == QLatin1String(each.word);
    });
    return chosen == pictures.end() ? nullptr : &*chosen;
}

void ExportDialog::choose_catalogue_picture(const QString& word) {
    view_->setCurrentIndex(view_->findData(word));
    // The column of a paper has no room for hundreds of names.
    ExportOptions size = options();
    size.width_mm = std::ceil(
        natural_size(catalogue_picture()->build(mechanisms(), FigureTheme::paper)).width() / points_per_mm);
    size.width_px.reset();
    show_size(size);
}

QString ExportDialog::offered_name() const {
    if (const auto known = names_.of_views.find(view_word()); known != names_.of_views.end())
        return *known;
    static const QRegularExpression others(QStringLiteral("[^a-z0-9]+"));
    // Pictures of the catalogue are of no file that is open.
    const QString beginning = catalogue_picture()
                                  ? QFileInfo(names_.beginning).dir().filePath(QStringLiteral("attention"))
                                  : names_.beginning;
    return beginning + QChar('-') + view_->currentText().toLower().replace(others, QStringLiteral("-")) +
           QChar('.') + text_of(chosen_exporter().format.extension());
}

void ExportDialog::follow_view() {
    if (path_->text() != offered_)
        return;
    offered_ = offered_name();
    path_->setText(offered_);
    adopt_extension();
}

QString ExportDialog::path() const { return path_->text().trimmed(); }

ExportOptions ExportDialog::options() const {
    ExportOptions options;
    if (unit_->currentIndex() == 0)
        options.width_mm = width_->value();
    else
        options.width_px = static_cast<int>(width_->value());
    options.dpi = dpi_->value();
    options.vector_cells = vector_cells_->isChecked();
    return options;
}

ExportDialog::Choices ExportDialog::choices() const {
    return {options(), static_cast<FigureTheme>(theme_->currentData().toInt()), named_width_->currentIndex()};
}

void ExportDialog::choose(const Choices& choices) {
    show_size(choices.options);
    theme_->setCurrentIndex(theme_->findData(static_cast<int>(choices.theme)));
    named_width_->setCurrentIndex(choices.venue);
}

ExportOrder ExportDialog::order() const {
    const Choices chosen = choices();
    return {document_.run(), document_.snapshot(), saves_all_maps(),   chosen_view(),
            chosen.theme,    chosen.options,       catalogue_picture()};
}

std::optional<ViewKind> ExportDialog::chosen_view() const {
    for (const View& view : views())
        if (view_->currentData() == text_of(view.kind.word()))
            return view.kind;
    return std::nullopt;
}

void ExportDialog::adopt_view() {
    panels_->setVisible(view_word() == QLatin1String(panels_word));
    const ExportFormat format = chosen_exporter().format;
    if (saves_all_maps() && format != ExportFormat::npz && format != ExportFormat::csv)
        format_->setCurrentIndex(format_->findData(text_of(ExportFormat::npz.extension())));
}

void ExportDialog::adopt_panels() {
    panels_problem_.clear();
    std::vector<PanelWords> panels;
    try {
        for (const QString& line : panels_->toPlainText().split(QChar('\n'), Qt::SkipEmptyParts)) {
            if (line.trimmed().isEmpty())
                continue;
            panels.push_back(parse_panel_words(line.toStdString()));
            if (panels.size() > most_panels)
                throw Error({"read panels", "", "at most " + std::to_string(most_panels), "more"});
        }
        document_.edit(choose_panels(document_.session(), std::move(panels)));
    } catch (const Error& error) {
        panels_problem_ = error_html(error);
    }
    refresh();
}

const Exporter& ExportDialog::chosen_exporter() const {
    return exporters()[static_cast<std::size_t>(format_->currentIndex())];
}

void ExportDialog::adopt_extension() {
    const int row = format_->findData(QFileInfo(path()).suffix().toLower());
    if (row >= 0)
        format_->setCurrentIndex(row);
}

void ExportDialog::follow_format() {
    const Exporter& chosen = chosen_exporter();
    for (QWidget* control :
         std::initializer_list<QWidget*>{width_, unit_, named_width_, theme_, fit_, real_size_})
        control->setEnabled(chosen.is_picture);
    dpi_->setEnabled(chosen.is_of_pixels);
    vector_cells_->setEnabled(chosen.is_of_vectors);
    const QFileInfo file(path());
    const bool is_offered = path_->text() == offered_;
    if (!file.fileName().isEmpty() && format_->findData(file.suffix().toLower()) != format_->currentIndex())
        path_->setText(
            file.dir().filePath(file.completeBaseName() + QChar('.') + text_of(chosen.format.extension())));
    if (is_offered)
        offered_ = path_->text();
    refresh();
}

void ExportDialog::adopt_named_width() {
    const QVariant millimetres = named_width_->currentData();
    if (!millimetres.isValid())
        return;
    const QSignalBlocker quiet(named_width_);
    const int row = named_width_->currentIndex();
    unit_->setCurrentIndex(0);
    width_->setValue(millimetres.toDouble());
    named_width_->setCurrentIndex(row);
}

/// Another width is no longer that of the venue.
void ExportDialog::leave_named_width() {
    if (unit_->currentIndex() != 0 || named_width_->currentData().toDouble() != width_->value())
        named_width_->setCurrentIndex(0);
}

void ExportDialog::browse() {
    // Saving asks whether the file may be replaced, however its name came there.
    const QString chosen = QFileDialog::getSaveFileName(this, tr("Export the figure"), path(),
                                                        tr("Figures (%1)").arg(name_patterns()), nullptr,
                                                        QFileDialog::DontConfirmOverwrite);
    if (!chosen.isEmpty())
        path_->setText(chosen);
    adopt_extension();
}

void ExportDialog::save() {
    const ExportOrder wanted = order();
    if (saving_.is_running() || !wanted.can_be_drawn())
        return;
    problem_->hide();
    try {
        wanted.require_name(path().toStdString());  // a wrong extension is refused before anything is asked
    } catch (const Error& error) {
        show_problem(error_html(error));
        return;
    }
    if (!may_replace(this, path()))
        return;
    // Once it is saved this dialog goes, and would take one for a file, open over it, along in its own loop.
    set_can_save(false);
    saving_.start(
        "export the figure",
        [this, wanted, path = path()](const Cancellation&) -> Job::Delivery {
            wanted.save(path.toStdString());
            return [this, path] {
                set_can_save(true);
                emit exported(path);
                accept();
            };
        },
        [this](const Error& error) {
            set_can_save(true);
            show_problem(error_html(error));
        });
}

void ExportDialog::set_can_save(bool can) {
    save_->setEnabled(can);
    browse_->setEnabled(can);
}

void ExportDialog::show_problem(const QString& html) {
    problem_->setText(html);
    problem_->show();
}

}  // namespace headlight
