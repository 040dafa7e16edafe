#pragma once

#include <QAccessible>

namespace headlight {

class FigureCanvas;

/// Gives every FigureCanvas a voice: its figure's description, the selected cell as its child, whose name is
/// a sentence, and that cell's number as its value.
void make_canvases_accessible();

/// Tells a screen reader that another cell is selected: the value has changed, and the focus is on the cell.
/// `tell` takes the events; Qt's own does nothing while nobody listens.
void announce_cell(FigureCanvas& canvas, void (*tell)(QAccessibleEvent*) = QAccessible::updateAccessibility);

}  // namespace headlight
