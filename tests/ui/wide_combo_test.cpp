// A list in a narrow column shows what tells its chosen entry from the others.

#include "tests/ui/window_support.h"
#include "ui/panels/wide_combo.h"

#include <QHelpEvent>
#include <QToolTip>

namespace headlight::wide_combo_test {

class WideComboTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void what_tells_an_entry_from_the_others_is_shown_data() {
        QTest::addColumn<QStringList>("entries");
        QTest::addColumn<QString>("begins");
        QTest::addColumn<QString>("ends");
        const QString shared = QStringLiteral("English to French, "), sign(QChar(0x2026));
        QTest::newRow("a title that another begins like")
            << QStringList{shared + "Transformer", shared + "additive attention (Bahdanau)"} << sign + "Trans"
            << "former";
        QTest::newRow("the other of them")
            << QStringList{shared + "additive attention (Bahdanau)", shared + "Transformer"} << sign + "add"
            << "nau)";
        QTest::newRow("two words in common") << QStringList{"Decoder, layer 2, looks at the source",
                                                            "Decoder, layer 2, looks at itself", "Encoder"}
                                             << sign + "look"
                                             << "source";
        QTest::newRow("nothing in common") << QStringList{shared + "Transformer", "Reverse letters"} << "Eng"
                                           << "mer";
        QTest::newRow("alone") << QStringList{shared + "Transformer"} << "Eng"
                               << "mer";
    }
    void what_tells_an_entry_from_the_others_is_shown() {
        QFETCH(QStringList, entries);
        QFETCH(QString, begins);
        QFETCH(QString, ends);
        WideCombo list;
        list.addItems(entries);
        list.resize(list.sizeHint().width() + 8 * list.fontMetrics().averageCharWidth(),
                    list.sizeHint().height());
        const QString shown = list.shown_text();
        QVERIFY2(shown != entries.front() && shown.startsWith(begins) && shown.endsWith(ends),
                 qPrintable(shown));
        QVERIFY(list.fontMetrics().horizontalAdvance(shown) <= room_for_text(list));
        QCOMPARE(list.currentText(), entries.front());  // what a screen reader says
        list.resize(2000, list.height());
        QCOMPARE(list.shown_text(), entries.front());
    }

    void the_tip_has_the_whole() {
        WideCombo list;
        list.addItem(QStringLiteral("English to French, additive attention (Bahdanau)"));
        list.setToolTip(QStringLiteral("What it does"));
        list.show();
        const auto tip = [&list] {
            QHelpEvent event(QEvent::ToolTip, list.rect().center(), list.mapToGlobal(list.rect().center()));
            QCoreApplication::sendEvent(&list, &event);
            return QToolTip::text();
        };
        list.resize(list.sizeHint());
        QCOMPARE(tip(), list.currentText() + QStringLiteral("\nWhat it does"));
        QToolTip::hideText();
        list.resize(2000, list.height());
        QCOMPARE(tip(), QStringLiteral("What it does"));
        QToolTip::hideText();
    }
};

QTEST_MAIN(WideComboTest)

}  // namespace headlight::wide_combo_test

#include "wide_combo_test.moc"
