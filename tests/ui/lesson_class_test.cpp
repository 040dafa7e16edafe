#include "tests/ui/lesson_support.h"
#include "ui/lesson/strip_words.h"
#include "ui/panels/view_tabs.h"

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QSpinBox>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextLayout>

namespace headlight::lesson_class_test {

/// What a class reads and does on the whole screen: questions, answers and hands, what a step says, the knob,
/// messages.
class LessonClassTest : public GivenLessonTest {
    Q_OBJECT
private slots:
    void hands_are_counted_on_the_whole_screen() {
        open("similarity");
        player().go_on();
        QTRY_VERIFY(player().open_question());
        test_->find<QAction>("only_picture")->setChecked(true);
        read_to_question();
        test_->trigger("lesson_counting");
        for (const auto& [option, hands] : {std::pair(2, 7), std::pair(3, 9)}) {
            const QString id = QStringLiteral("class_hands_%1").arg(option);
            auto* field = test_->find<QSpinBox>(qPrintable(id));
            QTRY_VERIFY(field->isVisible());
            QTest::keyClick(focus(), Qt::Key(Qt::Key_0 + option));
            QVERIFY2(field->hasFocus(), "its number goes to its field");
            QTest::keyClicks(field, QString::number(hands));
            QTest::keyClick(field, Qt::Key_Return);
            QTRY_VERIFY(!field->hasFocus());
            QVERIFY2(player().open_question(), "Enter has only left the field");
        }
        QTest::keyClick(focus(), Qt::Key_Return);
        QTRY_VERIFY(player().verdict());
        const auto* strip = test_->find<QLabel>("class_strip");
        QTRY_VERIFY2(strip->text().contains(QLatin1String("9 of 16 hands were right")),
                     qPrintable(strip->text()));

        // A weight takes a guess, Enter, its hands, and the next guess.
        player().go_on();
        QTRY_VERIFY(player().open_question() && !test_->document().is_running());
        auto* field = test_->find<QSpinBox>("class_hands_1");
        QVERIFY2(!field->isVisible(), "what leads to the question is read first");
        read_to_question();
        QTRY_VERIFY(field->isVisible());
        QVERIFY2(!field->isEnabled(), "nothing is guessed yet");
        for (const auto& [digit, hands] : {std::pair(4, 5), std::pair(9, 2)}) {
            QTest::keyClick(focus(), Qt::Key(Qt::Key_0 + digit));
            QCOMPARE(field->value(), 0);
            QTest::keyClick(focus(), Qt::Key_Return);
            QVERIFY(field->hasFocus());
            QTest::keyClicks(field, QString::number(hands));
            QTest::keyClick(field, Qt::Key_Return);
            QTRY_VERIFY(!field->hasFocus());
        }
        QTRY_VERIFY2(strip->text().contains(QLatin1String("Counted: 5 for 0.40, 2 for 0.90")),
                     qPrintable(strip->text()));
        QTest::keyClick(focus(), Qt::Key_Return);
        QTRY_VERIFY2(strip->text().contains(QLatin1String("5 of 7 hands were right")),
                     qPrintable(strip->text()));
        QTRY_VERIFY(!field->isVisible());
        test_->find<QAction>("only_picture")->setChecked(false);
    }

    void the_end_stays_and_names_what_comes_next() {
        open("softmax");
        test_->find<QAction>("only_picture")->setChecked(true);
        auto* strip = test_->find<QLabel>("class_strip");
        while (!player().is_ended())
            QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QTRY_VERIFY(!test_->document().is_running());
        const ViewState before = test_->session().view;
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QTest::keyClick(focus(), Qt::Key_PageDown);
        QVERIFY2(test_->session().view == before, "it is no key of the player here");
        QVERIFY(player().is_ended());
        const Lesson& next = shipped_lessons()[2];
        for (const QString& part :
             {QStringLiteral("End of lesson 2"), QStringLiteral("None of the 2 questions was guessed."),
              QStringLiteral("Next: lesson 3, %1 (Alt+L, 3)").arg(QString::fromStdString(next.title))})
            QVERIFY2(strip->text().contains(part), qPrintable(strip->text()));
        test_->find<QAction>("only_picture")->setChecked(false);
    }

