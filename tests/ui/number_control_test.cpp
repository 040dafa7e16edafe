#include "tests/ui/window_support.h"
#include "ui/panels/number_control.h"
#include "ui/views/plain_number_box.h"
#include "ui/views/whole_number_box.h"

#include <QDoubleSpinBox>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSlider>
#include <QWheelEvent>

namespace headlight::number_control_test {

class NumberControlTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void a_slider_goes_from_one_end_to_the_other_data() {
        QTest::addColumn<double>("minimum");
        QTest::addColumn<double>("maximum");
        QTest::addColumn<bool>("integer");
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("places of a list") << 1.0 << 8.0 << true << false;
        QTest::newRow("numbers of a latent, 0: automatic") << 0.0 << 4096.0 << true << true;
        QTest::newRow("draws") << 1.0 << 10'000.0 << true << true;
        QTest::newRow("temperature") << 0.01 << 100.0 << false << true;
        QTest::newRow("from 0 on") << 0.0 << 1e6 << false << true;
        QTest::newRow("both signs") << -5.0 << 5.0 << false << false;
    }
    void a_slider_goes_from_one_end_to_the_other() {
        QFETCH(double, minimum);
        QFETCH(double, maximum);
        QFETCH(bool, integer);
        QFETCH(bool, logarithmic);
        NumberControl control(QStringLiteral("number"), QStringLiteral("Number"), QStringLiteral("A number."),
                              {minimum, maximum, integer, logarithmic, {}});
        auto* slider = control.findChild<QSlider*>();
        const auto* field = control.findChild<QDoubleSpinBox*>();
        QSignalSpy edited(&control, &NumberControl::edited);
        slider->setValue(slider->maximum());
        QCOMPARE(field->value(), maximum);
        double before = maximum;
        for (int position = slider->maximum() - 1; position >= 0; --position) {
            slider->setValue(position);
            QVERIFY(field->value() <= before && field->value() >= minimum);
            before = field->value();
        }
        QCOMPARE(field->value(), minimum);
        QCOMPARE(edited.last().first().toDouble(), minimum);
    }

    void a_number_moves_the_slider_to_its_place() {
        NumberControl control(QStringLiteral("number"), QStringLiteral("Number"), QStringLiteral("A number."),
                              {0, 4096, true, true, {}});
        const auto* slider = control.findChild<QSlider*>();
        control.set_value(0);
        QCOMPARE(slider->value(), 0);
        control.set_value(63);  // 64 of 4,097, as logarithms
        QCOMPARE(slider->value(), slider->maximum() / 2);
        control.set_value(4096);
        QCOMPARE(slider->value(), slider->maximum());
    }

    void a_point_and_a_comma_are_read_in_every_locale_data() {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("typed");
        for (const char* locale : {"C", "de_DE", "en_US"})
            for (const char* typed : {"0.25", "0,25"})
                QTest::addRow("%s %s", locale, typed) << locale << typed;
    }
    void a_point_and_a_comma_are_read_in_every_locale() {
        QFETCH(QString, locale);
        QFETCH(QString, typed);
        const QLocale before;
        const auto back = qScopeGuard([&] { QLocale::setDefault(before); });
        QLocale::setDefault(QLocale(locale));
        PlainNumberBox box;
        box.setDecimals(4);
        box.setRange(0, 100);
        box.setValue(0.5);
        QCOMPARE(box.text(), QStringLiteral("0.5"));
        box.selectAll();
        QTest::keyClicks(&box, typed);
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(box.value(), 0.25);
        QCOMPARE(box.text(), QStringLiteral("0.25"));
    }

    void whole_numbers_are_written_alike_in_every_locale_data() {
        QTest::addColumn<QString>("locale");
        for (const char* locale : {"C", "de_DE", "en_US", "ar_EG"})
            QTest::addRow("%s", locale) << locale;
    }
    void whole_numbers_are_written_alike_in_every_locale() {
        QFETCH(QString, locale);
        const QLocale before;
        const auto back = qScopeGuard([&] { QLocale::setDefault(before); });
        QLocale::setDefault(QLocale(locale));
        WholeNumberBox box;
        box.setRange(0, 10'000);
        box.setGroupSeparatorShown(true);
        box.setValue(1000);
        QCOMPARE(box.text(), QStringLiteral("1,000"));
    }

    void the_wheel_turns_only_a_field_that_was_clicked() {
        QWidget window;
        auto* before = new QLineEdit(&window);
        auto* control = new NumberControl(QStringLiteral("number"), QStringLiteral("Number"),
                                          QStringLiteral("A number."), {0, 100, true, false, {}}, &window);
        control->setGeometry(0, 40, 300, 40);
        control->set_value(50);
        auto* field = control->findChild<QDoubleSpinBox*>();
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window, patience));
        const auto turn = [&] {
            const QPointF middle = field->rect().center();
            QWheelEvent wheel(middle, field->mapToGlobal(middle), {}, QPoint(0, 120), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(field, &wheel);
        };
        turn();
        QCOMPARE(field->value(), 50.0);
        before->setFocus();
        field->setFocus(Qt::TabFocusReason);
        QVERIFY(field->hasFocus());
        turn();
        QCOMPARE(field->value(), 50.0);
        QTest::mouseClick(field->findChild<QLineEdit*>(), Qt::LeftButton);
        turn();
        QCOMPARE(field->value(), 51.0);
        before->setFocus();
        field->setFocus(Qt::TabFocusReason);
        turn();
        QCOMPARE(field->value(), 51.0);
    }
};

QTEST_MAIN(NumberControlTest)

}  // namespace headlight::number_control_test

#include "number_control_test.moc"
