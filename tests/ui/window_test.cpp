#include "tests/ui/windowed_test.h"
#include "ui/panels/number_control.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/token_strip.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/cell_text.h"
#include "ui/views/figure_canvas.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>

namespace headlight::window_test {

namespace {

void choose(QComboBox* combo, int row) {
    combo->setFocus();
    combo->setCurrentIndex(row);
    emit combo->activated(row);
}

}  // namespace

class WindowTest : public WindowedTest {
    Q_OBJECT
private slots:
    void first_start_shows_the_worked_example() {
        QVERIFY(test_->session() == example_session());
        QVERIFY(test_->document().run());
        QVERIFY(test_->message("run_message").isEmpty());
        QVERIFY(test_->window().windowTitle().contains(QLatin1String("Headlight")));
        QCOMPARE(test_->find<QPlainTextEdit>("query_text")->toPlainText().toStdString(),
                 example_session().sequence.query_text);
        QVERIFY(!test_->find("key_text")->isVisible());
    }

    void typed_text_becomes_tokens_and_is_undone_word_by_word() {
        auto* text = test_->find<QPlainTextEdit>("query_text");
        type_over(text, QStringLiteral("to be or"));
        QCOMPARE(test_->document().run()->plan->queries, Index(3));
        auto* tokens = test_->find<TokenStrip>("query_text_tokens");
        QCOMPARE(tokens->tokens(),
                 (QStringList{QStringLiteral("to"), QStringLiteral("be"), QStringLiteral("or")}));
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QStringLiteral("to be"));
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(text->toPlainText(), QStringLiteral("to be or"));
        QTest::keyClick(&test_->window(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text->toPlainText(), QStringLiteral("to be"));
        while (test_->document().history()->canUndo())
            test_->trigger("edit_undo");
        QVERIFY(test_->session() == example_session());
        while (test_->document().history()->canRedo())
            test_->trigger("edit_redo");
        QCOMPARE(text->toPlainText(), QStringLiteral("to be or"));
    }

    void emptying_the_text_says_so_and_keeps_the_picture() {
        const auto run = test_->document().run();
        auto* text = test_->find<QPlainTextEdit>("query_text");
        text->setFocus();
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(text, Qt::Key_Delete);
        QCOMPARE(test_->message("run_message"),
                 QStringLiteral("Type a query text: the picture shows the last one."));
        QCOMPARE(test_->find<Banner>("run_message")->kind(), Banner::Kind::notice);
        QCOMPARE(test_->document().run(), run);
        QTest::keyClicks(text, QStringLiteral("again"));
        QVERIFY(test_->message("run_message").isEmpty());
    }

    void an_unknown_word_is_marked() {
        type_over(test_->find("query_text"), QStringLiteral("the zzyzxq"));
        const TokenLabels& labels = test_->document().run()->trace->tokens;
        QCOMPARE(labels.query_unknown, (std::vector<bool>{false, true}));
    }

