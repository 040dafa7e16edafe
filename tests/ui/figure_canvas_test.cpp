#include "tests/ui/canvas_stand.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"
#include "ui/views/canvas_accessibility.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <ctime>

namespace headlight::figure_canvas_test {

using canvas_stand::Stand;

namespace {

void turn_wheel(QWidget& widget, QPointF at, int notches) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

}  // namespace

class FigureCanvasTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void a_picture_that_does_not_fit_into_memory_says_so() {
        Stand stand(small_session(), ViewKind::heatmap);
        stand.canvas->set_filter([](const Figure&) -> Figure { throw std::bad_alloc(); });
        QVERIFY(!stand.canvas->grab().isNull());
        QVERIFY(!stand.canvas->figure());
        QVERIFY2(stand.canvas->notice().contains(QLatin1String("memory")),
                 qPrintable(stand.canvas->notice()));
    }

    void every_cell_is_found_again_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::newRow("wide") << 1200 << 500;
        QTest::newRow("tall") << 500 << 900;
        QTest::newRow("small") << 260 << 240;
    }
    void every_cell_is_found_again() {
        QFETCH(int, width);
        QFETCH(int, height);
        const Stand stand(small_session(), ViewKind::heatmap, {width, height});
        for (Index row = 0; row < 4; ++row)
            for (Index column = 0; column < 4; ++column) {
                const auto place = stand.canvas->place_at(stand.canvas->cell_rect(0, row, column).center());
                QVERIFY(place);
                QCOMPARE(*place, (CellPlace{"", "weights", 0, row, column}));
            }
        QVERIFY(stand.canvas->cell_rect(0, 4, 0).isEmpty());
        QVERIFY(!stand.canvas->place_at({-5, -5}));
    }

    void hovering_names_the_cell_and_leaving_forgets_it() {
        Stand stand(small_session(), ViewKind::heatmap);
        HoverState& hover = HoverState::of(stand.document);
        stand.hover(stand.middle(2, 1));
        QVERIFY(hover.place());
        QCOMPARE(*hover.place(), (CellPlace{"", "weights", 0, 2, 1}));
        const QString said = stand.canvas->sentence(*hover.place());
        QVERIFY2(said.startsWith(QStringLiteral("“bank” looks at “river”: weight 0.")), qPrintable(said));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(stand.canvas.get(), &leave);
        QVERIFY(!hover.place());
    }

    void a_menu_closes_when_other_numbers_arrive() {
        Stand stand(small_session(), ViewKind::heatmap);
        bool was_open = false, is_over = false;
        QTimer::singleShot(0, stand.canvas.get(), [&] {
            was_open = QApplication::activePopupWidget();
            Session other = stand.document.session();
            other.sequence.query_text = "other words than before";
            stand.document.edit({"Type", other});
        });
        // Whoever waits for an answer would wait for ever.
        QTimer::singleShot(10'000, stand.canvas.get(), [&] {
            if (QWidget* popup = is_over ? nullptr : QApplication::activePopupWidget()) {
                popup->close();
                QFAIL("the menu stayed open");
            }
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, stand.middle(1, 1),
                                stand.canvas->mapToGlobal(stand.middle(1, 1)));
        QCoreApplication::sendEvent(stand.canvas.get(), &event);
        is_over = true;
        QVERIFY(was_open);
    }

    void clicking_selects_the_cell_and_back_leads_back() {
        Stand stand(small_session(), ViewKind::heatmap);
        QTest::mouseClick(stand.canvas.get(), Qt::LeftButton, {}, stand.middle(3, 2));
        QCOMPARE(stand.selection().query, Index(3));
        QCOMPARE(stand.selection().key, Index(2));
        QCOMPARE(stand.document.history()->count(), 0);
        stand.document.looking().go_back();
        QCOMPARE(stand.selection().query, Index(0));
    }

    void keys_walk_over_the_cells_data() {
        QTest::addColumn<int>("key");
        QTest::addColumn<bool>("control");
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::newRow("left") << int(Qt::Key_Left) << false << 2 << 0;
        QTest::newRow("right") << int(Qt::Key_Right) << false << 2 << 2;
        QTest::newRow("up") << int(Qt::Key_Up) << false << 1 << 1;
        QTest::newRow("down") << int(Qt::Key_Down) << false << 3 << 1;
        QTest::newRow("home") << int(Qt::Key_Home) << false << 2 << 0;
        QTest::newRow("end") << int(Qt::Key_End) << false << 2 << 3;
        QTest::newRow("first cell") << int(Qt::Key_Home) << true << 0 << 0;
        QTest::newRow("last cell") << int(Qt::Key_End) << true << 3 << 3;
        QTest::newRow("page up") << int(Qt::Key_PageUp) << false << 0 << 1;
        QTest::newRow("page down") << int(Qt::Key_PageDown) << false << 3 << 1;
        QTest::newRow("far left") << int(Qt::Key_Left) << true << 2 << 0;
    }
    void keys_walk_over_the_cells() {
        QFETCH(int, key);
        QFETCH(bool, control);
        Session session = small_session();
        session.view.selection.query = 2;
        session.view.selection.key = 1;
        Stand stand(session, ViewKind::heatmap);
        QTest::keyClick(stand.canvas.get(), Qt::Key(key), control ? Qt::ControlModifier : Qt::NoModifier);
        const auto row = static_cast<int>(stand.selection().query),
                   column = static_cast<int>(stand.selection().key);
        QTEST(row, "row");
        QTEST(column, "column");
    }

    void digits_choose_heads() {
        Stand stand(small_session("multi_head"), ViewKind::heatmap);
        const Index heads = stand.document.run()->plan->heads;
        QVERIFY(heads > 1);
        QTest::keyClick(stand.canvas.get(), Qt::Key_2);
        QCOMPARE(stand.selection().head, Index(1));
        QCOMPARE(stand.canvas->figure()->panels[0].head, Index(1));
        QTest::keyClick(stand.canvas.get(), Qt::Key_9);
        QCOMPARE(stand.selection().head, heads >= 9 ? Index(8) : Index(1));
    }

    void clicking_a_head_enlarges_it() {
        Stand stand(small_session("multi_head"), ViewKind::grid);
        stand.canvas->set_click_action(FigureCanvas::ClickAction::enlarge);
        QTest::mouseClick(stand.canvas.get(), Qt::LeftButton, {}, stand.middle(1, 2, 1));
        QCOMPARE(stand.selection().head, Index(1));
        QCOMPARE(stand.selection().key, Index(2));
        QCOMPARE(stand.document.session().view.view, ViewKind::heatmap);
        QCOMPARE(stand.document.history()->count(), 0);
        stand.document.looking().go_back();
        QCOMPARE(stand.document.session().view.view, ViewKind::stages);
        QTest::keyClick(stand.canvas.get(), Qt::Key_Return);
        QCOMPARE(stand.document.session().view.view, ViewKind::heatmap);
    }

    void wheel_zooms_around_the_pointer_and_labels_stay() {
        Session session = small_session();
        session.sequence.query_text = long_text(64);
        Stand stand(session, ViewKind::heatmap);
        const QPoint point = stand.middle(40, 20);
        turn_wheel(*stand.canvas, point, 6);
        QVERIFY(stand.canvas->zoom().rows.count() < 20);
        const auto under = stand.canvas->place_at(point);
        QVERIFY(under && under->is_cell());
        QVERIFY(std::abs(*under->row - 40) <= 1 && std::abs(*under->column - 20) <= 1);
        const Panel& panel = stand.canvas->figure()->panels[0];
        QCOMPARE(panel.row_axis.labels.size(), std::size_t(panel.rows));
        QCOMPARE(panel.row_axis.labels[0], "word" + std::to_string(stand.canvas->zoom().rows.first()));
        QTest::keyClick(stand.canvas.get(), Qt::Key_0);
        QVERIFY(stand.canvas->zoom().is_whole());
    }

    void dragging_pans_without_selecting() {
        Session session = small_session();
        session.sequence.query_text = long_text(64);
        Stand stand(session, ViewKind::heatmap);
        turn_wheel(*stand.canvas, stand.middle(32, 32), 6);
        const Index row = stand.canvas->zoom().rows.first(), column = stand.canvas->zoom().columns.first();
        const QRectF cell = stand.canvas->cell_rect(0, row + 4, column + 4);
        const QPoint from = cell.center().toPoint();
        const QPoint to =
            from + QPoint(static_cast<int>(cell.width() * 2), static_cast<int>(cell.height() * 3));
        QTest::mousePress(stand.canvas.get(), Qt::LeftButton, {}, from);
        QMouseEvent move(QEvent::MouseMove, to, stand.canvas->mapToGlobal(QPointF(to)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(stand.canvas.get(), &move);
        QTest::mouseRelease(stand.canvas.get(), Qt::LeftButton, {}, to);
        QCOMPARE(stand.canvas->zoom().columns.first(), column - 2);
        QCOMPARE(stand.canvas->zoom().rows.first(), row - 3);
        QCOMPARE(stand.selection().query, Index(0));
    }

    void selection_from_elsewhere_is_brought_into_sight() {
        Session session = small_session();
        session.sequence.query_text = long_text(64);
        Stand stand(session, ViewKind::heatmap);
        QTest::keyClick(stand.canvas.get(), Qt::Key_Plus);
        QTest::keyClick(stand.canvas.get(), Qt::Key_Plus);
        QTest::keyClick(stand.canvas.get(), Qt::Key_Plus);
        Selection far = stand.selection();
        far.query = 60;
        far.key = 50;
        stand.document.looking().select(far);
        QVERIFY(stand.canvas->zoom().rows.contains(60));
        QVERIFY(stand.canvas->zoom().columns.contains(50));
        QVERIFY(!stand.canvas->cell_rect(0, 60, 50).isEmpty());
    }

    void small_matrices_do_not_zoom() {
        Stand stand(small_session(), ViewKind::heatmap);
        turn_wheel(*stand.canvas, stand.middle(1, 1), 5);
        QVERIFY(stand.canvas->zoom().is_whole());
    }

    void rows_that_have_not_arrived_keep_their_secret() {
        Session session = small_session("causal");
        session.view.decoding_step = 1;
        Stand stand(session, ViewKind::steps);
        QVERIFY(stand.canvas->place_at(stand.middle(1, 0)));
        QVERIFY(!stand.canvas->place_at(stand.middle(2, 0)));
        QTest::keyClick(stand.canvas.get(), Qt::Key_PageDown);
        QCOMPARE(stand.selection().query, Index(1));
    }

    void says_what_it_shows_to_screen_readers() {
        Session session = small_session();
        session.view.selection.query = 2;
        session.view.selection.key = 1;
        Stand stand(session, ViewKind::heatmap);
        QAccessibleInterface* heard = QAccessible::queryAccessibleInterface(stand.canvas.get());
        QVERIFY(heard);
        QCOMPARE(heard->text(QAccessible::Name), QStringLiteral("Picture"));
        QCOMPARE(heard->text(QAccessible::Description),
                 QString::fromStdString(stand.canvas->figure()->description));
        QVERIFY(heard->text(QAccessible::Value).startsWith(QStringLiteral("“bank” looks at “river”")));
    }

    void fitted_colours_are_those_of_the_cells_on_screen() {
        Session session = small_session();
        session.sequence.query_text = long_text(64);
        session.figure.range = RangeKind::fitted;
        Stand stand(session, ViewKind::heatmap);
        const double of_all = stand.canvas->figure()->panels.front().scale.high;
        const Storage<const double> all = stand.canvas->figure()->panels.front().values;
        QCOMPARE(of_all, *std::ranges::max_element(all));
        QVERIFY(stand.canvas->zoom_by(4, stand.middle(20, 40)));
        const Panel& part = stand.canvas->figure()->panels.front();
        QVERIFY(part.rows < 64);
        QCOMPARE(part.scale.high, *std::ranges::max_element(part.values));
        QCOMPARE(part.scale.low, *std::ranges::min_element(part.values));
        stand.canvas->reset_zoom();
        QCOMPARE(stand.canvas->figure()->panels.front().scale.high, of_all);
    }

    void a_screen_reader_hears_which_cell_is_selected() {
        struct Heard {
            QAccessible::Event type;
            QString name;
            QVariant value;
        };
        static QList<Heard> heard;
        Stand stand(small_session(), ViewKind::heatmap);
        FigureCanvas* canvas = stand.canvas.get();
        heard.clear();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, stand.middle(2, 1));
        tell_instead([](QAccessibleEvent* event) {
            QAccessibleInterface* about = event->accessibleInterface();
            const auto* value = event->type() == QAccessible::ValueChanged
                                    ? static_cast<QAccessibleValueChangeEvent*>(event)
                                    : nullptr;
            heard += {event->type(), about ? about->text(QAccessible::Name) : QString(),
                      value ? value->value() : QVariant()};
        });
        announce_cell(*canvas);
        tell_instead(QAccessible::updateAccessibility);
        QAccessibleInterface* whole = QAccessible::queryAccessibleInterface(canvas);

        // The bridge of Linux asks this interface for the number that it passes on.
        QAccessibleValueInterface* value = whole->valueInterface();
        QVERIFY(value);
        const Trace& trace = *stand.document.run()->trace;
        const double weight = trace.matrix(*trace.find("weights"), 0)[2 * 4 + 1];
        QCOMPARE(value->currentValue().toDouble(), weight);
        QCOMPARE(value->minimumValue().toDouble(), 0.0);
        QCOMPARE(value->maximumValue().toDouble(), 1.0);

        QCOMPARE(whole->childCount(), 2);  // the cell, and the matrix that it is in
        QAccessibleInterface* cell = whole->child(0);
        QCOMPARE(cell->role(), QAccessible::Cell);
        QCOMPARE(cell->parent(), whole);
        QCOMPARE(whole->indexOfChild(cell), 0);
        QVERIFY2(cell->text(QAccessible::Name).startsWith(QStringLiteral("“bank” looks at “river”")),
                 qPrintable(cell->text(QAccessible::Name)));
        QVERIFY(cell->rect().contains(canvas->mapToGlobal(stand.middle(2, 1))));
        QVERIFY(cell->rect().width() < canvas->width() / 2);

        const auto event_of = [](QAccessible::Event type) {
            const auto found = std::ranges::find(heard, type, &Heard::type);
            return found == heard.end() ? Heard{} : *found;
        };
        QCOMPARE(event_of(QAccessible::ValueChanged).value.toDouble(), weight);
        QCOMPARE(event_of(QAccessible::NameChanged).name, cell->text(QAccessible::Name));
        QCOMPARE(event_of(QAccessible::Focus).name, cell->text(QAccessible::Name));
    }

    void a_bold_label_has_the_room_of_a_bold_label() {
        Session session = small_session();
        session.sequence.query_text = "unquestionably mmmmmmmmmmmm of";
        session.view.selection.query = 1;
        Stand stand(session, ViewKind::heatmap);
        const Figure& figure = *stand.canvas->figure();
        const Panel& panel = figure.panels.front();
        QCOMPARE(*panel.selected_row, Index(1));
        const FigureLayout layout = layout_figure(figure, QRectF(stand.canvas->rect()), 1);
        const PanelLayout& place = layout.panels.front();
        const double needed =
            TextMeasure(place.label_size, Face::bold).width(QString::fromStdString(panel.row_axis.labels[1]));
        QVERIFY2(place.row_label_area.width() >= needed - 0.5,
                 qPrintable(QStringLiteral("%1 of %2").arg(place.row_label_area.width()).arg(needed)));
    }

    void tells_why_there_is_no_picture() {
        Document document;
        FigureCanvas canvas(document, ViewKind::heatmap);
        canvas.resize(400, 300);
        Session session = small_session();
        session.sequence.query_text.clear();
        document.reset(session);
        QTRY_VERIFY(document.error().has_value());
        QVERIFY(!canvas.grab().isNull());
    }

    void paints_a_large_matrix_within_a_frame() {
        Session session = small_session();
        session.sequence.query_text = long_text(512);
        Stand stand(session, ViewKind::heatmap);
        stand.canvas->grab();
        constexpr int frames = 5;
        // Processor time, which does not count what else the machine is doing.
        const auto milliseconds = [&](auto frame) {
            const std::clock_t start = std::clock();
            for (int i = 0; i < frames; ++i)
                frame(i);
            return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / frames;
        };
        const double hovering = milliseconds([&](int i) {
            stand.hover(stand.middle(100 + 50 * i, 200));
            stand.canvas->grab();
        });
        const double selecting = milliseconds([&](int i) {
            Selection selection = stand.selection();
            selection.query = 100 + 50 * i;
            stand.document.looking().select(selection);
            stand.canvas->grab();
        });
        qInfo("512 x 512: %.1f ms a frame while hovering, %.1f ms after selecting", hovering, selecting);
    }
};

QTEST_MAIN(FigureCanvasTest)

}  // namespace headlight::figure_canvas_test

#include "figure_canvas_test.moc"
