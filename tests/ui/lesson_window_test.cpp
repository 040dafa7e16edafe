#include "core/io/checkpoint_file.h"
#include "core/lesson/shipped_lessons.h"
#include "tests/ui/answers_support.h"
#include "tests/ui/windowed_test.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_player.h"
#include "ui/lesson/progress_dialog.h"
#include "ui/lesson/question_box.h"
#include "ui/models/training_run.h"
#include "ui/panels/film_panel.h"
#include "ui/panels/lesson_hand_out.h"
#include "ui/panels/train_action.h"
#include "ui/panels/train_window.h"
#include "ui/panels/training_form.h"
#include "ui/views/panel_area.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QScopeGuard>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTimer>

#include <functional>
#include <memory>

namespace headlight::lesson_window_test {

/// A lesson in the window: read, guessed and gone through, and left again.
class LessonTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        init_first_start();
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
    }

    void begin_leads_to_every_lesson() {
        auto* button = test_->find<QPushButton>("begin_lessons");
        emit button->menu()->aboutToShow();
        QVERIFY(button->menu()->actions().size() > qsizetype(shipped_lessons().size()));
        const QString last = button->menu()->actions()[qsizetype(shipped_lessons().size()) - 1]->text();
        QVERIFY(last.contains(QString::fromStdString(shipped_lessons().back().title)));
        QVERIFY(button->menu()->actions().front()->text().contains(
            QString::fromStdString(shipped_lessons().front().title)));
    }

    void a_lesson_reads_no_file_that_it_names() {
        const QString file = test_->file(QStringLiteral("picture.png"));
        QImage picture(4, 4, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QVERIFY(picture.save(file));
        Lesson lesson = shipped_lessons().front();
        lesson.steps.front().texts.front() = "Look: ![](" + file.toStdString() + ')';
        player().open(lesson);
        QTRY_VERIFY(said().contains(QLatin1String("Look:")));
        for (const char* id : {"lesson_text", "presenter_notes"}) {
            auto* text = test_->find<QTextBrowser>(id);
            QVERIFY(!text->document()->resource(QTextDocument::ImageResource, QUrl(file)).isValid());
            QVERIFY2(!text->openLinks(), "a link may be a file as well");
        }
    }

    void a_number_that_is_lacking_leaves_the_rest() {
        Lesson lesson = open_lesson("similarity");
        lesson.steps[1].texts.front() = "Said before. {{weight:it,cheese}} Said behind.";
        lesson.steps[1].question->because = "Because of {{weight:it,bacon}}.";
        player().open(lesson);
        while (player().step() == 0)
            go_on();
        const QString mark = QStringLiteral("‹?›");
        QTRY_VERIFY(said().contains(QStringLiteral("Said before. %1 Said behind.").arg(mark)));
        const auto* problem = test_->find<QLabel>("lesson_problem");
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("{{weight:it,cheese}}")),
                 qPrintable(problem->text()));
        QVERIFY2(!problem->text().contains(QLatin1String("bacon")), "the question is open");
        const QTextCursor marked = test_->find<QTextBrowser>("lesson_text")->document()->find(mark);
        QVERIFY(!marked.isNull());
        QVERIFY(marked.charFormat().toolTip().contains(QLatin1String("cheese")));

        test_->find<QRadioButton>("lesson_option_3")->click();
        press("lesson_guess");
        const auto* verdict = test_->find<QLabel>("lesson_verdict");
        QTRY_VERIFY(verdict->text().startsWith(QStringLiteral("Right: “with bread”")));
        QVERIFY2(verdict->text().endsWith(QStringLiteral("Because of %1.").arg(mark)),
                 qPrintable(verdict->text()));
        QVERIFY(problem->text().contains(QLatin1String("{{weight:it,bacon}}")));
        press("lesson_next");
        QTRY_VERIFY(!player().text().isEmpty());
        QVERIFY2(!problem->isVisible(), "it was said of the step before");
    }

    void a_question_without_an_answer_leaves_the_text() {
        Lesson lesson = open_lesson("similarity");
        lesson.steps[0].texts.front() = "Said.";
        Question& asked = lesson.steps[0].question.emplace();
        asked.kind = Question::Kind::weight;
        asked.ask = "How much?";
        asked.query = asked.key = "cheese";
        player().open(lesson);
        const auto* problem = test_->find<QLabel>("lesson_problem");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("cheese")), qPrintable(problem->text()));
        QCOMPARE(said(), QStringLiteral("Said."));
        auto* slider = test_->find<QSlider>("lesson_weight");
        slider->setValue(slider->maximum());
        press("lesson_guess");
        QTRY_VERIFY(!player().text().isEmpty());
        QVERIFY(said().startsWith(QLatin1String("Said.")));
        QVERIFY(problem->isVisible() && !player().verdict());
        while (player().step() == 0)
            go_on();
        QTRY_VERIFY(!problem->isVisible());
        QVERIFY2(!said().startsWith(QLatin1String("Said.")), qPrintable(said()));
    }

    void it_is_read_from_start_to_end_and_left() {
        const Session before = test_->session();
        open("similarity");
        QCOMPARE(test_->session().mechanism, std::string("basic_self_attention"));
        QVERIFY(test_->find("lesson_text")->isVisible());
        QTRY_VERIFY(said().contains(QLatin1String("Each row is a word")));
        QVERIFY2(!said().contains(QLatin1String("{{")), qPrintable(said()));
        QVERIFY(!test_->find("lesson_back")->isEnabled());

        press("lesson_next");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        QVERIFY(!test_->find("lesson_guess")->isEnabled());
        QVERIFY(!test_->find("inspector-arithmetic")->isVisible());
        test_->find<QRadioButton>("lesson_option_3")->click();
        press("lesson_guess");
        QTRY_VERIFY(
            test_->find<QLabel>("lesson_verdict")->text().startsWith(QStringLiteral("Right: “with bread”")));
        QCOMPARE(test_->session().view.selection.stage, std::string("scores"));
        QTRY_VERIFY(test_->find("inspector-arithmetic")->isVisible());
        QTRY_VERIFY(said().contains(QLatin1String("Of queen and king:")));

        press("lesson_next");
        auto* slider = test_->find<QSlider>("lesson_weight");
        slider->setValue(slider->maximum());
        press("lesson_guess");
        QTRY_VERIFY(test_->find<QLabel>("lesson_verdict")->text().contains(QLatin1String("Answer: 0.")));

        press("lesson_next");
        QTRY_VERIFY(test_->find<QLabel>("lesson_place")->text().contains(QLatin1String("4 of 4")));
        press("lesson_back");
        QTRY_VERIFY(test_->find<QLabel>("lesson_place")->text().contains(QLatin1String("3 of 4")));

        press("lesson_leave");
        QVERIFY(test_->session() == before);
        QVERIFY(!test_->find("lesson_text")->isVisible());
        QVERIFY(test_->find("begin_lessons")->isVisible());
    }

    void a_model_learns_in_front_of_the_class() {
        // What was chosen before must not stay in the form: it is the lesson's training, whatever that was.
        test_->trigger("train_model");
        auto* tasks = test_->find<QComboBox>("train_task");
        tasks->setCurrentIndex(tasks->findData(QStringLiteral("copy")));
        emit tasks->activated(tasks->currentIndex());
        test_->find<QSpinBox>("train_width")->setValue(8);
        test_->find<QCheckBox>("train_copies")->click();
        train().close();

        open("hard");
        QVERIFY(!test_->find("lesson_train")->isVisible());
        while (!player().is_last()) {
            QTRY_VERIFY(!player().text().isEmpty());
            go_on();
        }
        const auto& shown = player().lesson().steps.back().training;
        QVERIFY(shown && test_->find("lesson_train")->isVisible());
        press("lesson_train");
        QVERIFY(QTest::qWaitForWindowExposed(&train(), patience));
        QTRY_VERIFY(test_->find("train_start")->hasFocus() && train().form().plan());
        const TrainingPlan plan = *train().form().plan();
        QCOMPARE(plan.name, std::string("dates-hard-gru"));
        QVERIFY2(!difference(plan.settings, prepare(shown->recipe).settings), "the lesson's very training");
        QVERIFY(plan.text == shown->text);

        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        const TrainingRun* run = train().current();
        QVERIFY(run);
        QTRY_VERIFY(run->summary().steps >= 2);
        QTRY_VERIFY(!run->record()->loss.points().empty());
        QTRY_VERIFY(!run->record()->film.frames().empty());
        QTRY_VERIFY(train().film().isVisible());
        train().pause();
        QTRY_COMPARE(run->state(), TrainingRun::State::paused);
    }

    void a_cell_of_the_picture_is_a_guess() {
        open("softmax");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        Selection selection = test_->session().view.selection;
        selection.query = 8;
        selection.key = 8;
        test_->document().looking().select(selection);
        QTRY_COMPARE(test_->find<QLabel>("lesson_cell")->text(), QStringLiteral("it looks at it"));
        press("lesson_guess");
        QTRY_VERIFY(test_->find("lesson_verdict")->isVisible() &&
                    !test_->find<QLabel>("lesson_verdict")->text().isEmpty());
    }

    void hands_are_counted_and_kept() {
        open("similarity");
        press("lesson_next");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        test_->find<QCheckBox>("lesson_counting")->click();
        QVERIFY(!test_->find("lesson_guess")->isEnabled());
        test_->find<QSpinBox>("lesson_hands_1")->setValue(3);
        test_->find<QSpinBox>("lesson_hands_3")->setValue(9);
        press("lesson_guess");
        QTRY_VERIFY(test_->find<QLabel>("lesson_verdict")
                        ->text()
                        .contains(QLatin1String("9 of 12 hands were right")));
        auto* answers = test_->window().findChild<ClassAnswers*>();
        const std::vector<GivenAnswer> kept = answers_of(*answers);
        QCOMPARE(kept.size(), std::size_t(2));
        QCOMPARE(kept[1].people, std::size_t(9));
        QVERIFY(kept[1].is_right && !kept[0].is_right);
        QCOMPARE(kept[0].question, std::size_t(1));
        QVERIFY(kept[0].time.ends_with('Z'));
    }

    void hands_are_counted_for_weights_cells_and_words() {
        auto* answers = test_->window().findChild<ClassAnswers*>();
        const auto count = [this](int hands) { test_->find<QSpinBox>("lesson_hands")->setValue(hands); };
        const auto verdict_says = [this](const char* words) {
            return test_->find<QLabel>("lesson_verdict")->text().contains(QString::fromUtf8(words));
        };

        open("similarity");
        for (int pressed = 0; pressed < 3; ++pressed)
            go_on();
        auto* slider = test_->find<QSlider>("lesson_weight");
        test_->find<QCheckBox>("lesson_counting")->click();
        QVERIFY2(!test_->find("lesson_guess")->isEnabled(), "no hand was counted");
        QVERIFY2(!test_->find("lesson_hands")->isEnabled(), "nor is there a guess");
        slider->setValue(90);
        QVERIFY2(!test_->find("lesson_guess")->isEnabled(), "a guess without a hand is nobody's");
        count(4);
        slider->setValue(40);
        QCOMPARE(test_->find<QSpinBox>("lesson_hands")->value(), 0);
        count(7);
        slider->setValue(90);
        QCOMPARE(test_->find<QSpinBox>("lesson_hands")->value(), 4);
        count(2);
        QCOMPARE(test_->find<QLabel>("lesson_tally")->text(), QStringLiteral("2 for 0.90\n7 for 0.40"));
        press("lesson_guess");
        QTRY_VERIFY(verdict_says("of 9 hands were right"));
        QCOMPARE(answers_of(*answers).size(), std::size_t(2));
        QCOMPARE(answers_of(*answers)[1].words, std::string("0.40"));
        QCOMPARE(answers_of(*answers)[1].people, std::size_t(7));

        open("softmax");
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        QVERIFY2(test_->find<QCheckBox>("lesson_counting")->isChecked(), "who counts goes on counting");
        Selection selection = test_->session().view.selection;
        selection.query = 8;
        for (const auto& [key, hands] : {std::pair(Index(8), 6), std::pair(Index(1), 5)}) {
            selection.key = key;
            test_->document().looking().select(selection);
            QTRY_VERIFY(test_->find("lesson_hands")->isEnabled());
            QTRY_COMPARE(test_->find<QSpinBox>("lesson_hands")->value(), 0);
            count(hands);
        }
        press("lesson_guess");
        QTRY_VERIFY(verdict_says("of 11 hands were right"));
        QCOMPARE(answers_of(*answers).size(), std::size_t(4));

        open("bahdanau");
        for (int pressed = 0; pressed < 7; ++pressed)
            go_on();
        QTRY_VERIFY(test_->find("lesson_word")->isVisible());
        auto* word = test_->find<QLineEdit>("lesson_word");
        word->setText(QStringLiteral("dort"));
        count(1);
        word->setText(QStringLiteral("noir"));
        count(10);
        word->setText(QStringLiteral(" Noir"));
        QCOMPARE(test_->find<QSpinBox>("lesson_hands")->value(), 10);
        press("lesson_guess");
        QTRY_VERIFY(verdict_says("Right: “noir”. 10 of 11 hands were right"));
        QCOMPARE(answers_of(*answers).back().words, std::string("noir"));
        QCOMPARE(answers_of(*answers).back().people, std::size_t(10));
    }

    void progress_is_a_page_and_a_table() {
        auto* answers = test_->window().findChild<ClassAnswers*>();
        open("softmax");
        answer_quiz("lesson_quiz_before", {1, 1});  // one right
        answer_quiz("lesson_quiz_after", {1, 2});   // both
        ProgressDialog page(*answers, shipped_lessons());
        QTRY_COMPARE(page.findChild<QComboBox*>("progress_class")->currentText(), QStringLiteral("5a"));
        const auto* table = page.findChild<QTableWidget*>("progress_table");
        QTRY_COMPARE(table->rowCount(), 2);
        QCOMPARE(table->item(1, 2)->text(), QStringLiteral("0 of 1 (0 %)"));
        QCOMPARE(table->item(1, 3)->text(), QStringLiteral("1 of 1 (100 %)"));
        QCOMPARE(table->item(1, 4)->text(), QStringLiteral("+100"));
        QCOMPARE(table->item(0, 4)->text(), QStringLiteral("+0"));
        QCOMPARE(page.findChild<QLabel*>("progress_summary")->text(),
                 QStringLiteral("Right before: 1 of 2 (50 %). Right after: 2 of 2 (100 %)."));
        const QTemporaryDir folder;
        page.save_to(folder.filePath(QStringLiteral("a.csv")));
        QFile saved(folder.filePath(QStringLiteral("a.csv")));
        QTRY_VERIFY(saved.exists());
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QCOMPARE(saved.readAll().count("\n"), 5);
        QTimer::singleShot(0, &page,
                           [] { QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Return); });
        page.findChild<QPushButton*>("progress_forget")->click();
        QVERIFY2(table->rowCount() == 2, "Enter removes nothing");
        QTimer::singleShot(0, &page, [] {
            QApplication::activeModalWidget()->findChild<QPushButton*>("progress_remove")->click();
        });
        page.findChild<QPushButton*>("progress_forget")->click();
        QTRY_COMPARE(table->rowCount(), 0);
        QVERIFY(answers_of(*answers).empty());
    }

    void what_cannot_be_written_is_told_although_the_page_is_closed() {
        auto* answers = test_->window().findChild<ClassAnswers*>();
        answers->add({GivenAnswer()});
        const QSignalSpy told(answers, &ClassAnswers::problem);
        auto page = std::make_unique<ProgressDialog>(*answers, shipped_lessons());
        auto* forget = page->findChild<QPushButton*>("progress_forget");
        QTRY_VERIFY(forget->isEnabled());
        QDirIterator files(test_->file(QStringLiteral(".")), {QStringLiteral("answers.jsonl")}, QDir::Files,
                           QDirIterator::Subdirectories);
        QVERIFY(files.hasNext());
        const QString file = files.next();
        QVERIFY(QFile::remove(file) && QDir().mkdir(file));
        QTimer::singleShot(0, page.get(), [] {
            QApplication::activeModalWidget()->findChild<QPushButton*>("progress_remove")->click();
        });
        forget->click();
        QVERIFY2(!forget->isEnabled(), "they are gone from the page at once");
        page->save_to(test_->file(QStringLiteral("none/a.csv")));
        page.reset();
        QTRY_COMPARE(told.count(), 2);
        QVERIFY(QDir().rmdir(file));
    }

    void the_keys_alone_lead_through_the_questions() {
        auto* answers = test_->window().findChild<ClassAnswers*>();
        QStringList titles;
        const auto answer_by_keys = [&] {
            QTimer::singleShot(0, this, [&] {
                auto* quiz = qobject_cast<QDialog*>(QApplication::activeModalWidget());
                const auto closed = qScopeGuard([quiz] { quiz->reject(); });  // also by what fails here
                titles += quiz->windowTitle();
                quiz->findChild<QLineEdit*>("quiz_class")->setFocus();
                for (int left = 200; quiz->isVisible() && left > 0; --left) {
                    const QString id = quiz->focusWidget()->objectName();
                    if (id == QLatin1String("lesson_option_1"))
                        QTest::keyClick(quiz->focusWidget(), Qt::Key_Space);
                    if (id == QLatin1String("quiz_next")) {
                        QTest::keyClick(quiz->focusWidget(), Qt::Key_Space);
                        if (quiz->isVisible())
                            QCOMPARE(quiz->focusWidget()->objectName(), QStringLiteral("lesson_option_1"));
                        continue;
                    }
                    QTest::keyClick(quiz->focusWidget(), Qt::Key_Tab);
                    if (id == QLatin1String("lesson_counting"))
                        QCOMPARE(quiz->focusWidget()->objectName(), QStringLiteral("quiz_next"));
                }
                QVERIFY(!quiz->isVisible());
            });
        };
        answer_by_keys();
        test_->trigger("begin_quiz_before");
        QVERIFY(answers_of(*answers).size() > 1);
        QTimer::singleShot(0, this, [&] {
            auto* quiz = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            titles += quiz->windowTitle();
            quiz->reject();
        });
        test_->trigger("begin_quiz_after");
        QVERIFY2(titles.first() != titles.last(), "one sees which of the two is asked");
    }

    void answers_are_saved_as_a_table_whatever_is_typed_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("written");
        QTest::newRow("no ending") << QStringLiteral("class") << QStringLiteral("class.csv");
        QTest::newRow("another") << QStringLiteral("class.v2") << QStringLiteral("class.v2.csv");
        QTest::newRow("whole") << QStringLiteral("class.csv") << QStringLiteral("class.csv");
    }
    void answers_are_saved_as_a_table_whatever_is_typed() {
        QFETCH(QString, typed);
        QFETCH(QString, written);
        auto* answers = test_->window().findChild<ClassAnswers*>();
        answers->add({GivenAnswer()});
        ProgressDialog page(*answers, shipped_lessons());
        QTRY_VERIFY(page.findChild<QPushButton*>("progress_save")->isEnabled());
        QTimer::singleShot(0, &page, [&] { accept_file(test_->file(typed)); });
        page.findChild<QPushButton*>("progress_save")->click();
        QTRY_VERIFY(QFileInfo::exists(test_->file(written)));
    }

    void a_word_of_a_model_is_a_guess() {
        open("luong");
        go_on();
        QTRY_VERIFY(test_->find("lesson_question")->isVisible());
        test_->find<QLineEdit>("lesson_word")->setText(QStringLiteral("6"));
        press("lesson_guess");
        QTRY_VERIFY(test_->find<QLabel>("lesson_verdict")->text().contains(QStringLiteral("Answer: “5”.")));
        QTRY_VERIFY(said().contains(QLatin1String("March and May differ")));
        QCOMPARE(test_->session().view.decoding_step, std::optional<Index>(6));
    }

    void it_is_handed_out() {
        open("softmax");
        auto* files = test_->window().findChild<LessonHandOut*>();
        const QString sheet = test_->file(QStringLiteral("sheet.pdf")),
                      page = test_->file(QStringLiteral("page.html")),
                      folder = test_->file(QStringLiteral("pictures"));
        files->write_handout(sheet);
        files->write_page(page);
        files->write_pictures(folder);
        const auto begins = [](const QString& path, const QByteArray& bytes) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) && file.readAll().startsWith(bytes);
        };
        QTRY_VERIFY(begins(sheet, "%PDF"));
        QTRY_VERIFY(begins(page, "<!DOCTYPE html>"));
        std::size_t states = 0;
        for (const LessonStep& step : open_lesson("softmax").steps)
            states += step.states.size();
        QTRY_COMPARE(QDir(folder).entryList({QStringLiteral("softmax-*.pdf")}).size(), qsizetype(states));
        QTRY_COMPARE(test_->message("notice"), QStringLiteral("Wrote %1.").arg(folder));
        QVERIFY(QFile(sheet).remove());
        const QString bad = test_->file(QStringLiteral("bad/sheet.pdf"));
        QVERIFY(QDir().mkpath(bad));  // no file can be written there
        files->write_handout(bad);
        QTRY_VERIFY(test_->find("file_message")->isVisible());
        QCOMPARE(first_folder(test_->window(), [&] { files->ask_handout(); }), folder);
    }

    void the_page_keys_lead_through_it() {
        open("scaling");
        QTRY_VERIFY(said().contains(QLatin1String("drawn at random")));
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QTRY_VERIFY(said().contains(QLatin1String("The softmax of them")));
        QTest::keyClick(&test_->window(), Qt::Key_PageUp);
        QTRY_VERIFY(!said().contains(QLatin1String("The softmax of them")));
    }

    void what_is_said_last_is_scrolled_to() {
        test_->window().resize(1024, 620);
        Lesson lesson = open_lesson("scaling");
        const std::string first = "Said first.", last = "Said last.";
        std::string long_text = first;
        for (int line = 0; line < 60; ++line)
            long_text += "\n\nA line of many.";
        lesson.steps.front().texts = {long_text, last + long_text.substr(first.size())};
        lesson.steps.front().question.reset();
        player().open(lesson);
        const auto* text = test_->find<QTextBrowser>("lesson_text");
        const auto at_top = [text] {
            return text->cursorForPosition(QPoint(4, 4 + text->fontMetrics().height() / 2)).block().text();
        };
        QTRY_VERIFY(said().contains(QLatin1String("Said first.")) && text->isVisible());
        QTRY_COMPARE(at_top(), QStringLiteral("Said first."));
        player().go_on();
        QTRY_VERIFY(said().contains(QLatin1String("Said last.")));
        QTRY_COMPARE(at_top(), QStringLiteral("Said last."));
    }

    void answers_have_the_room_that_they_need_in_a_low_window() {
        test_->window().resize(1024, 700);
        open("bahdanau");
        test_->trigger("theme_projector");
        test_->trigger("fold_left");  // the panel again, in large type
        while (player().step() < 1)
            player().go_on();
        QTRY_VERIFY(player().open_question() && !test_->document().is_running() && !said().isEmpty());
        test_->trigger("lesson_counting");
        auto* panel = test_->window().findChild<LessonPanel*>();
        QTRY_VERIFY(panel->isVisible() && test_->find("lesson_hands_1")->isVisible());
        QTest::qWait(1);  // a field for each answer is laid out
        for (const QLabel* label : panel->question().findChildren<QLabel*>())
            QTRY_VERIFY2(!label->isVisible() || label->heightForWidth(label->width()) <= label->height(),
                         qPrintable(label->text()));
        const auto* text = test_->find<QTextBrowser>("lesson_text");
        QTRY_VERIFY(text->height() >= 3 * text->fontMetrics().lineSpacing());
        auto* area = panel->findChild<PanelArea*>();
        QWidget* guess = test_->find("lesson_guess");
        area->ensureWidgetVisible(guess, 0, 0);
        QCOMPARE(guess->visibleRegion().boundingRect(), guess->rect());
        QVERIFY(area->verticalScrollBar()->value() > 0);
        player().go_on();
        QTRY_COMPARE(area->verticalScrollBar()->value(), 0);
        QCOMPARE(test_->find("lesson_next")->visibleRegion().boundingRect(),
                 test_->find("lesson_next")->rect());
    }

    void another_picture_than_the_lesson_s_leads_back_data() {
        QTest::addColumn<std::function<void(Session&)>>("change");
        QTest::addColumn<bool>("is_other");
        using Change = std::function<void(Session&)>;
        QTest::newRow("another sentence")
            << Change([](Session& each) { each.sequence.query_text = "words of mine"; }) << true;
        QTest::newRow("another mechanism")
            << Change([](Session& each) { each.mechanism = "additive"; }) << true;
        QTest::newRow("another view")
            << Change([](Session& each) { each.view.view = ViewKind::lines; }) << true;
        QTest::newRow("another cell") << Change([](Session& each) { each.view.selection.key = 2; }) << false;
        QTest::newRow("other parameters") << Change([](Session& each) { each.seed += 1; }) << false;
    }
    void another_picture_than_the_lesson_s_leads_back() {
        QFETCH(std::function<void(Session&)>, change);
        QFETCH(bool, is_other);
        open("scaling");
        const Session shown = test_->session();
        auto* link = test_->find<QLabel>("lesson_not_its_figure");
        QVERIFY(!link->isVisible());
        Session other = shown;
        change(other);
        test_->document().edit({"play", other});
        QTRY_VERIFY(!test_->document().is_running());
        QCOMPARE(link->isVisible(), is_other);
        if (!is_other)
            return;
        QTest::qWait(1);  // it is laid out
        for (int y = 2; y < link->height() && link->isVisible(); y += 4)
            for (int x = 2; x < link->width() && link->isVisible(); x += 8)
                QTest::mouseClick(link, Qt::LeftButton, {}, QPoint(x, y));
        QTRY_VERIFY(!link->isVisible());
        QVERIFY(same_edits(test_->session(), shown) && test_->session().view.view == shown.view.view);
    }

    void what_is_changed_in_it_comes_back() {
        open("scaling");
        const Session shown = test_->session();
        Session other = shown;
        other.mechanism = "additive";
        test_->document().edit({"play", other});
        press("lesson_again");
        QVERIFY(same_edits(test_->session(), shown));
    }

    void words_of_a_person_are_not_gone_without_a_word() {
        open("scaling");
        QTRY_VERIFY(!test_->document().is_running());
        test_->trigger("lesson_next");
        QVERIFY2(!test_->message("notice").contains(QLatin1String("made way")), "nothing was changed");
        test_->trigger("lesson_back");
        QTRY_VERIFY(!test_->document().is_running());
        Session other = test_->session();
        other.sequence.query_text = "words of mine";
        test_->document().edit({"play", other});
        QTRY_VERIFY(!test_->document().is_running());
        test_->trigger("lesson_next");
        QVERIFY(test_->session().sequence.query_text != "words of mine");
        QVERIFY2(test_->message("notice").contains(QLatin1String("Undo brings it back")),
                 qPrintable(test_->message("notice")));
        test_->trigger("edit_undo");
        QCOMPARE(test_->session().sequence.query_text, std::string("words of mine"));
    }

