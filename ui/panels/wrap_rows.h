#pragma once

class QFormLayout;

namespace headlight {

/// Labels stand above their fields where the widest of both do not fit beside each other in `width`. Qt's own
/// WrapLongRows asks each row alone, and squeezes fields that begin behind the label of another row.
void wrap_rows(QFormLayout& form, int width);

/// The width that the form needs with its labels above its fields, whichever way they stand now: a panel that
/// is being made narrower must not be held up by the rows that it would wrap.
int wrapped_width(const QFormLayout& form);

}  // namespace headlight
