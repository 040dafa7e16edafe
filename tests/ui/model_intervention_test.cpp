// What a person changes inside a model: one weight by hand, columns, rows, heads; what comes of
// it, and undo.

#include "core/workbench/generated_text.h"
#include "core/workbench/intervention_edits.h"
#include "tests/ui/model_support.h"
#include "ui/models/unread_text.h"
#include "ui/models/weight_movement.h"
#include "ui/panels/model_panel.h"
#include "ui/views/weight_drag.h"
#include "ui/views/weight_popup.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPointer>
#include <QSlider>
#include <QToolButton>

#include <numeric>

namespace headlight::model_intervention_test {

namespace {

void send_drag(QWidget& on, QEvent::Type type, QPoint at) {
    const bool is_release = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, on.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                      is_release ? Qt::NoButton : Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&on, &event);
}

double sum(const std::vector<double>& row) { return std::accumulate(row.begin(), row.end(), 0.0); }

}  // namespace

class ModelInterventionTest : public ModelTest {
    Q_OBJECT
private slots:
    void init() {
        // However busy the machine is, the model follows the hand.
        WeightMovement::set_longest_followed(60'000);
        ModelTest::init();
    }

    void a_weight_is_dragged_and_the_model_decodes_on() {
        generate_dates();
        FigureCanvas& canvas = test_->show(ViewKind::heatmap);
        const QString before = test_->said();
        const std::vector<double> row = test_->row(0);
        const int steps = test_->document().history()->count();
        // The first digit looks at the day instead of the year.
        const QPoint at = test_->cell(canvas, 0, 1);
        send_drag(canvas, QEvent::MouseButtonPress, at);
        QCOMPARE(canvas.cursor().shape(), Qt::SizeVerCursor);
        for (int way = 10; way <= 200; way += 10) {
            send_drag(canvas, QEvent::MouseMove, at - QPoint(0, way));
            QVERIFY(!canvas.grab().isNull());
            QCoreApplication::processEvents();
        }
        send_drag(canvas, QEvent::MouseButtonRelease, at - QPoint(0, 200));
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->request().interventions.size(), std::size_t(1));
        QCOMPARE(test_->row(0)[1], 1.0);
        QVERIFY(std::abs(sum(test_->row(0)) - 1) < 1e-5);
        QVERIFY(test_->transcript().untouched);
        QCOMPARE(test_->find<QToolButton>("intervention_0")->text(),
                 QStringLiteral("“8” gets the weight 1, step 1  ×"));
        QTRY_VERIFY(test_->find("intervention_0")->isVisible());
        const QString comparison = test_->plain("model_comparison");
        QVERIFY2(comparison.contains(QStringLiteral("Untouched: ") + before), qPrintable(comparison));
        QVERIFY2(comparison.contains(QStringLiteral("Changed: ") + test_->said()), qPrintable(comparison));
        QVERIFY(test_->find<QLabel>("inspector-notes")->text().contains(QLatin1String("share what is left")));
        QVERIFY(
            test_->find<QLabel>("inspector-arithmetic")->text().contains(QLatin1String("as you changed it")));

        // One movement is one step.
        QCOMPARE(test_->document().history()->count(), steps + 1);
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->said(), before);
        QCOMPARE(test_->row(0), row);
        QVERIFY(!test_->find("intervention_0")->isVisible());
        test_->trigger("edit_redo");
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->row(0)[1], 1.0);
    }

    void the_rest_of_the_row_keeps_its_proportions() {
        generate_dates();
        const std::vector<double> before = test_->row(0);
        const auto largest = std::ranges::max_element(before) - before.begin();
        auto at = weight_at(test_->transcript(), cell(0, largest));
        QVERIFY(at);
        WeightMovement movement(test_->document(), *at);
        movement.move_to(0.25);
        QTRY_VERIFY(test_->has_generated());
        const std::vector<double> after = test_->row(0);
        QVERIFY(std::abs(after[static_cast<std::size_t>(largest)] - 0.25) < 1e-6);
        const double left = 0.75 / (1 - before[static_cast<std::size_t>(largest)]);
        for (std::size_t key = 0; key < before.size(); ++key)
            if (static_cast<std::ptrdiff_t>(key) != largest)
                QVERIFY(std::abs(after[key] - before[key] * left) < 1e-5);
    }

    void a_weight_of_all_heads_is_nobodys_to_change() {
        test_->generate("reverse-transformer", QStringLiteral("abcd"));
        ViewState view = test_->document().view();
        view.view = ViewKind::heatmap;
        test_->document().looking().look_at(view);
        const auto title = [&] { return test_->document().figure()->panels.front().title; };
        const CellPlace place{test_->document().view().selection.site, "weights", 0, 0, 0};
        QVERIFY(changeable_weight(test_->document(), place));
        QTRY_VERIFY(title().find("head 1 of ") != std::string::npos);
        test_->trigger("heads_mean");
        QTRY_VERIFY(title().find("mean of ") != std::string::npos);
        QVERIFY(!changeable_weight(test_->document(), place));
        test_->trigger("heads_maximum");
        QTRY_VERIFY(title().find("largest of ") != std::string::npos);
        test_->trigger("heads_apart");
        QTRY_VERIFY(title().find("head 1 of ") != std::string::npos);
        QVERIFY(changeable_weight(test_->document(), place));
    }

    void a_rollout_is_offered_where_layers_read_one_text() {
        test_->generate("reverse-transformer", QStringLiteral("abcd"));
        const auto look_at = [&](const char* site) {
            ViewState view = test_->document().view();
            view.view = ViewKind::heatmap;
            view.selection.site = site;
            view.selection.stage = "weights";
            test_->document().looking().look_at(view);
        };
        const auto* offer = test_->window().findChild<QAction*>(QStringLiteral("heads_rollout"));
        look_at("decoder.0.cross");
        QVERIFY(!offer->isEnabled());
        QVERIFY2(offer->toolTip().contains(QLatin1String("look at one another")),
                 qPrintable(offer->toolTip()));
        look_at("encoder.0.self");
        QVERIFY(offer->isEnabled());
        test_->trigger("heads_rollout");
        const auto title = [&] { return test_->document().figure()->panels.front().title; };
        QTRY_VERIFY2(title().find("rollout through layer 1") != std::string::npos, title().c_str());
        const auto& weights = *test_->document().run()->trace->find("weights", "encoder.0.self");
        double mean = 0;
        for (Index head = 0; head < weights.extent(Axis::head); ++head)
            mean += test_->document().run()->trace->matrix(weights, head)[1] /
                    static_cast<double>(weights.extent(Axis::head));
        QVERIFY(std::abs(test_->document().figure()->panels.front().values[1] - mean / 2) < 1e-6);
        const auto* norms = test_->window().findChild<QAction*>(QStringLiteral("weights_value_norms"));
        QVERIFY(!norms->isEnabled());
        test_->trigger("heads_apart");
        QVERIFY(norms->isEnabled());
    }

    void a_hand_that_is_faster_than_the_model_ends_where_it_rests() {
        generate_dates();
        WeightMovement movement(test_->document(), *weight_at(test_->transcript(), cell(0, 1)));
        movement.move_to(0.1);  // under way
        QVERIFY(test_->document().is_running());
        movement.move_to(0.2);
        movement.move_to(0.3);
        QCOMPARE(test_->request().interventions.front().weight, 0.1);  // the first is left to end
        movement.rest();
        QCOMPARE(test_->request().interventions.front().weight, 0.3);
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->request().interventions.size(), std::size_t(1));
        test_->trigger("edit_undo");
        QVERIFY(test_->request().interventions.empty());
    }

    void a_weight_is_set_as_a_number() {
        generate_dates();
        FigureCanvas& canvas = test_->show(ViewKind::heatmap);
        test_->select(0, 1);
        canvas.setFocus();
        QTest::keyClick(&canvas, Qt::Key_W);
        const QPointer<WeightPopup> popup = canvas.findChild<WeightPopup*>();
        QVERIFY(popup);
        QVERIFY(popup->accessibleName().contains(QStringLiteral("“8”")));
        auto* field = popup->findChild<QDoubleSpinBox*>(QStringLiteral("weight_field"));
        auto* slider = popup->findChild<QSlider*>(QStringLiteral("weight_slider"));
        // What the cells show is what is typed: 0.9 is 0.9, and everything says so.
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("0.9"));
        QCOMPARE(slider->value(), 90);
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(std::abs(test_->row(0)[1] - 0.9) < 1e-6);
        QTRY_VERIFY(!popup);  // closed
        QCOMPARE(test_->request().interventions.front().weight, 0.9);
        QCOMPARE(test_->find<QToolButton>("intervention_0")->text(),
                 QStringLiteral("“8” gets the weight 0.9, step 1  ×"));
        const auto arithmetic = [this] { return test_->plain("inspector-arithmetic"); };
        QVERIFY2(test_->plain("inspector-notes").contains(QStringLiteral("“8” gets the weight 0.9")),
                 qPrintable(test_->plain("inspector-notes")));
        QVERIFY2(arithmetic().contains(QLatin1String("as you changed it")), qPrintable(arithmetic()));
        // A cell that was not edited is not said to be; one of another row knows of nothing.
        test_->select(0, 3);
        QVERIFY2(!arithmetic().contains(QLatin1String("as you changed it")), qPrintable(arithmetic()));
        QVERIFY2(arithmetic().contains(QLatin1String("what the change leaves")), qPrintable(arithmetic()));
        test_->select(2, 1);
        QVERIFY2(!arithmetic().contains(QLatin1String("change")), qPrintable(arithmetic()));
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->request().interventions.empty());
    }

    void a_weight_is_changed_by_keys() {
        generate_dates();
        FigureCanvas& canvas = test_->show(ViewKind::heatmap);
        test_->select(0, 1);
        canvas.setFocus();
        const double before = test_->row(0)[1];
        for (int press = 0; press < 2; ++press) {
            QTest::keyClick(&canvas, Qt::Key_Up, Qt::AltModifier);
            QTRY_VERIFY(test_->has_generated());
        }
        QVERIFY(std::abs(test_->row(0)[1] - before - 0.1) < 1e-5);
        QCOMPARE(test_->session().view.selection.query, Index(0));  // it does not walk
        QTest::keyClick(&canvas, Qt::Key_Down, Qt::AltModifier);
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(std::abs(test_->row(0)[1] - before - 0.05) < 1e-5);
        QCOMPARE(test_->request().interventions.size(), std::size_t(1));
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->request().interventions.empty());
    }

    void where_the_mask_forbids_a_pair_there_is_no_weight_to_set() {
        test_->generate("reverse-transformer", QStringLiteral("abcd"));
        Selection selection = cell(0, 3);
        selection.site = "decoder.0.self";
        QVERIFY(!weight_at(test_->transcript(), selection));  // what has not been said yet
        selection.key = 0;
        QVERIFY(weight_at(test_->transcript(), selection));
        selection.site = "encoder.0.self";
        QVERIFY(!weight_at(test_->transcript(), selection));  // the source is read once
    }

    void the_menu_offers_every_change_data() {
        QTest::addColumn<QString>("beginning");
        QTest::addColumn<int>("kind");
        using Kind = Intervention::Kind;
        QTest::newRow("column") << "Zero this column" << int(Kind::zero_column);
        QTest::newRow("column, renormalised") << "Zero this column and renormalise" << int(Kind::zero_column);
        QTest::newRow("word") << "Forbid this word" << int(Kind::forbid_key);
        QTest::newRow("only here") << "Look only here" << int(Kind::set_weight);
        QTest::newRow("uniform") << "Make this row uniform" << int(Kind::uniform_row);
        QTest::newRow("another head") << "Take this row from head 3" << int(Kind::copy_head);
        QTest::newRow("head off") << "Switch the head off" << int(Kind::mute_head);
    }
    void the_menu_offers_every_change() {
        QFETCH(const QString, beginning);
        QFETCH(const int, kind);
        using Kind = Intervention::Kind;
        test_->generate("reverse-transformer", QStringLiteral("abcdef"));
        constexpr Index step = 1, key = 4, head = 1;
        test_->select(step, key, head);
        FigureCanvas& canvas = test_->show(ViewKind::heatmap);
        const QString said = test_->said();
        const std::vector<double> before = test_->row(step, head);
        QVERIFY(before[key] > 0);
        test_->choose_from_menu(canvas, test_->cell(canvas, step, key), beginning);
        QTRY_VERIFY(!test_->request().interventions.empty() && test_->has_generated());
        QCOMPARE(int(test_->request().interventions.front().kind), kind);
        const std::vector<double> after = test_->row(step, head);
        QVERIFY(after != before);
        switch (Kind(kind)) {
        case Kind::zero_column:
            QCOMPARE(after[key], 0.0);
            QCOMPARE(test_->request().interventions.front().renormalizes,
                     beginning.endsWith(QLatin1String("renormalise")));
            QCOMPARE(std::abs(sum(after) - 1) < 1e-5, beginning.endsWith(QLatin1String("renormalise")));
            break;
        case Kind::forbid_key:
            QCOMPARE(after[key], 0.0);
            QVERIFY(std::abs(sum(after) - 1) < 1e-5);
            break;
        case Kind::set_weight:
            QCOMPARE(after[key], 1.0);
            break;
        case Kind::uniform_row:
            for (const double weight : after)
                QVERIFY(std::abs(weight - 1.0 / 6) < 1e-6);
            break;
        case Kind::copy_head:
            QCOMPARE(after, test_->row(step, 2));
            break;
        case Kind::mute_head:
            QCOMPARE(sum(after), 0.0);
            break;
        }
        QVERIFY(test_->transcript().untouched);
        QTRY_VERIFY(test_->find("intervention_0")->isVisible());
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->row(step, head), before);
        QCOMPARE(test_->said(), said);
    }

    void what_it_says_changes_and_comes_back() {
        generate_dates();
        FigureCanvas& canvas = test_->show(ViewKind::heatmap);
        const QString before = test_->said();
        QCOMPARE(before, QStringLiteral("2008-07-28"));
        const QStringList offered =
            test_->choose_from_menu(canvas, test_->cell(canvas, 9, 1), QStringLiteral("Forbid"));
        QVERIFY(offered.first().startsWith(QLatin1String("Set this weight")));
        QTRY_VERIFY(!test_->request().interventions.empty() && test_->has_generated());
        QVERIFY(test_->said() != before);
        // What differs is marked in both.
        const QString html = test_->find<QLabel>("model_comparison")->text();
        QCOMPARE(html.count(QLatin1String("<br>")), 1);
        QVERIFY(html.section(QStringLiteral("<br>"), 0, 0).contains(QLatin1String("<u>")));
        QVERIFY(html.section(QStringLiteral("<br>"), 1, 1).contains(QLatin1String("<u>")));
        QTest::mouseClick(test_->find("intervention_0"), Qt::LeftButton);
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->said(), before);
    }

    void the_difference_of_the_weights_is_shown() {
        generate_dates();
        FigureCanvas& canvas = test_->show(ViewKind::heatmap);
        test_->choose_from_menu(canvas, test_->cell(canvas, 0, 1), QStringLiteral("Look only here"));
        QTRY_VERIFY(!test_->request().interventions.empty() && test_->has_generated());
        QTest::mouseClick(test_->find("model_difference"), Qt::LeftButton);
        QVERIFY(test_->session().figure.differences);
        const Panel& panel = canvas.figure()->panels.front();
        QCOMPARE(panel.scale.map, std::string("diverging"));
        QCOMPARE(panel.scale.low, -panel.scale.high);
        QCOMPARE(canvas.figure()->bar_title, std::string("changed − untouched"));
        const std::vector<double> now = test_->row(0);
        const std::vector<double> before = test_->row_of(*test_->document().run()->untouched, 0);
        for (std::size_t key = 0; key < now.size(); ++key)
            QCOMPARE(panel.values[key], now[key] - before[key]);
        QVERIFY(panel.values[1] > 0.5);
        const QString sentence = canvas.sentence({"decoder.cross", "weights", 0, 0, 1});
        QVERIFY2(sentence.contains(QLatin1String("set by hand, untouched")), qPrintable(sentence));
        // The steps as well, and the exported figure.
        QCOMPARE(test_->document().figure(ViewKind::steps)->panels.front().scale.map,
                 std::string("diverging"));
        QCOMPARE(exported(test_->document(), ViewKind::heatmap)->panels.front().values, panel.values);
        test_->trigger("edit_undo");
        QCOMPARE(canvas.figure()->panels.front().scale.map, std::string("viridis"));
    }

    void the_arithmetic_ends_with_the_softmax_where_nothing_follows() {
        generate_dates();
        test_->show(ViewKind::heatmap);
        test_->select(3, 11);
        const QString arithmetic = test_->plain("inspector-arithmetic");
        QVERIFY2(!arithmetic.contains(QLatin1String("follows")), qPrintable(arithmetic));
    }

    void a_change_is_of_the_words_that_it_was_made_in() {
        generate_dates();
        FigureCanvas& canvas = test_->show(ViewKind::heatmap);
        test_->choose_from_menu(canvas, test_->cell(canvas, 0, 1), QStringLiteral("Look only here"));
        QTRY_VERIFY(!test_->request().interventions.empty() && test_->has_generated());
        auto* source = test_->find("model_source");
        source->setFocus();
        QTest::keyClick(source, Qt::Key_End, Qt::ControlModifier);
        QTest::keyClicks(source, QStringLiteral(" "));
        QCOMPARE(test_->request().interventions.size(), std::size_t(1));  // the same words
        type_over(source, QStringLiteral("3 May 1999"));
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->request().interventions.empty());
        QVERIFY(!test_->find("intervention_0")->isVisible());
        while (test_->request().interventions.empty() && test_->document().history()->canUndo())
            test_->trigger("edit_undo");
        QVERIFY(test_->request().source.starts_with("28 July 2008"));
        QCOMPARE(test_->request().interventions.size(), std::size_t(1));
        // As with a text that it is made to say.
        const Session forced = type_target(test_->session(), "1999").after;
        QVERIFY(forced.model->request.interventions.empty());
        QVERIFY(has_lost_interventions(test_->session(), forced));
        QVERIFY(!has_lost_interventions(forced, test_->session()));
        QVERIFY(!has_lost_interventions(test_->session(), take_back(test_->session(), 0, {}).after));
    }

    void a_chip_says_where_it_acts() {
        test_->generate("reverse-transformer", QStringLiteral("abcd"));
        Intervention change;
        change.kind = Intervention::Kind::zero_column;
        change.site = "decoder.0.cross";
        change.head = 1;
        change.step = 2;
        QVERIFY(test_->transcript().find(change.site));
        test_->document().edit(intervene(test_->session(), "Change", change));
        QTRY_VERIFY(test_->has_generated());
        const QString text = test_->find<QToolButton>("intervention_0")->text();
        QVERIFY2(text.contains(QLatin1String(", decoder layer 1, looks at the source")), qPrintable(text));
        QVERIFY2(text.contains(QLatin1String(", head 2, step 3")), qPrintable(text));
        change.step = 40;
        test_->document().edit(intervene(test_->session(), "Change", change));
        QTRY_VERIFY(test_->has_generated());
        const QString other = test_->find<QToolButton>("intervention_1")->text();
        QVERIFY2(other.contains(QLatin1String("step 41 (there is no such step)")), qPrintable(other));
    }

    void a_chip_wraps_and_leaves_the_panel_as_wide_as_it_was() {
        test_->generate("reverse-transformer", QStringLiteral("abcd"));
        const auto* panel = test_->window().findChild<ModelPanel*>();
        const QWidget* dock = test_->find("model_dock");
        QTRY_VERIFY(dock->width() >= dock->minimumSizeHint().width());  // laid out with what was generated
        const int width = panel->width(), least = panel->minimumSizeHint().width();
        Intervention change;
        change.kind = Intervention::Kind::zero_column;
        change.site = "decoder.0.cross";
        change.step = 2;
        change.head = 1;
        test_->document().edit(intervene(test_->session(), "Change", change));
        QTRY_VERIFY(test_->has_generated());
        QTRY_VERIFY(test_->find("intervention_0")->isVisible());
        const auto lines = [&] {
            const QWidget* chip = test_->find("intervention_0");
            return chip->height() / static_cast<double>(chip->sizeHint().height());
        };
        QTRY_VERIFY(lines() > 1.5);
        QCOMPARE(panel->minimumSizeHint().width(), least);
        QCOMPARE(panel->width(), width);
    }

    void the_encoder_reads_all_of_its_tokens_at_once() {
        test_->generate("reverse-transformer", QStringLiteral("abcd"));
        QTest::mouseClick(test_->find("player-first"), Qt::LeftButton);
        QCOMPARE(*test_->session().view.decoding_step, Index(0));
        Selection selection = test_->session().view.selection;
        selection.site = "encoder.0.self";
        test_->document().looking().select(selection);
        QVERIFY(!test_->session().view.decoding_step);
        QCOMPARE(test_->find<QComboBox>("player-mode")->currentText(), QStringLiteral("By token"));
        QTest::mouseClick(test_->find("player-first"), Qt::LeftButton);
        QTest::mouseClick(test_->find("player-forward"), Qt::LeftButton);
        QVERIFY(!test_->session().view.decoding_step);
        QCOMPARE(test_->session().view.selection.query, Index(1));
        QVERIFY(test_->find<QLabel>("player-label")->text().startsWith(QLatin1String("token 2 of ")));
        selection.site = "decoder.0.cross";
        test_->document().looking().select(selection);
        QCOMPARE(test_->find<QComboBox>("player-mode")->currentText(), QStringLiteral("By decoding step"));
    }

    void a_mark_begins_with_its_word() {
        QCOMPARE(word_start(" chat"), std::size_t(1));
        QCOMPARE(word_start("chat"), std::size_t(0));
        QCOMPARE(word_start(" "), std::size_t(0));
    }

    void what_it_knows_is_said_once() {
        const auto message = [](const char* expected) {
            const Error error({"read text", "source text", expected, "\"zzz\""});
            return unread_text(error, {}, true)->message;
        };
        QCOMPARE(
            message("one of the 867 words that it knows"),
            QStringLiteral("It does not know “zzz”: it knows 867 words. The pictures show the last text."));
        QVERIFY(message("one of a b c").contains(QStringLiteral("“zzz”: it knows a b c.")));
    }

private:
    void generate_dates() { test_->generate("dates-additive-gru", QStringLiteral("28 July 2008")); }
    Selection cell(Index query, Index key) const {
        Selection selection = test_->session().view.selection;
        selection.stage = "weights";
        selection.query = query;
        selection.key = key;
        return selection;
    }
};

QTEST_MAIN(ModelInterventionTest)

}  // namespace headlight::model_intervention_test

#include "model_intervention_test.moc"
