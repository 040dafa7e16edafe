#include "core/io/first_example.h"
#include "core/workbench/comparison_edits.h"
#include "tests/ui/text_recorder.h"
#include "tests/ui/window_support.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/elided_label.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/heads_canvas.h"
#include "ui/views/shown_figure.h"

#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScopeGuard>
#include <QTableView>

namespace headlight::projector_test {

/// A classroom's projector: 1024 x 768, read from the last row.
class ProjectorTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        fail_on_warnings();
        test_ = std::make_unique<WindowUnderTest>();
        test_->trigger("theme_projector");
    }
    void init() { fail_on_warnings(); }
    void cleanup() { set_full(false); }
    void cleanupTestCase() { test_.reset(); }

    void every_text_of_the_picture_can_be_read_data() {
        QTest::addColumn<ViewKind>("view");
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("stage");
        QTest::addColumn<bool>("full");
        for (const bool full : {true, false}) {
            const char* where = full ? "alone" : "beside panels";
            for (const View& shown : views())
                for (const char* mechanism : {"scaled_dot_product", "multi_head", "causal"})
                    QTest::addRow("%s, %s, %s", shown.title.c_str(), mechanism, where)
                        << shown.kind << mechanism << "weights" << full;
            for (const char* stage : {"tokens", "scores", "scaled_scores", "exponentials", "context"})
                QTest::addRow("Stages, %s, %s", stage, where)
                    << ViewKind::stages << "scaled_dot_product" << stage << full;
        }
    }
    void every_text_of_the_picture_can_be_read() {
        QFETCH(ViewKind, view);
        QFETCH(QString, mechanism);
        QFETCH(QString, stage);
        QFETCH(bool, full);
        show(example_session(), view, mechanism, stage, full);
        if (view == ViewKind::image)
            test_->trigger("example_picture");
        if (!full)
            QCOMPARE(test_->window().size(), screen);
        if (view == ViewKind::statistics) {
            const auto* table = test_->find<QTableView>("head_table");
            QVERIFY(QFontInfo(table->font()).pixelSize() >= 18);
            QVERIFY(QFontInfo(table->horizontalHeader()->font()).pixelSize() >= 18);
            return;
        }
        if (headlight::view(view).reads_every_head)
            QTRY_VERIFY(heads_canvas().figure());
        const std::vector<PaintedText> texts = painted();
        QVERIFY(!texts.empty());
        for (auto each = texts.begin(); each != texts.end(); ++each)
            for (auto other = std::next(each); other != texts.end(); ++other)
                QVERIFY2(!each->area.intersects(other->area),
                         qPrintable(each->text + QStringLiteral(" over ") + other->text));
        for (const PaintedText& each : texts) {
            QVERIFY2(each.pixels >= 18, qPrintable(each.text + QStringLiteral(": %1").arg(each.pixels)));
            if (!full)  // three matrices with their labels are wider than what panels leave of 1024 pixels
                continue;
            QVERIFY2(area().adjusted(-1, -1, 1, 1).contains(each.baseline), qPrintable(each.text));
        }
    }

    void the_window_stays_as_large_as_it_is_in_every_view_and_after() {
        WindowUnderTest fresh;
        fresh.window().resize(screen);
        QTest::qWait(1);
        for (const char* theme : {"theme_projector", "theme_light"}) {
            fresh.trigger(theme);
            for (const char* mechanism : {"multi_head", "causal"})
                for (const View& each : views()) {
                    fresh.document().reset(shown_in(each.kind, mechanism, fresh.session().view.theme));
                    QTest::qWait(1);
                    QVERIFY2(fresh.window().size() == screen, (each.title + ", " + theme).c_str());
                }
        }
    }

    void on_the_whole_screen_no_text_is_cut_data() {
        QTest::addColumn<ViewKind>("view");
        QTest::addColumn<QString>("stage");
        for (const View& shown : views())
            if (shown.kind != ViewKind::image && !shown.reads_every_head)
                QTest::addRow("%s", shown.title.c_str()) << shown.kind << "weights";
        for (const char* stage : {"tokens", "scores", "scaled_scores", "exponentials", "context"})
            QTest::addRow("Stages, %s", stage) << ViewKind::stages << stage;
    }
    void on_the_whole_screen_no_text_is_cut() {
        QFETCH(ViewKind, view);
        QFETCH(QString, stage);
        for (const Session& session : {example_session(), first_example()}) {
            show(session, view, QStringLiteral("scaled_dot_product"), stage, true);
            for (const PaintedText& each : painted())
                QVERIFY2(!each.text.contains(QChar(u'…')), qPrintable(each.text));
        }
    }

    void the_matrix_keeps_a_share_of_the_screen() {
        for (const char* stage : {"tokens", "scores", "weights", "context"}) {
            show(example_session(), ViewKind::stages, QStringLiteral("scaled_dot_product"),
                 QLatin1String(stage), true);
            const ShownFigure figure = shown();
            double cells = 0;
            for (Index i = 0; i < figure.panel_count(); ++i) {
                const QRectF all = figure.panel_layout(i).cells;
                cells += all.width() * all.height();
            }
            const double share = cells / (1024.0 * 768.0);
            QVERIFY2(share >= 0.1, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(stage)).arg(share)));
        }
    }

    void compared_maps_keep_their_size_whatever_their_titles_data() {
        QTest::addColumn<int>("compared");
        QTest::addColumn<double>("least");  // side of a map in pixels
        QTest::newRow("two") << 1 << 90.0;
        QTest::newRow("three") << 2 << 50.0;
    }
    void compared_maps_keep_their_size_whatever_their_titles() {
        QFETCH(int, compared);
        QFETCH(double, least);
        Session session = example_session();
        for (const char* id : {"qk_norm", "activations"})
            if (compared-- > 0)
                session = compare_mechanism(session, mechanism(id)).after;
        show(session, ViewKind::compare, QStringLiteral("scaled_dot_product"), QStringLiteral("weights"),
             false);
        const ShownFigure figure = shown();
        for (Index i = 0; i < figure.panel_count(); ++i) {
            const QRectF cells = figure.panel_layout(i).cells;
            QVERIFY2(std::min(cells.width(), cells.height()) >= least,
                     qPrintable(QString::number(cells.width())));
        }
    }

    void the_focus_goes_to_the_picture_when_its_panel_is_put_away() {
        show(example_session(), ViewKind::stages, QStringLiteral("scaled_dot_product"),
             QStringLiteral("weights"), false);
        test_->trigger("theme_light");  // with the panels
        auto* text = test_->find("query_text");
        QTRY_VERIFY(text->isVisible());
        text->setFocus();
        QCOMPARE(test_->window().focusWidget(), text);
        test_->trigger("theme_projector");
        QTRY_VERIFY(!text->isVisible());
        const QWidget* focus = test_->window().focusWidget();
        QVERIFY2(focus && test_->window().views().isAncestorOf(focus) &&
                     (focus == test_->window().views().picture()),
                 focus ? focus->metaObject()->className() : "none");
    }

    void the_line_under_a_picture_of_lines_is_whole() {
        show(example_session(), ViewKind::lines, QStringLiteral("scaled_dot_product"),
             QStringLiteral("weights"), false);
        const auto* held = test_->window().views().findChild<ElidedLabel*>(QStringLiteral("lines_held"));
        QVERIFY(!held->text().isEmpty());
        QTRY_COMPARE(held->shown_text(), held->text());
    }

    void the_slider_of_the_player_has_room() {
        Session session = example_session();
        session.model.emplace().name = "translate-transformer";
        session.model->request.source = "the black cat does not sleep";
        session.view.theme = FigureTheme::projector;
        session.view.view = ViewKind::steps;
        open_session(test_->document(), session);
        test_->window().resize(screen);
        QTRY_VERIFY(!test_->document().is_running());
        const auto* label = static_cast<const ElidedLabel*>(test_->find("player-label"));
        QTRY_VERIFY(label->text().startsWith(QLatin1String("step ")));
        QTRY_VERIFY(test_->find("player-scrubber")->width() >= 80);
        QTRY_COMPARE(label->shown_text(), label->text());
    }

    void the_words_of_the_player_come_before_its_lists() {
        Session session = example_session();
        session.model.emplace().name = "translate-transformer";
        session.model->request.source = "the black cat does not sleep";
        session.view.theme = FigureTheme::projector;
        session.view.view = ViewKind::stages;
        session.view.selection = Selection{"decoder.0.cross", "key_tokens", 0, 0, 0, 0};
        open_session(test_->document(), session);
        test_->window().resize(screen);
        QTRY_VERIFY(!test_->document().is_running());
        const auto* label = static_cast<const ElidedLabel*>(test_->find("player-label"));
        QTRY_VERIFY2(label->text().endsWith(QLatin1String("Encoder states (keys)")),
                     qPrintable(label->text()));
        QTRY_COMPARE(label->shown_text(), label->text());
        const auto* status = static_cast<const ElidedLabel*>(test_->find("run_status"));
        QTRY_COMPARE(status->shown_text(), status->text());
        for (const char* part : {"run_status", "colour_range", "values_in_cells", "more_views"})
            if (const auto* widget = test_->window().findChild<QWidget*>(QLatin1String(part)))
                QVERIFY2(QFontInfo(widget->font()).pixelSize() >= 16, part);
    }

    void the_player_and_the_formula_are_large_too() {
        show(example_session(), ViewKind::stages, QStringLiteral("scaled_dot_product"),
             QStringLiteral("weights"), true);
        for (const char* part : {"player-label", "arithmetic"})
            QVERIFY2(QFontInfo(test_->find(part)->font()).pixelSize() >= 18, part);
    }

    void a_message_stands_above_the_player() {
        WindowUnderTest fresh;
        fresh.window().resize(screen);
        const auto place = [&fresh](const char* id) {
            const QWidget* part = fresh.find(id);
            return QRect(part->mapTo(&fresh.window(), QPoint()), part->size());
        };
        fresh.trigger("theme_projector");
        QTRY_VERIFY(fresh.find("arithmetic")->isVisible());
        emit fresh.window().files().notice(QStringLiteral("Saved."));
        QTRY_VERIFY(fresh.find("notice")->isVisible());
        QTRY_VERIFY(place("arithmetic").contains(place("notice")) &&
                    !place("player_bar").intersects(place("notice")));
        for (const char* id : {"player-mode", "arithmetic", "notice_dismiss"})
            QVERIFY2(fresh.find(id)->isEnabled(), id);
        fresh.trigger("theme_light");
        QTRY_VERIFY(place("player_bar").contains(place("notice")));
        QVERIFY(!place("player-mode").intersects(place("notice")));
        fresh.click("notice_dismiss");
        QVERIFY(fresh.find("player-mode")->isEnabled());
    }

    void what_is_asked_and_said_can_be_read() {
        WindowUnderTest fresh;
        fresh.window().resize(screen);
        fresh.trigger("theme_projector");
        begin_first_lesson(fresh);
        QTRY_VERIFY(fresh.find("class_strip")->isVisible());
        QVERIFY(!fresh.find("lesson_text")->isVisible());  // panels are away
        emit fresh.window().files().notice(QStringLiteral("Saved."));
        for (const char* part : {"class_strip", "notice", "view_tabs", "lesson_text", "lesson_title"})
            QVERIFY2(QFontInfo(fresh.find(part)->font()).pixelSize() >= 18, part);
        TextRecorder recorder(screen);  // the hint below the question too
        fresh.find("class_strip")->render(&recorder);
        QVERIFY(!recorder.texts().empty());
        for (const PaintedText& each : recorder.texts())
            QVERIFY2(each.pixels >= 18,
                     qPrintable(QStringLiteral("%1 px: %2").arg(each.pixels).arg(each.text)));
        fresh.trigger("fold_left");
        QTRY_VERIFY(fresh.find("lesson_text")->isVisible());
        QVERIFY(!fresh.find("class_strip")->isVisible());  // it would say the same
        const auto* heading = qobject_cast<QLabel*>(fresh.find<QDockWidget>("begin_dock")->titleBarWidget());
        QVERIFY(heading && heading->text() == QLatin1String("Lesson"));
        QVERIFY(QFontInfo(heading->font()).pixelSize() >= 18 && heading->font().bold());
        QTRY_VERIFY(heading->height() >= heading->sizeHint().height());
        fresh.trigger("theme_light");
        QTRY_COMPARE(QFontInfo(heading->font()).pixelSize(), QFontInfo(interface_font()).pixelSize());
    }

    void columns_that_were_unfolded_for_a_class_are_as_wide_as_before_afterwards_data() {
        QTest::addColumn<QString>("dock");
        QTest::addColumn<QString>("fold");
        QTest::addColumn<bool>("is_in_lesson");
        QTest::newRow("left") << "sequence_dock"
                              << "fold_left" << false;
        QTest::newRow("right") << "inspector_dock"
                               << "fold_right" << false;
        QTest::newRow("the lesson") << "begin_dock"
                                    << "fold_left" << true;
    }
    void columns_that_were_unfolded_for_a_class_are_as_wide_as_before_afterwards() {
        QFETCH(QString, dock);
        QFETCH(QString, fold);
        QFETCH(bool, is_in_lesson);
        WindowUnderTest fresh;
        fresh.window().resize(1280, 720);
        if (is_in_lesson)
            begin_first_lesson(fresh);
        const QWidget* panel = fresh.find(qPrintable(dock));
        QTRY_VERIFY(panel->isVisible());
        QTest::qWait(1);
        const int before = panel->width();
        for (int times = 0; times < 2; ++times) {
            fresh.trigger("theme_projector");
            QTRY_VERIFY(!panel->isVisible());
            fresh.trigger(qPrintable(fold));
            QTRY_VERIFY(panel->isVisible());
            QTest::qWait(1);
            fresh.trigger("theme_light");
            QTRY_VERIFY(panel->isVisible());
            QTRY_COMPARE(panel->width(), before);
        }
    }

    void the_ways_in_are_whole_after_a_class() {
        WindowUnderTest fresh(WindowUnderTest::Beginning::first_start);
        fresh.window().resize(1440, 900);
        const QWidget *dock = fresh.find("begin_dock"), *button = fresh.find("begin_close");
        QTRY_VERIFY(button->isVisible());
        QTest::qWait(1);
        const QRect before(button->mapTo(dock, QPoint()), button->size());
        fresh.trigger("theme_projector");
        QTRY_VERIFY(!button->isVisible());
        QTest::qWait(50);
        fresh.trigger("theme_dark");
        QTRY_VERIFY(button->isVisible());
        QTest::qWait(50);
        QTRY_COMPARE(QRect(button->mapTo(dock, QPoint()), button->size()), before);
    }

    void the_questions_around_a_course_can_be_read() {
        int parts = 0;
        QTimer::singleShot(0, this, [&parts] {
            auto* quiz = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            const auto closed = qScopeGuard([quiz] { quiz->reject(); });  // also by what fails here
            for (const QWidget* part : quiz->findChildren<QWidget*>()) {
                const bool has_words = qobject_cast<const QLabel*>(part) ||
                                       qobject_cast<const QAbstractButton*>(part) ||
                                       qobject_cast<const QLineEdit*>(part);
                if (!has_words)
                    continue;
                QVERIFY2(QFontInfo(part->font()).pixelSize() >= 18, qPrintable(part->objectName()));
                ++parts;
            }
        });
        test_->trigger("begin_quiz_before");
        QVERIFY2(parts > 5, "the class, the question, its answers, and a button");
    }

    /// Without F11, too: the question stands above the picture, and no arithmetic below it.
    void every_word_is_named_while_a_question_is_open() {
        WindowUnderTest fresh;
        fresh.window().resize(1024, 768);
        fresh.trigger("theme_projector");
        begin_lesson(fresh, 1);
        QTRY_VERIFY(fresh.find("class_strip")->isVisible());
        auto* canvas = fresh.window().views().currentWidget()->findChild<FigureCanvas*>();
        const auto thinned = [canvas] {
            const ShownFigure figure(*canvas->figure(), Zoom(), QRectF(QPointF(), canvas->size()), 96 / 72.0);
            Index rows = 0;
            for (Index i = 0; i < figure.panel_count(); ++i)
                rows += figure.panel_layout(i).row_labels && figure.panel_layout(i).row_stride > 1;
            return rows;
        };
        QTRY_COMPARE(thinned(), Index(0));
        QVERIFY(!fresh.find("arithmetic")->isVisible());
        emit fresh.window().files().notice(QStringLiteral("Saved."));
        QTRY_VERIFY(fresh.find("notice")->isVisible());
        fresh.find<QPushButton>("lesson_show_answer")->click();
        QTRY_VERIFY(fresh.find("arithmetic")->isVisible());
    }

    /// Without F11: panels are away, so that each of fifteen rows has its label.
    void stages_can_be_read_beside_nothing() {
        show(example_session(), ViewKind::stages, QStringLiteral("scaled_dot_product"),
             QStringLiteral("weights"), false);
        const ShownFigure figure = shown();
        for (Index i = 0; i < figure.panel_count(); ++i) {
            const PanelLayout& place = figure.panel_layout(i);
            QVERIFY2(place.cells.height() >= 290, qPrintable(QString::number(place.cells.height())));
            QCOMPARE(place.row_stride, 1);
        }
    }

