// "Build your own", as a person does it.

#include "core/figure/theme_table.h"
#include "core/workbench/spec_axes.h"
#include "tests/ui/window_support.h"
#include "ui/models/spec_formula.h"
#include "ui/panels/mechanism_popup.h"
#include "ui/panels/number_control.h"
#include "ui/panels/word_combo.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QStyleHints>
#include <QToolTip>
#include <QTreeView>

namespace headlight::composer_test {

class ComposerTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void a_composition_has_a_formula() {
        AttentionSpec spec;
        spec.score.type = ScoreType::scaled_dot;
        spec.position.type = PositionType::alibi;
        spec.normalizer.type = NormalizerType::sparsemax;
        const QStringList lines = spec_formula(spec);
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].startsWith(QStringLiteral("Score: q · k")), qPrintable(lines[0]));
        QCOMPARE(lines[1], QStringLiteral("Position: s − m_h (i − j)"));
        QCOMPARE(lines[2], QStringLiteral("Normaliser: max(0, s − τ)"));
        // An algorithm is all of its equations, and talks of no part in whose place it stands.
        spec = {};
        spec.algorithm.type = AlgorithmType::gated_delta;
        QCOMPARE(spec_formula(spec),
                 QStringList(QStringLiteral("Algorithm: S ← α S, then S ← S + β k (v − Sᵀ k)ᵀ with α = "
                                            "exp(−exp(A_log) softplus(y W_dt + b_dt)) for each head")));
        // Every word has one that is no sentence.
        for (const SpecAxis& axis : spec_axes())
            for (const AxisWord& each : axis.words) {
                AttentionSpec chosen;
                axis.choose(chosen, each.word);
                const int most = axis.id == "algorithm" ? 240 : 120;
                for (const QString& line : spec_formula(chosen))
                    QVERIFY2(line.size() < most && !line.contains(QLatin1String(" et al")), qPrintable(line));
            }
    }

    void who_composes_has_the_height_of_the_column() {
        WindowUnderTest test;
        const int before = test.find("mechanism_dock")->height();
        test.trigger("compose_mechanism");
        QTRY_VERIFY(test.find("mechanism_dock")->height() > 1.2 * before);
        QVERIFY(test.find("own_formula")->isVisible());
    }

    void parts_that_add_nothing_take_one_line() {
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        test.trigger("compose_mechanism");
        for (const char* id : {"position", "selection", "sharing", "gate", "algorithm"}) {
            const QWidget* meaning =
                test.find(qPrintable(QStringLiteral("compose_%1_meaning").arg(QLatin1String(id))));
            QVERIFY2(!meaning->isVisible(), id);
        }
        const QWidget* meaning = test.find("compose_position_meaning");
        emit test.find<WordCombo>("compose_position")->chosen("alibi");
        QTRY_VERIFY(meaning->isVisible());
        test.trigger("edit_undo");
        QTRY_VERIFY(!meaning->isVisible());
    }

    void parts_that_an_algorithm_does_without_have_no_row() {
        WindowUnderTest test;
        test.document().reset(small_session("gated_delta"));
        test.trigger("compose_mechanism");
        const auto has_row = [&](const char* id) { return test.find(id)->isVisible(); };
        QTRY_VERIFY(has_row("compose_algorithm"));
        for (const char* id : {"compose_score", "compose_selection", "compose_normalizer"})
            QVERIFY2(!has_row(id), id);
        // One that has no place there is seen, with what is wrong.
        Session session = test.session();
        session.custom->spec.score.type = ScoreType::additive;
        test.document().edit({"Another score", session});
        QTRY_VERIFY(test.document().error());
        QVERIFY(has_row("compose_score"));
        emit test.find<WordCombo>("compose_score")->chosen("scaled_dot");
        emit test.find<WordCombo>("compose_algorithm")->chosen("composed");
        QTRY_VERIFY(!test.document().error());
        QVERIFY(has_row("compose_score") && has_row("compose_normalizer"));
    }

    void undo_shows_the_mechanism_from_its_beginning() {
        WindowUnderTest test;
        test.window().resize(1280, 720);
        test.document().reset(small_session("scaled_dot_product"));
        test.trigger("compose_mechanism");
        QWidget* around = test.find("own_name");
        QTRY_VERIFY(around->hasFocus());
        while (!qobject_cast<QScrollArea*>(around))
            around = around->parentWidget();
        const QScrollBar* place = static_cast<QScrollArea*>(around)->verticalScrollBar();
        test.trigger("edit_undo");
        QVERIFY(!test.session().custom);
        QTest::qWait(1);
        QCOMPARE(place->value(), 0);
        QVERIFY(place->maximum() > 0);
    }

    void a_greyed_word_that_is_typed_says_why() {
        WordCombo combo;
        combo.set_words({{"single", "one"}, {"multi", "many"}, {"multi_query", "many over one"}});
        combo.show_impossible({{"multi", "It does not divide."}});
        combo.show_word("single");
        QStringList refused;
        connect(&combo, &WordCombo::refused, this, [&](const QString& reason) { refused << reason; });
        QTest::keyClicks(&combo, QStringLiteral("multi"));  // another one can be chosen
        QVERIFY(refused.isEmpty());
        combo.show_impossible({{"multi", "It does not divide."}, {"multi_query", "It neither."}});
        combo.show_word("single");
        QTest::qWait(QGuiApplication::styleHints()->keyboardInputInterval() + 50);
        QTest::keyClicks(&combo, QStringLiteral("mu"));
        QVERIFY(!refused.isEmpty());
        QCOMPARE(refused.last(), QStringLiteral("multi: It does not divide."));
        QCOMPARE(combo.currentIndex(), 0);
    }

    void the_list_says_what_its_words_mean() {
        const QString meaning = QStringLiteral("heads that share the keys of one");
        WordCombo combo;
        combo.set_words({{"single", "one"}, {"multi_query", meaning.toStdString()}});
        combo.show();
        combo.showPopup();
        QVERIFY(combo.view()->sizeHintForColumn(0) >
                combo.fontMetrics().horizontalAdvance(QStringLiteral("multi query") + meaning));
        QVERIFY(combo.view()->width() > combo.width());
        QCOMPARE(combo.itemText(1), QStringLiteral("multi query"));
        combo.hidePopup();
    }

    void a_long_list_is_searched() {
        WordCombo combo;
        combo.setObjectName(QStringLiteral("words"));
        std::vector<AxisWord> words;
        for (int number = 1; number <= 20; ++number)
            words.push_back({"word_" + std::to_string(number), "the meaning of " + std::to_string(number)});
        words.push_back({"multi_head", "many at once"});
        combo.set_words(words);
        combo.show_word("word_1");
        combo.show();
        QStringList chosen;
        connect(&combo, &WordCombo::chosen, this,
                [&](const std::string& word) { chosen << QString::fromStdString(word); });
        const auto search = [&](const QString& text) {
            QTest::keyClick(&combo, text.front().toLatin1());
            auto* line = combo.findChild<QLineEdit*>(QStringLiteral("words_search"));
            QTest::keyClicks(line, text.mid(1));
            QTest::keyClick(line, Qt::Key_Return);
            return line;
        };
        search(QStringLiteral("multi h"));  // as it is written
        search(QStringLiteral("meaning of 17"));
        QCOMPARE(chosen, (QStringList{QStringLiteral("multi_head"), QStringLiteral("word_17")}));
        // What cannot stand here is shown with its reason, and Return chooses nothing in its place.
        combo.show_impossible({{"multi_head", "It does not divide."}});
        QStringList refused;
        connect(&combo, &WordCombo::refused, this, [&](const QString& reason) { refused << reason; });
        const QLineEdit* line = search(QStringLiteral("multi"));
        QVERIFY(line->isVisible());
        const auto* rows = combo.findChild<QTreeView*>(QStringLiteral("words_rows"));
        QCOMPARE(rows->model()->rowCount(), 1);
        QVERIFY(rows->model()
                    ->index(0, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .startsWith(QLatin1String("It does not divide.")));
        QCOMPARE(chosen.size(), qsizetype(2));
        QCOMPARE(refused, QStringList(QStringLiteral("multi head: It does not divide.")));
        QVERIFY(QToolTip::text().startsWith(QLatin1String("It does not divide.")));
        QToolTip::hideText();
    }

    // The window

    void what_nobody_reads_is_not_asked_for() {
        WindowUnderTest test;
        test.document().reset(small_session("rope"));
        test.trigger("compose_mechanism");
        const auto is_asked = [&](const char* name) {
            const auto* control =
                test.window().findChild<QWidget*>(QStringLiteral("compose_position_") + QLatin1String(name));
            return control && control->isVisible();
        };
        QTRY_VERIFY(is_asked("scaling"));
        for (const char* name : {"factor", "original_length", "yarn_ramp", "pair_factors"})
            QVERIFY2(!is_asked(name), name);
        auto* scaling = test.find<QComboBox>("compose_position_scaling");
        scaling->setCurrentIndex(scaling->findData(QStringLiteral("yarn")));
        emit scaling->activated(scaling->currentIndex());
        QTRY_VERIFY(is_asked("factor"));
        QVERIFY(is_asked("original_length") && is_asked("yarn_ramp") && !is_asked("pair_factors"));
    }

    void a_mechanism_becomes_ones_own_with_the_same_picture() {
        WindowUnderTest test;
        test.document().reset(small_session("causal"));
        const AttentionSpec before = test.document().run()->plan->spec;
        QTest::mouseClick(test.find("build_your_own"), Qt::LeftButton);
        QVERIFY(test.session().custom.has_value());
        QCOMPARE(test.session().custom->name, mechanism("causal").name + " of mine");
        QCOMPARE(test.document().run()->plan->spec, before);
        QVERIFY(test.find("own_name")->isVisible());
        const auto* name = test.find<QLineEdit>("own_name");  // a long one is seen from its beginning
        QCOMPARE(name->selectedText(), name->text());
        QCOMPARE(name->cursorPosition(), 0);
        QVERIFY(!test.find("formula")->isVisible());
        QCOMPARE(test.find<WordCombo>("compose_mask_0")->currentText(), QStringLiteral("causal"));
        test.trigger("edit_undo");
        QVERIFY(!test.session().custom);
        QVERIFY(test.find("formula")->isVisible());
    }

    void parts_are_made_for_who_composes_and_tab_comes_to_them_in_order() {
        WindowUnderTest test;
        QVERIFY(!test.window().findChild<QWidget*>(QStringLiteral("compose_score")));
        test.trigger("compose_mechanism");
        QStringList stops;
        const QWidget* name = test.find("own_name");
        for (const QWidget* next = name->nextInFocusChain(); next != name; next = next->nextInFocusChain())
            if (next->focusPolicy() & Qt::TabFocus)
                stops << next->objectName();
        qsizetype before = -1;
        for (const char* id :
             {"own_leave", "own_formula_text", "compose_source", "compose_projections", "compose_position",
              "compose_mask_0", "compose_selection", "compose_algorithm", "edit_mask"}) {
            const qsizetype at = stops.indexOf(QLatin1String(id));
            QVERIFY2(at > before, qPrintable(stops.join(QChar(u' '))));
            before = at;
        }
    }

    void tab_goes_through_settings_that_a_word_brings() {
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        test.trigger("compose_mechanism");
        emit test.find<WordCombo>("compose_heads")->chosen("multi");
        emit test.find<WordCombo>("compose_mask_0")->chosen("strided");
        QStringList stops;
        const QWidget* name = test.find("own_name");
        for (const QWidget* next = name->nextInFocusChain(); next != name; next = next->nextInFocusChain())
            if (next->focusPolicy() & Qt::TabFocus)
                stops << next->objectName();
        const auto begins = [&](const QString& id, qsizetype from) {
            for (qsizetype at = from; at < stops.size(); ++at)
                if (stops[at].startsWith(id))
                    return at;
            return qsizetype(-1);
        };
        for (const auto& [word, setting, after] :
             {std::tuple("compose_heads", "compose_heads_heads", "compose_sharing"),
              std::tuple("compose_mask_0", "compose_mask_0_", "compose_mask_1")}) {
            const qsizetype from = stops.indexOf(QLatin1String(word));
            const qsizetype at = begins(QLatin1String(setting), from + 1);
            QVERIFY2(from >= 0 && at > from && at < begins(QLatin1String(after), from + 1),
                     qPrintable(stops.join(QChar(u' '))));
        }
    }

    void every_axis_is_chosen_with_the_keys_and_can_be_undone() {
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        test.trigger("compose_mechanism");
        // One letter after the other goes to a list of few words, and to the search line of a list of many.
        const auto type = [&](WordCombo* words, const QString& text) {
            words->setFocus();
            QTest::keyClick(words, text.front().toLatin1());
            auto* search = words->findChild<QLineEdit*>(words->objectName() + QStringLiteral("_search"));
            QTest::keyClicks(search ? static_cast<QWidget*>(search) : words, text.mid(1));
            if (search)
                QTest::keyClick(search, Qt::Key_Return);
        };
        auto* score = test.find<WordCombo>("compose_score");
        type(score, QStringLiteral("additive"));
        QCOMPARE(test.document().run()->plan->spec.score.type, ScoreType::additive);
        QTRY_VERIFY(test.find("compose_score_activation")->isVisible());
        auto* heads = test.find<WordCombo>("compose_heads");
        type(heads, QStringLiteral("multi"));
        auto* count = test.find<QDoubleSpinBox>("compose_heads_heads");
        count->setValue(4);
        QCOMPARE(test.document().run()->plan->heads, Index(4));
        auto* normalizer = test.find<WordCombo>("compose_normalizer");
        type(normalizer, QStringLiteral("hard"));
        QCOMPARE(test.document().run()->plan->spec.normalizer.type, NormalizerType::hard);
        while (test.document().history()->canUndo())
            test.trigger("edit_undo");
        QVERIFY(!test.session().custom);
    }

    void masks_are_composed() {
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        test.trigger("compose_mechanism");
        const auto choose = [&](const char* id, const char* word) {
            auto* combo = test.find<WordCombo>(id);
            emit combo->chosen(word);
        };
        choose("compose_mask_0", "causal");
        QVERIFY(test.find("compose_mask_1")->isVisible());
        QVERIFY(!test.find("compose_mask_2")->isVisible());
        choose("compose_mask_1", "window");
        test.find<QCheckBox>("compose_mask_1_not")->click();
        const auto* all = std::get_if<AllOf>(&test.session().custom->spec.mask.rule);
        QVERIFY(all && all->masks.size() == 2);
        QVERIFY(std::holds_alternative<Not>(all->masks[1].rule));
        auto* combination = test.find<QComboBox>("compose_mask_combination");
        combination->setFocus();
        QTest::keyClick(combination, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(std::holds_alternative<AnyOf>(test.session().custom->spec.mask.rule));
        choose("compose_mask_0", "none");
        QVERIFY(std::holds_alternative<Not>(test.session().custom->spec.mask.rule));
    }

    void what_cannot_run_is_said_beside_its_axis_and_the_picture_stays() {
        WindowUnderTest test;
        Session session = small_session("scaled_dot_product");
        session.sequence.vectors.dimension = 9;
        test.document().reset(session);
        test.trigger("compose_mechanism");
        QTRY_VERIFY(test.document().run());
        emit test.find<WordCombo>("compose_heads")->chosen("multi");
        QCOMPARE(session_spec(test.session()).heads.heads, Index(3));  // of 9 features
        QTRY_VERIFY(test.document().run()->plan->heads == 3 && !test.document().error());
        const auto run = test.document().run();
        Session eight = test.session();
        eight.custom->spec.heads.heads = 8;
        test.document().edit({"Eight", eight});
        QTRY_VERIFY(test.document().error());
        QCOMPARE(test.document().run(), run);
        auto* problem = test.find<QLabel>("compose_heads_problem");
        QVERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains(QLatin1String("8 heads")), qPrintable(problem->text()));
        QVERIFY(!test.find("compose_score_problem")->isVisible());
        test.trigger("edit_undo");
        QTRY_VERIFY(!problem->isVisible());
        // Tried in the background, a word is greyed and says why.
        session.sequence.vectors.dimension = 67;
        test.document().reset(session);
        test.trigger("compose_mechanism");
        auto* heads = test.find<WordCombo>("compose_heads");
        const int multi = heads->findData(QStringLiteral("multi"));
        QTRY_VERIFY(!heads->model()->flags(heads->model()->index(multi, 0)).testFlag(Qt::ItemIsEnabled));
        QVERIFY(heads->itemData(multi, Qt::ToolTipRole).toString().contains(QLatin1String("divide")));
    }

    void it_is_named_saved_and_found_in_the_list() {
        WindowUnderTest test;
        test.document().reset(small_session("causal"));
        test.trigger("compose_mechanism");
        type_over(test.find("own_name"), QStringLiteral("Only the past"));
        QCOMPARE(test.session().custom->name, std::string("Only the past"));
        QTest::keyClick(test.find("own_save"), Qt::Key_Space);
        QTRY_VERIFY(!test.find("own_save")->isEnabled());
        const AttentionSpec kept = session_spec(test.session());
        test.find<QPushButton>("own_leave")->click();
        QVERIFY(!test.session().custom);
        test.trigger("choose_mechanism");
        QTest::keyClicks(test.find("mechanism_search"), QStringLiteral("mine"));
        QTest::keyClick(test.find("mechanism_search"), Qt::Key_Return);
        QVERIFY(test.session().custom.has_value());
        QCOMPARE(session_spec(test.session()), kept);
        // It is still there in the next window.
        test.close();
        test.start();
        QCOMPARE(test.session().custom->name, std::string("Only the past"));
        QTRY_VERIFY(!test.find("own_save")->isEnabled());
    }

    void it_is_shared_as_text_and_as_a_file() {
        WindowUnderTest test;
        test.document().reset(small_session("causal"));
        test.trigger("compose_mechanism");
        test.trigger("own_copy");
        const CustomMechanism copied = parse_mechanism(QGuiApplication::clipboard()->text().toStdString());
        QCOMPARE(copied.spec, session_spec(test.session()));
        const QString file = test.file(QStringLiteral("mine.json"));
        test.window().files().save_mechanism_to(file, {"Shared", copied.spec});
        QTRY_VERIFY(QFile::exists(file));
        test.document().reset(small_session("dot"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&test.window(), &enter);
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&test.window(), &drop);
        QTRY_VERIFY(test.session().custom.has_value());
        QCOMPARE(test.session().custom->name, std::string("Shared"));
        QCOMPARE(session_spec(test.session()), copied.spec);
        test.trigger("edit_undo");
        QVERIFY(!test.session().custom);
    }

    void nothing_of_the_composer_is_cut_off_data() {
        QTest::addColumn<int>("theme");
        for (const FigureTheme theme : window_themes())
            QTest::newRow(theme_row(theme).word) << int(theme);
    }
    void nothing_of_the_composer_is_cut_off() {
        QFETCH(int, theme);
        WindowUnderTest test;
        Session session = small_session("scaled_dot_product");
        session.view.theme = static_cast<FigureTheme>(theme);
        test.document().reset(session);
        test.trigger("compose_mechanism");
        emit test.find<WordCombo>("compose_heads")->chosen("grouped_query");
        emit test.find<WordCombo>("compose_mask_0")->chosen("strided");
        emit test.find<WordCombo>("compose_score")->chosen("additive");
        QTest::qWait(50);
        QVERIFY(test.window().width() <= 1280 && test.window().height() <= 800);
        for (const QWidget* widget : test.window().findChildren<QWidget*>()) {
            if (!widget->objectName().startsWith(QLatin1String("compose_")) || !widget->isVisible())
                continue;
            QVERIFY2(widget->geometry().right() < widget->parentWidget()->width(),
                     qPrintable(widget->objectName()));
            QVERIFY2(widget->width() >= widget->minimumSizeHint().width(),
                     qPrintable(QStringLiteral("%1: %2 of %3")
                                    .arg(widget->objectName())
                                    .arg(widget->width())
                                    .arg(widget->minimumSizeHint().width())));
        }
    }
};

QTEST_MAIN(ComposerTest)

}  // namespace headlight::composer_test

#include "composer_test.moc"
