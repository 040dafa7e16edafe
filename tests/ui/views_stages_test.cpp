// The formula above a picture and the way through its stages: what they say, what is lit, and that no name is
// cut.

#include "core/figure/theme_table.h"
#include "resources/resources.h"
#include "tests/ui/contrast.h"
#include "tests/ui/view_stand.h"
#include "ui/panels/theme.h"
#include "ui/views/elided_label.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/formula_lines.h"
#include "ui/views/formula_view.h"
#include "ui/views/formula_words.h"
#include "ui/views/shown_figure.h"
#include "ui/views/stage_strip.h"

#include <QComboBox>
#include <QFile>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headlight::views_stages_test {

using view_stand::HeatmapView;
using view_stand::ProductsView;
using view_stand::StagesView;
using view_stand::Stand;

namespace {

/// The largest contrast with the ground in the left half of what is drawn: of a formula, of what stands
/// before its last term.
double most_contrast_on_the_left(const QImage& image) {
    const QColor ground = image.pixelColor(1, 1);
    std::map<int, double> of_columns;
    for (int x = 0; x < image.width(); ++x)
        for (int y = 0; y < image.height(); ++y)
            if (const QColor ink = image.pixelColor(x, y); ink != ground)
                of_columns[x] = std::max(of_columns[x], contrast(ink, ground));
    double most = 1;
    for (const auto& [x, ratio] : of_columns)
        if (2 * x < of_columns.begin()->first + of_columns.rbegin()->first)
            most = std::max(most, ratio);
    return most;
}

}  // namespace

class ViewsStagesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { initialise_resources(); }
    void init() { fail_on_warnings(); }

    void every_stage_has_a_picture_in_focus_and_a_button_to_click() {
        const Stand<StagesView> stand(small_session("multi_head"));
        for (const std::string& stage : visible_stages(*stand.document.run()->trace)) {
            QToolButton* button = stand.button(QString::fromStdString(stage));
            QVERIFY2(button, stage.c_str());
            QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(stand.selection().stage, stage);
            QVERIFY(button->isChecked());
            // Nothing on the way there is drawn twice: the buttons are the way, the panels what is shown.
            QVERIFY(std::ranges::none_of(stand.canvas().figure()->panels, &Panel::thumbnail));
            const Index panel = stand.panel_of(stage);
            QVERIFY2(panel >= 0, stage.c_str());
            QVERIFY(stand.canvas().figure()->panels[static_cast<std::size_t>(panel)].in_focus);
        }
    }

    void arrows_lead_down_a_column_that_is_recorded_as_a_row() {
        Session session = small_session();
        session.custom.emplace().spec.algorithm.type = AlgorithmType::formula;
        session.custom->spec.algorithm.options["text"] =
            std::string("powers = exp(q @ k.T)\nrow_sum = sum(powers)\nweights = powers / row_sum\n");
        session.view.selection = Selection{"", "row_sum", 0, 1, 0, 0};
        const Stand<StagesView> stand(session);
        QVERIFY(stand.panel_of("row_sum") >= 0);
        QTest::keyClick(&stand.canvas(), Qt::Key_Down);
        QCOMPARE(stand.selection().query, Index(2));
        QTest::keyClick(&stand.canvas(), Qt::Key_Right);  // one head
        QCOMPARE(stand.selection().query, Index(2));
        QTest::keyClick(&stand.canvas(), Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(stand.selection().query, Index(0));
    }

    void products_are_those_of_a_weight_whatever_stage_is_selected() {
        Session session = small_session("basic_self_attention");  // whose tokens are queries and keys
        session.view.view = ViewKind::query_key;
        session.view.selection = Selection{"", "tokens", 0, 1, 2, 0};
        const Stand<ProductsView> stand(session);
        QVERIFY(stand.button(QStringLiteral("weights"))->isChecked());
        const auto& panels = stand.canvas().figure()->panels;
        QCOMPARE(panels[0].selected_column, std::optional<Index>(1));
        QCOMPARE(panels[1].selected_column, std::optional<Index>(2));
        stand.button(QStringLiteral("tokens"))->click();
        QCOMPARE(stand.selection().stage, std::string("tokens"));
        QVERIFY2(stand.document.view().view == ViewKind::stages, "where it is shown");
    }

    void matrices_of_parameters_are_left_out_only_where_no_row_has_room_data() {
        QTest::addColumn<QSize>("room");
        QTest::addColumn<int>("panels");
        QTest::addColumn<int>("columns");
        QTest::newRow("below the products") << QSize(1000, 700) << 5 << 3;
        QTest::newRow("right of them") << QSize(1300, 300) << 5 << 5;
        QTest::newRow("right of them, as small as they are") << QSize(1300, 210) << 5 << 5;
    }
    void matrices_of_parameters_are_left_out_only_where_no_row_has_room() {
        QFETCH(QSize, room);
        QFETCH(int, panels);
        QFETCH(int, columns);
        Session session = small_session("self_attention");
        session.sequence.vectors.dimension = 4;
        session.view.view = ViewKind::query_key;
        const Stand<ProductsView> stand(session);
        const ShownFigure shown(*stand.canvas().figure(), Zoom(), QRectF(QPointF(), room), 96 / 72.0);
        QCOMPARE(shown.panel_count(), Index(panels));
        QCOMPARE(shown.figure().columns, Index(columns));
        QVERIFY(shown.figure().caption.find("No room for") == std::string::npos);
    }

    void what_is_left_out_makes_the_others_larger_and_is_named() {
        Session session = small_session("self_attention");
        session.sequence.vectors.dimension = 4;
        session.view.view = ViewKind::query_key;
        const Stand<ProductsView> stand(session);
        int left_out = 0;
        for (int height = 200; height <= 500; height += 50)
            for (int width = 300; width <= 1000; width += 50) {
                const QRectF room(0, 0, width, height);
                const ShownFigure shown(*stand.canvas().figure(), Zoom(), room, 96 / 72.0);
                const bool has_all = shown.panel_count() == 5;
                QVERIFY(has_all || shown.panel_count() == 3);
                QCOMPARE(shown.figure().caption.find("No room for") == std::string::npos, has_all);
                left_out += !has_all;
            }
        QVERIFY(left_out > 0);
    }

    void what_a_state_implies_is_called_so_on_its_button() {
        Stand<StagesView> stand(small_session("gla"));
        const auto* button = stand.button("weights");
        QCOMPARE(button->text(), QStringLiteral("Implied weights"));
        QCOMPARE(button->accessibleName(), QStringLiteral("Implied weights"));
        QCOMPARE(button->toolTip(), QStringLiteral("Show the implied weights"));
        // The names of stages may be the same where their titles are others.
        open_session(stand.document, small_session("scaled_dot_product"));
        QTRY_COMPARE(stand.button("weights")->text(), QStringLiteral("Weights"));
    }

    void the_current_stage_can_be_read_where_room_is_short() {
        Stand<StagesView> stand(small_session("multi_head"));
        QFont large = stand.view->font();
        large.setPixelSize(18);  // as the projector has it
        stand.view->setFont(large);
        stand.view->resize(580, 500);
        QTRY_VERIFY(stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"))->isVisible());
        const QToolButton* button = stand.button("weights");
        QTRY_COMPARE(button->visibleRegion().boundingRect().width(), button->width());
        QVERIFY(button->width() >= button->sizeHint().width());
    }

    void no_name_of_a_stage_is_cut_data() {
        QTest::addColumn<int>("width");
        for (const int width : {90, 170, 260, 340, 520, 900})
            QTest::addRow("%d", width) << width;
    }
    void no_name_of_a_stage_is_cut() {
        QFETCH(int, width);
        QWidget around;
        around.resize(1000, 100);
        StageStrip strip(&around);
        QFont large = strip.font();
        large.setPixelSize(18);
        strip.setFont(large);
        const std::vector<StageStrip::Named> stages{
            {"tokens", "Token vectors"},        {"query", "Query"},     {"scores", "Scores"},
            {"scaled_scores", "Scaled scores"}, {"weights", "Weights"}, {"concatenation", "Concatenation"}};
        strip.set_stages(stages);
        around.show();
        strip.resize(width, strip.sizeHint().height());
        const auto seen = [](const QToolButton* button) { return button->visibleRegion().boundingRect(); };
        const auto button = [&](const std::string& name) {
            return strip.findChild<QToolButton*>(QString::fromStdString(name));
        };
        const auto cut_name = [&] {
            for (const StageStrip::Named& each : stages)
                if (const QRect part = seen(button(each.name));
                    !part.isEmpty() && part != button(each.name)->rect())
                    return QString::fromStdString(each.title);
            return QString();
        };
        for (const StageStrip::Named& each : stages) {
            strip.set_current(each.name);
            QTRY_COMPARE(seen(button(each.name)), button(each.name)->rect());
            QCOMPARE(cut_name(), QString());
            const bool has_room = button(each.name)->sizeHint().width() + 8 <= width;
            QVERIFY(has_room);  // with "…" where it is too narrow for the name
            if (width >= 260)
                QCOMPARE(button(each.name)->text(), QString::fromStdString(each.title));
        }
        // To the first and back to the last by the arrows beside them, and by the focus.
        const auto arrows = strip.findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
        QCOMPARE(arrows.size(), 2);
        for (QToolButton* arrow : arrows)
            for (std::size_t i = 0; i < stages.size() && arrow->isVisible() && arrow->isEnabled(); ++i) {
                arrow->click();
                QCOMPARE(cut_name(), QString());
            }
        for (const StageStrip::Named& each : stages) {
            QFocusEvent focus(QEvent::FocusIn);
            QCoreApplication::sendEvent(button(each.name), &focus);
            QVERIFY(!seen(button(each.name)).isEmpty());
        }
    }

    void a_strip_wants_room_for_the_whole_name_also_where_it_has_less() {
        StageStrip strip;
        strip.set_stages({{"tokens", "Token vectors"}, {"query", "Query"}, {"weights", "Weights"}});
        strip.set_current("tokens");
        strip.resize(900, strip.sizeHint().height());
        strip.show();
        const int wanted = strip.least_width();
        strip.resize(60, strip.height());
        const auto* tokens = strip.findChild<QToolButton*>(QStringLiteral("tokens"));
        QTRY_VERIFY2(tokens->text().endsWith(u'…'), qPrintable(tokens->text()));
        QCOMPARE(strip.least_width(), wanted);
        strip.resize(wanted, strip.height());
        QTRY_COMPARE(tokens->text(), QStringLiteral("Token vectors"));
        const auto arrows = strip.findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY2(arrows.front()->isVisible() && arrows.back()->isVisible(), "there are more stages");
    }

    void names_of_stages_are_whole_in_larger_type() {
        QWidget around;  // gives the strip its height, as the bar does
        auto* layout = new QVBoxLayout(&around);
        auto& strip = *new StageStrip;
        layout->addWidget(&strip);
        strip.set_stages({{"query", "Query"}, {"weights", "Weights"}});
        strip.set_current("weights");
        around.resize(900, around.sizeHint().height());
        around.show();
        QFont large = strip.font();
        large.setPixelSize(30);
        strip.setFont(large);
        const auto* button = strip.findChild<QToolButton*>(QStringLiteral("query"));
        QTRY_VERIFY(button->height() >= button->sizeHint().height() &&
                    button->visibleRegion().boundingRect().height() == button->height());
    }

    void letters_that_reach_below_their_line_are_not_cut() {
        constexpr int margin = 12;
        ElidedLabel label;
        QFont large = label.font();
        large.setPixelSize(40);
        label.setFont(large);
        label.setContentsMargins(margin, margin, margin, margin);
        label.setAlignment(Qt::AlignCenter);
        label.setText(QStringLiteral("gjpqy"));
        // The line of a text that another font has a sign of is higher than the font says.
        label.resize(300, label.fontMetrics().height() - margin + 2 * margin);
        const QImage image = label.grab().toImage();
        bool has_ink = false;
        for (int y = label.contentsRect().bottom() + 1; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                has_ink |= image.pixel(x, y) != image.pixel(0, 0);
        QVERIFY(has_ink);
    }

    void the_formula_and_the_way_through_it_share_a_line() {
        const Stand<StagesView> stand(small_session("multi_head"));
        stand.view->resize(1000, 560);  // else the formula has a line of its own
        const auto* formula = stand.view->findChild<FormulaView*>();
        const auto* strip = stand.view->findChild<StageStrip*>();
        QVERIFY(formula->isVisible() && strip->isVisible());
        QTRY_VERIFY(QGuiApplication::isLeftToRight() ? formula->geometry().right() < strip->x()
                                                     : strip->geometry().right() < formula->x());
        QVERIFY(strip->y() < formula->geometry().bottom() && formula->y() < strip->geometry().bottom());
    }

    /// In what panels leave of a window of 1024 x 768, and a little more.
    void the_shown_stage_is_seen_with_its_neighbours_beside_every_formula_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("is_above");
        QTest::newRow("short") << "scaled_dot_product" << 600 << false;
        QTest::newRow("broken over lines") << "additive" << 640 << false;
        QTest::newRow("broken beside long names") << "causal" << 548 << false;
        QTest::newRow("too long beside a list of heads") << "multi_head" << 548 << true;
        QTest::newRow("would be a column of many lines beside it") << "multi_head" << 600 << true;
    }
    void the_shown_stage_is_seen_with_its_neighbours_beside_every_formula() {
        QFETCH(QString, mechanism);
        QFETCH(int, width);
        QFETCH(bool, is_above);
        Stand<StagesView> stand(small_session(mechanism.toStdString()));
        stand.view->resize(width, 560);
        QTest::qWait(1);
        const auto* formula = stand.view->findChild<FormulaView*>();
        const auto* strip = stand.view->findChild<StageStrip*>();
        QList<const QToolButton*> stages;
        for (const QToolButton* button : strip->findChildren<QToolButton*>())
            if (button->isCheckable() && !button->isHidden())
                stages.append(button);
        std::ranges::sort(stages, {}, [](const QToolButton* button) { return button->x(); });
        QVERIFY(stages.size() > 3);
        const auto is_whole = [](const QToolButton* button) {
            return button->visibleRegion().boundingRect() == button->rect() && !button->text().contains(u'…');
        };
        const QRect place = formula->geometry();
        for (qsizetype at = 0; at < stages.size(); ++at) {
            Selection selection = stand.selection();
            selection.stage = stages[at]->objectName().toStdString();
            stand.document.looking().select(selection);
            for (qsizetype beside = std::max<qsizetype>(at - 1, 0);
                 beside <= std::min(at + 1, stages.size() - 1); ++beside)
                QTRY_VERIFY2(is_whole(stages[beside]),
                             qPrintable(stages[at]->text() + u' ' + stages[beside]->text()));
            QCOMPARE(formula->geometry(), place);  // no picture moves from stage to stage
        }
        QVERIFY(formula->isVisible() && formula->is_legible_in(formula->width()));
        QVERIFY(formula->height() >= formula->heightForWidth(formula->width()));
        QCOMPARE(formula->geometry().bottom() <= strip->y(), is_above);
        QVERIFY(!formula->geometry().intersects(strip->geometry()));
        // Where there is room they share a line again.
        stand.view->resize(1000, 560);
        QTRY_VERIFY(formula->geometry().bottom() > strip->y());
    }

    void a_formula_of_high_lines_has_its_size_above_the_stages() {
        Stand<StagesView> stand(small_session("mamba"));
        const auto* formula = stand.view->findChild<FormulaView*>();
        const auto* strip = stand.view->findChild<StageStrip*>();
        stand.view->resize(900, 560);
        QTRY_VERIFY(formula->geometry().bottom() <= strip->y());
        QVERIFY(formula->share_in(formula->width()) > 0.89);
        stand.view->resize(1800, 560);
        QTRY_VERIFY(formula->geometry().bottom() > strip->y());
        QVERIFY(formula->share_in(formula->width()) > 0.89);
    }

    void stages_say_which_head_they_show_and_choose_one() {
        const Stand<StagesView> stand(small_session("multi_head"));
        auto* heads = stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"));
        QVERIFY(heads && heads->isVisible());
        QCOMPARE(heads->currentText(), QStringLiteral("Head 1 of 8"));
        heads->setCurrentIndex(4);
        emit heads->activated(4);
        QCOMPARE(stand.selection().head, Index(4));
        QCOMPARE(stand.canvas().figure()->panels.back().head, Index(4));
    }

    void the_strip_above_the_heatmap_chooses_stage_and_head() {
        const Stand<HeatmapView> stand(small_session("multi_head"));
        QTest::mouseClick(stand.button(QStringLiteral("scores")), Qt::LeftButton);
        QCOMPARE(stand.selection().stage, std::string("scores"));
        QCOMPARE(stand.canvas().figure()->panels[0].stage, std::string("scores"));
        QVERIFY(stand.button(QStringLiteral("scores"))->isChecked());
        QVERIFY(!stand.button(QStringLiteral("weights"))->isChecked());
        auto* heads = stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"));
        heads->setFocus();
        QTest::keyClick(heads, Qt::Key_Down);
        QCOMPARE(stand.selection().head, Index(1));
        QCOMPARE(stand.canvas().figure()->panels[0].head, Index(1));
    }

    void a_formula_is_read_aloud_without_tex() {
        for (const Mechanism& mechanism : mechanisms()) {
            const std::string words = formula_in_words(mechanism.formula);
            QVERIFY2(words.find_first_of("\\{}^_") == words.npos, words.c_str());
            QVERIFY2(words.find("  ") == words.npos, words.c_str());
        }
        QCOMPARE(formula_in_words("s_{ij} = v^\\top \\max_j \\text{ if } a^2 \\le -\\infty"),
                 std::string("s sub i j equals v transposed max over j if a to the power 2 is at most minus "
                             "infinity"));
        QCOMPARE(formula_in_words("{a"), std::string("a"));
        QCOMPARE(formula_in_words("\\frac"), std::string("over"));
        QCOMPARE(formula_in_words("a}\\"), std::string("a }"));
    }

    void a_long_formula_is_broken_over_lines_data() {
        QTest::addColumn<QString>("mechanism");
        for (const Mechanism& mechanism : mechanisms())
            QTest::newRow(mechanism.id.c_str()) << QString::fromStdString(mechanism.id);
    }
    void a_long_formula_is_broken_over_lines() {
        QFETCH(QString, mechanism);
        QFile file(QStringLiteral(":/headlight/formulas/%1.svg").arg(mechanism));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QSvgRenderer renderer(file.readAll());
        const auto pieces = formula_pieces(renderer);
        QVERIFY(!pieces.empty());
        QCOMPARE(formula_lines(pieces, 1e6).size(), std::size_t(1));
        // The narrowest panel. What has no gap to be broken at keeps its width, and has its line for itself;
        // it is never so long that its letters would be smaller than those of a footnote.
        for (const QRectF& line : formula_lines(pieces, 250 / 0.9)) {
            QVERIFY2(line.width() <= 400, qPrintable(QString::number(line.width())));
            const bool is_one_piece = std::ranges::any_of(
                pieces, [&](const FormulaPiece& piece) { return piece.ink.width() >= line.width(); });
            QVERIFY2(line.width() <= 250 / 0.9 || is_one_piece, qPrintable(QString::number(line.width())));
        }

        QWidget panel;
        auto* formula = new FormulaView;
        auto* layout = new QVBoxLayout(&panel);
        layout->addWidget(formula);
        layout->addStretch(1);
        formula->set_formula(mechanism.toStdString(), "weights");
        panel.resize(280, 600);
        panel.show();
        QTRY_COMPARE(formula->height(), formula->heightForWidth(formula->width()));
    }

    void the_formula_lights_the_stage() {
        FormulaView formula;
        formula.resize(600, 100);
        formula.set_formula("scaled_dot_product", "query");
        const QImage query = formula.grab().toImage();
        formula.set_formula("scaled_dot_product", "value");
        QVERIFY(query != formula.grab().toImage());
        QCOMPARE(formula.accessibleDescription(),
                 QStringLiteral("softmax ( Q K transposed over the square root of d sub k ) V"));
    }

    void what_the_formula_does_not_light_is_read_in_every_theme_data() {
        QTest::addColumn<int>("theme");
        for (const FigureTheme theme : window_themes())
            QTest::newRow(theme_row(theme).word) << int(theme);
    }
    void what_the_formula_does_not_light_is_read_in_every_theme() {
        QFETCH(int, theme);
        FormulaView formula;
        formula.setPalette(window_theme(FigureTheme(theme)).palette);
        formula.resize(600, 100);
        formula.set_formula("scaled_dot_product", "value");
        const double beside_lit = most_contrast_on_the_left(formula.grab().toImage());
        const double least = FigureTheme(theme) == FigureTheme::contrast ? 7 : 4.5;
        QVERIFY2(beside_lit >= least, qPrintable(QString::number(beside_lit)));
        formula.set_formula("scaled_dot_product", "tokens");  // it has no term for them
        const double plain = most_contrast_on_the_left(formula.grab().toImage());
        QVERIFY2(plain > 1.2 * beside_lit, qPrintable(QString::number(plain)));
    }
};

QTEST_MAIN(ViewsStagesTest)

}  // namespace headlight::views_stages_test

#include "views_stages_test.moc"
