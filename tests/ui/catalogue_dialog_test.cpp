// The pictures of the catalogue in the window: chosen from, walked through, zoomed, heard and exported.

#include "core/io/files.h"
#include "tests/ui/screen_reader.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/export_dialog.h"
#include "ui/render/figure_style.h"
#include "ui/views/catalogue_view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headlight::catalogue_dialog_test {

class CatalogueDialogTest : public WindowedTest {
    Q_OBJECT
private slots:
    void the_keys_of_the_menu_open_it_data() { every_picture(); }
    void the_keys_of_the_menu_open_it() {
        CatalogueView* view = open();
        QVERIFY(!test_->find<QAction>(qPrintable(action()))->shortcuts().isEmpty());
        QVERIFY(view->hasFocus());
        // It begins at what attends, in sight.
        QCOMPARE(shown_id(view), QString::fromStdString(test_->session().mechanism));
        QVERIFY(is_in_sight(view, view->current_name()));
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!view->isVisible());
    }

    void a_click_on_a_name_chooses_it_data() { every_picture(); }
    void a_click_on_a_name_chooses_it() {
        CatalogueView* view = open();
        for (const char* id : {"additive", "performer", "scaled_dot_product"}) {
            const auto name = name_with_id(view->picture(), id);
            QVERIFY2(name, id);
            view->show_mechanism(id);
            QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                              view->name_rect(*name).center().toPoint());
            QCOMPARE(test_->session().mechanism, std::string(id));
        }
        QVERIFY2(view->isVisible(), "one may go on looking");
        test_->trigger("edit_undo");
        QCOMPARE(test_->session().mechanism, std::string("performer"));
        QCOMPARE(shown_id(view), QStringLiteral("performer"));
        test_->trigger("next_mechanism");
        QCOMPARE(shown_id(view), QString::fromStdString(test_->session().mechanism));
    }

    void the_keys_lead_through_it_and_choose_data() { every_picture(); }
    void the_keys_lead_through_it_and_choose() {
        CatalogueView* view = open();
        const std::string before = test_->session().mechanism;
        for (const auto& [key, step] :
             {std::pair(Qt::Key_Home, NameStep::first), std::pair(Qt::Key_Right, NameStep::right),
              std::pair(Qt::Key_Down, NameStep::down), std::pair(Qt::Key_Left, NameStep::left),
              std::pair(Qt::Key_Up, NameStep::up), std::pair(Qt::Key_End, NameStep::last)}) {
            const Index expected = stepped(view->picture(), view->current_name(), step);
            QTest::keyClick(view, key);
            QCOMPARE(view->current_name(), expected);
            QVERIFY(is_in_sight(view, expected));
        }
        QCOMPARE(test_->session().mechanism, before);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(QString::fromStdString(test_->session().mechanism), shown_id(view));
        // A heading is no mechanism.
        if (view->picture().tree) {
            const std::string chosen = test_->session().mechanism;
            QTest::keyClick(view, Qt::Key_Home);
            QTest::keyClick(view, Qt::Key_Return);
            QCOMPARE(test_->session().mechanism, chosen);
        }
    }

    void it_is_zoomed_and_dragged_data() { every_picture(); }
    void it_is_zoomed_and_dragged() {
        CatalogueView* view = open();
        const auto overflow = [view] {
            return view->horizontalScrollBar()->maximum() + view->verticalScrollBar()->maximum();
        };
        QVERIFY2(overflow() > 0, "names can be read");
        QTest::keyClick(view, Qt::Key_Plus);
        QCOMPARE(view->zoom(), 1.5);
        QVERIFY(is_in_sight(view, view->current_name()));
        QTest::keyClick(view, Qt::Key_Minus);
        QCOMPARE(view->zoom(), 1.0);
        // What is under the pointer stays there.
        QTest::keyClick(view, Qt::Key_Home);
        const QPointF point = view->name_rect(0).center();
        QWheelEvent wheel(point, view->viewport()->mapToGlobal(point), {}, QPoint(0, 240), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view->viewport(), &wheel);
        QVERIFY(view->zoom() > 1.5);
        QVERIFY(view->name_rect(0).adjusted(-8, -8, 8, 8).contains(point));
        // A drag moves it and chooses nothing.
        const std::string before = test_->session().mechanism;
        const auto scrolled = [view] {
            return view->horizontalScrollBar()->value() + view->verticalScrollBar()->value();
        };
        const int first = scrolled();
        const QPoint from = view->viewport()->rect().center(), to = from - QPoint(120, 120);
        QTest::mousePress(view->viewport(), Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, view->viewport()->mapToGlobal(QPointF(to)), Qt::NoButton,
                         Qt::LeftButton, {});
        QCoreApplication::sendEvent(view->viewport(), &move);
        QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, to);
        QVERIFY(scrolled() > first);
        QCOMPARE(test_->session().mechanism, before);
        QTest::mouseClick(test_->find("catalogue_show_all"), Qt::LeftButton);
        QCoreApplication::processEvents();
        QVERIFY2(overflow() <= 2, "all of it is there, to the last pixel");
        QTest::mouseClick(test_->find("catalogue_zoom_in"), Qt::LeftButton);
        QVERIFY(overflow() > 0);
    }

    void it_opens_with_what_attends_in_the_middle_data() { every_picture(); }
    void it_opens_with_what_attends_in_the_middle() {
        CatalogueView* view = open("retention");
        QVERIFY(is_in_sight(view, view->current_name()));
        const QScrollBar& bar = *view->verticalScrollBar();
        const double off = std::abs(view->name_rect(view->current_name()).center().y() -
                                    view->viewport()->rect().center().y());
        QVERIFY2(off < 0.25 * view->viewport()->height() || bar.value() == bar.minimum() ||
                     bar.value() == bar.maximum(),
                 "nothing more can be scrolled there");
    }

    void years_and_families_stay_in_sight() {
        test_->document().reset(small_session("multi_head"));
        test_->trigger("help_timeline");
        auto* view = test_->find<CatalogueView>("catalogue_timeline");
        QVERIFY(QTest::qWaitForWindowExposed(view->window(), patience));
        const QSize size = view->viewport()->size();
        const auto shown = [&](int x, int y, const QRect& part) {
            view->horizontalScrollBar()->setValue(x);
            view->verticalScrollBar()->setValue(y);
            return view->viewport()->grab(part).toImage();
        };
        const auto has_ink = [](const QImage& image) {
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixel(x, y) != image.pixel(0, 0))
                        return true;
            return false;
        };
        constexpr int way = 7;
        const int x = view->horizontalScrollBar()->maximum() / 2,
                  y = view->verticalScrollBar()->maximum() / 2;
        const QRect years(size.width() / 2, 2, size.width() / 2 - 8, 16);
        const QImage before = shown(x, y, years);
        QVERIFY(has_ink(before));
        QCOMPARE(shown(x, y + way, years), before);
        QVERIFY2(shown(x + way, y, years) != before, "they move with their names");
        const QRect families(2, size.height() / 4, 24, size.height() / 2);
        QCOMPARE(shown(x + way, y, families), shown(x, y, families));
        // Nothing is chosen through them.
        QVERIFY(!view->name_at(QPointF(size.width() / 2.0, 4)));
        QVERIFY(!view->name_at(QPointF(4, size.height() / 2.0)));
    }

    void families_of_the_tree_stay_in_sight() {
        test_->document().reset(small_session("multi_head"));
        test_->trigger("help_tree");
        auto* view = test_->find<CatalogueView>("catalogue_tree");
        QVERIFY(QTest::qWaitForWindowExposed(view->window(), patience));
        const QRect family(2, 0, 48, 40);
        const auto shown = [&](int x, int y) {
            view->horizontalScrollBar()->setValue(x);
            view->verticalScrollBar()->setValue(y);
            return view->viewport()->grab(family).toImage();
        };
        // Behind the head of the largest one.
        const Tree& tree = *view->picture().tree;
        const auto reach = [&](Index node) {
            Index last = node;
            while (last + 1 < std::ssize(tree.nodes) &&
                   tree.nodes[static_cast<std::size_t>(last + 1)].depth > 1)
                ++last;
            return last - node;
        };
        Index largest = 1;
        for (Index node = 1; node < std::ssize(tree.nodes); ++node)
            if (tree.nodes[static_cast<std::size_t>(node)].depth == 1 && reach(node) > reach(largest))
                largest = node;
        view->horizontalScrollBar()->setValue(0);
        view->verticalScrollBar()->setValue(0);
        constexpr int way = 7;
        const int y = qRound(view->name_rect(largest).bottom()) + way;  // its own place is out of sight
        const int x = view->horizontalScrollBar()->maximum() / 2;
        const QImage before = shown(x, y);
        QImage blank(before.size(), before.format());
        blank.fill(before.pixelColor(before.width() - 1, before.height() - 1));
        QVERIFY(before != blank);
        QCOMPARE(shown(x + way, y), before);
        QCOMPARE(shown(x, y + way), before);
        QVERIFY2(!view->name_at(QPointF(4, view->viewport()->height() / 2.0)), "nothing is chosen there");
    }

    void what_is_looked_for_is_shown_and_the_rest_is_faint_data() { every_picture(); }
    void what_is_looked_for_is_shown_and_the_rest_is_faint() {
        CatalogueView* view = open();
        auto* search = test_->find<QLineEdit>("catalogue_search");
        search->setFocus();
        QTest::keyClicks(search, QStringLiteral("used in Qwen3-Next"));
        QCOMPARE(shown_id(view), QStringLiteral("gated_delta"));
        QVERIFY(is_in_sight(view, view->current_name()));
        QCOMPARE(test_->find<QLabel>("catalogue_found")->text(), QStringLiteral("5 found, Enter: the next"));
        const auto is_faint = [view](const char* id) {
            return view->is_faint(name_with_id(view->picture(), id).value());
        };
        QVERIFY(is_faint("additive") && !is_faint("gated_delta") && !is_faint("gated"));
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(view->isVisible() && search->hasFocus());
        QVERIFY(shown_id(view) != QLatin1String("gated_delta"));
        QVERIFY(!view->is_faint(view->current_name()) && is_in_sight(view, view->current_name()));
        search->setText(QStringLiteral("zzz"));
        QCOMPARE(test_->find<QLabel>("catalogue_found")->text(), QStringLiteral("Nothing is like this"));
        search->clear();
        QVERIFY(!is_faint("additive"));
    }

    void a_click_on_a_button_leaves_the_keys_to_the_picture_data() { every_picture(); }
    void a_click_on_a_button_leaves_the_keys_to_the_picture() {
        CatalogueView* view = open();
        for (const char* id : {"catalogue_show_all", "catalogue_zoom_in", "catalogue_zoom_out"}) {
            QTest::mouseClick(test_->find(id), Qt::LeftButton);
            QVERIFY2(view->hasFocus(), id);
        }
        QTest::mouseClick(test_->find("catalogue_close"), Qt::LeftButton);
        QVERIFY(!view->isVisible());
    }

    void what_is_scrolled_to_is_as_it_is_painted_data() { every_picture(); }
    void what_is_scrolled_to_is_as_it_is_painted() {
        CatalogueView* view = open();
        QTest::keyClick(view, Qt::Key_Home);
        const auto shown = [view] {
            view->setFocus();
            return view->viewport()->grab().toImage();
        };
        shown();
        // A little way is kept, a long one is painted.
        for (const int way : {7, 3 * view->viewport()->height()}) {
            view->verticalScrollBar()->setValue(view->verticalScrollBar()->value() + way);
            const QImage scrolled = shown();
            const QPoint place(view->horizontalScrollBar()->value(), view->verticalScrollBar()->value());
            view->hide();  // forgets it
            view->show();
            view->horizontalScrollBar()->setValue(place.x());
            view->verticalScrollBar()->setValue(place.y());
            const QImage anew = shown();
            QCOMPARE(anew.size(), scrolled.size());
            int different = 0;
            for (int y = 0; y < anew.height(); ++y)
                for (int x = 0; x < anew.width(); ++x) {
                    const QColor a = anew.pixelColor(x, y), b = scrolled.pixelColor(x, y);
                    const int most = std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                                               std::abs(a.blue() - b.blue())});
                    different += most > 8 ? 1 : 0;  // beyond rounding
                }
            QCOMPARE(different, 0);
        }
    }

    void it_has_the_colours_of_the_theme_data() {
        QTest::addColumn<QString>("picture");
        QTest::addColumn<FigureTheme>("theme");
        for (const CataloguePicture& each : catalogue_pictures())
            for (const auto& [name, theme] :
                 {std::pair("light", FigureTheme::light), std::pair("dark", FigureTheme::dark),
                  std::pair("projector", FigureTheme::projector)})
                QTest::addRow("%s, %s", each.word, name) << QString::fromLatin1(each.word) << theme;
    }
    void it_has_the_colours_of_the_theme() {
        QFETCH(FigureTheme, theme);
        CatalogueView* view = open();
        ViewState looked = test_->session().view;
        looked.theme = theme;
        test_->document().looking().look_at(looked);
        QVERIFY(is_in_sight(view, view->current_name()));
        QTest::keyClick(view, Qt::Key_0);
        const QImage shown = view->viewport()->grab().toImage();
        const QRgb ground = figure_style(theme).background.rgb();
        QCOMPARE(shown.pixel(2, 2) | 0xFF000000, ground);
        int drawn = 0;
        for (int y = 0; y < shown.height(); ++y)
            for (int x = 0; x < shown.width(); ++x)
                drawn += (shown.pixel(x, y) | 0xFF000000) == ground ? 0 : 1;
        QVERIFY(drawn > 0);
    }

    void it_has_a_voice_data() { every_picture(); }
    void it_has_a_voice() {
        CatalogueView* view = open();
        QAccessibleInterface* whole = voice_of(view);
        QVERIFY(whole && whole->isValid());
        QVERIFY(!whole->text(QAccessible::Name).isEmpty());
        QVERIFY(whole->text(QAccessible::Description).contains(QLatin1String(" attention")));
        const auto said = [view](Index name) {
            return QString::fromStdString(name_in_words(view->picture(), name));
        };
        QCOMPARE(whole->child(0)->text(QAccessible::Name), said(view->current_name()));
        Index names = 0;
        QAccessibleInterface* last = nullptr;
        for (int list = 1; list < whole->childCount(); ++list) {
            QAccessibleInterface* part = whole->child(list);
            QCOMPARE(part->role(), view->picture().tree ? QAccessible::Tree : QAccessible::List);
            QVERIFY(!part->text(QAccessible::Name).isEmpty());
            QVERIFY(part->childCount() > 0);
            QCOMPARE(part->child(0)->text(QAccessible::Name), said(names));
            names += part->childCount();
            last = part->child(part->childCount() - 1);
        }
        QCOMPARE(names, name_count(view->picture()));
        const ScreenReader reader;
        QTest::keyClick(view, Qt::Key_Home);
        QTest::keyClick(view, Qt::Key_Right);
        QCOMPARE(reader.last(QAccessible::Focus), said(view->current_name()));
        last->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(view->current_name(), names - 1);
        QCOMPARE(QString::fromStdString(test_->session().mechanism), shown_id(view));
    }

    void it_is_exported_as_any_figure_data() { every_picture(); }
    void it_is_exported_as_any_figure() {
        QFETCH(QString, picture);
        open();
        test_->find<QPushButton>("catalogue_export")->click();
        auto* dialog = test_->window().findChild<ExportDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->view_word(), picture);
        QVERIFY2(dialog->path().contains(QLatin1String("/attention-")), qPrintable(dialog->path()));
        const auto* problem = dialog->findChild<QLabel*>(QStringLiteral("export_problem"));
        auto* save = dialog->findChild<QPushButton*>(QStringLiteral("export_save"));
        const auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        QTRY_VERIFY(!preview->pixmap().isNull());
        QVERIFY2(!problem->isVisible(), qPrintable(problem->text()));
        // Lines of Python are written from a run.
        auto* format = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        format->setCurrentIndex(format->findData(QStringLiteral("py")));
        QTRY_VERIFY(problem->isVisible());
        QVERIFY(!save->isEnabled());
        const QString file = test_->file(QStringLiteral("all.svg"));
        type_over(dialog->findChild<QLineEdit*>(QStringLiteral("export_path")), file);
        QTRY_VERIFY(save->isEnabled() && !problem->isVisible());
        save->click();
        QTRY_COMPARE(test_->message("notice"), QStringLiteral("Exported all.svg."));
        QVERIFY(read_file(file.toStdString()).find("Performer") != std::string::npos);
        QTRY_VERIFY(!test_->window().findChild<ExportDialog*>());
        // The next figure of the session is as wide as ever.
        QTRY_VERIFY(test_->document().run());
        test_->trigger("file_export");
        dialog = test_->window().findChild<ExportDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->options().width_mm.value_or(0), 85.0);
        dialog->reject();
    }

