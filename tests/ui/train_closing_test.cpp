// What a training survives: its window closed, the program closed or killed, its files damaged.

#include "core/io/checkpoint_file.h"
#include "core/io/files.h"
#include "core/io/model_folder.h"
#include "tests/ui/train_support.h"

#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QListView>
#include <QToolButton>

#include <ctime>

namespace headlight::train_closing_test {

class TrainClosingTest : public TrainingTest {
    Q_OBJECT
private slots:
    void what_was_typed_comes_back() {
        test_->choose_small("sort", 30);
        test_->choose("train_attention", QStringLiteral("sparsemax"));
        test_->type("train_source", QStringLiteral("dcba"));
        test_->close();
        test_->start();
        test_->open();
        QTRY_VERIFY(test_->train().form().plan());
        const TrainingPlan plan = *test_->train().form().plan();
        QCOMPARE(plan.name, std::string("sort-sparsemax-gru"));
        QCOMPARE(plan.settings.steps, Index(30));
        QCOMPARE(plan.text.source, std::string("dcba"));
    }

    void what_cannot_be_read_comes_back_too() {
        test_->choose_small("sort", 30);
        test_->type("train_source", QStringLiteral("dc?"));
        test_->type("train_target", QStringLiteral("c"));
        test_->close();
        test_->start();
        test_->open();
        QCOMPARE(test_->find<QLineEdit>("train_source")->text(), QStringLiteral("dc?"));
        QCOMPARE(test_->find<QLineEdit>("train_target")->text(), QStringLiteral("c"));
        QTRY_VERIFY(!test_->find<QLabel>("train_refusal")->text().isEmpty());
        const QString refusal = test_->find<QLabel>("train_refusal")->text();
        QVERIFY2(refusal.contains(QStringLiteral("“?”")), qPrintable(refusal));
    }

    void the_runs_that_were_compared_come_back() {
        test_->choose_small("copy", 5);
        for (int run = 0; run < 3; ++run) {
            test_->begin();
            test_->finish();
        }
        auto* list = test_->find<QListView>("train_runs");
        list->setCurrentIndex(list->model()->index(1, 0));
        beside(QStringLiteral("Copy · additive · GRU"));
        test_->close();
        test_->start();
        test_->open();
        QCOMPARE(test_->train().current()->name(), QStringLiteral("copy-additive-gru, run 2"));
        QCOMPARE(test_->find<QComboBox>("train_beside")->currentText(),
                 QStringLiteral("Copy · additive · GRU"));
        QTRY_COMPARE(test_->train().curves().loss().chart().lines.size(), std::size_t(2));
        beside(QStringLiteral("nothing"));
        test_->close();
        test_->start();
        test_->open();
        QCOMPARE(test_->find<QComboBox>("train_beside")->currentText(), QStringLiteral("nothing"));
    }

    void a_compared_run_that_is_gone_is_not_missed() {
        test_->choose_small("copy", 5);
        for (int run = 0; run < 2; ++run) {
            test_->begin();
            test_->finish();
        }
        QCOMPARE(test_->find<QComboBox>("train_beside")->currentText(),
                 QStringLiteral("Copy · additive · GRU"));
        const std::filesystem::path older = test_->train().runs().run(1)->folder();
        test_->close();
        test_->kill();
        std::filesystem::remove_all(older);
        test_->start();
        test_->open();
        QCOMPARE(test_->train().current()->name(), QStringLiteral("copy-additive-gru, run 2"));
        QCOMPARE(test_->find<QComboBox>("train_beside")->currentText(), QStringLiteral("nothing"));
        QTRY_COMPARE(test_->train().curves().loss().chart().lines.size(), std::size_t(1));
    }

    void closing_the_window_asks() {
        const QRect player = test_->find("player-scrubber")->geometry();
        test_->choose_small("copy", without_end);
        test_->begin();
        test_->answer("train_close_question", QStringLiteral("Cancel"));
        QVERIFY(!test_->train().close());
        QVERIFY(test_->train().isVisible());
        test_->answer("train_close_question", QStringLiteral("&Keep training"));
        QVERIFY(test_->train().close());
        QVERIFY(!test_->train().isVisible());
        QVERIFY(test_->train().runs().running());
        QTRY_VERIFY(test_->find("train_status")->isVisible());
        QTest::qWait(1);
        QCOMPARE(test_->find("player-scrubber")->geometry(), player);
        QTest::mouseClick(test_->find("train_status"), Qt::LeftButton);
        QVERIFY(test_->train().isVisible());
        test_->answer("train_close_question", QStringLiteral("&Pause it"));
        test_->train().reject();
        QVERIFY(!test_->train().isVisible());
        QTRY_COMPARE(test_->train().runs().run(0)->state(), TrainingRun::State::paused);
        QTRY_VERIFY(!test_->find("train_status")->isVisible());
    }

