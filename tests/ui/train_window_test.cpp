// A model learns in the window: started, paused, resumed, scrubbed, compared, saved and exported.

#include "core/io/checkpoint_file.h"
#include "core/io/model_folder.h"
#include "core/model/trained_model.h"
#include "tests/ui/train_support.h"
#include "ui/panels/save_model_dialog.h"
#include "ui/panels/seed_box.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <gif_lib.h>

namespace headlight::train_window_test {

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

class TrainWindowTest : public TrainingTest {
    Q_OBJECT
private slots:
    void it_opens_with_something_to_train() {
        test_->open();
        QTRY_VERIFY(test_->train().form().plan());
        QVERIFY(test_->button("train_start")->isEnabled());
        for (const char* id : {"train_pause", "train_stop", "train_save", "train_open", "train_remove"})
            QVERIFY2(!test_->button(id)->isEnabled(), id);
        QVERIFY(!test_->train().film().view().figure());
        QVERIFY(!test_->train().film().view().notice().isEmpty());
        QVERIFY(!test_->find<QLineEdit>("train_source")->text().isEmpty());
        for (const QWidget* control : test_->train().findChildren<QWidget*>())
            if (control->focusPolicy() != Qt::NoFocus && !qobject_cast<const QLabel*>(control) &&
                control->objectName().startsWith(QLatin1String("train_"))) {
                QVERIFY2(!control->accessibleName().isEmpty(), qPrintable(control->objectName()));
                QVERIFY2(!control->toolTip().isEmpty() ||
                             control->objectName() == QLatin1String("train_film"),
                         qPrintable(control->objectName()));
            }
    }

