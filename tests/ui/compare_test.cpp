// Comparing mechanisms in the window, with mouse and keys.

#include "core/attention/explain.h"
#include "core/workbench/comparison_edits.h"
#include "core/workbench/mechanism_edits.h"
#include "tests/ui/windowed_test.h"
#include "ui/models/comparison_model.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/compared_chip.h"
#include "ui/panels/view_tabs.h"
#include "ui/render/subscripts.h"
#include "ui/views/comparison_text.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/hover.h"
#include "ui/views/wrapped_label.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>

namespace headlight::compare_test {

namespace {

QString name_of(const char* id) { return QString::fromStdString(mechanism(id).name); }

Session comparing(std::vector<ComparedMechanism> compared) {
    Session session = small_session();
    session.compared = std::move(compared);
    session.view.view = ViewKind::compare;
    return session;
}

}  // namespace

class CompareTest : public WindowedTest {
    Q_OBJECT
private slots:
    void init() {
        WindowedTest::init();
        open_session(test_->document(), small_session());
    }

    void without_any_it_invites_and_one_click_adds() {
        test_->trigger("view_6");
        QVERIFY(test_->find("compare_empty")->isVisible());
        QVERIFY(test_->find<QLabel>("compare_invitation")->text().contains(name_of("scaled_dot_product")));
        const auto suggestions = comparison_suggestions(test_->session(), 3);
        QVERIFY(suggestions.size() >= 2);
        auto* button = test_->find<QPushButton>(("suggestion_" + suggestions.front().id).c_str());
        QVERIFY(button && button->isVisible());
        const auto bottom_of = [this](const QWidget* part) {
            return part->mapTo(&test_->window(), QPoint(0, part->height())).y();
        };
        const auto* reason = button->parentWidget()->findChild<WrappedLabel*>();
        const auto* next = test_->find<QPushButton>(("suggestion_" + suggestions[1].id).c_str());
        QVERIFY(reason);
        const auto before_reason = [&] { return bottom_of(reason) - reason->height() - bottom_of(button); };
        const auto before_next = [&] { return bottom_of(next) - next->height() - bottom_of(reason); };
        QTRY_VERIFY2(2 * before_reason() <= before_next(),
                     qPrintable(QStringLiteral("%1, %2").arg(before_reason()).arg(before_next())));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(test_->session().compared.size(), std::size_t(1));
        QVERIFY(!test_->find("compare_empty")->isVisible());
        QVERIFY(canvas()->isVisible());
        test_->trigger("edit_undo");
        QVERIFY(test_->session().compared.empty());
        QVERIFY(test_->find("compare_empty")->isVisible());
    }

