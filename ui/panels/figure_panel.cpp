#include "ui/panels/figure_panel.h"

#include "core/workbench/figure_edits.h"
#include "ui/models/document.h"
#include "ui/panels/figure_option_text.h"
#include "ui/panels/font_combo.h"
#include "ui/panels/number_control.h"
#include "ui/views/describe.h"
#include "ui/views/plain_number_box.h"
#include "ui/views/role.h"
#include "ui/views/typed_text.h"
#include "ui/views/whole_number_box.h"
#include "ui/views/word_at_minimum.h"
#include "ui/views/wrapped_label.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <utility>

namespace headlight {

FigurePanel::FigurePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), form_(new QFormLayout),
      reset_(new QPushButton(tr("Reset figure"))) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 12);
    layout->addLayout(form_);
    form_->setContentsMargins(0, 0, 0, 0);
    form_->setVerticalSpacing(4);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form_->setRowWrapPolicy(QFormLayout::WrapAllRows);
    describe(reset_, QStringLiteral("figure-reset"), tr("Reset figure"),
             tr("Draws the figure as the program does by itself"));
    add_titles();
    add_numbers();
    add_type();
    add_parts();
    layout->addWidget(reset_);
    layout->addStretch(1);
    connect(reset_, &QPushButton::clicked, this,
            [this] { document_.edit(reset_figure(document_.session())); });
    connect(&document_, &Document::session_changed, this, [this](const Session& before) {
        if (!(before.figure == document_.session().figure))
            refresh();
    });
    refresh();
}

QSize FigurePanel::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 24, QWidget::minimumSizeHint().height()};
}

void FigurePanel::add_row(const QString& name, QWidget* field) {
    auto* label = new QLabel(name);
    label->setBuddy(field);
    form_->addRow(label, field);
}

void FigurePanel::add_title(const QString& id, const QString& name, const QString& effect,
                            std::optional<std::string> FigureOptions::*part) {
    auto* is_drawn = new QCheckBox(name);
    describe(is_drawn, id + QStringLiteral("-drawn"), tr("%1 is drawn").arg(name),
             tr("Leaves it out where off"));
    auto* text = new QLineEdit;
    describe(text, id, name, effect);
    text->setPlaceholderText(tr("as the program has it"));
    text->setMaxLength(static_cast<int>(longest_title) / 4);  // in bytes, whatever the letters
    form_->addRow(is_drawn, text);
    const auto change_part = [this, name, part](const std::optional<std::string>& title,
                                                const QString& merge) {
        FigureOptions options = document_.session().figure.options;
        options.*part = title;
        change(name, options, merge);
    };
    connect(text, &QLineEdit::textEdited, this, [change_part, id](const QString& typed) {
        change_part(typed.isEmpty() ? std::nullopt : std::optional(typed.toStdString()), id);
    });
    connect(is_drawn, &QCheckBox::clicked, this, [change_part, text](bool on) {
        const std::string typed = text->text().toStdString();
        change_part(!on             ? std::optional(std::string())
                    : typed.empty() ? std::nullopt
                                    : std::optional(typed),
                    {});
    });
    titles_.push_back({part, is_drawn, text});
}

QCheckBox* FigurePanel::add_switch(const QString& id, const QString& name, const QString& effect,
                                   std::function<void(FigureOptions&, bool)> turn) {
    auto* box = new QCheckBox(name);
    describe(box, id, name, effect);
    form_->addRow(box);
    connect(box, &QCheckBox::clicked, this, [this, name, turn = std::move(turn)](bool on) {
        FigureOptions options = document_.session().figure.options;
        turn(options, on);
        change(name, options);
    });
    return box;
}

