#include "core/lesson/shipped_lessons.h"
#include "tests/ui/text_recorder.h"
#include "tests/ui/windowed_test.h"
#include "ui/lesson/lesson_player.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/shown_figure.h"

#include <QMenu>
#include <QPainter>

namespace headlight::lesson_picture_test {

/// The first picture of every lesson on a projector of 1024 x 768, in the window and on the whole screen:
/// nothing is cut off, and every map says what its rows are.
class LessonPictureTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        init_first_start();
        test_->window().resize(1024, 768);
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
    }

    void it_can_be_read_data() {
        QTest::addColumn<QString>("id");
        for (const Lesson& each : shipped_lessons())
            QTest::newRow(each.id.c_str()) << QString::fromStdString(each.id);
    }
    void it_can_be_read() {
        QFETCH(QString, id);
        auto* menu = test_->find<QMenu>("lesson_menu");
        emit menu->aboutToShow();
        const std::vector<Lesson>& all = shipped_lessons();
        const auto lesson = std::ranges::find(all, id.toStdString(), &Lesson::id);
        menu->actions().at(lesson - all.begin())->trigger();
        test_->trigger("theme_projector");
        QTRY_VERIFY(!test_->document().is_running());
        look("in the window");
        test_->window().resize(1016, 738);  // within the frame that a desktop draws
        look("in its frame");
        test_->trigger("only_picture");
        // As high as a screen of 768 leaves it, between question and player.
        test_->window().resize(1024, 768);
        look("on the whole screen");
    }

    void the_kinds_of_attention_have_room() {
        auto* menu = test_->find<QMenu>("lesson_menu");
        emit menu->aboutToShow();
        const std::vector<Lesson>& all = shipped_lessons();
        const auto lesson = std::ranges::find(all, "cross", &Lesson::id);
        menu->actions().at(lesson - all.begin())->trigger();
        test_->trigger("theme_projector");
        const std::size_t pictures = lesson->steps[0].states.size() + lesson->steps[1].states.size();
        for (std::size_t at = 0; at < pictures; ++at) {
            QTRY_VERIFY(!test_->document().is_running());
            const auto have_room = [&] {
                const auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
                const FittedLayout fitted = fit_layout(*canvas->figure(), QRectF(canvas->rect()), 96 / 72.0);
                return std::ranges::all_of(fitted.layout.panels, [](const PanelLayout& panel) {
                    return panel.cells.width() > 250 && panel.cells.height() > 250;
                });
            };
            QTRY_VERIFY2(have_room(), qPrintable(QString::number(at)));
            test_->window().findChild<LessonPlayer*>()->go_on();
        }
    }

    void the_formula_of_a_map_is_whole_in_a_window_that_grew() {
        auto* menu = test_->find<QMenu>("lesson_menu");
        emit menu->aboutToShow();
        const std::vector<Lesson>& all = shipped_lessons();
        const auto lesson = std::ranges::find(all, "bahdanau", &Lesson::id);
        menu->actions().at(lesson - all.begin())->trigger();
        QTRY_VERIFY(!test_->document().is_running());
        QTest::qWait(1);
        const auto* formula =
            test_->window().views().currentWidget()->findChild<QWidget*>(QStringLiteral("formula"));
        QVERIFY(formula && formula->isVisible());
        const auto is_whole = [formula] {
            return formula->parentWidget()->rect().contains(formula->geometry());
        };
        for (const int width : {1300, 1400, 1500}) {
            test_->window().resize(1024, 768);
            QTest::qWait(1);
            QTRY_VERIFY(is_whole());
            const int more = formula->height() + 16;  // than a line has that the stages share
            QVERIFY2(formula->parentWidget()->height() > more, "it has a line of its own");
            test_->window().resize(width, 900);
            QTest::qWait(1);
            QTRY_VERIFY2(is_whole(), qPrintable(QString::number(width)));
            QVERIFY2(formula->parentWidget()->height() < more, "it stands beside the stages");
        }
    }

private:
    void look(const char* where) {
        QTest::qWait(1);
        const auto* canvas = test_->window().views().currentWidget()->findChild<FigureCanvas*>();
        QVERIFY(canvas && canvas->figure());
        const QRectF area = canvas->rect();
        const auto [unit, layout] = fit_layout(*canvas->figure(), area, 96 / 72.0);
        TextRecorder recorder(area.size().toSize());
        QPainter painter(&recorder);
        paint_figure(painter, *canvas->figure(), layout, unit);
        painter.end();
        for (const PaintedText& each : recorder.texts()) {
            const QString which = QStringLiteral("%1: %2").arg(QLatin1String(where), each.text);
            QVERIFY2(!each.text.contains(QChar(u'…')), qPrintable(which));
            QVERIFY2(area.adjusted(-1, -1, 1, 1).contains(each.area.boundingRect()), qPrintable(which));
        }
        const std::vector<Panel>& panels = canvas->figure()->panels;
        for (std::size_t at = 0; at < panels.size(); ++at) {
            if (panels[at].thumbnail || panels[at].blank || panels[at].kind != Panel::Kind::heatmap)
                continue;
            const PanelLayout& here = layout.panels[at];
            bool is_named = here.row_labels;
            for (std::size_t left = 0; left < at; ++left)
                is_named |= panels[left].row_axis == panels[at].row_axis && layout.panels[left].row_labels &&
                            std::abs(layout.panels[left].cells.top() - here.cells.top()) < 1;
            QVERIFY2(is_named, panels[at].title.c_str());
        }
    }
};

QTEST_MAIN(LessonPictureTest)

}  // namespace headlight::lesson_picture_test

#include "lesson_picture_test.moc"