    void a_key_opens_the_catalogue_from_any_view_and_the_search_adds() {
        test_->trigger("compare_mechanism");
        QCOMPARE(test_->session().view.view, ViewKind::compare);
        auto* search = test_->find("mechanism_search");
        QVERIFY(search && search->isVisible());
        QTest::keyClicks(search, QStringLiteral("causal"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(test_->session().compared.size(), std::size_t(1));
        QCOMPARE(test_->session().compared.front().mechanism, std::string("causal"));
        QCOMPARE(chips().size(), 2);
        QCOMPARE(canvas()->figure()->panels.size(), std::size_t(2));
        QCOMPARE(table()->model()->rowCount(), 2);
    }

    void the_picture_keeps_its_height_in_a_small_window() {
        Session session =
            comparing({{"dot", {}}, {"causal", {}}, {"additive", {}}, {"dot", {}}, {"dot", {}}});
        session.view.theme = FigureTheme::projector;
        session.figure.differences = true;
        open(session);
        test_->window().resize(1024, 520);
        auto* bar = test_->find<QScrollArea>("compare_bar_area");
        const auto* page =
            qobject_cast<QScrollArea*>(table()->parentWidget()->parentWidget()->parentWidget());
        QVERIFY(bar && page);
        QTRY_VERIFY(canvas()->height() >= page->viewport()->height());
        QTRY_VERIFY(canvas()->height() >= canvas()->minimumSizeHint().height());
        // Two lines of chips and switches, the switches always in sight.
        QTRY_VERIFY(bar->height() < 3 * chips().front()->height());
        for (const char* id : {"own_scales", "differences"})
            QTRY_VERIFY2(!test_->find(id)->visibleRegion().isEmpty(), id);
    }

    void names_are_whole_in_a_small_window() {
        Session session = comparing({{"dot", {}}, {"causal", {}}, {"additive", {}}});
        open(session);
        test_->window().resize(1024, 768);
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const QModelIndex name = table()->model()->index(row, 0);
            QTRY_VERIFY2(table()->sizeHintForIndex(name).width() <= table()->columnWidth(0),
                         qPrintable(name.data().toString()));
        }
        // A long one leaves numbers in sight.
        session.custom = CustomMechanism{std::string(200, 'x'), AttentionSpec()};
        open(session);
        QCOMPARE(table()->model()->index(0, 0).data().toString().size(), 200);
        QTRY_VERIFY(table()->columnViewportPosition(1) + table()->columnWidth(1) <
                    table()->viewport()->width());
        QCOMPARE(table()->textElideMode(), Qt::ElideMiddle);
    }

    void ones_own_can_be_compared() {
        AttentionSpec spec;
        spec.normalizer.type = NormalizerType::hard;
        Session own = small_session();
        own.custom = CustomMechanism{"Möwe", spec};
        open(own);
        test_->trigger("compose_mechanism");
        QTest::keyClick(test_->find("own_save"), Qt::Key_Space);
        QTRY_VERIFY(!test_->find("own_save")->isEnabled());
        open(small_session());
        test_->trigger("compare_mechanism");
        auto* search = test_->find("mechanism_search");
        QTest::keyClicks(search, QStringLiteral("mine"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(test_->session().compared.size(), std::size_t(1));
        QCOMPARE(test_->session().compared.front().custom->spec, spec);
        QCOMPARE(chips().last()->accessibleName(), QStringLiteral("Möwe"));
        QVERIFY(!test_->document().run()->comparison.back().refusal);
    }

    void six_are_the_most() {
        open(comparing({{"dot", {}}, {"dot", {}}, {"dot", {}}, {"dot", {}}, {"causal", {}}}));
        QVERIFY(!test_->find("add_compared")->isVisible());
        QVERIFY(test_->find("compare_full")->isVisible());
        test_->trigger("compare_mechanism");
        QVERIFY(!test_->find("mechanism_search"));
        QVERIFY(test_->message("notice").contains(QLatin1String("Remove one")));
        QCOMPARE(canvas()->figure()->panels.size(), std::size_t(6));
        QVERIFY(test_->document().run()->comparison.back().name == mechanism("causal").name);
    }

    void a_chip_whose_cross_is_clicked_twice_is_removed_once() {
        for (const int chip : {1, 2}) {
            open(comparing({{"dot", {}}, {"causal", {}}}));
            auto* cross = chips()[chip]->findChild<QToolButton*>(QStringLiteral("chip_remove"));
            QTest::mouseClick(cross, Qt::LeftButton);
            QTest::mouseClick(cross, Qt::LeftButton);
            QTRY_VERIFY(test_->session().compared.size() < 2);
            QTest::qWait(1);
            QCOMPARE(test_->session().compared.size(), std::size_t(1));
            QCOMPARE(test_->session().compared.front().mechanism, std::string(chip == 1 ? "causal" : "dot"));
        }
    }

    void a_chip_is_removed_with_its_cross_or_with_a_key() {
        open(comparing({{"dot", {}}, {"causal", {}}}));
        QTest::mouseClick(chips()[1]->findChild<QToolButton*>(QStringLiteral("chip_remove")), Qt::LeftButton);
        QTRY_COMPARE(test_->session().compared.size(), std::size_t(1));
        QCOMPARE(test_->session().compared.front().mechanism, std::string("causal"));
        QTRY_COMPARE(chips().size(), 2);
        QTest::keyClick(chips()[1]->focusProxy(), Qt::Key_Delete);
        QTRY_VERIFY(test_->session().compared.empty());
        test_->trigger("edit_undo");
        test_->trigger("edit_undo");
        QCOMPARE(test_->session().compared.size(), std::size_t(2));
    }

    void the_title_of_a_panel_asks_and_changes_nothing_by_itself() {
        open(comparing({{"causal", {}}}));
        const QPoint title = title_of(1);
        QTest::mouseMove(canvas(), title);
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, title);
        QCOMPARE(test_->session().mechanism, std::string("scaled_dot_product"));
        auto* make_mine = chips()[1]->findChild<QAction*>(QStringLiteral("make_main"));
        QVERIFY(QApplication::activePopupWidget() && make_mine);
        QApplication::activePopupWidget()->close();
        make_mine->trigger();
        QTRY_COMPARE(test_->session().mechanism, std::string("causal"));
        QCOMPARE(test_->session().mechanism, std::string("causal"));
        QCOMPARE(test_->session().compared.front().mechanism, std::string("scaled_dot_product"));
        QCOMPARE(canvas()->figure()->panels.front().title, mechanism("causal").name);
        // The title of the main one does nothing.
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, title_of(0));
        QCOMPARE(test_->session().mechanism, std::string("causal"));
        test_->trigger("edit_undo");
        QCOMPARE(test_->session().mechanism, std::string("scaled_dot_product"));
    }

    void a_cell_under_the_pointer_is_told_of_all() {
        open(comparing({{"causal", {}}}));
        const QPoint cell = canvas()->cell_rect(1, 2, 1).center().toPoint();
        QTest::mouseMove(canvas(), cell + QPoint(1, 1));
        QTest::mouseMove(canvas(), cell);
        const auto place = HoverState::of(test_->document()).place();
        QVERIFY(place);
        QCOMPARE(place->site, mechanism("causal").name);
        const QString sentence = canvas()->sentence(*place);
        QVERIFY2(sentence.startsWith(name_of("causal") + QStringLiteral(": “bank” looks at “river”")),
                 qPrintable(sentence));
        QVERIFY(sentence.contains(QLatin1Char('\n') + name_of("scaled_dot_product") + QStringLiteral(": ")));
    }

    void a_chosen_cell_is_chosen_in_all_and_explained_of_its_own() {
        open(comparing({{"causal", {}}}));
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->cell_rect(1, 2, 1).center().toPoint());
        QCOMPARE(test_->session().view.selection.site, mechanism("causal").name);
        for (const Panel& panel : canvas()->figure()->panels) {
            QCOMPARE(panel.selected_row, std::optional<Index>(2));
            QCOMPARE(panel.selected_column, std::optional<Index>(1));
        }
        auto* arithmetic = test_->find<QLabel>("inspector-arithmetic");
        QVERIFY(arithmetic && !arithmetic->text().isEmpty());
        const auto source = test_->document().run_at(mechanism("causal").name);
        QVERIFY(source.trace);
        const double score = source.trace->matrix(*source.trace->find("scores"), 0)[2 * 4 + 1];
        QVERIFY(arithmetic->text().contains(QString::fromStdString(format_number(score))));
        // The keyboard goes on in that map, and to the next mechanism.
        QTest::keyClick(canvas(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(test_->session().view.selection.key, Index(2));
        QTest::keyClick(canvas(), Qt::Key_N);
        QCOMPARE(test_->session().view.selection.site, std::string());
        QCOMPARE(test_->session().view.selection.key, Index(2));
    }

    void what_people_get_wrong_about_each_is_told_while_they_are_compared() {
        test_->document().reset(comparing({{"sparsemax", {}}, {"linear", {}}}));
        const auto* note = test_->find<QLabel>("compared_correction");
        QTRY_VERIFY(note->isVisible());
        QVERIFY2(note->text().contains(name_of("sparsemax")), qPrintable(note->text()));
        QVERIFY2(!note->text().contains(name_of("linear")), "a few lines, of the first one");
        auto* more = test_->find<QToolButton>("notes_more");
        QVERIFY(more->isVisible());
        more->setChecked(true);
        for (const char* id : {"sparsemax", "linear"})
            QVERIFY(note->text().contains(
                html_with_subscripts(QString::fromStdString(mechanism(id).correction).right(12))));
        more->setChecked(false);
        // The one whose map is selected comes first, and none stands beside another picture.
        ViewState view = test_->session().view;
        view.selection.site = mechanism("linear").name;
        test_->document().looking().look_at(view);
        QTRY_VERIFY(note->text().contains(name_of("linear")));
        view.view = ViewKind::heatmap;
        view.selection.site.clear();
        test_->document().looking().look_at(view);
        QTRY_VERIFY(!note->isVisible());
    }

    void one_mechanism_is_current_whatever_was_clicked_beside_it() {
        for (const char* view : {"view_1", "view_2", "view_3", "view_4", "view_5"}) {
            Session session = comparing({{"causal", {}}});
            session.view.selection.site = mechanism("causal").name;
            open(session);
            QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->cell_rect(1, 2, 1).center().toPoint());
            QCOMPARE(test_->session().view.selection.site, mechanism("causal").name);
            test_->trigger(view);
            QCOMPARE(test_->session().view.selection.site, std::string());
            QCOMPARE(test_->session().view.selection.query, Index(2));  // the same tokens, of one's own
            // All heads name their stage, too.
            QVERIFY(test_->document().figure()->title.starts_with(mechanism("scaled_dot_product").name));
        }
    }

    void what_is_edited_is_what_is_drawn() {
        open(comparing({{"causal", {}}}));
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->cell_rect(1, 2, 1).center().toPoint());
        Session masked = test_->session();
        masked.drawn_mask = std::make_shared<const MatrixMask>(MatrixMask{{{true, false, false, false},
                                                                           {true, true, false, false},
                                                                           {true, true, true, false},
                                                                           {true, true, true, true}}});
        test_->document().edit({"Use this mask", masked});
        test_->trigger("view_2");
        const auto figure = test_->document().figure();
        QCOMPARE(figure->title, mechanism("scaled_dot_product").name);
        QCOMPARE(figure->panels.front().values[3], 0.0);  // forbidden by the mask that was drawn
    }

