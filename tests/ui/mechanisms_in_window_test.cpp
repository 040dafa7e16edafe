#include "core/attention/component.h"
#include "core/catalog/learned.h"
#include "core/io/first_example.h"
#include "core/workbench/comparison_edits.h"
#include "tests/ui/window_support.h"
#include "ui/panels/mechanism_panel.h"
#include "ui/panels/view_tabs.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <QTreeView>

#include <set>
#include <tuple>

namespace headlight::mechanisms_in_window_test {

namespace {

bool is_within(const ParameterValue& value, const MechanismParameter& parameter) {
    const auto holds = [&](double number) {
        return number >= parameter.minimum && number <= parameter.maximum;
    };
    if (const auto* integer = std::get_if<Index>(&value))
        return holds(static_cast<double>(*integer));
    const auto* real = std::get_if<double>(&value);
    return !real || holds(*real);
}

/// Whether it has heads that do not part the token vectors, or a component that declares pairs of features
/// which these do not form.
bool needs_another_dimension(const Session& session) {
    const Index width = session.sequence.vectors.dimension;
    try {
        const Plan plan = plan_extents(session_spec(session), {width, width, width, 3, 3}, {});
        for_each_component(plan.spec, [&](const auto& component) { check_pairs(component, plan); });
        return false;
    } catch (const Error&) {
        return true;
    }
}

}  // namespace

/// What holds for every mechanism, in one window: a window for each would take minutes. With
/// HEADLIGHT_LONG_TESTS each mechanism is looked for by its name, each control is tried in each mechanism
/// that has it, and each mechanism is looked at in each view; without, a third of the mechanisms, each
/// control once, and each mechanism in an eighth of the views.
class MechanismsInWindowTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        fail_on_warnings();
        test_ = std::make_unique<WindowUnderTest>();
    }
    void init() {
        fail_on_warnings();
        test_->document().reset(example_session());
    }
    void cleanupTestCase() { test_.reset(); }

    void another_mechanism_is_shown_from_its_top() {
        const auto* panel = test_->window().findChild<MechanismPanel*>();
        const auto* area = qobject_cast<QScrollArea*>(panel->parentWidget()->parentWidget());
        QVERIFY(area);
        QScrollBar& bar = *area->verticalScrollBar();
        const auto go_down = [&bar] {
            QTRY_VERIFY(bar.maximum() > 0);
            bar.setValue(bar.maximum());
        };
        go_down();
        Session session = test_->session();
        ++session.seed;
        test_->document().edit({"", session});
        QVERIFY2(bar.value() > 0, "another seed of the same one");
        test_->trigger("next_mechanism");
        QTRY_COMPARE(bar.value(), 0);
        go_down();
        test_->trigger("edit_undo");
        QTRY_COMPARE(bar.value(), 0);
        go_down();
        test_->trigger("compose_mechanism");
        QTRY_COMPARE(bar.value(), 0);
    }

    /// Alt and that letter opens the menu, whatever has the keys.
    void no_control_takes_the_letter_of_a_menu() {
        const auto letter = [](const QString& words) { return QKeySequence::mnemonic(words).toString(); };
        QStringList menus;
        for (const QAction* menu : test_->window().menuBar()->actions())
            menus += letter(menu->text());
        QVERIFY(menus.contains(letter(QStringLiteral("&Lessons"))));
        const auto look = [&](const QString& where) {
            for (const QWidget* each : test_->window().findChildren<QWidget*>()) {
                if (each->window() != &test_->window())
                    continue;
                QString words;
                if (const auto* button = qobject_cast<const QAbstractButton*>(each))
                    words = button->text();
                if (const auto* label = qobject_cast<const QLabel*>(each); label && label->buddy())
                    words = label->text();
                const QString taken = letter(words);
                QVERIFY2(taken.isEmpty() || !menus.contains(taken),
                         qPrintable(where + QStringLiteral(": ") + words));
            }
        };
        for (const char* id : {"gated_delta", "mamba", "alibi", "performer", "window", "multi_head"}) {
            test_->document().reset(small_session(id));
            look(QLatin1String(id));
        }
        test_->trigger("compose_mechanism");
        QVERIFY(test_->find("compose_selection")->isVisible());
        look(QStringLiteral("Build your own"));
    }

    void each_mechanism_can_be_found_and_chosen_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("name");
        for (const Mechanism* mechanism : mechanisms_in_turn(0, 3))
            QTest::newRow(mechanism->id.c_str())
                << QString::fromStdString(mechanism->id) << QString::fromStdString(mechanism->name);
    }
    void each_mechanism_can_be_found_and_chosen() {
        QFETCH(QString, id);
        QFETCH(QString, name);
        test_->trigger("choose_mechanism");
        auto* search = test_->find<QLineEdit>("mechanism_search");
        QVERIFY(search->isVisible());
        QTest::keyClicks(search, id);
        auto* tree = test_->find<QTreeView>("mechanism_tree");
        QVERIFY(tree->currentIndex().isValid());
        while (tree->currentIndex().data().toString() != name &&
               tree->indexBelow(tree->currentIndex()).isValid())
            QTest::keyClick(search, Qt::Key_Down);
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(!search->isVisible());
        QCOMPARE(QString::fromStdString(test_->session().mechanism), id);
        QVERIFY2(!test_->document().error(), qPrintable(test_->message("run_message")));
        QVERIFY(!test_->find<QLabel>("mechanism_explanation")->text().isEmpty());
        const std::span<const LearnedResult> learned = learned_by(id.toStdString());
        const QString shown = test_->find<QLabel>("mechanism_learned")->text();
        QCOMPARE(shown.isEmpty(), learned.empty());
        const QStringList lines = shown.split(QStringLiteral("<br>"));
        for (const LearnedResult& each : learned)  // on a line of its own
            QVERIFY2(lines.contains(QString::fromStdString(to_string(std::span(&each, 1)))),
                     qPrintable(shown));
        QCOMPARE(test_->find("key_text")->isVisible(),
                 find_mechanism(id.toStdString())->example.key.empty() == false);
    }

    void who_uses_a_mechanism_is_said_and_leads_to_what_else_it_has() {
        auto* panel = test_->window().findChild<MechanismPanel*>();
        auto* models = test_->find<QLabel>("mechanism_models");
        panel->choose("gated_delta");
        QVERIFY2(models->text().contains(QLatin1String("Qwen3-Next</a>")), qPrintable(models->text()));
        QVERIFY2(models->text().contains(QLatin1String("Three layers of Gated DeltaNet, then one of gated")),
                 qPrintable(models->text()));
        emit models->linkActivated(QStringLiteral("Qwen3-Next"));
        auto* search = test_->find<QLineEdit>("mechanism_search");
        QVERIFY(search->isVisible());
        QCOMPARE(search->text(), QStringLiteral("used in Qwen3-Next"));
        search->window()->hide();
        panel->choose("sparsemax");
        QVERIFY(models->text().isEmpty());
    }

    void what_was_learned_leads_to_the_page_about_it() {
        auto* panel = test_->window().findChild<MechanismPanel*>();
        panel->choose("causal");
        auto* learned = test_->find<QLabel>("mechanism_learned");
        QVERIFY2(learned->text().contains(QLatin1String("<a href=\"learned.md\">")),
                 qPrintable(learned->text()));
        // What the desktop would open is for HelpActions to say.
        disconnect(panel, &MechanismPanel::page_requested, nullptr, nullptr);
        const QSignalSpy asked(panel, &MechanismPanel::page_requested);
        emit learned->linkActivated(QStringLiteral("learned.md"));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().first().toString(), QStringLiteral("learned.md"));
    }

    void each_mechanism_runs_on_the_first_three_words() {
        // Three numbers a word are no eight heads, and no pairs that can be turned.
        int refused = 0;
        for (const Mechanism& each : mechanisms()) {
            if (each.id == "scaled_dot_product")
                continue;
            test_->document().reset(first_example());
            const Session before = test_->session();
            test_->window().findChild<MechanismPanel*>()->choose(each.id);
            if (needs_another_dimension(test_->session())) {
                ++refused;
                QVERIFY2(test_->document().error(), each.id.c_str());
                QVERIFY2(test_->message("run_message").contains(QLatin1String("change the dimension")),
                         qPrintable(test_->message("run_message")));
                auto* step = test_->find<QToolButton>("run_message_step");
                QVERIFY2(!step->isHidden(), each.id.c_str());
                step->click();
                QTRY_VERIFY2(!test_->document().error(), each.id.c_str());
                test_->trigger("edit_undo");
            } else {
                QVERIFY2(!test_->document().error(),
                         qPrintable(QStringLiteral("%1: %2").arg(QString::fromStdString(each.id),
                                                                 test_->message("run_message"))));
            }
            test_->trigger("edit_undo");  // one step
            QVERIFY2(same_edits(test_->session(), before), each.id.c_str());
        }
        QVERIFY2(refused >= 10, "the components that take features in pairs are asked");
    }

    void heads_open_on_word_vectors_not_on_random_weights() {
        auto* panel = test_->window().findChild<MechanismPanel*>();
        const ParameterValues& example = mechanism("multi_head").example.values;
        test_->document().reset(example_session());
        panel->choose("multi_head");
        QVERIFY(test_->session().values == example);
        QVERIFY(test_->document().run()->random_weights.empty());
        // Who looks for its matrices is told where they are.
        const auto* meaning = test_->find<QLabel>("parameter_meaning");
        QVERIFY2(meaning->text().contains(QStringLiteral("“learned”")), qPrintable(meaning->text()));
        Session learned = test_->session();
        learned.values["projections"] = std::string("learned");
        test_->document().edit({"Projections", learned});
        QVERIFY2(!meaning->text().contains(QStringLiteral("“learned”")), qPrintable(meaning->text()));
        test_->trigger("edit_undo");
        panel->choose("grouped_query");
        QVERIFY2(test_->session().values.empty(), "what nobody asked for is not carried over");
        // What a person chose stays, and so do parameters that somebody gave.
        test_->document().reset(small_session("causal"));
        Session session = test_->session();
        session.values["projections"] = std::string("learned");
        test_->document().edit({"Projections", session});
        panel->choose("multi_head");
        QVERIFY(test_->session().values.at("projections") == ParameterValue(std::string("learned")));
        session.values.clear();
        session.origin = ParameterOrigin::file;
        test_->document().reset(session);
        panel->choose("multi_head");
        QVERIFY(test_->session().values.empty());
        // Its button shows the example, whatever was set.
        test_->find<QPushButton>("use_example")->click();
        QVERIFY(test_->session().values == example);
        QTRY_VERIFY(test_->find<QLabel>("mechanism_look_for")->text().contains(QLatin1String("Every head")));
    }

    void heads_that_do_not_divide_the_vectors_give_way_to_those_that_do() {
        test_->document().reset(first_example());
        auto* panel = test_->window().findChild<MechanismPanel*>();
        panel->choose("multi_head");
        QCOMPARE(test_->document().run()->plan->heads, Index(3));
        QVERIFY2(test_->message("notice").contains(QLatin1String("Heads: 3 instead of 4")),
                 qPrintable(test_->message("notice")));
        test_->document().reset(first_example());
        panel->choose("rope");
        QCOMPARE(std::get<Index>(test_->session().values.at("dimensions")), Index(2));
        // Beside another one too, and where the number of dimensions changes at once.
        test_->document().reset(first_example());
        test_->document().edit(compare_mechanism(test_->session(), mechanism("multi_head")));
        QVERIFY2(!test_->document().error(), qPrintable(test_->message("run_message")));
        panel->choose("multi_head");
        test_->find<QPushButton>("begin_text")->click();
        QVERIFY2(!test_->document().error(), qPrintable(test_->message("run_message")));
        QCOMPARE(test_->document().run()->plan->heads, Index(8));
    }

    void each_control_of_each_mechanism_changes_its_formula_data() {
        QTest::addColumn<QString>("mechanism");
        QTest::addColumn<QString>("parameter");
        std::set<std::tuple<std::string, ParameterValue, double, double, std::vector<std::string>>> known;
        for (const Mechanism& mechanism : mechanisms())
            for (const MechanismParameter& each : mechanism.parameters) {
                const bool is_new =
                    known.insert({each.name, each.standard, each.minimum, each.maximum, each.choices}).second;
                if (is_new || test::is_long())
                    QTest::addRow("%s/%s", mechanism.id.c_str(), each.name.c_str())
                        << QString::fromStdString(mechanism.id) << QString::fromStdString(each.name);
            }
    }
    void each_control_of_each_mechanism_changes_its_formula() {
        QFETCH(QString, mechanism);
        QFETCH(QString, parameter);
        test_->document().reset([&] {
            Session session = small_session(mechanism.toStdString());
            session.sequence.key_text = "a bank of the river";
            return session;
        }());
        const std::string name = parameter.toStdString();
        auto* control = test_->find(qPrintable(QStringLiteral("parameter_") + parameter));
        QVERIFY(control);
        QVERIFY(!control->accessibleName().isEmpty());
        if (auto* box = qobject_cast<QCheckBox*>(control)) {
            QTest::keyClick(box, Qt::Key_Space);
        } else if (auto* combo = qobject_cast<QComboBox*>(control)) {
            QTest::keyClick(combo, combo->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up, Qt::ShiftModifier);
        } else {
            auto* slider = test_->find<QSlider>(
                qPrintable(QStringLiteral("parameter_") + parameter + QStringLiteral("_slider")));
            slider->setFocus();
            for (int press = 0; press < 40 && !test_->session().values.contains(name); ++press)
                QTest::keyClick(slider,
                                2 * slider->value() <= slider->maximum() ? Qt::Key_PageUp : Qt::Key_PageDown);
        }
        QVERIFY(test_->session().values.contains(name));
        const ParameterValue value = test_->session().values.at(name);
        for (const MechanismParameter& each : find_mechanism(mechanism.toStdString())->parameters)
            if (each.name == name)
                QVERIFY2(is_within(value, each), to_string(value).c_str());
        test_->trigger("edit_undo");
        QVERIFY(test_->session().values.empty());
    }

    void every_view_shows_every_mechanism_data() {
        QTest::addColumn<int>("number");
        for (std::size_t number = 0; number < views().size(); ++number)
            QTest::newRow(views()[number].title.c_str()) << int(number);
    }
    void every_view_shows_every_mechanism() {
        QFETCH(int, number);
        ViewTabs& tabs = test_->window().views();
        tabs.setCurrentIndex(tabs.tab_of(views()[static_cast<std::size_t>(number)].kind));
        for (const Mechanism* mechanism : mechanisms_in_turn(number, 8)) {
            Session session = small_session(mechanism->id);
            session.sequence.key_text = "a bank of the river";
            session.view = test_->session().view;
            test_->document().edit({"Choose", session});
            QVERIFY2(!test_->document().error(), qPrintable(test_->message("run_message")));
            QVERIFY(!test_->window().views().grab().isNull());
        }
    }

private:
    std::unique_ptr<WindowUnderTest> test_;
};

QTEST_MAIN(MechanismsInWindowTest)

}  // namespace headlight::mechanisms_in_window_test

#include "mechanisms_in_window_test.moc"
