// What a picture shows for the weights: keys hidden, norms of values, numbers copied as they are drawn.

#include "core/figure/view.h"
#include "core/io/files.h"
#include "core/io/safetensors.h"
#include "core/tensor/number_text.h"
#include "tests/ui/capture_support.h"
#include "ui/views/cell_text.h"

#include <QLabel>

namespace headlight::weight_lens_test {

class WeightLensTest : public CaptureTest {
    Q_OBJECT
private slots:
    void number_row_and_column_are_copied_from_the_picture() {
        open(QStringLiteral("causal.npz"));
        test_->trigger("view_2");
        const Trace& trace = *test_->document().run()->trace;
        const auto map = trace.matrix(*trace.find("weights", "layer.0"), 0);
        const auto digits = [&](Index row, Index column) {
            return QString::fromStdString(number_text(map[static_cast<std::size_t>(row * 10 + column)]));
        };
        QCOMPARE(copied("copy_number", 3, 1), digits(3, 1));
        const QStringList row = copied("copy_row", 3, 1).split(QChar('\n'));
        const QStringList column = copied("copy_column", 3, 1).split(QChar('\n'));
        QCOMPARE(row.size(), 10);
        QCOMPARE(column.size(), 10);
        for (int i = 0; i < 10; ++i) {
            const QString token = QString::fromStdString(trace.tokens_at("layer.0").query[std::size_t(i)]);
            QCOMPARE(row[i], token + QChar('\t') + digits(3, i));
            QCOMPARE(column[i], token + QChar('\t') + digits(i, 1));
        }
    }

    void a_key_is_hidden_from_the_picture_and_comes_back() {
        open(QStringLiteral("causal.npz"));
        test_->trigger("view_2");
        copied("hide_key", 5, 0);
        QCOMPARE(test_->session().figure.hidden_keys, std::vector<Index>{0});
        const auto figure = test_->document().figure();
        QVERIFY(std::isnan(figure->panels.front().values[0]));
        QVERIFY(figure->caption.find("Hidden: ") != std::string::npos);
        const Panel& panel = figure->panels.front();
        const double drawn = panel.values[static_cast<std::size_t>(5 * panel.columns + 1)];
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        CellPlace place{panel.site, "weights", 0, 5, 1};
        const QString said = canvas->sentence(place).section(QStringLiteral("without the hidden keys "), 1);
        QVERIFY2(std::abs(said.toDouble() - drawn) < 1e-3, qPrintable(said));
        copied("show_hidden_keys", 5, 1);
        QVERIFY(test_->session().figure.hidden_keys.empty());
        test_->trigger("edit_undo");
        QCOMPARE(test_->session().figure.hidden_keys.size(), std::size_t(1));
    }

