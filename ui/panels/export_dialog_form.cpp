// What an export asks for: its fields, what they offer, and where they stand.

#include "ui/panels/export_dialog.h"

#include "core/figure/catalogue_figures.h"
#include "core/figure/panel_choice.h"
#include "core/figure/theme_table.h"
#include "core/figure/view.h"
#include "core/io/named_widths.h"
#include "ui/actions/action_table.h"
#include "ui/models/menu_text.h"
#include "ui/views/describe.h"
#include "ui/views/role.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace headlight {

void ExportDialog::build() {
    fill_views();
    fill_sizes();
    fill_looks();
    describe(path_, QStringLiteral("export_path"), tr("File"), tr("Where the figure is written"));
    browse_ = new QPushButton(tr("&Browse…"));
    describe(browse_, QStringLiteral("export_browse"), tr("Browse"), tr("Chooses the file"));
    describe(save_, QStringLiteral("export_save"), tr("Save"), tr("Writes the file"));
    contrast_note_->setObjectName(QStringLiteral("export_contrast"));
    contrast_note_->setWordWrap(true);
    make_note(*contrast_note_);
    make_note(*size_note_);
    size_note_->setWordWrap(true);
    size_note_->setObjectName(QStringLiteral("export_size"));
    problem_->setObjectName(QStringLiteral("export_problem"));
    problem_->setTextFormat(Qt::RichText);
    problem_->setWordWrap(true);
    problem_->hide();

    auto* path_row = new QHBoxLayout;
    path_row->addWidget(path_, 1);
    path_row->addWidget(browse_);
    browse_->setAutoDefault(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(save_, QDialogButtonBox::AcceptRole);

    auto* left = new QVBoxLayout;
    left->addLayout(fields());
    left->addStretch(1);
    left->addWidget(contrast_note_);
    left->addWidget(size_note_);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(16);
    upper->addLayout(left);
    upper->addLayout(preview_column(), 1);
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

void ExportDialog::fill_views() {
    for (const View& view : views())
        if (document_.lacks(view.kind).empty())
            view_->addItem(QString::fromStdString(view.title), text_of(view.kind.word()));
    view_->addItem(tr("Panels"), QString::fromLatin1(panels_word));
    for (const CataloguePicture& picture : catalogue_pictures())
        view_->addItem(QString::fromLatin1(picture.title), QString::fromLatin1(picture.word));
    view_->addItem(tr("All maps"), QString::fromLatin1(all_maps_word));
    describe(view_, QStringLiteral("export_view"), tr("View"),
             tr("Which picture is saved, of the catalogue too, or all maps: every number of every head of "
                "every layer, as NPZ or CSV"));
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
}

void ExportDialog::fill_sizes() {
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
}

void ExportDialog::fill_looks() {
    for (const Word<FigureTheme>& theme : headlight::words<FigureTheme>())
        theme_->addItem(shown_words(action_words(theme_row(theme.value).name)),
                        static_cast<int>(theme.value));
    describe(theme_, QStringLiteral("export_theme"), tr("Theme"),
             tr("Colours of text and background; paper is black on white"));
    seen_by_->addItem(tr("Usual colour vision"));
    seen_by_->addItem(tr("Protanopia: no red cones"));
    seen_by_->addItem(tr("Deuteranopia: no green cones"));
    seen_by_->addItem(tr("Tritanopia: no blue cones"));
    seen_by_->addItem(tr("A print in grey"));
    describe(seen_by_, QStringLiteral("export_seen_by"), tr("Preview as"),
             tr("How others see the picture: the preview alone, not what is saved"));
    describe(vector_cells_, QStringLiteral("export_vector_cells"), tr("Cells as vectors"),
             tr("Every cell a rectangle that can be edited, instead of one crisp image under vector text"));
}

QFormLayout* ExportDialog::fields() {
    auto* width_row = new QHBoxLayout;
    width_row->addWidget(width_, 1);
    width_row->addWidget(unit_);
    width_row->addWidget(named_width_, 1);
    named_width_->setMinimumContentsLength(12);
    named_width_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
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
    return form;
}

QVBoxLayout* ExportDialog::preview_column() {
    preview_->setObjectName(QStringLiteral("export_preview"));
    preview_->setAccessibleName(tr("Preview"));
    preview_->setTextFormat(Qt::PlainText);
    preview_->setAlignment(Qt::AlignCenter);
    preview_area_->setMinimumSize(least_preview);  // the dialog fits a window of 800 x 600
    preview_area_->setWidget(preview_);
    preview_area_->setWidgetResizable(true);
    describe(fit_, QStringLiteral("export_fit"), tr("Fit"), tr("The preview is as large as it has room"));
    describe(real_size_, QStringLiteral("export_real_size"), tr("Real size"),
             tr("The preview is as large as the figure will be: millimetres by what the screen says of its "
                "own size, pixels as those of the screen"));
    fit_->setChecked(true);

    auto* sizes = new QHBoxLayout;
    sizes->addWidget(fit_);
    sizes->addWidget(real_size_);
    sizes->addStretch(1);
    auto* right = new QVBoxLayout;
    right->addWidget(preview_area_, 1);
    right->addLayout(sizes);
    return right;
}

}  // namespace headlight
