#pragma once

#include <QFont>

namespace headlight {

/// Words that are struck out: their font, or the option of the row that has them.
inline QFont struck_out(QFont font) {
    font.setStrikeOut(true);
    return font;
}
template <class Row>
Row struck_out(Row row) {
    row.font = struck_out(row.font);
    return row;
}

}  // namespace headlight
