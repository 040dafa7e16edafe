// What a screen reader hears of each view, and that the keys alone lead through it.

#include "core/figure/view.h"
#include "core/io/image_session.h"
#include "tests/support/sample_pictures.h"
#include "tests/ui/screen_reader.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/film_view.h"
#include "ui/views/heads_canvas.h"
#include "ui/views/walks_heads.h"

#include <QAccessible>
#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

namespace headlight::canvas_accessibility_test {

namespace {

QString words(QAccessibleInterface* interface, QAccessible::Text kind) { return interface->text(kind); }

Figure map_of(const std::vector<std::string>& tokens) {
    Figure figure;
    for (const char* title : {"run 1", "run 2"}) {
        Panel panel;
        panel.title = title;
        panel.rows = panel.columns = std::ssize(tokens);
        panel.row_axis.labels = panel.column_axis.labels = tokens;
        std::vector<double> values;
        for (Index cell = 0; cell < panel.rows * panel.columns; ++cell)
            values.push_back(static_cast<double>(cell) / 100);
        panel.values = std::move(values);
        figure.panels.push_back(panel);
    }
    figure.columns = 2;
    figure.description = "Two maps.";
    return figure;
}

}  // namespace

class CanvasAccessibilityTest : public WindowedTest {
    Q_OBJECT

private slots:
    void every_view_says_what_it_shows_data() { every_view(); }
    void every_view_says_what_it_shows() {
        QFETCH(const ViewKind, kind);
        QWidget* canvas = show(kind);
        QAccessibleInterface* whole = voice_of(canvas);
        QVERIFY(whole && whole->isValid());
        QVERIFY(!words(whole, QAccessible::Name).isEmpty());
        QVERIFY(!words(whole, QAccessible::Description).isEmpty());
        QVERIFY(whole->state().focusable);
        if (qobject_cast<QTableView*>(canvas))
            return;
        QTRY_VERIFY(!words(whole, QAccessible::Value).isEmpty());
        QVERIFY(whole->valueInterface());
        QVERIFY(whole->childCount() >= 2);
        for (int i = 0; i < whole->childCount(); ++i) {
            QAccessibleInterface* child = whole->child(i);
            QVERIFY(child && child->isValid());
            QCOMPARE(child->parent(), whole);
            QCOMPARE(whole->indexOfChild(child), i);
            QVERIFY(!words(child, QAccessible::Name).isEmpty());
        }
        QCOMPARE(words(whole->child(0), QAccessible::Name), words(whole, QAccessible::Value));
    }

    void a_grid_has_the_cells_of_a_table_data() { every_view(); }
    void a_grid_has_the_cells_of_a_table() {
        QFETCH(const ViewKind, kind);
        QWidget* canvas = show(kind);
        QAccessibleInterface* whole = voice_of(canvas);
        const bool is_table_itself = whole->tableInterface() != nullptr;
        int tables = 0;
        for (int i = is_table_itself ? 0 : 1; i < (is_table_itself ? 1 : whole->childCount()); ++i) {
            QAccessibleInterface* part = is_table_itself ? whole : whole->child(i);
            if (part->role() == QAccessible::List) {
                QVERIFY(kind == ViewKind::scatter || kind == ViewKind::map);
                QVERIFY(part->childCount() > 0);
                QVERIFY(!words(part->child(0), QAccessible::Name).isEmpty());
                ++tables;
                continue;
            }
            QAccessibleTableInterface* table = part->tableInterface();
            QVERIFY(table);
            QVERIFY(table->rowCount() > 0 && table->columnCount() > 0);
            ++tables;
            for (const auto& [row, column] :
                 {std::pair(0, 0), std::pair(table->rowCount() - 1, table->columnCount() - 1)}) {
                QAccessibleInterface* cell = table->cellAt(row, column);
                QVERIFY(cell && cell->isValid());
                QVERIFY2(!words(cell, QAccessible::Name).isEmpty() || kind == ViewKind::model_grid,
                         part->text(QAccessible::Name).toUtf8().constData());
                QVERIFY(cell->tableCellInterface());
                QCOMPARE(cell->tableCellInterface()->rowIndex(), row);
                QCOMPARE(cell->tableCellInterface()->columnIndex(), column);
                QCOMPARE(cell->tableCellInterface()->table(), part);
                QVERIFY(!table->columnDescription(column).isEmpty());
            }
            if (is_table_itself)  // Qt's own, which warns of such a place
                continue;
            QVERIFY(!table->cellAt(table->rowCount(), 0));
            QVERIFY(!table->cellAt(0, -1));
        }
        QVERIFY(tables > 0);
    }

