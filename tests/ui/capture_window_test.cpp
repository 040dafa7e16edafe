// Attention that was computed elsewhere, opened in the window.

#include "core/attention/executor.h"
#include "core/figure/build_figure.h"
#include "core/figure/comparison.h"
#include "core/figure/view.h"
#include "core/io/files.h"
#include "core/io/session.h"
#include "core/io/trace_file.h"
#include "tests/ui/capture_support.h"
#include "ui/panels/file_actions.h"
#include "ui/views/cell_text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QToolButton>

namespace headlight::capture_window_test {

class CaptureWindowTest : public CaptureTest {
    Q_OBJECT
private slots:
    void a_capture_opens_with_all_of_its_heads() {
        open(QStringLiteral("translation.npz"));
        const Run& run = *test_->document().run();
        QVERIFY(!run.plan);
        QCOMPARE(compared_sites(*run.trace), Index(6));  // three kinds, two layers each
        QVERIFY(test_->document().view().view == ViewKind::grid);
        QCOMPARE(test_->document().figure()->panels.size(), std::size_t(2));
        QCOMPARE(test_->document().view().selection.site, std::string("encoder.0.self"));
        const QString holds = test_->find<QLabel>("capture")->text();
        QVERIFY2(holds.contains(QLatin1String("translation.npz")) &&
                     holds.contains(QLatin1String("6 places that attend")) &&
                     holds.contains(QStringLiteral("2 heads of 7 queries × 7 keys")) &&
                     holds.contains(QLatin1String("\"cross\" [2, 2, 10, 7] is [layer, head, query, key]")),
                 qPrintable(holds));
        QVERIFY(test_->message("run_message").isEmpty());
        QVERIFY2(test_->find<QLabel>("run_status")->text().startsWith(QStringLiteral("7 × 7 · 2 heads")),
                 qPrintable(test_->find<QLabel>("run_status")->text()));
    }

    void its_places_are_chosen_and_told_in_words() {
        open(QStringLiteral("translation.npz"));
        auto* sites = test_->find<QComboBox>("model_site");
        QVERIFY(sites->isVisible());
        QCOMPARE(sites->count(), 6);
        const int cross = sites->findData(QStringLiteral("decoder.1.cross"));
        QVERIFY(cross >= 0);
        sites->setCurrentIndex(cross);
        emit sites->activated(cross);
        QCOMPARE(test_->document().view().selection.site, std::string("decoder.1.cross"));
        QVERIFY(test_->find<QLabel>("capture")->text().contains(QStringLiteral("10 queries × 7 keys")));
    }

    void every_view_shows_it_or_says_why_not() {
        open(QStringLiteral("translation.npz"));
        for (const View& each : views()) {
            ViewState there = test_->document().view();
            there.view = each.kind;
            test_->document().looking().look_at(there);
            QVERIFY(!test_->window().views().grab().isNull());
            const bool is_left_out = !test_->document().lacks(each.kind).empty();
            QVERIFY2(test_->document().figure() || each.reads_every_head || is_left_out, each.title.c_str());
        }
    }

    void without_queries_and_keys_their_tab_is_grey_and_says_why() {
        const ViewTabs* tabs = &test_->window().views();
        const int tab = tabs->tab_of(ViewKind::query_key);
        open(QStringLiteral("queries.npz"));
        QVERIFY(tabs->isTabEnabled(tab));
        test_->document().looking().look_at(in_view(test_->document().view(), ViewKind::query_key));
        Session weights = test_->session();
        copy(QStringLiteral("translation.npz"));
        weights.capture->file = test_->file(QStringLiteral("translation.npz")).toStdString();
        open_session(test_->document(), weights);
        QVERIFY(!tabs->isTabEnabled(tab));
        QVERIFY2(tabs->tabToolTip(tab).startsWith(QLatin1String("The weights alone are known here")),
                 qPrintable(tabs->tabToolTip(tab)));
        QVERIFY(test_->session().view.view == ViewKind::heatmap);
        ViewSettings asked = view_settings(test_->session());
        asked.view = ViewKind::query_key;
        try {
            build_figure(*test_->document().run()->trace, asked);
            QFAIL("drawn");
        } catch (const Error& error) {
            const QString remedy = QStringLiteral("; scripts/headlight_capture.py captures these as well");
            QVERIFY(tabs->tabToolTip(tab).endsWith(remedy));
            QVERIFY2(QString::fromUtf8(error.what()).endsWith(remedy), error.what());
        }
    }