    void a_question_goes_with_the_part_that_answers_it() {
        open("softmax");
        test_->find<QAction>("only_picture")->setChecked(true);
        auto* strip = test_->find<QLabel>("class_strip");
        const Lesson& lesson = player().lesson();
        const QString ask = QString::fromStdString(lesson.steps[0].question->ask);
        player().go_on();
        QTRY_VERIFY(strip->text().contains(QStringLiteral("Answer: “it”")));
        QVERIFY(strip->text().contains(ask));
        player().go_on();
        QCOMPARE(player().state(), std::size_t(2));
        QTRY_VERIFY(player().verdict());
        QVERIFY2(!strip->text().contains(ask), qPrintable(strip->text()));
        QVERIFY(strip->text().contains(QString::fromStdString(lesson.steps[0].title)));
        test_->find<QAction>("only_picture")->setChecked(false);
    }

    void the_class_sees_the_question_on_the_whole_screen() {
        open("softmax");
        auto* strip = test_->find<QLabel>("class_strip");
        QVERIFY(!strip->isVisible());
        test_->find<QAction>("only_picture")->trigger();
        QTRY_VERIFY(strip->isVisible());
        read_to_question();
        QTRY_VERIFY(strip->text().contains(QLatin1String("which word will get the largest weight?")));
        QVERIFY2(strip->text().contains(QLatin1String("The frame: it looks at animal")) &&
                     !strip->text().contains(QLatin1String("Your guess")),
                 "nobody has guessed yet");
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QVERIFY2(player().open_question(), "nobody has asked for the answer yet");
        QTRY_VERIFY2(strip->text().contains(QLatin1String("PgDown once more shows the answer")),
                     qPrintable(strip->text()));
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QTRY_VERIFY2(strip->text().contains(QStringLiteral("Answer: “it”, weight 0.21.")),
                     qPrintable(strip->text()));
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        while (!player().open_question())
            QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        read_to_question();
        QTRY_VERIFY2(strip->text().contains(QLatin1String("1  it shrinks")), qPrintable(strip->text()));
        QVERIFY(strip->text().contains(QLatin1String("3  it stays")));
        QTest::keyClick(&test_->window(), Qt::Key_1);
        QVERIFY(!player().open_question());
        QTRY_VERIFY2(
            strip->text().contains(QStringLiteral("Not quite: you said “it shrinks”. Answer: “it grows”.")),
            qPrintable(strip->text()));
        QVERIFY(strip->text().contains(QString::fromStdString(player().lesson().steps[1].question->ask)));
        QTRY_VERIFY2(strip->heightForWidth(strip->width()) <= strip->height(), "nothing is cut off");
        test_->find<QAction>("only_picture")->trigger();
        QTRY_VERIFY(!strip->isVisible());
    }

    void the_class_turns_the_knob_where_the_panels_are_away() {
        open("softmax");
        test_->find<QAction>("only_picture")->trigger();
        const auto* strip = test_->find<QLabel>("class_strip");
        QTRY_VERIFY(strip->isVisible());
        const auto knob = [this] {
            return test_->window().findChild<QSlider*>(QStringLiteral("class_knob_temperature_slider"));
        };
        while (player().step() == 0)
            player().go_on();
        QVERIFY2(!knob(), "it would answer the question");
        player().go_on();
        QTRY_VERIFY(knob() && knob()->isVisible());
        QTRY_VERIFY2(strip->text().contains(QLatin1String("Drag the temperature below")),
                     qPrintable(strip->text()));
        knob()->setValue(knob()->maximum());
        QTRY_VERIFY(!test_->document().is_running() &&
                    std::get<double>(test_->session().values.at("temperature")) > 1);
        player().go_on();
        QCOMPARE(player().step(), std::size_t(2));
        QTRY_VERIFY2(strip->text().contains(QLatin1String("Drag the temperature from one end to the other")),
                     qPrintable(strip->text()));
        QVERIFY(knob()->isVisible());
        player().go_on();
        QVERIFY(player().is_ended());
        QTRY_VERIFY(!knob());
        test_->find<QAction>("only_picture")->trigger();
    }

