#pragma once

#include "core/figure/figure.h"
#include "core/figure/view_settings.h"

class QWheelEvent;

namespace headlight {

// How much nearer a key and a turn of the wheel bring any picture.
inline constexpr double key_zoom_factor = 1.5;
double wheel_factor(const QWheelEvent& event);

/// The part of one axis of a matrix that is on screen. Kept in fractions of a cell, so that small wheel steps
/// and slow drags add up; shown in whole cells, because half a cell cannot carry its label.
class AxisWindow {
public:
    /// A window never shows fewer, and a smaller matrix is always shown whole: a wheel turned by accident
    /// must not hide half of a short sentence.
    static constexpr Index fewest_cells = 8;

    explicit AxisWindow(Index extent = 0);
    explicit AxisWindow(const AxisPart& part);
    AxisPart part() const { return {extent_, first_, count_}; }

    Index extent() const { return extent_; }
    Index first() const;
    Index count() const;
    bool is_whole() const { return count() == extent_; }
    bool contains(Index cell) const { return cell >= first() && cell < first() + count(); }

    /// Shows 1/`factor` as many cells; what lies at `anchor` (0 to 1 along the window) stays there.
    void zoom(double factor, double anchor);
    void pan(double cells);
    /// The least movement that brings `cell` into the window.
    void reveal(Index cell);
    void show_all();

    bool operator==(const AxisWindow&) const = default;

private:
    void keep_inside();

    Index extent_;
    double first_ = 0;
    double count_;
};

/// Which rows and columns of a figure's matrices are on screen. Panels of the same size move together; others
/// are shown whole.
struct Zoom {
    AxisWindow rows, columns;

    Zoom() = default;
    explicit Zoom(const std::optional<ZoomedPart>& part);
    /// As it is remembered: absent where all is shown, to the last fraction of a cell.
    std::optional<ZoomedPart> part() const;

    bool is_whole() const { return rows.is_whole() && columns.is_whole(); }
    bool concerns(const Panel& panel) const {
        // A part of an image would be another line of the stage.
        return !panel.overlay && !panel.flow && panel.rows == rows.extent() &&
               panel.columns == columns.extent();
    }
    void zoom(double factor, double row_anchor, double column_anchor);
    void reveal(Index row, Index column);
    void show_all();
    /// Keeps the window for matrices of the same size and shows all of any other.
    void fit(Index row_extent, Index column_extent);
    bool operator==(const Zoom&) const = default;
};

/// The cells of `panel` that are on screen, as a panel of its own whose labels are those of the whole.
Panel cropped(Panel panel, const AxisWindow& rows, const AxisWindow& columns);
Figure cropped(Figure figure, const Zoom& zoom);

}  // namespace headlight
