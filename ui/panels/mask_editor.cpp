#include "ui/panels/mask_editor.h"

#include "core/io/grid_columns.h"
#include "core/tensor/error.h"
#include "core/workbench/mask_edits.h"
#include "core/workbench/mask_parts.h"
#include "ui/actions/shortcuts.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/panels/setting_form.h"
#include "ui/panels/word_combo.h"
#include "ui/views/describe.h"
#include "ui/views/mask_canvas.h"
#include "ui/views/mask_legend.h"
#include "ui/views/role.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace headlight {
namespace {

constexpr Index most_shown_layers = 8;
/// From a stroke on: with the time to the next write of the work a kill loses five seconds of drawing at
/// most.
constexpr std::chrono::milliseconds longest_delay{1000};

/// For the tokens that the session has now; what is drawn already, as far as it fits.
void start_from(MaskDrawing& drawing, const Session& session) {
    if (session.drawn_mask)
        return drawing.begin_with(*session.drawn_mask);
    try {
        drawing.begin_with(AllowedPairs(session_spec(session).mask, drawing.queries(), drawing.keys()));
    } catch (const Error&) {
        return;  // a mask that cannot be is where a person may want to draw another
    }
}

/// Tokens on an axis of a mask that is drawn cell by cell, and saved so.
constexpr Index most_drawn = 512;

QString percent(Index part, Index all) {
    return QString::number(all > 0 ? 100.0 * double(part) / double(all) : 0, 'f', 1) + QStringLiteral(" %");
}

}  // namespace