    /// "Flatter" has weights of nearly the same size, and so has the step that is made after it here.
    void a_message_goes_with_its_step() {
        Lesson lesson = open_lesson("softmax");
        lesson.steps = {lesson.steps[0], lesson.steps[2], lesson.steps[2]};
        lesson.steps[0].question.reset();
        player().open(lesson);
        const QWidget* hint = test_->find("scale_hint");
        while (player().step() < 1)
            player().go_on();
        QTRY_VERIFY(hint->isVisible());
        emit test_->window().files().notice(QStringLiteral("Saved."));
        player().go_on();
        QCOMPARE(player().step(), std::size_t(2));
        QTRY_VERIFY(!test_->document().is_running() && !player().text().isEmpty());
        QTRY_VERIFY(!test_->find("notice")->isVisible());
        QTRY_VERIFY(!hint->isVisible());
        player().go_back();
        QTRY_VERIFY(hint->isVisible());
        // Where nothing else wants the key, it closes the message outside the full screen too.
        QTest::keyClick(test_->window().views().picture(), Qt::Key_Escape);
        QVERIFY(!hint->isVisible());
    }

    void a_hint_is_not_said_at_the_end() {
        Lesson lesson = open_lesson("softmax");
        lesson.steps = {lesson.steps[0], lesson.steps[2]};
        lesson.steps[0].question.reset();
        player().open(lesson);
        const QWidget* hint = test_->find("scale_hint");
        while (!player().is_last())
            player().go_on();
        QTRY_VERIFY(hint->isVisible());
        player().go_on();
        QVERIFY(player().is_ended());
        QTRY_VERIFY(!hint->isVisible());
        player().go_back();
        QTRY_VERIFY(hint->isVisible());
    }

    void the_class_reads_what_a_step_says() {
        open("softmax");
        test_->trigger("only_picture");
        const auto* strip = test_->find<QLabel>("class_strip");
        while (player().step() < 2)
            player().go_on();
        QTRY_VERIFY2(strip->text().contains(QLatin1String("At a temperature of 20")),
                     qPrintable(strip->text()));
        QVERIFY(strip->text().contains(QLatin1String("Flatter")));
        const QString said = QTextDocumentFragment::fromHtml(strip->text()).toPlainText();
        QVERIFY2(said.contains(QStringLiteral(". …")), qPrintable(said));  // whole sentences
        QVERIFY2(said.endsWith(QLatin1String("only the distances do.")), qPrintable(said));  // what to turn
        QTRY_VERIFY(strip->heightForWidth(strip->width()) <= strip->height());
        QVERIFY(strip->height() <= 5 * strip->fontMetrics().lineSpacing() + 4 * strip->margin());
        test_->trigger("only_picture");
    }

    void all_that_a_step_says_is_read_with_the_keys_of_a_remote_data() {
        QTest::addColumn<QString>("lesson");
        QTest::newRow("of a mechanism") << QStringLiteral("softmax");
        QTest::newRow("of a model") << QStringLiteral("bahdanau");
    }
    void all_that_a_step_says_is_read_with_the_keys_of_a_remote() {
        QFETCH(QString, lesson);
        open(lesson.toStdString());
        test_->trigger("only_picture");
        const auto* strip = test_->find<QLabel>("class_strip");
        const auto place = [this] { return std::pair(player().step(), player().state()); };
        int turned = 0;
        while (!player().is_ended()) {
            QTRY_VERIFY(!player().text().isEmpty() && !test_->document().is_running());
            const auto here = place();
            // What led to a question is not said once more behind its answer.
            const bool was_read = player().verdict() && player().state() <= 1 && player().newest_state() == 0;
            const QStringList said =
                was_read ? QStringList() : split(words_of_markdown(player().newest_text()).text);
            QStringList seen;
            bool is_last = false;
            for (int page = 0; !is_last; ++page) {
                QCOMPARE(player().page(), page);
                QTRY_VERIFY2(strip->heightForWidth(strip->width()) <= strip->height(),
                             qPrintable(strip->text()));
                QTRY_COMPARE(
                    strip->text().contains(QStringLiteral("%1/%2").arg(page + 1).arg(player().pages())),
                    player().pages() > 1);
                seen += split(QTextDocumentFragment::fromHtml(strip->text()).toPlainText());
                QCOMPARE(place(), here);
                is_last = page + 1 >= player().pages();
                QTest::keyClick(&test_->window(), Qt::Key_PageDown);
                turned += page > 0;
            }
            for (const QString& word : said)
                QVERIFY2(seen.contains(word), qPrintable(word + QStringLiteral(" of ") + said.join(u' ')));
            if (player().open_question() && place() == here)  // the key has stopped there
                QTest::keyClick(&test_->window(), Qt::Key_PageDown);
            QVERIFY(place() != here || player().is_ended());
        }
        QVERIFY2(turned > 2, "else there is nothing to see here");
        test_->trigger("only_picture");
    }