    void it_learns_pauses_resumes_and_ends() {
        test_->choose_small("copy", 1000);
        const QAbstractItemModelTester tester(&test_->train().runs(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        test_->begin();
        TrainingRun& run = *test_->train().current();
        QVERIFY(!test_->button("train_start")->isEnabled());  // one after another
        test_->pause_after(3);
        const Index paused_at = run.summary().steps;
        QVERIFY(paused_at >= 3 && paused_at < 1000);
        QVERIFY(test_->button("train_resume")->isVisible());
        QTest::qWait(150);
        QCOMPARE(run.summary().steps, paused_at);
        test_->click("train_resume");
        test_->finish();
        QCOMPARE(run.record()->loss.points().size(), std::size_t(500));
        QCOMPARE(run.record()->film.frames().size(), std::size_t(201));
        QCOMPARE(run.summary().exact_match.examples, Index(2000));
        QCOMPARE(test_->train().curves().loss().chart().lines.size(), std::size_t(1));
        QVERIFY(!test_->train().curves().exact_match().chart().lines.empty());
        QVERIFY(test_->find<QLabel>("train_numbers")->text().startsWith(QLatin1String("finished")));
        // Measured on more of them at the end than on the way.
        QVERIFY(test_->find<QLabel>("train_numbers")->text().contains(QLatin1String("on 2,000 held-out")));
        QVERIFY(test_->train().curves().exact_match().chart().title.contains(QLatin1String("256 held-out")));

        // The same as without a pause.
        Training alone(read_training_checkpoint(run.folder()).settings);
        while (alone.steps() < 1000)
            alone.step();
        QVERIFY(read_training_checkpoint(run.folder()).state == alone.checkpoint());
    }

    void the_slider_scrubs_through_the_film() {
        test_->choose_small("copy", 20);
        test_->begin();
        test_->finish();
        auto* slider = test_->find<QSlider>("train_slider");
        QCOMPARE(slider->maximum(), 20);
        QCOMPARE(slider->value(), 20);
        const FilmView& film = test_->train().film().view();
        const Storage<const double> last = film.figure()->panels.front().values;
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QVERIFY(film.figure()->panels.front().values != last);
        QVERIFY(film.figure()->title.find("step 0") != std::string::npos);
        QCOMPARE(*test_->train().curves().loss().chart().cursor, 0.0);
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

    void a_moment_between_two_frames_is_that_of_the_first() {
        const std::vector<Index> frames{0, 10, 20};
        QCOMPARE(snapped_to_frame(frames, 14), Index(10));
        QCOMPARE(snapped_to_frame(frames, 20), Index(20));
        QCOMPARE(snapped_to_frame({}, 7), Index(7));
    }

    void two_runs_are_compared() {
        test_->choose_small("copy", 12);
        test_->begin();
        test_->finish();
        test_->choose("train_attention", QStringLiteral("dot"));
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().runs().rowCount(), 2);
        const TrainingList of_another_window(test_->train().current()->folder().parent_path());
        QCOMPARE(of_another_window.rowCount(), 0);
        QCOMPARE(of_another_window.held_elsewhere(), 2);
        auto* beside = test_->find<QComboBox>("train_beside");
        QCOMPARE(beside->currentText(), QStringLiteral("Copy · additive · GRU"));  // of itself
        QCOMPARE(test_->train().curves().loss().chart().lines.size(), std::size_t(2));
        const Figure& figure = *test_->train().film().view().figure();
        QCOMPARE(figure.panels.size(), std::size_t(2));
        QCOMPARE(figure.columns, Index(2));
        QCOMPARE(figure.panels[0].title, std::string("dot"));
        QCOMPARE(figure.panels[1].title, std::string("additive"));
        QVERIFY(figure.panels[0].values != figure.panels[1].values);
        QCOMPARE(figure.panels[0].row_axis.labels, figure.panels[1].row_axis.labels);
        test_->find<QSlider>("train_slider")->setValue(4);
        for (const Panel& panel : test_->train().film().view().figure()->panels)
            QCOMPARE(QString::fromStdString(panel.subtitle), QStringLiteral("step 4"));
        beside->setCurrentIndex(0);
        emit beside->activated(0);
        QCOMPARE(test_->train().film().view().figure()->panels.size(), std::size_t(1));
    }

    void a_run_of_other_words_stands_alone() {
        test_->choose_small("copy", 5);
        test_->begin();
        test_->finish();
        auto* beside = test_->find<QComboBox>("train_beside");
        test_->begin();  // the same once more
        test_->finish();
        QCOMPARE(beside->currentText(), QStringLiteral("Copy · additive · GRU"));
        test_->set_size(8, 5);
        test_->find<SeedBox>("train_seed")->setValue(3);
        test_->begin();
        test_->finish();
        // What differs is named, not how many there were before.
        const std::vector<Panel>& panels = test_->train().film().view().figure()->panels;
        QCOMPARE(panels[0].title, std::string("width 8, seed 3"));
        QCOMPARE(panels[1].title, std::string("width 16, seed 1"));
        test_->type("train_source", QStringLiteral("abc"));
        test_->begin();
        test_->finish();
        QCOMPARE(beside->currentText(), QStringLiteral("nothing"));
        test_->choose_small("reverse", 5);
        test_->begin();
        test_->finish();
        QCOMPARE(beside->currentText(), QStringLiteral("nothing"));
    }

    void a_transformer_shows_all_its_heads() {
        test_->choose("train_task", QStringLiteral("Reverse"), true);
        test_->choose("train_host", QStringLiteral("Transformer"));
        test_->set_size(16, 5);
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().film().view().figure()->panels.size(), std::size_t(4));
        auto* site = test_->find<QComboBox>("train_site");
        QVERIFY(site->isVisible());
        QVERIFY(test_->train().minimumSizeHint().width() <= 1024);
        QVERIFY(site->currentText().endsWith(QLatin1String("looks at the source")));
        test_->choose("train_site", QStringLiteral("Encoder"), true);
        QVERIFY(site->currentText().endsWith(QLatin1String(", looks at itself")));
        const QString title = QString::fromStdString(test_->train().film().view().figure()->title);
        QVERIFY2(title.contains(QStringLiteral(": ") + site->currentText(), Qt::CaseInsensitive),
                 qPrintable(title));
    }

    void what_stands_below_the_runs_is_whole_in_a_small_window() {
        test_->choose_small("copy", 5);
        test_->train().resize(1022, 660);
        const auto* beside = test_->find<QComboBox>("train_beside");
        QTRY_COMPARE(test_->train().size(), QSize(1022, 660));
        QTRY_COMPARE(beside->visibleRegion().boundingRect().size(), beside->size());
    }

    void the_film_is_large_for_the_projector() {
        const auto is_large = [this] {
            const FilmView& film = test_->train().film().view();
            return film.figure()->theme == FigureTheme::projector && film.unit() == film.logicalDpiY() / 72.0;
        };
        test_->choose_small("dates", 5);
        test_->train().resize(1366, 728);
        test_->trigger("theme_projector");
        test_->begin();
        test_->finish();
        QTRY_VERIFY(is_large());
        test_->choose("train_attention", QStringLiteral("dot"));
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().film().view().figure()->panels.size(), std::size_t(2));
        QTRY_VERIFY(is_large());
        test_->choose("train_task", QStringLiteral("Reverse"), true);
        test_->choose("train_host", QStringLiteral("Transformer"));
        test_->set_size(16, 5);
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().film().view().figure()->panels.size(), std::size_t(4));
        QTRY_VERIFY(is_large());
    }

    void the_film_has_the_theme_that_was_chosen_while_the_window_was_closed() {
        const auto theme = [this] { return test_->train().film().view().figure()->theme; };
        test_->choose_small("dates", 5);
        test_->begin();
        test_->finish();
        test_->train().reject();
        QVERIFY(!test_->train().isVisible());
        test_->trigger("theme_contrast");
        test_->open();
        QCOMPARE(theme(), FigureTheme::contrast);
    }

