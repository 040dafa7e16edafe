// A model runs in the window: chosen, played, led elsewhere, changed inside, undone.

#include "core/figure/panel_numbers.h"
#include "core/io/model_folder.h"
#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/workbench/figure_edits.h"
#include "core/workbench/generated_text.h"
#include "core/workbench/model_edits.h"
#include "tests/support/small_copier.h"
#include "tests/ui/model_support.h"
#include "ui/models/candidate_model.h"
#include "ui/panels/player_bar.h"
#include "ui/panels/sequence_edit.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/fixed_text.h"
#include "ui/views/figure_canvas.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QRegularExpression>
#include <QTableView>
#include <QTextDocumentFragment>
#include <QTimer>
#include <QToolButton>

namespace headlight::model_window_test {

namespace {

QString plain(const QString& html) { return QTextDocumentFragment::fromHtml(html).toPlainText(); }

}  // namespace

class ModelWindowTest : public ModelTest {
    Q_OBJECT
private slots:
    void initTestCase() {
        folder_ = models_.filePath(QStringLiteral("copy-small"));
        write_model_folder(test::small_copier(false, 20), folder_.toStdString());
    }

    void a_folder_runs_and_takes_the_left_column() {
        generate();
        QCOMPARE(session().model->name, folder_.toStdString());
        QCOMPARE(session().view.selection.site, std::string("decoder.cross"));
        QCOMPARE(session().view.view, ViewKind::steps);
        QVERIFY(!test_->find("sequence_dock")->isVisible());
        QVERIFY(test_->find("model_source")->isVisible());
        QVERIFY(test_->find<QLabel>("model_task")->text().startsWith(QLatin1String("Write the same")));
        QVERIFY(test_->find<QLabel>("mechanism_look_for")->text().contains(QLatin1String("diagonal")));
        QCOMPARE(test_->find<QComboBox>("model")->currentText(), QStringLiteral("copy-small"));
        QCOMPARE(plain(output()), said());
        test_->trigger("edit_undo");
        QVERIFY(!session().model);
        QTRY_VERIFY(test_->find("sequence_dock")->isVisible());
        QVERIFY(!test_->find("model_source")->isVisible());
        test_->trigger("edit_redo");
        QTRY_VERIFY(spoke());
    }

    void what_it_has_learned_is_there_to_look_at() {
        const auto* numbers = test_->find<QTableView>("parameter_table")->model();
        const auto is_editable = [&] { return numbers->flags(numbers->index(0, 0)) & Qt::ItemIsEditable; };
        test_->document().reset(small_session("self_attention"));
        QVERIFY(is_editable());
        generate();
        QVERIFY(numbers->rowCount() > 0);
        QVERIFY(!is_editable());
    }

    void every_control_of_it_has_a_name_and_says_what_it_does() {
        generate();
        for (const char* id : {"model", "open_model", "model_source", "model_example", "model_site",
                               "model_candidates", "model_own_words", "model_target"}) {
            const auto* control = test_->find(id);
            if (!control)
                QFAIL(id);
            QVERIFY2(!control->accessibleName().isEmpty(), id);
            QVERIFY2(!control->toolTip().isEmpty(), id);
        }
    }

    void it_reads_what_is_typed() {
        generate();
        type_over(test_->find("model_source"), QStringLiteral("xyz"));
        QTRY_COMPARE(source(), (std::vector<std::string>{"x", "y", "z"}));
        QCOMPARE(test_->find<QLabel>("model_refusal")->isVisible(), false);
        QTest::keyClicks(test_->find("model_source"), QStringLiteral("7"));
        QTRY_VERIFY(test_->find<QLabel>("model_refusal")->isVisible());
        QVERIFY(test_->find<QLabel>("model_refusal")->text().contains(QStringLiteral("does not know “7”")));
        QVERIFY(test_->find<QLabel>("model_refusal")
                    ->text()
                    .endsWith(QStringLiteral("The pictures show the last text.")));
        QVERIFY(!test_->find("run_message")->isVisible());
        QCOMPARE(source().size(), std::size_t(3));  // what it last could read
        test_->trigger("edit_undo");
        QTRY_VERIFY(source() != (std::vector<std::string>{"x", "y", "z"}));
        QTRY_VERIFY(!test_->find<QLabel>("model_refusal")->isVisible());
    }

