#pragma once

#include <QString>

class QTextDocument;

namespace headlight {

// Texts write W_k and √d_k; where type can be set their letters are lowered, as in pictures. A subscript is
// one to three letters or digits behind a single letter: top_k and W_shared_key are names, and stay. So does
// what stands in quotes, which is a token, and code.

/// In the whole text.
void lower_subscripts(QTextDocument& document);

/// Plain text as HTML with its subscripts lowered.
QString html_with_subscripts(const QString& text);

/// HTML with the subscripts of its text lowered, as in the window.
QString lowered_in_html(const QString& html);

}  // namespace headlight
