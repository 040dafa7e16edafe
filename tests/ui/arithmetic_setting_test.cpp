#include "tests/support/test_file.h"

#include "ui/render/arithmetic_setting.h"
#include "ui/render/arithmetic_tree.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace headlight::arithmetic_setting_test {

namespace {

QFont type() {
    QFont font;
    font.setPixelSize(13);
    return font;
}

/// The runs of type on a line, from left to right.
QStringList line_of(const SetLines& set, std::size_t line) {
    std::vector<SetPiece> pieces;
    for (const SetPiece& piece : set.pieces)
        if (piece.stroke.isEmpty() && std::abs(piece.at.y() - set.baselines[line]) < 0.01)
            pieces.push_back(piece);
    std::ranges::stable_sort(pieces, {}, [](const SetPiece& piece) { return piece.at.x(); });
    QStringList texts;
    for (const SetPiece& piece : pieces)
        texts += piece.text;
    return texts;
}

QString text_of(const SetLines& set, std::size_t line) { return line_of(set, line).join(QString()); }

std::ptrdiff_t strokes(const SetLines& set) {
    return std::ranges::count_if(set.pieces, [](const SetPiece& piece) { return !piece.stroke.isEmpty(); });
}

/// A row in one line again, with braces around what is set above or below.
QString written(const ArithmeticRow& row) {
    QString text;
    for (const ArithmeticFactor& factor : row) {
        text += factor.joint;
        for (const ArithmeticAtom& atom : factor.atoms)
            switch (atom.kind) {
            case ArithmeticAtom::Kind::run:
                text += atom.text;
                break;
            case ArithmeticAtom::Kind::brackets:
                text += atom.text.front() + written(atom.inside) + atom.text.back();
                break;
            case ArithmeticAtom::Kind::root:
                text += QStringLiteral("√{%1}").arg(written(atom.inside));
                break;
            case ArithmeticAtom::Kind::power:
                text += QStringLiteral("^{%1}").arg(written(atom.inside));
                break;
            case ArithmeticAtom::Kind::fraction:
                text += QStringLiteral("{%1}/{%2}").arg(written(atom.inside), written(atom.below));
                break;
            }
    }
    return text;
}

}  // namespace

