#include "core/figure/theme_table.h"
#include "tests/ui/contrast.h"
#include "tests/ui/windowed_test.h"
#include "ui/actions/shortcuts.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/panel_area.h"
#include "ui/views/stage_strip.h"
#include "ui/views/wrapped_label.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QActionGroup>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPainter>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStyleOptionButton>
#include <QTabBar>

#include <set>

namespace headlight::window_look_test {

namespace {

/// Whether the widget is a piece of a larger control: the line of a spin box, the arrows of a tab bar.
bool is_part(const QWidget* widget) {
    const QWidget* whole = widget->parentWidget();
    return qobject_cast<const QAbstractSpinBox*>(whole) || qobject_cast<const QComboBox*>(whole) ||
           qobject_cast<const QTabBar*>(whole) || qobject_cast<const QScrollBar*>(widget) ||
           widget->objectName().startsWith(QLatin1String("qt_"));
}

bool is_control(const QWidget* widget) {
    return !is_part(widget) && widget->focusPolicy() != Qt::NoFocus &&
           (qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QAbstractSlider*>(widget) ||
            qobject_cast<const QAbstractSpinBox*>(widget) || qobject_cast<const QComboBox*>(widget) ||
            qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QPlainTextEdit*>(widget));
}

QString name_of(const QWidget* widget) {
    QStringList path;
    for (const QObject* object = widget; object; object = object->parent())
        path.prepend(QLatin1String(object->metaObject()->className()) + QChar(' ') + object->objectName());
    return path.join(QStringLiteral(" > "));
}

/// A row for each theme of the window.
void add_themes() {
    QTest::addColumn<int>("theme");
    for (const FigureTheme theme : window_themes())
        QTest::newRow(theme_row(theme).word) << int(theme);
}

/// The first control or label of the window that does not have the room that it asks for; empty if there is
/// none.
QString what_is_cut_off(const QWidget& window) {
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const auto* label = qobject_cast<const QLabel*>(widget);
        const bool is_line = label && !label->wordWrap() && !label->text().isEmpty();
        if (!widget->isVisible() || (!is_line && !is_control(widget)))
            continue;
        const int wanted = widget->minimumSizeHint().width();
        if (widget->width() < wanted)
            return QStringLiteral("%1 is %2 wide of %3")
                .arg(is_line ? name_of(label) + label->text() : name_of(widget))
                .arg(widget->width())
                .arg(wanted);
        if (!is_line && (widget->x() < 0 || widget->geometry().right() >= widget->parentWidget()->width()))
            return name_of(widget) + QStringLiteral(" is beyond its parent");
    }
    return {};
}

/// The first wrapped text that is not as tall as a label would make it; empty if there is none.
QString ill_fitting_text(const QWidget& window) {
    for (const WrappedLabel* label : window.findChildren<WrappedLabel*>()) {
        if (!label->isVisible())
            continue;
        QLabel fresh(label->text());
        fresh.setWordWrap(true);
        fresh.setTextFormat(label->textFormat());
        fresh.setTextInteractionFlags(label->textInteractionFlags());
        fresh.setFont(label->font());
        const int wanted = fresh.heightForWidth(label->width());
        if (label->height() != wanted)
            return QStringLiteral("%1 is %2 tall, not %3")
                .arg(name_of(label))
                .arg(label->height())
                .arg(wanted);
    }
    return {};
}

}  // namespace