    void another_ones_map_is_not_enlarged_into_a_view_of_the_current_one() {
        open(comparing({{"causal", {}}}));
        QTest::mouseClick(canvas(), Qt::LeftButton, {}, canvas()->cell_rect(1, 2, 1).center().toPoint());
        QTest::keyClick(canvas(), Qt::Key_Return);
        QCOMPARE(test_->session().view.view, ViewKind::compare);
        QCOMPARE(test_->session().view.selection.site, mechanism("causal").name);
    }

    void scales_and_differences_are_switches_of_the_session() {
        open(comparing({{"causal", {}}, {"dot", {}}}));
        QTest::mouseClick(test_->find<QToolButton>("own_scales"), Qt::LeftButton);
        QVERIFY(test_->session().figure.own_scales);
        QVERIFY(!(canvas()->figure()->panels[0].scale == canvas()->figure()->panels[1].scale));
        QTest::mouseClick(test_->find<QToolButton>("differences"), Qt::LeftButton);
        QCOMPARE(canvas()->figure()->panels.size(), std::size_t(6));
        // Columns of one mechanism stand exactly below one another, and the empty place is not hit.
        for (Index column : {1, 2}) {
            const QRectF above = canvas()->cell_rect(column, 0, 0),
                         below = canvas()->cell_rect(column + 3, 0, 0);
            QCOMPARE(above.left(), below.left());
            QVERIFY(below.top() > above.bottom());
        }
        QVERIFY(!canvas()->place_at(canvas()->cell_rect(3, 1, 1).center()));
        test_->trigger("edit_undo");
        test_->trigger("edit_undo");
        QVERIFY(!test_->session().figure.own_scales && !test_->session().figure.differences);
    }

