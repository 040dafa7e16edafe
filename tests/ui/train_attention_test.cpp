// What a model attends with while it learns: found among many, its knobs set, each layer's own from a file.

#include "core/io/files.h"
#include "tests/ui/train_support.h"
#include "ui/models/mechanism_library.h"
#include "ui/panels/attention_combo.h"
#include "ui/panels/training_layers.h"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QTreeView>

#include <algorithm>

namespace headlight::train_attention_test {

namespace {

const std::string some_layers =
    R"(["window", {"attention": "window", "set": {"size": 4}}, {"attention": "grouped_query"}])";

}  // namespace

class TrainAttentionTest : public TrainingTest {
    Q_OBJECT
private slots:
    void init() {
        TrainingTest::init();
        test_->choose_small("copy", 5);
        test_->choose("train_host", QStringLiteral("GPT"));
        test_->set_size(16, 5);
        QTRY_VERIFY(asked() && !attention()->is_trying());
    }

    void a_part_of_a_name_finds_it() {
        QTest::keyClicks(attention(), QStringLiteral("s"));
        QVERIFY(search()->isVisible());
        QTest::keyClicks(search(), QStringLiteral("liding"));
        QCOMPARE(search()->text(), QStringLiteral("sliding"));
        QTest::keyClick(search(), Qt::Key_Return);
        QVERIFY(!search()->isVisible());
        QCOMPARE(attention()->currentText(), QStringLiteral("Sliding window attention (window)"));
        QCOMPARE(asked()->attention, std::string("window"));
        // Whatever it is called, and however that is typed.
        for (const auto& [typed, found] : {std::pair("gqa", "grouped_query"),
                                           {"Grouped-query", "grouped_query"},
                                           {"sparsem", "sparsemax"},
                                           {"qwen3-next", "gated_delta"},
                                           {"additive", "additive"}}) {
            QTest::mouseClick(attention(), Qt::LeftButton);
            QTest::keyClicks(search(), QString::fromLatin1(typed));
            QTest::keyClick(search(), Qt::Key_Return);
            QCOMPARE(attention()->currentData().toString(), QString::fromLatin1(found));
        }
    }

    // A host that no other test here has had: what can learn in it is known already otherwise.
    void all_are_there_while_it_is_tried_which_can_learn() {
        auto* hosts = test_->find<QComboBox>("train_host");
        hosts->setCurrentIndex(hosts->findData(static_cast<int>(HostType::universal)));
        QVERIFY(hosts->currentIndex() >= 0);
        emit hosts->activated(hosts->currentIndex());
        QVERIFY(attention()->is_trying());
        QVERIFY(attention()->chosen());
        QVERIFY(attention()->itemText(0).startsWith(QLatin1String("Trying")));
        QCOMPARE(attention()->itemText(attention()->findData(QStringLiteral("window"))),
                 QStringLiteral("Sliding window attention (window)"));
        const int all = attention()->count();
        QTRY_VERIFY(asked());
        QVERIFY2(test_->find<QSpinBox>("train_width")->value() > 2, "the least is no suggestion");
        const QVariant chosen = attention()->currentData();
        QTRY_VERIFY(!attention()->is_trying());
        QCOMPARE(attention()->itemText(0), QStringLiteral("Scores"));
        QVERIFY(attention()->findData(QStringLiteral("window")) > 0);
        QVERIFY2(attention()->count() < all - 1, "what is impossible has gone");
        QCOMPARE(attention()->currentData(), chosen);
    }

    void what_is_nowhere_is_said_and_chooses_nothing() {
        const QString before = attention()->currentText();
        QTest::mouseClick(attention(), Qt::LeftButton);
        QVERIFY(!test_->find("train_attention_nothing")->isVisible());
        QTest::keyClicks(search(), QStringLiteral("zzz"));
        QVERIFY(test_->find("train_attention_nothing")->isVisible());
        QTest::keyClick(search(), Qt::Key_Return);
        QVERIFY(search()->isVisible());
        QTest::keyClick(search(), Qt::Key_Escape);
        QVERIFY(!search()->isVisible());
        QCOMPARE(attention()->currentText(), before);
    }

