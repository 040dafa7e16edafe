// The statistics of heads: a table that is sorted, walked and copied, and the distances of one head.

#include "core/analysis/head_table.h"
#include "core/map/trace_maps.h"
#include "core/workbench/figure_edits.h"
#include "tests/ui/capture_support.h"
#include "tests/ui/text_recorder.h"
#include "tests/ui/views_support.h"
#include "ui/models/head_overviews.h"
#include "ui/models/head_table_model.h"
#include "ui/panels/head_table_panel.h"
#include "ui/render/fixed_text.h"
#include "ui/views/distance_bars.h"

#include <QHeaderView>
#include <QLabel>
#include <QToolButton>

namespace headlight::head_table_test {

class HeadTableTest : public CaptureTest {
    Q_OBJECT
private slots:
    void its_heads_stand_in_a_table_of_statistics() {
        open(QStringLiteral("translation.npz"));
        const QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 12);  // three kinds, two layers, two heads
        QCOMPARE(table.model()->columnCount(), 2 + int(known_statistics({}).size()));
        const auto maps = maps_of(test_->document().run()->trace);
        const HeadNumbers last = statistics_of(maps[2], {1, 1});
        for (int column = 2; column < table.model()->columnCount(); ++column) {
            const auto& number = last[static_cast<std::size_t>(column - 2)];
            const QModelIndex cell = table.model()->index(11, column);
            QCOMPARE(cell.data(HeadTableModel::NumberRole).isValid(), number.has_value());
            if (number)
                QCOMPARE(cell.data().toString(), legible_text(*number, 3));
        }
    }

