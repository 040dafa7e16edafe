// The mask editor: drawing, joining, numbers, and what it leaves behind.

#include "core/io/files.h"
#include "tests/ui/screen_reader.h"
#include "tests/ui/window_support.h"
#include "ui/models/autosave.h"
#include "ui/models/mask_drawing.h"
#include "ui/panels/mask_editor.h"
#include "ui/panels/word_combo.h"
#include "ui/views/mask_canvas.h"
#include "ui/views/mask_legend.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>

namespace headlight::mask_editor_test {

namespace {

/// The drawing as a person sees it: a line for each query, # where it may look.
QString printed(const MaskDrawing& drawing) {
    QStringList rows;
    for (Index query = 0; query < drawing.queries(); ++query) {
        QString row;
        for (Index key = 0; key < drawing.keys(); ++key)
            row += drawing.allowed(query, key) ? QChar('#') : QChar('.');
        rows << row;
    }
    return rows.join(QChar(' '));
}

}  // namespace

class MaskEditorTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void strokes_are_drawn_and_taken_back() {
        MaskDrawing drawing(3, 4);
        drawing.begin_stroke();
        drawing.draw_line({0, 0}, {3, 2}, false);
        QCOMPARE(printed(drawing), QStringLiteral("..## ##.# ###."));
        drawing.begin_stroke();
        drawing.draw_rectangle({1, 0, 2, 2}, false);
        QCOMPARE(printed(drawing), QStringLiteral("...# #..# ###."));
        drawing.begin_stroke();
        drawing.toggle_row(2, false);
        QCOMPARE(printed(drawing), QStringLiteral("...# #..# ...."));
        drawing.begin_stroke();
        drawing.toggle_row(2, false);
        QCOMPARE(printed(drawing), QStringLiteral("...# #..# ####"));
        drawing.begin_stroke();
        drawing.toggle_column(0, true);
        QCOMPARE(printed(drawing), QStringLiteral("#..# #..# ####"));
        for (int step = 0; step < 5; ++step)
            drawing.undo();
        QVERIFY(!drawing.can_undo());
        QCOMPARE(drawing.counts().allowed, Index(12));
        drawing.redo();
        QCOMPARE(printed(drawing), QStringLiteral("..## ##.# ###."));
    }

    void patterns_join_as_the_words_say() {
        const std::vector<std::uint8_t> pattern{1, 0, 1, 0};
        const std::pair<MaskJoin, const char*> rows[] = {{MaskJoin::replace, "#. #."},
                                                         {MaskJoin::both, "#. .."},
                                                         {MaskJoin::either, "## #."},
                                                         {MaskJoin::except, ".# .."}};
        for (const auto& [how, expected] : rows) {
            MaskDrawing drawing(2, 2);
            drawing.draw_rectangle({0, 1, 2, 1}, false);  // "## .."
            drawing.join(pattern, how);
            QCOMPARE(printed(drawing), QString::fromLatin1(expected));
        }
    }

    void counts_say_how_many_keys_a_query_has() {
        MaskDrawing drawing(3, 4);
        drawing.draw_rectangle({0, 0, 4, 1}, false);
        drawing.draw_rectangle({0, 1, 1, 1}, false);
        const MaskCounts counts = drawing.counts();
        QCOMPARE(counts.allowed, Index(7));
        QCOMPARE(counts.least, Index(0));
        QCOMPARE(counts.most, Index(4));
        QCOMPARE(counts.dead, Index(1));
    }

