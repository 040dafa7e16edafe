// How a model finds its words: greedy, with a beam whose tree is walked, or drawn.

#include "core/model/beam_layout.h"
#include "core/workbench/generated_text.h"
#include "tests/ui/model_support.h"
#include "tests/ui/screen_reader.h"
#include "ui/panels/number_control.h"
#include "ui/panels/picture_splitter.h"
#include "ui/views/beam_tree_view.h"

#include <QAccessible>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>

#include <cmath>

namespace headlight::model_decoding_test {

namespace {

/// root -> a (kept) -> c (kept, best, over)
///      -> b (kept) -> d (pruned)
TranscriptBeams small_tree() {
    TranscriptBeams beams;
    beams.tree.nodes = {
        {.parent = -1, .token = 0, .is_kept = true},
        {.parent = 0, .token = 3, .log_probability = -0.5, .length = 1, .is_kept = true},
        {.parent = 0, .token = 2, .log_probability = -1, .length = 1, .is_kept = true},
        {.parent = 2, .token = 4, .log_probability = -1.25, .length = 2, .is_over = true, .is_kept = true},
        {.parent = 1, .token = 5, .log_probability = -3, .length = 2}};
    beams.words = {"<s>", "b", "a", "</s>", "d"};
    beams.tree.best = beams.followed = 3;
    return beams;
}

}  // namespace

class ModelDecodingTest : public ModelTest {
    Q_OBJECT
private slots:
    void the_best_text_runs_along_the_top() {
        const BeamLayout layout(small_tree(), true);
        QCOMPARE(layout.columns(), (std::vector<std::vector<Index>>{{0}, {2, 1}, {3, 4}}));
        QCOMPARE(layout.rows(), Index(2));
        QVERIFY(layout.is_on_best_way(2) && !layout.is_on_best_way(1));
        QCOMPARE(layout.way_to(3), (std::vector<Index>{0, 2, 3}));
        QCOMPARE(layout.behind(2), Index(3));
        QCOMPARE(layout.behind(3), Index(3));
        QCOMPARE(layout.before(3), Index(2));
        QCOMPARE(layout.before(2), Index(2));  // the root is no text
        QCOMPARE(layout.below(3), Index(4));
        QCOMPARE(layout.above(3), Index(3));
    }

    void what_was_pruned_may_be_left_out() {
        TranscriptBeams beams = small_tree();
        QCOMPARE(BeamLayout(beams, false).columns(), (std::vector<std::vector<Index>>{{0}, {2, 1}, {3}}));
        beams.followed = 4;  // but not what is looked at
        QCOMPARE(BeamLayout(beams, false).columns().back(), (std::vector<Index>{3, 4}));
    }

    void a_text_that_is_nearly_sure_has_a_log_probability_data() {
        QTest::addColumn<double>("probability");
        QTest::addColumn<QString>("text");
        QTest::newRow("half") << 0.5 << QStringLiteral("−0.69");
        QTest::newRow("unlikely") << 1e-9 << QStringLiteral("−20.72");
        QTest::newRow("likely") << 0.994 << QStringLiteral("−0.01");
        QTest::newRow("nearly sure") << 0.997 << QStringLiteral("−0.003");
        QTest::newRow("all but sure") << 1 - 1e-8 << QStringLiteral("−1×10⁻⁸");
        QTest::newRow("sure") << 1.0 << QStringLiteral("0.00");
    }
    void a_text_that_is_nearly_sure_has_a_log_probability() {
        QFETCH(double, probability);
        QTEST(QString::fromStdString(log_probability_text(std::log(probability))), "text");
    }

    void a_beam_grows_a_tree_in_the_window() {
        QVERIFY(!test_->find("beam_panel")->isVisible());
        generate_dates();
        const QString greedy = test_->said();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->transcript().beams);
        QVERIFY(test_->find("beam_panel")->isVisible());
        QCOMPARE(test_->said(), greedy);  // of a date that it is sure of
        QVERIFY(test_->find("beam_width")->isVisible());
        QVERIFY(!test_->find("temperature")->isVisible());
        QVERIFY(test_->find<QLabel>("beam_heading")->text().contains(QLatin1String("the best text")));
        QVERIFY(tree().accessibleDescription().startsWith(QLatin1String("Beam of 4 over 11 steps")));
        QVERIFY(tree().accessibleDescription().contains(greedy));
        QTRY_VERIFY(tree().height() > 40);
        QVERIFY(!tree().grab().isNull());

