// The tabs of views, and what stands beside them or in a menu where it has no room.

#include "core/figure/view.h"
#include "core/io/view_subject.h"
#include "tests/ui/room_support.h"

#include <QAction>
#include <QIcon>
#include <QMenu>
#include <QSet>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace headlight::window_tabs_test {

class WindowTabsTest : public RoomTest {
    Q_OBJECT
private slots:
    void colours_range_and_values_stand_at_the_end_of_the_tabs() {
        const QTabBar* tabs = test_->find<QTabBar>("view_tabs");
        const auto middle = [this](const QWidget* part) {
            return part->mapTo(&test_->window(), part->rect().center());
        };
        for (const char* id : {"colour_map", "colour_range", "weights_drawn"}) {
            const QWidget* control = test_->find(id);
            QVERIFY2(control->isVisible(), id);
            QCOMPARE(middle(control).x() > middle(tabs).x(), QGuiApplication::isLeftToRight());
            QVERIFY(std::abs(middle(control).y() - middle(tabs).y()) < tabs->height() / 2);
        }
    }

    void the_swatch_of_a_map_is_as_the_theme_shows_it() {
        const auto middle = [&] {
            const QIcon icon = test_->find<QAction>("colour_map_diverging")->icon();
            const QImage image = icon.pixmap(icon.availableSizes().constFirst()).toImage();
            return image.pixelColor(image.rect().center()).lightness();
        };
        QVERIFY(middle() > 200);
        test_->trigger("theme_dark");
        QVERIFY(middle() < 80);
        test_->trigger("theme_light");
        QVERIFY(middle() > 200);
    }

