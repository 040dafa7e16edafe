#include "core/figure/view.h"
#include "core/io/session_model.h"
#include "core/io/shipped_models.h"
#include "core/workbench/figure_edits.h"
#include "tests/support/resident_memory.h"
#include "tests/ui/views_support.h"
#include "ui/models/document.h"
#include "ui/panels/run_status.h"

#include <QLabel>
#include <QSignalSpy>

#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace headlight::document_test {

namespace {

Session with_text(Session session, const std::string& text) {
    session.sequence.query_text = text;
    return session;
}

Edit in_magma(const Session& session) {
    return choose_in_figure<std::string>(session, "Magma", &FigureSettings::colour_map, "magma");
}

}  // namespace

class DocumentTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void first_start_shows_the_worked_example_at_once() {
        const Document document;
        QVERIFY(!document.error());
        QVERIFY(document.run());
        QVERIFY(document.session() == example_session());
    }

    void an_edit_runs_and_can_be_undone_and_redone() {
        Document document(small_session());
        const auto before = document.run();
        QSignalSpy runs(&document, &Document::run_changed);
        document.edit({"Type", with_text(document.session(), "one two")});
        QCOMPARE(runs.count(), 1);
        QCOMPARE(document.run()->plan->queries, Index(2));
        document.history()->undo();
        QCOMPARE(document.run()->plan->queries, before->plan->queries);
        QVERIFY(document.session() == small_session());
        document.history()->redo();
        QCOMPARE(document.run()->plan->queries, Index(2));
    }

    void an_edit_that_changes_nothing_is_no_step() {
        Document document(small_session());
        document.edit({"Nothing", document.session()});
        QCOMPARE(document.history()->count(), 0);
    }

    void steps_with_one_merge_key_become_one() {
        Document document(small_session());
        for (const char* text : {"a", "a b", "a b c"})
            document.edit({"Type", with_text(document.session(), text), "text"});
        QCOMPARE(document.history()->count(), 1);
        document.edit({"Type", with_text(document.session(), "d"), "other"});
        QCOMPARE(document.history()->count(), 2);
        document.history()->undo();
        QCOMPARE(document.session().sequence.query_text, std::string("a b c"));
        document.history()->undo();
        QVERIFY(document.session() == small_session());
    }

    void what_is_done_between_parts_steps_of_one_key_data() {
        using Between = std::function<void(Document&)>;
        QTest::addColumn<Between>("between");
        QTest::addColumn<QString>("key");
        QTest::addColumn<bool>("are_one");
        const auto row = [](const char* name, const char* key, bool are_one, const Between& between) {
            QTest::newRow(name) << between << QString::fromLatin1(key) << are_one;
        };
        const auto look = [](Document& document) {
            document.looking().look_at(in_view(document.view(), ViewKind::grid));
        };
        const auto select = [](Document& document) {
            Selection other = document.view().selection;
            other.query = 1;
            document.looking().select(other);
        };
        row("nothing", "text", true, [](Document&) {});
        row("a zoom", "text", true, [](Document& document) { document.looking().zoom_to(ZoomedPart{}); });
        row("another light", "text", true, [](Document& document) {
            ViewState dark = document.view();
            dark.theme = FigureTheme::dark;
            document.looking().look_at(dark);
        });
        row("another view", "text", false, look);
        row("another word", "text", false, select);
        row("an edit that is taken back", "text", false, [](Document& document) {
            document.edit(in_magma(document.session()));
            document.history()->undo();
        });
        row("undo and redo", "text", false, [](Document& document) {
            document.history()->undo();
            document.history()->redo();
        });
        row("a look within a drag", "text#1", true, look);
    }
    void what_is_done_between_parts_steps_of_one_key() {
        QFETCH(std::function<void(Document&)>, between);
        QFETCH(QString, key);
        QFETCH(bool, are_one);
        Document document(small_session());
        document.edit({"Type", with_text(document.session(), "a b c"), key.toStdString()});
        between(document);
        document.edit({"Type", with_text(document.session(), "a b d"), key.toStdString()});
        QCOMPARE(document.history()->count(), are_one ? 1 : 2);
        document.history()->undo();
        QCOMPARE(document.session().sequence.query_text,
                 are_one ? small_session().sequence.query_text : std::string("a b c"));
    }

    void the_history_of_a_long_text_keeps_what_was_typed() {
        const std::string text(200'000, 'x');
        Document document(small_session());
        document.edit({"Paste", with_text(document.session(), text)});
        const double before = resident_megabytes();
        constexpr int steps = 300;
        for (int i = 0; i < steps; ++i) {
            std::string next = document.session().sequence.query_text;
            next.insert(next.size() / 2, i % 2 ? "é" : " ");
            document.edit({"Type " + std::to_string(i), with_text(document.session(), next)});
        }
        const double grown = resident_megabytes() - before;
        QVERIFY2(grown < 20, qPrintable(QStringLiteral("%1 MB").arg(grown)));
        const std::string last = document.session().sequence.query_text;
        QCOMPARE(last.size(), text.size() + steps / 2 * 3);
        for (int i = 0; i < steps; ++i)
            document.history()->undo();
        QVERIFY(document.session().sequence.query_text == text);
        for (int i = 0; i < steps; ++i)
            document.history()->redo();
        QVERIFY(document.session().sequence.query_text == last);
    }

    void the_texts_of_a_model_come_back() {
        Document document(small_session());
        Session next = document.session();
        next.model.emplace().name = "reverse-transformer";
        next.model->request.source = "abc";
        document.edit({"Run a model", next});
        next.model->request.target = "cb";
        document.edit({"Say", next, "say"});
        next.model->request.target = "cba";
        document.edit({"Say", next, "say"});
        QCOMPARE(document.history()->count(), 2);
        document.history()->undo();
        QVERIFY(!document.session().model->request.target);
        QCOMPARE(document.session().model->request.source, std::string("abc"));
        document.history()->undo();
        QVERIFY(!document.session().model);
        document.history()->redo();
        document.history()->redo();
        QCOMPARE(*document.session().model->request.target, std::string("cba"));
        QCOMPARE(document.session().model->request.source, std::string("abc"));
    }

    void other_colours_are_an_edit_that_does_not_run_again() {
        Document document(small_session());
        QSignalSpy runs(&document, &Document::run_changed);
        QSignalSpy sessions(&document, &Document::session_changed);
        QSignalSpy looks(&document.looking(), &Looking::view_changed);
        document.edit(in_magma(document.session()));
        QCOMPARE(runs.count(), 0);
        QCOMPARE(sessions.count(), 1);
        QCOMPARE(looks.count(), 0);
        QVERIFY(!document.history()->isClean());
        document.history()->undo();
        QCOMPARE(document.session().figure.colour_map, std::string("viridis"));
    }

    void what_cannot_run_keeps_the_last_good_run() {
        Document document(small_session());
        const auto good = document.run();
        QSignalSpy errors(&document, &Document::error_changed);
        document.edit({"Clear", with_text(document.session(), "")});
        QVERIFY(document.error());
        QCOMPARE(errors.count(), 1);
        QCOMPARE(document.run(), good);
        document.history()->undo();
        QVERIFY(!document.error());
        QCOMPARE(errors.count(), 2);
    }

    void too_long_a_sequence_is_refused_with_its_length() {
        Document document(small_session());
        std::string book;
        book.resize(30'000'000, 'x');
        document.edit({"Paste", with_text(document.session(), long_text(32'769))});
        QTRY_VERIFY(document.error());
        QVERIFY(QString::fromUtf8(document.error()->what()).contains(QLatin1String("32769")));
        QVERIFY(QString::fromUtf8(document.error()->what()).contains(QLatin1String("32768")));
        QCOMPARE(document.run()->plan->queries, Index(4));
        document.edit({"Shorten", with_text(document.session(), long_text(512))});
        QTRY_VERIFY(!document.is_running());
        QVERIFY(!document.error());
        QCOMPARE(document.run()->plan->queries, Index(512));
    }

    void what_a_long_run_takes_is_said_before() {
        Document document(small_session());
        QTRY_VERIFY(document.run() && !document.is_running());
        RunStatus status(document);
        auto* text = status.findChild<QLabel*>(QStringLiteral("run_status"));
        QSignalSpy estimated(&document, &Document::run_estimated), runs(&document, &Document::run_changed);
        QString said;
        QList<qsizetype> runs_before;
        connect(&document, &Document::run_estimated, text, [&] {
            said = text->text();
            runs_before += runs.count();
        });
        document.edit({"Type", with_text(document.session(), "one two three")});
        QTRY_VERIFY(!document.is_running());
        QCOMPARE(estimated.count(), 0);
        runs.clear();
        document.set_long_run(0);
        document.edit({"Paste", with_text(document.session(), long_text(1'100))});
        QTRY_COMPARE(runs.count(), 1);
        QCOMPARE(runs_before, QList<qsizetype>{0});  // nothing was computed yet
        QVERIFY2(said.startsWith(QLatin1String("about ")) && said.endsWith(QLatin1String(" MB")),
                 qPrintable(said));
        const double seconds = estimated[0][0].toDouble(), bytes = estimated[0][1].toDouble();
        // Not less than what is kept: the token vectors of 16 numbers.
        QVERIFY(seconds > 0 && bytes > 1'100 * 16.0 * sizeof(double));
        emit document.run_estimated(40, 1.2 * 1024 * 1024 * 1024);
        QVERIFY2(text->text().startsWith(QLatin1String("about 40 s, 1.2")), qPrintable(text->text()));
    }

    void what_a_model_takes_is_said_before_it_generates() {
        Document document(small_session());
        QTRY_VERIFY(document.run() && !document.is_running());
        const std::string name = "translate-transformer";
        RunStatus status(document);
        auto* text = status.findChild<QLabel*>(QStringLiteral("run_status"));
        QSignalSpy estimated(&document, &Document::run_estimated), runs(&document, &Document::run_changed);
        QString said;
        double done = -1;
        connect(&document, &Document::run_estimated, text, [&] {
            said = text->text();
            QCOMPARE(runs.count(), 0);
            QCOMPARE(done, -1.0);
        });
        connect(&document, &Document::run_progressed, text, [&](double share) {
            QVERIFY(share > done && share <= 1);
            done = share;
        });
        document.set_long_run(0);
        document.edit({"Choose a model", with_model(document.session(), name, *open_model(name).model)});
        QTRY_COMPARE(runs.count(), 1);
        QVERIFY2(!document.error(), document.error() ? document.error()->what() : "");
        QCOMPARE(estimated.count(), 1);
        QVERIFY2(said.startsWith(QLatin1String("about ")) && said.endsWith(QLatin1String(" MB")),
                 qPrintable(said));
        QVERIFY(estimated[0][0].toDouble() > 0);
        // Not less than its weights.
        QVERIFY(estimated[0][1].toDouble() > 100'000 * sizeof(float));
        QVERIFY(done > 0);
    }

    void a_long_text_keeps_rows_in_place_of_maps() {
        Document document(small_session());
        QTRY_VERIFY(document.run());
        QSignalSpy progress(&document, &Document::run_progressed);
        document.edit({"Paste", with_text(document.session(), long_text(1'100))});
        QTRY_VERIFY(!document.is_running() && document.run()->plan->queries == 1'100);
        QVERIFY(progress.count() > 0);
        const Trace& trace = *document.run()->trace;
        const Stage& weights = *trace.find("weights");
        QVERIFY(weights.is_large());
        std::vector<double> row(1'100);
        trace.read_rows(weights, 0, 1'099, 1, row);
        QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) < 1e-12);
        for (const View& each : views()) {
            const auto figure = document.figure(each.kind);
            QVERIFY2(figure || each.reads_every_head || !document.missing_figure(each.kind).isEmpty(),
                     each.title.c_str());
        }
    }

    void a_mechanism_that_needs_whole_maps_says_how_many_tokens_it_takes() {
        Session session = small_session();
        session.mechanism = "sinkhorn";
        Document document(session);
        QTRY_VERIFY(document.run());
        document.edit({"Paste", with_text(document.session(), long_text(1'100))});
        QTRY_VERIFY(document.error());
        QVERIFY(QString::fromUtf8(document.error()->what()).contains(QLatin1String("1048576")));
    }

    void a_book_is_refused_without_being_split() {
        Document document(small_session());
        std::string book;
        book.resize(30'000'000, 'x');
        document.edit({"Paste", with_text(document.session(), book)});
        QTRY_VERIFY(document.error());
    }

    void a_large_run_happens_elsewhere_and_the_newest_wins() {
        Document document(small_session());
        Session large = with_text(document.session(), long_text(300));
        large.sequence.vectors.dimension = 64;
        QSignalSpy runs(&document, &Document::run_changed);
        const SlowRuns slow;
        document.edit({"Paste", large});
        QVERIFY(document.is_running());
        QCOMPARE(runs.count(), 0);
        document.edit({"Type", with_text(document.session(), "short again")});
        QTRY_VERIFY(!document.is_running());
        QCOMPARE(runs.count(), 1);
        QTest::qWait(100);
        QCOMPARE(runs.count(), 1);
        QCOMPARE(document.run()->plan->queries, Index(2));
    }

    void a_cancelled_run_says_so_and_keeps_the_picture() {
        Document document(small_session());
        const auto good = document.run();
        Session large = with_text(document.session(), long_text(400));
        large.sequence.vectors.dimension = 256;
        const SlowRuns slow;
        document.edit({"Paste", large});
        QVERIFY(document.is_running());
        document.cancel_run();
        QVERIFY(!document.is_running());
        QVERIFY(document.error());
        QCOMPARE(document.run(), good);
        document.history()->undo();
        QTRY_VERIFY(!document.error());
    }

    void an_exported_figure_carries_the_session_that_made_it() {
        Document document(small_session());
        const auto figure = exported(document, ViewKind::heatmap);
        QVERIFY(figure);
        QVERIFY(figure->theme == FigureTheme::paper);
        Session carried = parse_session(figure->session);
        QVERIFY(carried.view.view == ViewKind::heatmap);
        carried.view = document.session().view;
        QVERIFY(carried == document.session());
    }

    void a_figure_of_a_broken_session_carries_the_last_good_one() {
        Document document(small_session());
        document.edit({"Clear", with_text(document.session(), "")});
        const auto figure = exported(document, ViewKind::heatmap);
        QVERIFY(figure);
        QCOMPARE(parse_session(figure->session).sequence.query_text, small_session().sequence.query_text);
    }

    void the_same_figure_is_built_once() {
        Document document(small_session());
        const auto figure = document.figure(ViewKind::heatmap);
        QVERIFY(figure);
        QCOMPARE(document.figure(ViewKind::heatmap), figure);
        document.edit(in_magma(document.session()));
        QVERIFY(document.figure(ViewKind::heatmap) != figure);
    }

    void the_other_order_of_a_finite_mask_is_measured() {
        Session session = small_session("causal");
        Document document(session);
        QVERIFY(!document.run()->order_difference);
        session.mask_value = -2;
        document.edit({"Mask", session});
        QVERIFY(document.run()->order_difference);
        const OrderDifference there = *document.run()->order_difference;
        QVERIFY(there.largest > 0.01);
        session.mask_order = MaskOrder::before_scale;
        document.edit({"Order", session});
        const OrderDifference back = *document.run()->order_difference;
        QVERIFY(std::abs(there.largest - back.largest) < 1e-12);
        QCOMPARE(there.query, back.query);
        QCOMPARE(there.key, back.key);
    }

    void a_lesson_has_a_history_of_its_own() {
        Document document(small_session());
        const auto text = [&] { return document.session().sequence.query_text; };
        const auto write = [&](const char* words) {
            Session next = document.session();
            next.sequence.query_text = words;
            document.edit({"Type", next});
        };
        write("mine");
        document.history()->setClean();
        QSignalSpy changed(&document, &Document::lesson_changed);
        Session step = small_session();
        step.sequence.query_text = "a step";
        document.show_lesson({"Step", step}, {"softmax", 0, 0});
        QCOMPARE(text(), std::string("a step"));
        QVERIFY(document.lesson() && document.history()->isClean() && !document.history()->canUndo());
        QCOMPARE(document.own_snapshot()->sequence.query_text, std::string("mine"));
        QVERIFY(!document.has_unsaved_work());
        write("changed in the lesson");
        QVERIFY(document.has_unsaved_work() && document.own_history()->isClean());
        document.show_lesson({"Step", step}, {"softmax", 1, 0});
        QVERIFY(document.history()->isClean());
        document.history()->undo();
        QCOMPARE(text(), std::string("changed in the lesson"));
        document.leave_lesson();
        QCOMPARE(text(), std::string("mine"));
        QVERIFY(!document.lesson() && document.history()->isClean());
        QCOMPARE(changed.count(), 3);
        document.history()->undo();
        QVERIFY(document.session() == small_session());
    }

    void what_was_opened_in_a_lesson_stays_when_it_is_left_data() {
        QTest::addColumn<bool>("goes_on");  ///< to another place of the lesson
        QTest::addColumn<bool>("takes_back");
        QTest::addColumn<QString>("left");
        QTest::newRow("still shown") << false << false << QStringLiteral("opened, and changed");
        QTest::newRow("the lesson went on") << true << false << QStringLiteral("opened, and changed");
        QTest::newRow("taken back") << false << true << QStringLiteral("mine");
    }
    void what_was_opened_in_a_lesson_stays_when_it_is_left() {
        QFETCH(bool, goes_on);
        QFETCH(bool, takes_back);
        QFETCH(QString, left);
        Document document(with_text(small_session(), "mine"));
        const auto text = [&] { return QString::fromStdString(document.session().sequence.query_text); };
        document.show_lesson({"Step", small_session()}, {"softmax", 0, 0});
        document.open_into({"Open a.txt", with_text(document.session(), "opened")});
        QVERIFY(document.shows_opened());
        document.edit({"Type", with_text(document.session(), "opened, and changed")});
        if (goes_on) {
            document.show_lesson({"Step", small_session()}, {"softmax", 1, 0});
            QVERIFY(document.keeps_opened() && !document.shows_opened());
            document.edit({"Type", with_text(document.session(), "of the next step")});
        }
        if (takes_back) {
            document.history()->undo();
            document.history()->undo();
            QVERIFY(!document.keeps_opened());
        }
        document.leave_lesson();
        QVERIFY(!document.lesson() && !document.keeps_opened());
        QCOMPARE(text(), left);
        QCOMPARE(document.history()->canUndo(), !takes_back);
        if (takes_back)
            return;
        QCOMPARE(document.history()->undoText(), QStringLiteral("Open a.txt"));
        document.history()->undo();
        QCOMPARE(text(), QStringLiteral("mine"));
    }

    void what_was_opened_in_a_lesson_and_taken_back_is_gone_data() {
        QTest::addColumn<bool>("goes_on");  ///< to another place of the lesson, before it is taken back
        QTest::newRow("where it was opened") << false;
        QTest::newRow("from another place of the lesson") << true;
    }
    void what_was_opened_in_a_lesson_and_taken_back_is_gone() {
        QFETCH(bool, goes_on);
        Document document(with_text(small_session(), "mine"));
        document.show_lesson({"Step", small_session()}, {"softmax", 0, 0});
        document.open_into({"Open a.txt", with_text(document.session(), "opened")});
        if (goes_on) {
            document.show_lesson({"Step", small_session()}, {"softmax", 1, 0});
            document.history()->undo();
            QCOMPARE(document.session().sequence.query_text, std::string("opened"));
        }
        document.history()->undo();
        QVERIFY(!document.keeps_opened());
        document.history()->redo();
        QVERIFY2(document.keeps_opened(), "it is there again");
        document.history()->undo();
        // As many steps as when it was opened: another edit is not what was opened.
        document.edit({"Type", with_text(document.session(), "typed in the lesson")});
        QVERIFY(!document.keeps_opened() && !document.shows_opened());
        document.leave_lesson();
        QCOMPARE(document.session().sequence.query_text, std::string("mine"));
        QVERIFY(!document.history()->canUndo());
    }

    void opening_ends_a_lesson() {
        Document document(small_session());
        document.show_lesson({"Step", example_session()}, {"softmax", 0, 0});
        QSignalSpy changed(&document, &Document::lesson_changed);
        document.reset(small_session("causal"));
        QCOMPARE(changed.count(), 1);
        QVERIFY(!document.lesson());
        document.leave_lesson();
        QVERIFY2(document.session().mechanism == small_session("causal").mechanism, "there is none to leave");
    }

    void opening_clears_the_history() {
        Document document(small_session());
        document.edit({"Type", with_text(document.session(), "one two")});
        document.reset(small_session("dot"));
        QCOMPARE(document.history()->count(), 0);
        QVERIFY(document.history()->isClean());
        QCOMPARE(document.session().mechanism, std::string("dot"));
        document.history()->resetClean();  // as work of the last time is, which was not saved
        document.reset(small_session());
        QVERIFY2(document.history()->isClean(), "what was opened is as it is in its file");
    }
};

QTEST_MAIN(DocumentTest)

}  // namespace headlight::document_test

#include "document_test.moc"
