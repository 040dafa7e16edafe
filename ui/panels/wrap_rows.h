#pragma once

class QFormLayout;

namespace headlight {

/// Labels stand above their fields where the widest of both do not fit beside each other in `width`. Qt's own
/// WrapLongRows asks each row alone, and squeezes fields that begin behind the label of another row.
void wrap_rows(QFormLayout& form, int width);

}  // namespace headlight