    void the_keys_move_past_headings() {
        test_->choose("train_attention", QStringLiteral("dot"));
        QTest::keyClick(attention(), Qt::Key_Space);
        const auto* rows = test_->find<QTreeView>("train_attention_rows");
        QCOMPARE(rows->currentIndex().data().toString(), QStringLiteral("dot"));
        // To the first of all, and no further: above it is a heading.
        for (int press = 0; press < 3; ++press)
            QTest::keyClick(search(), Qt::Key_PageUp);
        QCOMPARE(rows->currentIndex().row(), 1);
        // Through the scores and over the heading behind them.
        const int scores = attention()->findText(QStringLiteral("Normalisers")) - 1;
        for (int press = 0; press < scores; ++press)
            QTest::keyClick(search(), Qt::Key_Down);
        QCOMPARE(rows->currentIndex().row(), scores + 2);
        QTest::keyClick(search(), Qt::Key_Return);
        QCOMPARE(attention()->currentIndex(), scores + 2);
        QCOMPARE(asked()->attention, attention()->currentData().toString().toStdString());
    }

    void ones_own_mechanisms_stand_above_the_others() {
        const Mechanism& whole = *std::ranges::find_if(
            mechanisms(), [](const Mechanism& each) { return each.properties.needs_whole_text; });
        const AttentionSpec narrow = build_spec(mechanism("window"), {});
        auto* library = test_->window().findChild<MechanismLibrary*>();
        library->save({"Narrow", narrow});
        library->save({"Whole", build_spec(whole, {})});
        const auto row = [this](const char* name) { return attention()->findText(QLatin1String(name)); };
        QTRY_VERIFY(row("Narrow") == 1 && row("Whole") == 2);
        QCOMPARE(attention()->itemText(0), QStringLiteral("Mine"));
        QTRY_VERIFY(!attention()->is_trying());
        const auto can_be_chosen = [&](const char* name) {
            const auto flags = attention()->model()->index(row(name), 0).flags();
            return flags.testFlag(Qt::ItemIsEnabled);
        };
        QVERIFY(can_be_chosen("Narrow") && !can_be_chosen("Whole"));
        QVERIFY2(!attention()->itemData(row("Whole"), Qt::ToolTipRole).toString().isEmpty(), "says why");
        test_->choose("train_attention", QStringLiteral("Narrow"));
        QTRY_VERIFY(asked());
        QVERIFY(asked()->own == narrow && asked()->attention.empty());
        QVERIFY(model().mechanism()->mask == narrow.mask);
        QCOMPARE(test_->train().form().plan()->name, std::string("copy-own-Narrow-gpt"));
        const auto heads = [this] { return test_->find<QSpinBox>("train_heads"); };
        QCOMPARE(Index(heads()->value()), narrow.heads.count());
        QVERIFY(!heads()->isEnabled() && heads()->toolTip().startsWith(QLatin1String("Your mechanism")));
        // Whether the library or this window is there first.
        start_again();
        QTRY_VERIFY(asked() && asked()->own == narrow);
        test_->choose("train_attention", QStringLiteral("window"));
        QVERIFY(heads()->isEnabled());
        QCOMPARE(heads()->value(), 4);
    }

    void knobs_reach_the_recipe() {
        test_->choose("train_attention", QStringLiteral("window"));
        QVERIFY(asked()->values.empty());
        size()->setValue(4);
        QCOMPARE(asked()->values, (ParameterValues{{"size", Index(4)}}));
        QVERIFY(model().mechanism()->mask == build_spec(mechanism("window"), asked()->values).mask);
        size()->setValue(3);  // the default, which nobody has to say
        QVERIFY(asked()->values.empty());
    }

    void each_mechanism_has_its_own_knobs() {
        test_->choose("train_attention", QStringLiteral("window"));
        size()->setValue(5);
        test_->choose("train_attention", QStringLiteral("grouped_query"));
        QVERIFY(asked()->values.empty());
        QVERIFY(test_->find("train_knob_kv_heads")->isVisible());
        for (const char* id : {"train_knob_heads", "train_knob_source"})
            QVERIFY2(!test_->find(id), id);  // the model decides
        QTRY_VERIFY(!size());
        test_->choose("train_attention", QStringLiteral("window"));
        QCOMPARE(size()->value(), 5.0);
        QCOMPARE(asked()->values, (ParameterValues{{"size", Index(5)}}));
        test_->choose("train_host", QStringLiteral("GRU"));
        QTRY_VERIFY(asked());
        QVERIFY(asked()->values.empty());
        QTRY_VERIFY(!size());
    }

