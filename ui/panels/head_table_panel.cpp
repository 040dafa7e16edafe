#include "ui/panels/head_table_panel.h"

#include "core/workbench/figure_edits.h"
#include "ui/actions/context_menu.h"
#include "ui/models/counted_text.h"
#include "ui/models/document.h"
#include "ui/models/head_table_model.h"
#include "ui/views/compare_menu.h"
#include "ui/views/copy_menu.h"
#include "ui/views/describe.h"
#include "ui/views/distance_bars.h"
#include "ui/views/head_brush.h"
#include "ui/views/histogram_header.h"
#include "ui/views/role.h"
#include "ui/views/share_delegate.h"
#include "ui/views/stale_veil.h"
#include "ui/views/walks_heads.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

/// By number; heads of which nothing is known come last either way. Heads that were not picked out step back.
class SortedHeads : public QSortFilterProxyModel {
public:
    SortedHeads(HeadTableModel& heads, HeadBrush& brush, QObject* parent)
        : QSortFilterProxyModel(parent), heads_(heads), brush_(brush) {
        setSourceModel(&heads);
        connect(&brush, &HeadBrush::changed, this, [this] {
            if (rowCount() > 0)
                emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
        });
    }

    QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::ForegroundRole && index.isValid()) {
            const HeadRow& head = heads_.at(mapToSource(index).row());
            if (brush_.steps_back({head.site, head.place.head}))
                return QGuiApplication::palette().color(QPalette::PlaceholderText);
        }
        return QSortFilterProxyModel::data(index, role);
    }

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const QVariant a = left.data(HeadTableModel::NumberRole), b = right.data(HeadTableModel::NumberRole);
        if (a.isValid() != b.isValid())
            return a.isValid() == (sortOrder() == Qt::AscendingOrder);
        return a.toDouble() < b.toDouble();
    }

private:
    HeadTableModel& heads_;
    HeadBrush& brush_;
};

class TableOfHeads : public QTableView, public WalksHeads {};

}  // namespace

HeadTablePanel::HeadTablePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new HeadTableModel(document, this)),
      sorted_(new SortedHeads(*model_, HeadBrush::of(document), this)), table_(new TableOfHeads),
      titles_(new HistogramHeader(*model_, table_)), distances_(new DistanceBars), note_(new QLabel),
      cancel_(new QToolButton) {
    set_table();
    const QAction& copy = add_table_menu(*table_);
    const auto add = [this](const char* id) {
        QAction* action = make_action(QLatin1String(id), table_);
        table_->addAction(action);
        return action;
    };
    const QAction *sort = add("sort_heads"), *sort_places = add("sort_places"),
                  *copy_distances = add("copy_distances"), *pin = add("turn_pin"),
                  *compare = add("compare_with");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(table_, 1);
    layout->addWidget(distances_);
    distances_->hide();  // until there are some, and a head that they are of
    layout->addWidget(build_note());
    setFocusProxy(table_);
    new StaleVeil(document_, table_);
    new StaleVeil(document_, distances_);

    connect(&copy, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(pin, &QAction::triggered, this, [this] {
        if (const QModelIndex row = table_->currentIndex(); row.isValid()) {
            const HeadRow& head = model_->at(sorted_->mapToSource(row).row());
            document_.edit(turn_pin(document_.session(), {head.site, head.place.head}));
        }
    });
    connect(compare, &QAction::triggered, &ComparisonRequest::of(document), &ComparisonRequest::asked,
            Qt::QueuedConnection);
    connect(sort, &QAction::triggered, this, &HeadTablePanel::sort_by_column);
    connect(sort_places, &QAction::triggered, this, [this] {
        table_->sortByColumn(HeadTableModel::place_column, Qt::AscendingOrder);
        table_->setCurrentIndex(sorted_->index(0, first_column()));
    });
    connect(copy_distances, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(distances_->text()); });
    follow();
    show_note();
}