    void a_view_without_a_tab_is_in_a_menu() {
        auto* tabs = test_->find<QTabBar>("view_tabs");
        const auto look = [&] {
            QSet<QString> reached;
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->isTabVisible(tab)) {
                    QVERIFY2(tabs->rect().contains(tabs->tabRect(tab)), qPrintable(tabs->tabText(tab)));
                    reached.insert(tabs->tabText(tab));
                }
            QVERIFY(tabs->isTabVisible(tabs->currentIndex()));
            QVERIFY(test_->find("more_views")->isVisible());
            QStringList offered;
            for (const QAction* action : offered_in_menu()) {
                QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
                offered.append(action->text().remove(u'&'));
            }
            // Main views where their tabs have no room; all others, the current one among them.
            for (const View& each : views()) {
                const QString title = QString::fromStdString(each.title);
                QVERIFY2(reached.contains(title) || offered.contains(title), each.title.c_str());
                QVERIFY2(offered.count(title) == (each.is_main && reached.contains(title) ? 0 : 1),
                         each.title.c_str());
            }
            for (const QToolButton* arrow : tabs->findChildren<QToolButton*>())
                QVERIFY(!arrow->isVisible());
        };
        small_screen();
        look();
        for (const View& each : views()) {
            auto* action =
                test_->find<QAction>(qPrintable(QStringLiteral("view_%1").arg(number_of(each) + 1)));
            if (!action->isEnabled())
                continue;
            action->trigger();
            settle();
            QCOMPARE(tabs->tabText(tabs->currentIndex()), QString::fromStdString(each.title));
            QVERIFY(action->isChecked());
            look();
        }
        for (const char* theme : {"theme_projector", "theme_light"}) {
            test_->trigger(theme);
            settle();
            look();
        }
        test_->window().resize(800, 600);
        settle();
        look();
    }

    /// Stages, Heatmap, Heads, Steps and Map, and where one is.
    void five_tabs_are_always_there_and_a_sixth_while_another_view_is_shown() {
        const auto* tabs = test_->find<QTabBar>("view_tabs");
        const auto shown = [tabs] {
            QStringList titles;
            for (int tab = 0; tab < tabs->count(); ++tab)
                if (tabs->isTabVisible(tab))
                    titles.append(tabs->tabText(tab));
            return titles;
        };
        QStringList main_titles;
        for (const View& each : views())
            if (each.is_main)
                main_titles.append(QString::fromStdString(each.title));
        QCOMPARE(main_titles.size(), 5);
        test_->window().resize(1900, 720);
        settle();
        for (const View& each : views()) {
            if (!missing_for(each.kind, view_subject(test_->session())).empty())
                continue;
            test_->document().looking().look_at(with_view(test_->document(), each.kind));
            settle();
            QStringList wanted = main_titles;
            if (!each.is_main)
                wanted.append(QString::fromStdString(each.title));
            QCOMPARE(shown(), wanted);
            QCOMPARE(tabs->tabText(tabs->currentIndex()), QString::fromStdString(each.title));
            QVERIFY(test_->find("more_views")->isVisible());
        }
        // A click on one of the five takes the sixth away.
        test_->document().looking().look_at(with_view(test_->document(), ViewKind::lines));
        settle();
        QTest::mouseClick(test_->find("view_tabs"), Qt::LeftButton, {}, tabs->tabRect(1).center());
        settle();
        QCOMPARE(test_->session().view.view, ViewKind::heatmap);
        QCOMPARE(shown(), main_titles);
    }

    void views_without_a_tab_stand_in_groups() {
        test_->window().resize(1900, 720);
        settle();
        const QList<QAction*> all = test_->find<QToolButton>("more_views")->menu()->actions();
        QVERIFY(!all.front()->isSeparator() && !all.back()->isSeparator());
        // By the order of their keys: maps, every head at once, tokens and their numbers.
        QCOMPARE(std::ranges::count_if(all, &QAction::isSeparator), std::ptrdiff_t(2));
        for (const View& each : views())
            if (!each.is_main)
                QVERIFY2(all.contains(test_->find<QAction>(
                             qPrintable(QStringLiteral("view_%1").arg(number_of(each) + 1)))),
                         each.title.c_str());
    }

    void what_stands_beside_the_tabs_gives_way_before_any_of_the_five() {
        const auto* tabs = test_->find<QTabBar>("view_tabs");
        const auto main_tabs = [tabs] {
            int shown = 0;
            for (int tab = 0; tab < 5; ++tab)
                shown += tabs->isTabVisible(tab);
            return shown;
        };
        const auto beside = [this] {
            QStringList shown;
            for (const char* id : {"colour_map", "colour_range", "weights_drawn", "values_shown"})
                if (test_->find(id)->isVisible())
                    shown += QLatin1String(id);
            return shown;
        };
        test_->window().resize(1900, 720);
        settle();
        const QStringList all = beside();
        QCOMPARE(all.size(), 4);
        for (const int width : {1400, 1280, 1160, 1024, 900, 1900}) {
            test_->window().resize(width, 768);
            settle();
            const QString where = QString::number(width);
            // The last one goes first, and none before it must.
            QCOMPARE(beside(), all.first(beside().size()));
            QVERIFY2(main_tabs() == 5 || beside().isEmpty(), qPrintable(where));
            QVERIFY2(width < 1024 || main_tabs() == 5, qPrintable(where));
            QVERIFY2(width < 1024 || beside().contains(QStringLiteral("colour_map")), qPrintable(where));
            QVERIFY(test_->find("more_views")->isVisible());
        }
        QCOMPARE(beside(), all);
        // What has no button here has its place in a menu, with its key.
        test_->window().resize(900, 768);
        settle();
        QVERIFY(!test_->find("values_shown")->isVisible());
        const bool before = test_->session().figure.values_in_cells;
        QVERIFY(test_->find<QAction>("values_in_cells")->isVisible());
        test_->trigger("values_in_cells");
        QCOMPARE(test_->session().figure.values_in_cells, !before);
    }

    void a_narrow_window_has_a_tab_that_can_be_read() {
        for (const char* theme : {"theme_light", "theme_projector"}) {
            test_->trigger(theme);
            test_->window().resize(800, 600);
            settle();
            const auto* tabs = test_->find<QTabBar>("view_tabs");
            const QRect tab = tabs->tabRect(tabs->currentIndex());
            QVERIFY2(
                tab.width() >= tabs->fontMetrics().horizontalAdvance(tabs->tabText(tabs->currentIndex())) &&
                    tabs->rect().contains(tab) && tabs->visibleRegion().contains(tab),
                qPrintable(QStringLiteral("%1: %2 of %3").arg(theme).arg(tabs->width()).arg(tab.width())));
            QVERIFY(test_->find("more_views")->isVisible());
        }
    }

private:
    QList<QAction*> offered_in_menu() {
        QList<QAction*> offered = test_->find<QToolButton>("more_views")->menu()->actions();
        offered.removeIf([](const QAction* action) { return action->isSeparator(); });
        return offered;
    }
    static qsizetype number_of(const View& view) { return &view - views().data(); }
};

QTEST_MAIN(WindowTabsTest)

}  // namespace headlight::window_tabs_test

#include "window_tabs_test.moc"
