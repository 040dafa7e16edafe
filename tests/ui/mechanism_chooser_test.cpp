// The catalogue as a person searches and filters it.

#include "tests/ui/window_support.h"
#include "ui/models/choice_filter.h"
#include "ui/models/mechanism_filter.h"
#include "ui/models/mechanism_library.h"
#include "ui/models/mechanism_model.h"

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QTreeView>

namespace headlight::mechanism_chooser_test {

namespace {

Mechanism made(const std::string& id, int year, const Mask& mask = {}) {
    Mechanism mechanism;
    mechanism.id = id;
    mechanism.name = id;
    mechanism.family = "Scores";
    mechanism.papers = {{"Somebody et al.", year}};
    mechanism.build = [mask](const ParameterValues&) {
        AttentionSpec spec;
        spec.mask = mask;
        return spec;
    };
    mechanism.explanation = "The first sentence. The second.";
    return mechanism;
}

}  // namespace

class MechanismChooserTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void every_criterion_leaves_those_that_meet_it_data() {
        QTest::addColumn<MechanismCriteria>("criteria");
        QTest::addColumn<QString>("left");
        const auto row = [](const char* name, const char* left, auto ask) {
            MechanismCriteria criteria;
            ask(criteria);
            QTest::newRow(name) << criteria << left;
        };
        row("nothing", "old new linear", [](MechanismCriteria&) {});
        row("from a year", "new linear", [](MechanismCriteria& c) { c.from_year = 2018; });
        row("to a year", "old", [](MechanismCriteria& c) { c.to_year = 2015; });
        row("causal", "new", [](MechanismCriteria& c) { c.causal = true; });
        row("sparse and causal", "", [](MechanismCriteria& c) { c.sparse = c.causal = true; });
        row("rows sum to 1", "old new", [](MechanismCriteria& c) { c.row_stochastic = true; });
        row("streaming", "linear", [](MechanismCriteria& c) { c.streaming = true; });
        row("signed", "linear", [](MechanismCriteria& c) { c.is_signed = true; });
        row("linear cost", "linear", [](MechanismCriteria& c) { c.cost = CostGrowth::linear; });
        row("beyond linear cost", "old new",
            [](MechanismCriteria& c) { c.cost = CostGrowth::beyond_linear; });
        row("first course", "old linear", [](MechanismCriteria& c) { c.first_course = true; });
        row("family", "old new linear", [](MechanismCriteria& c) { c.family = "Scores"; });
        row("another family", "", [](MechanismCriteria& c) { c.family = "Masks"; });
        row("text", "old", [](MechanismCriteria& c) { c.text = "OL"; });
        row("words in any order", "new", [](MechanismCriteria& c) { c.text = " scores  2018 NEW "; });
        row("words of which one is nowhere", "", [](MechanismCriteria& c) { c.text = "scores 2018 old"; });
    }
    void every_criterion_leaves_those_that_meet_it() {
        QFETCH(MechanismCriteria, criteria);
        QFETCH(QString, left);
        std::vector<Mechanism> list{made("old", 2015), made("new", 2018),
                                    made("linear", 2020, {PatternMask{MaskPattern::window, {}}})};
        list[1].properties.causal = true;
        list[1].order = 6000;
        list[2].properties = {.row_stochastic = false, .streaming = true, .is_signed = true};
        MechanismModel model{std::span(list)};
        MechanismFilter filter(model);
        const QAbstractItemModelTester tester(&filter,
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto names = [&] {
            QStringList rows;
            for (int row = 0; row < filter.rowCount(filter.index(0, 0)); ++row)
                rows << filter.index(row, 0, filter.index(0, 0)).data().toString();
            return rows;
        };
        filter.set_criteria(criteria);
        QTRY_COMPARE(names().join(' '), left);  // costs are counted on a worker
        QCOMPARE(filter.count(), names().size());
    }

    void the_nearest_row_is_where_one_is_or_was() {
        std::vector<Mechanism> list{made("first", 2015), made("second", 2018), made("third", 2020),
                                    made("fourth", 2021)};
        list[1].properties.causal = list[2].properties.causal = true;
        MechanismModel model{std::span(list)};
        MechanismFilter filter(model);
        const auto nearest = [&](const char* id) {
            return filter.nearest(model.index_of(id)).data().toString();
        };
        QCOMPARE(nearest("third"), QStringLiteral("third"));
        QCOMPARE(filter.nearest(QModelIndex()).data().toString(), QStringLiteral("first"));
        MechanismCriteria causal;
        causal.causal = true;
        filter.set_criteria(causal);
        QCOMPARE(nearest("first"), QStringLiteral("second"));
        QCOMPARE(nearest("third"), QStringLiteral("third"));
        QCOMPARE(nearest("fourth"), QStringLiteral("third"));
        causal.sparse = true;
        filter.set_criteria(causal);
        QVERIFY(!filter.nearest(model.index_of("third")).isValid());
    }

    void a_filter_that_hides_the_current_row_leaves_the_list_about_there_data() {
        QTest::addColumn<QString>("id");
        QTest::newRow("before every causal one") << QStringLiteral("scaled_dot_product");
        QTest::newRow("between causal ones") << QStringLiteral("sparsemax");
    }
    void a_filter_that_hides_the_current_row_leaves_the_list_about_there() {
        QFETCH(QString, id);
        WindowUnderTest test;
        test.document().reset(small_session(id.toStdString()));
        test.trigger("choose_mechanism");
        const auto* tree = test.find<QTreeView>("mechanism_tree");
        const QString name = QString::fromStdString(mechanism(id.toStdString()).name);
        QCOMPARE(tree->currentIndex().data().toString(), name);
        QTest::keyClick(test.find("filter_causal"), Qt::Key_Space);
        const QModelIndex here = tree->currentIndex();
        const auto shown = [tree](const QModelIndex& index) {
            const QRect row = tree->visualRect(index);
            return row.top() >= 0 && row.bottom() < tree->viewport()->height();
        };
        QVERIFY(here.isValid() && here.parent().isValid());
        QVERIFY(shown(here));
        if (here.row() == 0)
            QVERIFY2(shown(here.parent()), "the name of its family");
        const MechanismModel model;
        const QModelIndex was = model.index_of(id.toStdString());
        const Mechanism* next = nullptr;
        for (int family = was.parent().row(); family < model.rowCount() && !next; ++family) {
            const QModelIndex parent = model.index(family, 0);
            for (int row = parent == was.parent() ? was.row() : 0; row < model.rowCount(parent) && !next;
                 ++row)
                if (const Mechanism* each = model.mechanism_at(model.index(row, 0, parent));
                    each->properties.causal)
                    next = each;
        }
        QVERIFY(next);
        QCOMPARE(here.data().toString(), QString::fromStdString(next->name));
        QTest::keyClick(test.find("filter_causal"), Qt::Key_Space);
        QCOMPARE(tree->currentIndex().data().toString(), name);
        QVERIFY(shown(tree->currentIndex()));
    }

    void words_are_found_wherever_they_stand() {
        MechanismModel model;
        MechanismFilter filter(model);
        const std::pair<const char*, const char*> typed[] = {
            {"sliding attention", "window"}, {"attention sliding", "window"}, {"bahdanau 2015", "additive"}};
        for (const auto& [text, id] : typed) {
            MechanismCriteria criteria;
            criteria.text = QString::fromLatin1(text);
            filter.set_criteria(criteria);
            QVERIFY2(filter.mapFromSource(model.index_of(id)).isValid(), text);
        }
    }

    void a_result_says_what_found_it() {
        MechanismModel model;
        MechanismFilter filter(model);
        const QAbstractItemModelTester tester(&filter,
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto found = [&](const char* typed, const char* id) {
            MechanismCriteria criteria;
            criteria.text = QString::fromUtf8(typed);
            filter.set_criteria(criteria);
            return filter.mapFromSource(model.index_of(id));
        };
        const QString why = QStringLiteral("used in Qwen3-Next"),
                      usual = model.index_of("kda").data(MechanismModel::SummaryRole).toString();
        const QModelIndex gated = found("used in qwen3-next", "gated_delta");
        QVERIFY(gated.isValid());
        for (const int role : {int(MechanismModel::SummaryRole), int(Qt::ToolTipRole)})
            QVERIFY2(gated.data(role).toString().contains(why), qPrintable(gated.data(role).toString()));
        QVERIFY(gated.data(Qt::AccessibleTextRole).toString().contains(why));
        QVERIFY(!found("used in qwen3-next", "kda").isValid());
        // By its name nothing has to be said.
        QCOMPARE(found("kimi delta", "kda").data(MechanismModel::SummaryRole).toString(), usual);
        QTRY_VERIFY(
            found("linear in tokens before 2021", "linear").isValid());  // growths are counted on a worker
        QVERIFY(!found("linear in tokens before 2021", "scaled_dot_product").isValid());
        // A wrong letter where nothing else is found.
        QVERIFY(found("perfomer", "performer").isValid());
    }

    void a_tip_shows_names_as_code() {
        const MechanismModel model;
        for (const Mechanism& mechanism : mechanisms()) {
            const QString tip = model.index_of(mechanism.id).data(Qt::ToolTipRole).toString();
            QVERIFY2(Qt::mightBeRichText(tip) && !tip.contains(QChar('`')), qPrintable(tip));
        }
    }

    void a_list_keeps_the_headings_of_what_is_found() {
        QStandardItemModel list;
        const auto add = [&](const char* text, Qt::ItemFlags flags) {
            auto* item = new QStandardItem(QString::fromLatin1(text));
            item->setFlags(flags);
            item->setData(item->text(), ChoiceFilter::SearchRole);
            list.appendRow(item);
        };
        for (const char* text : {"Fruit", "apple", "pear", "Trees", "apple tree"})
            add(text, QChar(text[0]).isUpper() ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        ChoiceFilter found;
        found.setSourceModel(&list);
        const QAbstractItemModelTester tester(&found, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto shown = [&](const char* typed) {
            found.set_text(QString::fromLatin1(typed));
            QStringList rows;
            for (int row = 0; row < found.rowCount(); ++row)
                rows << found.index(row, 0).data().toString();
            return rows.join(QStringLiteral(", "));
        };
        QCOMPARE(shown(" "), QStringLiteral("Fruit, apple, pear, Trees, apple tree"));
        QCOMPARE(shown("tree APP"), QStringLiteral("Trees, apple tree"));
        QCOMPARE(shown("tree - APP"), QStringLiteral("Trees, apple tree"));
        QCOMPARE(shown("(["), QString());     // no word to look for
        QCOMPARE(shown("trees"), QString());  // a heading is no choice
        QVERIFY(!found.best().isValid());
        QCOMPARE(shown("ppl"), QStringLiteral("Fruit, apple, Trees, apple tree"));
        QCOMPARE(found.best().data().toString(), QStringLiteral("apple"));
    }

    void a_word_that_is_typed_whole_is_meant_before_a_mechanism_that_is_called_like_it() {
        QStandardItemModel list;
        for (const char* word : {"hard sample", "hard"}) {
            auto* item = new QStandardItem(QString::fromLatin1(word));
            item->setData(item->text(), Qt::UserRole);
            item->setData(item->text(), ChoiceFilter::SearchRole);
            list.appendRow(item);
        }
        ChoiceFilter found;
        found.setSourceModel(&list);
        found.set_text(QStringLiteral("hard"));
        QCOMPARE(found.rowCount(), 2);
        QCOMPARE(found.best().data().toString(), QStringLiteral("hard"));
    }

    void costs_are_counted_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("is_linear");
        const std::pair<const char*, bool> known[] = {
            {"scaled_dot_product", false}, {"additive", false}, {"causal", false}, {"multi_head", false},
            {"performer", true},           {"retention", true}, {"window", true},  {"linformer", true}};
        for (const auto& [id, is_linear] : known)
            if (find_mechanism(id))
                QTest::newRow(id) << QString::fromLatin1(id) << is_linear;
    }
    void costs_are_counted() {
        QFETCH(QString, id);
        QFETCH(bool, is_linear);
        QCOMPARE(cost_growth(mechanism(id.toStdString())) == CostGrowth::linear, is_linear);
    }

    void ones_own_stand_in_a_family_of_their_own() {
        const std::vector<Mechanism> list{made("old", 2015)};
        MechanismModel model{std::span(list)};
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        AttentionSpec spec;
        spec.normalizer.type = NormalizerType::hard;
        model.set_own({{"Only the largest", spec}});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Mine"));
        const QModelIndex mine = model.index_of_own(QStringLiteral("Only the largest"));
        QVERIFY(mine.data(Qt::AccessibleTextRole).toString().contains(QLatin1String("Mine")));
        QCOMPARE(mine.data(MechanismModel::SummaryRole).toString(), QStringLiteral("hard"));
        QVERIFY(!model.mechanism_at(mine));
        QCOMPARE(model.mechanism_at(model.index_of("old"))->year(), 2015);
        QCOMPARE(model.index_of("old").data(MechanismModel::SummaryRole).toString(),
                 QStringLiteral("The first sentence."));
        model.set_own({{"Only the largest", spec}}, {{"Only the largest", {}}});
        QCOMPARE(model.rowCount(model.index(0, 0)), 2);
        QVERIFY(
            !model.index_of_own(QStringLiteral("Only the largest")).data(MechanismModel::DraftRole).toBool());
        const QModelIndex draft = model.index(1, 0, model.index(0, 0));
        QVERIFY(draft.data(MechanismModel::DraftRole).toBool());
        QCOMPARE(draft.data().toString(), QStringLiteral("Only the largest (not saved)"));
        QCOMPARE(draft.data(MechanismModel::OwnNameRole).toString(), QStringLiteral("Only the largest"));
        model.set_own({});
        QCOMPARE(model.rowCount(), 1);
    }

    void ones_own_are_found_without_guesses_beside_them_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<bool>("is_found");
        QTest::addColumn<bool>("has_others");
        // "line", one letter away, begins the names of many others.
        QTest::newRow("the family") << "mine" << true << false;
        QTest::newRow("the family, and what it is made of") << "MINE formula" << true << false;
        QTest::newRow("its name") << "möwe" << true << false;
        QTest::newRow("a letter that others have") << "m" << true << true;
        QTest::newRow("another one") << "performer" << false << true;
        QTest::newRow("another one, nearly") << "perfomer" << false << true;
    }
    void ones_own_are_found_without_guesses_beside_them() {
        QFETCH(QString, typed);
        QFETCH(bool, is_found);
        QFETCH(bool, has_others);
        MechanismModel model;
        AttentionSpec spec;
        spec.algorithm.type = AlgorithmType::formula;
        model.set_own({{"Möwe", spec}});
        MechanismFilter filter(model);
        MechanismCriteria criteria;
        criteria.text = typed;
        filter.set_criteria(criteria);
        const QModelIndex mine = filter.mapFromSource(model.index_of_own(QStringLiteral("Möwe")));
        QCOMPARE(mine.isValid(), is_found);
        QCOMPARE(filter.count() > (is_found ? 1 : 0), has_others);
        if (is_found && !has_others)
            QCOMPARE(filter.best(), mine);
    }

    void a_formula_that_is_saved_stands_first_in_the_list() {
        WindowUnderTest test;
        test.document().reset(small_session("scaled_dot_product"));
        test.trigger("choose_mechanism");
        auto* tree = test.find<QTreeView>("mechanism_tree");
        const auto first = [tree] { return tree->model()->index(0, 0).data().toString(); };
        QVERIFY2(first() != QLatin1String("Mine"), "nothing is there yet");
        tree->window()->hide();
        test.trigger("compose_mechanism");
        QTRY_VERIFY(test.document().run());
        test.find<QPushButton>("own_as_formula")->click();
        type_over(test.find("own_name"), QStringLiteral("Near ones"));
        QTest::keyClick(test.find("own_save"), Qt::Key_Space);
        QTRY_VERIFY(!test.find("own_save")->isEnabled());
        const auto formula = [&test] { return test.session().custom->spec.algorithm.options.at("text"); };
        const OptionValue kept = formula();
        test.trigger("next_mechanism");
        QVERIFY(!test.session().custom);
        test.trigger("choose_mechanism");
        QCOMPARE(first(), QStringLiteral("Mine"));
        const QModelIndex mine = tree->model()->index(0, 0, tree->model()->index(0, 0));
        QCOMPARE(mine.data().toString(), QStringLiteral("Near ones"));
        tree->scrollTo(mine);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(mine).center());
        QVERIFY(test.session().custom.has_value());
        QVERIFY(formula() == kept);
    }

    void the_library_keeps_what_is_saved() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath(QStringLiteral("mechanisms")).toStdString();
        AttentionSpec spec;
        spec.score.type = ScoreType::dot;
        {
            MechanismLibrary library(place);
            QSignalSpy saved(&library, &MechanismLibrary::saved);
            library.save({"Größer & besser", spec});
            library.save({"Another", {}});
            QTRY_COMPARE(saved.count(), 2);
            library.save({"Another", spec});
            QTRY_COMPARE(saved.count(), 3);
        }
        QFile broken(folder.filePath(QStringLiteral("mechanisms/broken.json")));
        QVERIFY(broken.open(QIODevice::WriteOnly) && broken.write("{") == 1);
        broken.close();
        MechanismLibrary library(place);
        QTRY_COMPARE(library.list().size(), std::size_t(2));
        QCOMPARE(library.find(QStringLiteral("Another"))->spec, spec);
        QCOMPARE(library.find(QStringLiteral("Größer & besser"))->spec, spec);
        library.remove(QStringLiteral("Another"));
        QTRY_COMPARE(library.list().size(), std::size_t(1));
    }

