// What the style paints of each kind of control is seen in every theme, and what has the keys, in pixels
// (WCAG 2, 1.4.11 and 2.4.7).

#include "core/figure/theme_table.h"
#include "tests/ui/contrast.h"
#include "tests/ui/patience.h"
#include "tests/ui/window_support.h"
#include "ui/panels/theme.h"
#include "ui/views/role.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGroupBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>

#include <algorithm>
#include <functional>
#include <memory>

namespace headlight::focus_contrast_test {

namespace {

constexpr double of_shapes = 3;  // the least contrast by WCAG 2

using Make = std::function<QWidget*(QWidget* parent)>;

template <class Widget>
QWidget* made(QWidget* parent) {
    return new Widget(parent);
}

QWidget* made_combo(QWidget* parent, bool editable) {
    auto* combo = new QComboBox(parent);
    combo->addItems({QStringLiteral("Scaled dot product"), QStringLiteral("Additive")});
    combo->setEditable(editable);
    return combo;
}

template <class Button>
QWidget* made_button(QWidget* parent) {
    auto* button = new Button(parent);
    button->setText(QStringLiteral("Causal"));
    return button;
}

QWidget* made_slider(QWidget* parent, Qt::Orientation orientation, bool has_ticks = false) {
    auto* slider = new QSlider(orientation, parent);
    slider->setRange(0, 10);
    slider->setValue(4);
    slider->setTickPosition(has_ticks ? QSlider::TicksBelow : QSlider::NoTicks);
    return slider;
}

QWidget* made_tabs(QWidget* parent) {
    auto* tabs = new QTabBar(parent);
    tabs->addTab(QStringLiteral("Stages"));
    tabs->addTab(QStringLiteral("Heatmap"));
    return tabs;
}

QWidget* made_list(QWidget* parent, bool has_frame) {
    auto* list = new QListWidget(parent);
    list->addItems({QStringLiteral("the"), QStringLiteral("cat")});
    list->setCurrentRow(0);
    if (!has_frame)
        list->setFrameShape(QFrame::NoFrame);
    return list;
}

QWidget* made_text(QWidget* parent, bool has_frame) {
    auto* text = new QTextBrowser(parent);
    text->setPlainText(QStringLiteral("Attention is a weighted sum."));
    if (!has_frame)
        text->setFrameShape(QFrame::NoFrame);
    return text;
}

QWidget* made_group(QWidget* parent) {
    auto* group = new QGroupBox(QStringLiteral("Mask"), parent);
    group->setCheckable(true);
    return group;
}

struct Kind {
    const char* name;
    Make make;
    bool has_shape = true;  ///< not words alone, or a ground that is the window's
};

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all{
        {"push button", made_button<QPushButton>},
        {"tool button", made_button<QToolButton>},
        {"check box", made_button<QCheckBox>},
        {"radio button", made_button<QRadioButton>},
        {"drop-down list", [](QWidget* parent) { return made_combo(parent, false); }},
        {"drop-down list to write in", [](QWidget* parent) { return made_combo(parent, true); }},
        {"line of text", made<QLineEdit>},
        {"whole number", made<QSpinBox>},
        {"number", made<QDoubleSpinBox>},
        {"slider", [](QWidget* parent) { return made_slider(parent, Qt::Horizontal); }},
        {"slider with ticks", [](QWidget* parent) { return made_slider(parent, Qt::Horizontal, true); }},
        {"upright slider", [](QWidget* parent) { return made_slider(parent, Qt::Vertical); }},
        {"tabs", made_tabs},
        {"list", [](QWidget* parent) { return made_list(parent, true); }},
        {"list without a frame", [](QWidget* parent) { return made_list(parent, false); }},
        {"tree", made<QTreeWidget>},
        {"text", [](QWidget* parent) { return made_text(parent, true); }},
        {"text without a frame", [](QWidget* parent) { return made_text(parent, false); }},
        {"text to write in", made<QPlainTextEdit>},
        {"group that is turned on", made_group},
    };
    return all;
}

void add_kinds() {
    QTest::addColumn<FigureTheme>("theme");
    QTest::addColumn<int>("kind");
    for (const FigureTheme theme : window_themes())
        for (std::size_t kind = 0; kind < kinds().size(); ++kind)
            QTest::addRow("%s, theme %d", kinds()[kind].name, int(theme)) << theme << int(kind);
}

void add_themes() {
    QTest::addColumn<FigureTheme>("theme");
    for (const FigureTheme theme : window_themes())
        QTest::addRow("theme %d", int(theme)) << theme;
}

/// A widget, and another one that has the keys before it.
struct Stand {
    QWidget window;
    QPushButton* before = new QPushButton(QStringLiteral("Before"), &window);
    std::unique_ptr<QWidget> widget;