    void a_small_screen_has_the_main_window_while_a_model_learns() {
        Session session = small_session("multi_head");
        session.sequence.query_text = long_text(120);
        session.view.player = PlayMode::step;
        open_session(test_->document(), session);
        test_->choose_small("copy", without_end);
        test_->begin();
        test_->answer("train_close_question", QStringLiteral("&Keep training"));
        QVERIFY(test_->train().close());
        const auto* status = test_->find<QToolButton>("train_status");
        QTRY_VERIFY(status->isVisible());
        const QSize small(800, 600);
        test_->window().resize(small);
        QTRY_COMPARE(test_->window().size(), small);
        QTRY_VERIFY(test_->window().minimumSizeHint().width() <= small.width());
        // What is cut there is said whole where one points at it.
        QTRY_VERIFY(status->mapTo(&test_->window(), status->rect().bottomRight()).x() < small.width());
        QVERIFY(status->toolTip().contains(status->text()));
        emit test_->document().busy_changed(true);
        QTest::qWait(1);
        QVERIFY(test_->window().minimumSizeHint().width() <= small.width());
        const QWidget* cancel = test_->find("cancel_run");
        QCOMPARE(cancel->visibleRegion().boundingRect(), cancel->rect());
        emit test_->document().busy_changed(false);
    }

    void one_that_ends_behind_the_window_says_so() {
        test_->choose_small("copy", 200);
        test_->begin();
        test_->answer("train_close_question", QStringLiteral("&Keep training"));
        QVERIFY(test_->train().close());
        QTRY_VERIFY(test_->message("notice").contains(QLatin1String("finished")));
        QVERIFY(test_->window().close());  // nothing is left to ask
    }

    void closing_the_program_asks_and_pauses() {
        test_->choose_small("copy", without_end);
        test_->begin();
        QTRY_VERIFY(test_->train().current()->summary().steps >= 2);
        test_->answer("train_quit_question", QStringLiteral("Cancel"));
        QVERIFY(!test_->window().close());
        test_->answer("train_quit_question", QStringLiteral("&Pause and close"));
        QVERIFY(test_->window().close());
        test_->start();
        test_->open();
        QCOMPARE(test_->train().runs().rowCount(), 1);
        QCOMPARE(test_->train().current()->state(), TrainingRun::State::paused);
        QVERIFY(!test_->train().current()->was_interrupted());
        QTRY_VERIFY(!test_->train().current()->record()->film.frames().empty());
    }

    void a_killed_one_resumes_to_the_same_bytes() {
        constexpr Index steps = 400;
        test_->choose_small("copy", steps);
        test_->begin();
        test_->pause_after(5);
        // What a kill leaves: the last checkpoint, and a list that says it learns.
        const std::filesystem::path folder = test_->train().current()->folder();
        TrainingSummary summary = read_training_summary(folder);
        summary.phase = TrainingPhase::training;
        test_->kill();
        write_training_summary(folder, summary);
        test_->start();
        test_->open();
        QVERIFY(test_->train().current()->was_interrupted());
        QVERIFY(test_->message("train_message").contains(QLatin1String("Resume")));
        test_->click("train_resume");
        test_->finish();
        const Checkpoint resumed = read_training_checkpoint(folder);
        Training whole(resumed.settings);
        while (whole.steps() < steps)
            whole.step();
        QVERIFY(resumed.state == whole.checkpoint());
        QCOMPARE(test_->train().current()->record()->loss.points().size(), std::size_t(steps));
        QCOMPARE(test_->train().current()->record()->film.frames().size(), std::size_t(201));
    }

    void a_damaged_checkpoint_says_so_and_can_be_removed() {
        test_->choose_small("copy", 1000);
        test_->begin();
        test_->click("train_pause");
        QTRY_COMPARE(test_->train().current()->state(), TrainingRun::State::paused);
        const QString file =
            QString::fromStdString((test_->train().current()->folder() / checkpoint_name).string());
        test_->kill();
        QFile damaged(file);
        QVERIFY(damaged.resize(damaged.size() / 2));
        test_->start();
        test_->open();
        test_->click("train_resume");
        QTRY_COMPARE(test_->train().current()->state(), TrainingRun::State::failed);
        QVERIFY(test_->find<QLabel>("train_numbers")->text().contains(QLatin1String(checkpoint_name)));
        QTRY_VERIFY(test_->button("train_start")->isEnabled());  // when its settings are prepared
        QTimer::singleShot(0, this, [] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            box->button(QMessageBox::Yes)->click();
        });
        test_->click("train_remove");
        QCOMPARE(test_->train().runs().rowCount(), 0);
        QVERIFY(!QFile::exists(file));
    }

