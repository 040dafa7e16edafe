// The Figure panel: what a person sets there is drawn, kept, undone and put back.

#include "core/io/files.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/figure_panel.h"
#include "ui/panels/font_combo.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/typeface.h"
#include "ui/views/figure_canvas.h"

#include <QCheckBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSpinBox>

namespace headlight::figure_panel_test {

class FigurePanelTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        WindowedTest::init();
        Session session = small_session("multi_head");
        session.view.view = ViewKind::heatmap;
        open_session(test_->document(), session);
        test_->trigger("figure_panel");
        QTRY_VERIFY(test_->find("figure-title")->isVisible());
    }

    void it_is_hidden_until_somebody_asks() {
        test_.reset();
        QVERIFY(!test_->find("figure-title")->isVisible());
        QVERIFY(test_->find("inspector_dock")->isVisible());
    }

    void it_comes_back_with_its_column() {
        test_->trigger("fold_right");
        QVERIFY(!test_->find("figure-title")->isVisible());
        test_->trigger("figure_panel");
        QTRY_VERIFY(test_->find("figure-title")->isVisible());
        test_->trigger("fold_right");
        test_->trigger("fold_right");
        QTRY_VERIFY(test_->find("figure-title")->isVisible());
        QVERIFY(!test_->find("inspector_dock")->isHidden());
    }

    void every_control_has_a_name_and_says_what_it_does() {
        const QWidget* panel = test_->window().findChild<FigurePanel*>();
        int controls = 0;
        for (const QWidget* each : panel->findChildren<QWidget*>()) {
            const bool is_control =
                qobject_cast<const QAbstractButton*>(each) || qobject_cast<const QAbstractSpinBox*>(each) ||
                qobject_cast<const QComboBox*>(each) || qobject_cast<const QPlainTextEdit*>(each) ||
                (qobject_cast<const QLineEdit*>(each) &&
                 !qobject_cast<const QAbstractSpinBox*>(each->parent()));
            if (!is_control)
                continue;
            ++controls;
            QVERIFY2(!each->accessibleName().isEmpty(), qPrintable(each->objectName()));
            QVERIFY2(!each->toolTip().isEmpty(), qPrintable(each->objectName()));
            QCOMPARE(each->accessibleDescription(), each->toolTip());
        }
        QVERIFY(controls > 20);
    }

    void nothing_is_cut_off_at_1280_by_720() {
        test_->window().resize(1280, 720);
        QTRY_COMPARE(test_->window().size(), QSize(1280, 720));
        const QWidget* panel = test_->window().findChild<FigurePanel*>();
        const auto* area = qobject_cast<const QScrollArea*>(panel->parentWidget()->parentWidget());
        QVERIFY(area);
        QTRY_COMPARE(panel->width(), area->viewport()->width());
        for (const auto* box : panel->findChildren<QAbstractButton*>())
            QVERIFY2(box->width() >= box->minimumSizeHint().width(), qPrintable(box->text()));
        for (const auto* field : panel->findChildren<QAbstractSpinBox*>())
            QVERIFY2(field->width() >= field->minimumSizeHint().width(), qPrintable(field->objectName()));
        QVERIFY(test_->window().findChild<ViewTabs*>()->width() > 640);
    }

    void titles_are_drawn_kept_and_undone() {
        type("figure-title", QStringLiteral("Alignment"));
        type("figure-x-title", QStringLiteral("source"));
        QVERIFY(options().title == "Alignment");
        QCOMPARE(canvas().figure()->title, std::string("Alignment"));
        QCOMPARE(canvas().figure()->panels.front().column_axis.title, std::string("source"));
        QVERIFY(write_session(test_->session()).find("Alignment") != std::string::npos);
        test_->trigger("edit_undo");
        QVERIFY(options().x_title == std::nullopt);
        QCOMPARE(edit("figure-x-title")->text(), QString());
        QVERIFY(options().title == "Alignment");
        test_->trigger("edit_undo");  // all of the word, which was typed at once
        QVERIFY(options() == FigureOptions());
        QCOMPARE(edit("figure-title")->text(), QString());
        test_->trigger("edit_redo");
        QCOMPARE(edit("figure-title")->text(), QStringLiteral("Alignment"));
    }

    void a_title_that_is_left_out_comes_back_as_it_was() {
        type("figure-title", QStringLiteral("Mine"));
        test_->find<QCheckBox>("figure-title-drawn")->click();
        QVERIFY(options().title == "");
        QCOMPARE(canvas().figure()->title, std::string());
        QVERIFY(!edit("figure-title")->isEnabled());
        test_->find<QCheckBox>("figure-title-drawn")->click();
        QVERIFY(options().title == "Mine");
    }

    void four_heads_stand_in_one_row() {
        test_->trigger("view_3");
        const Index heads = std::ssize(canvas().figure()->panels);
        QVERIFY(heads > 1);
        auto* in_row = test_->find<QSpinBox>("figure-panel-columns");
        for (const Index wanted : {heads, Index(1)}) {
            in_row->setValue(static_cast<int>(wanted));
            QVERIFY(options().panel_columns == wanted);
            QCOMPARE(canvas().figure()->columns, wanted);
        }
        test_->trigger("edit_undo");
        QCOMPARE(in_row->value(), 0);
        QVERIFY(options() == FigureOptions());
    }

    void a_number_is_typed_over_the_word_wherever_it_is_clicked() {
        auto* size = test_->find<QDoubleSpinBox>("figure-size");
        auto* text = size->findChild<QLineEdit*>();
        const std::pair<const char*, double> places[] = {{"7", 0.1}, {"8", 0.9}};
        for (const auto& [typed, place] : places) {
            size->setValue(size->minimum());
            QTest::mouseClick(text, Qt::LeftButton, {},
                              QPoint(static_cast<int>(text->width() * place), text->height() / 2));
            QTest::keyClicks(text, QString::fromLatin1(typed));
            QCOMPARE(options().type.size.value_or(0), QByteArray(typed).toDouble());
        }
        size->setValue(size->minimum());
        QTest::mouseDClick(text, Qt::LeftButton, {}, text->rect().center());
        QTest::mouseRelease(text, Qt::LeftButton, {}, text->rect().center());
        QTest::keyClicks(text, QStringLiteral("9"));
        QCOMPARE(options().type.size.value_or(0), 9.0);
    }

    void rows_and_columns_are_those_that_are_hovered_and_clicked() {
        type("figure-rows", QStringLiteral("2..4"));
        type("figure-columns", QStringLiteral("3..4"));
        const Panel& panel = canvas().figure()->panels.front();
        QCOMPARE(panel.rows, Index(3));
        QCOMPARE(panel.columns, Index(2));
        const QRectF first = canvas().cell_rect(0, 1, 2);
        QVERIFY(!first.isEmpty());
        QVERIFY(canvas().cell_rect(0, 0, 0).isEmpty());
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, first.center().toPoint());
        QCOMPARE(test_->document().view().selection.query, Index(1));
        QCOMPARE(test_->document().view().selection.key, Index(2));
        QVERIFY(canvas().figure()->panels.front().selected_row == Index(0));
        QVERIFY(canvas().figure()->panels.front().selected_column == Index(0));
        // The arrow keys may leave what is drawn.
        QTest::keyClick(&canvas(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(test_->document().view().selection.key, Index(1));
        QVERIFY(canvas().figure()->panels.front().selected_column == std::nullopt);
        canvas().grab();
    }

    void a_part_can_be_zoomed_and_looked_at_in_every_view() {
        Session session = small_session("multi_head");
        session.sequence.query_text = long_text(40);
        session.figure.options.rows = AxisSlice{10, 20};
        session.figure.options.columns = AxisSlice{5, 25};
        session.figure.options.heads = {2, 5};
        session.figure.options.marks = {{{12, 1}, {7, 2}}};
        open_session(test_->document(), session);
        for (const View& each : views()) {
            if (!missing_for(each.kind, {}).empty() || each.reads_every_head)
                continue;
            test_->document().looking().look_at(in_view(test_->document().view(), each.kind));
            test_->window().findChild<ViewTabs*>()->currentWidget()->grab();
        }
        test_->document().looking().look_at(in_view(test_->document().view(), ViewKind::heatmap));
        test_->document().looking().zoom_to(ZoomedPart{{20, 4, 10}, {25, 2, 12}});
        QCOMPARE(canvas().figure()->panels.front().row_axis.first, Index(14));
        QCOMPARE(canvas().figure()->panels.front().column_axis.first, Index(7));
        QVERIFY(!canvas().cell_rect(0, 14, 7).isEmpty());
        QVERIFY(canvas().cell_rect(0, 13, 7).isEmpty());
        canvas().grab();
        test_->document().looking().look_at(in_view(test_->document().view(), ViewKind::grid));
        QCOMPARE(test_->document().figure()->panels.size(), 2UL);
    }

    void what_means_nothing_is_said_and_changes_nothing() {
        const QWidget* problem = test_->find("figure-heads-problem");
        QVERIFY(!problem->isVisible());
        type("figure-heads", QStringLiteral("1,"));
        QVERIFY(problem->isVisible());
        FigureOptions first;
        first.heads = {0};
        QVERIFY(options() == first);
        QCOMPARE(edit("figure-heads")->text(), QStringLiteral("1,"));
        QTest::keyClicks(edit("figure-heads"), QStringLiteral("3-4"));
        QVERIFY(!problem->isVisible());
        QVERIFY(options().heads == (std::vector<Index>{0, 2, 3}));
        type("figure-hidden-labels", QStringLiteral("(("));
        QVERIFY(test_->find("figure-hidden-labels-problem")->isVisible());
        QVERIFY(options().hidden_labels.empty());
    }

    void labels_are_renamed_by_what_people_type_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("other");
        const auto row = [](const char* line, const char* label, const char* other) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(label)
                                << QString::fromUtf8(other);
        };
        row("river → stream", "river", "stream");
        row("river -> stream", "river", "stream");
        row("river->stream", "river", "stream");
        row("river = stream", "river", "stream");
        row("a=b -> c", "a=b", "c");
        row("-> = arrow", "->", "arrow");
        row("-> -> arrow", "->", "arrow");
        row("-> → arrow", "->", "arrow");
        row("a->b = c", "a->b", "c");
        row("vec = 5\u00a0MB", "vec", "5\u00a0MB");
    }
    void labels_are_renamed_by_what_people_type() {
        QFETCH(const QString, line);
        QFETCH(const QString, label);
        QFETCH(const QString, other);
        auto* text = test_->find<QPlainTextEdit>("figure-renamed");
        text->setPlainText(line);
        const std::map<std::string, std::string> expected{{label.toStdString(), other.toStdString()}};
        QVERIFY(options().renamed == expected);
    }

    void labels_are_written_otherwise() {
        auto* text = test_->find<QPlainTextEdit>("figure-renamed");
        text->setFocus();
        QTest::keyClicks(text, QStringLiteral("river = stream"));
        const std::map<std::string, std::string> expected{{"river", "stream"}};
        QVERIFY(options().renamed == expected);
        QCOMPARE(canvas().figure()->panels.front().row_axis.labels[1], std::string("stream"));
        QCOMPARE(text->toPlainText(), QStringLiteral("river = stream"));
        test_->trigger("edit_undo");
        QCOMPARE(text->toPlainText(), QString());
        test_->trigger("edit_redo");
        QCOMPARE(text->toPlainText(), QString::fromUtf8("river → stream"));
    }

    void what_is_selected_is_framed() {
        Selection selection = test_->document().view().selection;
        selection.query = 2;
        selection.key = 1;
        test_->document().looking().select(selection);
        test_->find<QAbstractButton>("figure-mark-selected")->click();
        QCOMPARE(edit("figure-marks")->text(), QStringLiteral("3,2"));
        const std::vector<MarkedCells> expected{{{2, 1}, {1, 1}}};
        QVERIFY(canvas().figure()->panels.front().outlined == expected);
        test_->document().looking().select_block(CellBlock{"weights", 4, 4, 1, 2, 0, 3});
        test_->find<QAbstractButton>("figure-mark-selected")->click();
        test_->find<QAbstractButton>("figure-mark-selected")->click();
        QCOMPARE(edit("figure-marks")->text(), QStringLiteral("3,2 2-3,1-3"));
    }

    void texts_and_arrows_are_drawn_kept_and_undone() {
        type("figure-notes", QStringLiteral("2,1 here; 1,3>2,2"));
        const std::vector<CellNote> expected{{{1, 0}, {}, "here"}, {{1, 1}, NotedCell{0, 2}, ""}};
        QVERIFY(options().notes == expected);
        QVERIFY(canvas().figure()->panels.front().notes == expected);
        type("figure-notes", QStringLiteral("2,1"));
        QVERIFY2(options().notes == expected, "what is none changes nothing");
        test_->trigger("edit_undo");
        QVERIFY(options().notes.empty());
    }

    void numbers_type_and_switches_are_kept() {
        test_->find<QSpinBox>("figure-digits")->setValue(3);
        test_->find<QDoubleSpinBox>("figure-size")->setValue(7.5);
        test_->find<QDoubleSpinBox>("figure-least-size")->setValue(5);
        test_->find<QDoubleSpinBox>("figure-line-width")->setValue(0.25);
        for (const char* id :
             {"figure-bar", "figure-transparent", "figure-panel-titles", "figure-caption", "figure-letters"})
            test_->find<QCheckBox>(id)->click();
        auto* font = test_->find<FontCombo>("figure-font");
        font->setFocus();
        QVERIFY(font->count() > 1);
        emit font->activated(1);
        FigureOptions expected;
        expected.digits = 3;
        expected.type = {font->itemData(1).toString().toStdString(), 7.5, 5, 0.25};
        expected.colour_bar = expected.panel_titles = expected.caption = false;
        expected.transparent = expected.letters = true;
        QVERIFY(options() == expected);
        QVERIFY(!canvas().figure()->show_colour_bar);
        test_->find<QCheckBox>("figure-values")->click();
        QVERIFY(!test_->session().figure.values_in_cells);
        QVERIFY(!test_->find("figure-digits")->isEnabled());
        canvas().grab();
    }

    void everything_is_put_back_by_one_button() {
        auto* reset = test_->find<QAbstractButton>("figure-reset");
        QVERIFY(!reset->isEnabled());
        const Session before = test_->session();
        type("figure-title", QStringLiteral("x"));
        type("figure-rows", QStringLiteral("2..3"));
        test_->find<QCheckBox>("figure-values")->click();
        QVERIFY(reset->isEnabled());
        reset->click();
        QVERIFY(same_edits(test_->session(), before));
        QCOMPARE(edit("figure-title")->text() + edit("figure-rows")->text(), QString());
        test_->trigger("edit_undo");
        QVERIFY(options().title == "x");
    }

    void colours_are_those_of_another_figure() {
        Session other = small_session("multi_head");
        other.view.view = ViewKind::heatmap;
        other.figure.range = RangeKind::fitted;
        const QString path = test_->file(QStringLiteral("other.json"));
        write_file_atomically(path.toStdString(), write_session(other));
        test_->window().files().take_range_of(path);
        QTRY_VERIFY(test_->session().figure.range.kind == RangeKind::numbers);
        const ColourRange& range = test_->session().figure.range;
        Session fitted = test_->session();
        fitted.figure.range = RangeKind::fitted;
        const std::shared_ptr<const Run> run = test_->document().run();
        const ColourScale scale =
            build_run_figure(*run, view_settings(fitted)).panels.front().scale;  // of the same numbers
        QVERIFY(range.from == scale.low && range.to == scale.high);
        QVERIFY(canvas().figure()->panels.front().scale.high == scale.high);
        test_->trigger("edit_undo");
        QVERIFY(test_->session().figure.range == RangeKind::unit);
    }

    void a_rectangle_belongs_to_a_whole_matrix() {
        type("figure-rows", QStringLiteral("2..3"));
        test_->document().looking().select_block(CellBlock{"weights", 4, 4, 1, 2, 0, 3});
        canvas().grab();
        QTest::keyClick(&canvas(), Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
        canvas().grab();
        QCOMPARE(test_->document().view().block->rows, Index(2));
    }

private:
    const FigureOptions& options() { return test_->session().figure.options; }
    QLineEdit* edit(const char* id) { return test_->find<QLineEdit>(id); }
    void type(const char* id, const QString& text) {
        edit(id)->setFocus();
        edit(id)->selectAll();
        QTest::keyClicks(edit(id), text);
    }
    FigureCanvas& canvas() {
        return *test_->window().findChild<ViewTabs*>()->currentWidget()->findChild<FigureCanvas*>();
    }
};

QTEST_MAIN(FigurePanelTest)

}  // namespace headlight::figure_panel_test

#include "figure_panel_test.moc"
