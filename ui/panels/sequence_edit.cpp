#include "ui/panels/sequence_edit.h"

#include <QMimeData>
#include <QScopedValueRollback>

namespace headlight {

SequenceEdit::SequenceEdit(QWidget* parent) : QPlainTextEdit(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!showing_)
            emit typed(toPlainText());
    });
}

void SequenceEdit::show_text(const QString& text) {
    if (text == toPlainText())
        return;
    const QScopedValueRollback showing(showing_, true);
    const int place = textCursor().position();
    setPlainText(text);
    QTextCursor cursor = textCursor();
    cursor.setPosition(qMin(place, static_cast<int>(document()->characterCount()) - 1));
    setTextCursor(cursor);
}

void SequenceEdit::mark(std::span<const TextPart> parts) {
    QList<QTextEdit::ExtraSelection> marks;
    for (const auto& [first, count] : parts) {
        QTextEdit::ExtraSelection unread;
        unread.cursor = QTextCursor(document());
        unread.cursor.setPosition(static_cast<int>(first));
        unread.cursor.setPosition(static_cast<int>(first + count), QTextCursor::KeepAnchor);
        unread.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        unread.format.setUnderlineColor(palette().color(QPalette::Text));
        unread.format.setFontWeight(QFont::Bold);
        marks.push_back(unread);
    }
    setExtraSelections(marks);
}

void SequenceEdit::set_lines(int lines) {
    lines_ = lines;
    updateGeometry();
}

void SequenceEdit::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange)
        return;
    QList<QTextEdit::ExtraSelection> marks = extraSelections();
    for (QTextEdit::ExtraSelection& unread : marks)
        unread.format.setUnderlineColor(palette().color(QPalette::Text));
    setExtraSelections(marks);
}

QSize SequenceEdit::sizeHint() const {
    const int lines = lines_ * fontMetrics().lineSpacing();
    return {220, lines + 2 * static_cast<int>(document()->documentMargin()) + 2 * frameWidth() + 4};
}

QSize SequenceEdit::minimumSizeHint() const { return {120, sizeHint().height()}; }

bool SequenceEdit::canInsertFromMimeData(const QMimeData* source) const {
    return !source->hasUrls() && source->hasText();
}

void SequenceEdit::insertFromMimeData(const QMimeData* source) {
    const QString text = source->text();
    if (text.size() > longest_paste)
        emit paste_refused(text.size());
    else
        textCursor().insertText(text);
}

}  // namespace headlight