private:
    FigureCanvas& canvas() { return *test_->window().views().currentWidget()->findChild<FigureCanvas*>(); }
    void set_full(bool full) {
        if (test_->find<QAction>("only_picture")->isChecked() != full)
            test_->trigger("only_picture");
    }
    HeadsCanvas& heads_canvas() {
        return *test_->window().views().currentWidget()->findChild<HeadsCanvas*>();
    }
    static Session shown_in(ViewKind view, const std::string& mechanism, FigureTheme theme) {
        Session session = example_session();
        session.mechanism = mechanism;
        session.sequence.vectors.kind = VectorKind::hashed;
        session.view.view = view;
        session.view.theme = theme;
        return session;
    }
    void show(Session session, ViewKind view, const QString& mechanism, const QString& stage, bool full) {
        session.mechanism = mechanism.toStdString();
        session.sequence.vectors.kind = VectorKind::hashed;
        session.view.view = view;
        session.view.theme = FigureTheme::projector;
        session.view.selection.stage = stage.toStdString();
        open_session(test_->document(), session);
        set_full(full);
        if (!full)
            test_->window().resize(screen);
        QTest::qWait(1);
    }
    /// What the canvas has on a screen of 1024 x 768: the one that tests run on may have another size.
    QRectF area() {
        const QSize rest = screen - test_->window().size();
        const QWidget* drawn = test_->window().views().picture();
        return QRectF(QPointF(), drawn->size() + rest);
    }
    ShownFigure shown() {
        const bool are_heads = view(test_->document().view().view).reads_every_head;
        return ShownFigure(are_heads ? *heads_canvas().figure() : *canvas().figure(), Zoom(), area(),
                           96 / 72.0);
    }
    /// What the canvas shows, painted once more on a device that writes it down.
    std::vector<PaintedText> painted() {
        TextRecorder recorder(area().size().toSize());
        const ShownFigure figure = shown();
        QPainter painter(&recorder);
        paint_figure(painter, figure.figure(), figure.layout(), figure.unit());
        painter.end();
        return recorder.texts();
    }

    static constexpr QSize screen{1024, 768};
    std::unique_ptr<WindowUnderTest> test_;
};

QTEST_MAIN(ProjectorTest)

}  // namespace headlight::projector_test

#include "projector_test.moc"
