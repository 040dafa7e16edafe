// Seeds are whole numbers of 64 bits, in every field.

#include "tests/ui/window_support.h"
#include "ui/panels/seed_box.h"

#include <QLineEdit>
#include <QSignalSpy>

#include <limits>

namespace headlight::seed_box_test {

class SeedBoxTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void holds_every_seed() {
        SeedBox box;
        const QSignalSpy changed(&box, &SeedBox::valueChanged);
        for (const quint64 seed : {quint64(1), quint64(2147483648), quint64(9007199254740993),
                                   std::numeric_limits<quint64>::max(), quint64(0)}) {
            box.setValue(seed);
            QCOMPARE(box.value(), seed);
            QCOMPARE(box.text(), QString::number(seed));
        }
        QCOMPARE(changed.count(), 5);
        box.setValue(0);
        QCOMPARE(changed.count(), 5);
    }

    void takes_what_is_typed() {
        SeedBox box;
        box.selectAll();
        QTest::keyClicks(&box, QStringLiteral("18446744073709551615"));
        QCOMPARE(box.value(), std::numeric_limits<quint64>::max());
        QTest::keyClicks(&box, QStringLiteral("0a-"));  // a digit too many, and none
        QCOMPARE(box.text(), QStringLiteral("18446744073709551615"));
        QTest::keyClick(&box, Qt::Key_Up);
        QCOMPARE(box.value(), std::numeric_limits<quint64>::max());
        QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.text(), QStringLiteral("18446744073709551614"));
        box.setValue(1);
        QTest::keyClick(&box, Qt::Key_Down);
        QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.value(), quint64(0));
    }

    void an_empty_field_goes_back_to_its_seed() {
        SeedBox box;
        box.setValue(7);
        box.selectAll();
        QTest::keyClick(&box, Qt::Key_Delete);
        QCOMPARE(box.value(), quint64(7));
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(box.text(), QStringLiteral("7"));
    }

    void shows_the_seeds_of_a_session_whole() {
        constexpr quint64 seed = 9223372036854775813u, vector_seed = 4294967303u;
        WindowUnderTest test;
        Session next = test.session();
        next.seed = seed;
        next.sequence.vectors.seed = vector_seed;
        test.document().edit({"seeds", next});
        QCOMPARE(test.find<SeedBox>("parameter_seed")->text(), QString::number(seed));
        QCOMPARE(test.find<SeedBox>("vector_seed")->text(), QString::number(vector_seed));
        QCOMPARE(test.session().seed, std::uint64_t(seed));
    }
};

QTEST_MAIN(SeedBoxTest)

}  // namespace headlight::seed_box_test

#include "seed_box_test.moc"