        auto* width = test_->find<QDoubleSpinBox>("beam_width");
        width->setValue(2);
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->request().choice.beam_width, Index(2));
        QVERIFY(tree().accessibleDescription().startsWith(QLatin1String("Beam of 2")));
        test_->trigger("edit_undo");
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(!test_->find("beam_panel")->isVisible());
    }

    void an_answer_without_an_end_is_said_to_be_cut() {
        TranscriptBeams beams = small_tree();
        Transcript transcript;
        const auto is_cut_at = [&](Index node) {
            beams.followed = node;
            transcript.beams = beams;
            return is_cut(transcript);
        };
        QVERIFY(!is_cut_at(1) && !is_cut_at(4));  // it goes on, and a better one took its place
        beams.tree.nodes[4].is_kept = true;
        QVERIFY(is_cut_at(4));

        generate_dates();
        QVERIFY(!test_->find("model_cut")->isVisible());
        WordChoice wild{.way = WordChoice::Way::sample, .sampling = {.temperature = 3}};
        for (wild.seed = 1; !test_->find("model_cut")->isVisible() && wild.seed < 50; ++wild.seed) {
            test_->document().edit(change_word_choice(test_->session(), "Draw", wild));
            QTRY_VERIFY(test_->has_generated());
            QCOMPARE(test_->find("model_cut")->isVisible(), !test_->transcript().is_over);
        }
        QVERIFY(test_->find("model_cut")->isVisible());
        QVERIFY(test_->find<QLabel>("model_cut")->text().startsWith(QLatin1String("Cut after 11 tokens")));
    }

    void a_node_that_is_clicked_is_what_the_pictures_show() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        const QString best = test_->said();
        const Index node = pruned_node(3);
        QTRY_VERIFY(tree().height() > 40);
        tree().verticalScrollBar()->setValue(0);
        const QRect area = tree().node_rect(node);
        QVERIFY(!area.isEmpty());
        tree().verticalScrollBar()->setValue(std::max(0, area.bottom() - tree().viewport()->height()));
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, tree().node_rect(node).center());
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->request().followed.size(), std::size_t(3));
        QCOMPARE(test_->transcript().steps.size(), std::size_t(3));
        QCOMPARE(test_->show(ViewKind::heatmap).figure()->panels.front().rows, Index(3));
        QCOMPARE(test_->plain("model_output"), QString::fromStdString(text_to(test_->transcript(), node)));
        QCOMPARE(test_->said(), best);  // what it says is still that
        QVERIFY(test_->find<QLabel>("beam_heading")->text().contains(QLatin1String("pruned")));

        QTest::mouseClick(test_->find("beam_best"), Qt::LeftButton);
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->request().followed.empty());
        QCOMPARE(test_->transcript().steps.size(), std::size_t(11));
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->transcript().steps.size() == 3 || test_->request().followed.empty());
    }

    void the_tree_is_walked_by_keys_and_read_aloud() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        tree().setFocus();
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(&tree(), key, Qt::ShiftModifier);
            QTRY_VERIFY(test_->has_generated());
        };
        press(Qt::Key_Home);
        QCOMPARE(test_->transcript().steps.size(), std::size_t(1));
        press(Qt::Key_Right);
        QCOMPARE(test_->transcript().steps.size(), std::size_t(2));
        press(Qt::Key_Down);
        QVERIFY(test_->transcript().beams->followed != test_->transcript().beams->tree.best);
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&tree());
        QCOMPARE(accessible->role(), QAccessible::Graphic);
        QVERIFY(accessible->text(QAccessible::Value).contains(QStringLiteral("log probability −")));
        press(Qt::Key_Up);
        press(Qt::Key_Left);
        QCOMPARE(test_->transcript().steps.size(), std::size_t(1));
        press(Qt::Key_End);
        QVERIFY(test_->request().followed.empty());
        // In sight wherever it is.
        QTRY_VERIFY(tree().viewport()->rect().contains(
            tree().node_rect(test_->transcript().beams->followed).center()));
    }

    void a_screen_reader_has_the_texts_as_items_of_a_tree() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        QAccessibleInterface* whole = voice_of(&tree());
        QVERIFY(whole->state().focusable);
        QCOMPARE(whole->childCount(), 2);
        QAccessibleInterface* items = whole->child(1);
        QCOMPARE(items->role(), QAccessible::Tree);
        const std::vector<BeamNode>& nodes = test_->transcript().beams->tree.nodes;
        QCOMPARE(items->childCount(), static_cast<int>(nodes.size()) - 1);  // but the root, which is no text
        QAccessibleInterface* first = items->child(0);
        QCOMPARE(first->role(), QAccessible::TreeItem);
        const std::string best_first = [&] {
            Index node = test_->transcript().beams->tree.best;
            while (nodes[static_cast<std::size_t>(node)].length > 1)
                node = nodes[static_cast<std::size_t>(node)].parent;
            return node_description(test_->transcript(), node);
        }();
        QCOMPARE(first->text(QAccessible::Name), QString::fromStdString(best_first));
        QTRY_VERIFY(tree().rect().contains(tree().mapFromGlobal(first->rect().center())));
        int selected = 0;
        for (int item = 0; item < items->childCount(); ++item)
            selected += items->child(item)->state().selected ? 1 : 0;
        QCOMPARE(selected, 1);

        ScreenReader reader;
        first->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->transcript().steps.size(), std::size_t(1));
        QCOMPARE(reader.last(QAccessible::Focus), whole->text(QAccessible::Value));
        QVERIFY(items->child(0)->state().selected);
        QCOMPARE(whole->valueInterface()->currentValue().toDouble(),
                 test_->transcript()
                     .beams->tree.nodes[static_cast<std::size_t>(test_->transcript().beams->followed)]
                     .log_probability);
    }

    void the_next_start_shows_the_node_that_was_chosen() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        const auto is_in_sight = [this] {
            const QRect chosen = tree().node_rect(test_->transcript().beams->followed);
            return tree().viewport()->rect().contains(chosen);
        };
        const auto follow = [this](Index node) {
            test_->document().edit(follow_beam(test_->session(), *test_->transcript().beams, node));
            QTRY_VERIFY(test_->has_generated());
        };
        const auto start_again = [this] {
            test_->close();
            test_->start();
            QTRY_VERIFY(test_->has_generated() && tree().isVisible());
        };
        follow(pruned_node(9));
        QTRY_VERIFY(is_in_sight());
        QVERIFY(tree().horizontalScrollBar()->value() > 0);
        start_again();
        QCOMPARE(test_->transcript().steps.size(), std::size_t(9));
        QTRY_VERIFY(is_in_sight());
        QVERIFY(tree().horizontalScrollBar()->value() > 0);
        // The best text is shown from its start, as that of a new search is.
        follow(test_->transcript().beams->tree.best);
        start_again();
        QCOMPARE(tree().horizontalScrollBar()->value(), 0);
    }

    void the_picture_has_its_share_of_a_small_window() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        test_->trigger("theme_projector");
        test_->window().resize(1100, 520);
        auto* splitter = test_->window().findChild<PictureSplitter*>();
        const auto shares = [&] { return std::pair(splitter->sizes()[0], splitter->sizes()[1]); };
        QTRY_VERIFY2(shares().first > 2 * shares().second,
                     qPrintable(QStringLiteral("%1 and %2").arg(shares().first).arg(shares().second)));
        QTRY_VERIFY(tree().viewport()->rect().contains(tree().node_rect(1)));  // the first row, at least
        QTRY_VERIFY(!test_->find("beam_best")->isVisible());  // which it shows, and the heading has its room

        const QWidget* panel = test_->find("beam_panel");
        const auto has_least = [&] { return shares().second == panel->minimumSizeHint().height(); };
        QTRY_VERIFY(has_least());
        const int with_tree = shares().second;
        QTest::mouseClick(test_->find("beam_fold"), Qt::LeftButton);
        QVERIFY(!tree().isVisible());
        QTRY_VERIFY(has_least() && shares().second < with_tree);
        QVERIFY(test_->find("beam_heading")->isVisible());
        QTest::mouseClick(test_->find("beam_fold"), Qt::LeftButton);
        QVERIFY(tree().isVisible());
        QTRY_VERIFY(has_least());

        // Where there is room enough, the tree has two parts of five.
        test_->trigger("theme_light");
        test_->window().resize(1280, 1400);
        QTRY_COMPARE(shares().second, 2 * (shares().first + shares().second) / 5);
    }

    void a_share_that_was_made_by_hand_stays() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        auto* splitter = test_->window().findChild<PictureSplitter*>();
        QTRY_VERIFY(splitter->sizes()[1] > 0);
        const QPoint middle = splitter->handle(1)->rect().center();
        const int before = splitter->sizes()[1];
        QTest::mousePress(splitter->handle(1), Qt::LeftButton, {}, middle);
        QTest::mouseMove(splitter->handle(1), middle - QPoint(0, 60));
        QTest::mouseRelease(splitter->handle(1), Qt::LeftButton, {}, middle - QPoint(0, 60));
        QVERIFY(splitter->sizes()[1] > before);
        const int chosen = splitter->sizes()[1];
        QTest::mouseClick(test_->find("beam_pruned"), Qt::LeftButton);
        QTest::qWait(50);
        QCOMPARE(splitter->sizes()[1], chosen);
    }

    void pruned_texts_can_be_hidden() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        const Index node = pruned_node(2);
        QVERIFY(!tree().node_rect(node).isEmpty());
        QTest::mouseClick(test_->find("beam_pruned"), Qt::LeftButton);
        QVERIFY(tree().node_rect(node).isEmpty());
    }

    void a_chosen_candidate_begins_the_beam() {
        generate_dates();
        choose_way(WordChoice::Way::beam);
        QTRY_VERIFY(test_->has_generated());
        test_->document().edit(choose_word(test_->session(), test_->transcript(), 0, "1"));
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->transcript().beams->first_step, Index(1));
        QVERIFY(test_->said().startsWith(QLatin1Char('1')));
        QTest::mouseClick(test_->find("model_own_words"), Qt::LeftButton);
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->said().startsWith(QLatin1Char('2')));
    }

    void drawing_follows_its_settings() {
        generate_dates();
        const QString greedy = test_->said();
        choose_way(WordChoice::Way::sample);
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(!test_->find("beam_panel")->isVisible());
        for (const char* id : {"temperature", "top_k", "top_p", "draw_seed", "draw_again"}) {
            QVERIFY2(test_->find(id)->isVisible(), id);
            QVERIFY2(!test_->find(id)->toolTip().isEmpty(), id);
        }
        test_->find<QDoubleSpinBox>("temperature")->setValue(3);
        QTRY_VERIFY(test_->has_generated());
        QStringList drawn{test_->said()};
        for (int i = 0; i < 4; ++i) {
            QTest::mouseClick(test_->find("draw_again"), Qt::LeftButton);
            QTRY_VERIFY(test_->has_generated());
            drawn += test_->said();
        }
        QCOMPARE(test_->request().choice.seed, std::uint64_t(5));
        QVERIFY2(std::ranges::any_of(drawn, [&](const QString& text) { return text != greedy; }),
                 qPrintable(drawn.join(QLatin1Char(' '))));
        test_->find<QDoubleSpinBox>("top_k")->setValue(1);  // then it is the likeliest
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->said(), greedy);
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->said(), drawn.back());
    }

    void a_target_leaves_nothing_to_find() {
        generate_dates();
        QVERIFY(test_->find("decoding")->isEnabled());
        type_over(test_->find("model_target"), QStringLiteral("1999"));
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(!test_->find("decoding")->isEnabled());
    }

private:
    void generate_dates() { test_->generate("dates-additive-gru", QStringLiteral("28 July 2008")); }
    void choose_way(WordChoice::Way way) {
        auto* ways = test_->find<QComboBox>("decoding");
        ways->setCurrentIndex(ways->findData(static_cast<int>(way)));
        emit ways->activated(ways->currentIndex());
    }
    BeamTreeView& tree() { return *test_->window().findChild<BeamTreeView*>(); }
    Index pruned_node(Index length) {
        const std::vector<BeamNode>& nodes = test_->transcript().beams->tree.nodes;
        const auto found = std::ranges::find_if(
            nodes, [&](const BeamNode& node) { return !node.is_kept && node.length == length; });
        return found - nodes.begin();
    }
};

QTEST_MAIN(ModelDecodingTest)

}  // namespace headlight::model_decoding_test

#include "model_decoding_test.moc"