class ArithmeticSettingTest : public QObject {
    Q_OBJECT
private slots:
    void reads_what_stands_over_what_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("read");
        const auto add = [](const char* line, const char* read) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(read);
        };
        add("1 / 2", "{1}/{2}");
        add("q · k / √d = (1 × 2) / √4", "{q · k}/{√{d}} = {(1 × 2)}/{√{4}}");
        add("1 + 2 × 3 / 4 / 5 × 6", "1 + {{2 × 3}/{4}}/{5} × 6");
        add("exponentials / row sum = 0.5 / 2", "exponentials / row sum = {0.5}/{2}");
        add("row sum × 2 / 3 = 4 × 2 / 3", "row sum × 2 / 3 = {4 × 2}/{3}");
        add("exp(−1 − (−2)) + |0.5|", "exp(−1 − (−2)) + |0.5|");
        add("−(2 − 3)² + 2^(−7)", "−(2 − 3)² + 2^{(−7)}");
        add("0.5 × 0.5 + [61 more: 15.25]", "0.5 × 0.5 + [61 more: 15.25]");
        add("“a / b (” / 2", "{“a / b (”}/{2}");
        // What is no arithmetic is words.
        add("0, for the mask forbids every key", "0, for the mask forbids every key");
        add("an open ( bracket / 2", "an open ( bracket / 2");
        add("a closed ) bracket", "a closed ) bracket");
        add("^2", "^2");
        add("√", "√");
        add("", "");
    }
    void reads_what_stands_over_what() {
        QFETCH(QString, line);
        QFETCH(QString, read);
        QCOMPARE(written(arithmetic_row(line)), read);
    }

    void brackets_within_brackets_end() {
        const QString deep = QString(10'000, QLatin1Char('(')) + QString(10'000, QLatin1Char(')'));
        QCOMPARE(written(arithmetic_row(deep)), deep);
    }

    void a_short_line_is_one() {
        const SetLines set = set_arithmetic(QStringLiteral("q · k = 1 × 0.5 + 2 × (−1)"), type(), 1000);
        QCOMPARE(set.baselines.size(), std::size_t(1));
        QCOMPARE(text_of(set, 0), QStringLiteral("= q · k = 1 × 0.5 + 2 × (−1)"));
    }

    void is_broken_between_terms_with_its_equals_signs_under_one_another() {
        const QString line =
            QStringLiteral("q · k = 0.1234 × 0.5 + 0.1234 × (−0.25) + 0.1234 × 0.75 + 0.1234 × 0.125");
        const double width =
            QFontMetricsF(type()).horizontalAdvance(QStringLiteral("= 0.1234 × (−0.25) + 00"));
        const SetLines set = set_arithmetic(line, type(), width);
        QVERIFY(set.size.width() <= width);
        QCOMPARE(text_of(set, 0), QStringLiteral("= q · k"));
        QCOMPARE(text_of(set, 1), QStringLiteral("= 0.1234 × 0.5"));
        QCOMPARE(text_of(set, 2), QStringLiteral("+ 0.1234 × (−0.25)"));
        QCOMPARE(text_of(set, 4), QStringLiteral("+ 0.1234 × 0.125"));
        std::set<double> equals, plus;
        for (const SetPiece& piece : set.pieces) {
            if (piece.text.startsWith(QLatin1Char('=')))
                equals.insert(piece.at.x());
            if (piece.text.startsWith(QLatin1Char('+')))
                plus.insert(piece.at.x());
        }
        QCOMPARE(equals, std::set<double>{0});
        QCOMPARE(plus.size(), std::size_t(1));
        QVERIFY(*plus.begin() > 0);
    }

    void only_what_is_wider_than_a_line_is_broken_within() {
        const QString line = QStringLiteral("max(0.1234, −0.1234, 0.5, 0.75)");
        const double width =
            QFontMetricsF(type()).horizontalAdvance(QStringLiteral("= max(0.1234, −0.1234, "));
        const SetLines set = set_arithmetic(line, type(), width);
        QCOMPARE(set.baselines.size(), std::size_t(2));
        QCOMPARE(text_of(set, 0), QStringLiteral("= max(0.1234, −0.1234,"));
        QCOMPARE(text_of(set, 1), QStringLiteral("0.5, 0.75)"));
        QVERIFY(set.size.width() <= width);
    }

    void fractions_roots_and_indices_are_set() {
        const SetLines quotient = set_arithmetic(QStringLiteral("(1 + 2) / √64"), type(), 1000);
        QCOMPARE(strokes(quotient), 2);
        QCOMPARE(text_of(quotient, 0), QStringLiteral("= "));  // above and below, without the brackets
        const SetLines index = set_arithmetic(QStringLiteral("W_o + 2^(−7)"), type(), 1000);
        QCOMPARE(text_of(index, 0), QStringLiteral("= W + 2"));
        const auto lowered = std::ranges::find(index.pieces, QStringLiteral("o"), &SetPiece::text);
        QVERIFY(lowered != index.pieces.end() && lowered->at.y() > index.baselines[0]);
        const auto raised = std::ranges::find(index.pieces, QStringLiteral("−7"), &SetPiece::text);
        QVERIFY(raised != index.pieces.end() && raised->at.y() < index.baselines[0]);
        // One fraction within another is a quotient in one line, and a wide one in several.
        QCOMPARE(strokes(set_arithmetic(QStringLiteral("exp(1 / 2) / 3 / 4"), type(), 1000)), 1);
        const SetLines narrow = set_arithmetic(QStringLiteral("(0.1234 + 0.1234) / 0.5"), type(), 60);
        QCOMPARE(strokes(narrow), 0);
        QVERIFY(narrow.baselines.size() > 1);
        const SetLines root = set_arithmetic(QStringLiteral("√(0.1234 + 0.1234 + 0.5)"), type(), 90);
        QCOMPARE(strokes(root), 0);
        QVERIFY(root.baselines.size() > 1 && root.size.width() <= 90);
        QVERIFY2(text_of(root, 0).startsWith(QStringLiteral("= √(0.1234")), qPrintable(text_of(root, 0)));
    }

    void words_are_wrapped() {
        const SetLines set = set_words(QStringLiteral("largest score of the row"), type(), 60);
        QVERIFY(set.baselines.size() > 1 && set.size.width() <= 60);
        QVERIFY(set_words(QString(), type(), 60).pieces.empty());
    }

    void is_painted_in_the_colour_of_the_pen() {
        const SetLines set = set_arithmetic(QStringLiteral("1 / √2"), type(), 200);
        QImage image(200, 60, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setPen(Qt::red);
        set.paint(painter, {2, 2});
        painter.end();
        bool is_red = false, is_other = false;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor pixel = image.pixelColor(x, y);
                is_red = is_red || (pixel.red() > 200 && pixel.green() < 90);
                is_other = is_other || pixel.red() < 200;
            }
        QVERIFY(is_red && !is_other);
    }
};

QTEST_MAIN(ArithmeticSettingTest)

}  // namespace headlight::arithmetic_setting_test

#include "arithmetic_setting_test.moc"
