// The chips of a long text follow what is selected elsewhere.

#include "tests/ui/window_support.h"
#include "ui/panels/token_strip.h"

#include <QHelpEvent>
#include <QLabel>
#include <QSettings>
#include <QToolTip>

namespace headlight::token_strip_test {

class TokenStripTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void the_chip_of_a_selected_token_comes_into_sight() {
        WindowUnderTest test;
        Session session = small_session();
        session.sequence.query_text = long_text(457);
        open_session(test.document(), session);
        auto* strip = test.find<TokenStrip>("query_text_tokens");
        QTRY_COMPARE(strip->tokens().size(), qsizetype(457));
        const auto in_sight = [&](int token) {
            const QRect chip = strip->chip(token);
            return strip->visibleRegion().boundingRect().contains(chip);
        };
        QTRY_VERIFY(in_sight(0));
        QVERIFY(!in_sight(400));
        Selection selection = test.document().view().selection;
        selection.query = 400;
        test.document().looking().select(selection);
        QTRY_VERIFY(in_sight(400));
        QVERIFY(!in_sight(0));
        selection.query = 3;
        test.document().looking().select(selection);
        QTRY_VERIFY(in_sight(3));
    }

    void a_token_that_looks_like_html_is_told_as_it_is() {
        WindowUnderTest test;
        Session session = small_session();
        session.sequence.query_text = "<s> struck </s>";
        open_session(test.document(), session);
        auto* strip = test.find<TokenStrip>("query_text_tokens");
        QTRY_COMPARE(strip->tokens().size(), qsizetype(3));
        const QPoint at = strip->chip(0).center();
        QHelpEvent help(QEvent::ToolTip, at, strip->mapToGlobal(at));
        QApplication::sendEvent(strip, &help);
        QLabel* tip = nullptr;
        for (QWidget* each : QApplication::topLevelWidgets())
            if (each->inherits("QTipLabel"))
                tip = qobject_cast<QLabel*>(each);
        QVERIFY(tip && tip->text().contains(QLatin1String("<s>")));
        QCOMPARE(tip->textFormat(), Qt::PlainText);
        for (const QLabel* each : test.window().findChildren<QLabel*>())
            QVERIFY2(!each->isVisible() || each->textFormat() != Qt::AutoText, qPrintable(each->text()));
        QToolTip::hideText();
    }

    void chips_that_come_to_another_row_while_the_window_opens_are_in_sight() {
        WindowUnderTest test;
        test.window().resize(1280, 720);
        Session session = small_session();
        session.sequence.query_text = "the cat sat on the mat";
        open_session(test.document(), session);
        test.close();
        // Without its width the column is narrow at first: the last chip has no place in the first row.
        QSettings(test.file(QStringLiteral("window.ini")), QSettings::IniFormat)
            .remove(QStringLiteral("window/left_width"));
        test.start();
        const auto* strip = test.find<TokenStrip>("query_text_tokens");
        QTRY_COMPARE(strip->tokens().size(), qsizetype(6));
        QTest::qWait(1);
        for (int token = 0; token < 6; ++token)
            QTRY_VERIFY2(strip->visibleRegion().boundingRect().contains(strip->chip(token)),
                         qPrintable(strip->tokens()[token]));
    }
};

QTEST_MAIN(TokenStripTest)

}  // namespace headlight::token_strip_test

#include "token_strip_test.moc"