void HeadTablePanel::set_table() {
    describe(table_, QStringLiteral("head_table"), tr("Statistics of the heads"), {});
    table_->setHorizontalHeader(titles_);
    table_->setItemDelegate(new ShareDelegate(HeadTableModel::ShareRole, table_));
    table_->setModel(sorted_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(HeadTableModel::place_column, Qt::AscendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    // The place, or the name beside the row, says the same.
    table_->setColumnHidden(HeadTableModel::head_column, true);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setHighlightSections(false);
    table_->setCornerButtonEnabled(false);
}

QWidget* HeadTablePanel::build_note() {
    note_->setObjectName(QStringLiteral("head_table_note"));
    note_->setMargin(8);
    note_->setWordWrap(true);
    make_note(*note_);
    cancel_->setText(tr("Cancel"));
    describe(cancel_, QStringLiteral("head_table_cancel"), tr("Cancel the counting"),
             tr("Gives up counting what each head looks at"));
    cancel_->setAutoRaise(true);
    connect(cancel_, &QToolButton::clicked, model_, &HeadTableModel::cancel);
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(note_, 1);
    layout->addWidget(cancel_);
    return row;
}

void HeadTablePanel::sort_by_column() {
    const int column = std::max(first_column(), table_->currentIndex().column());
    const QVariant initial = model_->headerData(column, Qt::Horizontal, Qt::InitialSortOrderRole);
    const bool is_falling = initial.isValid() && initial.toInt() == Qt::DescendingOrder;
    const bool again = column == sorted_->sortColumn();
    const bool falls = again ? sorted_->sortOrder() == Qt::AscendingOrder : is_falling;
    table_->sortByColumn(column, falls ? Qt::DescendingOrder : Qt::AscendingOrder);
    table_->setCurrentIndex(sorted_->index(0, column));
}

void HeadTablePanel::follow() {
    // What stands below the table takes room of it when it is known.
    connect(table_->verticalScrollBar(), &QScrollBar::rangeChanged, this,
            &HeadTablePanel::scroll_to_selected);
    // Who sorts asks which head comes first: Enter shows its map.
    connect(table_->horizontalHeader(), &QHeaderView::sectionClicked, this,
            [this](int column) { table_->setCurrentIndex(sorted_->index(0, column)); });
    connect(titles_, &QHeaderView::sortIndicatorChanged, this, [this] {
        if (titles_->is_folded())
            size_columns();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &HeadTablePanel::select_row);
    connect(table_, &QTableView::activated, this, &HeadTablePanel::show_map);
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        // Who compares asks what changes: it stands before what is known of every capture.
        QHeaderView* header = table_->horizontalHeader();
        if (model_->compares())
            header->moveSection(header->visualIndex(model_->columnCount() - 1),
                                HeadTableModel::first_statistic);
        fit();
        show_selected();
    });
    connect(model_, &HeadTableModel::note_changed, this, &HeadTablePanel::show_note);
    connect(&HeadBrush::of(document_), &HeadBrush::changed, this, &HeadTablePanel::show_note);
    HeadBrush::of(document_).release_by_escape(*this);
    connect(&document_.looking(), &Looking::view_changed, this, &HeadTablePanel::show_selected);
}

std::unique_ptr<ContextMenu> HeadTablePanel::menu_here() {
    if (sorted_->rowCount() == 0)
        return nullptr;
    auto menu = std::make_unique<ContextMenu>(QStringLiteral("over_heads_table"), this);
    for (QAction* action : table_->actions())
        menu->take(*action);
    return menu;
}

void HeadTablePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    model_->set_wanted(true);
}

void HeadTablePanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    model_->set_wanted(false);
}

void HeadTablePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void HeadTablePanel::fit() {
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    table_->setColumnHidden(HeadTableModel::place_column, false);
    titles_->fold(false);
    const QAbstractItemView& cells = *table_;
    cell_widths_.clear();
    for (int column = 0; column < titles_->count(); ++column)
        cell_widths_.push_back(cells.sizeHintForColumn(column));
    size_columns();
    whole_width_ = titles_->length();
    name_heads_once();
}

void HeadTablePanel::size_columns() {
    for (int column = 0; column < std::min(titles_->count(), static_cast<int>(cell_widths_.size())); ++column)
        titles_->resizeSection(column, std::max(cell_widths_[static_cast<std::size_t>(column)],
                                                titles_->sectionSizeHint(column)));
}

