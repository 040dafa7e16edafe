// A long paragraph is laid out part by part, and is one text to whoever reads, edits or copies it.

#include "ui/panels/sequence_edit.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>

namespace headlight::sequence_edit_test {

class SequenceEditTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        edit_.emplace();
        edit_->resize(220, 60);
        edit_->show();
        edit_->show_text(text_);
        parts_ = edit_->document()->blockCount();
    }
    void cleanup() { edit_.reset(); }

    void a_long_paragraph_stands_in_parts() {
        QVERIFY(parts_ > text_.size() / SequenceEdit::longest_part);
        for (QTextBlock part = edit_->document()->begin(); part.isValid(); part = part.next())
            QVERIFY(part.length() <= SequenceEdit::longest_part + 1);
        QCOMPARE(edit_->text(), text_);
        QCOMPARE(edit_->text().count(QChar('\n')), 1);
        // What is short stands as it is.
        for (const QString& other : {QStringLiteral("a b\nc d"), QString()}) {
            edit_->show_text(other);
            QCOMPARE(edit_->text(), other);
            QCOMPARE(edit_->toPlainText(), other);
        }
    }

    void without_spaces_it_is_cut_between_letters() {
        const QString letter = QStringLiteral("\U0002000B\u0301");  // three units
        for (const QString& other :
             {letter.repeated(2'000), QString(5'000, QChar(u'注')),
              QString(QStringLiteral("a ") + letter.repeated(1'000) + u'\n' + letter)}) {
            edit_->show_text(other);
            QVERIFY(edit_->document()->blockCount() > other.size() / (SequenceEdit::longest_part + 3));
            for (QTextBlock part = edit_->document()->begin(); part.isValid(); part = part.next()) {
                QVERIFY(part.length() <= SequenceEdit::longest_part + 3);
                QVERIFY(!part.text().startsWith(QChar(0x0301)) && !part.text().front().isLowSurrogate());
            }
            QCOMPARE(edit_->text(), other);
            edit_->selectAll();
            edit_->copy();
            QCOMPARE(QGuiApplication::clipboard()->text(), other);
        }
    }

    void nothing_stands_between_parts_that_were_cut_between_letters() {
        QString expected = in_a_row(5'000);
        edit_->show_text(expected);
        const int parts = edit_->document()->blockCount();
        QCOMPARE(parts, 3);
        go_to_part(1);
        QTest::keyClick(&*edit_, Qt::Key_Backspace);  // the letter before it, in one press
        QCOMPARE(edit_->text(), expected.remove(1'999, 1));
        QTest::keyClick(&*edit_, Qt::Key_Delete);  // from the end of a part, that behind it
        QCOMPARE(edit_->text(), expected.remove(1'999, 1));
        QCOMPARE(edit_->document()->blockCount(), parts);
        const TextPart unread{4'500, 2};
        edit_->mark(std::span(&unread, 1));
        QCOMPARE(edit_->extraSelections().constFirst().cursor.selectedText(), expected.sliced(4'500, 2));
        QTextCursor cursor = edit_->textCursor();
        cursor.setPosition(3'990);  // within the second part, to the third one
        cursor.setPosition(4'100, QTextCursor::KeepAnchor);
        const QString selected = cursor.selectedText().remove(QChar(QChar::ParagraphSeparator));
        edit_->setTextCursor(cursor);
        edit_->copy();
        QCOMPARE(QGuiApplication::clipboard()->text(), selected);
        const QString pasted = in_a_row(3'000);
        QGuiApplication::clipboard()->setText(pasted);
        edit_->paste();
        const qsizetype place = expected.indexOf(selected);
        QCOMPARE(edit_->text(), expected.replace(place, selected.size(), pasted));
        cursor = edit_->textCursor();
        cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor);
        QCOMPARE(cursor.selectedText(), expected.sliced(place + pasted.size(), 1));  // behind what was pasted
    }

    void spaces_that_keep_words_together_stay() {
        edit_->show_text({});
        const QString space(QChar::Nbsp), number = QStringLiteral("28\u00A0km ");
        QTest::sendKeyEvent(QTest::Click, &*edit_, Qt::Key_nobreakspace, space, Qt::NoModifier);
        QCOMPARE(edit_->text(), space);
        for (const int count : {1, 1'000}) {  // pasted into what stands there, and shown with it
            edit_->show_text({});
            QGuiApplication::clipboard()->setText(number.repeated(count));
            edit_->paste();
            QCOMPARE(edit_->text(), number.repeated(count));
            edit_->selectAll();
            edit_->copy();
            QCOMPARE(QGuiApplication::clipboard()->text(), number.repeated(count));
        }
    }

    void its_parts_are_joined_and_parted_like_words() {
        const QSignalSpy typed(&*edit_, &SequenceEdit::typed);
        const auto typed_text = [&] { return typed.constLast().constFirst().toString(); };
        const int place = go_to_part(2);
        QTest::keyClick(&*edit_, Qt::Key_Backspace);  // the space between two words
        QString expected = text_;
        QCOMPARE(typed_text(), expected.remove(place - 1, 1));
        QCOMPARE(edit_->document()->blockCount(), parts_ - 1);
        QTest::keyClick(&*edit_, Qt::Key_Return);  // a line of one's own
        QCOMPARE(typed_text(), expected.insert(place - 1, QChar('\n')));
        const int other = go_to_part(4);
        QTest::keyClicks(&*edit_, QStringLiteral("so "));
        QCOMPARE(typed_text(), expected.insert(other, QStringLiteral("so ")));
        edit_->show_text(expected);  // is what stands there
        QCOMPARE(edit_->textCursor().position(), other + 3);
    }

    void a_part_without_letters_goes_with_its_own_space() {
        const QString letters(SequenceEdit::longest_part, QChar(u'a'));
        edit_->show_text(QString(letters + QStringLiteral(" \nc d")));
        QCOMPARE(edit_->document()->blockCount(), 3);
        go_to_part(2);
        QTest::keyClick(&*edit_, Qt::Key_Backspace);  // the line, not the space before it
        QCOMPARE(edit_->text(), QString(letters + QStringLiteral(" c d")));
    }

    void what_is_copied_and_pasted_has_no_lines_for_its_parts() {
        edit_->selectAll();
        edit_->copy();
        QCOMPARE(QGuiApplication::clipboard()->text(), text_);
        edit_->show_text(QStringLiteral("before after"));
        QTextCursor cursor = edit_->textCursor();
        cursor.setPosition(7);
        edit_->setTextCursor(cursor);
        const QSignalSpy typed(&*edit_, &SequenceEdit::typed);
        edit_->paste();
        QCOMPARE(typed.size(), 1);
        QCOMPARE(edit_->text(), QString(QStringLiteral("before ") + text_ + QStringLiteral("after")));
        QCOMPARE(edit_->textCursor().position(), 7 + static_cast<int>(text_.size()));
        QVERIFY(edit_->document()->blockCount() >= parts_);
    }

private:
    /// Letters without spaces, each other than its neighbours.
    static QString in_a_row(int letters) {
        QString text;
        for (int letter = 0; letter < letters; ++letter)
            text += QChar(0x4E00 + letter);
        return text;
    }
    /// To the beginning of a part; returns its place.
    int go_to_part(int part) {
        const QTextCursor begin(edit_->document()->findBlockByNumber(part));
        edit_->setTextCursor(begin);
        return begin.position();
    }

    const QString text_ = QStringLiteral("the cat sat on the mat ").repeated(1'000) + QStringLiteral("\nend");
    std::optional<SequenceEdit> edit_;
    int parts_ = 0;
};

QTEST_MAIN(SequenceEditTest)

}  // namespace headlight::sequence_edit_test

#include "sequence_edit_test.moc"
