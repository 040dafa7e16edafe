// "Build your own", as a person does it.

#include "tests/ui/window_support.h"
#include "ui/models/mask_parts.h"
#include "ui/models/spec_axes.h"
#include "ui/models/spec_formula.h"
#include "ui/models/word_trials.h"
#include "ui/panels/mechanism_popup.h"
#include "ui/panels/number_control.h"
#include "ui/panels/word_combo.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStyleHints>
#include <QTreeView>

namespace headlight::composer_test {

namespace {

Inputs wide(Index width) {
    Inputs inputs;
    inputs.query = Tensor({4, width}, 0.5);
    return inputs;
}

}  // namespace

class ComposerTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    // What the rows are made from

    void every_word_can_be_chosen_and_read_back() {
        for (const SpecAxis& axis : spec_axes())
            for (const AxisWord& each : axis.words) {
                AttentionSpec spec;
                axis.choose(spec, each.word);
                QCOMPARE(axis.word(spec), each.word);
                QVERIFY2(!each.meaning.empty(), each.word.c_str());
                for (const AxisSetting& setting : axis.settings(spec)) {
                    const OptionValue value = setting.value(spec);
                    QVERIFY2(value.index() == setting.option.standard.index(), setting.option.name.c_str());
                    setting.set(spec, value);
                    QVERIFY(setting.value(spec) == value);
                    QVERIFY2(!setting.option.help.empty(), setting.option.name.c_str());
                }
            }
    }

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
        // Every word has one that is no sentence.
        for (const SpecAxis& axis : spec_axes())
            for (const AxisWord& each : axis.words) {
                AttentionSpec chosen;
                axis.choose(chosen, each.word);
                for (const QString& line : spec_formula(chosen))
                    QVERIFY2(line.size() < 120 && !line.contains(QLatin1String(" et al")), qPrintable(line));
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

    void another_score_does_not_keep_an_activation_that_it_lacks() {
        const auto score = std::ranges::find(spec_axes(), "score", &SpecAxis::id);
        AttentionSpec spec;
        score->choose(spec, "additive");
        spec.score.activation = Activation::relu;
        score->choose(spec, "mlp");
        QVERIFY(spec.score.activation == Activation::relu);
        score->choose(spec, "dot");
        QVERIFY(spec.score.activation == Score{}.activation);
    }

    void every_mask_word_has_a_leaf_and_settings() {
        for (const AxisWord& each : mask_words()) {
            const Mask leaf = mask_leaf(each.word);
            QCOMPARE(mask_word(leaf), each.word);
            for (const MaskSetting& setting : mask_settings(leaf))
                QCOMPARE(mask_word(setting.with(setting.value)), each.word);
        }
    }

    void masks_come_apart_and_together_again_data() {
        QTest::addColumn<Mask>("mask");
        const Mask causal{CausalMask{}}, padding{PaddingMask{2}};
        const Mask matrix{MatrixMask{{{true}}}};
        QTest::newRow("none") << Mask{};
        QTest::newRow("one") << causal;
        QTest::newRow("drawn") << matrix;
        QTest::newRow("not") << Mask{Not{{causal}}};
        QTest::newRow("all") << Mask{AllOf{{causal, Mask{Not{{padding}}}, matrix}}};
        QTest::newRow("any") << Mask{AnyOf{{causal, padding}}};
    }
    void masks_come_apart_and_together_again() {
        QFETCH(Mask, mask);
        const auto parts = mask_parts(mask);
        QVERIFY(parts);
        QCOMPARE(mask_of(*parts), mask);
    }

    void a_mask_of_masks_is_left_alone() {
        const Mask causal{CausalMask{}};
        QVERIFY(!mask_parts(Mask{AllOf{{causal, Mask{AnyOf{{causal, causal}}}}}}));
        QVERIFY(!mask_parts(Mask{AllOf{{causal, causal, causal, causal}}}));
    }

    void a_refusal_is_about_an_axis_data() {
        QTest::addColumn<QString>("where");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("axis");
        QTest::newRow("field") << "normalizer.temperature"
                               << "normalizer"
                               << "normalizer";
        QTest::newRow("sharing") << "heads.sharing"
                                 << "shared queries and keys"
                                 << "sharing";
        QTest::newRow("heads") << "queries"
                               << "split into heads"
                               << "heads";
        QTest::newRow("score") << ""
                               << "dot score"
                               << "score";
        QTest::newRow("mask") << "mask.allowed, row 2"
                              << "matrix mask"
                              << "mask";
        QTest::newRow("algorithm passes over") << "score"
                                               << "linear algorithm"
                                               << "score";
        QTest::newRow("positions") << "keys"
                                   << "t5 positions"
                                   << "position";
        QTest::newRow("nothing") << "query text"
                                 << "split text"
                                 << "";
    }
    void a_refusal_is_about_an_axis() {
        QFETCH(QString, where);
        QFETCH(QString, what);
        QFETCH(QString, axis);
        QCOMPARE(QString::fromStdString(axis_of(where.toStdString(), what.toStdString())), axis);
    }

    void words_that_cannot_stand_say_why() {
        AttentionSpec spec;
        WordReasons reasons = impossible_words(spec, wide(8));
        QVERIFY(!reasons["score"].contains("dot"));
        QVERIFY(!reasons["heads"].contains("multi"));
        reasons = impossible_words(spec, wide(7));
        QVERIFY2(!reasons["heads"].contains("multi"), "7 features are no 8 heads, but 7");
        reasons = impossible_words(spec, wide(67));
        const std::string& multi = reasons["heads"]["multi"];
        QVERIFY2(multi.find("1 or 67 heads for rows of 67 numbers") != std::string::npos, multi.c_str());
        // Another choice that cannot run is not the other words' fault.
        spec.heads = {HeadsType::multi, 8};
        reasons = impossible_words(spec, wide(7));
        QVERIFY(!reasons["score"].contains("dot"));
        QVERIFY(!reasons["heads"].contains("single"));
    }

    void several_heads_are_as_many_as_fit_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("fitting");
        const auto row = [](int width, int heads, int fitting) {
            QTest::addRow("%d features, %d heads", width, heads) << width << heads << fitting;
        };
        row(8, 8, 8);
        row(3, 8, 3);
        row(9, 8, 3);
        row(12, 8, 6);
        row(7, 4, 7);
        row(67, 8, 8);  // none fits
    }
    void several_heads_are_as_many_as_fit() {
        QFETCH(int, width);
        QFETCH(int, heads);
        QFETCH(int, fitting);
        AttentionSpec spec;
        spec.heads = {HeadsType::multi, heads};
        QCOMPARE(with_fitting_heads(spec, wide(width)).heads.heads, Index(fitting));
        spec.heads = {HeadsType::grouped_query, heads, 4};
        const Heads grouped = with_fitting_heads(spec, wide(width)).heads;
        QCOMPARE(grouped.heads, Index(fitting));
        QVERIFY(width == 67 || grouped.heads % grouped.kv_heads == 0);
        // What else is wrong is not about heads.
        spec.heads = {};
        QVERIFY(with_fitting_heads(spec, wide(width)) == spec);
    }

