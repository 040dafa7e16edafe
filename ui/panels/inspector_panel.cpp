#include "ui/panels/inspector_panel.h"

#include "core/figure/view.h"
#include "ui/jobs/job.h"
#include "ui/models/document.h"
#include "ui/panels/inspector_sentences.h"
#include "ui/render/subscripts.h"
#include "ui/views/arithmetic_view.h"
#include "ui/views/cell_text.h"
#include "ui/views/changed_cells.h"
#include "ui/views/comparison_text.h"
#include "ui/views/describe.h"
#include "ui/views/hover.h"
#include "ui/views/icon.h"
#include "ui/views/role.h"
#include "ui/views/row_bars.h"
#include "ui/views/token_search.h"
#include "ui/views/wrapped_label.h"

#include <QCheckBox>
#include <QClipboard>
#include <QEvent>
#include <QFontInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>

namespace headlight {
namespace {

/// A glance at the context; copying gives all of it.
constexpr std::size_t numbers_of_context = 12;

/// About four lines; the rest of longer notes is asked for.
constexpr qsizetype most_of_notes = 160;

/// So many bars are seen at once, whatever has to be scrolled to below them; of a longer row at least so
/// many.
constexpr int most_whole_bars = 8, fewest_bars = 5;

/// False at a stage of the formula before the weights: who walks through it has yet to see them come about.
bool weights_are_reached(const Trace& trace, const CellPlace& place) {
    for (const Stage& stage : trace.stages()) {
        if (stage.site != place.site)
            continue;
        if (stage.name == "weights")
            return true;
        if (stage.name == place.stage)
            return trace.find("weights", place.site) == nullptr;
    }
    return true;
}

}  // namespace

InspectorPanel::InspectorPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), hover_(HoverState::of(document)) {
    content_ = new QWidget;
    content_->installEventFilter(this);
    auto* column = new QVBoxLayout(content_);
    // Narrow: on a small screen five bars and the arithmetic under them are to be seen at once.
    column->setContentsMargins(8, 2, 2, 8);
    column->setSpacing(3);

    heading_ = add_label(QStringLiteral("inspector-heading"), tr("Cell"));
    copy_ = new QToolButton;
    copy_->setAutoRaise(true);
    describe(copy_, QStringLiteral("inspector-copy"), tr("Copy"), tr("Copy all of this as text"));
    auto* top = new QHBoxLayout;
    top->addWidget(heading_, 1);
    top->addWidget(copy_, 0, Qt::AlignTop);
    column->addLayout(top);
    place_ = add_label(QStringLiteral("inspector-place"), tr("Place"));
    make_note(*place_);
    notes_ = add_label(QStringLiteral("inspector-notes"), tr("Notes"));
    make_note(*notes_);
    notes_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    connect(notes_, &QLabel::linkActivated, this, [this] {
        are_notes_whole_ = !are_notes_whole_;
        show_notes();
    });
    arithmetic_ = new ArithmeticView;
    arithmetic_->setObjectName(QStringLiteral("inspector-arithmetic"));
    arithmetic_->setAccessibleName(tr("Arithmetic"));
    build_row();
    for (QWidget* part :
         std::initializer_list<QWidget*>{place_, notes_, row_section_, arithmetic_, row_summary_, context_})
        column->addWidget(part);
    column->addStretch(1);

    scroll_ = new QScrollArea;
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setWidgetResizable(true);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->setWidget(content_);
    scroll_->setFocusPolicy(Qt::NoFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll_);

    follow();
    restyle();
}