    void a_token_chosen_in_the_strip_is_chosen_everywhere() {
        auto* tokens = test_->find<TokenStrip>("query_text_tokens");
        QTest::mouseClick(tokens, Qt::LeftButton, {}, tokens->chip(3).center());
        QCOMPARE(test_->session().view.selection.query, Index(3));
        tokens->setFocus();
        QTest::keyClick(tokens, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(test_->session().view.selection.query, Index(4));
    }

    void right_to_left_text_runs_from_the_right() {
        test_->find<QPlainTextEdit>("query_text")->setPlainText(QStringLiteral("שלום עולם"));
        auto* tokens = test_->find<TokenStrip>("query_text_tokens");
        QTRY_COMPARE(tokens->tokens().size(), 2);
        QVERIFY(tokens->chip(0).left() > tokens->chip(1).left());
    }

    void after_picking_a_mechanism_the_keys_belong_to_the_picture() {
        test_->window().activateWindow();
        test_->find("parameter_source")->setFocus();
        test_->trigger("choose_mechanism");
        QTest::keyClicks(test_->find("mechanism_search"), QStringLiteral("multi"));
        QTest::keyClick(test_->find("mechanism_search"), Qt::Key_Return);
        QCOMPARE(test_->session().mechanism, std::string("multi_head"));
        auto* picture = test_->window().views().view(ViewKind::stages)->focusProxy();
        QCOMPARE(test_->window().focusWidget(), picture);
        const Selection before = test_->session().view.selection;
        QTest::keyClick(picture, Qt::Key_Right);
        QVERIFY(!(test_->session().view.selection == before));
        const ParameterValues values = test_->session().values;
        auto* player = test_->window().findChild<PlayerBar*>();
        QTest::keyClick(picture, Qt::Key_Space);
        QVERIFY(player->is_playing());
        QVERIFY(test_->session().values == values);
    }

    void a_knob_that_the_next_mechanism_has_too_keeps_the_keyboard() {
        const auto focused = [&] { return test_->window().focusWidget(); };
        test_->document().reset(small_session("soft"));
        test_->window().activateWindow();
        test_->find("parameter_temperature")->setFocus();
        test_->document().edit({"Choose", small_session("multi_head")});
        QCOMPARE(focused(), test_->find("parameter_temperature"));
        test_->find("parameter_heads")->setFocus();
        test_->document().edit({"Choose", small_session("scaled_dot_product")});
        QCOMPARE(focused(), test_->window().views().view(ViewKind::stages)->focusProxy());
    }

    void a_search_finds_names_before_anything_else_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("found");
        QTest::newRow("the beginning of a name") << "multi"
                                                 << "multi_head";
        QTest::newRow("in any case") << "MULTI"
                                     << "multi_head";
        QTest::newRow("words of a name, the first that is taught") << "product attention"
                                                                   << "dot";
        QTest::newRow("a name before a longer one that contains it") << "self-attention"
                                                                     << "self_attention";
        QTest::newRow("an id") << "scaled_dot_product"
                               << "scaled_dot_product";
        QTest::newRow("an alias") << "multiplicative"
                                  << "dot";
        QTest::newRow("an author") << "bahdanau"
                                   << "additive";
        QTest::newRow("words of a name that do not stand together") << "sliding attention"
                                                                    << "window";
    }
    void a_search_finds_names_before_anything_else() {
        QFETCH(QString, typed);
        QFETCH(QString, found);
        test_->trigger("choose_mechanism");
        QTest::keyClicks(test_->find("mechanism_search"), typed);
        QTest::keyClick(test_->find("mechanism_search"), Qt::Key_Return);
        QCOMPARE(QString::fromStdString(test_->session().mechanism), found);
    }

    void a_drag_of_a_slider_is_one_step() {
        const Session start = small_session("soft");
        test_->document().reset(start);
        auto* slider = test_->find<QSlider>("parameter_temperature_slider");
        QVERIFY(slider);
        slider->setSliderDown(true);
        for (int position = 500; position < 700; position += 10)
            slider->setSliderPosition(position);
        slider->setSliderDown(false);
        QCOMPARE(test_->document().history()->count(), 1);
        test_->trigger("edit_undo");
        QVERIFY(test_->session() == start);
    }

    void knobs_that_both_have_are_kept_across_mechanisms() {
        Session session = small_session("dot");
        session.values["projections"] = std::string("identity");
        test_->document().reset(session);
        test_->trigger("next_mechanism");
        QVERIFY(test_->session().mechanism != session.mechanism);
        QVERIFY(test_->session().values == session.values);
        QTest::mouseClick(test_->find("reset_parameters"), Qt::LeftButton);
        QVERIFY(test_->session().values.empty());
    }

    void the_example_of_a_mechanism_can_be_shown() {
        QTest::mouseClick(test_->find("use_example"), Qt::LeftButton);
        QCOMPARE(test_->session().sequence.query_text, mechanism(test_->session().mechanism).example.query);
    }

