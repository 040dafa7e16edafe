// Tokens are found as one writes them, marked in the picture, and gone through.

#include "core/io/trace_file.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/find_bar.h"
#include "ui/panels/token_strip.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/token_search.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace headlight::find_test {

class FindTest : public WindowedTest {
    Q_OBJECT
private slots:
    void tokens_are_read_as_one_writes_them_data() {
        QTest::addColumn<QString>("tokens");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("found");  // "first-last" of each
        const char* words = "The|black|cat|saw|the|Black|dog";
        QTest::newRow("a word") << words << "cat"
                                << "2-2";
        QTest::newRow("a part of one") << words << "la"
                                       << "1-1 5-5";
        QTest::newRow("small letters find both cases") << words << "the"
                                                       << "0-0 4-4";
        QTest::newRow("a capital finds itself") << words << "Black"
                                                << "5-5";
        QTest::newRow("several words") << words << "black cat"
                                       << "1-2";
        QTest::newRow("words that are apart") << words << "blackcat"
                                              << "";
        QTest::newRow("spaces around it") << words << "  saw "
                                          << "3-3";
        QTest::newRow("nothing") << words << ""
                                 << "";
        QTest::newRow("pieces of SentencePiece") << "▁vis|ual|ization|▁is"
                                                 << "visualization"
                                                 << "0-2";
        QTest::newRow("pieces of GPT-2") << "Data|Ġvis|ual"
                                         << "data visual"
                                         << "0-2";
        QTest::newRow("bytes of GPT-2")
            << QStringLiteral("ä½łå¥½|Ġ|na|Ã¯|ve") << QStringLiteral("naïve") << "2-4";
        QTest::newRow("a character in two tokens")
            << QStringLiteral("Ġso|ðŁĺ|Ģ|Ġgood") << QStringLiteral("😀") << "1-2";
        QTest::newRow("bytes of SentencePiece")
            << QStringLiteral("▁cat|<0xE4>|<0xBD>|<0xA0>|▁x") << QStringLiteral("你") << "1-3";
        QTest::newRow("ends of words") << "lo|w</w>|est</w>"
                                       << "low est"
                                       << "0-2";
        QTest::newRow("pieces with a space") << "Data| vis|ual"
                                             << "visual"
                                             << "1-2";
        QTest::newRow("pieces of WordPiece") << "un|##want|##ed|running"
                                             << "unwanted"
                                             << "0-2";
        QTest::newRow("a part of a piece") << "un|##want|##ed"
                                           << "want"
                                           << "1-1";
        QTest::newRow("what means something in expressions") << "a.b|acb"
                                                             << "a.b"
                                                             << "0-0";
    }
    void tokens_are_read_as_one_writes_them() {
        QFETCH(QString, tokens);
        QFETCH(QString, text);
        QTEST(ranges(tokens, text, false), "found");
    }

    void expressions_are_those_of_perl() {
        const QString words = QStringLiteral("the|cat|sat|on|the|mat");
        QCOMPARE(ranges(words, QStringLiteral("\\b[cm]at"), true), QStringLiteral("1-1 5-5"));
        QCOMPARE(ranges(words, QStringLiteral("the .at"), true), QStringLiteral("0-1 4-5"));
        QCOMPARE(ranges(words, QStringLiteral("x*"), true), QString());  // nothing of no length
        const FoundTokens none = find_tokens({"the"}, QStringLiteral("(the"), true);
        QVERIFY(none.ranges.empty() && none.problem.startsWith(QLatin1String("No expression:")));
    }

