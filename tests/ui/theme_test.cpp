// What a theme is to the widgets: fonts and colours by their roles, no widget more, no style sheet.

#include "core/figure/theme_table.h"
#include "tests/ui/contrast.h"
#include "tests/ui/window_support.h"
#include "ui/panels/theme.h"
#include "ui/render/figure_style.h"
#include "ui/views/role.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QStyleOptionToolButton>
#include <QToolBar>
#include <QToolButton>

#include <map>

namespace headlight::theme_test {

namespace {

constexpr double of_text = 4.5;  // the least contrast by WCAG 2
constexpr double of_thumbs = 3;  // of shapes, by 1.4.11

void add_themes() {
    QTest::addColumn<FigureTheme>("theme");
    for (const FigureTheme theme : window_themes())
        QTest::newRow(theme_row(theme).word) << theme;
}

void add_roles(std::initializer_list<Role> roles) {
    QTest::addColumn<FigureTheme>("theme");
    QTest::addColumn<Role>("role");
    for (const Role role : roles)
        for (const FigureTheme theme : window_themes())
            QTest::addRow("role %d, theme %d", int(role), int(theme)) << theme << role;
}

/// The colour of the ground, left of the words.
QColor beside_words(QWidget& widget) {
    widget.ensurePolished();
    widget.adjustSize();
    return widget.grab().toImage().pixelColor(3, widget.height() / 2);
}

bool has_colour(QWidget& widget, const QColor& colour) {
    const QImage image = widget.grab().toImage();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y) == colour)
                return true;
    return false;
}

}  // namespace

class ThemeTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        fail_on_warnings();
        apply_theme(FigureTheme::light);
    }

    void a_change_of_theme_makes_no_widgets() {
        WindowUnderTest test;
        const auto before = QApplication::allWidgets().size();
        for (const char* theme : {"theme_dark", "theme_projector", "theme_light"}) {
            test.trigger(theme);
            QTest::qWait(1);
            QCOMPARE(QApplication::allWidgets().size(), before);
        }
    }

    void a_closed_drop_down_list_has_no_widgets() {
        WindowUnderTest test;
        test.trigger("compose_mechanism");  // whose rows are made for it
        test.trigger("theme_dark");
        int lists = 0;
        for (const QComboBox* list : test.window().findChildren<QComboBox*>()) {
            QVERIFY2(list->findChildren<QAbstractItemView*>().isEmpty(), qPrintable(list->objectName()));
            ++lists;
        }
        QVERIFY(lists > 20);
    }

    void no_widget_has_a_style_of_its_own() {
        WindowUnderTest test;
        test.trigger("theme_projector");
        for (const QWidget* widget : test.window().findChildren<QWidget*>()) {
            QVERIFY2(widget->styleSheet().isEmpty(), qPrintable(widget->objectName()));
            QVERIFY2(widget->style() == QApplication::style(), qPrintable(widget->objectName()));
        }
    }

    void the_projector_leaves_every_font_as_it_was() {
        WindowUnderTest test;
        const auto fonts = [&] {
            std::map<const QWidget*, QFont> found;
            for (const QWidget* widget : test.window().findChildren<QWidget*>())
                found[widget] = widget->font();
            return found;
        };
        const auto before = fonts();
        test.trigger("theme_projector");
        QCOMPARE(test.find("player-label")->font().pointSizeF(), 14.0);
        QCOMPARE(test.find("arithmetic")->font().pointSizeF(), 14.0);
        QCOMPARE(test.find("weights")->font().pointSizeF(), 14.0);
        for (const char* of_the_class : {"view_tabs", "notice", "lesson_text"})
            QCOMPARE(test.find(of_the_class)->font().pointSizeF(), 14.0);
        for (const char* beside : {"run_status", "train_status", "colour_range", "more_views"})
            QCOMPARE(test.find(beside)->font().pointSizeF(), 12.0);
        test.trigger("theme_light");
        const auto after = fonts();
        for (const auto& [widget, font] : before)
            if (const auto found = after.find(widget); found != after.end())
                QVERIFY2(found->second == font, qPrintable(widget->objectName()));
    }

    /// WCAG 2: 1.4.6 of text, 1.4.11 of lines.
    void high_contrast_has_7_to_1_for_text_and_3_to_1_for_lines() {
        const Theme look = window_theme(FigureTheme::contrast);
        const QPalette& colours = look.palette;
        for (const QPalette::ColorGroup group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
            const QColor grounds[] = {colours.color(group, QPalette::Window),
                                      colours.color(group, QPalette::Base),
                                      colours.color(group, QPalette::AlternateBase),
                                      colours.color(group, QPalette::Button),
                                      look.problem,
                                      look.notice,
                                      look.faint};
            for (const QColor& ground : grounds)
                for (const QPalette::ColorRole text :
                     {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText,
                      QPalette::Link})
                    QVERIFY2(contrast(colours.color(group, text), ground) >= 7,
                             qPrintable(QStringLiteral("role %1 on %2").arg(text).arg(ground.name())));
            QVERIFY(contrast(colours.color(group, QPalette::HighlightedText),
                             colours.color(group, QPalette::Highlight)) >= 7);
            QVERIFY(contrast(colours.color(group, QPalette::Mid), colours.color(group, QPalette::Window)) >=
                    3);
        }
        QVERIFY(contrast(look.thumb, colours.color(QPalette::Window)) >= 3);
        const FigureStyle& style = figure_style(FigureTheme::contrast);
        for (const QColor& text : {style.text, style.quiet_text, style.accent, style.mark})
            QVERIFY(contrast(text, style.background) >= 7);
        QVERIFY(contrast(style.frame, style.background) >= 3);
        QVERIFY(contrast(style.hatch, style.forbidden) >= 3);
    }

    void what_cannot_be_used_has_a_broken_edge_in_high_contrast() {
        apply_theme(FigureTheme::contrast);
        QPushButton button;
        button.resize(120, 30);
        const auto changes_of_the_edge = [&button] {
            const QImage image = button.grab().toImage();
            int changes = 0;
            for (int x = 11; x < image.width() - 10; ++x)
                changes += image.pixelColor(x, 0) != image.pixelColor(x - 1, 0) ? 1 : 0;
            return changes;
        };
        QCOMPARE(changes_of_the_edge(), 0);
        button.setEnabled(false);
        QVERIFY(changes_of_the_edge() > 4);
        apply_theme(FigureTheme::light);
    }

    void high_contrast_is_chosen_in_the_menu_and_kept() {
        WindowUnderTest test;
        test.trigger("theme_contrast");
        QVERIFY(test.session().view.theme == FigureTheme::contrast);
        QCOMPARE(test.window().palette().color(QPalette::Window), QColor(Qt::black));
        const Session again = parse_session(write_session(test.session()));
        QVERIFY(again.view.theme == FigureTheme::contrast);
        test.trigger("theme_light");
    }

    void what_is_on_has_a_faint_ground_data() { add_roles({Role::toggle, Role::option, Role::chip}); }
    void what_is_on_has_a_faint_ground() {
        QFETCH(FigureTheme, theme);
        QFETCH(Role, role);
        apply_theme(theme);
        QToolButton button;
        button.setText(QStringLiteral("Values"));
        button.setCheckable(true);
        give_role(button, role);
        const Theme look = window_theme(theme);
        QCOMPARE(beside_words(button), look.palette.color(QPalette::Window));
        button.setChecked(true);
        QCOMPARE(beside_words(button), look.faint);
        QVERIFY(!has_colour(button, look.palette.color(QPalette::Highlight)));
    }

    void what_has_the_keys_can_be_seen_data() {
        add_roles({Role::none, Role::toggle, Role::option, Role::chip, Role::chip_part, Role::stage});
    }
    void what_has_the_keys_can_be_seen() {
        QFETCH(FigureTheme, theme);
        QFETCH(Role, role);
        apply_theme(theme);
        QToolButton button;
        give_role(button, role);
        QStyleOptionToolButton option;
        option.initFrom(&button);
        option.text = QStringLiteral("Weights");
        option.subControls = QStyle::SC_ToolButton;
        option.toolButtonStyle = Qt::ToolButtonTextOnly;
        option.rect = QRect(0, 0, 90, 28);
        const QStyle::State with_keys = QStyle::State_HasFocus | QStyle::State_KeyboardFocusChange;
        const auto painted = [&](QStyle::State state) {
            option.state = QStyle::State_Enabled | state;
            QImage image(option.rect.size(), QImage::Format_RGB32);
            image.fill(option.palette.color(QPalette::Window));
            QPainter painter(&image);
            button.style()->drawComplexControl(QStyle::CC_ToolButton, &option, &painter, &button);
            return image;
        };
        for (const QStyle::State state : {QStyle::State_Off, QStyle::State_On}) {
            const QImage before = painted(state), after = painted(state | with_keys);
            int seen = 0;
            for (int y = 0; y < before.height(); ++y)
                for (int x = 0; x < before.width(); ++x)
                    seen += contrast(before.pixelColor(x, y), after.pixelColor(x, y)) >= 3;
            QVERIFY2(seen >= 100, qPrintable(QString::number(seen)));  // a frame, not a line under a word
        }
    }

    void a_tool_bar_has_quiet_buttons_data() { add_themes(); }
    void a_tool_bar_has_quiet_buttons() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        QWidget window;
        auto& bar = *new QToolBar(&window);
        QAction* values = bar.addAction(QStringLiteral("Values"));
        values->setCheckable(true);
        bar.adjustSize();
        const Theme look = window_theme(theme);
        QWidget& button = *bar.widgetForAction(values);
        QCOMPARE(beside_words(button), look.palette.color(QPalette::Window));
        QVERIFY(has_colour(button, look.palette.color(QPalette::PlaceholderText)));
        QCOMPARE(bar.grab().toImage().pixelColor(0, bar.height() - 1), look.palette.color(QPalette::Window));
        values->setChecked(true);
        QCOMPARE(beside_words(button), look.faint);
    }

    void a_stage_in_view_has_the_accent_under_it_data() { add_themes(); }
    void a_stage_in_view_has_the_accent_under_it() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        const QColor accent = window_theme(theme).palette.color(QPalette::Highlight);
        QToolButton button;
        button.setText(QStringLiteral("Weights"));
        button.setCheckable(true);
        give_role(button, Role::stage);
        QVERIFY(!has_colour(button, accent));
        button.setChecked(true);
        QVERIFY(has_colour(button, accent));
        const QImage image = button.grab().toImage();
        for (int x = 0; x < image.width(); ++x)
            QCOMPARE(image.pixelColor(x, image.height() - 1), accent);
    }

    void a_message_lies_on_its_ground_data() {
        add_roles({Role::notice_message, Role::problem_message, Role::problem, Role::badge, Role::overlay,
                   Role::frame_of_chip, Role::frame_of_refused_chip});
    }
    void a_message_lies_on_its_ground() {
        QFETCH(FigureTheme, theme);
        QFETCH(Role, role);
        apply_theme(theme);
        QLabel label(QStringLiteral("words"));
        give_role(label, role);
        const Theme look = window_theme(theme);
        const bool is_notice = role == Role::notice_message || role == Role::badge;
        const QColor ground = role == Role::overlay         ? look.palette.color(QPalette::Base)
                              : role == Role::frame_of_chip ? look.palette.color(QPalette::Window)
                              : is_notice                   ? look.notice
                                                            : look.problem;
        QCOMPARE(beside_words(label), ground);
        QVERIFY(contrast(look.palette.color(QPalette::WindowText), ground) >= of_text);
        const bool has_line = role != Role::problem && role != Role::badge;
        const QImage image = label.grab().toImage();
        QCOMPARE(image.pixelColor(image.width() / 2, 0),
                 has_line ? look.palette.color(QPalette::Mid) : ground);
    }

    void the_handle_of_a_slider_can_be_seen_data() { add_themes(); }
    void the_handle_of_a_slider_can_be_seen() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        const Theme look = window_theme(theme);
        const QColor line = look.palette.color(QPalette::PlaceholderText);
        QVERIFY(contrast(line, look.palette.color(QPalette::Window)) >= 3);
        QSlider slider(Qt::Horizontal);
        slider.resize(200, 24);
        QVERIFY(has_colour(slider, line));
        QVERIFY(has_colour(slider, look.thumb));
    }

    void a_scroll_bar_is_a_thumb_on_nothing_data() { add_themes(); }
    void a_scroll_bar_is_a_thumb_on_nothing() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        const Theme look = window_theme(theme);
        const QColor window = look.palette.color(QPalette::Window);
        QVERIFY(contrast(look.thumb, window) >= of_thumbs);
        for (const Qt::Orientation orientation : {Qt::Vertical, Qt::Horizontal}) {
            QScrollBar bar(orientation);
            bar.setRange(0, 100000);  // a thumb can be taken hold of however much there is
            bar.setPageStep(1);
            const QSize size(10, 200);
            bar.resize(orientation == Qt::Vertical ? size : size.transposed());
            const QImage image = bar.grab().toImage();
            const auto along = [&](int place) {
                return orientation == Qt::Vertical ? image.pixelColor(5, place) : image.pixelColor(place, 5);
            };
            QCOMPARE(along(12), look.thumb);
            QCOMPARE(along(22), look.thumb);
            QCOMPARE(along(40), window);
            QCOMPARE(along(198), window);
            bar.setValue(bar.maximum());
            QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(2, 2));  // no arrow, but a page back
            QCOMPARE(bar.value(), bar.maximum() - bar.pageStep());
        }
    }
};

QTEST_MAIN(ThemeTest)

}  // namespace headlight::theme_test

#include "theme_test.moc"