    void captured_queries_and_keys_are_multiplied() {
        open(QStringLiteral("queries.npz"));
        ViewState there = test_->document().view();
        there.view = ViewKind::query_key;
        test_->document().looking().look_at(there);
        const auto figure = test_->document().figure();
        QVERIFY(figure);
        QCOMPARE(figure->panels.size(), std::size_t(3));
        QVERIFY(figure->panels[2].subtitle.starts_with("Σ × 0.75 = score"));
        QVERIFY(!test_->window().views().grab().isNull());
    }

    void the_inspector_tells_a_weight_and_no_arithmetic_that_nobody_knows() {
        open(QStringLiteral("causal.npz"));
        Selection cell = test_->document().view().selection;
        cell.query = 3;
        cell.key = 1;
        test_->document().looking().select(cell);
        QVERIFY(test_->find<QLabel>("inspector-heading")->isVisible());
        QVERIFY(!test_->find<QLabel>("inspector-arithmetic")->isVisible());
        QVERIFY(test_->find<QLabel>("inspector-row")->isVisible());
    }

    void all_layers_are_offered_as_one_map() {
        open(QStringLiteral("translation.npz"));
        test_->document().looking().look_at(in_view(test_->document().view(), ViewKind::heatmap));
        auto* choice =
            test_->window().views().currentWidget()->findChild<QComboBox*>(QStringLiteral("layer-choice"));
        QVERIFY(choice && choice->isVisible());
        QCOMPARE(choice->currentText(), QStringLiteral("This layer"));
        choice->setCurrentIndex(1);
        emit choice->activated(1);
        QCOMPARE(choice->currentText(), QStringLiteral("Mean of 2 layers"));
        QVERIFY(test_->session().figure.pooled_layers == MapReduction::mean);
        Selection cell = test_->document().view().selection;
        cell.stage = "weights";
        cell.query = 1;
        cell.key = 2;
        test_->document().looking().select(cell);
        const Trace& trace = *test_->document().run()->trace;
        double sum = 0;
        for (const char* site : {"encoder.0.self", "encoder.1.self"}) {
            const Stage& weights = *trace.find("weights", site);
            sum += trace.matrix(weights, cell.head)[std::size_t(weights.extent(Axis::key) + 2)];
        }
        const auto figure = test_->document().figure();
        QCOMPARE(figure->panels.front().title, std::string("Weights, mean over 2 layers, head 1 of 2"));
        const double drawn = figure->panels.front().values[std::size_t(figure->panels.front().columns + 2)];
        QVERIFY(std::abs(drawn - sum / 2) < 1e-12);
        QVERIFY2(
            test_->find<QLabel>("inspector-notes")
                ->text()
                .contains(QStringLiteral("The picture shows %1, of all layers").arg(readable_number(drawn))),
            qPrintable(test_->find<QLabel>("inspector-notes")->text()));
        test_->trigger("layers_maximum");
        QCOMPARE(choice->currentText(), QStringLiteral("Largest of 2 layers"));
        test_->trigger("edit_undo");
        test_->trigger("edit_undo");
        QCOMPARE(choice->currentText(), QStringLiteral("This layer"));
        open(QStringLiteral("causal.npz"));
        QVERIFY(!test_->session().figure.pooled_layers);
    }

    void implied_weights_are_marked_wherever_they_are_told() {
        open(QStringLiteral("implied.npz"));
        Selection cell = test_->document().view().selection;
        cell.query = 3;
        cell.key = 1;
        test_->document().looking().select(cell);
        QTRY_VERIFY(
            test_->find<QLabel>("inspector-place")->text().contains(QStringLiteral("Implied weights")));
        const auto figure = test_->document().figure();
        QCOMPARE(figure->bar_title, std::string("implied weights"));
        QCOMPARE(figure->panels.front().scale.map, std::string("diverging"));
        const Trace& trace = *test_->document().run()->trace;
        const QString said = cell_sentence(trace, {trace.stages().front().site, "weights", 0, 3, 1}, {});
        QVERIFY2(said.contains(QStringLiteral("implied weight")), qPrintable(said));
    }