class WindowLookTest : public WindowedTest {
    Q_OBJECT
private slots:
    void every_control_has_a_name_and_says_what_it_does() {
        for (const char* mechanism : {"causal", "multi_head", "additive", "hard"}) {
            test_->document().reset(small_session(mechanism));
            for (const QWidget* widget : test_->window().findChildren<QWidget*>()) {
                if (!is_control(widget))
                    continue;
                QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(name_of(widget)));
                QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(name_of(widget)));
            }
        }
    }

    void every_action_says_what_it_does_and_no_key_is_used_twice() {
        std::set<QString> keys;
        for (const QAction* action : test_->window().findChildren<QAction*>()) {
            if (action->objectName().isEmpty() || action->menu())
                continue;
            for (const QKeySequence& key : action->shortcuts())
                QVERIFY2(keys.insert(key.toString()).second, qPrintable(key.toString() + action->text()));
        }
        QVERIFY(keys.size() > 20);
    }

    void every_key_is_in_the_help() {
        const QString help = shortcuts_html();
        for (const char* key : {"Ctrl+Z", "Ctrl+O", "Ctrl+E", "F11", "Ctrl+M", "Space"})
            QVERIFY2(help.contains(QLatin1String(key)), key);
    }

    void nothing_is_cut_off_data() { add_themes(); }
    void nothing_is_cut_off() {
        QFETCH(int, theme);
        only_lay_out();
        std::size_t number = 0;
        for (const Mechanism* mechanism : mechanisms_in_turn(theme, 3)) {
            Session session = small_session(mechanism->id);
            session.sequence.key_text = "a bank of the river";
            session.view.theme = static_cast<FigureTheme>(theme);
            test_->document().reset(session);
            bring_panels_back();
            // What has room in the smallest of them seldom lacks it in another.
            const bool in_every_size = test::has_turn(number++, 4);
            for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)}) {
                if (size.width() > 1024 && !in_every_size)
                    continue;
                test_->window().resize(size);
                QTest::qWait(1);
                // Also what a job has said in the meantime has been laid out by then.
                QTRY_VERIFY2(what_is_cut_off(test_->window()).isEmpty(),
                             qPrintable(QStringLiteral("%1 at %2 x %3: %4")
                                            .arg(mechanism->id.c_str())
                                            .arg(size.width())
                                            .arg(size.height())
                                            .arg(what_is_cut_off(test_->window()))));
                QTRY_VERIFY2(test_->window().width() <= size.width() &&
                                 test_->window().height() <= size.height(),
                             qPrintable(QStringLiteral("the window wants %1 x %2")
                                            .arg(test_->window().width())
                                            .arg(test_->window().height())));
            }
        }
    }

    void the_buttons_of_the_parameters_are_whole_data() { add_themes(); }
    void the_buttons_of_the_parameters_are_whole() {
        QFETCH(int, theme);
        only_lay_out();
        test_->find<QDockWidget>("parameters_dock")->raise();
        auto* area = test_->find("parameters_dock")->findChild<PanelArea*>();
        for (const Mechanism* mechanism : mechanisms_in_turn(theme, 3)) {
            Session session = small_session(mechanism->id);
            session.sequence.key_text = "a bank of the river";
            session.view.theme = static_cast<FigureTheme>(theme);
            test_->document().reset(session);
            bring_panels_back();
            QTest::qWait(1);
            for (const char* id : {"reseed", "forget_edits", "open_parameters"}) {
                QWidget* button = test_->find(id);
                QTRY_VERIFY(button->isVisible());
                // Below what the window has room for it is scrolled to.
                area->ensureWidgetVisible(button, 0, 0);
                QTRY_VERIFY2(button->visibleRegion().boundingRect() == button->rect(),
                             qPrintable(QStringLiteral("%1 of %2: %3 x %4, of which %5 x %6 can be seen")
                                            .arg(name_of(button), mechanism->id.c_str())
                                            .arg(button->width())
                                            .arg(button->height())
                                            .arg(button->visibleRegion().boundingRect().width())
                                            .arg(button->visibleRegion().boundingRect().height())));
            }
        }
    }

    void no_label_has_a_digit_that_reads_as_its_value() {
        std::set<std::string> known;  // labels of parameters: one that no other mechanism has is looked at
        for (const Mechanism& mechanism : mechanisms()) {
            bool has_new = test::is_long();
            for (const MechanismParameter& parameter : mechanism.parameters)
                has_new |= known.insert(parameter.label).second;
            if (!has_new)
                continue;
            test_->document().reset(small_session(mechanism.id));
            for (const QLabel* label : test_->window().findChildren<QLabel*>())
                if (label->buddy())
                    QVERIFY2(!label->text().contains(QRegularExpression(QStringLiteral("&[0-9]"))),
                             qPrintable(label->text()));
        }
    }

    void an_unchecked_box_can_be_seen_data() { add_themes(); }
    void an_unchecked_box_can_be_seen() {
        QFETCH(int, theme);
        apply_theme(static_cast<FigureTheme>(theme));
        const QCheckBox box;
        QStyleOptionButton option;
        option.initFrom(&box);
        option.state |= QStyle::State_Off;
        option.rect = QRect(4, 4, box.style()->pixelMetric(QStyle::PM_IndicatorWidth),
                            box.style()->pixelMetric(QStyle::PM_IndicatorHeight));
        QImage image(option.rect.size() + QSize(8, 8), QImage::Format_RGB32);
        const QColor window = window_theme(static_cast<FigureTheme>(theme)).palette.color(QPalette::Window);
        image.fill(window);
        QPainter painter(&image);
        box.style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &option, &painter, &box);
        painter.end();
        double most = 1;  // along a line from outside into the box
        for (int x = 0; x < image.width() / 2; ++x)
            most = std::max(most, contrast(image.pixelColor(x, image.height() / 2), window));
        QVERIFY2(most >= 3, qPrintable(QString::number(most)));  // as WCAG 2 asks of what is no text
        apply_theme(FigureTheme::light);
    }

    void wrapped_text_is_as_tall_as_it_needs() {
        for (const QSize size : {QSize(1280, 800), QSize(1024, 700), QSize(1920, 1080)}) {
            test_->window().resize(size);
            QTest::qWait(1);
            QTRY_VERIFY2(ill_fitting_text(test_->window()).isEmpty(),
                         qPrintable(ill_fitting_text(test_->window())));
        }
    }

    void the_stages_stay_in_sight_when_they_change() {
        for (const View& kind : views()) {
            Session session = small_session("dot");
            session.view.view = kind.kind;
            test_->document().reset(session);
            session.mechanism = "multi_head";
            test_->document().edit({"Choose", session});
            QTest::qWait(1);
            for (const StageStrip* strip :
                 test_->window().views().view(kind.kind)->findChildren<StageStrip*>())
                QTRY_VERIFY2(!strip->isVisible() || strip->height() > strip->fontMetrics().height(),
                             kind.title.c_str());
        }
    }

    void text_stands_out_in_every_theme_data() {
        QTest::addColumn<int>("theme");
        QTest::addColumn<double>("least");
        QTest::newRow("light") << int(FigureTheme::light) << 4.5;
        QTest::newRow("dark") << int(FigureTheme::dark) << 4.5;
        QTest::newRow("projector") << int(FigureTheme::projector) << 7.0;
        QTest::newRow("contrast") << int(FigureTheme::contrast) << 7.0;
    }
    void text_stands_out_in_every_theme() {
        QFETCH(int, theme);
        QFETCH(double, least);
        const Theme look = window_theme(static_cast<FigureTheme>(theme));
        using Role = QPalette::ColorRole;
        const std::pair<Role, Role> pairs[] = {
            {Role::WindowText, Role::Window},         {Role::Text, Role::Base},
            {Role::Text, Role::AlternateBase},        {Role::ButtonText, Role::Button},
            {Role::HighlightedText, Role::Highlight}, {Role::PlaceholderText, Role::Base},
            {Role::ToolTipText, Role::ToolTipBase}};
        for (const auto& [front, back] : pairs)
            QVERIFY2(contrast(look.palette.color(front), look.palette.color(back)) >= least,
                     qPrintable(QStringLiteral("%1 on %2").arg(front).arg(back)));
    }

    void a_theme_changes_the_whole_window() {
        const int before = test_->window().fontMetrics().height();
        test_->trigger("theme_projector");
        QVERIFY(test_->find("player-label")->fontMetrics().height() > before);
        test_->trigger("theme_dark");
        QVERIFY(test_->window().palette().color(QPalette::Window).lightness() < 80);
        test_->trigger("theme_light");
        QVERIFY(test_->window().palette().color(QPalette::Window).lightness() > 180);
        QCOMPARE(test_->window().fontMetrics().height(), before);
    }

    void the_projector_and_back_to_the_theme_before_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<bool>("starts_anew");
        for (const char* theme : {"theme_light", "theme_dark"})
            for (const bool starts_anew : {false, true})
                QTest::addRow("%s%s", theme, starts_anew ? ", after a restart" : "")
                    << QString::fromLatin1(theme) << starts_anew;
    }
    void the_projector_and_back_to_the_theme_before() {
        QFETCH(QString, before);
        QFETCH(bool, starts_anew);
        const auto press = [this] {
            QTest::keyClick(&test_->window(), Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
        };
        const auto chosen = [this] {
            for (const QAction* theme : test_->find<QAction>("theme_light")->actionGroup()->actions())
                if (theme->isChecked())
                    return theme->objectName();
            return QString();
        };
        test_->trigger(before.toLatin1().constData());
        press();
        QCOMPARE(chosen(), QStringLiteral("theme_projector"));
        if (starts_anew) {
            test_->close();
            test_->start();
            QCOMPARE(chosen(), QStringLiteral("theme_projector"));
        }
        press();
        QCOMPARE(chosen(), before);
        QVERIFY(test_->session().view.theme != FigureTheme::projector);
        press();
        QCOMPARE(chosen(), QStringLiteral("theme_projector"));
    }

    void the_window_remembers_its_docks() {
        test_->find<QDockWidget>("inspector_dock")->hide();
        test_->close();
        test_->start();
        QVERIFY(!test_->find<QDockWidget>("inspector_dock")->isVisible());
    }

private:
    /// Where everything lies is asked a hundred times: what it looks like is not painted meanwhile.
    void only_lay_out() { test_->window().setUpdatesEnabled(false); }
    /// Those that a class has sent away.
    void bring_panels_back() {
        for (const char* fold : {"fold_left", "fold_right"})
            if (test_->find<QAction>(fold)->isChecked())
                test_->trigger(fold);
    }
};

QTEST_MAIN(WindowLookTest)

}  // namespace headlight::window_look_test

#include "window_look_test.moc"