private:
    static void every_picture() {
        QTest::addColumn<QString>("picture");
        for (const CataloguePicture& each : catalogue_pictures())
            QTest::newRow(each.word) << QString::fromLatin1(each.word);
    }
    static QString action() {
        QFETCH(QString, picture);
        return QStringLiteral("help_") + picture;
    }
    /// As its entry in the menu does.
    CatalogueView* open(const char* mechanism = "multi_head") {
        test_->document().reset(small_session(mechanism));
        test_->trigger(qPrintable(action()));
        QFETCH(QString, picture);
        auto* view = test_->find<CatalogueView>(qPrintable(QStringLiteral("catalogue_") + picture));
        [&] { QVERIFY(QTest::qWaitForWindowActive(view->window(), patience)); }();
        QApplication::setActiveWindow(view->window());  // a screen without a window manager leaves it behind
        return view;
    }
    static QString shown_id(const CatalogueView* view) {
        return QString::fromStdString(id_of_name(view->picture(), view->current_name()));
    }
    static bool is_in_sight(const CatalogueView* view, Index name) {
        return QRectF(view->viewport()->rect()).contains(view->name_rect(name).center());
    }
};

QTEST_MAIN(CatalogueDialogTest)

}  // namespace headlight::catalogue_dialog_test

#include "catalogue_dialog_test.moc"
