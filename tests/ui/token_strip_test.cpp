// The chips of a long text follow what is selected elsewhere.

#include "tests/ui/window_support.h"
#include "ui/panels/token_strip.h"

#include <QScrollArea>

using namespace headlight;

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
        test.document().select(selection);
        QTRY_VERIFY(in_sight(400));
        QVERIFY(!in_sight(0));
        selection.query = 3;
        test.document().select(selection);
        QTRY_VERIFY(in_sight(3));
    }
};

QTEST_MAIN(TokenStripTest)
#include "token_strip_test.moc"