void HeadTablePanel::name_heads_once() {
    const bool has_room = whole_width_ + table_->verticalScrollBar()->sizeHint().width() <= width();
    table_->setColumnHidden(HeadTableModel::place_column, !has_room);
    table_->verticalHeader()->setVisible(!has_room);
    if (titles_->is_folded() == has_room) {
        titles_->fold(!has_room);
        size_columns();
    }
    // The keys go nowhere from a cell that is not shown.
    if (const QModelIndex now = table_->currentIndex();
        now.isValid() && table_->isColumnHidden(now.column())) {
        is_following_ = true;
        table_->setCurrentIndex(now.siblingAtColumn(first_column()));
        is_following_ = false;
    }
}

int HeadTablePanel::first_column() const {
    return table_->isColumnHidden(HeadTableModel::place_column) ? int(HeadTableModel::first_statistic)
                                                                : int(HeadTableModel::place_column);
}

void HeadTablePanel::scroll_to_selected() {
    const int across = table_->horizontalScrollBar()->value();
    table_->scrollTo(table_->currentIndex());
    table_->horizontalScrollBar()->setValue(across);
}

void HeadTablePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    name_heads_once();
}

void HeadTablePanel::show_note() {
    const QString problem = model_->note(), hidden = model_->hidden_note();
    const auto picked = static_cast<Index>(HeadBrush::of(document_).heads().size());
    const QString brushed =
        picked > 0 ? tr("%1 picked out, Esc shows all · ").arg(counted_text(picked, "head")) : QString();
    const QString usual =
        brushed + tr("A row is a head, a column what it looks at, the mean over its queries. Click a "
                     "title to sort; Enter shows the map of a head.");
    note_->setText(!problem.isEmpty() ? problem
                   : hidden.isEmpty() ? usual
                                      : hidden + QLatin1Char(' ') + usual);
    table_->setAccessibleDescription(note_->text());
    cancel_->setVisible(model_->is_counting());
}

void HeadTablePanel::show_distances() {
    const Selection& selection = document_.view().selection;
    const int row = model_->row_of(selection.site, selection.head).value_or(0);
    const auto bins = model_->distance_bins(row);
    distances_->setVisible(bins.has_value());
    if (!bins)
        return;
    std::vector<DistanceBars::Bar> bars;
    for (Index bin = 0; bin < bins->count(); ++bin)
        bars.push_back({QString::fromStdString(bins->label(bin)),
                        model_->at(row).distances[static_cast<std::size_t>(bin)]});
    distances_->show_bars(model_->index(row, HeadTableModel::place_column).data(Qt::DisplayRole).toString(),
                          std::move(bars));
}

void HeadTablePanel::show_selected() {
    show_distances();
    const Selection& selection = document_.view().selection;
    const auto row = model_->row_of(selection.site, selection.head);
    if (!row)
        return;
    is_following_ = true;
    const QModelIndex shown = sorted_->mapFromSource(model_->index(*row, first_column()));
    if (shown.row() != table_->currentIndex().row()) {
        table_->setCurrentIndex(shown);
        scroll_to_selected();
    }
    is_following_ = false;
}

void HeadTablePanel::select_row(const QModelIndex& row) {
    if (is_following_ || !row.isValid())
        return;
    const HeadRow& head = model_->at(sorted_->mapToSource(row).row());
    Selection selection = document_.view().selection;
    selection.site = head.site;
    selection.head = head.place.head;
    document_.looking().select(selection);
}

void HeadTablePanel::show_map(const QModelIndex& row) {
    select_row(row);
    document_.looking().look_at(in_view(document_.view(), ViewKind::heatmap));
}

QString HeadTablePanel::text() const {
    const auto line = [this](const auto& field) {
        QStringList fields;
        for (int column = 0; column < sorted_->columnCount(); ++column)
            fields += field(column);
        return fields.join(QLatin1Char('\t'));
    };
    QStringList lines{line([this](int column) {
        return sorted_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    })};
    for (int row = 0; row < sorted_->rowCount(); ++row)
        lines += line([this, row](int column) {
            const QModelIndex cell = sorted_->index(row, column);
            if (column == HeadTableModel::place_column)
                return cell.data(Qt::DisplayRole).toString();
            const QVariant number = cell.data(HeadTableModel::NumberRole);
            return number.isValid()
                       ? QLocale::c().toString(number.toDouble(), 'g', QLocale::FloatingPointShortest)
                       : QString();
        });
    return lines.join(QLatin1Char('\n'));
}

}  // namespace headlight
