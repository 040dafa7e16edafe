// Views of all heads as pictures: the model grid and the scatter.

#include "core/figure/view.h"
#include "tests/ui/context_menu.h"
#include "tests/ui/contrast.h"
#include "tests/ui/windowed_test.h"
#include "ui/models/head_overviews.h"
#include "ui/models/head_table_model.h"
#include "ui/panels/heads_panel.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/figure_style.h"
#include "ui/render/painter.h"
#include "ui/render/typeface.h"
#include "ui/views/elided_label.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/head_brush.h"
#include "ui/views/heads_canvas.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTableView>

namespace headlight::heads_panel_test {

class HeadsPanelTest : public WindowedTest {
    Q_OBJECT
private slots:
    void the_model_grid_shows_every_head_of_a_capture() {
        HeadsCanvas& canvas = show(ViewKind::model_grid);
        const Panel& panel = canvas.figure()->panels.front();
        QCOMPARE(panel.rows, Index(6));
        QCOMPARE(panel.columns, Index(2));
        QVERIFY(!canvas.grab().isNull());
        QCOMPARE(*canvas.selected_mark(), std::size_t(0));
    }

    void a_click_selects_a_head_and_a_double_click_shows_its_map() {
        HeadsCanvas& canvas = show(ViewKind::model_grid);
        const std::size_t mark = 7;
        const HeadMarks::Head head = canvas.figure()->panels.front().marks->heads[mark];
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.mark_rect(mark).center().toPoint());
        QCOMPARE(test_->document().view().selection.site, head.site);
        QCOMPARE(test_->document().view().selection.head, head.head);
        QVERIFY(test_->document().view().view == ViewKind::model_grid);
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, canvas.mark_rect(mark).center().toPoint());
        QVERIFY(test_->document().view().view == ViewKind::heatmap);
        QCOMPARE(test_->document().view().selection.site, head.site);
    }

    void the_menu_of_a_head_copies_its_map_and_pins_it() {
        HeadsCanvas& canvas = show(ViewKind::model_grid);
        const HeadMarks::Head head = canvas.figure()->panels.front().marks->heads[7];
        const QPoint at = canvas.mark_rect(7).center().toPoint();
        const auto choose_entry = [&](const char* id) {
            choose_context_entry(canvas, QLatin1String(id), at);
        };
        QGuiApplication::clipboard()->clear();
        choose_entry("copy_map");
        const Trace& trace = *test_->document().run()->trace;
        const Stage& stage = *trace.find("weights", head.site);
        QTRY_COMPARE(QGuiApplication::clipboard()->text().split(QChar('\n')).size(),
                     qsizetype(stage.extent(Axis::query)) + 1);
        const QString second = QGuiApplication::clipboard()->text().split(QChar('\n'))[2];
        QCOMPARE(second.section(QChar('\t'), 1, 1).toDouble(),
                 trace.matrix(stage, head.head)[static_cast<std::size_t>(stage.extent(Axis::key))]);
        choose_entry("pin_map");
        QCOMPARE(test_->session().figure.pinned, (std::vector<PinnedMap>{{head.site, head.head}}));
        choose_entry("compare_with");
        QTRY_VERIFY(test_->document().view().view == ViewKind::compare);
    }

    void keys_walk_from_head_to_head() {
        HeadsCanvas& canvas = show(ViewKind::model_grid);
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_Down);
        QCOMPARE(*canvas.selected_mark(), std::size_t(2));
        QTest::keyClick(&canvas, Qt::Key_Right);
        QCOMPARE(*canvas.selected_mark(), std::size_t(3));
        QTest::keyClick(&canvas, Qt::Key_Up);
        QCOMPARE(*canvas.selected_mark(), std::size_t(1));
        QTest::keyClick(&canvas, Qt::Key_Left);
        QCOMPARE(*canvas.selected_mark(), std::size_t(0));
        QTest::keyClick(&canvas, Qt::Key_Return);
        QVERIFY(test_->document().view().view == ViewKind::heatmap);
    }

    void heads_are_found_by_their_numbers() {
        show(ViewKind::model_grid);
        auto* find =
            test_->window().views().currentWidget()->findChild<QLineEdit*>(QStringLiteral("heads_find"));
        const HeadBrush& brush = HeadBrush::of(test_->document());
        const auto found = [&](const char* asked) {
            find->setFocus();
            find->selectAll();
            QTest::keyClicks(find, QLatin1String(asked));
            return brush.heads().size();
        };
        QCOMPARE(found("layer 2"), std::size_t(6));  // of the three kinds
        QCOMPARE(found("2"), std::size_t(6));
        QCOMPARE(found("L2H1"), std::size_t(3));
        for (const HeadBrush::Head& head : brush.heads())
            QVERIFY2(head.first.find(".1.") != head.first.npos && head.second == 0, head.first.c_str());
        QVERIFY(test_->find<QLabel>("heads_note")->text().startsWith(QStringLiteral("3 heads picked out")));
        // Esc in the view lets all stand out, and nothing is said to be looked for any more.
        HeadBrush::of(test_->document()).set({});
        QCOMPARE(find->text(), QString());
    }

    void a_statistic_sorts_the_grid_and_says_the_rank() {
        HeadsCanvas& canvas = show(ViewKind::model_grid);
        QTRY_VERIFY(has_statistics());
        choose("heads_order", QStringLiteral("entropy"));
        QTRY_VERIFY(canvas.figure()->panels.front().marks->are_named);
        const HeadMarks::Head first = canvas.figure()->panels.front().marks->heads.front();
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.mark_rect(0).center().toPoint());
        QCOMPARE(test_->document().view().selection.site, first.site);
        const QString note = test_->find<QLabel>("heads_note")->text();
        QVERIFY2(note.contains(QLatin1String("rank 1 of 12")), qPrintable(note));
    }

    void three_ranks_of_a_head_have_room() {
        show(ViewKind::model_grid);
        QTRY_VERIFY(has_statistics());
        Selection selection = test_->document().view().selection;
        selection.site = "decoder.1.cross";  // the longest name
        test_->document().looking().select(selection);
        auto* note = test_->find<ElidedLabel>("heads_note");
        QTRY_VERIFY2(note->text().contains(QLatin1String("first token")), qPrintable(note->text()));
        QTRY_COMPARE(note->shown_text(), note->text());
    }

    void the_number_that_colours_a_head_is_said_first() {
        show(ViewKind::scatter);
        QTRY_VERIFY(has_statistics());
        Selection selection = test_->document().view().selection;
        selection.site = "decoder.1.cross";
        test_->document().looking().select(selection);
        const auto* note = test_->find<ElidedLabel>("heads_note");
        QTRY_VERIFY2(
            note->text().section(QStringLiteral(" · "), 1, 1).startsWith(QLatin1String("first token ")),
            qPrintable(note->text()));
    }

    void layers_are_told_apart_on_a_projector() {
        ViewState view = test_->document().view();
        view.theme = FigureTheme::projector;
        test_->document().looking().look_at(view);
        HeadsCanvas& canvas = show(ViewKind::model_grid);
        QTRY_VERIFY(canvas.figure()->theme == FigureTheme::projector);
        Figure figure = *canvas.figure();
        figure.panels.front().row_axis.labels.back() = "decoder 2 → source";
        const PanelLayout place = layout_figure(figure, QRectF(0, 0, 560, 480), 96.0 / 72).panels.front();
        const TextMeasure text(place.label_size, Face::regular, figure_style(figure).family);
        for (const std::string& label : figure.panels.front().row_axis.labels)
            QVERIFY2(text.width(QString::fromStdString(label)) <= place.row_label_area.width() * 1.001,
                     label.c_str());
    }

    void every_point_stands_out_in_every_theme() {
        for (const FigureTheme theme : {FigureTheme::light, FigureTheme::dark, FigureTheme::projector}) {
            ViewState view = test_->document().view();
            view.theme = theme;
            test_->document().looking().look_at(view);
            HeadsCanvas& canvas = show(ViewKind::scatter);
            QTRY_VERIFY(canvas.figure()->theme == theme);
            const QImage image = canvas.grab().toImage();
            const QColor ground = figure_style(theme).background;
            for (std::size_t mark = 0; mark < canvas.figure()->panels.front().marks->heads.size(); ++mark) {
                const QRect point = canvas.mark_rect(mark).toAlignedRect() & image.rect();
                double most = 1;
                for (int y = point.top(); y <= point.bottom(); ++y)
                    for (int x = point.left(); x <= point.right(); ++x)
                        most = std::max(most, contrast(image.pixelColor(x, y), ground));
                QVERIFY2(
                    most >= 3,
                    qPrintable(
                        QStringLiteral("theme %1, point %2: %3 to 1").arg(int(theme)).arg(mark).arg(most)));
            }
        }
    }

    void each_map_may_have_its_own_scale() {
        HeadsCanvas& canvas = show(ViewKind::model_grid);
        QCOMPARE(canvas.figure()->bar_title, std::string("weights"));
        test_->find<QCheckBox>("heads_own_scale")->click();
        QCOMPARE(canvas.figure()->bar_title, std::string("share of the head's largest"));
        test_->trigger("edit_undo");
        QCOMPARE(canvas.figure()->bar_title, std::string("weights"));
        QVERIFY(!test_->find<QCheckBox>("heads_own_scale")->isChecked());
    }

    void points_are_chosen_by_statistics_and_kept_with_the_session() {
        HeadsCanvas& canvas = show(ViewKind::scatter);
        QTRY_VERIFY(canvas.figure() && !canvas.figure()->panels.front().marks->heads.empty());
        choose("heads_across", QStringLiteral("diagonal"));
        QTRY_COMPARE(canvas.figure()->panels.front().column_axis.title, std::string("diagonal"));
        QCOMPARE(parse_session(write_session(test_->session())).view.heads.across, std::string("diagonal"));
    }

    void points_that_are_drawn_around_are_picked_out_everywhere() {
        HeadsCanvas& canvas = show(ViewKind::scatter);
        QTRY_VERIFY(canvas.figure() && canvas.figure()->panels.front().marks->heads.size() == 12);
        const QPoint corner(2, 2);
        const QRectF first = canvas.mark_rect(0);
        QTest::mousePress(&canvas, Qt::LeftButton, {}, corner);
        for (const QPoint at : {QPoint(20, 20), QPoint(canvas.width() - 2, canvas.height() - 2)}) {
            QMouseEvent move(QEvent::MouseMove, at, canvas.mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(&canvas, &move);
        }
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, QPoint(canvas.width() - 2, canvas.height() - 2));
        HeadBrush& brush = HeadBrush::of(test_->document());
        QCOMPARE(brush.heads().size(), std::size_t(12));
        QVERIFY(!first.isEmpty());
        brush.set({{"encoder.0.self", 0}});
        QVERIFY(brush.steps_back({"encoder.0.self", 1}));
        QVERIFY(test_->find<QLabel>("heads_note")->text().contains(QLatin1String("1 head picked out")));
        show(ViewKind::model_grid);
        QVERIFY(!canvas.grab().isNull());
        HeadsCanvas& grid = *test_->window().views().currentWidget()->findChild<HeadsCanvas*>();
        grid.setFocus();
        QTest::keyClick(&grid, Qt::Key_Escape);
        QVERIFY(brush.heads().empty());
        // In numbers too; and Esc needs no click into the view.
        ViewState numbers = test_->document().view();
        numbers.view = ViewKind::statistics;
        test_->document().looking().look_at(numbers);
        auto* table = test_->find<QTableView>("head_table");
        QTRY_COMPARE(table->model()->rowCount(), 12);
        const auto ink = [&](int row) {
            return table->model()->index(row, HeadTableModel::first_statistic).data(Qt::ForegroundRole);
        };
        QVERIFY(!ink(0).isValid() && !ink(1).isValid());
        brush.set({{"encoder.0.self", 0}});
        QVERIFY(!ink(0).isValid() && ink(1).isValid());
        QVERIFY(test_->find<QLabel>("head_table_note")->text().contains(QLatin1String("1 head picked out")));
        test_->window().setFocus();
        QTest::keyClick(&test_->window(), Qt::Key_Escape);
        QVERIFY(brush.heads().empty());
    }

    void a_drag_ends_with_its_picture() {
        HeadsCanvas& canvas = show(ViewKind::scatter);
        QTRY_VERIFY(canvas.figure() && canvas.figure()->panels.front().marks->heads.size() == 12);
        QTest::mousePress(&canvas, Qt::LeftButton, {}, QPoint(2, 2));
        const QPoint far(canvas.width() - 2, canvas.height() - 2);
        QMouseEvent move(QEvent::MouseMove, far, canvas.mapToGlobal(far), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&canvas, &move);
        Session gone = test_->session();
        gone.capture->file = test_->file(QStringLiteral("gone.npz")).toStdString();
        test_->document().edit({"Open what is gone", gone});
        QTRY_VERIFY(!canvas.figure());
        QTest::mouseRelease(&canvas, Qt::LeftButton, {}, far);
        QVERIFY(HeadBrush::of(test_->document()).heads().empty());
    }

    void a_map_that_is_too_large_to_copy_says_so() {
        constexpr int tokens = 501;
        QFile file(test_->file(QStringLiteral("large.npy")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QByteArray header =
            QByteArrayLiteral("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 501, 501), }");
        header = header.leftJustified(117) + '\n';
        file.write(QByteArrayLiteral("\x93NUMPY\x01") + QByteArray(1, '\0') + char(header.size()) +
                   QByteArray(1, '\0') + header);
        const std::vector<float> row(tokens, 1.0F / tokens);
        for (int i = 0; i < tokens; ++i)
            file.write(reinterpret_cast<const char*>(row.data()), tokens * sizeof(float));
        file.close();
        drop(test_->window(), file.fileName());
        QTRY_VERIFY(test_->session().capture && test_->document().run() && !test_->document().run()->plan);
        HeadsCanvas& canvas = look(ViewKind::model_grid);
        QString words;
        bool is_offered = true;
        const QPoint at = canvas.mark_rect(0).center().toPoint();
        with_context_entry(canvas, QStringLiteral("copy_map"), at, QContextMenuEvent::Mouse,
                           [&](const QAction* entry) {
                               QVERIFY(entry);
                               words = entry->text();
                               is_offered = entry->isEnabled();
                           });
        QVERIFY2(!is_offered, "one that does nothing");
        QVERIFY2(words.contains(QLatin1String("at most 250,000 numbers")), qPrintable(words));
    }

    void the_table_has_what_a_picture_has_asked_for_before() {
        show(ViewKind::model_grid);
        QTRY_VERIFY(has_statistics());
        ViewState there = test_->document().view();
        there.view = ViewKind::statistics;
        test_->document().looking().look_at(there);
        QTRY_COMPARE(test_->find<QTableView>("head_table")->model()->rowCount(), 12);
    }

    void the_table_names_each_head_beside_columns_that_are_scrolled() {
        show(ViewKind::model_grid);
        test_->document().looking().look_at(in_view(test_->document().view(), ViewKind::statistics));
        auto* table = test_->find<QTableView>("head_table");
        QTRY_COMPARE(table->model()->rowCount(), 12);
        table->sortByColumn(HeadTableModel::first_statistic, Qt::DescendingOrder);
        for (int row = 0; row < 12; ++row) {
            const QString head = table->model()->index(row, HeadTableModel::head_column).data().toString();
            const QString name = table->model()->headerData(row, Qt::Vertical).toString();
            QVERIFY2(name.endsWith(QStringLiteral(" · ") + head), qPrintable(name));
        }
        QVERIFY(table->verticalHeader()->isVisible());
        QVERIFY(table->verticalHeader()->width() < table->width() / 4);
    }

    void numbers_of_the_last_run_are_faded_while_a_run_is_refused_data() {
        QTest::addColumn<int>("number");
        for (std::size_t number = 0; number < views().size(); ++number)
            if (views()[number].reads_every_head)
                QTest::newRow(views()[number].title.c_str()) << int(number);
    }
    void numbers_of_the_last_run_are_faded_while_a_run_is_refused() {
        QFETCH(int, number);
        const ViewKind kind = views()[std::size_t(number)].kind;
        test_->document().reset(small_session("multi_head"));
        test_->document().looking().look_at(in_view(test_->document().view(), kind));
        QTRY_VERIFY(has_statistics());
        QTest::qWait(50);
        QWidget* shown = test_->window().views().currentWidget()->findChild<HeadsCanvas*>();
        if (!shown)
            shown = test_->find("head_table");
        // The mark of the selected head is not faded: where one looks holds on.
        const auto contrast = [shown] {
            const QImage image = shown->grab().toImage();
            long sum = 0;
            const int ground = qGray(image.pixel(image.width() - 1, image.height() - 1));
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    sum += std::abs(qGray(image.pixel(x, y)) - ground);
            return sum;
        };
        const long before = contrast();
        Session session = test_->session();
        session.values["heads"] = Index(7);  // of 16 numbers
        test_->document().edit({"Heads", session});
        QVERIFY(test_->document().error());
        QTRY_VERIFY2(contrast() < before * 6 / 10,
                     qPrintable(QStringLiteral("%1 of %2").arg(contrast()).arg(before)));
        session.values.erase("heads");
        test_->document().edit({"Heads", session});
        QVERIFY(!test_->document().error());
        QTRY_COMPARE(contrast(), before);
    }

    void of_a_mechanism_its_own_heads_are_shown() {
        Session session = small_session("multi_head");
        session.values["heads"] = Index(4);
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run() && test_->document().run()->plan);
        HeadsCanvas& canvas = look(ViewKind::model_grid);
        QCOMPARE(canvas.figure()->panels.front().columns, Index(4));
        QCOMPARE(canvas.figure()->panels.front().rows, Index(1));
    }

    void a_token_of_the_text_is_chosen_with_a_click() {
        ViewState there = test_->document().view();
        there.view = ViewKind::text;
        test_->document().looking().look_at(there);
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QTRY_VERIFY(canvas->figure());
        const Panel& panel = canvas->figure()->panels.front();
        QCOMPARE(panel.kind, Panel::Kind::text);
        const PanelLayout layout =
            fit_layout(*canvas->figure(), QRectF(canvas->rect()), canvas->logicalDpiY() / 72.0)
                .layout.panels.front();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, layout.tokens[2].center().toPoint());
        QCOMPARE(test_->document().view().selection.query, Index(2));
        QCOMPARE(canvas->figure()->panels.front().selected_row, std::optional<Index>(2));
    }

    void the_axes_of_a_stage_are_dealt_and_held_by_sliders() {
        Session session = small_session("multi_head");
        session.values["heads"] = Index(4);
        session.view.view = ViewKind::axes;
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run() && test_->document().run()->plan);
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QTRY_VERIFY(canvas->figure());
        auto* heads =
            test_->window().views().currentWidget()->findChild<QSlider*>(QStringLiteral("axes_held_head"));
        QVERIFY(heads);
        QCOMPARE(heads->maximum(), 3);
        heads->setValue(2);
        QCOMPARE(test_->document().view().selection.head, Index(2));
        choose("axes_rows", QStringLiteral("head"));
        QCOMPARE(test_->document().view().axes.rows, std::string("head"));
        QCOMPARE(canvas->figure()->panels.front().rows, Index(4));
        QVERIFY(
            test_->window().views().currentWidget()->findChild<QSlider*>(QStringLiteral("axes_held_query")));
    }

private:
    /// Whether the numbers of every head are known by now.
    bool has_statistics() {
        const auto overview = HeadOverviews::of(test_->document()).overview();
        return overview && overview->has_statistics;
    }
    HeadsCanvas& look(ViewKind kind) {
        ViewState there = test_->document().view();
        there.view = kind;
        test_->document().looking().look_at(there);
        auto* canvas = test_->window().views().currentWidget()->findChild<HeadsCanvas*>();
        [&] { QTRY_VERIFY(canvas && canvas->figure()); }();
        return *canvas;
    }
    HeadsCanvas& show(ViewKind kind) {
        if (!test_->session().capture) {
            drop(test_->window(),
                 QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/support/captures/translation.npz"));
            [&] { QTRY_VERIFY(test_->document().run() && !test_->document().run()->plan); }();
        }
        return look(kind);
    }
    void choose(const char* id, const QString& name) {
        auto* choice = test_->window().views().currentWidget()->findChild<QComboBox*>(QLatin1String(id));
        choice->setCurrentIndex(choice->findData(name));
        emit choice->activated(choice->currentIndex());
    }
};

QTEST_MAIN(HeadsPanelTest)

}  // namespace headlight::heads_panel_test

#include "heads_panel_test.moc"