    // A recurrent model has no field for them.
    void heads_of_a_recurrent_model_are_a_knob() {
        test_->choose("train_host", QStringLiteral("GRU"));
        QTRY_VERIFY(asked());
        QVERIFY(!test_->find("train_knob_activation"));  // of its score alone
        test_->choose("train_attention", QStringLiteral("multi_head"));
        QTRY_VERIFY(asked());
        auto* heads = test_->find<QDoubleSpinBox>("train_knob_heads");
        QVERIFY(heads && heads->isVisible());
        heads->setValue(2);
        QTRY_VERIFY(asked());
        QCOMPARE(asked()->values, (ParameterValues{{"heads", Index(2)}}));
        const auto& recurrent =
            std::get<RecurrentConfiguration>(test_->train().form().plan()->settings.model);
        QCOMPARE(recurrent.mechanism->heads.heads, Index(2));
        test_->choose("train_host", QStringLiteral("GPT"));
        QTRY_VERIFY(asked());
        QVERIFY(!asked()->values.contains("heads"));
    }

    void tab_goes_from_the_attention_to_its_knobs() {
        test_->choose("train_attention", QStringLiteral("window"));
        attention()->setFocus();
        QTRY_VERIFY(attention()->hasFocus());
        QTest::keyClick(attention(), Qt::Key_Tab);
        const QString reached = test_->train().focusWidget()->objectName();
        QVERIFY2(reached.startsWith(QLatin1String("train_knob_")), qPrintable(reached));
    }

    void knobs_come_back() {
        test_->choose("train_attention", QStringLiteral("window"));
        size()->setValue(4);
        start_again();
        QTRY_VERIFY(asked());
        QCOMPARE(asked()->values, (ParameterValues{{"size", Index(4)}}));
        QCOMPARE(size()->value(), 4.0);
    }

    void a_file_of_layers_reaches_the_recipe() {
        test_->choose("train_attention", QStringLiteral("window"));
        const QString path = written(some_layers);
        QTimer::singleShot(0, &test_->train(), [&] { accept_file(path); });
        const int own_layers = test_->find<QSpinBox>("train_layers")->value();
        test_->button("train_layers_open")->click();
        QTRY_VERIFY(lists_layers());
        QVERIFY(asked()->attention.empty() && !asked()->layers);
        QCOMPARE(model().decoder.size(), std::size_t(3));
        QVERIFY(model().decoder[0].mechanism != model().decoder[1].mechanism);
        QCOMPARE(choice()->currentText(), QStringLiteral("As in layers.json"));
        QCOMPARE(said()->text(), QStringLiteral("1: Sliding window attention\n"
                                                "2: Sliding window attention (size=4)\n"
                                                "3: Grouped-query attention"));
        // What it says is not asked for twice.
        const auto* layers = test_->find<QSpinBox>("train_layers");
        QCOMPARE(layers->value(), 3);
        for (const QWidget* field : std::initializer_list<const QWidget*>{layers, attention()}) {
            QVERIFY(!field->isEnabled());
            QVERIFY2(field->toolTip().startsWith(QLatin1String("The list of layers says")),
                     qPrintable(field->toolTip()));
        }
        QTRY_VERIFY(!size());
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().current()->name(), QStringLiteral("copy-layers-gpt"));

        test_->choose("train_layers_choice", QStringLiteral("All alike"));
        QVERIFY(asked()->attentions.empty());
        QCOMPARE(asked()->attention, std::string("window"));
        QVERIFY(layers->isEnabled() && attention()->isEnabled() && !said()->isVisible());
        QCOMPARE(layers->value(), own_layers);
        test_->choose("train_layers_choice", QStringLiteral("As in layers.json"));
        QVERIFY(lists_layers());
    }

