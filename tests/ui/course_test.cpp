#include "core/lesson/shipped_lessons.h"
#include "tests/support/long_tests.h"
#include "tests/ui/text_recorder.h"
#include "tests/ui/windowed_test.h"
#include "ui/lesson/lesson_panel.h"
#include "ui/lesson/lesson_player.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/panel_area.h"
#include "ui/views/shown_figure.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSlider>
#include <QTextBrowser>

namespace headlight::course_test {

/// Every lesson from start to end, as a class sees it at 1024 x 768: in each theme nothing is cut off, and
/// questions are answered wrong, then right.
class CourseTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        init_first_start();
        test_->window().resize(screen);
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
    }

    void it_is_played_data() {
        QTest::addColumn<QString>("id");
        for (const Lesson& each : shipped_lessons())
            QTest::newRow(each.id.c_str()) << QString::fromStdString(each.id);
    }
    void it_is_played() {
        QFETCH(QString, id);
        auto* menu = test_->find<QPushButton>("begin_lessons")->menu();
        emit menu->aboutToShow();
        const std::vector<Lesson>& all = shipped_lessons();
        const auto lesson = std::ranges::find(all, id.toStdString(), &Lesson::id);
        menu->actions().at(lesson - all.begin())->trigger();
        LessonRuns answers(*lesson);
        std::size_t seen = 0, asked = 0;
        for (std::size_t step = 0; step < lesson->steps.size(); ++step) {
            for (std::size_t state = 0; state < lesson->steps[step].states.size(); ++state) {
                settle(step, state);
                look_in_themes();
                if (QTest::currentTestFailed())
                    return;
                ++seen;
                if (player().open_question()) {
                    ++asked;
                    answer_wrong_and_right(answers, step);
                    if (QTest::currentTestFailed())
                        return;
                    state = player().state();  // the answer was revealed
                    look_in_themes();
                    if (QTest::currentTestFailed())
                        return;
                }
                if (!player().is_last())
                    test_->find<QPushButton>("lesson_next")->click();
            }
        }
        QVERIFY(player().is_last());
        QVERIFY(seen >= lesson->steps.size());
        QVERIFY(asked >= 2);
    }