void InspectorPanel::build_row() {
    row_section_ = new QWidget;
    auto* row = new QVBoxLayout(row_section_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row_heading_ = add_label(QStringLiteral("inspector-row"), tr("Row"));
    make_title(*row_heading_);
    sorted_ = new QCheckBox(tr("Largest first"));
    describe(sorted_, QStringLiteral("inspector-sorted"), tr("Largest first"),
             tr("Sort the keys by their weight instead of their order in the text"));
    bars_ = new RowBars;
    bars_->setObjectName(QStringLiteral("inspector-bars"));
    bars_area_ = new QScrollArea;
    bars_area_->setFrameShape(QFrame::NoFrame);
    bars_area_->setWidgetResizable(true);
    bars_area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    bars_area_->setWidget(bars_);
    bars_area_->setFocusPolicy(Qt::NoFocus);  // what is in it takes the keys, and comes into view with them
    bars_area_->viewport()->setAutoFillBackground(false);
    bars_->setAutoFillBackground(false);
    row_summary_ = add_label(QStringLiteral("inspector-summary"), tr("Summary of the row"));
    context_ = add_label(QStringLiteral("inspector-context"), tr("Context"));
    auto* row_top = new QHBoxLayout;
    row_top->addWidget(row_heading_, 1);
    row_top->addWidget(sorted_, 0, Qt::AlignTop);
    row->addLayout(row_top);
    row->addWidget(bars_area_);
}

void InspectorPanel::follow() {
    connect(copy_, &QToolButton::clicked, this, &InspectorPanel::copy_text);
    connect(sorted_, &QCheckBox::toggled, this, [this](bool sorted) {
        bars_->set_sorted(sorted);
        fit_bars();
    });
    connect(bars_, &RowBars::token_chosen, this, &InspectorPanel::choose_token);
    connect(&hover_, &HoverState::changed, this, &InspectorPanel::refresh);
    connect(&document_, &Document::run_changed, this, &InspectorPanel::refresh);
    connect(&TokenSearch::of(document_), &TokenSearch::changed, this, &InspectorPanel::show_found);
    connect(&document_, &Document::site_run_changed, this, &InspectorPanel::refresh);
    connect(&document_, &Document::session_changed, this, &InspectorPanel::refresh);
    connect(&document_.looking(), &Looking::view_changed, this, &InspectorPanel::refresh);
}

void InspectorPanel::show_found() {
    if (!report_)
        return;
    const TokenSearch& search = TokenSearch::of(document_);
    const auto run = document_.run();
    const bool is_of_search =
        report_->place.site == document_.view().selection.site || (run && run->is_of_mechanism());
    const bool are_queries = search.are_one_text() || report_->column;
    bars_->set_found(!is_of_search ? std::vector<TokenRange>()
                     : are_queries ? search.queries()
                                   : search.keys());
}

WrappedLabel* InspectorPanel::add_label(const QString& id, const QString& name) {
    auto* label = new WrappedLabel;
    label->setObjectName(id);
    label->setAccessibleName(name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

void InspectorPanel::withhold(const QString& why) {
    if (why == withheld_)
        return;
    withheld_ = why;
    refresh();
}

void InspectorPanel::refresh() {
    if (!withheld_.isEmpty())
        return show_notice(withheld_);
    const std::shared_ptr<const Run> run = document_.run();
    if (!run)
        return show_notice(tr("Numbers appear here as soon as the first run has finished."));
    const Selection selection = shown_selection(*run->trace, document_.session().view);
    const auto place = hover_.place() ? hover_.place() : selected_place(*run->trace, selection);
    if (!place)
        return show_notice(tr("Point at a cell to see every number on the way to it; click to keep it."));
    const SiteRun source = document_.run_at(place->site);
    Question question{run,
                      source.trace ? source.trace : run->trace,
                      source.plan ? source.plan : run->plan,
                      *place,
                      *place,
                      selection,
                      drawn_lens(document_.view().view, document_.session().figure)};
    if (question.trace != run->trace)
        question.place.site.clear();
    const Stage* weights = question.trace->find("weights", question.place.site);
    if (weights && weights->is_large())
        return reporting_.start_in_step(
            "explain a cell",
            [this, question](const Cancellation&) -> Job::Delivery {
                const auto report = std::make_shared<CellReport>(question.report());
                return [this, question, report] { show_report(question, std::move(*report)); };
            },
            [this](const Error& error) { show_notice(QString::fromStdString(error.what())); });
    reporting_.cancel();
    try {
        show_report(question, question.report());
    } catch (...) {
        show_notice(current_problem("explain a cell"));
    }
}

void InspectorPanel::show_report(const Question& question, CellReport report) {
    report_ = std::move(report);
    trace_ = question.trace;
    const Run& run = *question.run;
    const CellPlace& place = question.shown;
    shown_site_ = place.site;
    heading_->show_text(with_whole_words(in_own_direction(place_title(*report_))));
    const bool is_compared = trace_ != run.trace || !place.site.empty();
    place_->show_text((is_compared ? name_at(*run.trace, place.site) + QStringLiteral(" · ") : QString()) +
                      place_subtitle(*trace_, question.place, place.site));
    place_->show();
    QStringList notes;
    if (report_->forbidden.mask)
        notes += tr("The mask forbids this pair.");
    if (const Index newest = report_->forbidden.cache; newest > 0)
        notes += tr("This key was dropped from the cache, which keeps the newest %1.").arg(newest);
    if (report_->row_unknown)
        notes += tr("%1 is not in the word vectors.").arg(quoted_token(report_->row_label));
    if (report_->column_unknown && report_->column_label != report_->row_label)
        notes += tr("%1 is not in the word vectors.").arg(quoted_token(report_->column_label));
    notes += signs_of(*report_);
    if (const QStringList changes = changes_of(run, place.site, *report_); !changes.isEmpty()) {
        notes += changes;
        mark_changes(*report_, run, place.site, *trace_, question.place);
    }
    name_steps_at(*report_, place.site);
    const bool are_several = question.lens.pooled_layers || question.lens.pooled == PooledHeads::rollout;
    const auto of_layers = are_several ? drawn_weight(*run.trace, place, question.lens) : std::nullopt;
    if (const QString drawn = drawn_of(*report_, question.lens, of_layers); !drawn.isEmpty())
        notes += drawn;
    if (const auto both = weight_in_both(run, place, question.selection, question.lens))
        notes += tr("%1.").arg(named_weights(run, *both));
    all_notes_ = in_own_direction(notes.join(QLatin1Char(' ')));
    show_notes();
    arithmetic_->show_steps(report_->steps);
    arithmetic_->setVisible(!report_->steps.empty());
    show_row();
}

void InspectorPanel::show_notes() {
    const bool is_long = all_notes_.size() > most_of_notes;
    const qsizetype space = all_notes_.lastIndexOf(QLatin1Char(' '), most_of_notes);
    const qsizetype end = space > 0 ? space : most_of_notes;  // a token of its own may be longer
    if (is_long) {
        notes_->setTextFormat(Qt::RichText);
        notes_->show_text(QStringLiteral("%1 <a href=\"more\">%2</a>")
                              .arg(html_with_subscripts(are_notes_whole_ ? all_notes_ : all_notes_.left(end)),
                                   are_notes_whole_ ? tr("Less") : tr("More…")));
    } else {
        notes_->show_words(all_notes_);
    }
    notes_->setVisible(!all_notes_.isEmpty());
}

void InspectorPanel::fit_bars() {
    // What is left when the arithmetic is seen to its last line; what follows it may be scrolled to.
    int others = content_->layout()->minimumSize().height() - bars_area_->minimumHeight();
    for (const QWidget* below : {row_summary_, context_})
        if (!below->isHidden())
            others -= below->minimumHeight() + content_->layout()->spacing();
    const int all = bars_->sizeHint().height(), fewest = fewest_bars * bars_->bar_height();
    const bool are_few = all <= most_whole_bars * bars_->bar_height();
    const int most = std::clamp(height() - others, fewest, std::max(fewest, height() / 3));
    bars_area_->setFixedHeight(are_few ? all : std::min(all, most));
    const QRect marked = bars_->marked_rect();
    if (marked.isNull())
        return;
    // Now, for what scrolls is known only with the size that the layout gives them later.
    bars_->resize(bars_area_->viewport()->width(), bars_->sizeHint().height());
    bars_area_->ensureVisible(0, marked.center().y(), 0, marked.height());
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // As wide with a scroll bar as without: arithmetic can be lower where it is narrower, and would show the
    // bar, lie beside it, have no need of it, hide it, and so on without end.
    content_->setFixedWidth(std::max(1, width() - scroll_->verticalScrollBar()->sizeHint().width()));
    fit_bars();
}

bool InspectorPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::LayoutRequest)
        fit_bars();  // a text has wrapped anew
    return QWidget::eventFilter(watched, event);
}

void InspectorPanel::show_row() {
    const bool are_reached = weights_are_reached(*trace_, report_->place);
    const bool has_bars = are_reached && (report_->row || report_->column);
    row_section_->setVisible(has_bars);
    row_summary_->setVisible(has_bars);
    context_->setVisible(are_reached && report_->row && !report_->row->context.empty());
    const TokenLabels& tokens = trace_->tokens_at(report_->place.site);
    const FigureSettings& figure = document_.session().figure;
    const bool is_fitted = !(figure.range == RangeKind::unit) || figure.weights == DrawnWeights::value_norms;
    bars_->set_fitted(is_fitted);
    show_found();
    if (report_->column) {
        const ColumnReport& column = *report_->column;
        row_heading_->show_text(with_whole_words(as_drawn(column_title(tokens, column), column.drawn)));
        bars_->set_column(column, tokens);
        row_summary_->show_text(
            column_summary(column) +
            (is_fitted ? end_of_bars(column.drawn.empty() ? column.weights : column.drawn) : QString()));
        fit_bars();
    }
    if (!report_->row)
        return;
    const RowReport& row = *report_->row;
    row_heading_->show_text(with_whole_words(as_drawn(row_title(tokens, row), row.drawn)));
    bars_->set_row(row, tokens, report_->axes.columns == Axis::key ? report_->place.column : std::nullopt);
    row_summary_->show_text(
        row_summary(row) + hidden_of(row) +
        (is_fitted ? end_of_bars(row.drawn.empty() ? row.weights : row.drawn) : QString()));
    context_->show_text(context_text(row, numbers_of_context));
    fit_bars();
}

void InspectorPanel::show_notice(const QString& notice) {
    reporting_.cancel();
    report_.reset();
    heading_->show_text(notice);
    for (QWidget* part :
         std::initializer_list<QWidget*>{place_, notes_, row_section_, arithmetic_, row_summary_, context_})
        part->hide();
}

void InspectorPanel::choose_token(Index token) {
    if (!report_ || !(report_->row || report_->column))
        return;
    Selection selection = document_.session().view.selection;
    selection.stage = "weights";
    selection.query = report_->column ? token : report_->row->query;
    selection.key = report_->column ? report_->column->key : token;
    document_.looking().select(selection);
}

QString InspectorPanel::text() const {
    return report_ ? report_text(*trace_, *report_, shown_site_) : heading_->text();
}

void InspectorPanel::copy_text() const { QGuiApplication::clipboard()->setText(text()); }

QSize InspectorPanel::sizeHint() const { return {fontMetrics().averageCharWidth() * 38, 600}; }

QSize InspectorPanel::minimumSizeHint() const { return {fontMetrics().averageCharWidth() * 27, 160}; }

void InspectorPanel::restyle() {
    QFont large;
    large.setBold(true);
    large.setPointSizeF(1.3 * QFontInfo(font()).pointSizeF());
    heading_->setFont(large);
    copy_->setIcon(line_icon(QStringLiteral("copy"), palette()));
    copy_->setIconSize(QSize(1, 1) * fontMetrics().height());
    refresh();
}

void InspectorPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
    QWidget::changeEvent(event);
}

}  // namespace headlight
