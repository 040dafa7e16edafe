#include "core/catalog/lessons.h"
#include "core/io/first_example.h"
#include "core/io/model_title.h"
#include "core/io/shipped_models.h"
#include "tests/ui/windowed_test.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextDocumentFragment>
#include <QTreeView>

namespace headlight::begin_test {

/// The first minute: what a first start shows, and where it leads.
class BeginTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        init_first_start();
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
    }

    void a_first_start_shows_three_words_in_three_dimensions() {
        QVERIFY(test_->session() == first_example());
        const Plan& plan = *test_->document().run()->plan;
        QCOMPARE(plan.queries, Index(3));
        QCOMPARE(plan.inputs.query.cols(), Index(3));
        QVERIFY(test_->find<QLabel>("player-label")->text().startsWith(QLatin1String("stage 1 of ")));
        QVERIFY(test_->find("begin_dock")->isVisible());
        QVERIFY(!test_->find("sequence_dock")->isVisible() && !test_->find("mechanism_dock")->isVisible());
    }

    void choosing_what_is_shown_already_is_answered() {
        QVERIFY(test_->session() == first_example());
        QVERIFY(test_->message("notice").isEmpty());
        QTest::mouseClick(test_->find("begin_example"), Qt::LeftButton);
        QVERIFY(test_->message("notice").contains(QLatin1String("Right shows the next one")));
    }

    void every_term_of_its_arithmetic_is_visible() {
        for (const std::string& stage : visible_stages(*test_->document().run()->trace)) {
            Selection selection = test_->session().view.selection;
            selection.stage = stage;
            test_->document().looking().select(selection);
            const QString text =
                QTextDocumentFragment::fromHtml(test_->find<QLabel>("inspector-arithmetic")->text())
                    .toPlainText();
            QVERIFY2(!text.contains(QChar(u'…')), qPrintable(text));
            const auto& panels = canvas().figure()->panels;
            const FigureLayout layout = layout_figure(*canvas().figure(), QRectF(canvas().rect()), 96 / 72.0);
            for (std::size_t i = 0; i < panels.size(); ++i)
                QVERIFY2(layout.panels[i].values, stage.c_str());  // the numbers stand in the cells
        }
        Selection selection = test_->session().view.selection;
        selection.stage = "scores";
        test_->document().looking().select(selection);
        const QString score =
            QTextDocumentFragment::fromHtml(test_->find<QLabel>("inspector-arithmetic")->text())
                .toPlainText();
        QCOMPARE(score.count(QChar(u'×')), 3);
    }

    void the_column_stands_without_scrolling_at_1280_by_720() {
        test_->window().resize(1280, 720);
        QTest::qWait(1);
        for (const char* id : {"begin_example", "begin_lessons", "begin_course", "begin_model",
                               "begin_training", "begin_text", "begin_file", "begin_close"}) {
            const QWidget* way = test_->find(id);
            QTRY_VERIFY2(way->visibleRegion().boundingRect() == way->rect(), id);
        }
    }

    void the_tour_has_its_mechanisms() {
        auto* course = test_->find<QPushButton>("begin_course");
        QMenu* menu = course->menu();
        emit menu->aboutToShow();
        QCOMPARE(menu->actions().size(), qsizetype(lessons().size()));
        QVERIFY(menu->actions().at(4)->text().contains(QString::fromStdString(lessons()[4]->name)));
        menu->actions().at(4)->trigger();
        QCOMPARE(test_->session().mechanism, lessons()[4]->id);
        QCOMPARE(test_->session().sequence.query_text, lessons()[4]->example.query);
        QVERIFY(!test_->find("begin_dock")->isVisible());
        QTRY_VERIFY(test_->find("mechanism_dock")->isVisible());
    }

    void models_have_names_that_people_understand() {
        QTest::mouseClick(test_->find("begin_model"), Qt::LeftButton);
        const QStringList rows = models();
        QCOMPARE(rows.size(), qsizetype(shipped_models().size()) + 1);
        QVERIFY(rows.constLast().startsWith(QStringLiteral("Who looks at “it”?")));
        for (const ShippedModel& model : shipped_models())
            QVERIFY2(model.tokenizer.find("\"it\"") == std::string_view::npos, model.name.data());
        // What anybody can read comes first, and models of one task stand together.
        QVERIFY(rows.constFirst().startsWith(QStringLiteral("English to French")));
        QStringList tasks;
        for (const QString& each : rows.first(qsizetype(shipped_models().size())))
            if (const QString task = each.section(QLatin1Char(','), 0, 0);
                tasks.isEmpty() || tasks.constLast() != task)
                tasks.append(task);
        QCOMPARE(tasks.removeDuplicates(), 0);
    }

    void a_model_is_found_by_what_is_typed() {
        auto* button = test_->find("begin_model");
        button->setFocus();
        QTest::keyClick(button, 'B');  // opens the list, and is what is searched for
        auto* search = test_->find<QLineEdit>("begin_model_search");
        QCOMPARE(search->text().toLower(), QStringLiteral("b"));
        const auto* nothing = test_->find<QLabel>("begin_model_nothing");
        QTest::keyClicks(search, QStringLiteral("zzz"));
        QVERIFY(models().isEmpty() && nothing->isVisible());
        QVERIFY2(nothing->text().startsWith(QLatin1String("No model that comes with the program")),
                 qPrintable(nothing->text()));
        search->clear();
        QVERIFY(!nothing->isVisible());
        QTest::keyClicks(search, QStringLiteral("bert"));
        QVERIFY(models().size() < 4);
        QVERIFY(models().constLast().startsWith(QStringLiteral("Who looks at “it”?")));
        search->clear();
        QTest::keyClicks(search, QStringLiteral("french bahdanau"));
        QCOMPARE(models(), QStringList{QStringLiteral("English to French, additive attention (Bahdanau)")});
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY(test_->session().model);
        QCOMPARE(test_->session().model->name, std::string("translate-additive-gru"));
        QTRY_VERIFY(test_->find("model_dock")->isVisible());
        QVERIFY(!test_->find("begin_dock")->isVisible());
    }

    void a_sentence_of_ones_own_is_typed_at_once() {
        QTest::mouseClick(test_->find("begin_text"), Qt::LeftButton);
        QTRY_VERIFY(test_->find("sequence_dock")->isVisible());
        auto* text = test_->find<QPlainTextEdit>("query_text");
        QTRY_VERIFY(text->hasFocus());
        QTest::keyClicks(text, QStringLiteral("we look around"));
        QCOMPARE(test_->session().sequence.query_text, std::string("we look around"));
        QVERIFY(test_->session().sequence.vectors.dimension > 3);
        QCOMPARE(test_->session().view.selection.stage, std::string("weights"));
    }

    void it_is_called_back_with_a_key_and_changes_nothing() {
        test_->begin();
        QTest::qWait(100);  // until the panels that came back have their sizes
        const Session before = test_->session();
        const int width = test_->find("sequence_dock")->width();
        QWidget* picture = test_->window().views().view(test_->session().view.view)->focusProxy();
        picture->setFocus();
        QTest::keyClick(picture, Qt::Key_Home, Qt::ControlModifier);
        QVERIFY(test_->find("begin_dock")->isVisible());
        QVERIFY(!test_->find("sequence_dock")->isVisible());
        QVERIFY(test_->session() == before);
        QTest::mouseClick(test_->find("begin_close"), Qt::LeftButton);
        QTRY_VERIFY(test_->find("sequence_dock")->isVisible());
        QTRY_COMPARE(test_->find("sequence_dock")->width(), width);
    }

    void it_is_called_back_while_a_text_or_a_number_has_the_focus_data() {
        QTest::addColumn<QString>("field");
        for (const char* id : {"query_text", "dimension"})
            QTest::newRow(id) << id;
    }
    void it_is_called_back_while_a_text_or_a_number_has_the_focus() {
        QFETCH(QString, field);
        test_->begin();
        auto* focused = test_->find(qPrintable(field));
        QTRY_VERIFY(focused->isVisible());
        focused->setFocus();
        const Session before = test_->session();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home, Qt::ControlModifier);
        QVERIFY(test_->find("begin_dock")->isVisible());
        QVERIFY(test_->session() == before);
    }

    void a_later_start_has_the_panels() {
        test_->begin();
        test_->close();
        test_->start();
        QVERIFY(!test_->find("begin_dock")->isVisible());
        QVERIFY(test_->find("sequence_dock")->isVisible());
    }

private:
    /// What the list of models has now, which has been opened.
    QStringList models() {
        const QAbstractItemModel& found = *test_->find<QTreeView>("begin_model_rows")->model();
        QStringList rows;
        for (int row = 0; row < found.rowCount(); ++row)
            rows << found.index(row, 0).data().toString();
        return rows;
    }
    FigureCanvas& canvas() { return *test_->window().views().currentWidget()->findChild<FigureCanvas*>(); }
};

QTEST_MAIN(BeginTest)

}  // namespace headlight::begin_test

#include "begin_test.moc"
