// A rectangle of cells that a person selects in a canvas: with the pointer, with keys, and what it says.

#include "core/figure/figure.h"
#include "ui/models/document.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/canvas_marks.h"
#include "ui/views/cell_walk.h"
#include "ui/views/copy_menu.h"
#include "ui/views/figure_canvas.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace headlight {
namespace {

bool takes_blocks(const Panel& panel) {
    const bool has_all_cells = panel.of_rows == 0;  // a rectangle belongs to a whole matrix
    return panel.kind == Panel::Kind::heatmap && !panel.thumbnail && !panel.blank && !panel.overlay &&
           has_all_cells && has_cells_of_stage(panel);
}

/// The other end of a side, seen from one of its ends; nothing from elsewhere.
std::optional<Index> other_end(Index end, Index first, Index count) {
    const Index last = first + count - 1;
    return end == first ? std::optional(last) : end == last ? std::optional(first) : std::nullopt;
}

}  // namespace

std::optional<MapBlock> FigureCanvas::block_in(Index index) const {
    const std::optional<CellBlock>& block = document_.view().block;
    const std::shared_ptr<const Run> run = document_.run();
    const Panel& panel = shown()->panel(index);
    if (!block || !run || !takes_blocks(panel))
        return std::nullopt;
    const Stage* of_block = run->trace->find(block->stage, panel.site);
    const Stage* of_panel = run->trace->find(panel.stage, panel.site);
    if (!of_block || !of_panel || !(matrix_axes(*of_block) == matrix_axes(*of_panel)))
        return std::nullopt;
    MapBlock part{block->first_row, block->rows, block->first_column, block->columns};
    Index rows = block->of_rows, columns = block->of_columns;
    if (panel.transposed) {
        part = {part.first_column, part.columns, part.first_row, part.rows};
        std::swap(rows, columns);
    }
    if (rows != shown()->whole_rows(index) || columns != shown()->whole_columns(index))
        return std::nullopt;
    if (panel.newest_row)  // later rows have not arrived
        part.rows = std::min(part.rows, shown()->last_row(index) + 1 - part.first_row);
    return part.rows > 0 ? std::optional(part) : std::nullopt;
}

void FigureCanvas::sum_block() const {
    if (!std::exchange(block_is_stale_, false))
        return;
    const ShownFigure* now = shown();
    const Index lead = now ? now->leading_panel(selection()) : 0;
    const auto block = now ? block_in(lead) : std::nullopt;
    if (!block) {
        lasso_.release();
    } else {
        lasso_.take(whole_panel(lead), *block);
    }
}

Panel FigureCanvas::whole_panel(Index index) const {
    const std::shared_ptr<const Figure> figure =
        shown()->is_windowed(index) ? document_.figure(view_) : nullptr;
    if (!figure)
        return shown()->panel(index);
    return (filter_ ? filter_(*figure) : *figure).panels[static_cast<std::size_t>(index)];
}

QStringList FigureCanvas::block_words() const {
    if (!document_.view().block)
        return {};
    sum_block();
    QString of_largest;
    if (lasso_.sums() && lasso_.sums()->largest) {
        const Panel& panel = shown()->panel(shown()->leading_panel(selection()));
        const LargestCell& largest = *lasso_.sums()->largest;
        CellPlace place{panel.site,  panel.stage,    panel.head,
                        largest.row, largest.column, stands_for_keys(panel)};
        if (panel.transposed)
            std::swap(place.row, place.column);
        of_largest = sentence(place);
    }
    return lasso_.words(of_largest);
}

void FigureCanvas::paint_blocks(QPainter& painter) const {
    const QStringList words = block_words();
    const ShownFigure& now = *shown();
    for (Index index = 0; index < now.panel_count(); ++index)
        if (const auto block = block_in(index))
            paint_block(painter, now.block_rect(index, *block), palette());
    if (words.isEmpty())
        return;
    const Index lead = now.leading_panel(selection());
    paint_block_words(painter, rect(), now.block_rect(lead, *block_in(lead)), palette(), words);
}