    void layers_take_turns_as_in_a_published_model() {
        test_->choose("train_layers_choice", QStringLiteral("As in Qwen3-Next"));
        QTRY_VERIFY(lists_layers());
        QCOMPARE(said()->text(), QStringLiteral("1–3: Gated DeltaNet\n4: Gated attention"));
        QCOMPARE(test_->find<QSpinBox>("train_layers")->value(), 4);
        QCOMPARE(model().decoder.size(), std::size_t(4));
        QVERIFY2(choice()
                     ->itemData(choice()->currentIndex(), Qt::ToolTipRole)
                     .toString()
                     .startsWith(QLatin1String("Qwen3-Next: Three layers of Gated DeltaNet")),
                 "how its layers follow one another");
        // It comes back, also beside a file that was read in between.
        open(written(some_layers));
        QTRY_COMPARE(choice()->currentText(), QStringLiteral("As in layers.json"));
        test_->choose("train_layers_choice", QStringLiteral("As in Gemma 2"));
        QVERIFY(lists_layers() && asked()->attentions.all.size() == 2);
        start_again();
        QTRY_VERIFY(lists_layers());
        QCOMPARE(choice()->currentText(), QStringLiteral("As in Gemma 2"));
        test_->choose("train_layers_choice", QStringLiteral("All alike"));
        QVERIFY(asked()->attentions.empty());
        // Nor is the file forgotten: it can be chosen again, and is not asked for before.
        start_again();
        QTRY_VERIFY(choice()->findText(QStringLiteral("As in layers.json")) >= 0);
        QCOMPARE(choice()->currentText(), QStringLiteral("All alike"));
        test_->choose("train_layers_choice", QStringLiteral("As in layers.json"));
        QVERIFY(lists_layers());
        start_again();
        QTRY_COMPARE(choice()->currentText(), QStringLiteral("As in layers.json"));
        // Nor where something else is chosen before it has been read.
        test_->choose("train_layers_choice", QStringLiteral("All alike"));
        start_again();
        test_->choose("train_layers_choice", QStringLiteral("As in Gemma 2"));
        QTRY_VERIFY(choice()->findText(QStringLiteral("As in layers.json")) >= 0);
        QCOMPARE(choice()->currentText(), QStringLiteral("As in Gemma 2"));
        test_->choose("train_layers_choice", QStringLiteral("As in gpt-oss"));
        QCOMPARE(said()->text(), QStringLiteral("1: Sliding window attention (normaliser sink)\n"
                                                "2: Grouped-query attention (normaliser sink)"));
    }

    void layers_that_share_keys_are_told_and_reach_the_model() {
        open(written(R"(["window", {"attention": "window", "shares": 1}])"));
        QTRY_VERIFY(lists_layers());
        QCOMPARE(said()->text(), QStringLiteral("1: Sliding window attention\n"
                                                "2: Sliding window attention, keys and values of layer 1"));
        QVERIFY(shares_of(model().decoder) == (SharedKeys{std::nullopt, 0}));
    }

    void a_file_that_cannot_be_read_is_told_and_changes_nothing() {
        open(written("[\"window\", \"windw\"]", "wrong.json"));
        QTRY_VERIFY(refusal()->isVisible());
        for (const char* part : {"wrong.json", "layer 2", "did you mean \"window\"?"})
            QVERIFY2(refusal()->text().contains(QLatin1String(part)), qPrintable(refusal()->text()));
        QVERIFY(asked()->attentions.empty() && attention()->isEnabled());
        QVERIFY(test_->button("train_start")->isEnabled());
        QCOMPARE(choice()->findText(QStringLiteral("As in wrong.json")), -1);
        // Nor is a list given up for it.
        open(written(some_layers));
        QTRY_VERIFY(lists_layers());
        QVERIFY(!refusal()->isVisible());
        open(written("[{\"attention\": \"window\", \"shares\": 1}]", "wrong.json"));
        QTRY_VERIFY(refusal()->isVisible());
        QVERIFY(refusal()->text().contains(QLatin1String("/shares")));
        QVERIFY(lists_layers());
        QCOMPARE(choice()->currentText(), QStringLiteral("As in layers.json"));
        test_->choose("train_layers_choice", QStringLiteral("All alike"));
        QVERIFY(!refusal()->isVisible());
    }

