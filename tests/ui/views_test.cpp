#include "core/attention/explain.h"
#include "core/figure/theme_table.h"
#include "resources/resources.h"
#include "tests/ui/contrast.h"
#include "tests/ui/view_stand.h"
#include "ui/panels/theme.h"
#include "ui/render/subscripts.h"
#include "ui/views/arithmetic_line.h"
#include "ui/views/cell_text.h"
#include "ui/views/elided_label.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/formula_lines.h"
#include "ui/views/formula_view.h"
#include "ui/views/formula_words.h"
#include "ui/views/hover.h"
#include "ui/views/shown_figure.h"
#include "ui/views/stage_strip.h"

#include <QComboBox>
#include <QFile>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headlight::views_test {

using view_stand::HeadsView;
using view_stand::HeatmapView;
using view_stand::LinesView;
using view_stand::ProductsView;
using view_stand::StagesView;
using view_stand::Stand;
using view_stand::StepsView;

namespace {

/// What stands below the picture of who has put the inspector away, with the pointer at that place of a
/// panel.
QString line_at(Stand<StagesView>& stand, Index panel, Index row, Index column) {
    ArithmeticLine line(stand.document, stand.view.get());
    line.resize(9000, 30);  // room for every step
    line.set_wanted(true);
    stand.hover(stand.canvas().cell_rect(panel, row, column).center().toPoint());
    return line.isVisible() ? line.text() : QString();
}

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

QString line_within(const CellReport& report, qsizetype room) {
    return arithmetic_line(report, [room](const QString& line) { return line.size() <= room; });
}

QString shown(double value) { return QString::fromStdString(format_number(value)); }

}  // namespace

class ViewsTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { initialise_resources(); }
    void init() { fail_on_warnings(); }

    void hovering_a_stage_shows_its_arithmetic_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("stage");
        for (const QString mechanism : {"scaled_dot_product", "additive", "multi_head"})
            for (const QString stage : {"scores", "weights", "context"})
                QTest::newRow(qPrintable(mechanism + " " + stage)) << mechanism << stage;
    }
    void hovering_a_stage_shows_its_arithmetic() {
        QFETCH(QString, mechanism);
        QFETCH(QString, stage);
        Session session = small_session(mechanism.toStdString());
        session.view.selection.stage = stage.toStdString();
        Stand<StagesView> stand(session);
        const Index panel = stand.panel_of(stage.toStdString());
        QVERIFY(panel >= 0);
        const QString line = line_at(stand, panel, 2, 1);
        const auto& place = HoverState::of(stand.document).place();
        QVERIFY(place);
        QCOMPARE(place->stage, stage.toStdString());
        const Run& run = *stand.document.run();
        for (const ArithmeticStep& step : explain_cell(*run.plan, *run.trace, place->stage, 0, 2, 1)) {
            QVERIFY2(line.contains(shown(step.value)), qPrintable(line));
            QVERIFY(line.contains(QString::fromStdString(step.name)));
        }
    }

    void the_arithmetic_is_of_the_selected_cell_until_one_is_pointed_at() {
        Session session = small_session();
        session.view.selection.query = 2;
        session.view.selection.key = 1;
        Stand<HeatmapView> stand(session);
        const auto weights =
            stand.document.run()->trace->matrix(*stand.document.run()->trace->find("weights"), 0);
        ArithmeticLine line(stand.document, stand.view.get());
        line.resize(400, 30);
        QVERIFY(line.text().isEmpty());  // nobody wants it yet
        line.set_wanted(true);
        const auto ends_with = [&](std::size_t cell) {
            return line.text().endsWith(QStringLiteral("= ") + shown(weights[cell]));
        };
        QVERIFY2(ends_with(2 * 4 + 1), qPrintable(line.text()));
        stand.hover(stand.canvas().cell_rect(0, 3, 0).center().toPoint());
        QVERIFY2(ends_with(3 * 4), qPrintable(line.text()));
        // Narrow, it leaves out what comes first; what is asked of a class it does not tell, and leaves its
        // room to the picture.
        line.resize(200, 30);
        QVERIFY2(ends_with(3 * 4) && !line.text().contains(QLatin1String("score")), qPrintable(line.text()));
        line.withhold(true);
        QVERIFY(line.text().isEmpty() && !line.isVisible());
        line.withhold(false);
        QVERIFY(ends_with(3 * 4));
    }

    void one_sequence_on_both_sides_is_marked_as_both() {
        Session session = small_session();
        session.view.selection = Selection{"", "scores", 0, 3, 1, 0};
        const Stand<StagesView> stand(session);
        const auto& panels = stand.canvas().figure()->panels;
        const auto operand =
            std::find_if(panels.begin(), panels.end(), [](const Panel& panel) { return panel.transposed; });
        QVERIFY(operand != panels.end());
        QCOMPARE(operand->stage, std::string("tokens"));
        QCOMPARE(operand->selected_column, std::optional<Index>(1));
        QVERIFY(!operand->selected_row);
        const auto index = operand - panels.begin();
        const auto queries = std::find_if(panels.begin(), panels.end(), [](const Panel& panel) {
            return panel.stage == "tokens" && !panel.transposed;
        });
        QCOMPARE(queries->selected_row, std::optional<Index>(3));
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {},
                          stand.canvas().cell_rect(index, 2, 0).center().toPoint());
        QCOMPARE(stand.selection().key, Index(2));
        QCOMPARE(stand.selection().query, Index(3));
    }

    void the_energy_is_of_a_pair() {
        Session session = small_session("additive");
        session.view.selection = Selection{"", "energy", 0, 3, 1, 2};
        Stand<StagesView> stand(session);
        const Run& run = *stand.document.run();
        const auto place = stand.canvas().current_place();
        QVERIFY(place);
        const Stage& energy = *run.trace->find("energy");
        const double value =
            run.trace->values(energy)[static_cast<std::size_t>((3 * 4 + 1) * energy.shape.back() + 2)];
        QCOMPARE(stand.canvas().sentence(*place),
                 QStringLiteral("Energy of “flooded” and “river”, hidden unit 3: %1").arg(shown(value)));
        QVERIFY(line_at(stand, stand.panel_of("energy"), 1, 2).contains(shown(value)));
    }

    void arithmetic_that_does_not_fit_is_that_of_the_last_step() {
        CellReport report;
        report.row_label = "it";
        report.column_label = "animal";
        for (const char* name : {"score", "scaled score", "exponential", "weight"})
            report.steps.push_back({name, name, "x", 1, "1"});
        const QString whole = line_within(report, 1000);
        QCOMPARE(whole,
                 QStringLiteral("“it” → “animal”:  score = x = 1;  scaled score = x = 1;  exponential = "
                                "x = 1;  weight = x = 1"));
        QCOMPARE(line_within(report, whole.size() - 1), QStringLiteral("“it” → “animal”:  weight = x = 1"));
        QCOMPARE(line_within(report, 1), QStringLiteral("weight = 1"));
    }

    void a_step_that_does_not_fit_leaves_out_terms_of_its_middle_data() {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<int>("room");
        QTest::addColumn<QString>("line");
        const QString output =
            QStringLiteral("concatenation W_o + b_o = 1 × 2 + 3 × 4 + [93 more: 5] + 6 × 7 + 8");
        QTest::newRow("whole")
            << output << 200
            << "output = concatenation Wₒ + bₒ = 1 × 2 + 3 × 4 + [93 more: 5] + 6 × 7 + 8 = 9";
        QTest::newRow("fewer terms") << output << 70
                                     << "output = concatenation Wₒ + bₒ = 1 × 2 + 3 × 4 + … + 6 × 7 + 8 = 9";
        QTest::newRow("first and last term")
            << output << 52 << "output = concatenation Wₒ + bₒ = 1 × 2 + … + 8 = 9";
        QTest::newRow("without symbols") << output << 45 << "output = 1 × 2 + 3 × 4 + … + 6 × 7 + 8 = 9";
        QTest::newRow("no term") << output << 15 << "output = … = 9";
        QTest::newRow("brackets stay whole")
            << "exp(1 − 2) / (3 + 4 + [3 more: 5] + 6)" << 40 << "output = exp(1 − 2) / (3 + … + 6) = 9";
        QTest::newRow("no subscript q") << "x W_q = 1 × 2" << 200 << "output = x W_q = 1 × 2 = 9";
        QTest::newRow("a token") << "“a_1”, drawn with probability 0.3" << 200
                                 << "output = “a_1”, drawn with probability 0.3 = 9";
    }
    void a_step_that_does_not_fit_leaves_out_terms_of_its_middle() {
        QFETCH(QString, expression);
        QFETCH(int, room);
        QFETCH(QString, line);
        CellReport report;
        report.steps.push_back({"output", "output", expression.toStdString(), 9, "9"});
        QCOMPARE(line_within(report, room), line);
    }

    void subscripts_are_lowered_in_texts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("html");
        const auto row = [](const char* name, const char* text, const char* html) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(html);
        };
        row("several", "c_i = α_i1 h_1", "c<sub>i</sub> = α<sub>i1</sub> h<sub>1</sub>");
        row("a root", "1/√d_k", "1/√d<sub>k</sub>");
        row("transposed", "W_q W_kᵀ < 1", "W<sub>q</sub> W<sub>k</sub>ᵀ &lt; 1");
        row("names", "top_k, W_shared_key, W_lower, _k, W_", "top_k, W_shared_key, W_lower, _k, W_");
        row("a token", "“a_1” and a_1", "“a_1” and a<sub>1</sub>");
    }
    void subscripts_are_lowered_in_texts() {
        QFETCH(QString, text);
        QFETCH(QString, html);
        QCOMPARE(html_with_subscripts(text), html);
        QTextDocument document;
        document.setPlainText(text);
        lower_subscripts(document);
        QCOMPARE(document.toPlainText(), QTextDocumentFragment::fromHtml(html).toPlainText());
    }

    void subscripts_are_lowered_in_html() {
        const auto lowered = [](const char* html) { return lowered_in_html(QString::fromUtf8(html)); };
        QCOMPARE(lowered("<p id=\"a_1\">of <em>W_q</em> x, <code>W_q</code></p>"),
                 QStringLiteral("<p id=\"a_1\">of <em>W<sub>q</sub></em> x, <code>W_q</code></p>"));
        QCOMPARE(lowered("<pre><code>a_1\nb_2</code></pre><p>a_1 &lt; b_2</p>"),
                 QStringLiteral("<pre><code>a_1\nb_2</code></pre><p>a<sub>1</sub> &lt; b<sub>2</sub></p>"));
        // A quotation is one of one paragraph.
        QCOMPARE(lowered("<p>“<b>a_1</b>” a_1, “a_1</p><p>a_1”</p>"),
                 QStringLiteral("<p>“<b>a_1</b>” a<sub>1</sub>, “a<sub>1</sub></p><p>a<sub>1</sub>”</p>"));
    }

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
        StageStrip strip;
        strip.set_stages({{"query", "Query"}, {"weights", "Weights"}});
        strip.set_current("weights");
        strip.resize(900, strip.sizeHint().height());
        strip.show();
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

    void hovered_operands_are_linked() {
        Session session = small_session();
        session.view.selection.stage = "scores";
        const Stand<StagesView> stand(session);
        const auto& panels = stand.canvas().figure()->panels;
        // Whatever way round an operand lies, its cells are those of its stage.
        for (std::size_t i = 0; i < panels.size(); ++i) {
            const auto place =
                stand.canvas().place_at(stand.canvas().cell_rect(static_cast<Index>(i), 3, 1).center());
            QVERIFY(place);
            QCOMPARE(*place->row, Index(3));
            QCOMPARE(*place->column, Index(1));
        }
    }

    void heads_are_dealt_as_the_window_has_room() {
        const Stand<HeadsView> stand(small_session("multi_head"));
        Figure figure = *stand.canvas().figure();
        figure.panels.resize(4);
        figure.columns = 2;
        const auto rows_in = [&figure](const QRectF& area) {
            const ShownFigure shown(figure, Zoom(), area, 96 / 72.0);
            std::set<double> tops;
            for (Index i = 0; i < shown.panel_count(); ++i)
                tops.insert(shown.panel_layout(i).cells.top());
            return tops.size();
        };
        QCOMPARE(rows_in({0, 0, 1000, 260}), std::size_t(1));
        QCOMPARE(rows_in({0, 0, 700, 640}), std::size_t(2));
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

    void behind_the_heads_all_of_them_are_offered_as_one_map() {
        const Stand<HeatmapView> stand(small_session("multi_head"));
        auto* heads = stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"));
        QCOMPARE(heads->itemText(8), QStringLiteral("Mean of 8 heads"));
        emit heads->activated(9);
        QCOMPARE(heads->currentText(), QStringLiteral("Largest of 8 heads"));
        QCOMPARE(stand.canvas().figure()->panels[0].title, std::string("Weights, largest of 8 heads"));
        emit heads->activated(2);
        QCOMPARE(heads->currentText(), QStringLiteral("Head 3 of 8"));
        QCOMPARE(stand.canvas().figure()->panels[0].title, std::string("Weights, head 3 of 8"));
        // The arithmetic of a head is that of one.
        const Stand<StagesView> stages(small_session("multi_head"));
        QCOMPARE(stages.view->findChild<QComboBox*>(QStringLiteral("head-choice"))->count(), 8);
    }

    void one_head_needs_no_choice() {
        const Stand<HeatmapView> stand(small_session());
        QVERIFY(!stand.view->findChild<QComboBox*>(QStringLiteral("head-choice"))->isVisible());
    }

    void all_heads_share_a_scale_and_a_click_enlarges_one() {
        const Stand<HeadsView> stand(small_session("multi_head"));
        const Figure& figure = *stand.canvas().figure();
        QCOMPARE(static_cast<Index>(figure.panels.size()), stand.document.run()->plan->heads);
        for (const Panel& panel : figure.panels)
            QCOMPARE(panel.scale, figure.panels[0].scale);
        QTest::mouseClick(&stand.canvas(), Qt::LeftButton, {},
                          stand.canvas().cell_rect(2, 1, 3).center().toPoint());
        QCOMPARE(stand.document.session().view.view, ViewKind::heatmap);
        QCOMPARE(stand.selection(), (Selection{"", "weights", 2, 1, 3, 0}));
    }

    void a_hovered_cell_is_marked_in_every_head() {
        const Stand<HeadsView> stand(small_session("multi_head"));
        const QImage before = stand.canvas().grab().toImage();
        stand.hover(stand.canvas().cell_rect(0, 1, 2).center().toPoint());
        const QImage after = stand.canvas().grab().toImage();
        for (Index head = 0; head < stand.document.run()->plan->heads; ++head) {
            const QPoint edge = stand.canvas().cell_rect(head, 1, 2).topLeft().toPoint() + QPoint(4, 0);
            QVERIFY2(before.pixel(edge) != after.pixel(edge), qPrintable(QString::number(head)));
        }
    }

    void rows_arrive_one_by_one() {
        Session session = small_session("causal");
        const Stand<StepsView> stand(session);
        for (Index step = 0; step < 4; ++step) {
            ViewState settings = with_view(stand.document, ViewKind::steps);
            settings.decoding_step = step;
            const_cast<Document&>(stand.document).looking().look_at(settings);
            const Panel& panel = stand.canvas().figure()->panels[0];
            QCOMPARE(*panel.newest_row, step);
            QVERIFY(!panel.forbidden.empty());
        }
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
        every_view_paints_in_every_theme_data();
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

    void every_view_paints_in_every_theme_data() {
        QTest::addColumn<int>("theme");
        for (const FigureTheme theme : window_themes())
            QTest::newRow(theme_row(theme).word) << int(theme);
    }
    void every_view_paints_in_every_theme() {
        QFETCH(int, theme);
        Session session = small_session("multi_head");
        session.view.theme = FigureTheme(theme);
        const Stand<HeatmapView> heatmap(session);
        const Stand<HeadsView> heads(session);
        const Stand<StepsView> steps(session);
        const Stand<LinesView> lines(session);
        const Stand<StagesView> stages(session);
        for (const QWidget* view :
             std::initializer_list<const QWidget*>{heatmap.view.get(), heads.view.get(), steps.view.get(),
                                                   lines.view.get(), stages.view.get()}) {
            const QImage image = const_cast<QWidget*>(view)->grab().toImage();
            QVERIFY(image.size().width() >= 1000);
            const QColor paper = image.pixelColor(image.width() / 2, image.height() - 150);
            QVERIFY(paper.isValid());
        }
    }
};

QTEST_MAIN(ViewsTest)

}  // namespace headlight::views_test

#include "views_test.moc"
