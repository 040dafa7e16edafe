#include "core/attention/executor.h"
#include "core/io/files.h"
#include "core/io/mechanism_file.h"
#include "core/io/trace_file.h"
#include "tests/ui/windowed_test.h"
#include "ui/models/window_settings.h"
#include "ui/panels/token_strip.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"

#include <QApplication>
#include <QBuffer>
#include <QDropEvent>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QImage>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTimer>

#include <sys/stat.h>

namespace headlight::window_files_test {

class WindowFilesTest : public WindowedTest {
    Q_OBJECT
private slots:
    void settings_do_not_wait_for_the_lock_of_a_program_that_was_killed() {
        const QString file = test_->file(QStringLiteral("window.ini"));
        QElapsedTimer clock;
        clock.start();
        write("window.ini.lock", "");  // killed before it had written whose it is
        auto settings = std::make_unique<WindowSettings>(file);
        settings->set_value(QStringLiteral("a"), 1);
        QTRY_VERIFY(QFileInfo::exists(file) &&
                    read_file(file.toStdString()).find("a=1") != std::string::npos);
        settings->set_value(QStringLiteral("b"), 2);
        write("window.ini.lock", "");
        settings.reset();  // writes what it still has
        QVERIFY(read_file(file.toStdString()).find("b=2") != std::string::npos);
        QVERIFY(!QFileInfo::exists(file + QStringLiteral(".lock")));
        QVERIFY(clock.elapsed() < 5'000);  // Qt believes such a lock for half a minute
    }

    void settings_are_remembered_beside_those_of_others() {
        const QString file = test_->file(QStringLiteral("window.ini"));
        write("window.ini", "[window]\nleft_width=312\n\n[other]\nkey=1\n");
        {
            WindowSettings settings(file);
            const QString width = QStringLiteral("window/left_width");
            QCOMPARE(settings.value(width).toInt(), 312);
            QCOMPARE(settings.value(QStringLiteral("window/none"), 7).toInt(), 7);
            settings.set_value(width, 400);
            QCOMPARE(settings.value(width).toInt(), 400);
            // Another window's, written in the meantime.
            write("window.ini", "[window]\nleft_width=312\n\n[other]\nkey=20\n");
        }
        const WindowSettings again(file);
        QCOMPARE(again.value(QStringLiteral("window/left_width")).toInt(), 400);
        QCOMPARE(again.value(QStringLiteral("other/key")).toInt(), 20);
    }

    void a_session_is_saved_and_reopened() {
        Session session = small_session("self_attention");
        session.values["temperature"] = 0.5;
        session.view.view = ViewKind::heatmap;
        session.view.selection.query = 2;
        test_->document().edit({"Change", session});
        QVERIFY(test_->window().isWindowModified());
        const QString path = test_->file(QStringLiteral("lesson.json"));
        test_->window().files().save_to(path);
        QTRY_VERIFY(!test_->window().isWindowModified());
        QVERIFY(test_->window().windowTitle().contains(QLatin1String("lesson.json")));

        test_->trigger("file_new");
        QVERIFY(test_->session() == example_session());
        drop(test_->window(), path);
        QTRY_VERIFY(test_->session() == session);
        QCOMPARE(test_->window().files().file(), path);
        QVERIFY(test_->window().windowTitle().startsWith(QLatin1String("lesson.json")));
        QVERIFY(!test_->window().isWindowModified());
    }

    void what_others_wrote_meanwhile_is_not_saved_over_unasked() {
        const QString path = test_->file(QStringLiteral("lesson.json"));
        const auto type = [&](const char* text) {
            type_over(test_->find("query_text"), QLatin1String(text));
            QTRY_VERIFY(test_->window().isWindowModified());
        };
        // What is still on its way is this window's own writing: no question is asked then.
        const auto is_saved = [&] {
            return !test_->window().isWindowModified() && !test_->window().files().is_saving();
        };
        test_->window().files().save_to(path);
        QTRY_COMPARE(test_->window().files().file(), path);
        type("mine");
        test_->trigger("file_save");
        test_->trigger("file_save");  // while the first is on its way
        QTRY_VERIFY(is_saved());

        const std::string others = write_session(small_session("additive"));
        write("lesson.json", QByteArray::fromStdString(others));
        type("mine again");
        test_->answer("changed_file_question", QStringLiteral("Cancel"));
        test_->trigger("file_save");
        QTest::qWait(100);
        QCOMPARE(read_file(path.toStdString()), others);
        QVERIFY(!is_saved());
        test_->answer("changed_file_question", QStringLiteral("&Replace"));
        test_->trigger("file_save");
        QTRY_VERIFY(is_saved());
        QVERIFY(read_file(path.toStdString()) != others);
        type("and again");
        test_->trigger("file_save");
        QTRY_VERIFY(is_saved());

        drop(test_->window(), path);
        QTRY_COMPARE(test_->message("notice"), QStringLiteral("Opened lesson.json."));
        QVERIFY(QFile::remove(path));
        type("to where nothing is");
        test_->trigger("file_save");
        QTRY_VERIFY(is_saved() && QFileInfo::exists(path));
    }

    void a_text_becomes_the_query() {
        write("story.txt", "\xEF\xBB\xBFonce upon a time");
        drop(test_->window(), test_->file(QStringLiteral("story.txt")));
        QTRY_COMPARE(test_->session().sequence.query_text, std::string("once upon a time"));
        QCOMPARE(test_->find<QPlainTextEdit>("query_text")->toPlainText(),
                 QStringLiteral("once upon a time"));
        test_->trigger("edit_undo");
        QVERIFY(test_->session() == example_session());
    }

    void files_are_dropped_on_the_text_too() {
        write("story.txt", "dropped on the text");
        // The viewport is what a person hits; it leaves files to the window.
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(test_->file(QStringLiteral("story.txt")))});
        QDragEnterEvent enter(QPoint(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(test_->find<QPlainTextEdit>("query_text")->viewport(), &enter);
        QDropEvent event(QPointF(4, 4), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(test_->find<QPlainTextEdit>("query_text")->viewport(), &event);
        QVERIFY(test_->session().sequence.query_text.find("file:") == std::string::npos);
    }

    void a_matrix_becomes_the_token_vectors() {
        write("m.csv", "1,0,0\n0,1,0\n0,0,1\n1,1,1\n");
        drop(test_->window(), test_->file(QStringLiteral("m.csv")));
        QTRY_COMPARE(test_->document().run()->plan->queries, Index(4));
        QCOMPARE(test_->session().sequence.file_name, std::string("m.csv"));
        QVERIFY(!test_->find("query_text")->isVisible());
        QTest::mouseClick(test_->find("close_inputs_file"), Qt::LeftButton);
        QVERIFY(test_->find("query_text")->isVisible());
        QVERIFY(test_->session() == example_session());
    }

    void parameters_come_from_a_file() {
        test_->document().reset([] {
            Session session = small_session("self_attention");
            session.sequence.vectors.dimension = 2;
            return session;
        }());
        write("p.json", R"({"parameters": {"W_q": [[1, 2], [3, 4]]}})");
        test_->window().files().open_parameters_of(test_->file(QStringLiteral("p.json")));
        QTRY_VERIFY(!test_->session().edited.empty());
        QCOMPARE(test_->document().run()->plan->parameter("W_q")(1, 0), 3.0);
        QCOMPARE(test_->session().sequence.query_text, small_session().sequence.query_text);
    }

    void numbers_from_a_file_begin_without_the_titles_of_the_figure_before_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("token vectors") << QByteArray(R"({"query": [[1, 2], [3, 4]]})");
        QTest::newRow("parameters") << QByteArray(R"({"parameters": {"W_q": [[1, 2], [3, 4]]}})");
    }
    void numbers_from_a_file_begin_without_the_titles_of_the_figure_before() {
        QFETCH(const QByteArray, content);
        Session before = small_session("self_attention");
        before.sequence.vectors.dimension = 2;
        before.figure.options.title = "What it looks at";
        before.figure.options.digits = 4;
        test_->document().reset(before);
        write("n.json", content);
        test_->window().files().open_path(test_->file(QStringLiteral("n.json")));
        QTRY_VERIFY(test_->session().sequence.file || !test_->session().edited.empty());
        QVERIFY(!test_->session().figure.options.title);
        QCOMPARE(test_->session().figure.options.digits, before.figure.options.digits);
        test_->trigger("edit_undo");
        QVERIFY(test_->session().figure.options.title);
    }

    void a_bad_file_is_named_and_changes_nothing_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("csv with a word") << "m.csv" << QByteArray("1,2\n3,cat\n") << "cat";
        QTest::newRow("ragged csv") << "m.csv" << QByteArray("1,2\n3\n") << "2";
        QTest::newRow("empty csv") << "m.csv" << QByteArray() << "expected";
        QTest::newRow("half a json") << "i.json" << QByteArray("{\"query\": [[1, 2]") << "expected";
        QTest::newRow("json of something else") << "i.json" << QByteArray("{\"hello\": 1}") << "hello";
        QTest::newRow("nan in the inputs") << "i.json" << QByteArray("{\"query\": [[1, NaN]]}") << "expected";
        QTest::newRow("safetensors without end")
            << "t.safetensors" << QByteArray("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10) << "expected";
        QTest::newRow("session of a wrong type")
            << "s.json" << QByteArray("{\"format\": \"headlight-session/1\", \"mechanism\": 7}")
            << "mechanism";
        QTest::newRow("text that is not UTF-8") << "t.txt" << QByteArray("caf\xe9 \xff") << "UTF-8";
        QTest::newRow("empty text") << "t.txt" << QByteArray("  \n ") << "empty";
        QTest::newRow("text that is too long")
            << "t.txt" << QByteArray::fromStdString(long_text(33'000)) << "33000";
        QTest::newRow("half a picture") << "p.png" << picture().first(60) << "expected";
        QTest::newRow("not a picture") << "p.png" << QByteArray("GIF89a") << "expected";
        QTest::newRow("unknown extension") << "x.docx" << QByteArray("PK") << ".txt";
    }
    void a_bad_file_is_named_and_changes_nothing() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        write(name, bytes);
        const auto run = test_->document().run();
        drop(test_->window(), test_->file(name));
        QTRY_VERIFY(!test_->message("file_message").isEmpty());
        const QString message = test_->message("file_message");
        QVERIFY2(message.contains(name), qPrintable(message));
        QVERIFY2(message.contains(says), qPrintable(message));
        QVERIFY(test_->session() == example_session());
        QCOMPARE(test_->document().run(), run);
        test_->click("file_message_dismiss");
        QVERIFY(test_->message("file_message").isEmpty());
    }

    void a_pipe_is_refused_at_once() {
        const QString pipe = test_->file(QStringLiteral("pipe.json"));
        QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
        drop(test_->window(), pipe);
        QTRY_VERIFY(!test_->message("file_message").isEmpty());
        const QString message = test_->message("file_message");
        QVERIFY2(message.contains(QLatin1String("pipe.json")), qPrintable(message));
        QVERIFY2(message.contains(QLatin1String("a pipe")), qPrintable(message));
        write("story.txt", "once upon a time");
        drop(test_->window(), test_->file(QStringLiteral("story.txt")));
        QTRY_COMPARE(test_->session().sequence.query_text, std::string("once upon a time"));
    }

    void what_was_said_of_a_refused_file_goes_with_later_work() {
        test_->window().files().open_path(test_->file(QStringLiteral("gone.csv")));
        QTRY_VERIFY(!test_->message("file_message").isEmpty());
        test_->trigger("view_2");  // looking elsewhere is no work
        QVERIFY(!test_->message("file_message").isEmpty());
        Session next = test_->session();
        next.mechanism = "dot";
        test_->document().edit({"Choose another", next});
        QVERIFY(test_->message("file_message").isEmpty());
    }

    void a_trace_brings_back_the_session_that_made_it_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("json") << "t.json";
        QTest::newRow("safetensors") << "t.safetensors";
    }
    void a_trace_brings_back_the_session_that_made_it() {
        QFETCH(QString, name);
        Session session = small_session("causal");
        session.seed = 7;
        Trace trace = record(prepare_run(session).plan);
        trace.session = write_session(session);
        write_trace(trace, test_->file(name).toStdString());
        drop(test_->window(), test_->file(name));
        QTRY_VERIFY(test_->session() == session);
        QVERIFY(test_->window().files().file().isEmpty());
        QVERIFY2(test_->window().windowTitle().startsWith(name), "it is said whose view this is");
        const QString suggested = test_->proposed_name();
        QVERIFY2(
            suggested.endsWith(u'/' + QFileInfo(name).completeBaseName() + QLatin1String("-session.json")),
            qPrintable(suggested));
    }

    void a_figure_for_print_leaves_the_window_in_its_theme() {
        test_->trigger("theme_dark");
        Session session = small_session("causal");
        session.view.theme = FigureTheme::paper;  // as headlight render makes it
        Trace trace = record(prepare_run(session).plan);
        trace.session = write_session(session);
        write_trace(trace, test_->file(QStringLiteral("t.json")).toStdString());
        drop(test_->window(), test_->file(QStringLiteral("t.json")));
        QTRY_COMPARE(test_->session().mechanism, session.mechanism);
        QCOMPARE(int(test_->session().view.theme), int(FigureTheme::dark));
        QVERIFY(test_->window().palette().color(QPalette::Window).lightness() < 80);
    }

    void a_file_that_is_read_late_leaves_what_was_typed_meanwhile_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("content");
        QTest::newRow("parameters") << "p.json"
                                    << R"({"parameters": {"W_q": [[1, 0], [0, 1]]}})";
        QTest::newRow("mechanism") << "m.json"
                                   << QString::fromStdString(write_mechanism(CustomMechanism{"mine", {}}));
    }
    void a_file_that_is_read_late_leaves_what_was_typed_meanwhile() {
        QFETCH(QString, name);
        QFETCH(QString, content);
        const QString path = test_->file(name);
        write_file_atomically(path.toStdString(), content.toStdString());
        test_->document().reset(small_session());
        test_->window().files().open_path(path);  // is read on another thread
        Session typed = test_->session();
        typed.sequence.query_text = "typed while it was read";
        typed.seed = 7;
        test_->document().edit({"Type", typed});
        QTRY_VERIFY(test_->session().custom || !test_->session().edited.empty());
        QCOMPARE(test_->session().sequence.query_text, typed.sequence.query_text);
        QCOMPARE(test_->session().seed, typed.seed);
        test_->trigger("edit_undo");
        QVERIFY(same_edits(test_->session(), typed));
    }