MaskEditor::MaskEditor(Document& document, QWidget* parent) : QDialog(parent), document_(document) {
    setWindowTitle(tr("Edit the mask"));
    setObjectName(QStringLiteral("mask_editor"));
    const Session& session = document.session();
    const Inputs inputs = sequence_inputs(session.sequence, session_spec(session).source.type);
    require_length("query", inputs.query.rows(), most_drawn);
    require_length("key", inputs.key_tokens().rows(), most_drawn);
    drawing_ = new MaskDrawing(inputs.query.rows(), inputs.key_tokens().rows(), this);
    start_from(*drawing_, session);
    found_.assign(drawing_->cells().begin(), drawing_->cells().end());
    canvas_ = new MaskCanvas(*drawing_, inputs.tokens);
    describe(canvas_, QStringLiteral("mask_canvas"), tr("Mask: queries down, keys across"),
             tr("Draw with the mouse: the left button as the brush says, the right one the opposite, Shift "
                "for a rectangle; a token's name takes its row or column. Keys: arrows, Space, R, C"));
    canvas_->setToolTip({});
    about_ = new QLabel;
    about_->setObjectName(QStringLiteral("mask_cell"));
    make_note(*about_);
    about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* tools = new QWidget;
    auto* column = new QVBoxLayout(tools);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(build_brush());
    column->addWidget(build_pattern());
    column->addWidget(build_numbers());
    column->addStretch(1);
    auto* area = new QScrollArea;
    area->setWidget(tools);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFixedWidth(tools->sizeHint().width() + 24);
    area->setFocusPolicy(Qt::NoFocus);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Use this mask"));
    describe(buttons->button(QDialogButtonBox::Ok), QStringLiteral("mask_accept"), tr("Use this mask"),
             tr("The drawing takes the place of the mechanism's mask; undo takes it back"));
    describe(buttons->button(QDialogButtonBox::Cancel), QStringLiteral("mask_cancel"), tr("Cancel"),
             tr("The mask stays as it was"));
    connect(buttons, &QDialogButtonBox::accepted, this, &MaskEditor::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* left = new QVBoxLayout;
    legend_ = new MaskLegend;
    left->addWidget(canvas_, 1);
    left->addWidget(legend_);
    left->addWidget(about_);
    auto* parts = new QHBoxLayout;
    parts->setSpacing(12);
    parts->addLayout(left, 1);
    parts->addWidget(area);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(parts, 1);
    layout->addWidget(buttons);
    connect(canvas_, &MaskCanvas::described, about_, &QLabel::setText);
    connect(drawing_, &MaskDrawing::changed, this, &MaskEditor::refresh);
    keeping_.setSingleShot(true);
    keeping_.setInterval(longest_delay);
    connect(drawing_, &MaskDrawing::changed, this, [this] {
        if (!keeping_.isActive())
            keeping_.start();
    });
    connect(&keeping_, &QTimer::timeout, this, [this] {
        document_.keep_drawing(is_as_found() ? nullptr
                                             : std::make_shared<const MatrixMask>(drawing_->mask()));
    });
    resize(980, 660);
    show_pattern();
    refresh();
    canvas_->setFocus();
}

bool MaskEditor::is_as_found() const { return std::ranges::equal(drawing_->cells(), found_); }

void MaskEditor::done(int result) {
    keeping_.stop();
    document_.keep_drawing(nullptr);
    QDialog::done(result);
}

QToolButton* MaskEditor::add_button(const QString& id, const QString& text, const QString& effect) {
    auto* button = new QToolButton;
    describe_with_key(button, id, text, effect);
    button->setText(text);
    button->setFocusPolicy(Qt::TabFocus);
    give_role(*button, Role::chip);
    give_keys(*button);
    return button;
}

QWidget* MaskEditor::build_brush() {
    auto* box = new QGroupBox(tr("Draw"));
    auto* brushes = new QButtonGroup(box);
    auto* first = new QHBoxLayout;
    const auto brush = [&](const QString& id, const QString& text, const QString& effect, bool allows) {
        QToolButton* button = add_button(id, text, effect);
        button->setCheckable(true);
        button->setChecked(!allows);
        brushes->addButton(button);
        first->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, allows] { canvas_->set_brush(allows); });
    };
    brush(QStringLiteral("brush_forbid"), tr("&Forbid"),
          tr("The left button forbids: the score of the pair becomes −∞ and its weight 0"), false);
    brush(QStringLiteral("brush_allow"), tr("&Allow"), tr("The left button allows the pair"), true);
    first->addStretch(1);
    undo_ = add_button(QStringLiteral("mask_undo"), tr("Undo"), tr("Takes back the last stroke"));
    redo_ = add_button(QStringLiteral("mask_redo"), tr("Redo"), tr("Draws it again"));
    connect(undo_, &QToolButton::clicked, drawing_, &MaskDrawing::undo);
    connect(redo_, &QToolButton::clicked, drawing_, &MaskDrawing::redo);
    first->addWidget(undo_);
    first->addWidget(redo_);

    auto* second = new QHBoxLayout;
    const auto act = [&](const QString& id, const QString& text, const QString& effect, auto slot) {
        QToolButton* button = add_button(id, text, effect);
        second->addWidget(button);
        connect(button, &QToolButton::clicked, this, slot);
    };
    act(QStringLiteral("mask_all"), tr("Allow all"), tr("Allows every pair"),
        [this] { drawing_->fill(true); });
    act(QStringLiteral("mask_none"), tr("Forbid all"), tr("Forbids every pair"),
        [this] { drawing_->fill(false); });
    act(QStringLiteral("mask_invert"), tr("Invert"), tr("Allows what is forbidden, and forbids the rest"),
        [this] { drawing_->invert(); });
    second->addStretch(1);
    auto* layout = new QVBoxLayout(box);
    layout->addLayout(first);
    layout->addLayout(second);
    return box;
}

