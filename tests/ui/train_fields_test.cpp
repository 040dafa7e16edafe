// What a training may have beside its task, host and attention: copying and a coverage loss.

#include "core/catalog/family.h"
#include "core/io/model_folder.h"
#include "core/model/trained_model.h"
#include "tests/ui/train_support.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QScrollArea>

namespace headlight::train_fields_test {

class TrainFieldsTest : public TrainingTest {
    Q_OBJECT
private slots:
    void a_window_of_800_pixels_is_not_scrolled_sideways() {
        test_->choose_small("copy", 5);
        test_->begin();
        const int least = test_->train().minimumSizeHint().width();
        QVERIFY2(least <= 800, qPrintable(QString::number(least)));
        test_->train().resize(800, 600);
        for (const auto* area : test_->train().findChildren<QScrollArea*>())
            QTRY_VERIFY(area->widget()->width() <= area->viewport()->width());
        for (const char* id : {"train_open", "train_export", "train_exact_match"}) {
            const QWidget* part = test_->find(id);
            QTRY_COMPARE(part->visibleRegion().boundingRect().width(), part->width());
        }
        test_->finish();
    }

    void init() {
        TrainingTest::init();
        test_->choose_small("copy", 20);
    }

    void a_copier_is_trained_saved_and_opened_again() {
        const int at = copies()->isRightToLeft() ? copies()->width() - 10 : 10;
        QTest::mouseClick(copies(), Qt::LeftButton, {}, QPoint(at, copies()->height() / 2));
        QVERIFY(copies()->isChecked());
        QVERIFY(asked().copies);
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().current()->name(), QStringLiteral("copy-additive-copying-gru"));
        QCOMPARE(test_->train().current()->title(), QStringLiteral("Copy · additive · copying · GRU"));
        const auto film_title = [this] {
            const Figure* film = test_->train().film().view().figure();
            return film ? QString::fromStdString(film->title) : QString();
        };
        QTRY_VERIFY2(film_title().startsWith(test_->train().current()->title() + QLatin1String(", step ")),
                     qPrintable(film_title()));
        const QString folder = test_->file(QStringLiteral("copier"));
        test_->train().save_model_to(folder);
        QTRY_COMPARE(test_->train().current()->saved_to(), folder);
        const TrainedModel saved = read_model_folder(folder.toStdString());
        QVERIFY(std::get<RecurrentConfiguration>(saved.model->configuration).copies);
        test_->click("train_open");
        QTRY_VERIFY(test_->document().run() && test_->document().run()->transcript);
        QCOMPARE(test_->session().model->name, folder.toStdString());
        // How much of a word is copied is shown beside its candidates.
        QTRY_VERIFY(test_->find("model_copying")->isVisible());
    }