    void a_row_of_the_table_is_the_selected_head() {
        open(QStringLiteral("translation.npz"));
        QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 12);
        QTRY_COMPARE(table.currentIndex().row(), 0);
        table.setCurrentIndex(table.model()->index(11, 0));
        QCOMPARE(test_->document().view().selection.site, std::string("decoder.1.cross"));
        QCOMPARE(test_->document().view().selection.head, Index(1));
        Selection third = test_->document().view().selection;
        third.site = "encoder.1.self";
        third.head = 0;
        test_->document().looking().select(third);
        QCOMPARE(table.currentIndex().row(), 2);
        emit table.activated(table.currentIndex());
        QVERIFY(test_->document().view().view == ViewKind::heatmap);
        QCOMPARE(test_->document().view().selection.site, std::string("encoder.1.self"));
    }

    void on_a_projector_the_selected_row_is_in_sight_and_its_head_is_named_once() {
        open(QStringLiteral("translation.npz"));
        test_->trigger("theme_projector");
        Selection last = test_->document().view().selection;
        last.site = "decoder.1.cross";
        last.head = 1;
        test_->document().looking().select(last);
        QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 12);
        QHeaderView& titles = *table.horizontalHeader();
        for (const QSize size : {QSize(1024, 768), QSize(1024, 600), QSize(3000, 900)}) {
            test_->window().resize(size);
            QTest::qWait(1);
            QCOMPARE(table.currentIndex().row(), 11);
            QTRY_VERIFY(table.viewport()->rect().contains(table.visualRect(table.currentIndex()).center()));
            QVERIFY(table.verticalHeader()->isVisible() ==
                    table.isColumnHidden(HeadTableModel::place_column));
            // Entropy, distance and largest weight are whole.
            const int third = HeadTableModel::first_statistic + 2;
            QVERIFY(titles.sectionViewportPosition(third) + titles.sectionSize(third) <=
                    table.viewport()->width());
        }
        QVERIFY(!table.verticalHeader()->isVisible());
    }

    void titles_that_have_no_room_on_one_line_are_on_two() {
        open(QStringLiteral("translation.npz"));
        QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 12);
        QHeaderView& titles = *table.horizontalHeader();
        const auto title_of = [&](int column) {
            return table.model()->headerData(column, Qt::Horizontal).toString();
        };
        int previous = HeadTableModel::first_statistic;
        while (title_of(previous) != QLatin1String("Previous token"))
            ++previous;
        const QFontMetrics metrics = titles.fontMetrics();
        test_->window().resize(3000, 900);
        QTRY_VERIFY(titles.sectionSize(previous) > metrics.horizontalAdvance(title_of(previous)));
        const int one_line = titles.height(), all = titles.length();
        test_->window().resize(1024, 768);
        QTRY_VERIFY(titles.sectionSize(previous) < metrics.horizontalAdvance(title_of(previous)));
        QVERIFY(titles.height() > one_line && titles.length() < all);
        for (const int sorted : {previous, int(HeadTableModel::first_statistic)}) {
            table.sortByColumn(sorted, Qt::DescendingOrder);
            for (int column = HeadTableModel::first_statistic; column < titles.count(); ++column) {
                const int arrow = column == sorted ? metrics.height() / 2 : 0;
                for (const QString& word : title_of(column).split(QChar(' ')))
                    QVERIFY2(titles.sectionSize(column) >= metrics.horizontalAdvance(word) + arrow,
                             qPrintable(word));
            }
        }
        test_->window().resize(3000, 900);
        QTRY_COMPARE(titles.height(), one_line);
    }

    void up_and_down_go_through_the_rows_as_they_are_sorted() {
        open(QStringLiteral("translation.npz"));
        QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 12);
        table.sortByColumn(HeadTableModel::first_statistic, Qt::DescendingOrder);
        table.setFocus();
        table.setCurrentIndex(table.model()->index(0, HeadTableModel::first_statistic));
        for (int row = 1; row < 12; ++row) {
            QTest::keyClick(&table, Qt::Key_Down);
            QCOMPARE(table.currentIndex().row(), row);
        }
        QTest::keyClick(&table, Qt::Key_Up);
        QCOMPARE(table.currentIndex().row(), 10);
    }

    void a_click_on_a_title_shows_the_head_that_has_most_of_it() {
        open(QStringLiteral("translation.npz"));
        QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 12);
        QHeaderView& header = *table.horizontalHeader();
        const int column = HeadTableModel::first_statistic + 1;
        const QPoint title(header.sectionViewportPosition(column) + 10, header.height() - 8);
        for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
            QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, title);
            QCOMPARE(header.sortIndicatorSection(), column);
            QCOMPARE(header.sortIndicatorOrder(), order);
            QCOMPARE(table.currentIndex().row(), 0);
        }
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, title);
        const int head = table.model()->index(0, HeadTableModel::head_column).data().toInt();
        QTest::keyClick(&table, Qt::Key_Return);
        QVERIFY(test_->document().view().view == ViewKind::heatmap);
        QCOMPARE(int(test_->document().view().selection.head) + 1, head);
    }

    void any_column_sorts_and_what_is_not_known_comes_last() {
        open(QStringLiteral("translation.npz"));
        QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 12);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder})
            for (int column = 0; column < table.model()->columnCount(); ++column) {
                table.sortByColumn(column, order);
                QVariant before;
                for (int row = 0; row < 12; ++row) {
                    const QVariant now = table.model()->index(row, column).data(HeadTableModel::NumberRole);
                    if (row > 0 && now.isValid()) {
                        QVERIFY(before.isValid());
                        QVERIFY(order == Qt::AscendingOrder ? before.toDouble() <= now.toDouble()
                                                            : before.toDouble() >= now.toDouble());
                    }
                    before = now;
                }
            }
    }

    void the_statistics_of_a_mechanism_are_of_its_own_heads() {
        Session session = small_session("multi_head");
        session.values["heads"] = Index(4);
        session.compared = {{"dot", {}, {}}};
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run() && test_->document().run()->plan);
        QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 4);
        table.selectAll();
        for (QAction* action : table.actions())
            if (action->objectName() != QLatin1String("copy_distances"))  // which copies, too
                action->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 5);
        QVERIFY(lines.front().startsWith(QLatin1String("Place\tHead\tEntropy")));
        QStringList names;  // no two rows are called alike, however they are sorted
        for (int row = 0; row < 4; ++row)
            names += table.model()->index(row, 0).data().toString();
        names.sort();
        QCOMPARE(names, (QStringList{QStringLiteral("Head 1"), QStringLiteral("Head 2"),
                                     QStringLiteral("Head 3"), QStringLiteral("Head 4")}));
    }

    void the_titles_of_one_head_have_no_band_for_bars() {
        test_->window().resize(3000, 900);  // on one line
        open_session(test_->document(), small_session("multi_head"));
        const QTableView& table = *show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 8);
        QTRY_VERIFY(table.horizontalHeader()->height() > 2 * table.fontMetrics().height());
        open_session(test_->document(), small_session("scaled_dot_product"));
        show_statistics();
        QTRY_COMPARE(table.model()->rowCount(), 1);
        QTRY_VERIFY2(table.horizontalHeader()->height() <= 2 * table.fontMetrics().height(),
                     qPrintable(QString::number(table.horizontalHeader()->height())));
    }

    void a_hidden_key_leaves_the_table_of_heads() {
        open(QStringLiteral("causal.npz"));
        QTableView& table = *show_statistics();
        QTRY_VERIFY(table.model()->rowCount() > 0);
        const auto titles = [&] {
            QStringList list;
            for (int column = 0; column < table.model()->columnCount(); ++column)
                list += table.model()->headerData(column, Qt::Horizontal).toString();
            return list;
        };
        QVERIFY(!titles().contains(QStringLiteral("Hidden")));
        const auto column = static_cast<int>(titles().indexOf(QStringLiteral("First token")));
        const QString before = table.model()->index(0, column).data().toString();
        test_->document().edit(hide_keys(test_->session(), "Hide", {0}));
        QTRY_COMPARE(titles().last(), QStringLiteral("Hidden"));
        QCOMPARE(table.model()->index(0, column).data().toString(), QStringLiteral("–"));
        // Rows sum to 1: what was hidden is what the first token had.
        QCOMPARE(table.model()->index(0, table.model()->columnCount() - 1).data().toString(), before);
        QVERIFY2(test_->find<QLabel>("head_table_note")->text().contains(QLatin1String(" % of the weights")),
                 qPrintable(test_->find<QLabel>("head_table_note")->text()));
        test_->trigger("edit_undo");
        QTRY_COMPARE(table.model()->index(0, column).data().toString(), before);
        QVERIFY(!titles().contains(QStringLiteral("Hidden")));
    }

    void a_cancelled_counting_begins_again_for_who_is_shown_anew() {
        open(QStringLiteral("causal.npz"));
        const QTableView& table = *show_statistics();
        QTRY_VERIFY(table.model()->rowCount() > 0);
        const int heads = table.model()->rowCount();
        HeadOverviews& overviews = HeadOverviews::of(test_->document());
        const QObject there, newcomer;
        overviews.set_wanted(&there, true);
        const SlowRuns slow;  // no picture is there before the events are looked at
        test_->document().edit(hide_keys(test_->session(), "Hide", {0}));
        QVERIFY(overviews.is_running());
        test_->find<QToolButton>("head_table_cancel")->click();
        QVERIFY(!overviews.is_running());
        QCOMPARE(table.model()->rowCount(), 0);  // those of before are of another lens
        const QString note = test_->find<QLabel>("head_table_note")->text();
        QVERIFY2(note.contains(QLatin1String("was cancelled")), qPrintable(note));
        overviews.set_wanted(&there, true);
        overviews.set_wanted(&there, false);
        QVERIFY(!overviews.is_running());
        overviews.set_wanted(&newcomer, true);
        QVERIFY(overviews.is_running());
        QTRY_COMPARE(table.model()->rowCount(), heads);
        overviews.set_wanted(&newcomer, false);
    }

    void a_lens_undone_while_it_is_counted_leaves_the_numbers_of_the_one_that_is_shown() {
        open(QStringLiteral("causal.npz"));
        const QTableView& table = *show_statistics();
        QTRY_VERIFY(table.model()->rowCount() > 0);
        HeadOverviews& overviews = HeadOverviews::of(test_->document());
        QTRY_VERIFY(!overviews.is_running());
        const auto shown = overviews.overview();
        QVERIFY(shown->has_statistics);
        const SlowRuns slow;  // nothing is delivered before the events are looked at
        test_->document().edit(hide_keys(test_->session(), "Hide", {0}));
        QVERIFY(overviews.is_running());
        test_->trigger("edit_undo");
        QVERIFY(!overviews.is_running());
        QTest::qWait(50);
        QCOMPARE(overviews.overview(), shown);
        // It can be had again.
        test_->document().edit(hide_keys(test_->session(), "Hide", {0}));
        QTRY_VERIFY(overviews.overview() != shown && overviews.overview()->has_statistics);
    }

    void distances_have_no_title_before_there_are_some() {
        const HeadTablePanel panel(test_->document());
        QVERIFY(panel.findChild<DistanceBars*>()->isHidden());
    }

    void the_distances_of_the_selected_head_stand_under_the_table() {
        open(QStringLiteral("causal.npz"));
        QTableView& table = *show_statistics();
        QTRY_VERIFY(table.model()->rowCount() > 0);
        auto* distances = test_->window().findChild<DistanceBars*>();
        QVERIFY(distances->isVisible());
        QCOMPARE(distances->bars().size(), std::size_t(10));
        const auto mean_distance = [&] {
            double mean = 0;
            for (const DistanceBars::Bar& bar : distances->bars())
                mean += bar.share * bar.distance.toDouble();
            return fixed_text(mean, 3);
        };
        int column = 0;
        while (table.model()->headerData(column, Qt::Horizontal).toString() != QLatin1String("Distance"))
            ++column;
        for (const int row : {0, table.model()->rowCount() - 1}) {
            table.selectRow(row);
            QCOMPARE(mean_distance(), table.model()->index(row, column).data().toString());
        }
        QVERIFY2(distances->accessibleDescription().contains(QLatin1String("distance 0: ")),
                 qPrintable(distances->accessibleDescription()));
        DistanceBars narrow;  // as under a table in large type: which head it is of can be read all the same
        narrow.show_bars(QStringLiteral("Layer 12, head 12"), distances->bars());
        narrow.resize(300, narrow.sizeHint().height());
        TextRecorder recorder(narrow.size());
        narrow.render(&recorder);
        QVERIFY(std::ranges::any_of(recorder.texts(), [](const PaintedText& each) {
            return each.text.startsWith(QLatin1String("Layer 12, head 12: "));
        }));
        QVERIFY(distances->text().startsWith(QLatin1String("Distance\tShare\n0\t")));
    }
};

QTEST_MAIN(HeadTableTest)

}  // namespace headlight::head_table_test

#include "head_table_test.moc"