QWidget* MaskEditor::build_pattern() {
    auto* box = new QGroupBox(tr("Pattern"));
    patterns_ = new WordCombo;
    describe(patterns_, QStringLiteral("mask_pattern"), tr("Pattern"),
             tr("A pattern of pairs to start from, or to join with what is drawn"));
    patterns_->set_words({mask_words().begin(), mask_words().end()});
    pattern_ = mask_leaf(mask_words().front().word);
    inverted_ = new QCheckBox(tr("not"));
    describe(inverted_, QStringLiteral("mask_pattern_not"), tr("Invert the pattern"),
             tr("What the pattern forbids, instead of what it allows"));
    settings_ = new SettingForm(QStringLiteral("mask_pattern_"));
    problem_ = new QLabel;
    problem_->setObjectName(QStringLiteral("mask_pattern_problem"));
    give_role(*problem_, Role::problem);
    problem_->setWordWrap(true);
    problem_->hide();
    connect(patterns_, &WordCombo::chosen, this, [this](const std::string& word) {
        pattern_ = mask_leaf(word);
        if (const PatchedPicture& image = document_.session().sequence.image)
            set_grid_columns(pattern_, image.columns);
        show_pattern();
    });
    connect(settings_, &SettingForm::edited, this, [this](int row, const OptionValue& value) {
        pattern_ = mask_settings(pattern_)[static_cast<std::size_t>(row)].with(value);
        show_pattern();
    });

    auto* head = new QHBoxLayout;
    head->addWidget(inverted_);
    head->addWidget(patterns_, 1);
    auto* joins = new QHBoxLayout;
    const auto add_join = [&](const QString& id, const QString& text, const QString& effect, MaskJoin how) {
        QToolButton* button = add_button(id, text, effect);
        joins->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, how] { join(how); });
    };
    add_join(QStringLiteral("join_replace"), tr("Start from it"),
             tr("The pattern takes the place of the drawing"), MaskJoin::replace);
    add_join(QStringLiteral("join_both"), tr("And"), tr("Keeps the pairs that drawing and pattern allow"),
             MaskJoin::both);
    add_join(QStringLiteral("join_either"), tr("Or"), tr("Adds the pairs that the pattern allows"),
             MaskJoin::either);
    add_join(QStringLiteral("join_except"), tr("And not"), tr("Takes away the pairs that the pattern allows"),
             MaskJoin::except);
    joins->addStretch(1);
    auto* layout = new QVBoxLayout(box);
    layout->addLayout(head);
    layout->addWidget(settings_);
    layout->addWidget(problem_);
    layout->addLayout(joins);
    return box;
}

QWidget* MaskEditor::build_numbers() {
    auto* box = new QGroupBox(tr("Result"));
    counts_ = new QLabel;
    counts_->setObjectName(QStringLiteral("mask_counts"));
    counts_->setWordWrap(true);
    field_text_ = new QLabel;
    field_text_->setObjectName(QStringLiteral("mask_field"));
    field_text_->setWordWrap(true);
    layers_ = new QSlider(Qt::Horizontal);
    describe(layers_, QStringLiteral("mask_layers"), tr("Layers"),
             tr("Shades what a token knows of after so many layers with this mask: what it may look at, what "
                "those looked at before, and itself"));
    layers_->setRange(1, static_cast<int>(most_shown_layers));
    layers_->setPageStep(1);
    layers_->setTickPosition(QSlider::TicksBelow);
    auto* label = new QLabel(tr("&Layers"));
    label->setBuddy(layers_);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(layers_, 1);
    auto* layout = new QVBoxLayout(box);
    layout->addWidget(counts_);
    layout->addLayout(row);
    layout->addWidget(field_text_);
    const bool is_one_sequence = drawing_->queries() == drawing_->keys();
    layers_->setEnabled(is_one_sequence);
    if (!is_one_sequence)
        field_text_->setText(tr("What layers reach is a question of one sequence: here, queries and keys are "
                                "two."));
    connect(layers_, &QSlider::valueChanged, this, &MaskEditor::show_field);
    return box;
}

void MaskEditor::show_pattern() {
    patterns_->show_word(mask_word(pattern_));
    std::vector<SettingForm::Row> rows;
    for (const MaskSetting& setting : mask_settings(pattern_))
        rows.push_back({setting.option, setting.value});
    settings_->show_settings(rows);
    problem_->hide();
}

