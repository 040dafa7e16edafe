#pragma once

class QWidget;

namespace headlight {

/// Whether keys that arrive there are a text being typed: a line, a text, a number or a list that can be
/// written in.
bool takes_text(const QWidget* widget);

}  // namespace headlight