    void a_mask_is_drawn_with_the_mouse_and_becomes_the_sessions() {
        WindowUnderTest test;
        test.document().reset(small_session("causal"));
        const auto run = test.document().run();
        QTest::mouseClick(test.find("edit_mask"), Qt::LeftButton);
        auto* editor = test.find<MaskEditor>("mask_editor");
        QVERIFY(editor);
        MaskDrawing& drawing = editor->drawing();
        QCOMPARE(drawing.queries(), run->plan->queries);
        QVERIFY2(!drawing.allowed(0, 1) && drawing.allowed(1, 0), "it begins with the mask that is there");
        auto* canvas = editor->findChild<MaskCanvas*>();
        const auto at = [&](Index query, Index key) {
            return canvas->cell_rect(query, key).center().toPoint();
        };
        // A drag forbids, with the right button it allows; a name takes its row.
        QTest::mousePress(canvas, Qt::LeftButton, {}, at(3, 0));
        QTest::mouseMove(canvas, at(3, 2));
        const auto* about = editor->findChild<QLabel*>("mask_cell");
        QVERIFY(about);
        QVERIFY2(about->text().contains(QLatin1String("may not look")), qPrintable(about->text()));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, at(3, 2));
        QVERIFY(!drawing.allowed(3, 0) && !drawing.allowed(3, 1) && !drawing.allowed(3, 2));
        QTest::mouseClick(canvas, Qt::RightButton, {}, at(0, 2));
        QVERIFY(drawing.allowed(0, 2));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->row_handle(1));
        QVERIFY(!drawing.allowed(1, 0) && !drawing.allowed(1, 1));
        QVERIFY(editor->findChild<QLabel*>("mask_counts")->text().contains(QLatin1String("no key")));
        QTest::mouseClick(editor->findChild<QToolButton*>("mask_undo"), Qt::LeftButton);
        QVERIFY(drawing.allowed(1, 0));
        editor->findChild<QPushButton*>("mask_accept")->click();
        QVERIFY(test.session().drawn_mask != nullptr);
        QVERIFY(test.document().run()->plan->allowed.allowed(0, 2));
        QVERIFY(!test.document().run()->plan->allowed.allowed(3, 1));
        test.find<QPushButton>("forget_mask")->click();
        QVERIFY(!test.session().drawn_mask);
        QVERIFY(!test.document().run()->plan->allowed.allowed(0, 2));
        test.trigger("edit_undo");
        QVERIFY(test.session().drawn_mask != nullptr);
    }

    void a_screen_reader_has_a_table_of_cells_that_are_on_or_off() {
        MaskDrawing drawing(2, 3);
        TokenLabels labels;
        labels.query = {"a", "b"};
        labels.key = {"x", "y", "z"};
        MaskCanvas canvas(drawing, labels);
        canvas.setAccessibleName(QStringLiteral("Mask canvas"));
        canvas.resize(400, 400);
        canvas.show();
        QAccessibleInterface* whole = voice_of(&canvas);
        QVERIFY(
            whole->text(QAccessible::Description).startsWith(QStringLiteral("6 of 6 pairs are allowed.")));
        QCOMPARE(whole->childCount(), 2);
        QAccessibleTableInterface* table = whole->child(1)->tableInterface();
        QVERIFY(table);
        QCOMPARE(table->rowCount(), 2);
        QCOMPARE(table->columnCount(), 3);
        QCOMPARE(table->rowDescription(1), QStringLiteral("b"));
        QCOMPARE(table->columnDescription(2), QStringLiteral("z"));
        QAccessibleInterface* cell = table->cellAt(1, 2);
        QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("“b” (2) may look at “z” (3)."));
        QCOMPARE(cell->rect(), QRect(canvas.mapToGlobal(canvas.cell_rect(1, 2).toAlignedRect().topLeft()),
                                     canvas.cell_rect(1, 2).toAlignedRect().size()));
        QVERIFY(cell->state().checkable && cell->state().checked && !cell->state().selected);

        ScreenReader reader;
        QTest::keyClick(&canvas, Qt::Key_Down);
        QCOMPARE(reader.last(QAccessible::Focus), QStringLiteral("“b” (2) may look at “x” (1)."));
        QCOMPARE(whole->text(QAccessible::Value), reader.last(QAccessible::Focus));
        QVERIFY(table->cellAt(1, 0)->state().selected);
        reader.forget();
        QTest::keyClick(&canvas, Qt::Key_Space);
        QCOMPARE(reader.last(QAccessible::NameChanged), QStringLiteral("“b” (2) may not look at “x” (1)."));
        QVERIFY(reader.has_heard(QAccessible::StateChanged) && reader.has_heard(QAccessible::ValueChanged));
        QVERIFY(!whole->child(0)->state().checked);
        QCOMPARE(whole->valueInterface()->currentValue().toInt(), 0);
        QVERIFY(whole->text(QAccessible::Description).startsWith(QStringLiteral("5 of 6 pairs")));

        cell->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QVERIFY(drawing.allowed(1, 2) && cell->state().selected);
        cell->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        QVERIFY(!drawing.allowed(1, 2) && !cell->state().checked);
        drawing.undo();
        QVERIFY2(drawing.allowed(1, 2), "what a screen reader turns over is one step of undo");
    }

    void colours_and_axes_are_named_and_buttons_say_what_they_do() {
        Document document(small_session("causal"));
        MaskEditor editor(document);
        editor.show();
        const auto* legend = editor.findChild<MaskLegend*>();
        QVERIFY(legend && legend->isVisible());
        QCOMPARE(legend->entries().size(), 2);
        QVERIFY(legend->entries()[0].startsWith(QLatin1String("allowed")));
        QVERIFY(legend->entries()[1].startsWith(QLatin1String("forbidden")));
        editor.findChild<QSlider*>(QStringLiteral("mask_layers"))->setValue(3);
        QTRY_COMPARE(legend->entries().size(), 3);
        QVERIFY(legend->entries()[2].contains(QLatin1String("within 3 layers")));
        for (const auto& [id, text] : {std::pair("mask_all", "Allow all"), {"mask_none", "Forbid all"}})
            QCOMPARE(editor.findChild<QToolButton*>(QLatin1String(id))->text(), QLatin1String(text));
        // The titles of the axes stand in bands of their own, whatever the size of the cells.
        auto* canvas = editor.findChild<MaskCanvas*>();
        const QImage picture = canvas->grab().toImage();
        const int band = canvas->fontMetrics().height();
        const auto has_ink = [&](const QRect& part) {
            for (int y = part.top(); y <= part.bottom(); ++y)
                for (int x = part.left(); x <= part.right(); ++x)
                    if (picture.pixel(x, y) != picture.pixel(0, 0))
                        return true;
            return false;
        };
        const QRectF matrix = canvas->cell_rect(0, 0).united(canvas->cell_rect(3, 3));
        QVERIFY(has_ink(QRect(int(matrix.left()), 0, int(matrix.width()), band)));
        QVERIFY(has_ink(QRect(0, int(matrix.top()), band, int(matrix.height()))));
    }

    void the_keys_draw_too() {
        Document document(small_session("scaled_dot_product"));
        MaskEditor editor(document);
        editor.show();
        auto* canvas = editor.findChild<MaskCanvas*>();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Space);
        QVERIFY(!editor.drawing().allowed(0, 0));
        QTest::keyClick(canvas, Qt::Key_Down);
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(!editor.drawing().allowed(1, 0) && !editor.drawing().allowed(1, 1));
        QTest::keyClick(canvas, Qt::Key_C);
        for (Index query = 0; query < editor.drawing().queries(); ++query)
            QVERIFY(!editor.drawing().allowed(query, 1));
        QVERIFY(editor.findChild<QLabel*>("mask_cell")->text().contains(QLatin1String("may not look")));
    }

    void a_drawn_mask_is_not_dropped_unasked_data() {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("is_closed");
        QTest::addColumn<bool>("is_used");
        QTest::newRow("go on drawing") << QStringLiteral("Cancel") << false << false;
        QTest::newRow("use it") << QStringLiteral("&Use this mask") << true << true;
        QTest::newRow("drop it") << QStringLiteral("&Drop it") << true << false;
    }
    void a_drawn_mask_is_not_dropped_unasked() {
        QFETCH(QString, answer);
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        QTest::mouseClick(test.find("edit_mask"), Qt::LeftButton);
        QPointer<MaskEditor> editor = test.find<MaskEditor>("mask_editor");
        editor->drawing().begin_stroke();
        editor->drawing().toggle(1, 2);
        test.answer("drawn_mask_question", answer);
        QTest::keyClick(editor, Qt::Key_Escape);
        QTEST(!editor || !editor->isVisible(), "is_closed");
        QTEST(test.session().drawn_mask != nullptr, "is_used");
        if (editor) {  // as found it closes without a question
            editor->drawing().undo();
            editor->close();
            QVERIFY(!editor || !editor->isVisible());
        }
    }

    void a_mask_that_is_being_drawn_survives_a_kill() {
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        QTest::mouseClick(test.find("edit_mask"), Qt::LeftButton);
        auto* editor = test.find<MaskEditor>("mask_editor");
        editor->drawing().begin_stroke();
        editor->drawing().toggle(1, 2);
        const auto work = test.window().findChild<Autosave*>()->path();
        QTRY_VERIFY(exists(work) && parse_last_work(read_file(work)).drawing);
        test.kill();
        test.start();
        QVERIFY(test.session().drawn_mask != nullptr);
        QVERIFY(!test.document().run()->plan->allowed.allowed(1, 2));
        QVERIFY(test.message("file_message").contains(QLatin1String("the mask that you were drawing")));
        test.trigger("edit_undo");
        QVERIFY(!test.session().drawn_mask);
    }

    void a_pattern_is_joined_and_what_layers_reach_is_shown() {
        Document document(small_session("scaled_dot_product"));
        MaskEditor editor(document);
        editor.show();
        const auto press = [&](const char* id) {
            editor.findChild<QToolButton*>(QLatin1String(id))->click();
        };
        auto* patterns = editor.findChild<WordCombo*>("mask_pattern");
        emit patterns->chosen("window");
        press("join_replace");
        const Index tokens = editor.drawing().keys();
        QVERIFY(!editor.drawing().allowed(0, 1));
        auto* text = editor.findChild<QLabel*>("mask_field");
        QTRY_VERIFY(text->text().contains(QLatin1String("After 1 layer")));
        editor.findChild<QSlider*>("mask_layers")->setValue(8);
        QTRY_VERIFY(text->text().contains(QLatin1String("After 8 layers")));
        QTRY_VERIFY2(text->text().contains(QString::number(tokens * (tokens + 1) / 2)),
                     qPrintable(text->text()));
        press("mask_none");
        press("join_either");
        QVERIFY(editor.drawing().allowed(2, 2));
        press("mask_invert");
        QVERIFY(!editor.drawing().allowed(2, 2));
    }

    void a_mask_for_other_tokens_can_be_fitted() {
        Session session = small_session("scaled_dot_product");
        session.drawn_mask = std::make_shared<const MatrixMask>(MatrixMask{{{false, true}, {true, true}}});
        Document document(session);
        QVERIFY(document.error());
        MaskEditor editor(document);
        QVERIFY(!editor.drawing().allowed(0, 0));
        QVERIFY(editor.drawing().allowed(3, 3));
        editor.accept();
        QVERIFY(!document.error());
    }

    void five_hundred_tokens_stay_fluid() {
        Session session = small_session("scaled_dot_product");
        session.sequence.query_text = long_text(512);
        session.sequence.vectors.dimension = 4;
        session.sequence.vectors.kind = VectorKind::random;
        Document document(session);
        MaskEditor editor(document);
        editor.show();
        QVERIFY(QTest::qWaitForWindowExposed(&editor, patience));
        auto* canvas = editor.findChild<MaskCanvas*>();
        QTest::mousePress(canvas, Qt::LeftButton, {}, canvas->cell_rect(10, 10).center().toPoint());
        QElapsedTimer clock;
        clock.start();
        constexpr int moves = 20;
        for (int move = 1; move <= moves; ++move) {
            QTest::mouseMove(canvas, canvas->cell_rect(10 + 20 * move, 500 - 20 * move).center().toPoint());
            canvas->repaint();
        }
        const double each = double(clock.elapsed()) / moves;
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, canvas->cell_rect(400, 100).center().toPoint());
        QVERIFY2(each < 100, qPrintable(QString::number(each)));
    }
};

QTEST_MAIN(MaskEditorTest)

}  // namespace headlight::mask_editor_test

#include "mask_editor_test.moc"