    void a_question_makes_way_for_a_mechanism_of_ones_own() {
        open("bahdanau");
        while (player().step() != 4) {
            player().go_on();
            QTRY_VERIFY(!test_->document().is_running());
        }
        QVERIFY(player().open_question());
        test_->trigger("compose_mechanism");
        QTRY_VERIFY(test_->session().custom && !test_->document().is_running());
        QTest::qWait(1);
        QTRY_VERIFY2(!test_->find("own_name")->visibleRegion().isEmpty(), "Mechanism is in front");
        QVERIFY2(!test_->find("class_strip")->isVisible(), "it asks about another picture");
        const auto is_hidden = [this] {
            const std::string& title = test_->document().figure(ViewKind::text)->panels.front().title;
            return title == "Hidden until you answer.";
        };
        QVERIFY2(!is_hidden(), "nobody is asked");
        test_->trigger("edit_undo");
        QTRY_VERIFY(test_->find("class_strip")->isVisible());
        QTRY_VERIFY(is_hidden());
    }

    /// The picture is the one that it speaks of: behind the answer there is another one.
    void what_leads_to_a_question_is_read_before_it() {
        open("bahdanau");
        test_->trigger("only_picture");
        const auto* strip = test_->find<QLabel>("class_strip");
        const QString ask = QString::fromStdString(player().open_question()->ask);
        const QString leads = QStringLiteral("Where in the model is attention?");
        QTRY_VERIFY2(strip->text().contains(leads), qPrintable(strip->text()));
        QVERIFY2(!strip->text().contains(ask), qPrintable(strip->text()));
        QTest::keyClick(&test_->window(), Qt::Key_1);
        QVERIFY2(player().open_question(), "a key answers no question that nobody has read");
        QVERIFY2(strip->text().contains(ask), "it leads there");
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QVERIFY(player().is_answer_next());
        QTest::keyClick(&test_->window(), Qt::Key_PageUp);
        QVERIFY2(!player().is_answer_next() && strip->text().contains(ask),
                 "it takes back the last key alone");
        while (player().page() > 0)
            QTest::keyClick(&test_->window(), Qt::Key_PageUp);
        QVERIFY(strip->text().contains(leads));
        read_to_question();
        QTest::keyClick(&test_->window(), Qt::Key_2);
        QTRY_VERIFY(player().verdict());
        for (int page = 0; page < player().pages(); ++page) {
            QCOMPARE(player().page(), page);
            QVERIFY2(!strip->text().contains(leads), qPrintable(strip->text()));
            if (page + 1 < player().pages())
                player().read_on();
        }
        QVERIFY2(player().pages() > 1, "what is said with the answer is read behind it");
        test_->trigger("only_picture");
    }

