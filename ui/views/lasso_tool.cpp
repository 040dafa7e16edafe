#include "ui/views/lasso_tool.h"

#include "ui/actions/context_menu.h"
#include "ui/models/document.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/canvas_marks.h"
#include "ui/views/cell_walk.h"
#include "ui/views/figure_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
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

LassoTool::LassoTool(FigureCanvas& canvas) : canvas_(canvas) {
    QObject::connect(&lasso_, &CellLasso::summed, &canvas_, [this] {
        canvas_.update();
        if (canvas_.hasFocus() && !is_dragging_)
            announce_cell(canvas_);
    });
}

// With the pointer

CanvasTool::Takes LassoTool::press(const QMouseEvent& event) {
    const bool selects = event.modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    const auto corner = selects ? corner_at(event.position()) : std::nullopt;
    if (!corner)
        return Takes::nothing;
    start_ = event.position();
    corner_ = *corner;
    return Takes::drags;
}

void LassoTool::drag(QPointF to) {
    is_dragging_ = true;
    if (const auto here = canvas_.current_place();
        !here || here->site != corner_.site || here->stage != corner_.stage || here->head != corner_.head ||
        here->row != corner_.row || here->column != corner_.column)
        canvas_.choose(corner_);
    const ShownFigure* now = canvas_.shown();
    const auto panel = now ? now->panel_at(start_) : std::nullopt;
    if (const auto cell = panel ? now->nearest_cell(*panel, to) : std::nullopt) {
        canvas_.setCursor(Qt::CrossCursor);
        select(corner_, *cell);
    }
}

bool LassoTool::release(QPointF) {
    is_dragging_ = false;
    if (canvas_.hasFocus())
        announce_cell(canvas_);
    return false;
}

std::optional<CellPlace> LassoTool::corner_at(QPointF point) const {
    const ShownFigure* now = canvas_.shown();
    const auto index = now ? now->panel_at(point) : std::nullopt;
    const auto place = index && takes_blocks(now->panel(*index)) ? now->place_at(point) : std::nullopt;
    return place && place->is_cell() ? place : std::nullopt;
}

void LassoTool::select(const CellPlace& from, const CellPlace& to) {
    const ShownFigure& now = *canvas_.shown();
    const Index lead = now.leading_panel(canvas_.selection());
    CellBlock block{from.stage, now.whole_rows(lead), now.whole_columns(lead)};
    if (now.panel(lead).transposed)
        std::swap(block.of_rows, block.of_columns);
    block.first_row = std::min(*from.row, *to.row);
    block.rows = std::abs(*from.row - *to.row) + 1;
    block.first_column = std::min(*from.column, *to.column);
    block.columns = std::abs(*from.column - *to.column) + 1;
    canvas_.document().looking().select_block(block);
}

// With keys

bool LassoTool::key(const QKeyEvent& event) {
    if (extend(event))
        return true;
    if (!event.matches(QKeySequence::Cancel) || !canvas_.document().view().block)
        return false;
    canvas_.document().looking().select_block(std::nullopt);
    return true;
}

bool LassoTool::extend(const QKeyEvent& event) {
    constexpr Qt::KeyboardModifiers extends = Qt::AltModifier | Qt::ShiftModifier;
    const ShownFigure* now = canvas_.shown();
    const auto from = canvas_.current_place();
    if ((event.modifiers() & extends) != extends || !now || !from)
        return false;
    const Index lead = now->leading_panel(canvas_.selection());
    if (!takes_blocks(now->panel(lead)))
        return false;
    CellPlace corner = *from;
    if (block_in(lead)) {
        const CellBlock& block = *canvas_.document().view().block;
        const auto row = other_end(*from->row, block.first_row, block.rows);
        const auto column = other_end(*from->column, block.first_column, block.columns);
        if (row && column) {
            corner.row = row;
            corner.column = column;
        }
    }
    const QKeyEvent step(event.type(), event.key(), event.modifiers() & Qt::ControlModifier);
    const auto next = walked(corner, step, now->last_row(lead), now->last_column(lead),
                             canvas_.rows_of_a_page(), now->panel(lead).transposed);
    if (!next)
        return false;
    const bool is_windowed = now->is_windowed(lead);
    select(*from, *next);
    if (is_windowed)
        canvas_.reveal(*next->row, *next->column);
    return true;
}

// What it says

std::optional<MapBlock> LassoTool::block_in(Index index) const {
    const std::optional<CellBlock>& block = canvas_.document().view().block;
    const std::shared_ptr<const Run> run = canvas_.document().run();
    const ShownFigure& now = *canvas_.shown();
    const Panel& panel = now.panel(index);
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
    if (rows != now.whole_rows(index) || columns != now.whole_columns(index))
        return std::nullopt;
    if (panel.newest_row)  // later rows have not arrived
        part.rows = std::min(part.rows, now.last_row(index) + 1 - part.first_row);
    return part.rows > 0 ? std::optional(part) : std::nullopt;
}

void LassoTool::sum() const {
    if (!std::exchange(is_stale_, false))
        return;
    const ShownFigure* now = canvas_.shown();
    const Index lead = now ? now->leading_panel(canvas_.selection()) : 0;
    if (const auto block = now ? block_in(lead) : std::nullopt)
        lasso_.take(canvas_.whole_panel(lead), *block);
    else
        lasso_.release();
}

QStringList LassoTool::words() const {
    if (!canvas_.document().view().block)
        return {};
    sum();
    QString of_largest;
    if (lasso_.sums() && lasso_.sums()->largest) {
        const ShownFigure& now = *canvas_.shown();
        const Panel& panel = now.panel(now.leading_panel(canvas_.selection()));
        const LargestCell& largest = *lasso_.sums()->largest;
        CellPlace place{panel.site,  panel.stage,    panel.head,
                        largest.row, largest.column, stands_for_keys(panel)};
        if (panel.transposed)
            std::swap(place.row, place.column);
        of_largest = canvas_.sentence(place);
    }
    return lasso_.words(of_largest);
}

void LassoTool::paint(QPainter& painter) const {
    const ShownFigure* now = canvas_.shown();
    if (!now || !canvas_.document().view().block || !canvas_.document().run())
        return;
    const QStringList said = words();
    for (Index index = 0; index < now->panel_count(); ++index)
        if (const auto block = block_in(index))
            paint_block(painter, now->block_rect(index, *block), canvas_.palette());
    if (said.isEmpty())
        return;
    const Index lead = now->leading_panel(canvas_.selection());
    paint_block_words(painter, canvas_.rect(), now->block_rect(lead, *block_in(lead)), canvas_.palette(),
                      said);
}

void LassoTool::fill_menu(ContextMenu& menu) {
    if (words().isEmpty())
        return;
    canvas_.add_table_copy(menu, "copy_block", *lasso_.whole(), lasso_.block());
    QObject::connect(&menu.offer(QStringLiteral("remove_block")), &QAction::triggered, &canvas_,
                     [this] { canvas_.document().looking().select_block(std::nullopt); });
}

}  // namespace headlight
