#include "ui/panels/export_dialog.h"

#include "core/figure/panel_choice.h"
#include "core/figure/view.h"
#include "core/io/named_widths.h"
#include "ui/panels/banner.h"
#include "ui/views/decimal_box.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"
#include "ui/views/save_path.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
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
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

constexpr double column_mm = 85;  // one column of most two-column papers
constexpr double screen_px = 1600;
constexpr QSize preview_size(420, 340);

QString text_of(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

// In the list of views, where they are none.
constexpr const char *panels_word = "panels", *all_maps_word = "all_maps";

}  // namespace

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

void ExportDialog::build() {
    for (const View& view : views())
        if (document_.lacks(view.kind).empty())
            view_->addItem(QString::fromStdString(view.title), text_of(view.kind.word()));
    view_->addItem(tr("Panels"), QString::fromLatin1(panels_word));
    view_->addItem(tr("All maps"), QString::fromLatin1(all_maps_word));
    describe(view_, QStringLiteral("export_view"), tr("View"),
             tr("Which picture is saved, or all maps: every number of every head of every layer, as NPZ or "
                "CSV"));
    QStringList words;
    for (const PanelWord& word : panel_words())
        words += QString::fromStdString(as_typed(word));
    describe(panels_, QStringLiteral("export_panels"), tr("Panels"),
             tr("A panel on each line, as in view=lines head=2. Its words: %1")
                 .arg(words.join(QStringLiteral(", "))));
    panels_->setPlaceholderText(tr("A panel on each line:\nview=heatmap head=1\nview=lines head=1"));
    panels_->setTabChangesFocus(true);
    panels_->setLineWrapMode(QPlainTextEdit::NoWrap);
    constexpr int lines_shown = 5;
    panels_->setFixedHeight((lines_shown + 1) * fontMetrics().lineSpacing());
    QStringList kept;
    for (const Exporter& each : exporters()) {
        format_->addItem(QString::fromStdString(each.title), text_of(each.format.extension()));
        kept += QString::fromStdString(each.about);
    }
    describe(format_, QStringLiteral("export_format"), tr("Format"), kept.join(QStringLiteral("; ")));
    unit_->addItems({tr("mm"), tr("px")});
    describe(unit_, QStringLiteral("export_unit"), tr("Unit of the width"),
             tr("Millimetres on paper, or pixels"));
    describe(width_, QStringLiteral("export_width"), tr("Width"),
             tr("How wide the figure is where it is printed or shown: text keeps its size in points"));
    width_->setRange(10, 2000);
    width_->setDecimals(1);
    width_->setValue(column_mm);
    named_width_->addItem(tr("Journal preset…"));
    for (const NamedWidth& each : named_widths())
        named_width_->addItem(
            tr("%1: %2 mm, %3").arg(text_of(each.name)).arg(each.mm, 0, 'f', 1).arg(text_of(each.place)),
            each.mm);
    describe(named_width_, QStringLiteral("export_named_width"), tr("Journal preset"),
             tr("Sets the width to that of a column, a page or a slide"));
    dpi_->setRange(36, 1200);
    dpi_->setDecimals(0);
    dpi_->setValue(300);
    describe(dpi_, QStringLiteral("export_dpi"), tr("Dots per inch"),
             tr("How many pixels fall on one inch of paper"));
    theme_->addItem(tr("Paper"), static_cast<int>(FigureTheme::paper));
    theme_->addItem(tr("Light"), static_cast<int>(FigureTheme::light));
    theme_->addItem(tr("Dark"), static_cast<int>(FigureTheme::dark));
    theme_->addItem(tr("Projector"), static_cast<int>(FigureTheme::projector));
    describe(theme_, QStringLiteral("export_theme"), tr("Theme"),
             tr("Colours of text and background; paper is black on white"));
    seen_by_->addItem(tr("Usual colour vision"));
    seen_by_->addItem(tr("Protanopia: no red cones"));
    seen_by_->addItem(tr("Deuteranopia: no green cones"));
    seen_by_->addItem(tr("Tritanopia: no blue cones"));
    seen_by_->addItem(tr("A print in grey"));
    describe(seen_by_, QStringLiteral("export_seen_by"), tr("Preview as"),
             tr("How others see the picture: the preview alone, not what is saved"));
    contrast_note_->setObjectName(QStringLiteral("export_contrast"));
    contrast_note_->setWordWrap(true);
    make_note(*contrast_note_);
    describe(vector_cells_, QStringLiteral("export_vector_cells"), tr("Cells as vectors"),
             tr("Every cell a rectangle that can be edited, instead of one crisp image under vector text"));
    describe(path_, QStringLiteral("export_path"), tr("File"), tr("Where the figure is written"));
    browse_ = new QPushButton(tr("&Browse…"));
    describe(browse_, QStringLiteral("export_browse"), tr("Browse"), tr("Chooses the file"));
    describe(save_, QStringLiteral("export_save"), tr("Save"), tr("Writes the file"));
    preview_->setObjectName(QStringLiteral("export_preview"));
    preview_->setAccessibleName(tr("Preview"));
    preview_->setTextFormat(Qt::PlainText);
    preview_->setAlignment(Qt::AlignCenter);
    preview_area_->setMinimumSize(preview_size);
    preview_area_->setWidget(preview_);
    preview_area_->setWidgetResizable(true);
    describe(fit_, QStringLiteral("export_fit"), tr("Fit"), tr("The preview is as large as it has room"));
    describe(real_size_, QStringLiteral("export_real_size"), tr("Real size"),
             tr("The preview is as large as the figure will be: millimetres by what the screen says of its "
                "own size, pixels as those of the screen"));
    fit_->setChecked(true);
    make_note(*size_note_);
    size_note_->setObjectName(QStringLiteral("export_size"));
    problem_->setObjectName(QStringLiteral("export_problem"));
    problem_->setTextFormat(Qt::RichText);
    problem_->setWordWrap(true);
    problem_->hide();

    auto* width_row = new QHBoxLayout;
    width_row->addWidget(width_, 1);
    width_row->addWidget(unit_);
    width_row->addWidget(named_width_, 1);
    named_width_->setMinimumContentsLength(12);
    named_width_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* path_row = new QHBoxLayout;
    path_row->addWidget(path_, 1);
    path_row->addWidget(browse_);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setVerticalSpacing(8);
    form->addRow(tr("Vie&w"), view_);
    form->addRow(QString(), panels_);
    form->addRow(tr("&Format"), format_);
    auto* width_label = new QLabel(tr("W&idth"));
    width_label->setBuddy(width_);
    form->addRow(width_label, width_row);
    form->addRow(tr("&Dots per inch"), dpi_);
    form->addRow(tr("&Theme"), theme_);
    form->addRow(QString(), vector_cells_);
    form->addRow(tr("Pre&view as"), seen_by_);
    browse_->setAutoDefault(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(save_, QDialogButtonBox::AcceptRole);

    auto* left = new QVBoxLayout;
    left->addLayout(form);
    left->addStretch(1);
    left->addWidget(contrast_note_);
    left->addWidget(size_note_);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(16);
    upper->addLayout(left);
    auto* sizes = new QHBoxLayout;
    sizes->addWidget(fit_);
    sizes->addWidget(real_size_);
    sizes->addStretch(1);
    auto* right = new QVBoxLayout;
    right->addWidget(preview_area_, 1);
    right->addLayout(sizes);
    upper->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addLayout(upper, 1);
    layout->addLayout(path_row);
    layout->addWidget(problem_);
    layout->addWidget(buttons);
    save_->setDefault(true);  // once it is in the dialog, which is told
    connect(browse_, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

QString ExportDialog::shown_word(const Document& document) {
    return document.session().figure.options.panels.empty() ? text_of(document.view().view.word())
                                                            : QString::fromLatin1(panels_word);
}

QString ExportDialog::view_word() const { return view_->currentData().toString(); }

bool ExportDialog::saves_all_maps() const { return view_word() == QLatin1String(all_maps_word); }

QString ExportDialog::offered_name() const {
    if (const auto known = names_.of_views.find(view_word()); known != names_.of_views.end())
        return *known;
    static const QRegularExpression others(QStringLiteral("[^a-z0-9]+"));
    return names_.beginning + QChar('-') +
           view_->currentText().toLower().replace(others, QStringLiteral("-")) + QChar('.') +
           text_of(chosen_exporter().format.extension());
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
    return {document_.run(), document_.snapshot(), saves_all_maps(),
            chosen_view(),   chosen.theme,         chosen.options};
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
    FigureSettings figure = document_.session().figure;
    figure.options.panels.clear();
    try {
        for (const QString& line : panels_->toPlainText().split(QChar('\n'), Qt::SkipEmptyParts)) {
            if (line.trimmed().isEmpty())
                continue;
            figure.options.panels.push_back(parse_panel_words(line.toStdString()));
            if (figure.options.panels.size() > most_panels)
                throw Error({"read panels", "", "at most " + std::to_string(most_panels), "more"});
        }
        if (figure != document_.session().figure)
            document_.change_figure(tr("Change the panels"), figure, QStringLiteral("panels"));
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
    if (saving_.is_running() || !wanted.run)
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