    explicit Stand(const Make& make) : widget(make(&window)) {
        window.resize(320, 240);
        before->setGeometry(200, 200, 100, 30);
        widget->adjustSize();
        widget->move(20, 20);
        window.show();
        window.activateWindow();
    }
    QImage seen() { return window.grab(widget->geometry()).toImage().convertToFormat(QImage::Format_RGB32); }
    QColor ground() const { return window.palette().color(QPalette::Window); }
};

/// Pixels of the one picture that have 3:1 and more beside the same ones of the other.
int pixels_that_differ(const QImage& one, const QImage& other) {
    int seen = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x)
            seen += contrast(one.pixelColor(x, y), other.pixelColor(x, y)) >= of_shapes;
    return seen;
}

int pixels_beside(const QImage& image, const QColor& ground, const QRect& in) {
    int seen = 0;
    for (int y = in.top(); y <= in.bottom(); ++y)
        for (int x = in.left(); x <= in.right(); ++x)
            seen += contrast(image.pixelColor(x, y), ground) >= of_shapes;
    return seen;
}

}  // namespace

class FocusContrastTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }
    void cleanup() { apply_theme(FigureTheme::light); }

    /// A line along two of its sides at least, not the blinking of a cursor.
    void what_was_given_the_keys_by_keys_is_seen_data() { add_kinds(); }
    void what_was_given_the_keys_by_keys_is_seen() {
        QFETCH(FigureTheme, theme);
        QFETCH(int, kind);
        apply_theme(theme);
        Stand stand(kinds()[static_cast<std::size_t>(kind)].make);
        QVERIFY(QTest::qWaitForWindowActive(&stand.window, patience));
        stand.before->setFocus(Qt::ShortcutFocusReason);
        QVERIFY(stand.before->hasFocus());
        const QImage before = stand.seen();
        stand.widget->setFocus(Qt::ShortcutFocusReason);
        QVERIFY(stand.widget->hasFocus());
        const int seen = pixels_that_differ(before, stand.seen());
        QVERIFY2(seen >= 40, qPrintable(QString::number(seen)));
        stand.before->setFocus(Qt::ShortcutFocusReason);
        QCOMPARE(pixels_that_differ(before, stand.seen()), 0);
    }

    /// In high contrast every kind has an edge or a mark, also where it is empty.
    void an_empty_control_is_seen_in_high_contrast() {
        apply_theme(FigureTheme::contrast);
        for (const Make& make :
             {Make(made<QPushButton>), Make(made<QLineEdit>), Make(made<QComboBox>), Make(made<QSpinBox>),
              Make(made<QListWidget>), Make(made<QPlainTextEdit>), Make(made<QCheckBox>)}) {
            Stand stand(make);
            const QImage image = stand.seen();
            const int left = pixels_beside(image, stand.ground(), {0, 0, 6, image.height()});
            QVERIFY2(left >= image.height() / 2, stand.widget->metaObject()->className());
        }
    }

    /// Along the whole of its upper side beside the window, and where one types beside its own ground.
    void the_edge_of_a_field_is_seen_data() { add_themes(); }
    void the_edge_of_a_field_is_seen() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        struct Field {
            Make make;
            bool is_typed_in = true;
        };
        for (const Field& field :
             {Field{made<QLineEdit>}, Field{made<QSpinBox>}, Field{made<QDoubleSpinBox>},
              Field{made<QPlainTextEdit>}, Field{[](QWidget* parent) { return made_combo(parent, true); }},
              Field{[](QWidget* parent) { return made_combo(parent, false); }, false}}) {
            Stand stand(field.make);
            const QImage image = stand.seen();
            const char* name = stand.widget->metaObject()->className();
            for (int x = 6; x < image.width() - 6; ++x) {
                int y = 0;
                while (y < 3 && contrast(image.pixelColor(x, y), stand.ground()) < of_shapes)
                    ++y;
                QVERIFY2(y < 3, name);
                if (field.is_typed_in && x < image.width() / 2)
                    QVERIFY2(contrast(image.pixelColor(x, y), image.pixelColor(x, y + 3)) >= of_shapes, name);
            }
        }
    }

    /// What cannot be used steps back, and what is only read is no field.
    void what_cannot_be_typed_in_has_no_edge_of_a_field() {
        apply_theme(FigureTheme::light);
        const auto has_edge = [](const Make& make) {
            Stand stand(make);
            const QImage image = stand.seen();
            return pixels_beside(image, stand.ground(), {6, 0, image.width() / 2, 3}) >= image.width() / 4;
        };
        QVERIFY(has_edge(made<QLineEdit>));
        QVERIFY(!has_edge([](QWidget* parent) {
            QWidget* line = made<QLineEdit>(parent);
            line->setEnabled(false);
            return line;
        }));
        QVERIFY(!has_edge(made<QTextBrowser>));
    }

    void boxes_and_arrows_are_seen_data() { add_themes(); }
    void boxes_and_arrows_are_seen() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        {
            Stand box(made<QCheckBox>);
            const QImage off = box.seen();
            QVERIFY(pixels_beside(off, box.ground(), off.rect()) >= 30);  // its frame
            static_cast<QCheckBox&>(*box.widget).setChecked(true);
            QVERIFY(pixels_that_differ(off, box.seen()) >= 8);  // its mark
        }
        {
            Stand combo([](QWidget* parent) { return made_combo(parent, false); });
            const QImage image = combo.seen();
            const QRect arrow(image.width() - 16, image.height() / 2 - 5, 12, 10);
            QVERIFY(pixels_beside(image, combo.widget->palette().color(QPalette::Button), arrow) >= 5);
        }
    }

    void a_slider_is_seen_on_its_whole_length_data() { add_themes(); }
    void a_slider_is_seen_on_its_whole_length() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
            Stand stand([&](QWidget* parent) { return made_slider(parent, orientation); });
            const bool lies = orientation == Qt::Horizontal;
            stand.widget->resize(lies ? QSize(200, 24) : QSize(24, 200));
            const QImage image = stand.seen();
            for (int along = 12; along < 188; ++along) {
                const QRect across =
                    lies ? QRect(along, 0, 1, image.height()) : QRect(0, along, image.width(), 1);
                QVERIFY2(pixels_beside(image, stand.ground(), across) >= 2,
                         qPrintable(QStringLiteral("%1 along").arg(along)));
            }
            // Its handle stands out from the groove.
            auto& slider = static_cast<QSlider&>(*stand.widget);
            slider.setValue(slider.minimum());
            const QImage at_start = stand.seen();
            slider.setValue(slider.maximum());
            QVERIFY(pixels_that_differ(at_start, stand.seen()) >= 20);
        }
    }

    void a_slider_is_filled_up_to_its_value() {
        const QColor fill = window_theme(FigureTheme::light).thumb;
        for (const bool is_right_to_left : {false, true}) {
            Stand stand([&](QWidget* parent) { return made_slider(parent, Qt::Horizontal); });
            stand.widget->setLayoutDirection(is_right_to_left ? Qt::RightToLeft : Qt::LeftToRight);
            stand.widget->resize(200, 24);
            static_cast<QSlider&>(*stand.widget).setValue(2);
            const QImage image = stand.seen();
            const auto is_filled = [&](int x) { return image.pixelColor(x, image.height() / 2) == fill; };
            QCOMPARE(is_filled(is_right_to_left ? 185 : 15), true);
            QCOMPARE(is_filled(is_right_to_left ? 15 : 185), false);
        }
    }

    void what_parts_widgets_can_be_found_data() { add_themes(); }
    void what_parts_widgets_can_be_found() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        for (const Qt::Orientation orientation : {Qt::Horizontal, Qt::Vertical}) {
            QSplitter splitter(orientation);
            splitter.addWidget(new QWidget);
            splitter.addWidget(new QWidget);
            splitter.resize(200, 200);
            splitter.show();
            QWidget& handle = *splitter.handle(1);
            const QImage image = handle.grab().toImage();
            QVERIFY(pixels_beside(image, splitter.palette().color(QPalette::Window), image.rect()) >= 12);
        }
    }

    void tabs_and_thumbs_are_seen_data() { add_themes(); }
    void tabs_and_thumbs_are_seen() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        const Theme look = window_theme(theme);
        for (const QPalette::ColorRole ground : {QPalette::Window, QPalette::Base, QPalette::Button})
            QVERIFY(contrast(look.thumb, look.palette.color(ground)) >= of_shapes);
        Stand stand(made_tabs);
        auto& tabs = static_cast<QTabBar&>(*stand.widget);
        const QImage first = stand.seen();
        tabs.setCurrentIndex(1);
        QVERIFY(pixels_that_differ(first, stand.seen()) >= tabs.tabRect(0).width());
    }

    /// By a frame around it, beside its ground.
    void what_is_on_is_told_from_what_is_off_data() { add_themes(); }
    void what_is_on_is_told_from_what_is_off() {
        QFETCH(FigureTheme, theme);
        apply_theme(theme);
        for (const Role role : {Role::toggle, Role::option, Role::chip}) {
            QToolButton button;
            button.setText(QStringLiteral("Values"));
            button.setCheckable(true);
            give_role(button, role);
            button.ensurePolished();
            button.adjustSize();
            const QImage off = button.grab().toImage();
            button.setChecked(true);
            const QImage on = button.grab().toImage();
            QVERIFY2(pixels_that_differ(off, on) >= button.width(), qPrintable(QString::number(int(role))));
        }
    }

    /// Who clicks sees where.
    void a_click_draws_no_frame() {
        apply_theme(FigureTheme::light);
        Stand stand([](QWidget* parent) { return made_text(parent, false); });
        QVERIFY(QTest::qWaitForWindowActive(&stand.window, patience));
        const auto children = stand.widget->children().size();
        stand.widget->setFocus(Qt::MouseFocusReason);
        QCOMPARE(stand.widget->children().size(), children);
    }

    /// As :focus-visible in CSS. Qt never forgets that keys were used in a window.
    void a_click_takes_the_frame_of_keys_away_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("keeps_it");
        const QStringList kept{QStringLiteral("drop-down list to write in"), QStringLiteral("line of text"),
                               QStringLiteral("whole number"), QStringLiteral("number"),
                               QStringLiteral("text to write in")};
        for (std::size_t kind = 0; kind < kinds().size(); ++kind)
            QTest::newRow(kinds()[kind].name)
                << int(kind) << kept.contains(QLatin1String(kinds()[kind].name));
    }
    void a_click_takes_the_frame_of_keys_away() {
        QFETCH(int, kind);
        QFETCH(bool, keeps_it);
        apply_theme(FigureTheme::light);
        Stand stand(kinds()[static_cast<std::size_t>(kind)].make);
        QVERIFY(QTest::qWaitForWindowActive(&stand.window, patience));
        QWidget &window = stand.window, &widget = *stand.widget, &before = *stand.before;
        const auto is_by_keys = [&] { return window.testAttribute(Qt::WA_KeyboardFocusChange); };
        const auto* area = qobject_cast<const QAbstractScrollArea*>(&widget);
        const auto rings = [&]() -> int {
            const auto children = widget.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
            const auto lies_over = [&](const QWidget* each) {
                return each->isVisible() && each != area->viewport() && each->rect() == area->rect();
            };
            return area ? int(std::ranges::count_if(children, lies_over)) : 0;
        };
        const auto click = [&] {
            QWidget& target = area ? *area->viewport() : widget;
            QMouseEvent press(QEvent::MouseButtonPress, QPointF(5, 5), target.mapToGlobal(QPointF(5, 5)),
                              Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&target, &press);
            if (QWidget* popup = QApplication::activePopupWidget())
                popup->close();
        };
        before.setFocus(Qt::ShortcutFocusReason);
        widget.setFocus(Qt::ShortcutFocusReason);
        QVERIFY(widget.hasFocus() && is_by_keys());
        QCOMPARE(rings(), area ? 1 : 0);
        click();
        QCOMPARE(is_by_keys(), keeps_it);
        QCOMPARE(rings(), area && keeps_it ? 1 : 0);
        // Keys bring it back, a click from elsewhere does not.
        before.setFocus(Qt::ShortcutFocusReason);
        widget.setFocus(Qt::MouseFocusReason);
        QCOMPARE(is_by_keys(), keeps_it);
        QCOMPARE(rings(), area && keeps_it ? 1 : 0);
        before.setFocus(Qt::ShortcutFocusReason);
        widget.setFocus(Qt::ShortcutFocusReason);
        QVERIFY(is_by_keys());
        QCOMPARE(rings(), area ? 1 : 0);
    }

    void the_frame_goes_with_what_it_is_around() {
        apply_theme(FigureTheme::light);
        Stand stand([](QWidget* parent) { return made_text(parent, false); });
        QVERIFY(QTest::qWaitForWindowActive(&stand.window, patience));
        stand.widget->setFocus(Qt::ShortcutFocusReason);
        QTRY_VERIFY(stand.widget->hasFocus());
        stand.widget->resize(250, 150);
        const QColor line = stand.window.palette().color(QPalette::WindowText);
        const QImage image = stand.seen();
        for (const QPoint corner : {QPoint(60, 0), QPoint(60, 149), QPoint(0, 60), QPoint(249, 60)})
            QCOMPARE(image.pixelColor(corner), line);
        stand.widget.reset();
        QVERIFY(!stand.window.findChild<QTextBrowser*>());
    }
};

QTEST_MAIN(FocusContrastTest)

}  // namespace headlight::focus_contrast_test

#include "focus_contrast_test.moc"
