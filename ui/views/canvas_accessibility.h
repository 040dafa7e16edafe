#pragma once

#include "core/figure/figure.h"

#include <QAccessible>
#include <QRectF>
#include <QString>

#include <optional>

class QWidget;

namespace headlight {

/// A widget that draws a figure, as a screen reader walks through it. A panel is a table, or of points a
/// list; rows and columns are those of the panel on screen, of points the mark and 0.
class SpokenFigure {
public:
    struct Cell {
        Index panel = 0, row = 0, column = 0;
        bool operator==(const Cell&) const = default;
    };

    SpokenFigure() = default;
    SpokenFigure(const SpokenFigure&) = delete;
    SpokenFigure& operator=(const SpokenFigure&) = delete;
    virtual ~SpokenFigure() = default;

    /// What is on screen; null where there is nothing, and notice() says why.
    virtual const Figure* figure() const = 0;
    virtual QString notice() const = 0;
    /// What there is to say of the place that the keyboard is at, and where it is; empty where it is nowhere.
    virtual QString current_sentence() const {
        const auto cell = current_cell();
        return cell ? sentence_of(*cell) : QString();
    }
    virtual QRectF current_rect() const {
        const auto cell = current_cell();
        return cell ? area_of(*cell) : QRectF();
    }
    /// Its number, and the scale that colours it.
    virtual std::optional<double> current_number() const = 0;
    virtual ColourScale current_scale() const = 0;
    /// The cell that is there, where it is one of a panel.
    virtual std::optional<Cell> current_cell() const = 0;

    /// Of any cell on screen.
    virtual QString sentence_of(const Cell& cell) const = 0;
    virtual QRectF area_of(const Cell& cell) const = 0;
    virtual QRectF panel_area(Index panel) const = 0;
    /// Brings the keyboard there.
    virtual void choose_cell(const Cell& cell) = 0;
};

/// "“bank”, feature 3: 0.31": what a cell of a panel says by itself. Empty for one that has no head.
QString cell_in_words(const Panel& panel, Index row, Index column);

/// Gives every widget that is a SpokenFigure a voice: its figure's description, or why there is none; the
/// current cell as its first child, whose name is a sentence, and that cell's number as its value; and after
/// it the panels with their cells, each of which can be chosen.
void make_canvases_accessible();

/// Tells a screen reader that another cell is selected: the value has changed, and the focus is on the cell.
/// `canvas` is a SpokenFigure.
void announce_cell(QWidget& canvas);

/// Tells it that another picture, or a word in its place, is there.
void announce_figure(QWidget& canvas);

/// What takes these events, until it is called again: QAccessible::updateAccessibility, which does nothing
/// while nobody listens. For tests, on whose platform nobody does.
void tell_instead(void (*tell)(QAccessibleEvent*));

}  // namespace headlight