    void one_that_cannot_run_says_why_and_the_others_are_shown() {
        open(comparing({{"cross", {}}, {"causal", {}}}));
        QCOMPARE(canvas()->figure()->panels.size(), std::size_t(2));
        QVERIFY(chips()[1]->is_refused());
        QVERIFY(table()->model()->index(1, 1).data().toString().contains(QLatin1String("two sequences")));
        QCOMPARE(table()->columnSpan(1, 1), table()->model()->columnCount() - 1);
        QVERIFY(test_->message("run_message").isEmpty());
    }

    void why_one_cannot_run_is_read_whole_in_a_small_window() {
        open(comparing({{"cross", {}}, {"causal", {}}}));
        test_->window().resize(1024, 768);
        const QString why = table()->model()->index(1, 1).data().toString();
        const auto needed = [&] {
            int width = 0;
            for (int column = 1; column < table()->model()->columnCount(); ++column)
                width += table()->columnWidth(column);
            return table()->fontMetrics().boundingRect(QRect(0, 0, width, 0), Qt::TextWordWrap, why).height();
        };
        QTRY_VERIFY2(table()->rowHeight(1) >= needed(), qPrintable(why));
        QVERIFY2(needed() > table()->fontMetrics().height(), "it has no room in one line");
        QCOMPARE(table()->rowHeight(2), table()->rowHeight(0));
        // The table is as high as its rows.
        QTRY_COMPARE(table()->verticalScrollBar()->maximum(), 0);
        QCOMPARE(table()->model()->index(1, 1).data(Qt::ToolTipRole).toString(), why);
    }