    void it_is_compared_with_another_one() {
        open(QStringLiteral("self.npz"));
        auto* units = test_->find<QComboBox>("capture_units");
        QVERIFY(units->isVisible());
        QVERIFY(test_->find("model_counterpart_compare")->isVisible());
        QVERIFY(!test_->find("model_counterpart_end")->isVisible());
        test_->window().files().open_other_capture(
            QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/support/captures/self.npz"));
        QTRY_VERIFY(test_->document().run() && test_->document().run()->untouched);
        QVERIFY(test_->find("model_counterpart_end")->isVisible());
        QVERIFY(test_->session().figure.differences);
        const auto figure = test_->document().figure();
        for (const double number : figure->panels.front().values)
            QCOMPARE(number, 0.0);
        ViewState there = test_->document().view();
        there.view = ViewKind::statistics;
        test_->document().looking().look_at(there);
        auto& table = *test_->find<QTableView>("head_table");
        const int change = 2 + int(known_statistics({}).size());
        QTRY_COMPARE(table.model()->columnCount(), change + 1);
        QCOMPARE(table.horizontalHeader()->visualIndex(change), 2);
        QCOMPARE(table.model()->index(0, change).data().toString(), QStringLiteral("0.000"));
        test_->find<QToolButton>("model_counterpart_end")->click();
        QTRY_VERIFY(test_->document().run() && !test_->document().run()->untouched);
        QVERIFY(!test_->session().figure.differences);
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->document().run() && test_->document().run()->untouched);
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->document().run() && !test_->document().run()->untouched);
    }

    void its_tokens_are_put_together_to_words() {
        open(QStringLiteral("self.npz"));
        auto* units = test_->find<QComboBox>("capture_units");
        units->setCurrentIndex(1);
        emit units->activated(1);
        QTRY_VERIFY(test_->document().run()->session->capture->unit == TokenUnit::word);
        QVERIFY(!test_->document().error());
    }

    void its_tokens_are_written_as_text_or_as_they_are_stored() {
        QVERIFY(!test_->window().findChild<QAction*>("tokens_stored")->isEnabled());
        copy(QStringLiteral("self.npz"));
        QFile notes(test_->file(QStringLiteral("self.json")));
        QVERIFY(notes.open(QIODevice::WriteOnly | QIODevice::Truncate));
        notes.write(R"({"tokens": ["It", "Ġis", "ĠcafÃ©", "Ġit", "Ġis", "Ġ.", "Ġa", "Ġb", "Ġ1", "c"]})");
        notes.close();
        drop(test_->window(), test_->file(QStringLiteral("self.npz")));
        QTRY_VERIFY(is_open());
        const auto third = [&] {
            const Trace& trace = *test_->document().run()->trace;
            return trace.tokens_at(trace.stages().front().site).query.at(2);
        };
        QCOMPARE(third(), std::string(" café"));
        test_->trigger("tokens_stored");
        QTRY_COMPARE(third(), std::string("ĠcafÃ©"));
        test_->trigger("tokens_plain");
        QTRY_COMPARE(third(), std::string("café"));
        test_->trigger("edit_undo");
        QTRY_COMPARE(third(), std::string("ĠcafÃ©"));
        QVERIFY(test_->window().findChild<QAction*>("tokens_stored")->isChecked());
    }

