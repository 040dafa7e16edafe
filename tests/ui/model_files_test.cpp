// A model in the window and its files: opened, saved with its session, traced, moved and gone.

#include "core/io/model_folder.h"
#include "core/io/session_model.h"
#include "core/io/session_place.h"
#include "core/io/session_run.h"
#include "core/io/shipped_models.h"
#include "core/io/trace_file.h"
#include "tests/support/small_copier.h"
#include "tests/ui/model_support.h"

#include <QDir>
#include <QLabel>

namespace headlight::model_files_test {

class ModelFilesTest : public ModelTest {
    Q_OBJECT
private slots:
    void initTestCase() {
        folder_ = models_.filePath(QStringLiteral("copy-small"));
        write_model_folder(test::small_copier(false, 20), folder_.toStdString());
    }

    /// File > Open shows files: what a model is known by stands for its folder.
    void its_config_opens_the_model() {
        test_->window().files().open_path(folder_ + QStringLiteral("/config.json"));
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(session().model->name, folder_.toStdString());
    }

    void it_comes_back_from_a_file() {
        generate();
        type_over(test_->find("model_source"), QStringLiteral("abc"));
        QTRY_COMPARE(test_->transcript().source.size(), std::size_t(3));
        QTest::mouseClick(test_->find("player-first"), Qt::LeftButton);
        test_->click_candidate(test_->row_of_a_letter(1));
        QTRY_VERIFY(!session().model->request.chosen.empty());
        QTRY_VERIFY(test_->transcript().steps.front().is_chosen);
        const QString before = test_->said();
        const SessionModel model = *session().model;
        const QString file = test_->file(QStringLiteral("session.json"));
        test_->window().files().save_to(file);
        QTRY_VERIFY(!test_->window().isWindowModified());
        test_->window().files().show_example();
        QTRY_VERIFY(!session().model);
        test_->window().files().open_path(file);
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(*session().model, model);
        QCOMPARE(test_->said(), before);
        // And after the window was closed.
        test_->close();
        test_->start();
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(*session().model, model);
        QVERIFY(!test_->find("sequence_dock")->isVisible());
    }

    void a_session_and_its_model_move_together() {
        QDir(test_->file(QString())).mkpath(QStringLiteral("lesson"));
        const QString mine = test_->file(QStringLiteral("lesson/mine"));
        write_model_folder(test::small_copier(false, 20), mine.toStdString());
        test_->window().files().open_path(mine);
        QTRY_VERIFY(test_->has_generated());
        test_->window().files().save_to(test_->file(QStringLiteral("lesson/session.json")));
        QTRY_VERIFY(!test_->window().isWindowModified());
        QVERIFY(QDir().rename(test_->file(QStringLiteral("lesson")), test_->file(QStringLiteral("moved"))));
        test_->window().files().show_example();
        QTRY_VERIFY(!session().model);
        test_->window().files().open_path(test_->file(QStringLiteral("moved/session.json")));
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(QString::fromStdString(session().model->name), test_->file(QStringLiteral("moved/mine")));
    }

    void a_model_that_is_gone_says_so() {
        Session session = small_session();
        session.model = SessionModel{test_->file(QStringLiteral("nothing")).toStdString(), {}};
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().error());
        QVERIFY(test_->find("run_message")->isVisible());
        QVERIFY(test_->message("run_message").contains(QLatin1String("open model")));
        QVERIFY(test_->find<QLabel>("model_gone")->isVisible());
        QVERIFY(test_->find<QLabel>("model_gone")->text().contains(QLatin1String("not there any more")));
        const auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QVERIFY2(canvas->notice().contains(QLatin1String("Choose where it is now")),
                 qPrintable(canvas->notice()));
        auto* models = test_->find<QComboBox>("model");
        models->setCurrentIndex(0);
        emit models->activated(0);
        QTRY_VERIFY(!test_->document().error());
        QVERIFY(!this->session().model);
    }

