#pragma once

#include <QPlainTextEdit>
#include <QTextDocument>

namespace headlight {

/// What stands in the field, to the letter: toPlainText() makes spaces of those that keep words together.
inline QString typed_text(const QPlainTextEdit& field) {
    QString text = field.document()->toRawText();
    for (const QChar::SpecialCharacter end : {QChar::ParagraphSeparator, QChar::LineSeparator})
        text.replace(QChar(end), QChar('\n'));
    return text;
}

}  // namespace headlight