private:
    /// Chooses these options, counted from 1, in the class "5a".
    void answer_quiz(const char* id, const std::vector<int>& options) {
        QTimer::singleShot(0, this, [options] {
            QWidget* quiz = QApplication::activeModalWidget();
            quiz->findChild<QLineEdit*>("quiz_class")->setText(QStringLiteral("5a"));
            auto* next = quiz->findChild<QPushButton*>("quiz_next");
            for (const int option : options) {
                QVERIFY(!next->isEnabled());
                quiz->findChild<QRadioButton*>(QStringLiteral("lesson_option_%1").arg(option))->click();
                next->click();
                // After a lesson the answer is told first.
                if (!quiz->findChild<QLabel*>("quiz_verdict")->isHidden())
                    next->click();
            }
        });
        for (QAction* entry : test_->find<QPushButton>("lesson_hand_out")->menu()->actions())
            if (entry->objectName() == QLatin1String(id))
                entry->trigger();
    }
    void open(const std::string& id) {
        auto* menu = test_->find<QPushButton>("begin_lessons")->menu();
        emit menu->aboutToShow();
        const auto& all = shipped_lessons();
        const auto at = std::ranges::find(all, id, &Lesson::id) - all.begin();
        menu->actions().at(at)->trigger();
        QTRY_VERIFY(test_->find("lesson_text")->isVisible());
    }
    LessonPlayer& player() { return *test_->window().findChild<LessonPlayer*>(); }
    TrainWindow& train() { return *test_->window().findChild<TrainAction*>()->window(); }
    QString said() { return test_->find<QTextBrowser>("lesson_text")->toPlainText(); }
    /// Also past a question, at once.
    void go_on() {
        player().go_on();
        QTRY_VERIFY(!test_->document().is_running());
    }
    void press(const char* id) {
        test_->find<QPushButton>(id)->click();
        QTRY_VERIFY(!test_->document().is_running());
    }
};

QTEST_MAIN(LessonTest)

}  // namespace headlight::lesson_window_test

#include "lesson_window_test.moc"