    void long_texts_are_compared_in_tiles_with_their_differences() {
        Session session = comparing({{"causal", {}}, {"sinkhorn", {}}});
        session.sequence.query_text = long_text(1'100);
        session.figure.differences = true;
        open_session(test_->document(), session);
        const auto run = [&] { return test_->document().run(); };
        QTRY_VERIFY(!test_->document().is_running() && run() && run()->plan->queries == 1'100);
        const auto panels = [&] {
            return canvas()->figure() ? canvas()->figure()->panels : std::vector<Panel>();
        };
        QTRY_COMPARE(panels().size(), std::size_t(3));
        QCOMPARE(panels()[2].title, std::string("Difference"));
        QVERIFY(canvas()->figure()->caption.find("furthest from 0") != std::string::npos);
        // Tiles arrive and are drawn: nothing is of one colour any more.
        const auto colours = [&] {
            const QImage picture = canvas()->grab().toImage();
            const QRect cells =
                canvas()->cell_rect(2, 0, 0).united(canvas()->cell_rect(2, 1'099, 1'099)).toAlignedRect();
            QSet<QRgb> seen;
            for (int y = cells.top(); y < cells.bottom(); y += 3)
                for (int x = cells.left(); x < cells.right(); x += 3)
                    seen.insert(picture.pixel(QPoint(x, y) * picture.devicePixelRatio()));
            return seen.size();
        };
        QTRY_VERIFY(colours() > 10);
        QVERIFY(chips()[2]->is_refused());
        QVERIFY(table()->model()->index(2, 1).data().toString().contains(QLatin1String("1100")));
    }

    void the_numbers_are_copied_with_all_their_digits() {
        open(comparing({{"causal", {}}}));
        table()->setFocus();
        table()->findChild<QAction*>(QStringLiteral("copy_table"))->trigger();
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[2].startsWith(name_of("causal") + QLatin1Char('\t')));
        test_->trigger("copy_numbers");
        QTRY_VERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String("mechanism,entropy (bits)")));
    }