    void it_fits_a_small_screen() {
        test_->open();
        const QSize least = test_->train().minimumSizeHint();
        QVERIFY2(least.width() <= 800 && least.height() <= 560,
                 qPrintable(QStringLiteral("%1 x %2").arg(least.width()).arg(least.height())));
    }

    void the_key_of_the_projector_is_here_too() {
        test_->open();
        QTRY_VERIFY(test_->train().isActiveWindow());
        auto* source = test_->find<QLineEdit>("train_source");
        source->setFocus();
        const QString before = source->text();
        const auto press = [&] {
            QTest::keyClick(source, Qt::Key_J, Qt::ControlModifier | Qt::ShiftModifier);
            return test_->session().view.theme;
        };
        QCOMPARE(press(), FigureTheme::projector);
        QCOMPARE(press(), FigureTheme::light);
        QCOMPARE(source->text(), before);
    }

    void a_model_is_saved_and_runs() {
        test_->choose_small("copy", 50);
        test_->begin();
        test_->finish();
        const QString folder = test_->file(QStringLiteral("copied"));
        test_->train().save_model_to(folder);
        QTRY_COMPARE(test_->train().current()->saved_to(), folder);
        const TrainedModel model = read_model_folder(folder.toStdString());
        QCOMPARE(model.steps, Index(50));
        QCOMPARE(model.exact_match.examples, Index(2000));
        test_->click("train_open");
        QTRY_VERIFY(test_->document().run() && test_->document().run()->transcript);
        QCOMPARE(test_->session().model->name, folder.toStdString());
        QVERIFY(test_->find("model_source")->isVisible());
    }

    void a_model_that_is_in_no_folder_is_saved_where_it_is_opened() {
        test_->choose_small("copy", 5);
        test_->begin();
        test_->finish();
        const QString first = test_->file(QStringLiteral("first"));
        test_->train().save_model_to(first);
        QTRY_COMPARE(test_->train().current()->saved_to(), first);
        test_->begin();
        test_->finish();
        QVERIFY(test_->train().current()->saved_to().isEmpty());
        const QPoint before = test_->button("train_open")->mapTo(&test_->train(), QPoint());
        test_->click("train_open");
        QTRY_VERIFY(test_->document().run() && test_->document().run()->transcript);
        const QString folder = test_->train().current()->saved_to();
        QCOMPARE(test_->session().model->name, folder.toStdString());
        QCOMPARE(QFileInfo(folder).absolutePath(), QFileInfo(first).absolutePath());
        QVERIFY(test_->message("train_message").contains(folder));
        QCOMPARE(test_->button("train_open")->mapTo(&test_->train(), QPoint()), before);
    }

    void a_saved_model_is_replaced_when_one_says_so() {
        test_->choose_small("copy", 5);
        test_->begin();
        test_->finish();
        const QString folder = test_->file(QStringLiteral("copied"));
        test_->train().save_model_to(folder);
        QTRY_COMPARE(test_->train().current()->saved_to(), folder);
        const std::filesystem::path config = (folder + QStringLiteral("/config.json")).toStdString();
        std::filesystem::resize_file(config, 0);
        SaveModelDialog dialog(QStringLiteral("copied"), QFileInfo(folder).absolutePath(), &test_->train());
        QCOMPARE(dialog.folder(), folder);
        dialog.show();
        test_->answer("save_model_question", QStringLiteral("Cancel"));
        dialog.accept();
        QVERIFY(dialog.isVisible());
        test_->answer("save_model_question", QStringLiteral("&Replace"));
        dialog.accept();
        QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
        test_->train().save_model_to(dialog.folder());
        QTRY_VERIFY(std::filesystem::file_size(config) > 0);
        QCOMPARE(read_model_folder(folder.toStdString()).steps, Index(5));
        dialog.findChild<QLineEdit*>(QStringLiteral("save_model_name"))->clear();
        QVERIFY(!dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->isEnabled());
    }

    void a_paused_one_is_saved_too_and_a_bad_place_is_refused() {
        test_->choose_small("copy", without_end);
        test_->begin();
        QTRY_VERIFY(test_->train().current()->summary().steps >= 2);
        QVERIFY(!test_->button("train_save")->isEnabled());
        test_->answer("train_stop_question", QStringLiteral("Cancel"));
        test_->click("train_stop");
        QVERIFY(!test_->train().current()->is_ending());
        test_->answer("train_stop_question", QStringLiteral("&Stop it"));
        test_->click("train_stop");
        QTRY_COMPARE(test_->train().current()->state(), TrainingRun::State::stopped);
        QTRY_VERIFY(test_->button("train_save")->isEnabled());
        test_->train().save_model_to(QStringLiteral("/nowhere/at/all"));
        QTRY_VERIFY(test_->message("train_message").contains(QLatin1String("/nowhere")));
        const QString folder = test_->file(QStringLiteral("stopped"));
        test_->train().save_model_to(folder);
        QTRY_COMPARE(test_->train().current()->saved_to(), folder);
        QCOMPARE(read_model_folder(folder.toStdString()).steps, test_->train().current()->summary().steps);
    }