    void a_missing_file_is_named() {
        test_->window().files().open_path(test_->file(QStringLiteral("gone.csv")));
        QTRY_VERIFY(test_->message("file_message").contains(QLatin1String("gone.csv")));
    }

    void a_name_without_an_extension_is_asked_about_with_it_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("written");
        QTest::newRow("none") << QStringLiteral("lesson") << QStringLiteral("lesson.json");
        QTest::newRow("another") << QStringLiteral("lesson.v2") << QStringLiteral("lesson.v2.json");
        QTest::newRow("whole") << QStringLiteral("lesson.json") << QStringLiteral("lesson.json");
    }
    void a_name_without_an_extension_is_asked_about_with_it() {
        QFETCH(QString, typed);
        QFETCH(QString, written);
        write(written, "of somebody else");
        for (const bool replaces : {false, true}) {
            QTimer::singleShot(0, &test_->window(), [&] {
                test_->answer("replace_question",
                              replaces ? QStringLiteral("&Replace") : QStringLiteral("Cancel"));
                accept_file(test_->file(typed));
            });
            test_->trigger("file_save_as");
            if (!replaces)
                QCOMPARE(read_file(test_->file(written).toStdString()), std::string("of somebody else"));
            else
                QTRY_VERIFY(read_file(test_->file(written).toStdString()).starts_with("{"));
        }
        QTRY_COMPARE(test_->window().files().file(), test_->file(written));
    }