void FigurePanel::add_titles() {
    add_title(QStringLiteral("figure-title"), tr("Title"), tr("Above the figure"), &FigureOptions::title);
    add_title(QStringLiteral("figure-subtitle"), tr("Subtitle"),
              tr("Under the title, in place of what stands under those of the matrices"),
              &FigureOptions::subtitle);
    add_title(QStringLiteral("figure-x-title"), tr("Title of the columns"),
              tr("What the columns are: source, for keys"), &FigureOptions::x_title);
    add_title(QStringLiteral("figure-y-title"), tr("Title of the rows"),
              tr("What the rows are: target, for queries"), &FigureOptions::y_title);
    add_title(QStringLiteral("figure-bar-title"), tr("Title of the colour bar"),
              tr("What the numbers are, where the figure has one bar for all"), &FigureOptions::bar_title);
    panel_titles_ = add_switch(QStringLiteral("figure-panel-titles"), tr("Titles of the matrices"),
                               tr("Stage and head above each matrix, and what is said under it"),
                               [](FigureOptions& options, bool on) { options.panel_titles = on; });
    caption_ = add_switch(QStringLiteral("figure-caption"), tr("Notes under the figure"),
                          tr("What a reader has to know: hatching, what was changed, what is not drawn. Left "
                             "out, they are for a caption of your own"),
                          [](FigureOptions& options, bool on) { options.caption = on; });
    letters_ = add_switch(QStringLiteral("figure-letters"), tr("Letters: (a), (b)"),
                          tr("Before the titles of the matrices, or in their place"),
                          [](FigureOptions& options, bool on) { options.letters = on; });
}

void FigurePanel::add_numbers() {
    values_ = new QCheckBox(tr("Values in cells"));
    describe(values_, QStringLiteral("figure-values"), tr("Values in cells"),
             tr("Writes the numbers into the cells where they fit"));
    form_->addRow(values_);
    connect(values_, &QCheckBox::clicked, this,
            [this](bool on) { document_.edit(show_values(document_.session(), on)); });
    digits_ = new WholeNumberBox;
    digits_->setRange(-1, most_digits);
    show_word_at_minimum(*digits_, tr("as many as fit"));
    describe(digits_, QStringLiteral("figure-digits"), tr("Digits"),
             tr("Digits after the decimal point of numbers in cells"));
    ignore_passing_wheel(digits_);
    add_row(tr("Digits"), digits_);
    connect(digits_, &QSpinBox::valueChanged, this, [this](int digits) {
        FigureOptions options = document_.session().figure.options;
        options.digits = digits < 0 ? std::nullopt : std::optional(digits);
        change(tr("Digits"), options, digits_->objectName());
    });
    auto* range = new QPushButton(tr("Colours as in a file…"));
    describe(range, QStringLiteral("figure-range-file"), tr("Colours as in a file"),
             tr("From which to which number the colours go in the figure of another session, of an exported "
                "figure or of a trace"));
    form_->addRow(range);
    connect(range, &QPushButton::clicked, this, &FigurePanel::range_file_requested);
    bar_ = add_switch(QStringLiteral("figure-bar"), tr("Colour bar"), tr("Which colour is which number"),
                      [](FigureOptions& options, bool on) { options.colour_bar = on; });
    transparent_ = add_switch(QStringLiteral("figure-transparent"), tr("Transparent background"),
                              tr("Exported files have no background; the window keeps its own"),
                              [](FigureOptions& options, bool on) { options.transparent = on; });
}

QDoubleSpinBox* FigurePanel::add_size(const QString& id, const QString& name, const QString& effect,
                                      std::optional<double> FigureType::*part, double least, double most) {
    auto* box = new PlainNumberBox;
    const double step = least < 1 ? least : 0.5;
    box->setRange(least - step, most);  // the least value means: of the theme
    box->setSingleStep(step);
    box->setDecimals(2);
    show_word_at_minimum(*box, tr("of the theme"));
    box->setSuffix(tr(" pt"));
    describe(box, id, name, effect);
    ignore_passing_wheel(box);
    add_row(name, box);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, name, part, id, least](double points) {
        FigureOptions options = document_.session().figure.options;
        options.type.*part = points < least ? std::nullopt : std::optional(points);
        change(name, options, id);
    });
    return box;
}

void FigurePanel::add_type() {
    font_ = new FontCombo;
    describe(font_, QStringLiteral("figure-font"), tr("Font"), tr("The font of all text in the figure"));
    ignore_passing_wheel(font_);
    add_row(tr("Font"), font_);
    connect(font_, &FontCombo::family_chosen, this, [this](const QString& family) {
        FigureOptions options = document_.session().figure.options;
        options.type.font = family.toStdString();
        change(tr("Font"), options);
    });
    size_ = add_size(QStringLiteral("figure-size"), tr("Size of the labels"),
                     tr("In points, as the exported figure has it; titles keep their proportion to it"),
                     &FigureType::size, smallest_type, largest_type);
    least_size_ = add_size(QStringLiteral("figure-least-size"), tr("Least size"),
                           tr("No text is smaller; labels that do not fit are left out"),
                           &FigureType::least_size, smallest_type, largest_type);
    line_width_ = add_size(QStringLiteral("figure-line-width"), tr("Line width"),
                           tr("In points, of the frames of matrices; all other lines keep their proportion"),
                           &FigureType::line_width, thinnest_line, thickest_line);
}