    void the_player_goes_by_decoding_step() {
        generate();
        auto* player = test_->window().findChild<PlayerBar*>();
        QCOMPARE(player->mode(), PlayMode::step);
        player->set_interval(std::chrono::milliseconds(15));
        QTest::mouseClick(test_->find("player-play"), Qt::LeftButton);
        QCOMPARE(*session().view.decoding_step, Index(0));
        QTRY_VERIFY(!player->is_playing());
        const Index last = std::ssize(transcript().steps) - 1;
        QCOMPARE(*session().view.decoding_step, last);
        QCOMPARE(candidates().step(), last);
        QTest::mouseClick(test_->find("player-back"), Qt::LeftButton);
        QCOMPARE(candidates().step(), last - 1);
        const auto figure = test_->document().figure();
        QCOMPARE(*figure->panels.front().newest_row, last - 1);
        QVERIFY(output().contains(QLatin1String("<b>")));
    }

    void another_candidate_leads_elsewhere() {
        generate();
        const QAbstractItemModelTester tester(&candidates(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QTest::mouseClick(test_->find("player-first"), Qt::LeftButton);
        const std::string first = transcript().steps.front().choices.front().word;
        const int other = row_of_a_letter(1);
        const std::string second = word_at(other);
        const QString before = said();
        QCOMPARE(list()->model()->rowCount(), 8);
        QVERIFY(list()->model()->index(0, 0).data(CandidateModel::said_role).toBool());

        click(other);
        QTRY_COMPARE(transcript().steps.front().said, second);
        QCOMPARE(session().model->request.chosen, std::vector<std::string>{second});
        QCOMPARE(transcript().steps[1].read, second);
        QCOMPARE(candidates().step(), Index(0));
        QVERIFY(output().contains(QLatin1String("<u>")));
        QVERIFY(test_->find("model_own_words")->isEnabled());

        click(0);  // its own word again: nothing is chosen any more
        QTRY_COMPARE(transcript().steps.front().said, first);
        QVERIFY(session().model->request.chosen.empty());
        test_->trigger("edit_undo");
        QTRY_COMPARE(transcript().steps.front().said, second);
        test_->trigger("edit_undo");
        QTRY_COMPARE(transcript().steps.front().said, first);
        QCOMPARE(plain(output()), before);
    }

    void a_candidate_is_chosen_by_keyboard() {
        generate();
        QTest::mouseClick(test_->find("player-first"), Qt::LeftButton);
        const int row = row_of_a_letter(2);
        const std::string wanted = word_at(row);
        list()->setFocus();
        list()->setCurrentIndex(list()->model()->index(0, 0));
        for (int i = 0; i < row; ++i)
            QTest::keyClick(list(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(list(), Qt::Key_Return);
        QTRY_COMPARE(transcript().steps.front().said, wanted);
    }

    void a_target_is_forced() {
        generate();
        auto* target = test_->find<QLineEdit>("model_target");
        target->setFocus();
        QTest::keyClicks(target, QStringLiteral("hello"));
        QTRY_COMPARE(said(), QStringLiteral("hello"));
        QCOMPARE(transcript().steps.size(), std::size_t(6));
        QVERIFY(transcript().steps.front().is_chosen);
        QTest::mouseClick(test_->find("model_own_words"), Qt::LeftButton);
        QTRY_VERIFY(!transcript().steps.front().is_chosen);
        QVERIFY(target->text().isEmpty());
        test_->trigger("edit_undo");
        QTRY_COMPARE(said(), QStringLiteral("hello"));
    }

    void a_column_is_zeroed_from_the_picture() {
        generate();
        type_over(test_->find("model_source"), QStringLiteral("abcd"));
        QTRY_COMPARE(source().size(), std::size_t(4));
        ViewState view = session().view;
        view.view = ViewKind::heatmap;
        test_->document().looking().look_at(view);
        auto* canvas = test_->window().views().view(ViewKind::heatmap)->findChild<FigureCanvas*>();
        QTRY_VERIFY(canvas->figure());
        const QPoint cell = canvas->cell_rect(0, 0, 2).center().toPoint();
        QTimer::singleShot(0, this, [this] {
            auto* menu = test_->window().findChild<QMenu*>(QStringLiteral("over_cell"));
            QVERIFY(menu);
            const QList<QAction*> changes =
                menu->findChildren<QAction*>(QRegularExpression(QStringLiteral("^intervene_")));
            if (!changes.isEmpty())
                changes.constFirst()->trigger();
            menu->close();
            QCOMPARE(changes.size(), 6);
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, cell, canvas->mapToGlobal(cell));
        QApplication::sendEvent(canvas, &event);
        QTRY_VERIFY(transcript().untouched);
        const Trace& trace = *test_->document().run()->trace;
        const Stage& weights = *trace.find("weights", "decoder.cross");
        for (Index row = 0; row < weights.extent(Axis::query); ++row)
            QCOMPARE(trace.values(weights)[static_cast<std::size_t>(row * 4 + 2)], 0.0);
        QVERIFY(test_->find("inspector-place")->isVisible());
        auto* chip = test_->find<QToolButton>("intervention_0");
        QVERIFY(chip);
        QTRY_VERIFY(chip->isVisible());
        QVERIFY(chip->text().contains(QStringLiteral("“c” gets no weight")));
        QVERIFY(test_->find<QLabel>("model_comparison")->text().startsWith(QLatin1String("Untouched: ")));
        QTest::mouseClick(chip, Qt::LeftButton);
        QTRY_VERIFY(!transcript().untouched);
        test_->trigger("edit_undo");
        QTRY_VERIFY(transcript().untouched);
    }

    void the_inspector_has_every_number_of_a_cell() {
        generate();
        ViewState view = session().view;
        view.view = ViewKind::heatmap;
        view.selection.query = view.selection.key = 0;
        test_->document().looking().look_at(view);
        const QString arithmetic = test_->find<QLabel>("inspector-arithmetic")->text();
        QVERIFY2(arithmetic.contains(QLatin1String("energy"), Qt::CaseInsensitive) ||
                     arithmetic.contains(QLatin1String("tanh")),
                 qPrintable(arithmetic));
        QVERIFY(test_->find<QLabel>("inspector-place")
                    ->text()
                    .startsWith(QLatin1String("Decoder, looks at the source")));
        QVERIFY(!test_->find<QLabel>("inspector-context")->text().isEmpty());
    }

    void every_view_shows_it() {
        generate();
        test_->document().edit(show_differences(session(), true));
        for (const ViewKind kind : {ViewKind::stages, ViewKind::heatmap, ViewKind::grid, ViewKind::steps,
                                    ViewKind::lines, ViewKind::compare, ViewKind::image}) {
            ViewState view = session().view;
            view.view = kind;
            test_->document().looking().look_at(view);
            QVERIFY(test_->document().figure());
            QVERIFY(!test_->window().views().grab().isNull());
        }
        QCOMPARE(session().view.view, ViewKind::heatmap);  // a model reads no image
    }

    void what_to_look_for_is_that_of_the_model_and_of_what_it_reads() {
        const auto* note = test_->find<QLabel>("mechanism_look_for");
        const auto told = [note] {
            const QString html = note->toolTip().isEmpty() ? note->text() : note->toolTip();
            return QTextDocumentFragment::fromHtml(html).toPlainText();
        };
        const QString of_one = QStringLiteral("pas at \"sleep\""),
                      of_other = QStringLiteral("pas looks at \"not\"");
        test_->generate("translate-additive-gru", QStringLiteral("the black cat does not sleep"));
        QVERIFY2(told().contains(of_one), qPrintable(told()));
        test_->generate("translate-transformer", QStringLiteral("the black cat does not sleep"));
        QVERIFY2(told().contains(of_other) && !told().contains(of_one), qPrintable(told()));
        test_->generate("translate-transformer", QStringLiteral("the cat sleeps"));
        QVERIFY2(told().contains(QLatin1String("crossings")) && !told().contains(QLatin1String("pas looks")),
                 qPrintable(told()));
    }

    void the_sites_of_a_model_are_compared_as_on_the_command_line() {
        test_->generate("translate-transformer", QStringLiteral("the cat sleeps"));
        const int tab = test_->window().views().tab_of(ViewKind::compare);
        QCOMPARE(views()[5].kind, ViewKind::compare);
        QVERIFY(test_->window().views().isTabEnabled(tab) && test_->find<QAction>("view_6")->isEnabled());
        QTest::keyClick(&test_->window(), Qt::Key_6, Qt::ControlModifier);
        QCOMPARE(session().view.view, ViewKind::compare);
        FigureCanvas& canvas = *test_->window().views().view(ViewKind::compare)->findChild<FigureCanvas*>();
        QVERIFY(canvas.figure());
        QCOMPARE(canvas.figure()->columns, Index(3));
        QCOMPARE(canvas.figure()->panels[2].title, std::string("Decoder layer 1, looks at the source"));
        QCOMPARE(canvas.figure()->panels[5].title, std::string("Decoder layer 2, looks at the source"));
        QVERIFY(!test_->find("compare_bar")->isVisible());  // there is nothing to choose
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.cell_rect(5, 1, 1).center().toPoint());
        QCOMPARE(session().view.selection.site, std::string("decoder.1.cross"));
        const QString sentence = canvas.sentence(*canvas.current_place());
        QVERIFY2(sentence.count(QLatin1Char('\n')) == 0, qPrintable(sentence));  // other sites: other tokens
        QTest::keyClick(&canvas, Qt::Key_Return);
        QCOMPARE(session().view.view, ViewKind::heatmap);
        QCOMPARE(session().view.selection.site, std::string("decoder.1.cross"));
    }

    void choosing_a_mechanism_takes_its_place() {
        generate();
        test_->trigger("next_mechanism");
        QVERIFY(!session().model);
        QTRY_VERIFY(test_->document().run() && !test_->document().run()->transcript);
        QVERIFY(!test_->document().error());
        QVERIFY(test_->document().figure());
        test_->trigger("edit_undo");
        QTRY_VERIFY(spoke());
    }

    void what_is_typed_outlives_its_model() {
        generate();
        type_over(test_->find("model_source"), QStringLiteral("bcd"));
        QTRY_VERIFY(spoke());
        auto* models = test_->find<QComboBox>("model");
        models->setCurrentIndex(models->findData(QStringLiteral("reverse-transformer")));
        emit models->activated(models->currentIndex());
        QTRY_VERIFY(session().model->name == "reverse-transformer" && spoke());
        QCOMPARE(session().model->request.source, std::string("bcd"));
        QCOMPARE(said(), QStringLiteral("dcb"));
    }

    void an_empty_source_waits_for_one() {
        generate();
        auto* source = test_->find<SequenceEdit>("model_source");
        type_over(source, QStringLiteral("abc"));
        QTRY_COMPARE(this->source().size(), std::size_t(3));
        source->setFocus();
        QTest::keyClick(source, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(source, Qt::Key_Delete);
        QTRY_VERIFY(test_->find<QLabel>("model_refusal")->isVisible());
        QVERIFY(
            test_->find<QLabel>("model_refusal")->text().startsWith(QLatin1String("Nothing to read yet")));
        QVERIFY(!test_->find("run_message")->isVisible());
        QCOMPARE(this->source().size(), std::size_t(3));  // the pictures stay
        QVERIFY(source->extraSelections().isEmpty());
        QTest::keyClicks(source, QStringLiteral("ab?"));
        QTRY_COMPARE(source->extraSelections().size(), 1);
        QCOMPARE(source->extraSelections().constFirst().cursor.selectedText(), QStringLiteral("?"));
        QCOMPARE(source->toPlainText(), QStringLiteral("ab?"));
        for (const char* theme : {"theme_dark", "theme_light"}) {
            test_->trigger(theme);
            QCOMPARE(source->extraSelections().constFirst().format.underlineColor(),
                     source->palette().color(QPalette::Text));
        }
    }

    void every_word_that_it_does_not_know_is_underlined() {
        test_->generate("translate-additive-gru", QStringLiteral("the cat is tired"));
        auto* source = test_->find<SequenceEdit>("model_source");
        source->setPlainText(QStringLiteral("the quark is noir and the Quark is blackish"));
        QTRY_COMPARE(source->extraSelections().size(), 4);
        QStringList underlined;
        for (const QTextEdit::ExtraSelection& each : source->extraSelections())
            underlined += each.cursor.selectedText();
        QCOMPARE(underlined, (QStringList{QStringLiteral("quark"), QStringLiteral("noir"),
                                          QStringLiteral("Quark"), QStringLiteral("blackish")}));
    }

    void its_statistics_have_the_room_of_the_little_map_until_it_is_asked_for() {
        test_->generate("translate-transformer", QStringLiteral("the cat is tired"));
        const auto look = [this](ViewKind view) {
            test_->document().looking().look_at(in_view(test_->session().view, view));
        };
        test_->window().resize(1360, 760);
        look(ViewKind::heatmap);
        const QWidget* map = test_->find("map_strip");
        QTRY_VERIFY(map->isVisible());
        look(ViewKind::statistics);
        QTRY_VERIFY(!map->isVisible());
        test_->trigger("fold_map");
        QTRY_VERIFY(map->isVisible());
    }

    void the_words_that_it_knows_can_be_searched() {
        test_->generate("translate-additive-gru", QStringLiteral("the cat is tired"));
        const std::size_t known =
            test_->document().run()->transcript->model->model->source.words().size() - 2;
        const auto found = [this](const QString& sought) {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            dialog->findChild<QLineEdit*>(QStringLiteral("known_words_sought"))->setText(sought);
            const auto* model = dialog->findChild<QListView*>(QStringLiteral("known_words_list"))->model();
            QStringList words;
            for (int row = 0; row < model->rowCount(); ++row)
                words += model->index(row, 0).data().toString();
            return words;
        };
        QStringList all, cats;
        QString none;
        QTimer::singleShot(0, this, [&] {
            all = found({});
            cats = found(QStringLiteral("CAT"));
            found(QStringLiteral("zzz"));
            none = QApplication::activeModalWidget()
                       ->findChild<QLabel*>(QStringLiteral("known_words_count"))
                       ->text();
            QApplication::activeModalWidget()->close();
        });
        QTest::mouseClick(test_->find("model_words"), Qt::LeftButton);
        QCOMPARE(std::size_t(all.size()), known);
        QVERIFY(cats.contains(QStringLiteral("cat")) && cats.contains(QStringLiteral("cats")));
        QVERIFY(cats.size() < 20);
        QCOMPARE(none, QStringLiteral("The model reads no word that contains “zzz”."));
        test_->generate("reverse-transformer", QStringLiteral("abc"));  // few enough to be said
        QVERIFY(!test_->find("model_words")->isVisible());
    }

    void a_line_break_is_none_of_the_letters() {
        generate();
        test_->find<SequenceEdit>("model_source")->setPlainText(QStringLiteral("ab\nc"));
        QTRY_VERIFY(test_->find<QLabel>("model_refusal")->isVisible());
        const QString refusal = test_->find<QLabel>("model_refusal")->text();
        QVERIFY2(refusal.startsWith(QStringLiteral("It does not know “↵” (a line break)")),
                 qPrintable(refusal));
    }

    void what_was_said_to_the_last_text_is_pale() {
        generate();
        auto* source = test_->find<SequenceEdit>("model_source");
        auto* canvas = test_->window().views().view(ViewKind::heatmap)->findChild<FigureCanvas*>();
        type_over(source, QStringLiteral("abc"));
        QTRY_VERIFY(spoke());
        // A cell with little weight is dark, and has something to lose.
        const std::vector<double> weights = test_->row(0);
        const Index least = std::ranges::min_element(weights) - weights.begin();
        const auto lightness = [canvas, least] {
            const QImage image = canvas->grab().toImage();  // first, for it lays the cells out
            const QPointF beside_number = canvas->cell_rect(0, 0, least).topLeft() + QPointF(8, 8);
            return image.pixelColor(beside_number.toPoint()).lightness();
        };
        const int before = lightness();
        for (const char* unread : {"ab?", ""}) {
            source->setPlainText(QLatin1String(unread));
            QTRY_VERIFY(test_->find<QLabel>("model_refusal")->isVisible());
            QTRY_VERIFY(lightness() > before + 20);
            QTRY_VERIFY(!test_->find("model_output")->isEnabled());
            source->setPlainText(QStringLiteral("abc"));
            QTRY_VERIFY(!test_->find<QLabel>("model_refusal")->isVisible());
            QTRY_COMPARE(lightness(), before);
            QTRY_VERIFY(test_->find("model_output")->isEnabled());
        }
    }

    void what_it_was_made_to_say_is_among_the_candidates() {
        generate();
        const std::vector<TranscriptStep::Choice> before = transcript().steps.front().choices;
        QCOMPARE(before.size(), std::size_t(8));
        std::string far = "a";
        while (std::ranges::find(before, far, &TranscriptStep::Choice::word) != before.end())
            ++far.front();
        auto* target = test_->find<QLineEdit>("model_target");
        target->setFocus();
        QTest::keyClicks(target, QString::fromStdString(far));
        QTRY_COMPARE(said(), QString::fromStdString(far));
        QTest::mouseClick(test_->find("player-first"), Qt::LeftButton);
        QCOMPARE(candidates().rowCount(), 9);
        const TranscriptStep::Choice last = transcript().steps.front().choices.back();
        QCOMPARE(last.word, far);
        QVERIFY(last.rank > 8);
        QCOMPARE(last.probability, transcript().steps.front().probability);
        const QModelIndex row = candidates().index(8, 0);
        QVERIFY(row.data(CandidateModel::said_role).toBool());
        QCOMPARE(row.data().toString(), QStringLiteral("%1. %2").arg(last.rank).arg(last.word.c_str()));
    }

    void the_panels_are_as_wide_as_ever_for_the_projector() {
        generate();
        test_->close();
        test_->start();  // the width is the one that is remembered
        QTRY_VERIFY(spoke());
        const int width = test_->find("model_dock")->width();
        const auto is_as_wide = [&] {
            const QWidget* dock = test_->find("model_dock");
            return dock->isVisible() && dock->width() == width;
        };
        test_->trigger("theme_projector");
        test_->trigger("fold_left");  // the class has sent it away
        QTRY_VERIFY(is_as_wide());
        test_->close();
        test_->start();
        QTRY_VERIFY(spoke());
        test_->trigger("fold_left");
        QTRY_VERIFY(is_as_wide());
        test_->trigger("theme_light");
        QTest::qWait(1);
        QVERIFY(is_as_wide());
    }

    void the_name_of_what_runs_is_whole() {
        const auto* list = test_->find<QComboBox>("model");
        const auto* name = test_->find<QLabel>("model_name");
        QVERIFY(!name->isVisible());
        test_->generate("translate-additive-gru", QStringLiteral("the cat"));
        QTRY_VERIFY(name->isVisible());
        QCOMPARE(name->text(), list->currentText());
        generate();
        QTRY_COMPARE(list->currentText(), QStringLiteral("copy-small"));
        QVERIFY(!name->isVisible());
    }

    void the_model_comes_back_after_only_the_picture() {
        generate();
        auto* source = test_->find("model_source");
        QTRY_VERIFY(!source->visibleRegion().isEmpty());
        test_->trigger("only_picture");
        QTRY_VERIFY(!source->isVisible());
        test_->trigger("only_picture");
        QTRY_VERIFY(!source->visibleRegion().isEmpty());
    }

    void what_is_hardly_probable_is_not_nothing() {
        QCOMPARE(percent_text(0.1234), QStringLiteral("12.3 %"));
        QCOMPARE(percent_text(1), QStringLiteral("100.0 %"));
        QCOMPARE(percent_text(0.9999), QStringLiteral("> 99.9 %"));
        QCOMPARE(percent_text(0.0004), QStringLiteral("< 0.1 %"));
        QCOMPARE(percent_text(0), QStringLiteral("0.0 %"));
    }

    void a_number_is_rounded_as_in_pictures() {
        // Between two, as are weights of 1/8 and 1/16: to the even one, as in cells and captions.
        for (const auto& [number, decimals] :
             {std::pair(0.125, 2), std::pair(0.375, 2), std::pair(0.0625, 3), std::pair(0.5, 0)})
            QCOMPARE(fixed_text(number, decimals), QString::fromStdString(cell_text(number, decimals)));
        QCOMPARE(percent_text(0.0625), QStringLiteral("6.2 %"));
    }

    void a_number_that_decimals_would_hide_has_three_digits() {
        QCOMPARE(legible_text(2.74e-5, 3), QStringLiteral("2.74×10⁻⁵"));
        QCOMPARE(legible_text(-2.74e-5, 3), QStringLiteral("−2.74×10⁻⁵"));
        QCOMPARE(legible_text(0.00274, 3), QStringLiteral("0.00274"));
        QCOMPARE(legible_text(0.00999, 3), QStringLiteral("0.00999"));
        QCOMPARE(legible_text(0.01, 3), QStringLiteral("0.010"));  // two digits stay
        QCOMPARE(legible_text(0.01, 4), QStringLiteral("0.0100"));
        QCOMPARE(legible_text(0, 3), QStringLiteral("0.000"));
        QCOMPARE(legible_text(3.25, 2), QStringLiteral("3.25"));
    }

    void differences_are_of_words() {
        const Task& translate = task("translate");
        const auto compared =
            compared_words(translate, {"le", "chat", "noir", "dort"}, {"le", "chien", "dort"});
        const std::vector<ComparedWord> expected{
            {"le", false}, {" chat", true}, {" noir", true}, {" dort", false}};
        QVERIFY(compared == expected);
    }

private:
    void generate() {
        test_->window().files().open_path(folder_);
        QTRY_VERIFY(spoke());
    }
    bool spoke() const { return test_->has_generated(); }
    const Session& session() const { return test_->session(); }
    const Transcript& transcript() const { return test_->transcript(); }
    std::vector<std::string> source() const { return transcript().source; }
    QString output() const { return test_->find<QLabel>("model_output")->text(); }
    QString said() const { return test_->said(); }
    QListView* list() const { return test_->candidate_list(); }
    CandidateModel& candidates() const { return test_->candidates(); }
    std::string word_at(int row) const { return test_->word_at(row); }
    int row_of_a_letter(int row) const { return test_->row_of_a_letter(row); }
    void click(int row) const { test_->click_candidate(row); }

    QTemporaryDir models_;
    QString folder_;
};

QTEST_MAIN(ModelWindowTest)

}  // namespace headlight::model_window_test

#include "model_window_test.moc"
