#include "ui/panels/sequence_panel.h"

#include "core/io/image_session.h"
#include "core/tensor/error.h"
#include "core/workbench/sequence_edits.h"
#include "ui/models/document.h"
#include "ui/panels/counterpart_box.h"
#include "ui/panels/image_box.h"
#include "ui/panels/number_control.h"
#include "ui/panels/seed_box.h"
#include "ui/panels/sequence_edit.h"
#include "ui/panels/token_strip.h"
#include "ui/views/describe.h"
#include "ui/views/flow_layout.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/token_search.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace headlight {
namespace {

/// A text reads as long as the window has no other wish: tokens of up to about four rows are shown without
/// scrolling.
constexpr int token_rows = 4;

bool is_cross(const Session& session) {
    try {
        return session_spec(session).source.type == SourceType::cross;
    } catch (const Error&) {
        return false;
    }
}

Index heads_of(const Session& session) {
    try {
        return session_spec(session).heads.count();
    } catch (const Error&) {
        return 1;
    }
}

/// Widths that can be split into that many heads.
std::vector<double> multiples(Index heads) {
    std::vector<double> stops;
    for (Index width = heads; heads > 1 && width <= widest_vectors; width += heads)
        stops.push_back(double(width));
    return stops;
}

constexpr int letters = 10;  // of a drop-down list

QStringList to_list(const std::vector<std::string>& labels) {
    QStringList list;
    for (const std::string& label : labels)
        list << QString::fromStdString(label);
    return list;
}

}  // namespace

SequencePanel::SequencePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document),
      counterpart_(new CounterpartBox(document, QStringLiteral("counterpart"))),
      image_box_(new ImageBox(document)), file_box_(new QWidget), file_label_(new QLabel),
      file_close_(new QToolButton), split_(new LazyCombo(letters)), vectors_(new LazyCombo(letters)),
      dimension_(new NumberControl(
          QStringLiteral("dimension"), tr("Dimension of the token vectors"),
          tr("d: how many numbers a token vector has, and so over how many products a score sums"),
          {2, widest_vectors, true, true})),
      reduction_(new LazyCombo(letters)), seed_(new SeedBox),
      positions_(new QCheckBox(tr("Si&nusoidal positions"))) {
    query_ = make_text(QStringLiteral("query_text"), tr("&Query text"),
                       tr("Its tokens are the rows of the weights: each asks a question. "
                          "In self attention they are the keys and values too"));
    key_ = make_text(
        QStringLiteral("key_text"), tr("&Key text"),
        tr("Its tokens are the columns of the weights: the keys and values that the query looks at"));

    auto* file_row = new QHBoxLayout(file_box_);
    file_row->setContentsMargins(0, 0, 0, 0);
    file_row->addWidget(file_label_, 1);
    file_row->addWidget(file_close_);
    file_label_->setTextFormat(Qt::RichText);
    file_label_->setWordWrap(true);
    describe(file_close_, QStringLiteral("close_inputs_file"), tr("Back to text"),
             tr("Takes the token vectors from the text again instead of the file"));
    file_close_->setText(QStringLiteral("×"));
    file_close_->setAutoRaise(true);

    auto* open = new QPushButton(tr("&Open a file…"));
    describe(open, QStringLiteral("open_sequence_file"), tr("Open a file"),
             tr("Takes the text from .txt, the patches of an image, or the token vectors from .csv, .json or "
                ".safetensors"));
    auto* painting = new QPushButton(tr("Example picture"));
    describe_with_key(painting, QStringLiteral("sequence_example_picture"), tr("Example picture"),
                      tr("A small painting as the sequence: its patches are the tokens"),
                      QStringLiteral("example_picture"));
    auto* sources = new QWidget;
    auto* flow = new FlowLayout(8, sources);
    flow->setContentsMargins(0, 0, 0, 0);
    flow->addWidget(open);
    flow->addWidget(painting);

    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(8);
    add_vector_controls(*form);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(query_.box);
    layout->addWidget(key_.box);
    layout->addWidget(counterpart_);
    layout->addWidget(file_box_);
    layout->addWidget(image_box_);
    layout->addLayout(form);
    layout->addWidget(sources);
    layout->addStretch(1);

    connect(open, &QPushButton::clicked, this, &SequencePanel::open_requested);
    connect(painting, &QPushButton::clicked, this, &SequencePanel::example_picture_requested);
    connect(counterpart_, &CounterpartBox::paste_refused, this, &SequencePanel::paste_refused);
    connect(file_close_, &QToolButton::clicked, this,
            [this] { document_.edit(leave_file(document_.session())); });
    connect_texts();
    connect(&document_, &Document::session_changed, this, &SequencePanel::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &SequencePanel::refresh);
    connect(&document_, &Document::run_changed, this, &SequencePanel::refresh_tokens);
    connect(&document_, &Document::error_changed, this, &SequencePanel::refresh_tokens);
    refresh();
    refresh_tokens();
}

