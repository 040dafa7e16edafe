// What the window puts on the clipboard: pictures, numbers, words and citations.

#include "tests/ui/export_support.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/motion_clock.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>

namespace headlight::window_copying_test {

class WindowCopyingTest : public WindowedTest {
    Q_OBJECT
private slots:
    void figure_and_numbers_are_copied() {
        QGuiApplication::clipboard()->clear();
        test_->trigger("copy_figure");
        const auto* clipboard = QGuiApplication::clipboard();
        QTRY_VERIFY(clipboard->mimeData() && clipboard->mimeData()->hasImage());
        QVERIFY(!QGuiApplication::clipboard()->mimeData()->data(QStringLiteral("image/svg+xml")).isEmpty());
        test_->window().views().setCurrentIndex(1);
        test_->trigger("copy_numbers");
        QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("doctor")));
    }

    void a_picture_and_its_motion_are_copied_in_words() {
        Session session = small_session("multi_head");
        session.view.view = ViewKind::map;
        test_->document().reset(session);
        const auto copied = [&] {
            QGuiApplication::clipboard()->clear();
            test_->trigger("copy_words");
            [] { QTRY_VERIFY(!QGuiApplication::clipboard()->text().isEmpty()); }();
            return QGuiApplication::clipboard()->text();
        };
        const QString map = copied();
        QVERIFY2(map.contains(QLatin1String("\nPart: ")) && map.contains(QLatin1String("\nArrow: from ")),
                 qPrintable(map));
        ViewState stages = in_view(test_->document().view(), ViewKind::stages);
        stages.selection.stage = "weights";
        test_->document().looking().look_at(stages);
        const QString still = copied();
        QVERIFY2(still.contains(QStringLiteral("\nRow “")), qPrintable(still));
        MotionClock& clock = MotionClock::of(test_->document());
        clock.set_on(true);
        const QString moving = copied();
        QVERIFY(moving.startsWith(still));
        for (const double moment : {0.0, clock.motion().stop_after(0), 1.0})
            QVERIFY(moving.contains(QString::fromStdString(clock.motion().at(moment).words)));
    }

    void views_of_every_head_are_copied_in_words_unless_a_question_hides_them() {
        for (const ViewKind kind : {ViewKind::statistics, ViewKind::scatter}) {
            Session session = small_session("multi_head");
            session.view.view = kind;
            test_->document().reset(session);
            QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
            QCOMPARE(test_->document().view().view, kind);
            QGuiApplication::clipboard()->clear();
            test_->document().withhold_answer(ViewKind::heatmap);
            test_->trigger("copy_words");
            QTRY_COMPARE(test_->message("notice"), QStringLiteral("This view is hidden until you answer."));
            QVERIFY(QGuiApplication::clipboard()->text().isEmpty());
            test_->document().withhold_answer({});
            test_->trigger("copy_words");
            QTRY_VERIFY(!QGuiApplication::clipboard()->text().isEmpty());
            QTRY_COMPARE(test_->message("notice"),
                         QStringLiteral("The picture is on the clipboard, in words."));
        }
    }

    void a_long_text_blocks_neither_preview_nor_copy() {
        Session session = small_session();
        session.view.view = ViewKind::heatmap;
        session.sequence.query_text = long_text(600);
        test_->document().reset(session);
        QTRY_VERIFY(test_->document().run() && test_->document().run()->plan->queries == 600);
        ExportDialog* dialog = open_export(*test_);
        auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("export_format"));
        auto* preview = dialog->findChild<QLabel*>(QStringLiteral("export_preview"));
        formats->setCurrentIndex(formats->findData(QStringLiteral("csv")));
        QTRY_VERIFY(preview->text().contains(QLatin1String("word1")));
        dialog->reject();
        QGuiApplication::clipboard()->clear();
        test_->trigger("copy_figure");
        QTRY_VERIFY(QGuiApplication::clipboard()->mimeData() &&
                    QGuiApplication::clipboard()->mimeData()->hasImage());
        test_->trigger("copy_numbers");
        QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("word599")));
    }

    void the_citation_is_copied() {
        const auto cited = [&] {
            QGuiApplication::clipboard()->clear();
            test_->trigger("copy_citation");
            return QGuiApplication::clipboard()->text();
        };
        Session session = small_session();
        session.mechanism = "scaled_dot_product";
        session.values.clear();
        test_->document().reset(session);
        const QString of_mechanism = cited();
        QVERIFY(of_mechanism.startsWith(QLatin1String("@misc{headlight,")));
        QVERIFY(of_mechanism.contains(QLatin1String("@inproceedings{vaswani2017attention,")));
        QCOMPARE(test_->message("notice"),
                 QStringLiteral("The citation of Scaled dot-product attention and of "
                                "Headlight is on the clipboard, as BibTeX."));
        session.custom.emplace();
        test_->document().reset(session);
        QCOMPARE(cited().count(QLatin1Char('@')), 1);
        QVERIFY(test_->message("notice").contains(QLatin1String("has no paper in the catalogue")));
    }
};

QTEST_MAIN(WindowCopyingTest)

}  // namespace headlight::window_copying_test

#include "window_copying_test.moc"
