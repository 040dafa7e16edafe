#pragma once

#include "core/figure/figure.h"

#include <QAccessible>
#include <QRectF>
#include <QString>

#include <optional>
#include <utility>

class QWidget;

namespace headlight {

/// A table, a list or a tree inside a picture. Of a list and a tree the rows are the items, of one column.
struct AccessibleTable {
    enum class Kind { table, list, tree };
    Kind kind = Kind::table;
    Index rows = 0, columns = 0;
};

/// A widget that paints what a screen reader has to walk through.
class AccessiblePicture {
public:
    struct Cell {
        Index panel = 0, row = 0, column = 0;  ///< `panel` is the table that it is of
        bool operator==(const Cell&) const = default;
    };

    AccessiblePicture() = default;
    AccessiblePicture(const AccessiblePicture&) = delete;
    AccessiblePicture& operator=(const AccessiblePicture&) = delete;
    virtual ~AccessiblePicture() = default;

    /// What is on screen, or why there is nothing.
    virtual QString accessible_description() const = 0;
    virtual Index table_count() const = 0;
    /// Nothing for one that is not walked through, and outside table_count().
    virtual std::optional<AccessibleTable> table(Index panel) const = 0;
    virtual QString table_name(Index panel) const = 0;
    virtual QString table_description(Index) const { return {}; }
    virtual QString row_name(Index, Index row) const { return QString::number(row + 1); }
    virtual QString column_name(Index, Index column) const { return QString::number(column + 1); }

    /// What there is to say of the place that the keyboard is at, and where it is; empty where it is nowhere.
    virtual QString current_sentence() const {
        const auto cell = current_cell();
        return cell ? sentence_of(*cell) : QString();
    }
    virtual QRectF current_rect() const {
        const auto cell = current_cell();
        return cell ? area_of(*cell) : QRectF();
    }
    /// Its number, and between which numbers it lies.
    virtual std::optional<double> current_number() const = 0;
    virtual std::pair<double, double> current_range() const = 0;
    /// The cell that is there, where it is one of a table.
    virtual std::optional<Cell> current_cell() const = 0;

    /// Says any cell on screen.
    virtual QString sentence_of(const Cell& cell) const = 0;
    virtual QRectF area_of(const Cell& cell) const = 0;
    virtual QRectF panel_area(Index panel) const = 0;
    /// Brings the keyboard there.
    virtual void choose_cell(const Cell& cell) = 0;

    /// Whether a cell that is on or off is on; nothing of other cells.
    virtual std::optional<bool> is_on(const Cell&) const { return std::nullopt; }
    /// Turns over a cell that is on or off.
    virtual void toggle_cell(const Cell&) {}
};

/// A widget that draws a figure. A panel is a table, or of points a list; rows and columns are those of the
/// panel on screen, of points the mark and 0.
class AccessibleFigure : public AccessiblePicture {
public:
    /// What is on screen; null where there is nothing, and notice() says why.
    virtual const Figure* figure() const = 0;
    virtual QString notice() const = 0;
    /// What colours the current cell.
    virtual ColourScale current_scale() const = 0;

    QString accessible_description() const override;
    Index table_count() const override;
    std::optional<AccessibleTable> table(Index panel) const override;
    QString table_name(Index panel) const override;
    QString table_description(Index panel) const override;
    QString row_name(Index panel, Index row) const override;
    QString column_name(Index panel, Index column) const override;
    std::pair<double, double> current_range() const override;

private:
    const Panel& accessible_panel(Index panel) const;
};

/// "“bank”, feature 3: 0.31": what a cell of a panel says by itself. Empty for one that has no head.
QString cell_in_words(const Panel& panel, Index row, Index column);

/// Gives every widget that is a AccessiblePicture a voice: what is on screen, or why there is nothing; the
/// current cell as its first child, whose name is a sentence, and that cell's number as its value; and after
/// it the tables with their cells, each of which can be chosen, and turned over where it is on or off.
void make_canvases_accessible();

/// Tells a screen reader that another cell is selected: the value has changed, and the focus is on the cell.
/// `canvas` is a AccessiblePicture.
void announce_cell(QWidget& canvas);

/// Tells it that the current cell, which is on or off, was turned over.
void announce_toggle(QWidget& canvas);

/// Tells it that another picture, or a word in its place, is there.
void announce_figure(QWidget& canvas);

/// What takes these events, until it is called again: QAccessible::updateAccessibility, which does nothing
/// while nobody listens. For tests, on whose platform nobody does.
void tell_instead(void (*tell)(QAccessibleEvent*));

}  // namespace headlight