    void no_page_moves_the_picture() {
        Lesson lesson = open_lesson("softmax");
        lesson.steps.resize(1);
        lesson.steps[0].texts.front() =
            QString(QStringLiteral("A sentence that is longer than a line. ")).repeated(30).toStdString() +
            "\n\nEnd.";
        player().open(lesson);
        test_->trigger("only_picture");
        const auto* strip = test_->find<QLabel>("class_strip");
        QTRY_VERIFY(player().pages() > 2 && strip->isVisible() &&
                    strip->heightForWidth(strip->width()) <= strip->height());
        QTRY_VERIFY(!test_->document().is_running());
        QTest::qWait(50);  // it is laid out
        const QWidget* picture = test_->window().views().picture();
        const auto place = [&] { return QRect(picture->mapTo(&test_->window(), QPoint()), picture->size()); };
        const QRect before = place();
        for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_PageUp}) {
            for (int page = 1; page < player().pages(); ++page) {
                QTest::keyClick(&test_->window(), key);
                QTest::qWait(1);
                QCOMPARE(place(), before);
            }
            QVERIFY(player().page() == (key == Qt::Key_PageDown ? player().pages() - 1 : 0));
        }
        read_to_question();
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QVERIFY(player().is_answer_next());
        QTest::qWait(1);
        QCOMPARE(place(), before);
        test_->trigger("only_picture");
    }

    void paragraphs_are_lines_of_their_own() {
        const StripWords words = words_of_markdown(QStringLiteral(
            "Of **queen** and **king**:\n\n0.29 + 1.09 = 1.38\n\nOf bread: less.\n\n- one\n- two"));
        QCOMPARE(words.text,
                 QStringLiteral("Of queen and king:\n0.29 + 1.09 = 1.38\nOf bread: less.\none\ntwo"));
        const QFont font = QApplication::font();
        const double width = 200 * QFontMetricsF(font).averageCharWidth();
        QCOMPARE(line_count(words, font, width), 5);
        QVERIFY2(html_of(words).startsWith(
                     QLatin1String("Of <b>queen</b> and <b>king</b>:<br>0.29 + 1.09 = 1.38<br>Of bread")),
                 qPrintable(html_of(words)));
        QStringList pages;
        for (const StripWords& page : pages_of(words, font, width, 2))
            pages += page.text;
        QCOMPARE(pages, (QStringList{QStringLiteral("Of queen and king:\n0.29 + 1.09 = 1.38 …"),
                                     QStringLiteral("Of bread: less.\none …"), QStringLiteral("two")}));
    }

    void pages_are_turned_back_and_are_one_where_the_panel_says_all() {
        open("softmax");
        const auto* strip = test_->find<QLabel>("class_strip");
        while (player().step() < 2)
            player().go_on();
        QTRY_VERIFY(!player().text().isEmpty() && !test_->document().is_running());
        QCOMPARE(player().pages(), 1);
        test_->trigger("only_picture");
        const auto is_laid_out = [strip] { return strip->heightForWidth(strip->width()) <= strip->height(); };
        QTRY_VERIFY(player().pages() > 1 && is_laid_out());
        const int pages = player().pages();
        const QString first = strip->text();
        QVERIFY2(first.contains(QLatin1String("PgDown")), qPrintable(first));
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        QCOMPARE(player().step(), std::size_t(2));
        QVERIFY(strip->text() != first);
        QTest::keyClick(&test_->window(), Qt::Key_PageUp);
        QCOMPARE(strip->text(), first);
        QTest::keyClick(&test_->window(), Qt::Key_PageDown);
        test_->trigger("only_picture");
        QTRY_VERIFY(!strip->isVisible());
        QCOMPARE(player().pages(), 1);
        player().read_on();
        QVERIFY2(player().is_ended(), "nothing is left to read");
        player().go_back();
        test_->trigger("only_picture");
        QTRY_COMPARE(player().pages(), pages);
        QCOMPARE(player().page(), 0);
        test_->trigger("only_picture");
    }

    void the_button_leads_back_to_the_first_page() {
        open("cross");
        QTRY_VERIFY(!player().text().isEmpty() && !test_->document().is_running());
        const auto* back = test_->find<QPushButton>("lesson_back");
        QVERIFY2(!back->isEnabled(), "there is nothing before");
        test_->trigger("only_picture");
        const auto* strip = test_->find<QLabel>("class_strip");
        QTRY_VERIFY(player().pages() > 1 && strip->heightForWidth(strip->width()) <= strip->height());
        QVERIFY(!back->isEnabled());
        player().read_on();
        QVERIFY(player().is_first() && player().page() == 1);
        QVERIFY2(back->isEnabled(), "a panel that is unfolded has it in sight");
        player().read_back();
        QCOMPARE(player().page(), 0);
        QVERIFY(!back->isEnabled());
        test_->trigger("only_picture");
    }

    void no_page_leaves_anything_out_data() {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<double>("letters");  ///< that have room in a line
        QTest::addColumn<int>("least");       ///< pages
        const QString sentences =
            QStringLiteral("The **weights** sum to 1. None is negative. The largest is that of W_k x, and "
                           "every other one is smaller than this.");
        QTest::newRow("wide") << sentences << 400.0 << 1;
        QTest::newRow("of a projector") << sentences << 30.0 << 2;
        QTest::newRow("narrow") << sentences << 12.0 << 4;
        QTest::newRow("one long word")
            << QStringLiteral("a ") + QString(200, u'w') + QStringLiteral(" z") << 10.0 << 2;
        QTest::newRow("paragraphs") << QStringLiteral("The **weights**:\n\n0.1\n\n0.2\n\n0.7") << 400.0 << 2;
        QTest::newRow("nothing") << QString() << 40.0 << 1;
    }
    void no_page_leaves_anything_out() {
        QFETCH(QString, markdown);
        QFETCH(double, letters);
        QFETCH(int, least);
        const QFont font = QApplication::font();
        const double width = letters * QFontMetricsF(font).averageCharWidth();
        const StripWords words = words_of_markdown(markdown);
        const std::vector<StripWords> pages = pages_of(words, font, width, 2);
        QVERIFY2(std::ssize(pages) >= least, qPrintable(QString::number(pages.size())));
        QStringList joined;
        for (const StripWords& page : pages) {
            const bool is_last = &page == &pages.back();
            QVERIFY(is_last || page.text.endsWith(QStringLiteral(" …")));
            QVERIFY(page.text.contains(QString(100, u'w')) || line_count(page, font, width) <= 2);
            joined += is_last ? page.text : page.text.chopped(2);
            for (const QTextLayout::FormatRange& look : page.looks)
                QVERIFY(look.start >= 0 && look.start + look.length <= page.text.size());
        }
        QCOMPARE(joined.join(u' ').simplified(), words.text.simplified());
        QString html;
        for (const StripWords& page : pages)
            html += html_of(page);
        QCOMPARE(html.count(QLatin1String("<b>")), words.text.count(QLatin1String("weights")));
    }

    void words_of_the_example_and_subscripts_are_set_apart() {
        Lesson lesson = shipped_lessons().front();
        LessonStep& first = lesson.steps.front();
        first.question.reset();
        first.texts.front() = "For **le** the key is W_k x.";
        player().open(lesson);
        test_->trigger("only_picture");
        const auto* strip = test_->find<QLabel>("class_strip");
        QTRY_VERIFY2(strip->text().contains(QLatin1String("For <b>le</b> the key is W<sub>k</sub> x.")),
                     qPrintable(strip->text()));
        const QString said = test_->find<QTextBrowser>("lesson_text")->toPlainText();
        QVERIFY2(said.contains(QLatin1String("For le the key is Wk x.")), qPrintable(said));
        test_->trigger("only_picture");
    }

    void no_line_breaks_between_a_number_and_its_answer() {
        open("softmax");
        test_->trigger("only_picture");
        const auto* strip = test_->find<QLabel>("class_strip");
        while (player().step() < 1 || !player().open_question())
            player().go_on();
        read_to_question();
        QTextDocument lines;
        lines.setDefaultFont(strip->font());
        QTRY_VERIFY(strip->text().contains(QLatin1String("3  it stays")));
        lines.setHtml(strip->text());
        lines.setTextWidth(strip->fontMetrics().horizontalAdvance(QStringLiteral("1  it shrinks · 2  it ")));
        lines.size();  // lays it out
        QStringList starts;
        const QTextBlock block = lines.firstBlock();
        for (int line = 0; line < block.layout()->lineCount(); ++line)
            starts += block.text().mid(block.layout()->lineAt(line).textStart(), 1);
        for (const char* number : {"1", "2", "3"})
            QVERIFY2(starts.contains(QLatin1String(number)), qPrintable(starts.join(QChar(u'|'))));
        test_->trigger("only_picture");
    }

private:
    static QStringList split(const QString& plain) {
        return plain.split(QRegularExpression(QStringLiteral("[\\s…]+")), Qt::SkipEmptyParts);
    }
};

QTEST_MAIN(LessonClassTest)

}  // namespace headlight::lesson_class_test

#include "lesson_class_test.moc"
