#include "ui/panels/sequence_edit.h"

#include <QMimeData>
#include <QScopedValueRollback>
#include <QTextBlock>
#include <QTextCharFormat>

#include <vector>

namespace headlight {
namespace {

/// Type of the separator that stands for a space of a paragraph. It goes with the separator, wherever that is
/// removed; those of lines that a person begins have none.
constexpr int goes_on = QTextFormat::UserObject;

/// The places of the spaces between the parts of long paragraphs.
std::vector<qsizetype> ends_of_parts(const QString& text) {
    std::vector<qsizetype> ends;
    qsizetype part = 0, space = -1;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at] == QChar('\n') || text[at] == QChar::ParagraphSeparator) {
            part = at + 1;
            space = -1;
        } else if (text[at] == QChar(' ')) {
            space = at;
        }
        if (at - part >= SequenceEdit::longest_part && space >= part) {
            ends.push_back(space);
            part = space + 1;
            space = -1;
        }
    }
    return ends;
}

}  // namespace

SequenceEdit::SequenceEdit(QWidget* parent) : QPlainTextEdit(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    connect(this, &QPlainTextEdit::textChanged, this, [this] {
        if (!showing_)
            emit typed(text());
    });
}

QString SequenceEdit::text() const {
    QString text = toPlainText();
    for (QTextBlock block = document()->begin().next(); block.isValid(); block = block.next())
        if (block.charFormat().objectType() == goes_on)
            text[block.position() - 1] = QChar(' ');
    return text;
}

void SequenceEdit::put(const QString& text) {
    const std::vector<qsizetype> ends = ends_of_parts(text);
    setPlainText(ends.empty() ? text : text.first(ends.front()));
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    QTextCharFormat between;
    between.setObjectType(goes_on);
    for (std::size_t part = 0; part < ends.size(); ++part) {
        const qsizetype first = ends[part] + 1, end = part + 1 < ends.size() ? ends[part + 1] : text.size();
        cursor.insertBlock({}, between);
        cursor.insertText(text.sliced(first, end - first));
    }
    cursor.endEditBlock();
}

void SequenceEdit::show_text(const QString& text) {
    if (text == this->text())
        return;
    const QScopedValueRollback showing(showing_, true);
    const int place = textCursor().position();
    put(text);
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

QMimeData* SequenceEdit::createMimeDataFromSelection() const {
    const QTextCursor cursor = textCursor();
    const int first = cursor.selectionStart();
    auto* copied = new QMimeData;
    copied->setText(text().sliced(first, cursor.selectionEnd() - first));
    return copied;
}

void SequenceEdit::insertFromMimeData(const QMimeData* source) {
    const QString pasted = source->text();
    if (pasted.size() > longest_paste)
        return void(emit paste_refused(pasted.size()));
    if (pasted.size() <= longest_part)
        return textCursor().insertText(pasted);
    QTextCursor cursor = textCursor();
    const int first = cursor.selectionStart();
    const int behind = static_cast<int>(text().size()) - cursor.selectionEnd();
    show_text(text().replace(first, cursor.selectionEnd() - first, pasted));
    cursor = textCursor();
    cursor.setPosition(static_cast<int>(document()->characterCount()) - 1 - behind);
    setTextCursor(cursor);
    emit typed(text());
}

}  // namespace headlight