    void the_library_keeps_drafts_beside_what_is_saved() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.filePath(QStringLiteral("mechanisms")).toStdString();
        AttentionSpec unfinished;
        unfinished.algorithm.type = AlgorithmType::formula;
        unfinished.algorithm.options["text"] = std::string("weights = softmax(q @@");
        {
            MechanismLibrary library(place);
            library.save({"Begun", {}});
            library.keep_draft({"Begun", unfinished});
            library.keep_draft({"Other", unfinished});
            QTRY_COMPARE(library.drafts().size(), std::size_t(2));
        }
        MechanismLibrary library(place);
        QTRY_COMPARE(library.drafts().size(), std::size_t(2));
        QCOMPARE(library.list().size(), std::size_t(1));
        QVERIFY(same_spec(library.find_draft(QStringLiteral("Begun"))->spec, unfinished));
        QVERIFY(same_spec(library.find(QStringLiteral("Begun"))->spec, {}));
        QCOMPARE(library.free_name(QStringLiteral("Other")), QStringLiteral("Other 2"));
        library.save({"Begun", unfinished});
        QTRY_VERIFY(!library.find_draft(QStringLiteral("Begun")));
        library.remove(QStringLiteral("Other"));
        QTRY_VERIFY(library.drafts().empty());
        QCOMPARE(library.list().size(), std::size_t(1));
    }

    void a_chip_is_a_filter_and_the_keys_reach_everything() {
        WindowUnderTest test;
        test.trigger("choose_mechanism");
        auto* search = test.find<QLineEdit>("mechanism_search");
        auto* tree = test.find<QTreeView>("mechanism_tree");
        const auto rows = [&] {
            int count = 0;
            for (int family = 0; family < tree->model()->rowCount(); ++family)
                count += tree->model()->rowCount(tree->model()->index(family, 0));
            return count;
        };
        const int all = rows();
        QCOMPARE(all, static_cast<int>(mechanisms().size()));
        auto* causal = test.find<QToolButton>("filter_causal");
        causal->setFocus(Qt::TabFocusReason);
        QTest::keyClick(causal, Qt::Key_Space);
        QVERIFY(rows() < all && rows() > 0);
        QTest::keyClicks(test.find<QComboBox>("filter_family"), QStringLiteral("Ex"));  // Execution
        QTest::keyClick(test.find("filter_clear"), Qt::Key_Space);
        QCOMPARE(rows(), all);
        test.find<QSpinBox>("filter_from")->setValue(2017);
        QVERIFY(rows() < all);
        QTest::keyClicks(search, QStringLiteral("zzz"));
        QVERIFY(test.find("nothing_found")->isVisible());
        QTest::keyClick(test.find("filter_clear"), Qt::Key_Space);
        search->clear();
        search->setFocus();
        QTest::keyClick(search, Qt::Key_PageDown);
        const QString name = tree->currentIndex().data().toString();
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(!search->isVisible());
        QCOMPARE(QString::fromStdString(mechanism(test.session().mechanism).name), name);
    }

    void a_search_for_a_model_says_how_its_layers_follow_one_another() {
        WindowUnderTest test;
        test.trigger("choose_mechanism");
        auto* search = test.find<QLineEdit>("mechanism_search");
        const auto* tree = test.find<QTreeView>("mechanism_tree");
        const auto* layers = test.find<QLabel>("layers_of_model");
        QVERIFY(!layers->isVisible());
        search->setText(QStringLiteral("qwen3-next"));
        QCOMPARE(tree->currentIndex().data().toString(),
                 QString::fromStdString(mechanism("gated_delta").name));
        QVERIFY(layers->isVisible());
        QVERIFY2(layers->text().startsWith(QLatin1String("Qwen3-Next: Three layers of Gated DeltaNet")),
                 qPrintable(layers->text()));
        search->setText(QStringLiteral("used in Kimi Linear"));
        QVERIFY2(layers->text().startsWith(QLatin1String("Kimi Linear: Three")), qPrintable(layers->text()));
        for (const char* other : {"gem", "gated", "BLOOM", "2"}) {
            search->setText(QLatin1String(other));
            QVERIFY2(!layers->isVisible(), other);
        }
    }

    void nothing_is_said_to_be_nowhere_while_costs_are_counted() {
        WindowUnderTest test;
        test.trigger("choose_mechanism");
        auto* search = test.find<QLineEdit>("mechanism_search");
        const auto* said = test.find<QLabel>("nothing_found");
        search->setText(QStringLiteral("causal linear in tokens"));
        QVERIFY(said->isVisible());
        QVERIFY2(said->text().startsWith(QLatin1String("Counting")), qPrintable(said->text()));
        // What is nowhere whatever costs are needs no counting.
        search->setText(QStringLiteral("zzz"));
        QVERIFY2(said->text().startsWith(QLatin1String("No mechanism")), qPrintable(said->text()));
        search->setText(QStringLiteral("causal linear in tokens"));
        QTRY_VERIFY(!said->isVisible());
        search->setText(QStringLiteral("linear in tokens zzz"));
        QVERIFY(said->isVisible());
        QVERIFY2(said->text().startsWith(QLatin1String("No mechanism")), qPrintable(said->text()));
    }

    void escape_closes_a_drop_down_before_the_picker() {
        WindowUnderTest test;
        test.trigger("choose_mechanism");
        auto* search = test.find<QLineEdit>("mechanism_search");
        auto* family = test.find<QComboBox>("filter_family");
        family->setFocus(Qt::TabFocusReason);
        family->showPopup();
        QTRY_VERIFY(family->view()->isVisible());
        // Through the window system: the key goes to whatever popup is in front at each moment.
        QTest::keyClick(test.window().windowHandle(), Qt::Key_Escape);
        QTRY_VERIFY(!family->view()->isVisible());
        QVERIFY(search->isVisible());
        QCoreApplication::processEvents();
        QTest::keyClick(test.window().windowHandle(), Qt::Key_Escape);
        QTRY_VERIFY(!search->isVisible());
    }
};

QTEST_MAIN(MechanismChooserTest)

}  // namespace headlight::mechanism_chooser_test

#include "mechanism_chooser_test.moc"