SequencePanel::Text SequencePanel::make_text(const QString& id, const QString& label, const QString& effect) {
    Text text;
    text.box = new QWidget;
    text.edit = new SequenceEdit;
    text.tokens = new TokenStrip;
    text.scroll = new QScrollArea;
    const QString plain = QString(label).remove(QChar('&'));
    describe(text.edit, id, plain, effect);
    text.edit->setPlaceholderText(tr("Type or paste a sentence"));
    describe(text.tokens, id + "_tokens", tr("Tokens of the %1").arg(plain.toLower()),
             tr("Click a token to follow it through every view. A dashed outline marks a word without a "
                "trained vector"));
    text.scroll->setWidget(text.tokens);
    text.scroll->setWidgetResizable(true);
    text.scroll->setFrameShape(QFrame::NoFrame);
    text.scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    text.scroll->setFocusPolicy(Qt::NoFocus);
    text.scroll->viewport()->installEventFilter(this);
    text.tokens->installEventFilter(this);
    auto* heading = new QLabel(label);
    heading->setBuddy(text.edit);

    auto* layout = new QVBoxLayout(text.box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(heading);
    layout->addWidget(text.edit);
    layout->addWidget(text.scroll);
    return text;
}

void SequencePanel::add_vector_controls(QFormLayout& form) {
    split_->addItems({tr("Words"), tr("Characters")});
    describe(split_, QStringLiteral("split"), tr("Split into"),
             tr("What one token is: a word or punctuation mark, or one character as a person sees it"));
    vectors_->addItems(
        {tr("English words"), tr("From the spelling"), tr("One axis per token"), tr("Random")});
    vectors_->setItemData(0, tr("Trained on English text: similar words have similar vectors"),
                          Qt::ToolTipRole);
    vectors_->setItemData(1, tr("The same word has the same vector everywhere; similar words do not"),
                          Qt::ToolTipRole);
    vectors_->setItemData(2, tr("One-hot: the products are 1 for the same token and 0 for another"),
                          Qt::ToolTipRole);
    vectors_->setItemData(3, tr("A new vector per position, drawn from the seed"), Qt::ToolTipRole);
    describe(vectors_, QStringLiteral("vectors"), tr("Token vectors"),
             tr("The numbers x that stand for a token, before any projection"));
    reduction_->addItems({tr("Keep the first"), tr("Project at random")});
    describe(reduction_, QStringLiteral("reduction"), tr("Shorten by"),
             tr("How trained vectors of 100 numbers become shorter: cut off, or multiplied by a random "
                "matrix that "
                "about keeps their products"));
    describe(seed_, QStringLiteral("vector_seed"), tr("Seed of the token vectors"),
             tr("Draws the random vectors and the random projection: the same seed gives the same numbers"));
    describe(positions_, QStringLiteral("positions"), tr("Sinusoidal positions"),
             tr("Adds to every token vector the sines and cosines of its position, so that order matters"));
    for (QWidget* control : {static_cast<QWidget*>(split_), static_cast<QWidget*>(vectors_),
                             static_cast<QWidget*>(reduction_), static_cast<QWidget*>(seed_)})
        ignore_passing_wheel(control);

    form.addRow(tr("&Split into"), split_);
    form.addRow(tr("Vec&tors"), vectors_);
    form.addRow(tr("&Dimension"), dimension_);
    form.addRow(tr("Shorten &by"), reduction_);
    form.addRow(tr("Seed"), seed_);
    form.addRow(positions_);

    connect(split_, &QComboBox::activated, this, [this](int row) {
        document_.edit(choose_split(document_.session(), static_cast<TokenSplit>(row),
                                    split_->itemText(row).toStdString()));
    });
    connect(vectors_, &QComboBox::activated, this, [this](int row) {
        document_.edit(choose_vectors(document_.session(), static_cast<VectorKind>(row),
                                      vectors_->itemText(row).toStdString()));
    });
    connect(dimension_, &NumberControl::edited, this, [this](double value, int gesture) {
        document_.edit(set_dimension(document_.session(), static_cast<Index>(value), gesture));
    });
    connect(reduction_, &QComboBox::activated, this, [this](int row) {
        document_.edit(choose_reduction(document_.session(), static_cast<Reduction>(row),
                                        reduction_->itemText(row).toStdString()));
    });
    connect(seed_, &SeedBox::valueChanged, this,
            [this](quint64 seed) { document_.edit(seed_vectors(document_.session(), seed)); });
    connect(positions_, &QCheckBox::clicked, this,
            [this](bool on) { document_.edit(add_positions(document_.session(), on)); });
}

void SequencePanel::connect_texts() {
    connect(query_.edit, &SequenceEdit::typed, this, [this](const QString& text) {
        document_.edit(type_query(document_.session(), text.toStdString()));
    });
    connect(key_.edit, &SequenceEdit::typed, this, [this](const QString& text) {
        document_.edit(type_key(document_.session(), text.toStdString()));
    });
    connect(query_.tokens, &TokenStrip::token_chosen, this, [this](int token) {
        Selection selection = document_.session().view.selection;
        selection.query = token;
        document_.looking().select(selection);
    });
    connect(key_.tokens, &TokenStrip::token_chosen, this, [this](int token) {
        Selection selection = document_.session().view.selection;
        selection.key = token;
        document_.looking().select(selection);
    });
    connect(&TokenSearch::of(document_), &TokenSearch::changed, this, &SequencePanel::show_found);
    for (const Text* text : {&query_, &key_})
        connect(text->edit, &SequenceEdit::paste_refused, this, &SequencePanel::paste_refused);
}

void SequencePanel::refresh() {
    const Session& session = document_.session();
    const SequenceSettings& sequence = session.sequence;
    const bool from_image = bool(sequence.image), of_patches = reads_image_alone(session);
    const bool from_file = sequence.file && !from_image;

    query_.edit->show_text(QString::fromStdString(sequence.query_text));
    key_.edit->show_text(QString::fromStdString(sequence.key_text));
    query_.edit->setVisible(!from_file);
    key_.edit->setVisible(!from_file);
    query_.box->setVisible(!of_patches);
    key_.box->setVisible(is_cross(session) && !from_image);
    counterpart_->setVisible(session.runs_mechanism() && session.allows(Counterpart::Kind::text));
    file_box_->setVisible(from_file);
    if (from_file)
        file_label_->setText(tr("Token vectors from <b>%1</b>, %2 × %3")
                                 .arg(QString::fromStdString(sequence.file_name).toHtmlEscaped())
                                 .arg(sequence.file->query.rows())
                                 .arg(sequence.file->query.cols()));

    const QSignalBlocker quiet_seed(seed_);
    split_->setCurrentIndex(static_cast<int>(sequence.split));
    vectors_->setCurrentIndex(static_cast<int>(sequence.vectors.kind));
    reduction_->setCurrentIndex(static_cast<int>(sequence.vectors.reduction));
    seed_->setValue(sequence.vectors.seed);
    dimension_->set_value(double(sequence.vectors.dimension));
    dimension_->set_stops(multiples(heads_of(session)));
    positions_->setChecked(session.position == PositionType::sinusoidal);
    for (QWidget* control : {static_cast<QWidget*>(split_), static_cast<QWidget*>(vectors_)})
        control->setEnabled(!from_file && !of_patches);
    dimension_->setEnabled(!from_file);
    const bool is_english = sequence.vectors.kind == VectorKind::english;
    reduction_->setEnabled(!from_file && !of_patches && is_english);
    seed_->setEnabled(from_image ||
                      (!from_file && (sequence.vectors.kind == VectorKind::random ||
                                      (is_english && sequence.vectors.reduction == Reduction::project))));
    show_selected();
}

void SequencePanel::show_selected() {
    const Selection& selection = document_.view().selection;
    for (const auto& [text, token] : {std::pair(&query_, selection.query), {&key_, selection.key}}) {
        const auto chosen = static_cast<int>(token);
        text->tokens->set_selected(chosen);
        if (chosen >= text->tokens->tokens().size())
            continue;
        const QPoint middle = text->tokens->chip(chosen).center();
        // In the middle of what can be seen: the lower rows may lie below the edge of the panel.
        text->scroll->ensureVisible(middle.x(), middle.y(), 0, text->scroll->viewport()->height() / 2);
    }
}

void SequencePanel::refresh_tokens() {
    const auto run = document_.run();
    if (run ? !run->is_of_mechanism() : !document_.error())  // without either its first run is on its way
        return;
    static const TokenLabels none;
    const TokenLabels& labels = run ? run->trace->tokens : none;
    const bool query_changed = query_.tokens->set_tokens(to_list(labels.query), labels.query_unknown);
    const bool key_changed = key_.tokens->set_tokens(to_list(labels.key), labels.key_unknown);
    if (query_changed || key_changed) {
        fit_tokens();
        show_selected();
    }
}

void SequencePanel::show_found() {
    const auto run = document_.run();
    const bool has_strips = run && run->is_of_mechanism();
    const TokenSearch& search = TokenSearch::of(document_);
    query_.tokens->set_found(has_strips ? search.queries() : std::vector<TokenRange>());
    key_.tokens->set_found(!has_strips             ? std::vector<TokenRange>()
                           : search.are_one_text() ? search.queries()
                                                   : search.keys());
}

void SequencePanel::choose_text() {
    query_.edit->setFocus(Qt::ShortcutFocusReason);
    query_.edit->selectAll();
}

void SequencePanel::fit_tokens() {
    for (const Text* text : {&query_, &key_}) {
        const int row = text->tokens->minimumSizeHint().height() + 4;
        const int wanted = text->tokens->heightForWidth(text->scroll->viewport()->width());
        text->scroll->setFixedHeight(std::min(wanted, token_rows * row));
    }
}

bool SequencePanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Resize)
        return false;
    // Once the scroll area is done: its scroll bars do not know of the new size yet, and a height that is set
    // while it lays itself out leaves its viewport behind.
    const bool is_strip = watched == query_.tokens || watched == key_.tokens;
    QMetaObject::invokeMethod(this, is_strip ? &SequencePanel::show_selected : &SequencePanel::fit_tokens,
                              Qt::QueuedConnection);
    return false;
}

}  // namespace headlight