void MaskEditor::join(MaskJoin how) {
    try {
        const Mask mask = inverted_->isChecked() ? Mask{Not{{pattern_}}} : pattern_;
        const AllowedPairs allowed(mask, drawing_->queries(), drawing_->keys());
        std::vector<std::uint8_t> cells;
        for (Index query = 0; query < allowed.queries(); ++query) {
            const auto row = allowed.row(query);
            cells.insert(cells.end(), row.begin(), row.end());
        }
        problem_->hide();
        drawing_->join(cells, how);
    } catch (const Error& error) {
        problem_->setText(tr("It needs %1. Here: %2.")
                              .arg(QString::fromStdString(error.detail().expected),
                                   QString::fromStdString(error.detail().got)));
        problem_->show();
    }
}

void MaskEditor::refresh() {
    const MaskCounts counts = drawing_->counts();
    QString text = tr("%1 of %2 allowed (%3).")
                       .arg(counts.allowed)
                       .arg(counted_text(counts.pairs, "pair"), percent(counts.allowed, counts.pairs));
    text += " " + (counts.least == counts.most
                       ? tr("%1 for every query.").arg(counted_text(counts.most, "key"))
                       : tr("%1 to %2 keys for a query.").arg(counts.least).arg(counts.most));
    if (counts.dead > 0)
        text +=
            " " +
            (counts.dead == 1
                 ? tr("1 query may look at no key: its weights and context are 0.")
                 : tr("%1 queries may look at no key: their weights and contexts are 0.").arg(counts.dead));
    counts_->setText(text);
    undo_->setEnabled(drawing_->can_undo());
    redo_->setEnabled(drawing_->can_redo());
    measure();
}

void MaskEditor::measure() {
    if (drawing_->queries() != drawing_->keys())
        return;
    // While the hand moves, each measuring is finished and shown, and the newest drawing is measured next.
    measure_again_ = measuring_.is_running();
    if (measure_again_)
        return;
    measuring_.start(
        "measure the mask",
        [this, tokens = drawing_->keys(),
         cells = std::vector<std::uint8_t>(drawing_->cells().begin(), drawing_->cells().end())](
            const Cancellation&) -> Job::Delivery {
            auto field =
                std::make_shared<const ReceptiveField>(receptive_field(cells, tokens, most_shown_layers));
            return [this, field] {
                field_ = field;
                show_field();
                if (measure_again_)
                    QMetaObject::invokeMethod(this, &MaskEditor::measure, Qt::QueuedConnection);
            };
        },
        [this](const Error& error) { field_text_->setText(QString::fromStdString(error.what())); });
}

void MaskEditor::show_field() {
    if (!field_)
        return;
    const Index after = layers_->value(), reached = field_->count(after);
    const Index pairs = field_->tokens * field_->tokens;
    const QString what = after == 1 ? tr("After 1 layer a token knows of itself and what it may look at")
                                    : tr("After %1 layers a token knows of what it reaches").arg(after);
    field_text_->setText(tr("%1: %2 of %3 (%4).")
                             .arg(what)
                             .arg(reached)
                             .arg(counted_text(pairs, "pair"), percent(reached, pairs)));
    canvas_->show_field(field_, after);
    legend_->show_layers(after);
}

void MaskEditor::accept() {
    document_.edit(draw_mask(document_.session(), std::make_shared<const MatrixMask>(drawing_->mask())));
    QDialog::accept();
}

void MaskEditor::reject() {
    if (is_as_found())
        return QDialog::reject();
    QMessageBox box(QMessageBox::Question, windowTitle(), tr("The mask that you drew is not used yet."),
                    QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("drawn_mask_question"));
    box.setDefaultButton(QMessageBox::Cancel);
    const QPushButton* use = box.addButton(tr("&Use this mask"), QMessageBox::AcceptRole);
    const QPushButton* drop = box.addButton(tr("&Drop it"), QMessageBox::DestructiveRole);
    box.exec();
    if (box.clickedButton() == use)
        accept();
    else if (box.clickedButton() == drop)
        QDialog::reject();
}

}  // namespace headlight
