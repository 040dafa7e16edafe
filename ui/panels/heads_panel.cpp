#include "ui/panels/heads_panel.h"

#include "core/figure/find_heads.h"
#include "core/figure/head_places.h"
#include "core/figure/view_settings.h"
#include "core/workbench/figure_edits.h"
#include "core/workbench/run_session.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/models/head_overviews.h"
#include "ui/render/fixed_text.h"
#include "ui/views/describe.h"
#include "ui/views/elided_label.h"
#include "ui/views/flow_layout.h"
#include "ui/views/heads_canvas.h"
#include "ui/views/lazy_combo.h"
#include "ui/views/role.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace headlight {
namespace {

QString shown_text(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

void add_statistics(QComboBox& choice) {
    for (const HeadStatistic& statistic : head_statistics()) {
        choice.addItem(shown_text(statistic.title), shown_text(statistic.name));
        choice.setItemData(choice.count() - 1, shown_text(statistic.shows), Qt::ToolTipRole);
    }
}

/// Greys the statistics that no head has a number of; all else can be chosen.
void grey_unknown(QComboBox& choice, const std::vector<std::size_t>& known) {
    auto* items = qobject_cast<QStandardItemModel*>(choice.model());
    for (int row = 0; items && row < choice.count(); ++row) {
        const auto statistic = find_statistic(choice.itemData(row).toString().toStdString());
        items->item(row)->setEnabled(!statistic || std::ranges::count(known, *statistic) > 0);
    }
}

/// Returns the head's place among those that have a number, the largest first, from 1.
Index rank_of(const HeadOverview& overview, std::size_t head, std::size_t statistic) {
    const double number = *overview.number(head, statistic);
    Index rank = 1;
    for (std::size_t other = 0; other < overview.heads.size(); ++other)
        rank += overview.number(other, statistic).value_or(number) > number;
    return rank;
}

}  // namespace

HeadsPanel::HeadsPanel(Document& document, ViewKind kind, QWidget* parent)
    : QWidget(parent), document_(document), kind_(kind), canvas_(new HeadsCanvas(document, kind)),
      note_(new ElidedLabel) {
    auto* row = new FlowLayout(8);  // three lists of long names are wider than a small window's picture
    row->setContentsMargins(8, 4, 8, 4);
    if (kind == ViewKind::model_grid) {
        QComboBox* order =
            add_choice(*row, QStringLiteral("heads_order"), tr("Order"),
                       tr("Heads by layer, or those with the largest number of a statistic first"),
                       &HeadOrder::sorted_by);
        order->insertItem(0, tr("Layers and heads"), QString());
        QComboBox* frame = add_choice(
            *row, QStringLiteral("heads_frame"), tr("Frame"),
            tr("A frame around every map and a bar in it, the stronger the larger the head's number"),
            &HeadOrder::framed_by);
        frame->insertItem(0, tr("None"), QString());
        auto* own = new QCheckBox(tr("Each on its own scale"));
        describe(own, QStringLiteral("heads_own_scale"), own->text(),
                 tr("Colours every map as shares of its own largest weight, so that faint ones show"));
        row->addWidget(own);
        connect(own, &QCheckBox::clicked, this,
                [this](bool checked) { document_.edit(scale_each_head(document_.session(), checked)); });
        const auto show = [this, own] { own->setChecked(document_.session().figure.own_scales); };
        connect(&document_, &Document::session_changed, own, show);
        show();
    } else {
        add_choice(*row, QStringLiteral("heads_across"), tr("Across"),
                   tr("The statistic that says how far right a head is"), &HeadOrder::across,
                   &ScatterAxes::across);
        add_choice(*row, QStringLiteral("heads_up"), tr("Up"),
                   tr("The statistic that says how far up a head is"), &HeadOrder::up, &ScatterAxes::up);
        add_choice(*row, QStringLiteral("heads_colour"), tr("Colour"),
                   tr("The statistic that gives a head its colour"), &HeadOrder::colour,
                   &ScatterAxes::colour);
        connect(&document_, &Document::run_changed, this, &HeadsPanel::list_numbers);
    }
    auto* find = new QLineEdit;
    describe(
        find, QStringLiteral("heads_find"), tr("Find heads"),
        tr("Picks heads out: 7 or head 7, layer 3, 3.7 or L3H7, counted from 1, or a word of their names"));
    find->setPlaceholderText(tr("Head 7, layer 3, 3.7"));
    find->setClearButtonEnabled(true);
    row->addWidget(find);
    connect(find, &QLineEdit::textEdited, this, &HeadsPanel::pick_out);
    connect(&HeadBrush::of(document), &HeadBrush::changed, find, [this, find] {
        if (HeadBrush::of(document_).heads() != found_)
            find->clear();  // others were picked out, or none is any more
    });
    note_->setObjectName(QStringLiteral("heads_note"));
    note_->setContentsMargins(8, 6, 8, 6);
    make_note(*note_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(canvas_, 1);
    layout->addWidget(note_);
    setFocusProxy(canvas_);
    connect(canvas_, &HeadsCanvas::mark_changed, this, &HeadsPanel::show_note);
    connect(&HeadBrush::of(document), &HeadBrush::changed, this, &HeadsPanel::show_note);
    HeadBrush::of(document).release_by_escape(*this);
    connect(&document_.looking(), &Looking::view_changed, this, &HeadsPanel::show_choices);
    connect(&HeadOverviews::of(document), &HeadOverviews::changed, this, &HeadsPanel::take_numbers);
    list_numbers();
    show_choices();
    take_numbers();
    show_note();
}

QComboBox* HeadsPanel::add_choice(FlowLayout& row, const QString& id, const QString& name,
                                  const QString& effect, std::string HeadOrder::*part,
                                  std::string ScatterAxes::*metric) {
    auto* choice = new LazyCombo;  // a QComboBox keeps the least width that it had in a larger type
    describe(choice, id, name, effect);
    add_statistics(*choice);
    auto* label = new QLabel(name);
    label->setBuddy(choice);
    auto* named = new QWidget;
    auto* both = new QHBoxLayout(named);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(label);
    both->addWidget(choice);
    row.addWidget(named);
    choices_.push_back({choice, part, metric});
    connect(choice, &QComboBox::activated, this, [this, choice, part, metric] {
        ViewState state = document_.view();
        const bool has_metrics = metric && !metrics_.empty();
        (has_metrics ? state.heads.metrics.*metric : state.heads.*part) =
            choice->currentData().toString().toStdString();
        document_.looking().look_at(state);
    });
    return choice;
}

void HeadsPanel::pick_out(const QString& asked) {
    found_.clear();
    if (const Figure* figure = canvas_->figure())
        for (const Panel& panel : figure->panels)
            if (panel.marks)
                for (const std::size_t mark : find_heads(*panel.marks, asked.toStdString()))
                    found_.emplace(panel.marks->heads[mark].site, panel.marks->heads[mark].head);
    HeadBrush::of(document_).set(found_);
}

void HeadsPanel::list_numbers() {
    const std::shared_ptr<const Run> run = document_.run();
    if (kind_ != ViewKind::scatter || !run)
        return;
    const auto& counted = run->trace->counted_heads;
    std::vector<std::string> metrics = counted ? counted->metrics : std::vector<std::string>();
    if (metrics == metrics_)
        return;
    metrics_ = std::move(metrics);
    for (const Choice& choice : choices_) {
        const QSignalBlocker quiet(choice.list);
        choice.list->clear();
        for (const std::string& metric : metrics_)
            choice.list->addItem(QString::fromStdString(metric), QString::fromStdString(metric));
        if (metrics_.empty())
            add_statistics(*choice.list);
    }
    show_choices();
}

void HeadsPanel::take_numbers() {
    const HeadOverviews& overviews = HeadOverviews::of(document_);
    const std::shared_ptr<const HeadOverview>& overview = overviews.overview();
    if (!overview || !overview->has_statistics || overviews.run() != document_.run())
        return;
    std::vector<std::size_t> known;
    for (std::size_t place = 0; place < head_statistics().size(); ++place)
        for (std::size_t head = 0; head < overview->heads.size(); ++head)
            if (overview->number(head, place)) {
                known.push_back(place);
                break;
            }
    for (const Choice& choice : choices_)
        if (metrics_.empty())
            grey_unknown(*choice.list, known);
    // What a capture before this one was ordered by is not drawn of heads that have none of it.
    ViewState state = document_.view();
    for (std::string* order : {&state.heads.sorted_by, &state.heads.framed_by})
        if (const auto asked = find_statistic(*order); asked && std::ranges::count(known, *asked) == 0)
            order->clear();
    if (kind_ == ViewKind::model_grid && state.heads != document_.view().heads && !known.empty())
        document_.looking().look_at(state);
}

void HeadsPanel::show_choices() {
    const HeadOrder& order = document_.view().heads;
    const ScatterAxes metrics = metrics_.empty() ? ScatterAxes() : shown_metrics(metrics_, order.metrics);
    for (const Choice& choice : choices_) {
        const std::string& name =
            choice.metric && !metrics_.empty() ? metrics.*choice.metric : order.*choice.part;
        choice.list->setCurrentIndex(std::max(0, choice.list->findData(QString::fromStdString(name))));
    }
}

void HeadsPanel::show_note() {
    note_->setText(note());
    canvas_->setAccessibleDescription(note_->text());
}

QString HeadsPanel::note() const {
    const auto& brushed = HeadBrush::of(document_).heads();
    const QString picked = brushed.empty()
                               ? QString()
                               : tr("%1 picked out, Esc shows all · ")
                                     .arg(counted_text(static_cast<Index>(brushed.size()), "head"));
    const auto mark = canvas_->hovered_mark() ? canvas_->hovered_mark() : canvas_->selected_mark();
    const std::shared_ptr<const HeadOverview>& overview = HeadOverviews::of(document_).overview();
    if (!mark || !overview || !canvas_->figure())
        return picked + (kind_ == ViewKind::scatter ? tr("Drag around points to pick their heads out")
                                                    : tr("Click a head to select it; Enter shows its map"));
    const HeadMarks::Head& head = canvas_->figure()->panels.front().marks->heads[*mark];
    QString text = QString::fromStdString(head.name);
    text.replace(0, 1, text.left(1).toUpper());
    const auto found = std::ranges::find_if(overview->heads, [&](const HeadRow& row) {
        return row.site == head.site && row.place.head == head.head;
    });
    if (!overview->has_statistics || found == overview->heads.end())
        return picked + text;
    const auto row = static_cast<std::size_t>(found - overview->heads.begin());
    const HeadOrder& order = document_.view().heads;
    std::vector<std::string> asked{order.colour, order.across, order.up};  // no axis says the colour's number
    if (kind_ == ViewKind::model_grid) {
        asked = {order.framed_by, order.sorted_by};
        if (order.framed_by == order.sorted_by)
            asked.pop_back();
        if (order.framed_by.empty() && order.sorted_by.empty())
            asked = {"entropy", "distance", "first_token"};
    }
    bool is_first = true;  // which says of how many; the line has room for three ranks
    for (const std::string& name : asked) {
        const auto statistic = find_statistic(name);
        const auto number = statistic ? overview->number(row, *statistic) : std::nullopt;
        if (!number)
            continue;
        text += tr(" · %1 %2, rank %3")
                    .arg(shown_text(head_statistics()[*statistic].title).toLower())
                    .arg(legible_text(*number, 3))
                    .arg(rank_of(*overview, row, *statistic));
        if (std::exchange(is_first, false))
            text += tr(" of %1").arg(overview->heads.size());
    }
    return picked + text;
}

}  // namespace headlight