    void an_ampersand_of_a_token_is_seen_in_menus() {
        Session session = small_session();
        session.sequence.query_text = "bread & butter";
        session.view.view = ViewKind::heatmap;
        open_session(test_->document(), session);
        auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QTRY_VERIFY(canvas->figure() && canvas->figure()->panels.front().columns == 3);
        QString entry;
        const QPoint at = canvas->cell_rect(0, 2, 1).center().toPoint();
        QTimer::singleShot(0, canvas, [&] {
            auto* menu = canvas->findChild<QMenu*>();
            QVERIFY(menu);
            auto* hide = menu->findChild<QAction*>(QStringLiteral("hide_key"));
            entry = hide->text();
            hide->trigger();
            menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, canvas->mapToGlobal(at));
        QApplication::sendEvent(canvas, &event);
        QVERIFY2(entry.contains(QStringLiteral("“&&”")), qPrintable(entry));
        const QString undo = test_->find<QAction>("edit_undo")->text();
        QVERIFY2(undo.contains(QStringLiteral("Hide “&&”")), qPrintable(undo));
    }

    void all_keys_of_one_token_are_hidden_as_on_the_command_line() {
        open(QStringLiteral("causal.npz"));
        test_->trigger("view_2");
        copied("hide_alike", 5, 4);
        QCOMPARE(test_->session().figure.hidden_keys, (std::vector<Index>{1, 4, 7}));
        copied("show_hidden_keys", 5, 1);
        copied("hide_key", 5, 4);
        QCOMPARE(test_->session().figure.hidden_keys, std::vector<Index>{4});
    }

    void the_inspector_tells_the_weight_as_drawn_and_as_it_is() {
        open(QStringLiteral("causal.npz"));
        test_->trigger("view_2");
        copied("hide_key", 5, 0);
        Selection cell = test_->document().view().selection;
        cell.stage = "weights";
        cell.query = 5;
        cell.key = 1;
        test_->document().looking().select(cell);
        const Panel& panel = test_->document().figure()->panels.front();
        const double drawn = panel.values[static_cast<std::size_t>(5 * panel.columns + 1)];
        const Trace& trace = *test_->document().run()->trace;
        const double weight = trace.matrix(*trace.find("weights", panel.site),
                                           panel.head)[static_cast<std::size_t>(5 * panel.columns + 1)];
        const QString notes = test_->find<QLabel>("inspector-notes")->text();
        QVERIFY2(notes.contains(QStringLiteral("The picture shows %1 for the weight %2.")
                                    .arg(readable_number(drawn), readable_number(weight))),
                 qPrintable(notes));
        const QString summary = test_->find<QLabel>("inspector-summary")->text();
        QVERIFY2(summary.contains(QLatin1String("Hidden keys had ")), qPrintable(summary));
        cell.key = 0;
        test_->document().looking().select(cell);
        QVERIFY2(
            test_->find<QLabel>("inspector-notes")->text().contains(QLatin1String("hidden in the picture")),
            qPrintable(test_->find<QLabel>("inspector-notes")->text()));
    }

    void norms_are_off_where_no_values_are_known() {
        auto* norms = test_->window().findChild<QAction*>(QStringLiteral("weights_value_norms"));
        QVERIFY(norms->isEnabled());
        norms->trigger();
        QVERIFY(test_->session().figure.weights == DrawnWeights::value_norms);
        QVERIFY(test_->document().figure()->caption.find("Norm of each weight") != std::string::npos);
        test_->trigger("edit_undo");
        QVERIFY(test_->session().figure.weights == DrawnWeights::raw);
        open(QStringLiteral("causal.npz"));
        QVERIFY(!norms->isEnabled());
        QVERIFY2(norms->toolTip().contains(QLatin1String("values of the keys are not known")),
                 qPrintable(norms->toolTip()));
    }

    void norms_are_drawn_of_a_capture_with_values() {
        SafetensorsFile file;
        Tensor values({1, 2, 3, 2}, 1.0);
        values[3] = 7;
        file.tensors = {{"attention", Tensor({1, 2, 2, 3}, 0.5)}, {"v", values}};
        const QString path = test_->file(QStringLiteral("x.safetensors"));
        write_file_atomically(path.toStdString(), write_safetensors(file));
        drop(test_->window(), path);
        QTRY_VERIFY(is_open());
        auto* norms = test_->window().findChild<QAction*>(QStringLiteral("weights_value_norms"));
        QVERIFY2(norms->isEnabled(), qPrintable(norms->toolTip()));
        norms->trigger();
        QTRY_VERIFY(test_->document().figure());
        const Figure& figure = *test_->document().figure();
        QVERIFY2(figure.caption.find("Norm of each weight times its value; Wₒ is not known here") !=
                     std::string::npos,
                 figure.caption.c_str());
        const Panel& first = figure.panels.front();
        QVERIFY(std::abs(first.values[1] - 0.5 * std::sqrt(50)) < 1e-12);
        // Every view draws it or says why not, with values beside the weights.
        for (const View& each : views()) {
            ViewState there = test_->document().view();
            there.view = each.kind;
            test_->document().looking().look_at(there);
            QVERIFY(!test_->window().views().grab().isNull());
        }
    }
};

QTEST_MAIN(WeightLensTest)

}  // namespace headlight::weight_lens_test

#include "weight_lens_test.moc"
