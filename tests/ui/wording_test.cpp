// What the window says and finds: numbers with what they count, and names however they are typed.

#include "tests/ui/window_support.h"
#include "ui/models/counted_text.h"
#include "ui/models/layer_list_text.h"
#include "ui/models/mechanism_filter.h"
#include "ui/models/mechanism_model.h"
#include "ui/models/menu_text.h"

#include <QLabel>
#include <QRegularExpression>

namespace headlight::wording_test {

class WordingTest : public QObject {
    Q_OBJECT

private slots:
    void counts() {
        QCOMPARE(counted_text(1, "query", "queries"), QStringLiteral("1 query"));
        QCOMPARE(counted_text(2, "query", "queries"), QStringLiteral("2 queries"));
        QCOMPARE(counted_text(0, "layer"), QStringLiteral("0 layers"));
        QCOMPARE(counted_text(-1, "layer"), QStringLiteral("-1 layers"));
    }

    /// One word is one query and one key, wherever the window counts them.
    void says_one_of_one() {
        WindowUnderTest test;
        Session one_word = test.session();
        one_word.sequence.query_text = "cat";
        test.document().edit({"One word", one_word});
        auto* status = test.find<QLabel>("run_status");
        QVERIFY(status);
        QTRY_VERIFY_WITH_TIMEOUT(status->text().startsWith(QStringLiteral("1 × 1 · 1 head")), patience);
        const QRegularExpression plural_of_one(
            QStringLiteral("(?<![\\d.,])1 (queries|keys|heads|layers|tokens|pairs|"
                           "numbers|rows|columns|steps|patches)\\b"));
        for (const QLabel* label : test.window().findChildren<QLabel*>())
            QVERIFY2(!label->text().contains(plural_of_one), qPrintable(label->text()));
    }

    void layers_that_are_alike_share_a_line() {
        LayerList list;
        list.encoder.assign(3, {.mechanism = "window", .values = {{"size", Index(4)}}});
        list.encoder.push_back({.mechanism = "window"});
        list.decoder.push_back({.spec = AttentionSpec{}});
        QCOMPARE(layer_list_text(list), QStringLiteral("Encoder 1–3: Sliding window attention (size=4)\n"
                                                       "Encoder 4: Sliding window attention\n"
                                                       "Decoder 1: scaled dot products, softmax"));
    }

    void an_ampersand_of_a_name_stays_one_in_a_menu() {
        QCOMPARE(menu_text(QStringLiteral("R&D & more")), QStringLiteral("R&&D && more"));
        QCOMPARE(shown_words(QStringLiteral("&Hide “R&&D”")), QStringLiteral("Hide “R&D”"));
        QCOMPARE(shown_words(QStringLiteral("the end &")), QStringLiteral("the end "));
    }

    void finds_names_however_they_are_typed_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("found");
        for (const char* typed :
             {"multihead", "multi head", "multi-head", "Multi-Head", "MULTIHEAD", "mültihéad"})
            QTest::newRow(typed) << QString::fromUtf8(typed) << QStringLiteral("multi_head");
        QTest::newRow("re") << QStringLiteral("nystromformer") << QStringLiteral("nystrom");
        QTest::newRow("umlaut") << QStringLiteral("Nyströmformer") << QStringLiteral("nystrom");
        QTest::newRow("hyphen") << QStringLiteral("crossattention") << QStringLiteral("cross");
        QTest::newRow("p-RoPE") << QStringLiteral("prope") << QStringLiteral("p_rope");
    }
    void finds_names_however_they_are_typed() {
        QFETCH(QString, typed);
        QFETCH(QString, found);
        MechanismModel model;
        MechanismFilter filter(model);
        MechanismCriteria criteria;
        criteria.text = typed;
        filter.set_criteria(criteria);
        const Mechanism* best = model.mechanism_at(filter.mapToSource(filter.best()));
        QVERIFY(best);
        QCOMPARE(QString::fromStdString(best->id), found);
    }

    void knows_where_a_name_begins() {
        const SearchText name("Multi-head self-attention");
        const auto place = [&](const char* typed) { return int(name.place_of(SearchText(typed))); };
        QCOMPARE(place("multihead selfattention"), 0);
        QCOMPARE(place("multi"), 1);
        QCOMPARE(place("Self"), 2);
        QCOMPARE(place("tention"), 3);
        QCOMPARE(place("cross"), 4);
    }
};

QTEST_MAIN(WordingTest)

}  // namespace headlight::wording_test

#include "wording_test.moc"