void FigurePanel::add_words(const QString& id, const QString& name, const QString& effect, WordField field) {
    field.name = name;
    field.text = new QLineEdit;
    describe(field.text, id, name, effect);
    add_row(name, field.text);
    field.problem = new WrappedLabel;
    describe(field.problem, id + QStringLiteral("-problem"), tr("%1: what is typed means nothing").arg(name),
             {});
    give_role(*field.problem, Role::problem);
    field.problem->show_text(tr("Expected %1.").arg(QString::fromUtf8(field.expected)));
    form_->addRow(field.problem);
    connect(field.text, &QLineEdit::textEdited, this, [this, at = words_.size(), id](const QString& typed) {
        const WordField& typed_in = words_[at];
        FigureOptions options = document_.session().figure.options;
        const bool is_read = typed_in.read(options, typed.trimmed().toStdString());
        form_->setRowVisible(typed_in.problem, !is_read);
        if (is_read)
            change(typed_in.name, options, id);
    });
    words_.push_back(std::move(field));
}

void FigurePanel::add_parts() {
    add_words(QStringLiteral("figure-heads"), tr("Heads"),
              tr("These heads where several can be drawn, such as 1,3-5; if empty all, of lines one"),
              {.expected = heads_words,
               .write = [](const FigureOptions& options) { return heads_word(options.heads); },
               .read =
                   [](FigureOptions& options, const std::string& text) {
                       const auto heads = text.empty() ? std::vector<Index>() : heads_from_word(text);
                       options.heads = heads.value_or(options.heads);
                       return heads.has_value();
                   }});
    in_row_ = new WholeNumberBox;
    in_row_->setRange(0, static_cast<int>(most_panels));
    show_word_at_minimum(*in_row_, tr("as on a grid"));  // of 0
    describe(in_row_, QStringLiteral("figure-panel-columns"), tr("Matrices in a row"),
             tr("Of several heads, or of a figure of several panels; as many as there are for a figure over "
                "both columns of a page"));
    ignore_passing_wheel(in_row_);
    add_row(tr("Matrices in a row"), in_row_);
    connect(in_row_, &QSpinBox::valueChanged, this, [this](int count) {
        FigureOptions options = document_.session().figure.options;
        options.panel_columns = count == 0 ? std::nullopt : std::optional<Index>(count);
        change(tr("Matrices in a row"), options, in_row_->objectName());
    });
    add_slice(QStringLiteral("figure-rows"), tr("Rows"), tr("These rows alone, such as 3..17; all if empty"),
              &FigureOptions::rows);
    add_slice(QStringLiteral("figure-columns"), tr("Columns"),
              tr("These columns alone, such as 3..17; all if empty"), &FigureOptions::columns);
    add_words(QStringLiteral("figure-hidden-labels"), tr("Hide labels"),
              tr("A regular expression: labels that it is found in are not written, such as </s>|^\\W$"),
              {.expected = "a regular expression that is quickly found, such as </s>",
               .write = [](const FigureOptions& options) { return options.hidden_labels; },
               .read = read_hidden});
    renamed_ = new QPlainTextEdit;
    renamed_->setTabChangesFocus(true);
    renamed_->setPlaceholderText(tr("label → other"));
    describe(renamed_, QStringLiteral("figure-renamed"), tr("Rename labels"),
             tr("One a line: the label, an arrow (-> is one) or an equals sign, and what is written in its "
                "place"));
    renamed_->setFixedHeight(4 * fontMetrics().lineSpacing());
    add_row(tr("Rename labels"), renamed_);
    connect(renamed_, &QPlainTextEdit::textChanged, this, &FigurePanel::read_renamed);
    add_cells();
}

void FigurePanel::add_slice(const QString& id, const QString& name, const QString& effect,
                            std::optional<AxisSlice> FigureOptions::*slice) {
    add_words(id, name, effect,
              {.expected = slice_words,
               .write =
                   [slice](const FigureOptions& options) {
                       return options.*slice ? slice_word(*(options.*slice)) : std::string();
                   },
               .read = [slice](FigureOptions& options,
                               const std::string& text) { return read_slice(options.*slice, text); }});
}

