#pragma once

#include <QByteArray>
#include <QString>

namespace headlight {

/// A text that LaTeX sets as it stands, on one line, in UTF-8. What is not ASCII is an argument of
/// \headlightsign, which latex_sign_macro() defines.
QByteArray latex_text(const QString& text);

/// \headlightsign{6CE8}{注}: the sign where the font has it, of pdfLaTeX one of its encodings; else the
/// sign's number in a small frame.
QByteArray latex_sign_macro();

/// \headlightfit{40bp}{text}: the text, squeezed where it is wider than that in the document's font, which
/// nobody knows here. latex_fit_macro() defines it; it needs graphicx.
QByteArray latex_fit_macro();

}  // namespace headlight