private:
    LessonPlayer& player() { return *test_->window().findChild<LessonPlayer*>(); }

    /// Until picture and words are those of the place.
    void settle(std::size_t step, std::size_t state) {
        QTRY_COMPARE(player().step(), step);
        QTRY_COMPARE(player().state(), state);
        QTRY_VERIFY(!test_->document().is_running() && !player().text().isEmpty());
        QVERIFY2(player().problem().isEmpty(), qPrintable(player().problem()));
    }

    void answer_wrong_and_right(LessonRuns& answers, std::size_t step) {
        const Answer right = answers.answer(step);
        const Question question = *player().open_question();
        const std::size_t state = player().state();
        guess(question,
              {.number = right.number < 0.5 ? 1.0 : 0.0,
               .query = right.query,
               .key = right.key == 0 ? 1 : 0,
               .word = "nonsense",
               .option = (question.answer + 1) % std::max<std::size_t>(1, question.options.size())});
        QVERIFY2(!player().verdict()->is_right, question.ask.c_str());
        // Asked again of who comes back to it.
        test_->find<QPushButton>(player().state() > state ? "lesson_back" : "lesson_again")->click();
        QVERIFY(player().open_question());
        QTRY_VERIFY(!test_->document().is_running() && !player().text().isEmpty());
        guess(question, {.number = right.number,
                         .query = right.query,
                         .key = right.key,
                         .word = right.words,
                         .option = question.answer});
        QVERIFY2(player().verdict()->is_right, question.ask.c_str());
    }

    /// With the controls that a person has.
    void guess(const Question& question, const Guess& guessed) {
        switch (question.kind) {
        case Question::Kind::weight: {
            auto* slider = test_->find<QSlider>("lesson_weight");
            slider->setValue(slider->maximum() / 2);
            slider->setValue(static_cast<int>(std::lround(guessed.number * slider->maximum())));
            break;
        }
        case Question::Kind::cell: {
            Selection selection = test_->session().view.selection;
            selection.key = guessed.key + 1;
            test_->document().looking().select(selection);
            selection.query = guessed.query;
            selection.key = guessed.key;
            test_->document().looking().select(selection);
            break;
        }
        case Question::Kind::word:
            test_->find<QLineEdit>("lesson_word")->setText(QString::fromStdString(guessed.word));
            break;
        case Question::Kind::choice:
            test_->find<QRadioButton>(qPrintable(QStringLiteral("lesson_option_%1").arg(guessed.option + 1)))
                ->click();
            break;
        }
        QTRY_VERIFY(test_->find("lesson_guess")->isEnabled());
        test_->find<QPushButton>("lesson_guess")->click();
        QTRY_VERIFY(player().verdict() && !test_->document().is_running() && !player().text().isEmpty());
    }

    /// One theme after another, each in its turn, but in the long form.
    void look_in_themes() {
        const std::vector<const char*> themes{"theme_light", "theme_dark", "theme_projector"};
        const auto turn = themes.begin() + looks_++ % std::ssize(themes);
        for (const char* theme : test::is_long() ? themes : std::vector(turn, turn + 1)) {
            test_->trigger(theme);
            QTest::qWait(1);
            const QString where = QStringLiteral("%1 %2.%3: ")
                                      .arg(QLatin1String(theme))
                                      .arg(player().step() + 1)
                                      .arg(player().state() + 1);
            if (test_->session().view.theme == FigureTheme::projector)
                look_at_strip_and_unfold(where);
            look_at_panel(where);
            look_at_picture(where);
            if (QTest::currentTestFailed())
                return;
        }
    }

    /// A class is asked above the picture, until somebody brings the column back.
    void look_at_strip_and_unfold(const QString& where) {
        look_at_window(where);
        QVERIFY2(!test_->find("lesson_text")->isVisible(), qPrintable(where));
        const auto* said = test_->find<QLabel>("class_strip");
        QTRY_VERIFY2(said->isVisible() && said->heightForWidth(said->width()) <= said->height(),
                     qPrintable(where + said->text()));
        test_->trigger("fold_left");
        QTest::qWait(1);
    }

    void look_at_window(const QString& where) {
        QVERIFY2(test_->window().width() <= screen.width() && test_->window().height() <= screen.height(),
                 qPrintable(where + QStringLiteral("the window is %1 x %2")
                                        .arg(test_->window().width())
                                        .arg(test_->window().height())));
    }

    void look_at_panel(const QString& where) {
        look_at_window(where);
        const auto* text = test_->find<QTextBrowser>("lesson_text");
        QVERIFY2(text->isVisible() && text->height() >= 3 * text->fontMetrics().lineSpacing(),
                 qPrintable(where + QStringLiteral("no room for the text")));
        QCOMPARE(text->horizontalScrollBar()->maximum(), 0);
        QVERIFY2(!text->toPlainText().contains(QLatin1String("{{")), qPrintable(where + text->toPlainText()));
        auto* panel = test_->window().findChild<LessonPanel*>();
        auto* area = panel->findChild<PanelArea*>();
        for (QWidget* each : panel->findChildren<QWidget*>()) {
            const auto* label = qobject_cast<const QLabel*>(each);
            const auto* button = qobject_cast<const QAbstractButton*>(each);
            if ((!label && !button) || !each->isVisible())
                continue;
            const QString words = where + (label ? label->text() : button->text());
            if (area->isAncestorOf(each))
                area->ensureWidgetVisible(each, 0, 0);
            QVERIFY2(each->visibleRegion().boundingRect() == each->rect(), qPrintable(words));
            if (label && label->wordWrap())
                QVERIFY2(label->heightForWidth(label->width()) <= label->height(), qPrintable(words));
            else
                QVERIFY2(each->sizeHint().width() <= each->width(), qPrintable(words));
        }
    }

    /// What the class sees of the picture alone, on the whole screen.
    void look_at_picture(const QString& where) {
        const auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        if (!canvas || !canvas->figure())  // other views are no figures of cells
            return;
        const QRectF area(0, 0, screen.width(), screen.height() - player_height);
        const ShownFigure shown(*canvas->figure(), Zoom(), area, 96 / 72.0);
        TextRecorder recorder(area.size().toSize());
        QPainter painter(&recorder);
        paint_figure(painter, shown.figure(), shown.layout(), shown.unit());
        painter.end();
        QVERIFY2(!recorder.texts().empty(), qPrintable(where));
        for (const PaintedText& each : recorder.texts()) {
            QVERIFY2(area.adjusted(-1, -1, 1, 1).contains(each.baseline), qPrintable(where + each.text));
            QVERIFY2(!each.text.contains(QChar(u'…')), qPrintable(where + each.text));
        }
    }

    static constexpr QSize screen{1024, 768};
    static constexpr int player_height = 100;  // with the strip that has the question

    int looks_ = 0;
};

QTEST_MAIN(CourseTest)

}  // namespace headlight::course_test

#include "course_test.moc"