void FigurePanel::add_cells() {
    add_words(QStringLiteral("figure-marks"), tr("Framed cells"),
              tr("Row and column of each, separated by spaces, such as 3,5; of a rectangle 3-4,5-9"),
              {.expected = mark_words,
               .write =
                   [](const FigureOptions& options) {
                       QStringList words;
                       for (const MarkedCells& mark : options.marks)
                           words += QString::fromStdString(mark_word(mark));
                       return words.join(QChar(' ')).toStdString();
                   },
               .read = read_marks});
    auto* mark = new QPushButton(tr("Frame what is selected"));
    describe(mark, QStringLiteral("figure-mark-selected"), tr("Frame what is selected"),
             tr("Adds the selected cell, or the selected rectangle, to the framed cells"));
    form_->addRow(mark);
    connect(mark, &QPushButton::clicked, this, &FigurePanel::mark_selected);
    add_words(QStringLiteral("figure-notes"), tr("Texts and arrows"),
              tr("Row, column and text of each, separated by semicolons, such as 3,5 the verb; of an arrow "
                 "1,9>3,5 the verb, from the first cell to the second"),
              {.expected = note_words,
               .write =
                   [](const FigureOptions& options) {
                       QStringList words;
                       for (const CellNote& note : options.notes)
                           words += QString::fromStdString(note_word(note));
                       return words.join(QStringLiteral("; ")).toStdString();
                   },
               .read = read_notes});
}

void FigurePanel::read_renamed() {
    FigureOptions options = document_.session().figure.options;
    options.renamed = renamed_labels(typed_text(*renamed_));
    change(renamed_->accessibleName(), options, renamed_->objectName());
}

void FigurePanel::mark_selected() {
    const ViewState& view = document_.view();
    MarkedCells mark{{view.selection.query, 1}, {view.selection.key, 1}};
    if (view.block)
        mark = {{view.block->first_row, view.block->rows}, {view.block->first_column, view.block->columns}};
    FigureOptions options = document_.session().figure.options;
    if (std::ranges::count(options.marks, mark) > 0 || options.marks.size() == most_listed)
        return;
    options.marks.push_back(mark);
    change(tr("Framed cells"), options);
}

void FigurePanel::change(const QString& name, const FigureOptions& options, const QString& merge) {
    document_.edit(change_options(document_.session(), options, name.toStdString(), merge.toStdString()));
}

void FigurePanel::refresh() {
    const FigureSettings& figure = document_.session().figure;
    const FigureOptions& options = figure.options;
    for (const TitleField& title : titles_) {
        const std::optional<std::string>& given = options.*title.part;
        title.is_drawn->setChecked(!given || !given->empty());
        title.text->setEnabled(title.is_drawn->isChecked());
        const QString text = QString::fromStdString(given.value_or(std::string()));
        if (title.text->text() != text && title.text->isEnabled())
            title.text->setText(text);
    }
    for (const WordField& word : words_) {
        form_->setRowVisible(word.problem, false);
        // What is being typed stays as it is while it means the same.
        FigureOptions typed = options;
        const bool is_read = word.read(typed, word.text->text().trimmed().toStdString());
        if (!is_read || !(typed == options))
            word.text->setText(QString::fromStdString(word.write(options)));
    }
    const QSignalBlocker quiet[] = {QSignalBlocker(digits_),     QSignalBlocker(size_),
                                    QSignalBlocker(least_size_), QSignalBlocker(line_width_),
                                    QSignalBlocker(renamed_),    QSignalBlocker(in_row_)};
    panel_titles_->setChecked(options.panel_titles);
    caption_->setChecked(options.caption);
    letters_->setChecked(options.letters);
    values_->setChecked(figure.values_in_cells);
    digits_->setValue(options.digits.value_or(-1));
    digits_->setEnabled(figure.values_in_cells);
    bar_->setChecked(options.colour_bar);
    transparent_->setChecked(options.transparent);
    font_->show_family(QString::fromStdString(options.type.font));
    size_->setValue(options.type.size.value_or(size_->minimum()));
    least_size_->setValue(options.type.least_size.value_or(least_size_->minimum()));
    line_width_->setValue(options.type.line_width.value_or(line_width_->minimum()));
    in_row_->setValue(static_cast<int>(options.panel_columns.value_or(0)));
    if (renamed_labels(typed_text(*renamed_)) != options.renamed)
        renamed_->setPlainText(renamed_text(options.renamed));
    reset_->setEnabled(options != FigureOptions() || !figure.values_in_cells);
}

}  // namespace headlight