    void the_film_is_exported() {
        test_->choose_small("copy", 12);
        test_->begin();
        test_->finish();
        const QString gif = test_->file(QStringLiteral("film.gif"));
        test_->train().film().export_to(gif);
        QTRY_VERIFY(test_->message("train_message").contains(gif));
        const GifFile read = read_gif(gif);
        QCOMPARE(read.frames, 13);
        QVERIFY(read.size.width() > 200 && read.size.height() > 150);
        test_->train().film().export_to(test_->file(QStringLiteral("frames.png")));
        const QDir frames(test_->file(QStringLiteral("frames")));
        QTRY_COMPARE(frames.entryList(QDir::Files).size(), qsizetype(13));
        QCOMPARE(frames.entryList(QDir::Files).constFirst(), QStringLiteral("frames-0001.png"));
        const QImage first(frames.filePath(QStringLiteral("frames-0001.png")));
        QCOMPARE(first.size(), read.size);
        QVERIFY(first.text(QStringLiteral("Title")).contains(QLatin1String("step 0")));
        QVERIFY(first != QImage(frames.filePath(QStringLiteral("frames-0013.png"))));
        test_->train().film().export_to(test_->file(QStringLiteral("film.txt")));
        QTRY_VERIFY(test_->message("train_message").contains(QLatin1String(".gif")));
        // What went wrong before is not said of the next one.
        test_->train().film().export_to(gif);
        QVERIFY(test_->message("train_message").isEmpty());
        QTRY_VERIFY(test_->message("train_message").contains(gif));
    }

    void the_loss_curve_is_in_the_film_where_it_is_asked_for() {
        test_->choose_small("copy", 12);
        test_->begin();
        test_->finish();
        const QString maps = test_->file(QStringLiteral("maps.gif")),
                      both = test_->file(QStringLiteral("both.gif"));
        test_->train().film().export_to(maps);
        QTRY_VERIFY(test_->message("train_message").contains(maps));
        QTimer::singleShot(0, &test_->train(), [&] {
            auto* options = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(options);
            options->findChild<QCheckBox*>(QStringLiteral("film_loss"))->click();
            QTimer::singleShot(0, &test_->train(), [&] { accept_file(both); });
            options->accept();
        });
        test_->button("train_export")->click();
        QTRY_VERIFY(test_->message("train_message").contains(both));
        QCOMPARE(read_gif(both).frames, 13);
        QVERIFY(read_gif(both).size.width() > read_gif(maps).size.width() + 100);
    }

    void another_sentence_is_filmed_from_then_on() {
        test_->choose_small("copy", without_end);
        test_->begin();
        QTRY_VERIFY(!test_->train().current()->record()->film.frames().empty());
        test_->type("train_source", QStringLiteral("abc"));
        QVERIFY(test_->find<QLineEdit>("train_target")->text().isEmpty());  // its own words
        test_->type("train_target", QStringLiteral("abc"));
        QTRY_COMPARE(test_->train().current()->record()->film.frames().back()->words.source,
                     (std::vector<std::string>{"a", "b", "c"}));
        test_->type("train_source", QStringLiteral("ab7"));
        const QString refusal = test_->find<QLabel>("train_refusal")->text();
        QVERIFY2(refusal.startsWith(QStringLiteral("Sentence: It does not know “7”")), qPrintable(refusal));
        test_->answer("train_stop_question", QStringLiteral("&Stop it"));
        test_->click("train_stop");
        QTRY_COMPARE(test_->train().current()->state(), TrainingRun::State::stopped);
        QVERIFY(!test_->button("train_start")->isEnabled());
        test_->type("train_source", QStringLiteral("abcd"));
        QTRY_VERIFY(test_->button("train_start")->isEnabled());
    }

    void what_cannot_be_trained_is_said() {
        test_->choose("train_task", QStringLiteral("Reverse"), true);
        test_->choose("train_host", QStringLiteral("Transformer"));
        test_->set_size(17, 5);
        QTRY_VERIFY(test_->find<QLabel>("train_refusal")->text().contains(QLatin1String("even")));
        QVERIFY(!test_->button("train_start")->isEnabled());
        test_->set_size(20, 5);
        QTRY_VERIFY(test_->button("train_start")->isEnabled());
    }
};

QTEST_MAIN(TrainWindowTest)

}  // namespace headlight::train_window_test

#include "train_window_test.moc"