    void nothing_is_left_of_a_session_before_one_that_cannot_run_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("source");
        QTest::newRow("gone") << models_.filePath(QStringLiteral("nothing")) << QStringLiteral("abc");
        QTest::newRow("unread") << folder_ << QStringLiteral("ab7");
        QTest::newRow("empty") << folder_ << QString();
    }
    void nothing_is_left_of_a_session_before_one_that_cannot_run() {
        QFETCH(const QString, model);
        QFETCH(const QString, source);
        generate();
        QVERIFY(test_->find<QAction>("file_export")->isEnabled());
        Session session = this->session();
        session.model->name = model.toStdString();
        session.model->request.source = source.toStdString();
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().error());
        QVERIFY(!test_->document().run());
        QVERIFY(!test_->document().figure());
        for (const char* action : {"file_export", "copy_figure", "copy_numbers", "copy_words", "file_print"})
            QVERIFY2(!test_->find<QAction>(action)->isEnabled(), action);
        QCOMPARE(test_->candidates().rowCount(), 0);
        QVERIFY(!test_->candidate_list()->isVisible());
        QVERIFY(test_->find<QLabel>("model_output")->text().isEmpty());
        QVERIFY(!test_->window().grab().isNull());
        const auto* refusal = test_->find<QLabel>("model_refusal");
        if (refusal->isVisible()) {
            QVERIFY(refusal->text().endsWith(QStringLiteral("There is no picture yet.")));
            const QString notice =
                test_->window().views().view(ViewKind::steps)->findChild<FigureCanvas*>()->notice();
            QVERIFY2(!notice.isEmpty() && refusal->text().startsWith(notice), qPrintable(notice));
        }
        session.model->name = folder_.toStdString();
        session.model->request.source = "abc";
        test_->document().edit({"Mend", session});
        QTRY_VERIFY(test_->has_generated());
        QVERIFY(test_->find<QAction>("file_export")->isEnabled());
        QVERIFY(test_->candidate_list()->isVisible());
    }

    /// As `headlight attend` writes it, and where its model has gone meanwhile.
    void a_trace_brings_back_the_model_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("is_gone");
        QTest::newRow("json") << QStringLiteral("t.json") << false;
        QTest::newRow("safetensors") << QStringLiteral("t.safetensors") << false;
        QTest::newRow("model gone") << QStringLiteral("t.json") << true;
    }
    void a_trace_brings_back_the_model() {
        QFETCH(const QString, name);
        QFETCH(const bool, is_gone);
        const std::string file = test_->file(name).toStdString();
        const QString own = test_->file(QStringLiteral("copy"));
        write_model_folder(test::small_copier(false, 20), own.toStdString());
        Session asked =
            with_model(example_session(), own.toStdString(), *open_model(own.toStdString()).model);
        asked.model->request.source = "abc";
        asked.model->request.target = "acb";
        asked.model->request.interventions = {
            {.kind = Intervention::Kind::zero_column, .site = "decoder.cross", .key = 2}};
        asked.model->request.choice.way = WordChoice::Way::beam;
        Trace trace = run_session(asked).trace;
        trace.session = write_session(stored_in(asked, file));
        write_trace(trace, file);
        if (is_gone)
            QVERIFY(QDir(own).removeRecursively());

        test_->window().files().open_path(QString::fromStdString(file));
        QTRY_VERIFY(session().model && !test_->document().is_running());
        QCOMPARE(session().model->name, own.toStdString());
        QVERIFY(session().model->request == asked.model->request);
        QVERIFY(test_->window().files().file().isEmpty());  // a trace is never saved over
        QTRY_COMPARE(test_->find<QLabel>("model_gone")->isVisible(), is_gone);
        if (is_gone) {
            QVERIFY(test_->find<QLabel>("model_gone")->text().contains(QLatin1String("not there any more")));
            test_->window().files().open_path(folder_);  // the same, where it lies now
            QTRY_COMPARE(session().model->name, folder_.toStdString());
            QVERIFY(session().model->request == asked.model->request);
        }
        QTRY_VERIFY(test_->has_generated());
        QCOMPARE(test_->said(), QStringLiteral("acb"));
        const Stage& weights = *trace.find("weights", "decoder.cross");
        const Trace& again = *test_->document().run()->trace;
        QVERIFY(
            std::ranges::equal(trace.values(weights), again.values(*again.find("weights", "decoder.cross"))));
    }

private:
    void generate() {
        test_->window().files().open_path(folder_);
        QTRY_VERIFY(test_->has_generated());
    }
    const Session& session() const { return test_->session(); }

    QTemporaryDir models_;
    QString folder_;
};

QTEST_MAIN(ModelFilesTest)

}  // namespace headlight::model_files_test

#include "model_files_test.moc"