    void a_damaged_film_does_not_cost_the_training() {
        test_->choose_small("copy", 400);
        test_->begin();
        test_->pause_after(3);
        const std::filesystem::path record = test_->train().current()->folder() / "record.safetensors";
        test_->kill();
        write_file_atomically(record, "nothing");
        test_->start();
        test_->open();
        QTRY_VERIFY(test_->train().film().view().notice().contains(QLatin1String("record.safetensors")));
        test_->click("train_resume");
        test_->finish();
        QVERIFY(test_->train().film().view().figure());
    }

    void closing_does_not_wait_for_held_out_examples() {
        const std::filesystem::path folder = measured_run().folder();
        test_->kill();
        // One that is waited for is kept.
        QCOMPARE(read_training_summary(folder).exact_match.examples, Index(0));
        // What was not measured is measured when somebody looks at the run again.
        test_->start();
        test_->open();
        QTRY_VERIFY(test_->train().current()->summary().exact_match.examples > 0);
    }

    void another_run_does_not_wait_for_held_out_examples() {
        const TrainingRun& run = measured_run();
        QVERIFY(!test_->train().runs().running());
        QVERIFY(test_->button("train_start")->isEnabled());
        const auto* numbers = test_->find<QLabel>("train_numbers");
        QVERIFY(numbers->text().contains(QLatin1String("being measured")));
        QTRY_VERIFY_WITH_TIMEOUT(!run.is_measuring(), patience);
        QVERIFY(numbers->text().contains(QLatin1String("on 2,000 held-out")));
    }

    void removing_does_not_wait_for_held_out_examples() {
        const TrainingSettings settings = *measured_run().settings();
        test_->kill();
        test_->start();
        test_->open();
        TrainingRun& run = *test_->train().current();
        QTRY_VERIFY(run.settings());  // what is read comes before what is measured
        QCOMPARE(run.summary().exact_match.examples, Index(0));
        const qint64 removing = time_of([&] { test_->train().runs().remove(0); });
        const qint64 measuring = time_to_measure(settings);
        QVERIFY2(removing < measuring / 2,
                 qPrintable(QStringLiteral("%1 of %2 ms").arg(removing).arg(measuring)));
        QCOMPARE(test_->train().runs().rowCount(), 0);
    }

    void the_window_does_not_stutter() {
        test_->choose("train_task", QStringLiteral("Reverse"), true);
        test_->choose("train_host", QStringLiteral("Transformer"));
        constexpr int steps = 20'000;  // a frame every hundred
        test_->set_size(64, steps);
        test_->begin();
        QTRY_VERIFY(test_->train().current()->record()->film.frames().size() > 1);
        // The longest time that the window's thread spends on one turn of its own.
        qint64 longest = 0;
        QElapsedTimer all;
        all.start();
        while (all.elapsed() < 3000) {
            QElapsedTimer turn;
            timespec before{}, after{};
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
            QCoreApplication::processEvents(QEventLoop::AllEvents);
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
            longest = std::max<qint64>(longest, (after.tv_sec - before.tv_sec) * 1000 +
                                                    (after.tv_nsec - before.tv_nsec) / 1'000'000);
            QTest::qSleep(5);
        }
        QVERIFY2(longest < 100, qPrintable(QStringLiteral("%1 ms").arg(longest)));
        test_->answer("train_stop_question", QStringLiteral("&Stop it"));
        test_->click("train_stop");
    }

private:
    /// One whose steps are all done, and which is being measured.
    TrainingRun& measured_run() {
        test_->choose("train_task", QStringLiteral("Reverse"), true);
        test_->choose("train_host", QStringLiteral("Transformer"));
        test_->set_size(64, 2);
        test_->begin();
        TrainingRun& run = *test_->train().current();
        const bool is_done =
            QTest::qWaitFor([&] { return run.state() == TrainingRun::State::finished; }, patience);
        if (!is_done || !run.is_measuring())
            QTest::qFail("it is not being measured", __FILE__, __LINE__);
        return run;
    }

    /// Milliseconds of processor time that all threads together spend on it: other programs cannot disturb
    /// that.
    template <class Work>
    static qint64 time_of(const Work& work) {
        const std::clock_t before = std::clock();
        work();
        return (std::clock() - before) / (CLOCKS_PER_SEC / 1000);
    }

    /// Milliseconds that the 2,000 held-out examples take, from a quarter of them.
    static qint64 time_to_measure(const TrainingSettings& settings) {
        const Training training(settings);
        return 4 * time_of([&] { training.exact_match_rate(500); });
    }

    /// Chooses the run of that name to stand beside the one in view.
    void beside(const QString& name) {
        auto* runs = test_->find<QComboBox>("train_beside");
        runs->setCurrentIndex(runs->findText(name));
        emit runs->activated(runs->currentIndex());
    }
};

QTEST_MAIN(TrainClosingTest)

}  // namespace headlight::train_closing_test

#include "train_closing_test.moc"
