#include "ui/panels/sequence_edit.h"

#include <QKeyEvent>
#include <QMimeData>
#include <QScopedValueRollback>
#include <QTextBlock>
#include <QTextBoundaryFinder>
#include <QTextCharFormat>

#include <optional>
#include <vector>

namespace headlight {
namespace {

/// Type of the separator between two parts of a paragraph. It goes with the separator, wherever that is
/// removed; those of lines that a person begins have none.
enum Separator { for_space = QTextFormat::UserObject, for_nothing };

bool stands_for_nothing(const QTextBlock& part) { return part.charFormat().objectType() == for_nothing; }

/// Between two parts of a long paragraph: at a space, which is in neither, or where there is none between two
/// letters.
struct Cut {
    qsizetype end, next;
};

std::vector<Cut> cuts_in(const QString& text) {
    std::vector<Cut> cuts;
    std::optional<QTextBoundaryFinder> letters;
    qsizetype part = 0, space = -1;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text[at] == QChar('\n') || text[at] == QChar::ParagraphSeparator) {
            part = at + 1;
            space = -1;
        } else if (text[at] == QChar(' ')) {
            space = at;
        }
        if (at - part < SequenceEdit::longest_part)
            continue;
        if (space >= part) {
            cuts.push_back({space, space + 1});
        } else {
            if (!letters)
                letters.emplace(QTextBoundaryFinder::Grapheme, text);
            letters->setPosition(at);
            if (!letters->isAtBoundary())
                continue;
            cuts.push_back({at, at});
        }
        part = cuts.back().next;
        space = -1;
    }
    return cuts;
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
    QTextBlock part = document()->begin();
    QString text = part.text();
    for (part = part.next(); part.isValid(); part = part.next()) {
        if (!stands_for_nothing(part))
            text += part.charFormat().objectType() == for_space ? QChar(' ') : QChar('\n');
        text += part.text();
    }
    return text.replace(QChar(QChar::LineSeparator), QChar('\n'));
}

qsizetype SequenceEdit::text_place(int position) const {
    qsizetype place = position;
    for (QTextBlock part = document()->begin(); part.isValid() && part.position() <= position;
         part = part.next())
        if (stands_for_nothing(part))
            --place;
    return place;
}

int SequenceEdit::document_place(qsizetype place) const {
    for (QTextBlock part = document()->begin(); part.isValid() && part.position() - 1 <= place;
         part = part.next())
        if (stands_for_nothing(part))
            ++place;
    return static_cast<int>(place);
}

void SequenceEdit::put(const QString& text) {
    const std::vector<Cut> cuts = cuts_in(text);
    setPlainText(cuts.empty() ? text : text.first(cuts.front().end));
    QTextCursor cursor(document());
    cursor.movePosition(QTextCursor::End);
    cursor.beginEditBlock();
    QTextCharFormat between;
    for (std::size_t cut = 0; cut < cuts.size(); ++cut) {
        const qsizetype first = cuts[cut].next, end = cut + 1 < cuts.size() ? cuts[cut + 1].end : text.size();
        between.setObjectType(cuts[cut].end < first ? for_space : for_nothing);
        cursor.insertBlock({}, between);
        cursor.insertText(text.sliced(first, end - first));
    }
    cursor.endEditBlock();
}

void SequenceEdit::show_text(const QString& text) {
    if (text == this->text())
        return;
    const QScopedValueRollback showing(showing_, true);
    const qsizetype place = text_place(textCursor().position());
    put(text);
    QTextCursor cursor = textCursor();
    cursor.setPosition(qMin(document_place(place), document()->characterCount() - 1));
    setTextCursor(cursor);
}

void SequenceEdit::mark(std::span<const TextPart> parts) {
    QList<QTextEdit::ExtraSelection> marks;
    for (const auto& [first, count] : parts) {
        QTextEdit::ExtraSelection unread;
        unread.cursor = QTextCursor(document());
        unread.cursor.setPosition(document_place(first));
        unread.cursor.setPosition(document_place(first + count), QTextCursor::KeepAnchor);
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

void SequenceEdit::keyPressEvent(QKeyEvent* event) {
    QTextCursor cursor = textCursor();
    // A separator that stands for nothing is no letter to be deleted: what is beyond it is.
    if (!cursor.hasSelection()) {
        const QTextBlock here = cursor.block();
        if (event->key() == Qt::Key_Backspace && cursor.atBlockStart() && stands_for_nothing(here))
            cursor.movePosition(QTextCursor::PreviousCharacter);
        else if (event->matches(QKeySequence::Delete) && cursor.atBlockEnd() && stands_for_nothing(here.next()))
            cursor.movePosition(QTextCursor::NextCharacter);
        if (cursor != textCursor())
            setTextCursor(cursor);
    }
    QPlainTextEdit::keyPressEvent(event);
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
    const qsizetype first = text_place(cursor.selectionStart());
    auto* copied = new QMimeData;
    copied->setText(text().sliced(first, text_place(cursor.selectionEnd()) - first));
    return copied;
}

void SequenceEdit::insertFromMimeData(const QMimeData* source) {
    const QString pasted = source->text();
    if (pasted.size() > longest_paste)
        return void(emit paste_refused(pasted.size()));
    if (pasted.size() <= longest_part)
        return textCursor().insertText(pasted);
    QTextCursor cursor = textCursor();
    const qsizetype first = text_place(cursor.selectionStart()), end = text_place(cursor.selectionEnd());
    const qsizetype behind = text().size() - end;
    show_text(text().replace(first, end - first, pasted));
    cursor = textCursor();
    cursor.setPosition(document_place(text().size() - behind));
    setTextCursor(cursor);
    emit typed(text());
}

}  // namespace headlight
