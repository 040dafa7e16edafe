#include "ui/views/cell_walk.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace headlight {

std::optional<CellPlace> walked(CellPlace place, const QKeyEvent& event, Index last_row, Index last_column,
                                Index page, bool transposed) {
    if (transposed) {
        std::swap(place.row, place.column);
        std::swap(last_row, last_column);
    }
    const bool far = event.modifiers() & Qt::ControlModifier;
    const Index step = far ? 10 : 1;
    Index row = *place.row, column = *place.column;
    switch (event.key()) {
    case Qt::Key_Left:
        column -= step;
        break;
    case Qt::Key_Right:
        column += step;
        break;
    case Qt::Key_Up:
        row -= step;
        break;
    case Qt::Key_Down:
        row += step;
        break;
    case Qt::Key_PageUp:
        row -= page;
        break;
    case Qt::Key_PageDown:
        row += page;
        break;
    case Qt::Key_Home:
        column = 0;
        row = far ? 0 : row;
        break;
    case Qt::Key_End:
        column = last_column;
        row = far ? last_row : row;
        break;
    default:
        return std::nullopt;
    }
    place.row = std::clamp<Index>(row, 0, std::max<Index>(last_row, 0));
    place.column = std::clamp<Index>(column, 0, std::max<Index>(last_column, 0));
    if (transposed)
        std::swap(place.row, place.column);
    return place;
}

}  // namespace headlight