    void the_keys_lead_to_other_cells_which_are_told_data() { every_view(); }
    void the_keys_lead_to_other_cells_which_are_told() {
        QFETCH(const ViewKind, kind);
        QWidget* canvas = show(kind);
        test_->window().activateWindow();
        canvas->setFocus();
        QTRY_VERIFY(canvas->hasFocus());
        const QString before = canvas_value(canvas);
        QString after;
        ScreenReader reader;
        const bool walks_heads = dynamic_cast<const WalksHeads*>(canvas);
        const Qt::KeyboardModifiers modifiers = walks_heads ? Qt::NoModifier : Qt::ShiftModifier;
        for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up, Qt::Key_Down, Qt::Key_Right}) {
            reader.forget();
            const QString now = canvas_value(canvas);
            // Without Shift they are the player's, which moves the selection in its own steps.
            QTest::keyClick(canvas, key, modifiers);
            after = canvas_value(canvas);
            if (after != now && !qobject_cast<QTableView*>(canvas)) {
                QCOMPARE(reader.last(QAccessible::Focus), after);
                QCOMPARE(reader.last(QAccessible::NameChanged), after);
                QCOMPARE(reader.last(QAccessible::Selection), after);
                QVERIFY(reader.has_heard(QAccessible::ValueChanged));
            }
        }
        QVERIFY2(after != before, qPrintable(after));
    }

    void a_cell_can_be_chosen_by_its_press() {
        for (const ViewKind kind : {ViewKind(ViewKind::heatmap), ViewKind(ViewKind::text),
                                    ViewKind(ViewKind::lines), ViewKind(ViewKind::model_grid)}) {
            QWidget* canvas = show(kind);
            QAccessibleInterface* table = voice_of(canvas)->child(1);
            QAccessibleInterface* cell =
                table->tableInterface()->cellAt(0, table->tableInterface()->columnCount() - 1);
            QVERIFY(cell->actionInterface());
            cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
            QVERIFY2(cell->state().selected, std::string(kind.word()).c_str());
            QCOMPARE(table->tableInterface()->selectedCells(), QList<QAccessibleInterface*>{cell});
        }
    }

    void a_text_is_walked_as_it_runs() {
        Session session = small_session("multi_head");
        session.sequence.query_text = "אחת שתיים שלוש ארבע";
        session.view.view = ViewKind::text;
        session.view.selection.query = 1;
        open_session(test_->document(), session);
        QWidget* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QVERIFY(canvas);
        QTest::keyClick(canvas, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(test_->document().view().selection.query, Index(2));
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(test_->document().view().selection.query, Index(0));
        QTest::keyClick(canvas, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(test_->document().view().selection.query, Index(1));
    }

    void the_table_of_heads_is_sorted_by_keys() {
        auto* table = qobject_cast<QTableView*>(show(ViewKind::statistics));
        table->setCurrentIndex(table->model()->index(0, 2));
        auto* sort = table->findChild<QAction*>(QStringLiteral("sort_heads"));
        sort->trigger();
        QCOMPARE(table->horizontalHeader()->sortIndicatorSection(), 2);
        const Qt::SortOrder order = table->horizontalHeader()->sortIndicatorOrder();
        table->setCurrentIndex(table->model()->index(0, 2));
        sort->trigger();
        QVERIFY(table->horizontalHeader()->sortIndicatorOrder() != order);
    }

    void a_film_is_walked_from_map_to_map() {
        FilmView view;
        view.setAccessibleName(QStringLiteral("Film"));
        view.resize(600, 300);
        view.show_notice(QStringLiteral("No frame yet"));
        QAccessibleInterface* whole = voice_of(&view);
        QCOMPARE(words(whole, QAccessible::Description), QStringLiteral("No frame yet"));
        QCOMPARE(whole->childCount(), 0);
        view.show_figure(map_of({"a", "שלום", "c"}));
        QCOMPARE(words(whole, QAccessible::Description), QStringLiteral("Two maps."));
        QCOMPARE(whole->childCount(), 3);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(words(whole, QAccessible::Value),
                 QStringLiteral("“a” looks at “\u2068שלום\u2069”: weight 0.010"));
        QCOMPARE(whole->valueInterface()->currentValue().toDouble(), 0.01);
        QTest::keyClick(&view, Qt::Key_N);
        QCOMPARE(view.current_cell()->panel, Index(1));
        QVERIFY(view.panel_area(1).contains(view.current_rect()));
        QCOMPARE(words(whole->child(2)->tableInterface()->cellAt(2, 0), QAccessible::Name),
                 QStringLiteral("“c” looks at “a”: weight 0.060"));
        view.show_figure(map_of({"a"}));
        QCOMPARE(words(whole, QAccessible::Value), QStringLiteral("“a” looks at “a”: weight 0.000"));
    }

    void every_view_has_words_while_there_is_no_picture_data() { every_view(); }
    void every_view_has_words_while_there_is_no_picture() {
        QFETCH(const ViewKind, kind);
        Session session = small_session("multi_head");
        session.view.view = kind;
        {
            const SlowRuns slow;
            test_->document().reset(session);
            QVERIFY2(!words_of_state(kind).isEmpty(), "while it is made");
            QTRY_VERIFY(!test_->document().is_running());
        }
        session.sequence.query_text.clear();
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().error());
        QVERIFY2(!words_of_state(kind).isEmpty(), "after an error");
    }

private:
    /// A row for each; the rows share a window, in which each opens a session of its own.
    void every_view() {
        share_over_rows();
        QTest::addColumn<ViewKind>("kind");
        for (const View& view : views())
            QTest::newRow(std::string(view.kind.word()).c_str()) << view.kind;
    }
    QWidget* canvas_of(ViewKind kind) {
        QWidget* view = test_->window().views().view(kind);
        if (auto* canvas = view->findChild<FigureCanvas*>())
            return canvas;
        if (auto* canvas = view->findChild<HeadsCanvas*>())
            return canvas;
        return view->findChild<QTableView*>();
    }
    /// The canvas of a view that has something to show.
    QWidget* show(ViewKind kind) {
        Session session = small_session("multi_head");
        if (kind == ViewKind::image) {
            PatchedPicture image = cut(samples::landscape(96, 64));
            image.columns = 12;
            session = with_image(session, image, "landscape.png");
        }
        if (kind == ViewKind::compare)
            session.compared = {{"causal", {}}};
        session.view.view = kind;
        open_session(test_->document(), session);
        QWidget* canvas = canvas_of(kind);
        [&] {
            QTRY_VERIFY(canvas->isVisible());
            if (auto* figure = dynamic_cast<AccessibleFigure*>(canvas))
                QTRY_VERIFY2(figure->figure(), qPrintable(figure->notice()));
            else
                QTRY_VERIFY(qobject_cast<QTableView*>(canvas)->model()->rowCount() > 0);
        }();
        return canvas;
    }
    /// What is said of the place where the keyboard is.
    static QString canvas_value(QWidget* canvas) {
        if (auto* table = qobject_cast<QTableView*>(canvas))
            return QStringLiteral("row %1").arg(table->currentIndex().row());
        return voice_of(canvas)->text(QAccessible::Value);
    }
    QString words_of_state(ViewKind kind) {
        QWidget* canvas = canvas_of(kind);
        const QString heard_words = voice_of(canvas)->text(QAccessible::Description);
        if (auto* figure = dynamic_cast<AccessibleFigure*>(canvas))
            return figure->figure() ? heard_words : figure->notice();
        return heard_words;
    }
};

QTEST_MAIN(CanvasAccessibilityTest)

}  // namespace headlight::canvas_accessibility_test

#include "canvas_accessibility_test.moc"