    void runs_with_other_coverage_losses_are_told_apart() {
        test_->begin();
        test_->finish();
        coverage_loss()->setValue(0.5);
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().current()->name(), QStringLiteral("copy-additive-covering-gru"));
        QCOMPARE(lines(), (QStringList{QStringLiteral("covering"), QStringLiteral("without covering")}));
        QCOMPARE(test_->train().curves().loss().chart().y.title, QStringLiteral("with coverage loss"));
        coverage_loss()->setValue(1);
        test_->begin();
        test_->finish();
        QCOMPARE(lines(),
                 (QStringList{QStringLiteral("coverage loss 1"), QStringLiteral("coverage loss 0.5")}));
    }

    void they_come_back() {
        copies()->click();
        coverage_loss()->setValue(0.75);
        test_->close();
        test_->start();
        test_->open();
        QTRY_VERIFY(test_->train().form().plan());
        QVERIFY(copies()->isChecked());
        QCOMPARE(coverage_loss()->value(), 0.75);
        QVERIFY(asked().copies);
        QCOMPARE(asked().coverage_loss, 0.75);
    }

    void where_they_cannot_be_had_they_say_why() {
        copies()->click();
        coverage_loss()->setValue(2);
        test_->choose("train_attention", QStringLiteral("hard"));
        QVERIFY(copies()->isEnabled() && copies()->isChecked());
        QVERIFY(!coverage_loss()->isEnabled());
        QVERIFY2(
            coverage_loss()->toolTip().contains(QLatin1String("Needs an attention that spreads weights")),
            qPrintable(coverage_loss()->toolTip()));
        QTRY_VERIFY(test_->train().form().plan());
        QCOMPARE(asked().coverage_loss, 0.0);
        test_->choose("train_host", QStringLiteral("Transformer"));
        for (const QWidget* field :
             {static_cast<QWidget*>(copies()), static_cast<QWidget*>(coverage_loss())}) {
            QVERIFY(!field->isEnabled());
            QVERIFY2(field->toolTip().contains(QLatin1String("Needs a recurrent model")),
                     qPrintable(field->toolTip()));
        }
        QVERIFY(!copies()->isChecked());
        QTRY_VERIFY(test_->train().form().plan());
        QVERIFY(
            !QString::fromStdString(test_->train().form().plan()->name).contains(QLatin1String("copying")));
        // What a person asked for is there again.
        test_->choose("train_host", QStringLiteral("LSTM"));
        test_->choose("train_attention", QStringLiteral("dot"));
        QVERIFY(copies()->isEnabled() && copies()->isChecked());
        QCOMPARE(coverage_loss()->value(), 2.0);
        QVERIFY(!copies()->toolTip().contains(QLatin1String("Needs")));
    }

    void a_transformer_has_the_heads_layers_and_rate_that_were_asked_for() {
        test_->choose("train_host", QStringLiteral("Transformer"));
        QCOMPARE(number("train_heads")->value(), 4);
        QCOMPARE(number("train_layers")->value(), 2);
        QCOMPARE(rate()->text(), QStringLiteral("0.002"));
        test_->set_size(12, 20);
        number("train_heads")->setValue(3);
        number("train_layers")->setValue(1);
        rate()->setValue(0.0005);
        QTRY_VERIFY(test_->train().form().plan());
        const TrainingSettings& settings = test_->train().form().plan()->settings;
        const auto& model = std::get<TransformerConfiguration>(settings.model);
        QCOMPARE(model.heads, Index(3));
        QCOMPARE(model.encoder.size(), std::size_t(1));
        QCOMPARE(settings.schedule.peak, 0.0005);
        test_->begin();
        test_->finish();
        number("train_heads")->setValue(2);
        test_->begin();
        test_->finish();
        QCOMPARE(lines(), (QStringList{QStringLiteral("2 heads"), QStringLiteral("3 heads")}));
    }

    void heads_that_do_not_divide_the_width_are_refused_with_those_that_do() {
        test_->choose("train_host", QStringLiteral("Transformer"));
        test_->set_size(30, 20);
        QVERIFY(!test_->train().form().plan());
        const auto* refusal = test_->find<QLabel>("train_refusal");
        QVERIFY(refusal->isVisible());
        QVERIFY2(refusal->text().contains(QLatin1String("1, 2, 3, 5, 6, 10, 15 or 30")),
                 qPrintable(refusal->text()));
        number("train_heads")->setValue(5);
        QVERIFY(test_->train().form().plan());
        QVERIFY(!refusal->isVisible());
    }

    void heads_and_turns_of_a_recurrent_host_say_what_they_need_and_all_come_back() {
        for (const char* id : {"train_heads", "train_turns", "train_segment"}) {
            QVERIFY2(!number(id)->isEnabled(), id);
            QVERIFY2(number(id)->toolTip().contains(QLatin1String("Needs a Transformer")), id);
        }
        QVERIFY(number("train_layers")->isEnabled() && number("train_hops")->isEnabled());
        QVERIFY(rate()->isEnabled());
        test_->choose("train_host", QStringLiteral("Transformer"));
        test_->set_size(12, 20);
        number("train_heads")->setValue(6);
        number("train_layers")->setValue(3);
        rate()->setValue(0.001);
        test_->close();
        test_->start();
        test_->open();
        QTRY_VERIFY(test_->train().form().plan());
        QVERIFY(number("train_heads")->isEnabled());
        QCOMPARE(number("train_heads")->value(), 6);
        QCOMPARE(number("train_layers")->value(), 3);
        QCOMPARE(rate()->value(), 0.001);
    }

    void layers_hops_and_turns_reach_the_model() {
        number("train_layers")->setValue(2);
        number("train_hops")->setValue(3);
        QTRY_VERIFY(test_->train().form().plan());
        const auto recurrent = std::get<RecurrentConfiguration>(test_->train().form().plan()->settings.model);
        QCOMPARE(recurrent.layers, Index(2));
        QCOMPARE(recurrent.hops, Index(3));
        test_->choose("train_host", QStringLiteral("Universal"));
        QTRY_COMPARE(number("train_turns")->value(), 4);
        QVERIFY(!number("train_hops")->isEnabled());
        number("train_turns")->setValue(2);
        QTRY_VERIFY(test_->train().form().plan());
        const auto universal =
            std::get<TransformerConfiguration>(test_->train().form().plan()->settings.model);
        QCOMPARE(universal.turns, Index(2));
        QCOMPARE(universal.encoder.size(), std::size_t(1));
        // What was asked for comes back with a host that can have it.
        test_->choose("train_host", QStringLiteral("GRU"));
        QTRY_COMPARE(number("train_hops")->value(), 3);
    }

    void segments_reach_the_model_of_a_decoder_and_say_what_they_need_elsewhere() {
        test_->choose("train_host", QStringLiteral("XL"));
        QTRY_COMPARE(number("train_segment")->value(), 16);
        const auto planned = [this] {
            return std::get<TransformerConfiguration>(test_->train().form().plan()->settings.model);
        };
        QTRY_VERIFY(test_->train().form().plan());
        QCOMPARE(planned().segment, Index(16));
        number("train_segment")->setValue(5);
        QTRY_VERIFY(test_->train().form().plan());
        QCOMPARE(planned().segment, Index(5));
        test_->close();
        test_->start();
        test_->open();
        QTRY_VERIFY(test_->train().form().plan());
        QCOMPARE(number("train_segment")->value(), 5);
        test_->choose("train_host", QStringLiteral("Convolutional"));
        QTRY_VERIFY(!number("train_segment")->isEnabled());
        QVERIFY(number("train_segment")->toolTip().contains(QLatin1String("attends to what it says")));
        QTRY_VERIFY(test_->train().form().plan());
        QCOMPARE(planned().segment, Index(0));
    }

    void published_layers_stand_under_the_families_of_the_catalogue() {
        const auto* list = test_->find<QComboBox>("train_layers_choice");
        QCOMPARE(list->itemText(0), QStringLiteral("All alike"));
        QStringList headings;
        for (int row = 1; row < list->count(); ++row) {
            const bool is_heading =
                !list->model()->flags(list->model()->index(row, 0)).testFlag(Qt::ItemIsEnabled);
            if (is_heading)
                headings << list->itemText(row);
            else if (const QString above = list->itemText(row - 1); above != headings.constLast())
                QVERIFY2(above.compare(list->itemText(row), Qt::CaseInsensitive) < 0, qPrintable(above));
        }
        QStringList families;
        for (const Family& family : headlight::families())
            if (headings.contains(QString::fromStdString(family.name)))
                families << QString::fromStdString(family.name);
        QCOMPARE(headings, families);
        QVERIFY(headings.size() > 1);
    }

private:
    QSpinBox* number(const char* id) { return test_->find<QSpinBox>(id); }
    QDoubleSpinBox* rate() { return test_->find<QDoubleSpinBox>("train_rate"); }
    QCheckBox* copies() { return test_->find<QCheckBox>("train_copies"); }
    QDoubleSpinBox* coverage_loss() { return test_->find<QDoubleSpinBox>("train_coverage_loss"); }
    const RecurrentConfiguration& asked() {
        return std::get<RecurrentConfiguration>(test_->train().form().plan()->settings.model);
    }
    /// The names of the loss curves.
    QStringList lines() {
        QStringList names;
        for (const ChartLine& line : test_->train().curves().loss().chart().lines)
            names += line.name;
        return names;
    }
};

QTEST_MAIN(TrainFieldsTest)

}  // namespace headlight::train_fields_test

#include "train_fields_test.moc"
