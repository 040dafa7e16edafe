#pragma once

#include <QString>

#include <vector>

class QMimeData;
class QTextDocument;
class QTextDocumentFragment;

namespace headlight {

// Texts write W_k and √d_k; where type can be set their letters are lowered, as in pictures. A subscript is
// one to three letters or digits, or a Greek letter by its name, behind a single letter: W_q and W_beta are
// lowered, top_k and W_shared_key are names, and stay. So does what stands in quotes, which is a token, and
// code.

/// In the whole text.
void lower_subscripts(QTextDocument& document);

/// For the clipboard: in plain text the subscripts of what is selected have their sign again, since "Wq"
/// would be another name.
QMimeData* copied(const QTextDocumentFragment& selection);

/// A stretch of a text that stands on one level.
struct TextLevel {
    QString text;
    bool is_lowered = false;
};
/// Plain text in such stretches, for a caller that sets the type itself: "W_k · x" is "W", "k" lowered, " ·
/// x".
std::vector<TextLevel> text_levels(const QString& text);

/// Plain text as HTML with its subscripts lowered, and what stands between backticks slanted.
QString html_with_subscripts(const QString& text);

/// HTML with the subscripts of its text lowered, as in the window.
QString lowered_in_html(const QString& html);

}  // namespace headlight