    void layers_that_the_model_cannot_have_are_refused() {
        open(written(R"({"encoder": ["window"], "decoder": ["window"]})"));
        QTRY_VERIFY(refusal()->isVisible());
        QVERIFY2(refusal()->text().contains(QLatin1String("no such layers in host gpt")),
                 qPrintable(refusal()->text()));
        QVERIFY(!asked() && !test_->button("train_start")->isEnabled());
        test_->choose("train_host", QStringLiteral("Transformer"));
        QTRY_VERIFY(asked());
        QCOMPARE(model().encoder.size(), std::size_t(1));
        QVERIFY(model().encoder[0].mechanism);
        QVERIFY(said()->text().startsWith(QLatin1String("Encoder 1: Sliding window attention\nDecoder 1: ")));
    }

    void a_recurrent_model_has_no_layers_of_their_own() {
        open(written(some_layers));
        QTRY_VERIFY(lists_layers());
        test_->choose("train_host", QStringLiteral("LSTM"));
        QTRY_VERIFY(asked());
        QVERIFY(asked()->attentions.empty() && attention()->isEnabled() && !said()->isVisible());
        for (const QWidget* field :
             std::initializer_list<const QWidget*>{choice(), test_->button("train_layers_open")}) {
            QVERIFY(!field->isEnabled());
            QVERIFY2(field->toolTip().contains(QLatin1String("Needs a Transformer")),
                     qPrintable(field->toolTip()));
        }
        // What a person asked for is there again.
        test_->choose("train_host", QStringLiteral("GPT"));
        QTRY_VERIFY(lists_layers());
    }

    void a_file_of_layers_is_read_again() {
        const QString path = written(some_layers);
        open(path);
        QTRY_VERIFY(lists_layers());
        start_again();
        QTRY_VERIFY(lists_layers());
        QCOMPARE(choice()->currentText(), QStringLiteral("As in layers.json"));
        QVERIFY(QFile::remove(path));
        start_again();
        QTRY_VERIFY(asked());
        QVERIFY(asked()->attentions.empty());
        QVERIFY2(refusal()->text().contains(QLatin1String("layers.json")), qPrintable(refusal()->text()));
    }

    void a_recipe_fills_in_knobs_and_layers() {
        Recipe recipe = *asked();
        recipe.attention = "window";
        recipe.values = {{"size", Index(6)}};
        test_->train().form().fill_in(recipe, {});
        QTRY_VERIFY(asked());
        QCOMPARE(asked()->values, recipe.values);
        recipe.attention.clear();
        recipe.values.clear();
        recipe.layers.reset();
        recipe.attentions.all = {LayerAttention{.mechanism = "window"},
                                 LayerAttention{.mechanism = "causal"}};
        test_->train().form().fill_in(recipe, {});
        QTRY_VERIFY(lists_layers());
        QVERIFY(asked()->attentions == recipe.attentions);
        QCOMPARE(choice()->currentText(), QStringLiteral("As filled in"));
    }

private:
    const std::optional<Recipe>& asked() { return test_->train().form().asked(); }
    bool lists_layers() { return asked() && !asked()->attentions.empty(); }
    const TransformerConfiguration& model() {
        return std::get<TransformerConfiguration>(test_->train().form().plan()->settings.model);
    }
    AttentionCombo* attention() { return test_->find<AttentionCombo>("train_attention"); }
    QLineEdit* search() { return test_->find<QLineEdit>("train_attention_search"); }
    QComboBox* choice() { return test_->find<QComboBox>("train_layers_choice"); }
    QLabel* said() { return test_->find<QLabel>("train_layers_said"); }
    QLabel* refusal() { return test_->find<QLabel>("train_refusal"); }
    /// The knob of a window; null where that is not what attends.
    QDoubleSpinBox* size() { return test_->find<QDoubleSpinBox>("train_knob_size"); }

    QString written(const std::string& layers, const char* name = "layers.json") {
        const QString path = test_->file(QLatin1String(name));
        write_file_atomically(path.toStdString(), layers);
        return path;
    }
    void open(const QString& path) { test_->train().findChild<TrainingLayers*>()->read(path); }
    void start_again() {
        test_->close();
        test_->start();
        test_->open();
    }
};

QTEST_MAIN(TrainAttentionTest)

}  // namespace headlight::train_attention_test

#include "train_attention_test.moc"
