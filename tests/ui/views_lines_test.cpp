// Attention as lines between tokens: which are drawn, which stay, whose they are.

#include "core/workbench/figure_edits.h"
#include "resources/resources.h"
#include "tests/ui/view_stand.h"
#include "ui/render/fixed_text.h"
#include "ui/views/cell_place.h"
#include "ui/views/elided_label.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/head_swatches.h"
#include "ui/views/hover.h"
#include "ui/views/lines_bar.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace headlight::views_lines_test {

using view_stand::LinesView;
using view_stand::Stand;

class ViewsLinesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { initialise_resources(); }
    void init() { fail_on_warnings(); }

    void pointing_at_a_token_leaves_only_its_lines_data() {
        QTest::addColumn<bool>("left");
        QTest::newRow("query") << true;
        QTest::newRow("key") << false;
    }
    void pointing_at_a_token_leaves_only_its_lines() {
        QFETCH(bool, left);
        const Stand<LinesView> stand(small_session());
        const QRectF line =
            stand.canvas().cell_rect(0, 1, 0);  // the height of entry 1; sides lie beyond the lines
        const QPointF cells_left(line.left(), line.center().y());
        const double width = line.width() * 4;
        stand.hover((left ? cells_left - QPointF(12, 0) : cells_left + QPointF(width + 12, 0)).toPoint());
        const auto& place = HoverState::of(const_cast<Document&>(stand.document)).place();
        QVERIFY(place);
        QCOMPARE(left ? place->row : place->column, std::optional<Index>(1));
        const Panel& panel = stand.canvas().figure()->panels[0];
        for (Index row = 0; row < 4; ++row)
            for (Index column = 0; column < 4; ++column)
                QCOMPARE(std::isnan(panel.values[static_cast<std::size_t>(row * 4 + column)]),
                         left ? row != 1 : column != 1);
    }

    void a_click_keeps_the_lines_of_a_token_until_the_next() {
        Stand<LinesView> stand(small_session());
        const QRectF line = stand.canvas().cell_rect(0, 2, 0);
        const QPoint key(qRound(line.left() + 4 * line.width() + 12), qRound(line.center().y()));
        const auto lines = [&] {
            const auto& values = stand.canvas().figure()->panels[0].values;
            return std::ranges::count_if(values, [](double value) { return !std::isnan(value); });
        };
        const auto leave = [&] {
            QEvent event(QEvent::Leave);
            QCoreApplication::sendEvent(&stand.canvas(), &event);
        };
        auto* held = stand.view->findChild<QLabel*>(QStringLiteral("lines_held"));
        auto* release = stand.view->findChild<QToolButton*>(QStringLiteral("lines_release"));
        stand.hover(key);
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {}, key);
        leave();
        QCOMPARE(lines(), 4);
        QVERIFY2(held->text().contains(QStringLiteral("“bank”")), qPrintable(held->text()));
        stand.hover(key + QPoint(0, qRound(line.height())));  // another token is explained, not drawn
        QCOMPARE(lines(), 4);
        QVERIFY(!std::isnan(stand.canvas().figure()->panels[0].values[2]));
        leave();
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {}, key);
        leave();
        QCOMPARE(lines(), 16);
        QVERIFY(!release->isVisible());
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {}, key);
        leave();
        QVERIFY(release->isVisible());
        QTest::keyClick(&stand.canvas(), Qt::Key_Escape);
        QCOMPARE(lines(), 16);
    }

    void a_key_keeps_the_lines_of_the_selected_word() {
        Session session = small_session("multi_head");
        session.view.selection.query = 2;
        Stand<LinesView> stand(session);
        const auto* held = stand.view->findChild<QLabel*>(QStringLiteral("lines_held"));
        QVERIFY2(held->text().contains(QLatin1String("press L")), qPrintable(held->text()));
        QTest::keyClick(&stand.canvas(), Qt::Key_L);
        QVERIFY2(held->text().contains(QStringLiteral("“bank”")), qPrintable(held->text()));
        const auto& values = stand.canvas().figure()->panels[0].values;
        QCOMPARE(std::ranges::count_if(values, [](double value) { return !std::isnan(value); }), 4);
        QTest::keyClick(&stand.canvas(), Qt::Key_L);
        QVERIFY(held->text().contains(QLatin1String("press L")));
        QVERIFY(stand.view->findChild<QLabel*>(QStringLiteral("lines_heads"))->isVisible());
    }

    void the_hint_about_lines_is_whole_where_there_is_less_room() {
        LinesBar bar;
        bar.show_held({});
        const auto* held = bar.findChild<ElidedLabel*>(QStringLiteral("lines_held"));
        bar.resize(1200, bar.sizeHint().height());
        bar.show();
        QTRY_VERIFY2(held->text().startsWith(QLatin1String("Click a word")), qPrintable(held->text()));
        const int hint = held->fontMetrics().horizontalAdvance(held->text());
        bar.resize(1200 - held->width() + hint / 2, bar.height());
        QTRY_VERIFY2(held->text().contains(QLatin1String("press L")) && held->shown_text() == held->text(),
                     qPrintable(held->shown_text()));
    }

    void kept_lines_go_with_their_sentence_and_stay_with_its_knobs() {
        Stand<LinesView> stand(small_session());
        const QRectF line = stand.canvas().cell_rect(0, 2, 0);
        const QPoint key(qRound(line.left() + 4 * line.width() + 12), qRound(line.center().y()));
        auto* held = stand.view->findChild<QLabel*>(QStringLiteral("lines_held"));
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {}, key);
        QVERIFY2(held->text().contains(QStringLiteral("“bank”")), qPrintable(held->text()));
        Session next = stand.document.session();
        next.seed += 1;
        stand.document.edit({"Draw anew", next});
        QVERIFY2(held->text().contains(QStringLiteral("“bank”")), qPrintable(held->text()));
        next.sequence.query_text = "another sentence of words";
        stand.document.edit({"Type", next});
        QVERIFY2(!held->text().contains(QStringLiteral("“bank”")), qPrintable(held->text()));
    }

    void weak_lines_are_hidden_and_their_share_is_said() {
        Stand<LinesView> stand(small_session());
        const Storage<const double> all = stand.canvas().figure()->panels[0].values;
        auto* least = stand.view->findChild<QDoubleSpinBox*>(QStringLiteral("lines_least"));
        auto* hidden = stand.view->findChild<QLabel*>(QStringLiteral("lines_hidden"));
        QVERIFY(hidden->text().isEmpty());
        least->setValue(0.25);
        double sum = 0, weak = 0;
        int count = 0;
        for (const double value : all) {
            sum += value;
            weak += value < 0.25 ? value : 0;
            count += value < 0.25;
        }
        const Storage<const double>& left = stand.canvas().figure()->panels[0].values;
        for (std::size_t i = 0; i < all.size(); ++i)
            QCOMPARE(std::isnan(left[i]), all[i] < 0.25);
        QCOMPARE(hidden->text(), QStringLiteral("%1 lines hidden: %2 % of the sum")
                                     .arg(count)
                                     .arg(fixed_text(100 * weak / sum, 1)));
        QCOMPARE(stand.document.session().figure.options.lines.least, 0.25);
    }

    void the_strongest_lines_of_each_query_are_the_figures() {
        Stand<LinesView> stand(small_session());
        auto* most = stand.view->findChild<QSpinBox*>(QStringLiteral("lines_most"));
        const auto drawn = [&] {
            const auto& values = stand.canvas().figure()->panels[0].values;
            return std::ranges::count_if(values, [](double value) { return !std::isnan(value); });
        };
        QCOMPARE(drawn(), 16);
        most->setValue(1);
        QCOMPARE(drawn(), 4);
        QCOMPARE(stand.document.session().figure.options.lines.most, std::optional<Index>(1));
        stand.document.edit(choose_lines(stand.document.session(), {.most = 2, .least = 0}));
        QCOMPARE(drawn(), 8);
        QCOMPARE(most->value(), 2);
        most->setValue(0);
        QCOMPARE(drawn(), 16);
    }

    void heads_are_switched_on_and_off_over_their_lines() {
        Stand<LinesView> stand(small_session("multi_head"));
        const auto head = [&](int number) {
            return stand.view->findChild<QToolButton*>(QStringLiteral("lines_head_%1").arg(number));
        };
        const auto drawn = [&] {
            std::vector<Index> heads;
            for (const Panel& panel : stand.canvas().figure()->panels)
                heads.push_back(panel.head);
            return heads;
        };
        using Heads = std::vector<Index>;
        auto* choice = stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"));
        QCOMPARE(drawn(), Heads{0});
        QVERIFY(head(8) && head(1)->isChecked() && !head(3)->isChecked() && choice->isVisible());
        const qint64 before = head(3)->icon().cacheKey();
        QTest::mouseClick(head(3), Qt::LeftButton);
        QCOMPARE(drawn(), (Heads{0, 2}));
        QVERIFY(head(1)->isChecked() && head(3)->isChecked() && !choice->isVisible());
        QVERIFY(head(3)->icon().cacheKey() != before);
        QTest::mouseClick(head(2), Qt::LeftButton);
        QCOMPARE(drawn(), (Heads{0, 1, 2}));
        QTest::mouseClick(head(1), Qt::LeftButton);
        QCOMPARE(drawn(), (Heads{1, 2}));
        QTest::mouseClick(head(2), Qt::LeftButton);
        QCOMPARE(drawn(), Heads{2});
        QVERIFY(stand.document.session().figure.options.heads.empty());
        QCOMPARE(stand.selection().head, Index(2));
        QTest::mouseClick(head(3), Qt::LeftButton);  // the last one stays
        QVERIFY(head(3)->isChecked());
        QCOMPARE(drawn(), Heads{2});
    }

    void weak_lines_of_all_heads_are_counted() {
        const auto hidden = [](const std::vector<Index>& heads) {
            Session session = small_session("multi_head");
            session.figure.options.heads = heads;
            Stand<LinesView> stand(session);
            stand.view->findChild<QDoubleSpinBox*>(QStringLiteral("lines_least"))->setValue(0.25);
            stand.canvas().figure();
            return stand.view->findChild<QLabel*>(QStringLiteral("lines_hidden"))
                ->text()
                .section(QChar(' '), 0, 0)
                .toInt();
        };
        QVERIFY(hidden({0}) > 0 && hidden({1}) > 0);
        QCOMPARE(hidden({0, 1}), hidden({0}) + hidden({1}));
    }

    void one_head_needs_no_switch() {
        const Stand<LinesView> stand(small_session());
        stand.canvas().figure();
        QVERIFY(!stand.view->findChild<HeadSwatches*>()->isVisible());
    }

    void a_line_of_several_heads_says_whose_it_is() {
        Session session = small_session("multi_head");
        session.figure.options.heads = {1, 4};
        Stand<LinesView> stand(session);
        const QRectF cells = stand.canvas().cell_rect(0, 0, 0) | stand.canvas().cell_rect(0, 3, 3);
        std::optional<CellPlace> line;
        QPoint point;
        for (double y = cells.top(); y < cells.bottom() && !(line && line->is_cell() && line->head == 4);
             ++y) {
            point = QPointF(cells.center().x(), y).toPoint();
            line = stand.canvas().place_at(point);
        }
        QVERIFY(line && line->is_cell() && line->head == 4);
        const QString words = stand.canvas().sentence(*line);
        QVERIFY2(words.endsWith(QStringLiteral(", head 5")), qPrintable(words));
        stand.hover(point);
        const Panel& hovered = stand.canvas().figure()->panels[1];
        QCOMPARE(hovered.selected_row, line->row);
        QCOMPARE(hovered.selected_column, line->column);
        QVERIFY2(std::ranges::none_of(hovered.values, [](double value) { return std::isnan(value); }),
                 "the pointer goes from one line to the next");
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {}, point);
        QCOMPARE(stand.selection().head, Index(4));
        QCOMPARE(stand.selection().key, *line->column);
        QVERIFY(stand.canvas().current_sentence().endsWith(QStringLiteral(", head 5")));
        auto* held = stand.view->findChild<QLabel*>(QStringLiteral("lines_held"));
        QVERIFY2(held->text().endsWith(QStringLiteral(", head 5")), qPrintable(held->text()));
        const CellPlace token{"", "weights", 4, Index(1), {}};
        QVERIFY2(stand.canvas().sentence(token).endsWith(QStringLiteral("heads 2 and 5")),
                 qPrintable(stand.canvas().sentence(token)));
        QCOMPARE(stand.canvas().table_name(1), QStringLiteral("Weights, head 5 of 8"));
    }
};

QTEST_MAIN(ViewsLinesTest)

}  // namespace headlight::views_lines_test

#include "views_lines_test.moc"
