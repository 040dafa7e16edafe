// Letters that no font can draw are said in the window, once.

#include "tests/ui/window_support.h"

namespace headlight::font_hint_test {

class FontHintTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void letters_without_a_font_are_named_until_they_go() {
        WindowUnderTest test;
        Session session = small_session("dot");
        session.sequence.query_text = "a \U0010FFFD b";
        test.document().reset(session);
        const QWidget* hint = test.find("font_hint");
        QTRY_VERIFY(hint->isVisible());
        QVERIFY2(hint->accessibleName().contains(QLatin1String("U+10FFFD")),
                 qPrintable(hint->accessibleName()));
        session.sequence.query_text = "a b c";
        test.document().reset(session);
        QTRY_VERIFY(!hint->isVisible());
    }
};

QTEST_MAIN(FontHintTest)

}  // namespace headlight::font_hint_test

#include "font_hint_test.moc"