    void vectors_dimension_and_positions_are_chosen() {
        choose(test_->find<QComboBox>("vectors"), int(VectorKind::hashed));
        QVERIFY(test_->session().sequence.vectors.kind == VectorKind::hashed);
        auto* dimension = test_->find<QDoubleSpinBox>("dimension");
        type_over(dimension, QStringLiteral("16"));
        QTest::keyClick(dimension, Qt::Key_Return);
        QCOMPARE(test_->document().run()->plan->inputs.query.cols(), Index(16));
        QTest::keyClick(test_->find<QCheckBox>("positions"), Qt::Key_Space);
        QVERIFY(test_->document().run()->trace->find("position"));
        choose(test_->find<QComboBox>("split"), int(TokenSplit::characters));
        QCOMPARE(test_->document().run()->plan->queries, Index(test_->session().sequence.query_text.size()));
    }

    void one_hot_vectors_get_an_axis_for_every_token() {
        Session session = test_->session();
        session.sequence.vectors.dimension = 2;
        test_->document().reset(session);
        choose(test_->find<QComboBox>("vectors"), int(VectorKind::one_hot));
        QVERIFY2(!test_->document().error(), qPrintable(test_->message("run_message")));
        QVERIFY(test_->session().sequence.vectors.dimension > 2);
    }

    void the_dimension_slider_stops_where_the_heads_divide_it() {
        test_->document().reset([] {
            Session session = small_session("multi_head");
            session.values["heads"] = Index(4);
            return session;
        }());
        auto* slider = test_->find<QSlider>("dimension_slider");
        slider->setFocus();
        for (int press = 0; press < 12; ++press) {
            QTest::keyClick(slider, Qt::Key_PageUp);
            QCOMPARE(test_->session().sequence.vectors.dimension % 4, Index(0));
            QVERIFY(!test_->document().error());
        }
    }