std::optional<CellPlace> FigureCanvas::block_corner_at(QPointF point) const {
    const ShownFigure* now = shown();
    const auto index = now ? now->panel_at(point) : std::nullopt;
    const auto place = index && takes_blocks(now->panel(*index)) ? now->place_at(point) : std::nullopt;
    return place && place->is_cell() ? place : std::nullopt;
}

void FigureCanvas::select_block(const CellPlace& from, const CellPlace& to) {
    const ShownFigure& now = *shown();
    const Index lead = now.leading_panel(selection());
    CellBlock block{from.stage, now.whole_rows(lead), now.whole_columns(lead)};
    if (now.panel(lead).transposed)
        std::swap(block.of_rows, block.of_columns);
    block.first_row = std::min(*from.row, *to.row);
    block.rows = std::abs(*from.row - *to.row) + 1;
    block.first_column = std::min(*from.column, *to.column);
    block.columns = std::abs(*from.column - *to.column) + 1;
    document_.select_block(block);
}

void FigureCanvas::drag_block(QPointF point) {
    const CellPlace corner = *drag_->corner;
    if (const auto here = current_place(); !here || here->site != corner.site ||
                                           here->stage != corner.stage || here->head != corner.head ||
                                           here->row != corner.row || here->column != corner.column)
        choose(corner);
    const auto panel = shown() ? shown()->panel_at(drag_->start) : std::nullopt;
    if (const auto to = panel ? shown()->nearest_cell(*panel, point) : std::nullopt) {
        setCursor(Qt::CrossCursor);
        select_block(corner, *to);
    }
}

bool FigureCanvas::extend_block(const QKeyEvent& event) {
    constexpr Qt::KeyboardModifiers extends = Qt::AltModifier | Qt::ShiftModifier;
    const ShownFigure* now = shown();
    const auto from = current_place();
    if ((event.modifiers() & extends) != extends || !now || !from)
        return false;
    const Index lead = now->leading_panel(selection());
    if (!takes_blocks(now->panel(lead)))
        return false;
    CellPlace corner = *from;
    if (block_in(lead)) {
        const CellBlock& block = *document_.view().block;
        const auto row = other_end(*from->row, block.first_row, block.rows);
        const auto column = other_end(*from->column, block.first_column, block.columns);
        if (row && column) {
            corner.row = row;
            corner.column = column;
        }
    }
    const Index page = zoom_.is_whole() ? 10 : std::max<Index>(zoom_.rows.count() - 1, 1);
    const QKeyEvent step(event.type(), event.key(), event.modifiers() & Qt::ControlModifier);
    const auto next = walked(corner, step, now->last_row(lead), now->last_column(lead), page);
    if (!next)
        return false;
    select_block(*from, *next);
    if (now->is_windowed(lead)) {
        Zoom moved = zoom_;
        moved.reveal(*next->row, *next->column);
        document_.zoom_to(moved.part());
    }
    return true;
}

void FigureCanvas::add_block_actions(QMenu& menu) {
    if (block_words().isEmpty())
        return;
    menu.addSeparator();
    add_table_copy(menu, "copy_block", tr("Copy th&ese numbers"), *lasso_.whole(), lasso_.block());
    menu.addAction(tr("&Remove the rectangle"), this, [this] { document_.select_block(std::nullopt); })
        ->setObjectName(QLatin1String("remove_block"));
}

void FigureCanvas::add_table_copy(QMenu& menu, const char* id, const QString& words, const Panel& panel,
                                  const MapBlock& block) {
    connect(add_table_action(menu, id, words, block.size()), &QAction::triggered, this, [this, panel, block] {
        copying_.start_in_step(
            "copy numbers",
            [panel, block](const Cancellation&) -> Job::Delivery {
                return [table = cells_table(panel, block)] { QGuiApplication::clipboard()->setText(table); };
            },
            [this](const Error& error) { emit copy_refused(QString::fromStdString(error.what())); });
    });
}

void FigureCanvas::show_block() {
    block_is_stale_ = true;
    update();
    if (hasFocus() && !drag_)
        announce_cell(*this);
}

}  // namespace headlight