    void a_file_is_known_by_its_whole_path() {
        write("lesson.json", QByteArray::fromStdString(write_session(small_session("additive"))));
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(test_->file(QString())));
        test_->window().files().open_path(QStringLiteral("lesson.json"));  // as on the command line
        QTRY_COMPARE(test_->window().files().file(), test_->file(QStringLiteral("lesson.json")));
        QVERIFY(QDir::setCurrent(before));
    }

    void a_file_dialog_begins_where_something_was_saved_last() {
        const QString good = test_->file(QStringLiteral("good")), bad = test_->file(QStringLiteral("bad"));
        QVERIFY(QDir().mkpath(good));
        QVERIFY(QDir().mkpath(bad + QStringLiteral("/session.json")));  // no file can be written there
        FileActions& files = test_->window().files();
        files.save_to(good + QStringLiteral("/session.json"));
        QTRY_VERIFY(QFileInfo::exists(good + QStringLiteral("/session.json")) && !files.file().isEmpty());
        files.save_to(bad + QStringLiteral("/session.json"));
        QTRY_VERIFY(test_->find("file_message")->isVisible());
        QCOMPARE(first_folder(test_->window(), [&] { files.ask_open(); }), good);
        files.open_path(test_->file(QStringLiteral("gone/gone.csv")));
        QTRY_VERIFY(test_->message("file_message").contains(QLatin1String("gone.csv")));
        QCOMPARE(first_folder(test_->window(), [&] { files.ask_open(); }), good);
    }

    void a_session_without_a_text_says_what_to_do() {
        QTRY_VERIFY(test_->document().run());
        Session session = small_session();
        session.sequence.query_text.clear();
        write("empty.json", QByteArray::fromStdString(write_session(session)));
        test_->window().files().open_path(test_->file(QStringLiteral("empty.json")));
        QTRY_VERIFY(test_->document().error() && !test_->document().run());
        QTRY_COMPARE(test_->window().views().currentWidget()->findChild<FigureCanvas*>()->notice(),
                 QStringLiteral("Type a query text: its picture appears here."));
        QTRY_COMPARE(test_->find<TokenStrip>("query_text_tokens")->tokens().size(), qsizetype(0));
    }

    void a_new_session_is_a_step_like_any_other() {
        type_over(test_->find("query_text"), QStringLiteral("an hour of work"));
        const Session work = test_->session();
        const QString path = test_->file(QStringLiteral("lesson.json"));
        test_->window().files().save_to(path);
        QTRY_VERIFY(!test_->window().isWindowModified());
        test_->trigger("file_new");
        QVERIFY(test_->session() == example_session());
        QVERIFY(!test_->window().isWindowModified());
        QVERIFY(test_->window().files().file().isEmpty());
        test_->trigger("edit_undo");
        QVERIFY(test_->session() == work);
        // Saving it asks where: nothing is written over by a slip.
        QVERIFY(test_->window().isWindowModified());
        QVERIFY(test_->window().files().file().isEmpty());
        test_->trigger("edit_redo");
        QVERIFY(test_->session() == example_session());
        QVERIFY(!test_->window().isWindowModified());
    }

    void a_new_session_takes_the_message_about_a_file_away() {
        write("m.csv", "1,2\n3,cat\n");
        drop(test_->window(), test_->file(QStringLiteral("m.csv")));
        QTRY_VERIFY(!test_->message("file_message").isEmpty());
        test_->begin_anew();
        QVERIFY(test_->message("file_message").isEmpty());
    }

private:
    void write(const QString& name, const QByteArray& bytes) const {
        write_file_atomically(test_->file(name).toStdString(),
                              std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())));
    }
    static QByteArray picture() {
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(Qt::red);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        image.save(&buffer, "PNG");
        return bytes;
    }
};

QTEST_MAIN(WindowFilesTest)

}  // namespace headlight::window_files_test

#include "window_files_test.moc"