    void the_table_is_a_model() {
        Document document;
        open_session(document, comparing({{"causal", {}}, {"cross", {}}}));
        ComparisonModel model(document);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, ComparisonModel::row_sum).data().toString(), QStringLiteral("1"));
        QVERIFY(model.index(0, ComparisonModel::entropy).data().toString().endsWith(QLatin1String(" bits")));
        QCOMPARE(model.index(0, ComparisonModel::map_bytes).data().toString(), QStringLiteral("64 B"));
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
        QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        open_session(document, small_session());
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(resets.count() >= 1);
    }

    void numbers_have_units() {
        QCOMPARE(bytes_text(64), QStringLiteral("64 B"));
        QCOMPARE(bytes_text(1536), QStringLiteral("1.50 KB"));
        QCOMPARE(bytes_text(100.0 * 1024 * 1024), QStringLiteral("100 MB"));
        QCOMPARE(count_text(12345), QStringLiteral("12.3 k"));
        QCOMPARE(count_text(999), QStringLiteral("999"));
    }

    void it_comes_back_with_its_session_and_its_exports() {
        open(comparing({{"causal", {}}}));
        const Session again = parse_session(write_session(test_->session()));
        QVERIFY(again == test_->session());
        const auto figure = exported(test_->document(), ViewKind::compare);
        QCOMPARE(figure->panels.size(), std::size_t(2));
        QVERIFY(parse_session(figure->session).compared == test_->session().compared);
        QCOMPARE(figure->table.names.size(), std::size_t(2));
    }

    void a_suggestion_leaves_what_is_current_as_it_is() {
        int equivalences = 0;
        for (const Mechanism& each : mechanisms()) {
            const Session own = small_session(each.id);
            for (const ComparisonSuggestion& suggestion : comparison_suggestions(own, 6)) {
                equivalences += suggestion.equivalence && !suggestion.equivalence->here.empty();
                Session beside = compare_suggested(own, suggestion).after;
                QCOMPARE(beside.compared.size(), std::size_t(1));
                QCOMPARE(beside.compared.front().mechanism, suggestion.id);
                beside.compared.clear();
                beside.view = own.view;
                QVERIFY2(beside == own, each.id.c_str());
            }
        }
        QVERIFY(equivalences > 5);
    }

    /// It changes nothing of the session's own mechanism, and so cannot promise what that would have to be.
    void a_suggestion_promises_the_same_numbers_only_without_a_condition() {
        for (const Mechanism& each : mechanisms())
            for (const ComparisonSuggestion& suggestion : comparison_suggestions(small_session(each.id), 6)) {
                if (!suggestion.equivalence)
                    continue;
                const bool has_condition =
                    !suggestion.equivalence->here.empty() || !suggestion.equivalence->parameters.empty();
                QVERIFY2(suggestion.reason.starts_with("The same numbers") != has_condition,
                         suggestion.reason.c_str());
            }
        const Session composed = build_own(small_session("scaled_dot_product"), "Mine").after;
        for (const ComparisonSuggestion& suggestion : comparison_suggestions(composed, 6))
            QVERIFY2(suggestion.reason.empty(), suggestion.reason.c_str());
        const auto learned = comparison_suggestions(small_session("self_attention"), 1);
        QCOMPARE(learned.front().id, std::string("scaled_dot_product"));
        QVERIFY2(learned.front().reason.starts_with("Can be the same numbers: without projections"),
                 learned.front().reason.c_str());
    }

    void an_equivalence_sets_the_knobs_of_both() {
        Equivalence equivalence{.id = "multi_head",
                                .here = {},
                                .there = {{"heads", Index(1)}},
                                .when = "there is one head",
                                .parameters = {{"W_o", "identity"}}};
        Session session = small_session();
        session.compared = {{"dot", {}}};
        const Session both = compare_equivalent(session, equivalence).after;
        QCOMPARE(both.view.view, ViewKind::compare);
        QCOMPARE(both.compared.size(), std::size_t(1));
        QCOMPARE(both.compared.front().values, equivalence.there);
        QVERIFY(both.edited.empty());
        const Tensor projection =
            session_inputs(both, compared_spec(both, both.compared.front())).parameters.at("W_o");
        QCOMPARE(projection(1, 1), 1.0);
        QCOMPARE(projection(1, 0), 0.0);
    }

    void what_an_equivalence_sets_goes_with_its_comparison() {
        Session edited = small_session("general");
        const Index width = edited.sequence.vectors.dimension;
        edited.edited["W_q"] = std::make_shared<const Tensor>(Tensor({width, width}, 0.25));
        open(edited);
        auto* button = test_->find<QPushButton>("equivalence_dot");
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(test_->document().run()->plan->parameter("W")(1, 0), 0.0);
        // Beside both, in a shape that fits it.
        open(compare_mechanism(test_->session(), mechanism("concat")).after);
        for (const ComparedRun& compared : test_->document().run()->comparison)
            QVERIFY2(!compared.refusal, compared.name.c_str());
        for (const char* id : {"concat", "general"}) {
            pick(id);
            QVERIFY(test_->session().equated.empty());
            QVERIFY(!test_->document().error());
        }
        QVERIFY(test_->document().run()->plan->parameter("W")(1, 0) != 0);
        QCOMPARE(test_->session().edited.size(), std::size_t(1));
    }

    void a_button_of_the_mechanism_shows_both() {
        const auto all = mechanisms();
        const auto found = std::find_if(all.begin(), all.end(), [](const Mechanism& each) {
            return !each.equivalences.empty() && !each.parameters.empty();
        });
        if (found == all.end())
            QSKIP("the catalogue declares no equivalence yet");
        open(small_session(found->id));
        auto* button = test_->find<QPushButton>(("equivalence_" + found->equivalences.front().id).c_str());
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(test_->session().view.view, ViewKind::compare);
        QCOMPARE(test_->session().compared.size(), std::size_t(1));
        QCOMPARE(test_->session().compared.front().mechanism, found->equivalences.front().id);
    }

