// A model learns in the window: started, paused, resumed, scrubbed, compared, saved, exported, closed and
// killed.

#include "core/io/checkpoint_file.h"
#include "core/io/files.h"
#include "core/io/model_folder.h"
#include "tests/ui/window_support.h"
#include "ui/models/training_list.h"
#include "ui/panels/film_panel.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_curves.h"
#include "ui/panels/training_form.h"
#include "ui/views/chart_plot.h"
#include "ui/views/film_view.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <gif_lib.h>

using namespace headlight;

namespace {

/// What a GIF says of itself.
struct GifFile {
    int frames = 0;
    QSize size;
};

GifFile read_gif(const QString& path) {
    int error = 0;
    GifFileType* gif = DGifOpenFileName(path.toLocal8Bit().constData(), &error);
    if (!gif || DGifSlurp(gif) != GIF_OK)
        return {};
    const GifFile read{gif->ImageCount, QSize(gif->SWidth, gif->SHeight)};
    DGifCloseFile(gif, &error);
    return read;
}

}  // namespace

class TrainWindowTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        fail_on_warnings();
        test_ = std::make_unique<WindowUnderTest>();
    }
    void cleanup() { test_.reset(); }

    void it_opens_with_something_to_train() {
        open();
        QTRY_VERIFY(train().form().plan());
        QVERIFY(button("train_start")->isEnabled());
        for (const char* id : {"train_pause", "train_stop", "train_save", "train_open", "train_remove"})
            QVERIFY2(!button(id)->isEnabled(), id);
        QVERIFY(!train().film().view().figure());
        QVERIFY(!train().film().view().notice().isEmpty());
        QVERIFY(!test_->find<QLineEdit>("train_source")->text().isEmpty());
        for (const QWidget* control : train().findChildren<QWidget*>())
            if (control->focusPolicy() != Qt::NoFocus && !qobject_cast<const QLabel*>(control) &&
                control->objectName().startsWith(QLatin1String("train_"))) {
                QVERIFY2(!control->accessibleName().isEmpty(), qPrintable(control->objectName()));
                QVERIFY2(!control->toolTip().isEmpty() ||
                             control->objectName() == QLatin1String("train_film"),
                         qPrintable(control->objectName()));
            }
    }

    void it_learns_pauses_resumes_and_ends() {
        choose_small("copy", 50);
        const QAbstractItemModelTester tester(&train().runs(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        start();
        TrainingRun& run = *train().current();
        QVERIFY(!button("train_start")->isEnabled());  // one after another
        QTRY_VERIFY(run.summary().steps >= 3);
        click("train_pause");
        QTRY_COMPARE(run.state(), TrainingRun::State::paused);
        const Index paused_at = run.summary().steps;
        QVERIFY(paused_at < 50);
        QVERIFY(button("train_resume")->isVisible());
        QTest::qWait(150);
        QCOMPARE(run.summary().steps, paused_at);
        click("train_resume");
        finish();
        QCOMPARE(run.record()->loss.points().size(), std::size_t(50));
        QCOMPARE(run.record()->film.frames().size(), std::size_t(51));
        QCOMPARE(run.summary().exact_match.examples, Index(2000));
        QCOMPARE(train().curves().loss().chart().lines.size(), std::size_t(1));
        QVERIFY(!train().curves().exact_match().chart().lines.empty());
        QVERIFY(test_->find<QLabel>("train_numbers")->text().startsWith(QLatin1String("finished")));

        // The same as without a pause.
        Training alone(read_training_checkpoint(run.folder()).settings);
        while (alone.steps() < 50)
            alone.step();
        QVERIFY(read_training_checkpoint(run.folder()).state == alone.checkpoint());
    }

    void the_slider_scrubs_through_the_film() {
        choose_small("copy", 20);
        start();
        finish();
        auto* slider = test_->find<QSlider>("train_slider");
        QCOMPARE(slider->maximum(), 20);
        QCOMPARE(slider->value(), 20);
        const FilmView& film = train().film().view();
        const std::vector<double> last = film.figure()->panels.front().values;
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QVERIFY(film.figure()->panels.front().values != last);
        QVERIFY(film.figure()->title.find("step 0") != std::string::npos);
        QCOMPARE(*train().curves().loss().chart().cursor, 0.0);
        QTest::keyClick(slider, Qt::Key_Right);
        QVERIFY(film.figure()->title.find("step 1:") != std::string::npos);
        QTest::mouseClick(test_->find<QToolButton>("train_forward"), Qt::LeftButton);
        QVERIFY(film.figure()->title.find("step 2:") != std::string::npos);
        // And from the curves.
        auto* plot = test_->find<ChartPlot>("train_loss");
        const QRectF area = plot_area(QRectF(plot->rect()), plot->chart(), plot->font());
        QTest::mouseClick(plot, Qt::LeftButton, {}, area.center().toPoint());
        QVERIFY(film.figure()->title.find("step 10:") != std::string::npos);
        QCOMPARE(slider->value(), 10);
        QTest::mouseClick(test_->find<QToolButton>("train_play"), Qt::LeftButton);
        QTRY_COMPARE(slider->value(), 20);
        QVERIFY(film.figure()->panels.front().values == last);
    }

    void two_runs_are_compared() {
        choose_small("copy", 12);
        start();
        finish();
        choose("train_attention", QStringLiteral("dot"));
        start();
        finish();
        QCOMPARE(train().runs().rowCount(), 2);
        auto* beside = test_->find<QComboBox>("train_beside");
        QCOMPARE(beside->currentText(), QStringLiteral("copy-additive-gru"));  // of itself
        QCOMPARE(train().curves().loss().chart().lines.size(), std::size_t(2));
        const Figure& figure = *train().film().view().figure();
        QCOMPARE(figure.panels.size(), std::size_t(2));
        QCOMPARE(figure.columns, Index(2));
        QCOMPARE(figure.panels[0].title, std::string("dot"));
        QCOMPARE(figure.panels[1].title, std::string("additive"));
        QVERIFY(figure.panels[0].values != figure.panels[1].values);
        QCOMPARE(figure.panels[0].row_axis.labels, figure.panels[1].row_axis.labels);
        test_->find<QSlider>("train_slider")->setValue(4);
        for (const Panel& panel : train().film().view().figure()->panels)
            QCOMPARE(QString::fromStdString(panel.subtitle), QStringLiteral("step 4"));
        beside->setCurrentIndex(0);
        emit beside->activated(0);
        QCOMPARE(train().film().view().figure()->panels.size(), std::size_t(1));
    }

    void a_transformer_shows_all_its_heads() {
        choose("train_task", QStringLiteral("Reverse"), true);
        choose("train_host", QStringLiteral("Transformer"));
        set_size(16, 5);
        start();
        finish();
        QCOMPARE(train().film().view().figure()->panels.size(), std::size_t(4));
        auto* site = test_->find<QComboBox>("train_site");
        QVERIFY(site->isVisible());
        QVERIFY(site->currentText().endsWith(QLatin1String("cross")));
        choose("train_site", QStringLiteral("encoder.0.self"));
        QVERIFY(train().film().view().figure()->title.ends_with("encoder.0.self"));
    }

    void a_model_is_saved_and_speaks() {
        choose_small("copy", 50);
        start();
        finish();
        const QString folder = test_->file(QStringLiteral("copied"));
        QVERIFY(!button("train_open")->isEnabled());
        train().save_model_to(folder);
        QTRY_VERIFY(button("train_open")->isEnabled());
        const TrainedModel model = read_model_folder(folder.toStdString());
        QCOMPARE(model.steps, Index(50));
        QCOMPARE(model.exact_match.examples, Index(2000));
        click("train_open");
        QTRY_VERIFY(test_->document().run() && test_->document().run()->utterance);
        QCOMPARE(test_->session().model->name, folder.toStdString());
        QVERIFY(test_->find("model_source")->isVisible());
    }

    void a_paused_one_is_saved_too_and_a_bad_place_is_refused() {
        choose_small("copy", 5000);
        start();
        QTRY_VERIFY(train().current()->summary().steps >= 2);
        QVERIFY(!button("train_save")->isEnabled());
        click("train_stop");
        QTRY_COMPARE(train().current()->state(), TrainingRun::State::stopped);
        QTRY_VERIFY(button("train_save")->isEnabled());
        train().save_model_to(QStringLiteral("/nowhere/at/all"));
        QTRY_VERIFY(test_->message("train_message").contains(QLatin1String("/nowhere")));
        const QString folder = test_->file(QStringLiteral("stopped"));
        train().save_model_to(folder);
        QTRY_VERIFY(QDir(folder).exists());
        QTRY_VERIFY(button("train_open")->isEnabled());
        QCOMPARE(read_model_folder(folder.toStdString()).steps, train().current()->summary().steps);
    }

    void the_film_is_exported() {
        choose_small("copy", 12);
        start();
        finish();
        const QString gif = test_->file(QStringLiteral("film.gif"));
        train().film().export_to(gif);
        QTRY_VERIFY(test_->message("train_message").contains(gif));
        const GifFile read = read_gif(gif);
        QCOMPARE(read.frames, 13);
        QVERIFY(read.size.width() > 200 && read.size.height() > 150);
        train().film().export_to(test_->file(QStringLiteral("frames.png")));
        const QDir frames(test_->file(QStringLiteral("frames")));
        QTRY_COMPARE(frames.entryList(QDir::Files).size(), qsizetype(13));
        QCOMPARE(frames.entryList(QDir::Files).constFirst(), QStringLiteral("frames-0001.png"));
        const QImage first(frames.filePath(QStringLiteral("frames-0001.png")));
        QCOMPARE(first.size(), read.size);
        QVERIFY(first.text(QStringLiteral("Title")).contains(QLatin1String("step 0")));
        QVERIFY(first != QImage(frames.filePath(QStringLiteral("frames-0013.png"))));
        train().film().export_to(test_->file(QStringLiteral("film.txt")));
        QTRY_VERIFY(test_->message("train_message").contains(QLatin1String(".gif")));
    }

    void another_sentence_is_filmed_from_then_on() {
        choose_small("copy", 5000);
        start();
        QTRY_VERIFY(!train().current()->record()->film.frames().empty());
        type("train_source", QStringLiteral("abc"));
        QVERIFY(test_->find<QLineEdit>("train_target")->text().isEmpty());  // its own words
        type("train_target", QStringLiteral("abc"));
        QTRY_COMPARE(train().current()->record()->film.frames().back()->words.source,
                     (std::vector<std::string>{"a", "b", "c"}));
        type("train_source", QStringLiteral("ab7"));
        QVERIFY(test_->find<QLabel>("train_refusal")->text().contains(QLatin1String("7")));
        click("train_stop");
        QTRY_COMPARE(train().current()->state(), TrainingRun::State::stopped);
        QVERIFY(!button("train_start")->isEnabled());
        type("train_source", QStringLiteral("abcd"));
        QVERIFY(button("train_start")->isEnabled());
    }

    void what_cannot_be_trained_is_said() {
        choose("train_task", QStringLiteral("Reverse"), true);
        choose("train_host", QStringLiteral("Transformer"));
        set_size(17, 5);
        QTRY_VERIFY(test_->find<QLabel>("train_refusal")->text().contains(QLatin1String("even")));
        QVERIFY(!button("train_start")->isEnabled());
        set_size(18, 5);
        QVERIFY(button("train_start")->isEnabled());
    }

    void what_was_typed_comes_back() {
        choose_small("sort", 30);
        choose("train_attention", QStringLiteral("sparsemax"));
        type("train_source", QStringLiteral("dcba"));
        test_->close();
        test_->start();
        open();
        QTRY_VERIFY(train().form().plan());
        const TrainingPlan plan = *train().form().plan();
        QCOMPARE(plan.name, std::string("sort-sparsemax-gru"));
        QCOMPARE(plan.settings.steps, Index(30));
        QCOMPARE(plan.text.source, std::string("dcba"));
    }

    void closing_the_window_asks() {
        choose_small("copy", 5000);
        start();
        answer("train_close_question", QStringLiteral("Cancel"));
        QVERIFY(!train().close());
        QVERIFY(train().isVisible());
        answer("train_close_question", QStringLiteral("&Keep training"));
        QVERIFY(train().close());
        QVERIFY(!train().isVisible());
        QVERIFY(train().runs().running());
        QTRY_VERIFY(test_->find("train_status")->isVisible());
        QTest::mouseClick(test_->find("train_status"), Qt::LeftButton);
        QVERIFY(train().isVisible());
        answer("train_close_question", QStringLiteral("&Pause it"));
        train().reject();
        QVERIFY(!train().isVisible());
        QTRY_COMPARE(train().runs().run(0)->state(), TrainingRun::State::paused);
        QTRY_VERIFY(!test_->find("train_status")->isVisible());
    }

    void closing_the_program_asks_and_pauses() {
        choose_small("copy", 5000);
        start();
        QTRY_VERIFY(train().current()->summary().steps >= 2);
        answer("train_quit_question", QStringLiteral("Cancel"));
        QVERIFY(!test_->window().close());
        answer("train_quit_question", QStringLiteral("&Pause and close"));
        QVERIFY(test_->window().close());
        test_->start();
        open();
        QCOMPARE(train().runs().rowCount(), 1);
        QCOMPARE(train().current()->state(), TrainingRun::State::paused);
        QVERIFY(!train().current()->was_interrupted());
        QTRY_VERIFY(!train().current()->record()->film.frames().empty());
    }

    void a_killed_one_resumes_to_the_same_bytes() {
        choose_small("copy", 300);
        start();
        QTRY_VERIFY(train().current()->summary().steps >= 5);
        click("train_pause");
        QTRY_COMPARE(train().current()->state(), TrainingRun::State::paused);
        // What a kill leaves: the last checkpoint, and a list that says it learns.
        const std::filesystem::path folder = train().current()->folder();
        TrainingSummary summary = read_training_summary(folder);
        summary.phase = TrainingPhase::training;
        test_->kill();
        write_training_summary(folder, summary);
        test_->start();
        open();
        QVERIFY(train().current()->was_interrupted());
        QVERIFY(test_->message("train_message").contains(QLatin1String("Resume")));
        click("train_resume");
        finish();
        const Checkpoint resumed = read_training_checkpoint(folder);
        Training whole(resumed.settings);
        while (whole.steps() < 300)
            whole.step();
        QVERIFY(resumed.state == whole.checkpoint());
        QCOMPARE(train().current()->record()->loss.points().size(), std::size_t(300));
        QCOMPARE(train().current()->record()->film.frames().size(), std::size_t(151));
    }

    void a_damaged_checkpoint_says_so_and_can_be_removed() {
        choose_small("copy", 300);
        start();
        click("train_pause");
        QTRY_COMPARE(train().current()->state(), TrainingRun::State::paused);
        const QString file = QString::fromStdString((train().current()->folder() / checkpoint_name).string());
        test_->kill();
        QFile damaged(file);
        QVERIFY(damaged.resize(damaged.size() / 2));
        test_->start();
        open();
        click("train_resume");
        QTRY_COMPARE(train().current()->state(), TrainingRun::State::failed);
        QVERIFY(test_->find<QLabel>("train_numbers")->text().contains(QLatin1String(checkpoint_name)));
        QVERIFY(button("train_start")->isEnabled());
        QTimer::singleShot(0, this, [] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            box->button(QMessageBox::Yes)->click();
        });
        click("train_remove");
        QCOMPARE(train().runs().rowCount(), 0);
        QVERIFY(!QFile::exists(file));
    }

    void a_damaged_film_does_not_cost_the_training() {
        choose_small("copy", 300);
        start();
        QTRY_VERIFY(train().current()->summary().steps >= 3);
        click("train_pause");
        QTRY_COMPARE(train().current()->state(), TrainingRun::State::paused);
        const std::filesystem::path record = train().current()->folder() / "record.safetensors";
        test_->kill();
        write_file_atomically(record, "nothing");
        test_->start();
        open();
        QTRY_VERIFY(train().film().view().notice().contains(QLatin1String("record.safetensors")));
        click("train_resume");
        finish();
        QVERIFY(train().film().view().figure());
    }

    void the_window_does_not_stutter() {
        choose("train_task", QStringLiteral("Reverse"), true);
        choose("train_host", QStringLiteral("Transformer"));
        set_size(64, 5000);
        start();
        QTRY_VERIFY(train().current()->record()->film.frames().size() > 1);
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
        click("train_stop");
    }

private:
    TrainWindow& train() const { return *test_->window().findChild<TrainAction*>()->window(); }
    QPushButton* button(const char* id) const { return test_->find<QPushButton>(id); }
    void click(const char* id) const { QTest::mouseClick(button(id), Qt::LeftButton); }
    void open() const {
        test_->trigger("train_model");
        QVERIFY(QTest::qWaitForWindowExposed(&train(), patience));
    }

    /// Chooses the row of that text, as a person does; of a beginning, if asked.
    void choose(const char* id, const QString& text, bool is_beginning = false) const {
        if (!test_->window().findChild<TrainAction*>()->window())
            open();
        auto* list = test_->find<QComboBox>(id);
        QTRY_VERIFY(list->findText(text, is_beginning ? Qt::MatchStartsWith : Qt::MatchExactly) >= 0);
        list->setCurrentIndex(list->findText(text, is_beginning ? Qt::MatchStartsWith : Qt::MatchExactly));
        emit list->activated(list->currentIndex());
        QTRY_VERIFY(test_->find<QComboBox>("train_attention")->currentData().isValid());
    }
    void set_size(int width, int steps) const {
        test_->find<QSpinBox>("train_width")->setValue(width);
        test_->find<QSpinBox>("train_steps")->setValue(steps);
    }
    void choose_small(const char* task, int steps) const {
        if (!test_->window().findChild<TrainAction*>()->window())
            open();
        auto* tasks = test_->find<QComboBox>("train_task");
        tasks->setCurrentIndex(tasks->findData(QLatin1String(task)));
        emit tasks->activated(tasks->currentIndex());
        QTRY_VERIFY(train().form().plan());
        set_size(16, steps);
    }
    void start() const {
        QTRY_VERIFY(button("train_start")->isEnabled());
        click("train_start");
        QVERIFY(train().current());
    }
    void finish() const { QTRY_COMPARE(train().current()->state(), TrainingRun::State::finished); }
    void type(const char* id, const QString& text) const {
        auto* field = test_->find<QLineEdit>(id);
        field->selectAll();
        QTest::keyClicks(field, text);
    }
    /// Answers the question of that name when it is asked.
    void answer(const char* id, const QString& with) const {
        QTimer::singleShot(0, test_->window().findChild<TrainAction*>(), [id, with] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            QCOMPARE(box->objectName(), QLatin1String(id));
            for (QAbstractButton* each : box->buttons())
                if (each->text() == with)
                    return each->click();
            box->reject();
            QFAIL(qPrintable(with));
        });
    }

    std::unique_ptr<WindowUnderTest> test_;
};

QTEST_MAIN(TrainWindowTest)
#include "train_window_test.moc"
