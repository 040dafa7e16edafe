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
        // What has no spaces, and what is short, stands as it is.
        for (const QString& other : {QString(5'000, QChar(u'注')), QStringLiteral("a b\nc d"), QString()}) {
            edit_->show_text(other);
            QCOMPARE(edit_->text(), other);
            QCOMPARE(edit_->toPlainText(), other);
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