    void what_is_found_is_counted_marked_and_gone_through() {
        read("the cat saw the dog and the cat slept");
        FigureCanvas& canvas = *test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        const QImage before = canvas.grab().toImage();
        test_->trigger("find_tokens");
        auto* text = test_->find<QLineEdit>("find_text");
        QTRY_VERIFY(text->hasFocus());
        QTest::keyClicks(text, QStringLiteral("cat"));
        QCOMPARE(count(), QStringLiteral("2 found"));
        QVERIFY(canvas.grab().toImage() != before);
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(count(), QStringLiteral("1 of 2"));
        QCOMPARE(test_->document().view().selection.query, Index(1));
        test_->trigger("find_next_token");
        QCOMPARE(test_->document().view().selection.query, Index(7));
        test_->trigger("find_next_token");
        QCOMPARE(test_->document().view().selection.query, Index(1));
        QTest::keyClick(text, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(count(), QStringLiteral("2 of 2"));
    }

    void every_view_with_tokens_marks_them_data() {
        share_over_rows();
        QTest::addColumn<int>("view");
        QTest::addColumn<bool>("has_tokens");
        int number = 0;
        for (const View& each : views()) {
            // The map of a mechanism has its stages.
            const bool has_tokens =
                !(each.kind == ViewKind::statistics || each.kind == ViewKind::model_grid ||
                  each.kind == ViewKind::scatter || each.kind == ViewKind::map);
            if (each.kind != ViewKind::image)  // which a text has not
                QTest::newRow(each.title.c_str()) << number << has_tokens;
            ++number;
        }
    }
    void every_view_with_tokens_marks_them() {
        QFETCH(int, view);
        QFETCH(bool, has_tokens);
        Session session = small_session("scaled_dot_product");
        session.sequence.query_text = "the cat saw the dog and the cat slept";
        session.compared = {{"causal", {}, {}}};
        session.view.view = views()[static_cast<std::size_t>(view)].kind;
        if (session.view.view == ViewKind::axes) {
            session.view.selection.stage = "key";
            session.view.axes = {"d", "key"};
        }
        open_session(test_->document(), session);
        QVERIFY(test_->document().view().view == session.view.view);
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QCOMPARE(canvas != nullptr && canvas->figure() != nullptr, canvas != nullptr);
        if (!canvas)
            return;  // of heads
        const QImage before = canvas->grab().toImage();
        TokenSearch::of(test_->document()).set(QStringLiteral("cat"), false);
        QCOMPARE(canvas->grab().toImage() != before, has_tokens);
        TokenSearch::of(test_->document()).set({}, false);
        QVERIFY(canvas->grab().toImage() == before);
    }

    void chips_and_bars_of_tokens_are_marked() {
        read("the cat saw the dog and the cat slept");
        const auto grab = [this](const char* name) { return test_->find(name)->grab().toImage(); };
        auto* strip = test_->window().findChild<TokenStrip*>();
        const QImage bars = grab("inspector-bars"), chips = strip->grab().toImage();
        TokenSearch::of(test_->document()).set(QStringLiteral("cat"), false);
        QVERIFY(grab("inspector-bars") != bars);
        QVERIFY(strip->grab().toImage() != chips);
        TokenSearch::of(test_->document()).set(QStringLiteral("mouse"), false);
        QVERIFY(grab("inspector-bars") == bars);
        QVERIFY(strip->grab().toImage() == chips);
    }

    void a_token_is_among_ranges() {
        const std::vector<TokenRange> ranges{{2, 4}, {7, 7}};
        QString among;
        for (Index token = 0; token < 10; ++token)
            among += is_among(ranges, token) ? QChar('x') : QChar('.');
        QCOMPARE(among, QStringLiteral("..xxx..x.."));
        QVERIFY(!is_among({}, 0));
    }

    void tokens_without_names_have_numbers() {
        Trace trace({{"", "weights", {Axis::head, Axis::query, Axis::key}, {1, 12, 14}}});
        write_trace(trace, test_->file(QStringLiteral("t.json")).toStdString());
        drop(test_->window(), test_->file(QStringLiteral("t.json")));
        QTRY_VERIFY(test_->document().run() && !test_->document().run()->plan);
        test_->trigger("find_tokens");
        QTest::keyClicks(test_->find("find_text"), QStringLiteral("12"));
        QCOMPARE(count(), QStringLiteral("2 found"));  // a query and a key
        test_->trigger("find_next_token");
        QCOMPARE(test_->document().view().selection.query, Index(11));
    }

    void escape_takes_the_marks_away_and_gives_the_keys_back() {
        read("the cat saw the dog");
        test_->trigger("find_tokens");
        auto* text = test_->find<QLineEdit>("find_text");
        QTest::keyClicks(text, QStringLiteral("the"));
        QCOMPARE(TokenSearch::of(test_->document()).count(), Index(2));
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(!test_->find("find_bar")->isVisible());
        QCOMPARE(TokenSearch::of(test_->document()).count(), Index(0));
        QVERIFY(!text->hasFocus());
        test_->trigger("find_tokens");
        QCOMPARE(text->text(), QStringLiteral("the"));
        QCOMPARE(text->selectedText(), QStringLiteral("the"));
        QCOMPARE(count(), QStringLiteral("2 found"));
    }

    void another_text_is_searched_anew_and_an_expression_that_is_none_is_told() {
        read("the cat saw the dog");
        test_->trigger("find_tokens");
        auto* text = test_->find<QLineEdit>("find_text");
        QTest::keyClicks(text, QStringLiteral("the"));
        read("a cat saw the dog");
        QCOMPARE(count(), QStringLiteral("1 found"));
        read("a cat saw a dog");
        QCOMPARE(count(), QStringLiteral("not found"));
        test_->find<QToolButton>("find_expression")->click();
        type_over(text, QStringLiteral("[a-"));
        QVERIFY(count().startsWith(QLatin1String("No expression:")));
    }

private:
    static QString ranges(const QString& tokens, const QString& text, bool is_expression) {
        std::vector<std::string> all;
        for (const QString& token : tokens.split(QChar('|')))
            all.push_back(token.toStdString());
        QStringList found;
        for (const TokenRange& range : find_tokens(all, text, is_expression).ranges)
            found += QStringLiteral("%1-%2").arg(range.first).arg(range.last);
        return found.join(QChar(' '));
    }
    QString count() { return test_->find<QLabel>("find_count")->text(); }
    void read(const char* text) {
        Session session = small_session("scaled_dot_product");
        session.sequence.query_text = text;
        session.view.view = ViewKind::heatmap;
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run() && test_->document().run()->session->sequence.query_text == text);
    }
};

QTEST_MAIN(FindTest)

}  // namespace headlight::find_test

#include "find_test.moc"
