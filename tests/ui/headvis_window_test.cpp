// A tree of heads as HeadVis publishes them, opened in the window.

#include "core/figure/view.h"
#include "tests/support/headvis_tree.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/heads_canvas.h"

#include <QComboBox>

namespace headlight::headvis_window_test {

class HeadVisWindowTest : public WindowedTest {
    Q_OBJECT
private slots:
    void a_tree_opens_with_the_sequences_of_its_first_head() {
        open(QStringLiteral("tree"));
        QCOMPARE(test_->document().view().selection.site, std::string("interval 5 #1"));
        const auto* sites = test_->find<QComboBox>("model_site");
        QVERIFY(sites->isVisible());
        QCOMPARE(sites->count(), 3);
        QVERIFY2(test_->document().figure()->caption.find("sparse rows") != std::string::npos,
                 test_->document().figure()->caption.c_str());
    }

    void another_head_is_read_when_it_is_chosen() {
        open(QStringLiteral("tree/config.json"));
        auto* heads = test_->find<QComboBox>("tree_head");
        QVERIFY(heads->isVisible());
        QCOMPARE(heads->count(), 4);
        QCOMPARE(heads->currentText(), QStringLiteral("layer 1, head 1"));
        heads->setCurrentIndex(3);
        emit heads->activated(3);
        QTRY_COMPARE(shown_file(), file("tree/heads/L5H1.json"));
        QCOMPARE(heads->currentText(), QStringLiteral("layer 6, head 2"));
        QCOMPARE(test_->document().run()->trace->tokens_at("interval 5 #1").query,
                 test::headvis_tokens(5, 1, 2));
        test_->trigger("edit_undo");
        QTRY_COMPARE(shown_file(), file("tree/heads/L0H0.json"));
        QCOMPARE(heads->currentText(), QStringLiteral("layer 1, head 1"));
    }

    void a_head_that_cannot_be_read_is_told_and_another_can_be_chosen() {
        open(QStringLiteral("tree"));
        folder_.write("tree/heads/L0H1.json", "{ no head at all");
        auto* heads = test_->find<QComboBox>("tree_head");
        emit heads->activated(1);
        QTRY_VERIFY(test_->document().error());
        QVERIFY2(test_->message("run_message").contains(QLatin1String("L0H1.json")),
                 qPrintable(test_->message("run_message")));
        test_->trigger("edit_undo");
        QTRY_COMPARE(shown_file(), file("tree/heads/L0H0.json"));
    }

    void the_scatter_has_the_metrics_of_the_tree_and_a_click_reads_a_head() {
        open(QStringLiteral("tree"));
        ViewState there = test_->document().view();
        there.view = ViewKind::scatter;
        test_->document().looking().look_at(there);
        auto* canvas = test_->window().views().currentWidget()->findChild<HeadsCanvas*>();
        QTRY_VERIFY(canvas && canvas->figure());
        QCOMPARE(canvas->figure()->panels.front().marks->heads.size(), std::size_t(2));
        QVERIFY(!canvas->selected_mark());  // the head that is read has no induction score
        auto* across = test_->find<QComboBox>("heads_across");
        QCOMPARE(across->count(), 2);
        QCOMPARE(across->currentText(), QStringLiteral("pattern_entropy"));
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->mark_rect(1).center().toPoint());
        QTRY_COMPARE(shown_file(), file("tree/heads/L5H1.json"));
        QTRY_VERIFY(canvas->figure() && canvas->selected_mark() == std::size_t(1));
        across->setCurrentIndex(1);
        emit across->activated(1);
        QCOMPARE(test_->document().view().heads.metrics.across, std::string("induction_score"));
        QTRY_COMPARE(canvas->figure()->panels.front().column_axis.title, std::string("induction_score"));
    }

    void every_view_shows_it_or_says_why_not() {
        open(QStringLiteral("tree/heads/L5H0.json"));
        for (const View& each : views()) {
            ViewState there = test_->document().view();
            there.view = each.kind;
            test_->document().looking().look_at(there);
            QVERIFY(!test_->window().views().grab().isNull());
        }
    }

private:
    std::string file(const char* name) const { return (folder_ / name).string(); }
    /// The file whose maps are shown by now.
    std::string shown_file() {
        const auto run = test_->document().run();
        return run && !run->plan && run->session->capture == test_->session().capture
                   ? test_->session().attends_elsewhere()
                   : "none";
    }
    void open(const QString& name) {
        test::write_headvis_tree(folder_);
        drop(test_->window(), QString::fromStdString(file(qPrintable(name))));
        QTRY_VERIFY(shown_file() != "none");
    }

    test::TemporaryFolder folder_;
};

QTEST_MAIN(HeadVisWindowTest)

}  // namespace headlight::headvis_window_test

#include "headvis_window_test.moc"