    void a_refusal_of_the_algorithm_says_what_to_choose_instead() {
        AttentionSpec spec;
        spec.algorithm.type = AlgorithmType::gated_linear;
        WordReasons reasons = impossible_words(spec, wide(8));
        const std::string& score = reasons["score"]["additive"];
        QVERIFY2(score.starts_with("“gated linear” ") &&
                     score.ends_with("choose “composed” under Algorithm first."),
                 score.c_str());
        const auto mask =
            way_out(Error({"gated_linear algorithm", "mask", "a prefix", "another mask"}), spec);
        QVERIFY(mask && mask->find("causal or padding, or “composed” under Algorithm") != std::string::npos);
        QVERIFY(!way_out(Error({"split into heads", "heads", "a divisor", "8"}), spec));
        spec = {};
        spec.score.type = ScoreType::additive;
        reasons = impossible_words(spec, wide(8));
        const std::string& algorithm = reasons["algorithm"]["gated_linear"];
        QVERIFY2(
            algorithm.ends_with("“additive” under Score could not change: choose “scaled dot” there first."),
            algorithm.c_str());
        spec = {};
        spec.algorithm.type = AlgorithmType::parallax;  // adds to the other parts: it has no way of its own
        reasons = impossible_words(spec, wide(8));
        const std::string& normalizer = reasons["normalizer"]["sparsemax"];
        QVERIFY2(normalizer.starts_with("Not with the other choices: it needs softmax"), normalizer.c_str());
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

    // The window

    void a_mechanism_becomes_ones_own_with_the_same_picture() {
        WindowUnderTest test;
        test.document().reset(small_session("causal"));
        const AttentionSpec before = test.document().run()->plan->spec;
        QTest::mouseClick(test.find("build_your_own"), Qt::LeftButton);
        QVERIFY(test.session().custom.has_value());
        QCOMPARE(test.session().custom->name, "My " + mechanism("causal").name);
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

    void every_axis_is_chosen_with_the_keys_and_can_be_undone() {
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        test.trigger("compose_mechanism");
        auto* score = test.find<WordCombo>("compose_score");
        score->setFocus();
        QTest::keyClicks(score, QStringLiteral("additive"));
        QCOMPARE(test.document().run()->plan->spec.score.type, ScoreType::additive);
        QTRY_VERIFY(test.find("compose_score_activation")->isVisible());
        auto* heads = test.find<WordCombo>("compose_heads");
        heads->setFocus();
        QTest::keyClicks(heads, QStringLiteral("multi"));
        auto* count = test.find<QDoubleSpinBox>("compose_heads_heads");
        count->setValue(4);
        QCOMPARE(test.document().run()->plan->heads, Index(4));
        auto* normalizer = test.find<WordCombo>("compose_normalizer");
        normalizer->setFocus();
        QTest::keyClicks(normalizer, QStringLiteral("hard"));
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
        test.document().edit(QStringLiteral("Eight"), eight);
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
        QTest::newRow("light") << int(FigureTheme::light);
        QTest::newRow("dark") << int(FigureTheme::dark);
        QTest::newRow("projector") << int(FigureTheme::projector);
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