    void undo_brings_back_the_mechanism_and_a_mechanism_takes_its_place() {
        const Session before = test_->session();
        open(QStringLiteral("causal.npz"));
        QVERIFY(!test_->find("sequence_dock")->isVisible());
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->document().run() && test_->document().run()->plan);
        QVERIFY(same_edits(test_->session(), before));
        QVERIFY(test_->find("sequence_dock")->isVisible());
        test_->trigger("edit_redo");
        QTRY_VERIFY(test_->document().run() && !test_->document().run()->plan);
        test_->trigger("next_mechanism");
        QTRY_VERIFY(test_->document().run() && test_->document().run()->plan);
        QVERIFY(test_->session().runs_mechanism());
        QVERIFY(test_->session().figure.range == RangeKind::unit);
    }

    void it_is_there_again_after_a_kill() {
        open(QStringLiteral("causal.npz"));
        const std::string file = test_->session().attends_elsewhere();
        test_->close();
        test_->start();
        QCOMPARE(test_->session().attends_elsewhere(), file);
        QTRY_VERIFY(is_open());
        QVERIFY(test_->find<QLabel>("capture")->isVisible());
    }

    void a_session_finds_it_beside_itself_in_another_folder() {
        open(QStringLiteral("causal.npz"));
        const QString session = test_->file(QStringLiteral("session.json"));
        test_->window().files().save_to(session);
        QTRY_VERIFY(QFile::exists(session));
        QVERIFY(read_file(session.toStdString()).find("\"./causal.npz\"") != std::string::npos);
        QVERIFY(QDir().mkdir(test_->file(QStringLiteral("moved"))));
        for (const char* name : {"causal.npz", "causal.json", "session.json"})
            QVERIFY(QFile::copy(test_->file(QLatin1String(name)),
                                test_->file(QStringLiteral("moved/") + QLatin1String(name))));
        drop(test_->window(), test_->file(QStringLiteral("moved/session.json")));
        QTRY_COMPARE(test_->session().attends_elsewhere(),
                     test_->file(QStringLiteral("moved/causal.npz")).toStdString());
        QTRY_VERIFY(is_open());
    }

    void a_file_that_is_gone_is_told_and_nothing_else_is_shown_for_it() {
        open(QStringLiteral("causal.npz"));
        Session session = test_->session();
        session.capture = SessionCapture{.file = test_->file(QStringLiteral("gone.npz")).toStdString()};
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().error());
        QVERIFY2(test_->message("run_message").contains(QLatin1String("gone.npz")),
                 qPrintable(test_->message("run_message")));
        QVERIFY(!test_->document().run());
    }

    void what_it_is_compared_with_is_gone_and_it_is_still_told_as_there() {
        open(QStringLiteral("causal.npz"));
        Session session = test_->session();
        session.counterpart = Counterpart{.kind = Counterpart::Kind::capture,
                                          .value = test_->file(QStringLiteral("gone.npz")).toStdString()};
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().error());
        QVERIFY2(test_->message("run_message").contains(QLatin1String("gone.npz")),
                 qPrintable(test_->message("run_message")));
        QVERIFY(!test_->find("model_gone")->isVisible());
    }

    void a_file_that_is_none_is_refused_and_what_was_there_stays() {
        const Session before = test_->session();
        const QString path = test_->file(QStringLiteral("broken.npz"));
        write_file_atomically(path.toStdString(), "PK\x03\x04 and nothing behind");
        drop(test_->window(), path);
        QTRY_VERIFY(test_->message("file_message").contains(QLatin1String("broken.npz")));
        QVERIFY(test_->session() == before);
    }

    void a_trace_of_numbers_alone_is_shown_with_every_stage_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("JSON") << QStringLiteral("t.json");
        QTest::newRow("safetensors") << QStringLiteral("t.safetensors");
    }
    void a_trace_of_numbers_alone_is_shown_with_every_stage() {
        QFETCH(QString, name);
        const Trace trace = record(prepare_run(small_session("causal")).plan);
        write_trace(trace, test_->file(name).toStdString());
        drop(test_->window(), test_->file(name));
        QTRY_VERIFY(is_open());
        QCOMPARE(test_->document().run()->trace->stages().size(), trace.stages().size());
        ViewState stages = test_->document().view();
        stages.view = ViewKind::stages;
        test_->document().looking().look_at(stages);
        QVERIFY(test_->document().figure());
        QVERIFY(!test_->find<QComboBox>("model_site")->isVisible());  // there is one place
    }

    void a_mask_is_drawn_for_mechanisms_alone() {
        open(QStringLiteral("causal.npz"));
        test_->trigger("edit_mask_action");
        QVERIFY(!QApplication::activeModalWidget());
    }

    void a_map_of_many_tokens_is_read_where_one_looks() {
        constexpr Index tokens = 2'200, row = 1'800, column = 7;
        const QString path = test_->file(QStringLiteral("long.npy"));
        write_one_bright_cell(path, tokens, row, column);
        drop(test_->window(), path);
        QTRY_VERIFY(is_open());
        test_->trigger("view_2");
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        const auto panel = [canvas]() -> const Panel& { return canvas->figure()->panels.front(); };
        QVERIFY(panel().large);
        const auto is_bright_there = [&] {
            const QImage picture = canvas->grab().toImage();
            const double ratio = picture.devicePixelRatio();
            const QPoint middle = (canvas->cell_rect(0, row, column).center() * ratio).toPoint();
            for (int x = -1; x <= 1; ++x)
                for (int y = -1; y <= 1; ++y)
                    if (picture.pixelColor(middle + QPoint(x, y)).red() > 240)
                        return true;
            return false;
        };
        QTRY_VERIFY(is_bright_there());
        const CellPlace bright{panel().site, "weights", 0, row, column};
        QVERIFY2(canvas->sentence(bright).endsWith(QStringLiteral("weight 1")),
                 qPrintable(canvas->sentence(bright)));

        const Trace& trace = *test_->document().run()->trace;
        for (const Index outside : {Index(-1), tokens})
            QVERIFY(!number_at(trace, {panel().site, "weights", 0, outside, column}, {}));

        // So near that its cells could carry numbers, it has them.
        QVERIFY(canvas->zoom_by(200, canvas->cell_rect(0, row, column).center()));
        QTRY_VERIFY(!panel().large);
        QVERIFY(std::ranges::count(panel().values, 1.0) == 1);
        QTRY_VERIFY(is_bright_there());

        // All of it is in the corner, and leads elsewhere.
        const ZoomedPart before = *test_->document().view().zoom;
        const QRectF overview = canvas->overview();
        QVERIFY(!overview.isEmpty() && !overview.intersects(canvas->notes()));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, (overview.bottomLeft() + QPointF(12, -12)).toPoint());
        const ZoomedPart after = *test_->document().view().zoom;
        QVERIFY(after.rows.first > before.rows.first && after.columns.count == before.columns.count);
        QCOMPARE(test_->document().view().selection.query, Index(0));  // nothing was selected there
        test_->document().looking().zoom_to(std::nullopt);

        // So does a list of its largest numbers, wherever they are.
        copied("largest_cells", row / 2, column);
        QTRY_VERIFY(canvas->findChild<QMenu*>(QStringLiteral("largest_cells_menu")));
        auto* largest = canvas->findChild<QMenu*>(QStringLiteral("largest_cells_menu"));
        QVERIFY2(largest->actions().front()->text().endsWith(QStringLiteral("weight 1")),
                 qPrintable(largest->actions().front()->text()));
        largest->actions().front()->trigger();
        largest->close();
        QCOMPARE(test_->document().view().selection.query, row);
        QCOMPARE(test_->document().view().selection.key, column);

        // A view that needs every number says so.
        test_->trigger("view_4");
        canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        canvas->grab();
        QVERIFY2(canvas->notice().contains(QStringLiteral("at most 2048 tokens")),
                 qPrintable(canvas->notice()));
    }

    void a_text_that_is_opened_is_for_the_mechanism() {
        open(QStringLiteral("causal.npz"));
        const QString path = test_->file(QStringLiteral("words.txt"));
        write_file_atomically(path.toStdString(), "words of my own");
        drop(test_->window(), path);
        QTRY_VERIFY(test_->session().runs_mechanism());
        QCOMPARE(test_->session().sequence.query_text, std::string("words of my own"));
    }

private:
    /// One head, all zeros but a 1, as numpy.save() writes it.
    static void write_one_bright_cell(const QString& path, Index tokens, Index row, Index column) {
        std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, " +
                             std::to_string(tokens) + ", " + std::to_string(tokens) + "), }";
        header.append(117 - header.size(), ' ').append("\n");
        const auto cells = static_cast<std::size_t>(tokens * tokens);
        const auto bright = static_cast<std::size_t>(row * tokens + column);
        std::string numbers(4 * cells, '\0');
        numbers.replace(4 * bright, 4, std::string("\0\0\x80\x3f", 4));
        write_file_atomically(path.toStdString(),
                              std::string("\x93NUMPY\x01\0\x76\0", 10) + header + numbers);
    }
};

QTEST_MAIN(CaptureWindowTest)

}  // namespace headlight::capture_window_test

#include "capture_window_test.moc"