    void a_parameter_is_edited_in_its_cell() {
        test_->document().reset(small_session("self_attention"));
        test_->find<QDockWidget>("parameters_dock")->raise();
        auto* table = test_->find<QTableView>("parameter_table");
        QTRY_VERIFY(table->isVisible());
        const QModelIndex cell = table->model()->index(1, 2);
        table->setCurrentIndex(cell);
        table->edit(cell);
        auto* editor = table->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("0.125"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(test_->document().run()->plan->parameter("W_q")(1, 2), 0.125);
        const auto* problem = test_->find<QLabel>("parameter_table_problem");
        QVERIFY(!problem->isVisible());
        QTRY_VERIFY(!table->findChild<QLineEdit*>());
        table->edit(cell);
        editor = table->findChild<QLineEdit*>();
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("abc"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(problem->isVisible());
        QCOMPARE(problem->text(),
                 QStringLiteral("W_q[2, 3] needs a number, such as −0.25 or 1e-3. Here: abc."));
        QCOMPARE(test_->document().run()->plan->parameter("W_q")(1, 2), 0.125);
        QTest::mouseClick(test_->find("forget_edits"), Qt::LeftButton);
        QVERIFY(test_->session().edited.empty());
        test_->trigger("edit_undo");
        QCOMPARE(test_->document().run()->plan->parameter("W_q")(1, 2), 0.125);
    }

    void a_parameter_is_read_whole_in_its_cell() {
        test_->document().reset(small_session("self_attention"));
        test_->find<QDockWidget>("parameters_dock")->raise();
        auto* table = test_->find<QTableView>("parameter_table");
        QTRY_VERIFY(table->isVisible());
        const QModelIndex cell = table->model()->index(1, 2);
        const auto has_room = [&] {
            const int margin = table->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, table) + 1;
            const int grid = 1;
            return table->fontMetrics().horizontalAdvance(cell.data().toString()) + 2 * margin + grid <=
                   table->columnWidth(2);
        };
        for (const auto& [typed, shown] : {std::pair("-0.0012345", "−0.001234"),
                                           {"-0.00012346", "−0.0001235"},
                                           {"-1.2346e-7", "−1.235×10⁻⁷"},
                                           {"-1.2346e-200", "−1.235×10⁻²⁰⁰"},
                                           {"-123456", "−123456"}}) {
            QVERIFY(table->model()->setData(cell, QLatin1String(typed)));
            QTRY_COMPARE(cell.data().toString(), QString::fromUtf8(shown));
            QTRY_VERIFY2(has_room(), shown);
        }
        test_->trigger("theme_projector");
        QTRY_VERIFY(has_room());
    }

    void a_parameter_has_a_window_of_its_own() {
        Session session = small_session("self_attention");
        session.sequence.vectors.dimension = 64;
        test_->document().reset(session);
        test_->find<QDockWidget>("parameters_dock")->raise();
        test_->click("larger_parameter");
        auto* dialog = test_->find<QDialog>("parameter_dialog");
        auto* table = test_->find<QTableView>("large_parameter_table");
        QVERIFY(QTest::qWaitForWindowActive(dialog, patience));
        QTRY_VERIFY(table->hasFocus());
        const QSize screen = dialog->screen()->availableSize();
        QVERIFY2(dialog->width() > screen.width() * 9 / 10, "64 columns take what there is");
        QVERIFY(dialog->width() <= screen.width() && dialog->height() <= screen.height());
        dialog->resize(1240, 640);  // on a screen of 1280 x 720
        QTRY_VERIFY(table->columnAt(table->viewport()->width() - 1) >= 12);
        QTRY_VERIFY(table->rowAt(table->viewport()->height() - 1) >= 12);

        const double before = test_->document().run()->plan->parameter("W_q")(9, 8);
        const QModelIndex cell = table->model()->index(9, 8);
        table->setCurrentIndex(cell);
        table->edit(cell);
        auto* editor = table->findChild<QLineEdit*>();
        QVERIFY(editor);
        type_over(editor, QStringLiteral("0.125"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(test_->document().run()->plan->parameter("W_q")(9, 8), 0.125);
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY2(dialog->isVisible(), "Return is the table's");
        QTest::keyClick(table, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(test_->document().run()->plan->parameter("W_q")(9, 8), before);
        QTest::keyClick(table, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
        QTest::mouseClick(test_->find("larger_parameter"), Qt::LeftButton);
        QVERIFY(dialog->isVisible());
        test_->document().reset(small_session("dot"));
        QTRY_VERIFY2(!dialog->isVisible(), "it has no parameters");
    }

    void parameters_are_drawn_again_or_made_the_identity() {
        test_->document().reset(small_session("self_attention"));
        const double before = test_->document().run()->plan->parameter("W_q")(0, 0);
        QTest::mouseClick(test_->find("reseed"), Qt::LeftButton);
        QVERIFY(test_->document().run()->plan->parameter("W_q")(0, 0) != before);
        choose(test_->find<QComboBox>("parameter_origin"), int(ParameterOrigin::identity));
        QCOMPARE(test_->document().run()->plan->parameter("W_q")(0, 0), 1.0);
        QCOMPARE(test_->document().run()->plan->parameter("W_q")(0, 1), 0.0);
    }

    void the_mask_shows_what_the_other_order_would_change() {
        test_->document().reset(small_session("causal"));
        auto* difference = test_->find<QLabel>("mask_difference");
        QVERIFY(difference->isVisible());
        QVERIFY(difference->text().contains(QStringLiteral("−∞")));
        QTest::keyClick(test_->find<QCheckBox>("mask_infinite"), Qt::Key_Space);
        QVERIFY(test_->session().mask_value);
        QVERIFY2(difference->text().contains(QLatin1String("up to")), qPrintable(difference->text()));
        test_->document().reset(small_session("dot"));
        QVERIFY(!difference->isVisible());
    }

    void keys_of_the_mechanism_bring_its_panel_to_the_front() {
        auto* parameters = test_->find<QDockWidget>("parameters_dock");
        auto* mechanism = test_->find<QDockWidget>("mechanism_dock");
        parameters->raise();
        QTRY_VERIFY(mechanism->visibleRegion().isEmpty());
        test_->trigger("choose_mechanism");
        QTRY_VERIFY(!mechanism->visibleRegion().isEmpty());
        auto* search = test_->find("mechanism_search");
        QVERIFY(search->isVisible());
        QTest::keyClick(search, Qt::Key_Escape);
        parameters->raise();
        QTRY_VERIFY(mechanism->visibleRegion().isEmpty());
        test_->trigger("compose_mechanism");
        QTRY_VERIFY(!test_->find("own_name")->visibleRegion().isEmpty());
    }

    void a_word_in_the_field_of_a_number_is_read_from_its_beginning() {
        test_->document().reset(small_session("retention"));
        auto* field = test_->find<QDoubleSpinBox>("parameter_gamma");
        QVERIFY(field && field->text().startsWith(QLatin1String("one per head")));
        QCOMPARE(field->findChild<QLineEdit*>()->cursorPosition(), 0);
        QVERIFY(field->toolTip().contains(field->text()));
    }

    void a_mask_offers_only_what_the_algorithm_can_do() {
        auto* note = test_->find<QLabel>("mask_difference");
        auto* draw = test_->find<QPushButton>("edit_mask");
        for (const char* id : {"mesa", "delta", "gated_delta", "kda"}) {
            if (!find_mechanism(id))
                continue;
            test_->document().reset(small_session(id));
            QVERIFY2(!test_->find("mask_order")->isVisible(), id);
            QVERIFY(!draw->isEnabled());
            QVERIFY(note->isVisible() && note->text().contains(QLatin1String("none to draw")));
            for (const char* taken : {"causal", "prefix", "wait k"})
                QVERIFY2(note->text().contains(QLatin1String(taken)), qPrintable(note->text()));
            QCOMPARE(draw->toolTip(), note->text());
            test_->trigger("edit_mask_action");
            QVERIFY(!test_->find("mask_accept"));
        }
        // A number that came along can be taken back where it is refused.
        Session session = small_session("retention");
        session.mask_value = -4;
        test_->document().reset(session);
        QVERIFY(test_->document().error());
        QTest::keyClick(test_->find<QCheckBox>("mask_infinite"), Qt::Key_Space);
        QVERIFY(!test_->document().error());
        QVERIFY2(draw->isEnabled(), "sums over keys take any mask");
        test_->document().reset(small_session("causal"));
        QVERIFY(draw->isEnabled() && test_->find("mask_order")->isVisible());
    }

    void range_norms_and_pooling_have_each_a_name_beside_the_tabs() {
        test_->document().reset(small_session("multi_head"));
        const auto sections = [this](const char* id) {
            QStringList titles;
            for (const QAction* action : test_->find<QToolButton>(id)->menu()->actions())
                if (action->isSeparator())
                    titles += action->text();
            return titles;
        };
        QCOMPARE(sections("colour_range"), QStringList({QStringLiteral("Range"), QStringLiteral("Scale")}));
        QCOMPARE(sections("weights_drawn"),
                 QStringList({QStringLiteral("Weights"), QStringLiteral("Heads"), QStringLiteral("Layers")}));
        const auto* drawn = test_->find<QToolButton>("weights_drawn");
        QCOMPARE(test_->find<QToolButton>("colour_range")->text(), QStringLiteral("Range: 0 to 1"));
        // Numbers with a sign have colours up to the largest of them, whatever weights have.
        Selection scores = test_->session().view.selection;
        const Selection weights = scores;
        scores.stage = "scores";
        test_->document().looking().select(scores);
        QCOMPARE(test_->find<QToolButton>("colour_range")->text(), QStringLiteral("Range: fitted"));
        test_->document().looking().select(weights);
        QCOMPARE(test_->find<QToolButton>("colour_range")->text(), QStringLiteral("Range: 0 to 1"));
        QCOMPARE(drawn->text(), QStringLiteral("Weights"));
        test_->trigger("weights_value_norms");
        QCOMPARE(drawn->text(), QStringLiteral("Norms"));
        test_->trigger("heads_mean");
        QCOMPARE(drawn->text(), QStringLiteral("Norms, pooled"));
        QVERIFY2(drawn->toolTip().endsWith(QLatin1String("value-weighted norms, mean of heads, each layer")),
                 qPrintable(drawn->toolTip()));
        test_->trigger("edit_undo");
        test_->trigger("edit_undo");
        QCOMPARE(drawn->text(), QStringLiteral("Weights"));
    }

    void views_and_settings_are_chosen_by_key_and_settings_are_undone() {
        QTest::keyClick(&test_->window(), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(test_->session().view.view == ViewKind::heatmap);
        QCOMPARE(test_->window().views().currentIndex(), 1);
        QTest::keyClick(&test_->window(), Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(test_->session().figure.scale == ScaleKind::logarithmic);
        test_->trigger("range_fitted");
        QVERIFY(test_->session().figure.range == RangeKind::fitted);
        test_->trigger("range_percentiles");
        QVERIFY(test_->session().figure.range == RangeKind::percentiles);
        QCOMPARE(test_->find<QToolButton>("colour_range")->text(), QStringLiteral("Range: percentiles, log"));
        test_->trigger("range_other");
        auto* typed = test_->find("range_dialog")->findChild<QLineEdit*>();
        auto* buttons = test_->find("range_dialog")->findChild<QDialogButtonBox*>();
        type_over(typed, QStringLiteral("0.2..0"));
        QVERIFY(!buttons->button(QDialogButtonBox::Ok)->isEnabled());
        type_over(typed, QStringLiteral("0..0.2"));
        QTest::keyClick(typed, Qt::Key_Return);
        QCOMPARE(range_word(test_->session().figure.range), std::string("0..0.2"));
        QCOMPARE(test_->find<QToolButton>("colour_range")->text(), QStringLiteral("Range: 0 to 0.2, log"));
        test_->trigger("colour_map_magma");
        QCOMPARE(test_->session().figure.colour_map, std::string("magma"));
        test_->trigger("values_in_cells");
        QVERIFY(!test_->session().figure.values_in_cells);
        while (test_->document().history()->canUndo())
            test_->trigger("edit_undo");
        QVERIFY(same_edits(test_->session(), example_session()));
        QCOMPARE(test_->window().views().currentIndex(), 1);  // looking is no edit
        test_->trigger("view_back");
        QVERIFY(test_->session() == example_session());
        QCOMPARE(test_->window().views().currentIndex(), 0);
    }

    void picture_and_inspector_show_the_same_cell_data() {
        QTest::addColumn<QString>("stage");
        QTest::addColumn<int>("step");
        QTest::newRow("token vectors") << "tokens" << -1;
        QTest::newRow("context") << "context" << -1;
        QTest::newRow("a stage that this run does not have") << "energy" << -1;
        QTest::newRow("a row that has not arrived") << "weights" << 1;
    }
    void picture_and_inspector_show_the_same_cell() {
        QFETCH(QString, stage);
        QFETCH(int, step);
        Session session = small_session("causal");
        session.view.selection.stage = stage.toStdString();
        session.view.selection.query = 2;
        session.view.selection.feature = 9;
        session.compared = {{"dot", {}}};  // without any, there is no picture of a comparison
        if (step >= 0)
            session.view.decoding_step = step;
        test_->document().reset(session);
        ViewTabs& tabs = test_->window().views();
        for (const View& shown : views()) {
            // image_test.cpp has an image, capture_window_test.cpp the table of all heads.
            if (shown.kind == ViewKind::image || shown.reads_every_head)
                continue;
            tabs.setCurrentIndex(tabs.tab_of(shown.kind));
            const auto* canvas = qobject_cast<FigureCanvas*>(tabs.view(shown.kind)->focusProxy());
            const Run& run = *test_->document().run();
            const auto place = canvas->current_place();
            QVERIFY(place);
            const CellReport report =
                report_cell(run.plan.get(), *run.trace, *place, test_->session().view.selection);
            QCOMPARE(test_->find<QLabel>("inspector-heading")->text(), place_title(report));
            QCOMPARE(test_->find<QLabel>("inspector-place")->text(), place_subtitle(*run.trace, *place));
        }
    }

    void a_knob_says_what_its_zero_means() {
        test_->document().reset(small_session("causal"));
        QCOMPARE(test_->find<QDoubleSpinBox>("parameter_key_lengths")->text(), QStringLiteral("all"));
        test_->document().reset(small_session("additive"));
        auto* width = test_->find<QDoubleSpinBox>("parameter_attention_dimension");
        QCOMPARE(width->text(), QStringLiteral("default"));
        type_over(width, QStringLiteral("3"));
        QTest::keyClick(width, Qt::Key_Return);
        QCOMPARE(test_->session().values.at("attention_dimension"), ParameterValue(Index(3)));
        QCOMPARE(width->text(), QStringLiteral("3"));
        type_over(width, QStringLiteral("0"));
        QTest::keyClick(width, Qt::Key_Return);
        QVERIFY(test_->session().values.empty());
        QCOMPARE(width->text(), QStringLiteral("default"));
    }

    void small_weights_come_with_the_scales_that_show_them() {
        auto* hint = test_->find("scale_hint");
        QVERIFY(!hint->isVisible());
        Session session = small_session("self_attention");
        session.sequence.query_text = long_text(60);
        session.values["temperature"] = 100.0;  // every weight is about 1/60
        test_->document().reset(session);
        QTRY_COMPARE(test_->document().run()->plan->queries, Index(60));
        for (const View& kind : views()) {
            // A text is shaded up to its largest weight, products of queries and keys are no weights, and a
            // map of stages has none of their numbers.
            if (kind.kind == ViewKind::image || kind.reads_every_head || kind.kind == ViewKind::text ||
                kind.kind == ViewKind::query_key || kind.kind == ViewKind::map)
                continue;
            test_->document().looking().look_at(with_view(test_->document(), kind.kind));
            QVERIFY2(hint->isVisible(), kind.title.c_str());
        }
        test_->click("hint_fitted");
        QVERIFY(test_->session().figure.range == RangeKind::fitted);
        QVERIFY(!hint->isVisible());
        test_->trigger("edit_undo");
        QVERIFY(hint->isVisible());
        test_->click("hint_log");
        QVERIFY(test_->session().figure.scale == ScaleKind::logarithmic);
        QVERIFY(!hint->isVisible());
    }

    void a_text_over_the_limit_is_noticed_not_run() {
        Session session = test_->session();
        session.mechanism = "sinkhorn";  // which has no row without the others
        test_->document().edit({"Sinkhorn", session});
        QTRY_VERIFY(test_->document().run()->session->mechanism == "sinkhorn");
        const auto run = test_->document().run();
        auto* text = test_->find<QPlainTextEdit>("query_text");
        text->setPlainText(QString::fromStdString(long_text(1'100)));
        QTRY_VERIFY(!test_->message("run_message").isEmpty());
        QVERIFY(test_->message("run_message").contains(QLatin1String("1048576")));
        QCOMPARE(test_->document().run(), run);
    }
};

QTEST_MAIN(WindowTest)

}  // namespace headlight::window_test

#include "window_test.moc"