private:
    void open(const Session& session) {
        open_session(test_->document(), session);
        QCoreApplication::processEvents();  // the view, new, is given its size
    }
    /// In the tree of mechanisms.
    void pick(const char* id) {
        test_->trigger("choose_mechanism");
        auto* search = test_->find<QLineEdit>("mechanism_search");
        QTest::keyClicks(search, QString::fromLatin1(id));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(test_->session().mechanism, std::string(id));
    }
    ComparePanel* panel() {
        return static_cast<ComparePanel*>(test_->window().views().view(ViewKind::compare));
    }
    FigureCanvas* canvas() { return panel()->canvas(); }
    QTableView* table() { return test_->find<QTableView>("comparison_table"); }
    /// In their order on the bar.
    QList<ComparedChip*> chips() {
        QList<ComparedChip*> visible;
        for (ComparedChip* chip : panel()->findChildren<ComparedChip*>())
            if (chip->isVisible())
                visible += chip;
        return visible;
    }
    /// A point on the title of a panel: a little below the top of its frame.
    QPoint title_of(Index panel_index) {
        QPoint point = canvas()->cell_rect(panel_index, 0, 0).topLeft().toPoint() + QPoint(8, 1);
        while (point.y() > 0 && canvas()->place_at(point - QPoint(0, 1)))
            point -= QPoint(0, 1);
        return point + QPoint(0, 5);
    }
};

QTEST_MAIN(CompareTest)

}  // namespace headlight::compare_test

#include "compare_test.moc"
