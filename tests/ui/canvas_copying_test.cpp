// Rectangles of cells that are dragged over a picture, and what is copied and pinned from it.

#include "tests/ui/canvas_stand.h"
#include "ui/views/cell_text.h"
#include "ui/views/figure_canvas.h"

#include <algorithm>

namespace headlight::canvas_copying_test {

using canvas_stand::Stand;

class CanvasCopyingTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void a_rectangle_is_dragged_summed_spoken_copied_and_removed() {
        Stand stand(small_session(), ViewKind::heatmap);
        stand.drag(stand.middle(1, 0), stand.middle(3, 2), Qt::ShiftModifier);
        QCOMPARE(*stand.document.view().block, (CellBlock{"weights", 4, 4, 1, 3, 0, 3}));
        QCOMPARE(stand.document.history()->count(), 0);  // looking is no edit
        QCOMPARE(stand.selection().query, Index(1));
        const Trace& trace = *stand.document.run()->trace;
        const auto map = trace.matrix(*trace.find("weights"), 0);
        double sum = 0, largest = 0;
        for (std::size_t row = 1; row < 4; ++row)
            for (std::size_t column = 0; column < 3; ++column) {
                sum += map[4 * row + column];
                largest = std::max(largest, map[4 * row + column]);
            }
        const QString words = stand.canvas->block_words().join(QChar('|'));
        QVERIFY2(words.startsWith(
                     QStringLiteral("Rows 2 to 4, “river” to “flooded”|Columns 1 to 3, “the” to “bank”|")),
                 qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("Sum %1, a row gives these columns %2 on average")
                                    .arg(readable_number(sum), readable_number(sum / 3))),
                 qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("weight %1").arg(readable_number(largest))),
                 qPrintable(words));
        QVERIFY(stand.canvas->current_sentence().contains(QStringLiteral("Sum ")));
        const QStringList lines = stand.copied("copy_block").split(QChar('\n'));
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[0], QStringLiteral("\tthe\triver\tbank"));
        QCOMPARE(lines[2].section(QChar('\t'), 0, 0), QStringLiteral("bank"));
        QCOMPARE(lines[2].section(QChar('\t'), 2, 2).toDouble(), map[9]);
        const QImage with = stand.canvas->grab().toImage();
        QTest::keyClick(stand.canvas.get(), Qt::Key_Escape);
        QVERIFY(!stand.document.view().block);
        QVERIFY(stand.canvas->block_words().isEmpty());
        QVERIFY(stand.canvas->grab().toImage() != with);
    }

    void a_rectangle_grows_with_the_keys_from_the_selected_cell() {
        Session session = small_session();
        session.view.selection.query = session.view.selection.key = 1;
        Stand stand(session, ViewKind::heatmap);
        const auto press = [&](int key) {
            QTest::keyClick(stand.canvas.get(), Qt::Key(key), Qt::AltModifier | Qt::ShiftModifier);
            return *stand.document.view().block;
        };
        QCOMPARE(press(Qt::Key_Right), (CellBlock{"weights", 4, 4, 1, 1, 1, 2}));
        QCOMPARE(press(Qt::Key_Down), (CellBlock{"weights", 4, 4, 1, 2, 1, 2}));
        press(Qt::Key_Left);
        QCOMPARE(press(Qt::Key_Left), (CellBlock{"weights", 4, 4, 1, 2, 0, 2}));  // past the selected cell
        QCOMPARE(press(Qt::Key_Left),
                 (CellBlock{"weights", 4, 4, 1, 2, 0, 2}));  // and no further than the edge
        QCOMPARE(stand.selection().key, Index(1));
    }

    void a_rectangle_is_of_the_whole_matrix_where_a_part_is_on_screen() {
        Session session = small_session();
        session.sequence.query_text = long_text(64);
        Stand stand(session, ViewKind::heatmap);
        stand.drag(stand.middle(0, 0), stand.middle(63, 63), Qt::ControlModifier);
        const QStringList of_all = stand.canvas->block_words();
        QVERIFY2(of_all[2].contains(QStringLiteral("Sum 64,")), qPrintable(of_all.join(QChar('|'))));
        QVERIFY(stand.canvas->zoom_by(4, stand.middle(20, 40)));
        QCOMPARE(stand.canvas->block_words(), of_all);
        // From the middle of what is on screen to its corner.
        stand.drag(stand.middle(20, 40), stand.canvas->rect().topLeft(), Qt::ControlModifier);
        const CellBlock block = *stand.document.view().block;
        QCOMPARE(block.first_row + block.rows - 1, Index(20));
        QCOMPARE(block.first_column + block.columns - 1, Index(40));
        QVERIFY(block.first_row > 0 && block.rows > 1);
    }

    void a_rectangle_of_another_size_or_stage_is_not_drawn() {
        Session session = small_session();
        session.view.block = CellBlock{"weights", 5, 5, 0, 2, 0, 2};
        Stand stand(session, ViewKind::heatmap);
        QVERIFY(stand.canvas->block_words().isEmpty());
        Session other = small_session();
        other.view.block = CellBlock{"query", 4, 4, 0, 2, 0, 2};
        Stand of_stage(other, ViewKind::heatmap);
        QVERIFY(of_stage.canvas->block_words().isEmpty());
    }

    void cells_of_no_stage_are_copied_as_they_are_shown() {
        Session session = small_session();
        session.view.selection.query = 2;
        session.view.selection.key = 1;
        session.view.selection.stage = "key";
        session.view.axes = {"d", "key"};
        Stand stand(session, ViewKind::axes);
        const Panel panel = stand.canvas->figure()->panels.front();
        QVERIFY(panel.stage.empty());
        const QStringList lines = stand.copied_at("copy_map", stand.middle(1, 2)).split(QChar('\n'));
        QCOMPARE(lines.size(), qsizetype(panel.rows) + 1);
        QCOMPARE(lines[0], QStringLiteral("\tthe\triver\tbank\tflooded"));
        const double number = panel.values[static_cast<std::size_t>(panel.columns + 2)];
        QCOMPARE(lines[2].section(QChar('\t'), 3, 3).toDouble(), number);
        QCOMPARE(stand.copied_at("copy_number", stand.middle(1, 2)).toDouble(), number);
        QCOMPARE(stand.copied_at("copy_row", stand.middle(1, 2))
                     .split(QChar('\n'))[2]
                     .section(QChar('\t'), 1)
                     .toDouble(),
                 number);
        QCOMPARE(stand.copied_at("copy_column", stand.middle(1, 2)).split(QChar('\n')).size(),
                 qsizetype(panel.rows));
    }

    void numbers_are_copied_as_they_are_drawn_through_a_lens() {
        Session session = small_session();
        session.figure.hidden_keys = {0};
        Stand stand(session, ViewKind::heatmap);
        const Panel panel = stand.canvas->figure()->panels.front();
        const Trace& trace = *stand.document.run()->trace;
        const auto recorded = trace.matrix(*trace.find("weights"), 0);
        const double drawn = stand.copied_at("copy_number", stand.middle(1, 2)).toDouble();
        QCOMPARE(drawn, recorded[6] / (1 - recorded[4]));  // the others share what the hidden key had
        QCOMPARE(drawn, panel.values[6]);
        const QStringList row = stand.copied_at("copy_row", stand.middle(1, 2)).split(QChar('\n'));
        QCOMPARE(row[0], QStringLiteral("the\t"));
        QCOMPARE(row[2].section(QChar('\t'), 1).toDouble(), drawn);
        session.figure.hidden_keys.clear();
        session.figure.weights = DrawnWeights::value_norms;
        open_session(stand.document, session);
        QTRY_VERIFY(stand.canvas->figure()->panels.front().values[6] != panel.values[6]);
        QCOMPARE(stand.copied_at("copy_number", stand.middle(1, 2)).toDouble(),
                 stand.canvas->figure()->panels.front().values[6]);
    }

    void a_text_gives_the_numbers_that_shade_it() {
        Session session = small_session();
        session.view.selection.query = 1;
        session.figure.hidden_keys = {0};
        Stand stand(session, ViewKind::text);
        const Trace& trace = *stand.document.run()->trace;
        const auto recorded = trace.matrix(*trace.find("weights"), 0);
        const QStringList row = stand.copied("copy_row").split(QChar('\n'));
        QCOMPARE(row.size(), qsizetype(4));
        QCOMPARE(row[0], QStringLiteral("the\t"));  // hidden
        QCOMPARE(row[1].section(QChar('\t'), 1).toDouble(), recorded[5] / (1 - recorded[4]));
    }

    void the_difference_is_copied_where_it_is_drawn() {
        Session session = small_session();
        session.counterpart = Counterpart{Counterpart::Kind::text, "the river bank dried"};
        session.figure.differences = true;
        Stand stand(session, ViewKind::heatmap);
        QTRY_VERIFY(stand.document.run()->untouched);
        const auto of = [](const Trace& trace) { return trace.matrix(*trace.find("weights"), 0)[13]; };
        const double difference = of(*stand.document.run()->trace) - of(*stand.document.run()->untouched);
        QVERIFY(difference != 0);
        QCOMPARE(stand.copied_at("copy_number", stand.middle(3, 1)).toDouble(), difference);
    }

    void a_map_is_copied_whole_where_a_part_is_on_screen() {
        Session session = small_session();
        session.sequence.query_text = long_text(64);
        Stand stand(session, ViewKind::heatmap);
        const Storage<const double> all = stand.canvas->figure()->panels.front().values;
        QVERIFY(stand.canvas->zoom_by(4, stand.middle(20, 40)));
        const QStringList lines = stand.copied("copy_map").split(QChar('\n'));
        QCOMPARE(lines.size(), 65);
        QCOMPARE(lines[64].section(QChar('\t'), 64, 64).toDouble(), all[64 * 64 - 1]);
    }

    void a_head_is_pinned_and_compare_keeps_it() {
        Session session = small_session("multi_head");
        session.view.selection.head = 1;
        Stand stand(session, ViewKind::heatmap);
        const ViewState before = stand.document.view();
        stand.copied("pin_map");
        QVERIFY(stand.document.view() == before);
        QCOMPARE(stand.document.session().figure.pinned, (std::vector<PinnedMap>{{"", 1}}));
        QCOMPARE(stand.document.history()->count(), 1);
        Selection other = before.selection;
        other.head = 0;
        stand.document.looking().select(other);
        const auto figure = stand.document.figure(ViewKind::compare);
        QCOMPARE(figure->panels.size(), std::size_t(2));
        QCOMPARE(figure->panels[0].head, Index(0));
        QCOMPARE(figure->panels[1].head, Index(1));
        QCOMPARE(figure->panels[1].title, std::string("Head 2"));
        stand.document.looking().select(before.selection);
        stand.copied("unpin_map");
        QVERIFY(stand.document.session().figure.pinned.empty());
        stand.document.history()->undo();
        QCOMPARE(stand.document.session().figure.pinned.size(), std::size_t(1));
    }
};

QTEST_MAIN(CanvasCopyingTest)

}  // namespace headlight::canvas_copying_test

#include "canvas_copying_test.moc"
