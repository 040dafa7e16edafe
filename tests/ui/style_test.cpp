// What the style and the themes make of single controls, pixel by pixel.

#include "core/figure/theme_table.h"
#include "tests/ui/contrast.h"
#include "tests/ui/text_recorder.h"
#include "tests/ui/window_support.h"
#include "ui/models/candidate_model.h"
#include "ui/panels/theme.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/chart.h"
#include "ui/views/candidate_delegate.h"
#include "ui/views/icon.h"
#include "ui/views/mask_canvas.h"
#include "ui/views/wrapped_label.h"

#include <QComboBox>
#include <QDockWidget>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolBar>

#include <cstdlib>
#include <map>
#include <set>

namespace headlight::style_test {

namespace {

constexpr double of_text = 4.5, of_shapes = 3;  // the least contrast by WCAG 2

/// The largest contrast of any pixel with the one in the corner.
double most_contrast(const QImage& image) {
    double most = 1;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            most = std::max(most, contrast(image.pixelColor(x, y), image.pixelColor(0, 0)));
    return most;
}

void add_themes() {
    QTest::addColumn<FigureTheme>("theme");
    for (const FigureTheme theme : window_themes())
        QTest::newRow(theme_row(theme).word) << theme;
}

}  // namespace

class StyleTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        fail_on_warnings();
        apply_theme(FigureTheme::light);
    }

    void a_link_stands_out_in_every_theme_data() { add_themes(); }
    void a_link_stands_out_in_every_theme() {
        QFETCH(FigureTheme, theme);
        // As it is when another theme is chosen: the text was set before.
        apply_theme(theme == FigureTheme::dark ? FigureTheme::light : FigureTheme::dark);
        WrappedLabel label;
        label.setTextFormat(Qt::RichText);
        label.setTextInteractionFlags(Qt::TextBrowserInteraction);
        label.resize(200, 40);
        label.show_text(QStringLiteral("<a href=\"dot\">Dot-product attention</a>"));
        label.show();
        label.grab();
        apply_theme(theme);
        const double most = most_contrast(label.grab().toImage());
        QVERIFY2(most >= of_text, qPrintable(QString::number(most)));
    }

    void a_link_stands_out_that_came_between_two_themes() {
        WrappedLabel label;
        label.setTextFormat(Qt::RichText);
        label.resize(200, 40);
        label.show();
        const QString link = QStringLiteral("<a href=\"dot\">Dot-product attention</a>");
        label.show_text(link);
        label.grab();
        apply_theme(FigureTheme::dark);
        label.show_text(QStringLiteral("nothing"));
        apply_theme(FigureTheme::light);
        label.show_text(link);
        label.grab();
        apply_theme(FigureTheme::dark);
        const double most = most_contrast(label.grab().toImage());
        QVERIFY2(most >= of_text, qPrintable(QString::number(most)));
    }

    void wrapped_text_is_as_high_as_a_label_makes_it_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<Qt::TextFormat>("format");
        const QString words =
            QStringLiteral("The mask forbids this pair: “cat” is behind “sat” → −∞. ").repeated(5);
        QTest::newRow("a line") << QStringLiteral("Weights, head 1") << Qt::PlainText;
        QTest::newRow("several lines") << words << Qt::PlainText;
        QTest::newRow("lines of its own") << QStringLiteral("a\n\n") + words << Qt::PlainText;
        QTest::newRow("another script") << QStringLiteral("שלום وزن 注意力 ").repeated(9) << Qt::PlainText;
        QTest::newRow("a link") << QStringLiteral("<a href=\"x\">%1</a>").arg(words) << Qt::RichText;
        QTest::newRow("arithmetic") << QStringLiteral(
                                           "<p>q · k</p><table><tr><td><b>0.5</b> × 2<sup>3</sup></td>"
                                           "<td>%1</td></tr></table>")
                                           .arg(words)
                                    << Qt::RichText;
    }
    void wrapped_text_is_as_high_as_a_label_makes_it() {
        QFETCH(QString, text);
        QFETCH(Qt::TextFormat, format);
        for (int width = 120; width < 900; width += 7) {
            WrappedLabel label;
            label.setTextFormat(format);
            if (width % 2 == 0)
                label.setFrameStyle(QFrame::StyledPanel);  // as what says why something cannot be
            label.resize(width, 40);
            label.show_text(text);
            const int fitted = label.height();
            label.setMinimumHeight(0);
            label.setMaximumHeight(QWIDGETSIZE_MAX);
            QCOMPARE(fitted, label.QLabel::heightForWidth(width));
        }
    }

    void a_drop_down_list_shows_where_its_text_is_cut() {
        QComboBox combo;
        combo.addItem(QStringLiteral("English to French, additive attention"));
        QStyleOptionComboBox option;
        option.initFrom(&combo);
        option.currentText = combo.currentText();
        const auto painted = [&](int width) {
            option.rect = QRect(0, 0, width, combo.sizeHint().height());
            TextRecorder recorder(option.rect.size());
            QPainter painter(&recorder);
            combo.style()->drawControl(QStyle::CE_ComboBoxLabel, &option, &painter, &combo);
            painter.end();
            return recorder.texts().empty() ? QString() : recorder.texts().front().text;
        };
        QVERIFY2(painted(120).endsWith(QChar(u'…')), qPrintable(painted(120)));
        QCOMPARE(painted(combo.sizeHint().width()), combo.currentText());
    }

    void the_arrow_of_a_way_in_stands_beside_its_words() {
        WindowUnderTest test;
        test.start_for_the_first_time();
        const QImage image = test.find<QPushButton>("begin_course")->grab().toImage();
        const auto start_of_words = [&](const char* id) {
            const QImage way = test.find<QPushButton>(id)->grab().toImage();
            for (int x = 0; x < way.width(); ++x)
                for (int y = 0; y < way.height(); ++y)
                    if (contrast(way.pixelColor(x, y), way.pixelColor(2, 2)) >= of_text)
                        return x;
            return -1;
        };
        QVERIFY(std::abs(start_of_words("begin_course") - start_of_words("begin_example")) <= 1);
        constexpr int end = 24;  // where the arrow is
        int rows = 0, sum = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = image.width() - end; x < image.width(); ++x)
                if (contrast(image.pixelColor(x, y), image.pixelColor(image.width() - end, 2)) >= of_shapes) {
                    sum += y;
                    ++rows;
                }
        if (rows == 0)
            QFAIL("no arrow");
        QVERIFY2(std::abs(sum / rows - image.height() / 2) <= 2,
                 qPrintable(QStringLiteral("%1 of %2").arg(sum / rows).arg(image.height())));
    }

    void another_theme_and_back_moves_nothing() {
        WindowUnderTest test;
        for (const char* dock : {"mechanism_dock", "parameters_dock", "model_dock"}) {
            test.find<QDockWidget>(dock)->raise();
            QTest::qWait(1);
            const auto look = [&] {
                std::map<QString, QRect> found;
                for (const QWidget* widget : test.window().findChildren<QWidget*>())
                    if (!widget->objectName().isEmpty() && widget->isVisible())
                        found[widget->objectName()] = {widget->mapTo(&test.window(), QPoint()),
                                                       widget->size()};
                return found;
            };
            const auto places = [&] {  // once panels have settled
                auto found = look();
                for (bool settled = false; !settled;) {
                    QTest::qWait(20);
                    const auto now = look();
                    settled = now == found;
                    found = now;
                }
                return found;
            };
            const auto before = places();
            test.trigger("theme_dark");
            const auto in_dark = places();
            test.trigger("theme_light");
            const auto after = places();
            for (const auto& [name, place] : before)
                for (const auto& now : {in_dark, after})
                    if (const auto found = now.find(name); found != now.end())
                        QVERIFY2(
                            found->second == place,
                            qPrintable(QStringLiteral("%1, %2: %3 x %4 at %5, %6; was %7 x %8 at %9, %10")
                                           .arg(QLatin1String(dock), name)
                                           .arg(found->second.width())
                                           .arg(found->second.height())
                                           .arg(found->second.x())
                                           .arg(found->second.y())
                                           .arg(place.width())
                                           .arg(place.height())
                                           .arg(place.x())
                                           .arg(place.y())));
        }
    }

    void the_panel_in_front_is_told_from_the_others_data() { add_themes(); }
    void the_panel_in_front_is_told_from_the_others() {
        QFETCH(FigureTheme, theme);
        WindowUnderTest test;
        Session session = small_session();
        session.view.theme = theme;
        test.document().reset(session);
        test.find<QDockWidget>("mechanism_dock")->raise();
        QTest::qWait(1);
        const QColor accent = window_theme(theme).palette.color(QPalette::Highlight);
        const auto under = [&](QTabBar& tabs, int tab) {
            const QImage image = tabs.grab(tabs.tabRect(tab)).toImage();
            int found = 0;
            for (int x = 0; x < image.width(); ++x)
                found += image.pixelColor(x, image.height() - 1) == accent;
            return found;
        };
        for (auto* tabs : test.window().findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!tabs->isVisible())
                continue;
            for (int tab = 0; tab < tabs->count(); ++tab)
                QVERIFY2((under(*tabs, tab) > tabs->tabRect(tab).width() / 2) ==
                             (tab == tabs->currentIndex()),
                         qPrintable(tabs->tabText(tab)));
        }
    }

    void no_line_begins_where_the_tabs_end() {
        WindowUnderTest test;
        auto& tabs = test.window().views();
        const QImage image = tabs.grab().toImage();
        for (const char* id : {"fold_bar", "view_bar"}) {
            const QWidget* bar = test.find(id);
            const int x = bar->mapTo(&tabs, QPoint(1, 0)).x();
            for (int y = 0; y < tabs.tabBar()->height(); ++y)
                QVERIFY2(image.pixelColor(x, y) == image.pixelColor(x, 0),
                         qPrintable(QStringLiteral("%1: a line %2 px down").arg(QLatin1String(id)).arg(y)));
        }
    }

    void the_mask_is_drawn_without_the_accent_data() { add_themes(); }
    void the_mask_is_drawn_without_the_accent() {
        QFETCH(FigureTheme, theme);
        const QPalette palette = window_theme(theme).palette;
        QVERIFY(allowed_colour(palette) != palette.color(QPalette::Highlight));
        QVERIFY(contrast(allowed_colour(palette), forbidden_colour(palette)) >= of_shapes);
    }

    void the_bar_of_a_candidate_ends_before_its_number_data() {
        QTest::addColumn<double>("probability");
        QTest::newRow("all") << 1.0;
        QTest::newRow("nearly all") << 1 - smallest_percent / 2;
    }
    void the_bar_of_a_candidate_ends_before_its_number() {
        QFETCH(double, probability);
        QStandardItemModel model(1, 1);
        const QModelIndex index = model.index(0, 0);
        model.setData(index, QStringLiteral("chat"));
        model.setData(index, probability, CandidateModel::probability_role);
        model.setData(index, true, CandidateModel::said_role);
        QStyleOptionViewItem option;
        const QWidget list;
        option.initFrom(&list);
        option.rect = QRect(0, 0, 220, 24);
        const CandidateDelegate delegate;
        TextRecorder recorder(option.rect.size());
        QPainter onto_texts(&recorder);
        delegate.paint(&onto_texts, option, index);
        onto_texts.end();
        const double number = recorder.texts().back().baseline.x();
        QImage image(option.rect.size(), QImage::Format_RGB32);
        image.fill(option.palette.color(QPalette::Base));
        QPainter painter(&image);
        delegate.paint(&painter, option, index);
        painter.end();
        int bar = 0;  // where it ends
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, 5) == option.palette.color(QPalette::Highlight))
                bar = x;
        QVERIFY(bar > 0);
        QVERIFY2(number - bar >= 4, qPrintable(QStringLiteral("%1, %2").arg(bar).arg(number)));
    }

    void no_line_of_a_grid_goes_through_words() {
        Chart chart{.title = QStringLiteral("Loss"),
                    .x = linear_axis(QStringLiteral("steps"), 1000),
                    .y = linear_axis(QStringLiteral("loss"), 1),
                    .lines = {},
                    .notice = QStringLiteral("The loss of every batch appears here as the model learns."),
                    .cursor = {}};
        const ChartLook look = chart_look(QApplication::palette(), QApplication::font());
        for (int height = 160; height < 220; height += 4) {
            const QRect area(0, 0, 320, height);
            TextRecorder recorder(area.size());
            QPainter onto_texts(&recorder);
            paint_chart(onto_texts, area, chart, look);
            onto_texts.end();
            QImage image(area.size(), QImage::Format_RGB32);
            QPainter painter(&image);
            paint_chart(painter, area, chart, look);
            painter.end();
            for (const PaintedText& line : recorder.texts())
                if (line.text.size() > 8 && chart.notice.contains(line.text.trimmed()))
                    for (int y = -9; y <= 0; ++y)
                        QVERIFY2(image.pixelColor(line.baseline.toPoint() + QPoint(-2, y)) == look.background,
                                 qPrintable(QStringLiteral("%1 px tall: %2").arg(height).arg(line.text)));
        }
    }

    void a_line_icon_is_drawn_in_its_palette_in_any_size() {
        QPalette palette;
        palette.setColor(QPalette::Active, QPalette::ButtonText, Qt::red);
        palette.setColor(QPalette::Disabled, QPalette::ButtonText, Qt::blue);
        const QIcon icon = line_icon(QStringLiteral("play"), palette);
        for (const int size : {16, 21, 64, 100})
            for (const QIcon::Mode mode : {QIcon::Normal, QIcon::Active, QIcon::Disabled}) {
                const QImage image = icon.pixmap(QSize(size, size), mode).toImage();
                QCOMPARE(image.size(), QSize(size, size));
                const QColor wanted = mode == QIcon::Disabled ? Qt::blue : Qt::red;
                int inked = 0;
                for (int y = 0; y < size; ++y)
                    for (int x = 0; x < size; ++x)
                        if (const QColor ink = image.pixelColor(x, y); ink.alpha() > 128) {
                            QVERIFY(std::abs(ink.red() - wanted.red()) < 4 && ink.green() < 4 &&
                                    std::abs(ink.blue() - wanted.blue()) < 4);
                            ++inked;
                        }
                QVERIFY2(inked > size, qPrintable(QString::number(inked)));
            }
        QVERIFY(line_icon(QStringLiteral("no such icon"), palette).isNull());
    }

    void a_short_page_is_as_tall_as_its_text() {
        WindowUnderTest test;
        test.trigger("help_about");
        auto* page = test.find("help_page");
        QVERIFY(page->isVisible());
        const auto* text = page->findChild<QTextBrowser*>();
        QTest::qWait(1);
        const double needed = text->document()->size().height();
        QVERIFY2(text->height() >= needed && text->height() < needed + 24,
                 qPrintable(QStringLiteral("%1 for %2").arg(text->height()).arg(needed)));
        page->close();
    }

    void the_mode_of_the_player_is_whole() {
        WindowUnderTest test;
        auto* mode = test.find<QComboBox>("player-mode");
        for (const char* mechanism : {"scaled_dot_product", "causal"}) {
            test.document().reset(small_session(mechanism));
            QTest::qWait(1);
            std::set<int> widths;
            for (int row = 0; row < mode->count(); ++row) {
                mode->setCurrentIndex(row);
                QTest::qWait(1);
                const int wanted = mode->fontMetrics().horizontalAdvance(mode->currentText());
                QTRY_VERIFY2(room_for_text(*mode) >= wanted, qPrintable(mode->currentText()));
                widths.insert(mode->width());
            }
            QVERIFY2(widths.size() > 1, "room that the words do not need is the label's");
        }
    }
};

QTEST_MAIN(StyleTest)

}  // namespace headlight::style_test

#include "style_test.moc"
