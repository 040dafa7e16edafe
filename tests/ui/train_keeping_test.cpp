// What a training run keeps: through a kill, a full disk, its goal.
#include "core/io/files.h"
#include "core/io/training_folder.h"
#include "tests/ui/train_support.h"
#include "ui/render/fixed_text.h"

#include <QLabel>

#include <filesystem>

namespace headlight::train_keeping_test {

namespace fs = std::filesystem;

class TrainKeepingTest : public TrainingTest {
    Q_OBJECT
private slots:
    void a_full_disk_pauses_nothing_and_loses_nothing() {
        constexpr Index steps = 400;
        test_->choose_small("copy", steps);
        test_->begin();
        TrainingRun& run = *test_->train().current();
        QTRY_VERIFY(run.summary().steps > 5);
        const fs::path folder = run.folder(), moved = folder.string() + ".moved";
        fs::rename(folder, moved);
        write_file_atomically(folder, "a file where the folder was");
        test_->click("train_pause");
        QTRY_COMPARE(run.state(), TrainingRun::State::paused);
        QVERIFY(run.problem());
        QVERIFY(run.can_resume());
        QVERIFY(test_->find<QLabel>("train_numbers")->text().contains(QLatin1String("Not on the disk")));
        // It goes on from what the disk does not have.
        const Index before = run.summary().steps;
        test_->click("train_resume");
        QTRY_VERIFY(run.summary().steps > before + 10);
        QVERIFY(run.problem());
        QCOMPARE(run.state(), TrainingRun::State::running);
        test_->click("train_pause");
        QTRY_COMPARE(run.state(), TrainingRun::State::paused);
        // There is room again.
        fs::remove(folder);
        fs::rename(moved, folder);
        test_->click("train_resume");
        QTRY_VERIFY(!run.problem());
        test_->finish();
        const Checkpoint kept = read_training_checkpoint(folder);
        Training whole(kept.settings);
        while (whole.steps() < steps)
            whole.step();
        QVERIFY(kept.state == whole.checkpoint());
    }

    void after_a_kill_head_and_film_are_of_the_checkpoint() {
        test_->choose_small("copy", 20'000);
        test_->begin();
        test_->pause_after(200);
        TrainingRun& run = *test_->train().current();
        const fs::path folder = run.folder(), older = folder.string() + ".older";
        const Index at = run.summary().steps;
        fs::copy(folder, older);
        test_->click("train_resume");
        test_->pause_after(at + 400);
        // Killed between the files: the record is ahead of what the run goes on from.
        test_->kill();
        for (const char* file : {"run.json", "checkpoint.safetensors"})
            fs::copy_file(older / file, folder / file, fs::copy_options::overwrite_existing);
        test_->start();
        test_->open();
        QTRY_VERIFY(!test_->train().current()->record()->film.frames().empty());
        const TrainingRun& again = *test_->train().current();
        QCOMPARE(again.summary().steps, at);
        QVERIFY(again.record()->loss.points().back().step <= at);
        QVERIFY(again.record()->film.frames().back()->step <= at);
        const QString head = test_->find<QLabel>("train_numbers")->text();
        const double loss = again.record()->loss.points().back().loss;
        QVERIFY2(head.contains(QStringLiteral("loss %1").arg(fixed_text(loss, 3))), qPrintable(head));
        // The step beside the slider is that of the figure's title.
        const QString step = test_->find<QLabel>("train_step")->text();
        const auto figure = test_->train().film().view().figure();
        QVERIFY(figure);
        QVERIFY2(QString::fromStdString(figure->title)
                     .remove(QChar(','))
                     .contains(QString(step).remove(QChar(','))),
                 qPrintable(step + QString::fromStdString(figure->title)));
    }

    void it_stops_at_its_goal_unless_asked_to_go_on() {
        constexpr int steps = 1500;  // it is good at it after a thousand
        test_->choose_small("copy", steps);
        test_->begin();
        TrainingRun& run = *test_->train().current();
        QVERIFY(run.summary().goal > 0);
        QTRY_COMPARE_WITH_TIMEOUT(run.state(), TrainingRun::State::paused, 3 * patience);
        QVERIFY(run.has_reached_goal());
        QVERIFY(run.summary().steps < steps);
        QVERIFY(TrainingList::state_text(run).startsWith(QLatin1String("goal reached")));
        test_->click("train_resume");
        test_->finish();
        QCOMPARE(run.summary().steps, Index(steps));
    }

    void what_cannot_be_undone_is_never_the_default() {
        test_->choose_small("copy", without_end);
        test_->begin();
        QTimer::singleShot(0, &test_->window(), [] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            QTest::keyClick(box, Qt::Key_Return);
        });
        test_->click("train_stop");
        QCOMPARE(test_->train().current()->state(), TrainingRun::State::running);
        QVERIFY(!test_->train().current()->is_ending());
    }

    void escape_does_not_close_the_window() {
        test_->choose_small("copy", 10);
        QTest::keyClick(&test_->train(), Qt::Key_Escape);
        QVERIFY(test_->train().isVisible());
    }

    void a_model_has_a_place_to_be_saved_without_a_documents_folder() {
        const QByteArray home = qgetenv("HOME"), config = qgetenv("XDG_CONFIG_HOME");
        const QByteArray empty = QFile::encodeName(test_->file(QStringLiteral("home")));
        QVERIFY(QDir().mkpath(QFile::decodeName(empty)));
        qputenv("HOME", empty);
        qputenv("XDG_CONFIG_HOME", empty);
        test_->choose_small("copy", 5);
        test_->begin();
        test_->finish();
        QString place, label;
        // Where a model could not be saved is not offered again.
        QVERIFY(QDir().mkpath(test_->file(QStringLiteral("bad"))));
        QFile taken(test_->file(QStringLiteral("bad/model")));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        test_->train().save_model_to(taken.fileName());
        QTRY_VERIFY(test_->train().findChild<QWidget*>(QStringLiteral("train_message"))->isVisible());
        QTimer::singleShot(0, &test_->window(), [&] {
            auto* dialog = QApplication::activeModalWidget();
            QVERIFY(dialog);
            place = dialog->findChild<QLineEdit*>(QStringLiteral("save_model_place"))->text();
            for (const QLabel* each : dialog->findChildren<QLabel*>())
                if (each->text().contains(QLatin1String("In")) && each->buddy())
                    label = each->buddy()->objectName();
            qobject_cast<QDialog*>(dialog)->reject();
        });
        test_->click("train_save");
        qputenv("HOME", home);
        config.isEmpty() ? qunsetenv("XDG_CONFIG_HOME") : qputenv("XDG_CONFIG_HOME", config);
        QVERIFY2(QFileInfo(place).isDir(), qPrintable(place));
        QVERIFY(!place.endsWith(QLatin1String("bad")));
        QCOMPARE(label, QStringLiteral("save_model_place"));
    }
};

QTEST_MAIN(TrainKeepingTest)

}  // namespace headlight::train_keeping_test

#include "train_keeping_test.moc"
