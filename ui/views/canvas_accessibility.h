#pragma once

namespace headlight {

class FigureCanvas;

/// Gives every FigureCanvas a voice: its figure's description, and the selected cell as its value.
void make_canvases_accessible();

/// Says the selected cell, if somebody listens.
void announce_cell(FigureCanvas& canvas);

}  // namespace headlight
