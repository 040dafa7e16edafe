#pragma once

#include "ui/render/painter.h"
#include "ui/views/cell_place.h"
#include "ui/views/zoom.h"

namespace headlight {

/// The rows of the panel's stage are what is looked at, as its axis says: also where, in self-attention, the
/// same matrix of tokens is what looks.
bool stands_for_keys(const Panel& panel);

/// A cell of the panel is one of its stage's: not of products, or of axes that are dealt another way, which
/// are no stage's numbers, and not of a text, whose tokens stand for rows and columns.
bool has_cells_of_stage(const Panel& panel);

/// A figure as it is on screen: the rows and columns that the zoom leaves, where they lie in an area, and
/// which place of a stage is where. Outside this class rows and columns are those of the stage's whole
/// matrix, whatever part of it a panel shows and whichever way round.
class ShownFigure {
public:
    /// `unit` as in layout_figure; type shrinks where the area is too small for it, see fit_layout.
    /// A `range` that follows the numbers follows those on screen, where the zoom leaves some out. That of
    /// large maps with negative numbers, and of differences, always does.
    ShownFigure(Figure whole, const Zoom& zoom, const QRectF& area, double unit,
                const ColourRange& range = {});

    const Figure& figure() const { return figure_; }
    const FittedLayout& fitted() const { return fitted_; }
    const FigureLayout& layout() const { return fitted_.layout; }
    double unit() const { return fitted_.unit; }
    Index panel_count() const { return static_cast<Index>(figure_.panels.size()); }
    const Panel& panel(Index index) const { return figure_.panels[static_cast<std::size_t>(index)]; }
    const PanelLayout& panel_layout(Index index) const {
        return fitted_.layout.panels[static_cast<std::size_t>(index)];
    }

    /// Neither row nor column over a panel's title; nothing outside the panels or over a row that has not
    /// arrived.
    std::optional<CellPlace> place_at(QPointF point) const;
    /// Returns the place of a cell that is on screen, counted from the first one there; not of an image.
    CellPlace place_of(Index panel, std::optional<Index> row, std::optional<Index> column) const;
    /// The row and column on screen of a cell of the panel's stage, which place_of() takes; nothing where it
    /// is not there.
    std::optional<std::pair<Index, Index>> cell_of(Index panel, const CellPlace& place) const;
    std::optional<Index> panel_at(QPointF point) const;
    /// Returns where a cell of the panel's stage is on screen; empty when it is not there.
    QRectF cell_rect(Index panel, Index row, Index column) const;
    /// Around the cell, on an image the patch, or around all of the row or column on screen when the place
    /// leaves the other open.
    QRectF place_rect(Index panel, const CellPlace& place) const;

    /// Around what is on screen of a rectangle of cells of the panel's whole matrix; empty where nothing is.
    QRectF block_rect(Index panel, const MapBlock& block) const;
    /// The cell under a point, or of a point beside the cells the nearest one.
    std::optional<CellPlace> nearest_cell(Index panel, QPointF point) const;
    /// How many rows and columns the panel's whole matrix has, as it lies on screen.
    Index whole_rows(Index panel) const { return last_shown_row(panel) + 1; }
    Index whole_columns(Index panel) const { return last_shown_column(panel) + 1; }

    /// The panel that the keyboard moves in: of the selected stage and head, else the one in focus.
    Index leading_panel(const Selection& selection) const;
    /// The last row and column of the stage that can be chosen; at a decoding step, the newest row.
    Index last_row(Index panel) const;
    Index last_column(Index panel) const;

    /// Only a part of the panel's matrix is on screen.
    bool is_windowed(Index panel) const { return windowed_[static_cast<std::size_t>(panel)]; }

private:
    QRectF patch_rect(Index panel, const CellPlace& place) const;
    Index first_row(Index index) const { return panel(index).row_axis.first; }
    Index first_column(Index index) const { return panel(index).column_axis.first; }

    /// Returns the last row of the panel's whole matrix that is on screen.
    Index last_shown_row(Index panel) const;
    Index last_shown_column(Index panel) const;

    Zoom zoom_;
    Figure figure_;  ///< cropped
    FittedLayout fitted_;
    std::vector<bool> windowed_;  ///< [panel]
};

}  // namespace headlight
