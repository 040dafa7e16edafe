// What a training may have beside its task, host and attention: copying and a coverage loss.

#include "core/io/model_folder.h"
#include "core/model/trained_model.h"
#include "tests/ui/train_support.h"

#include <QCheckBox>
#include <QDoubleSpinBox>

using namespace headlight;

class TrainFieldsTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        fail_on_warnings();
        test_ = std::make_unique<TrainingUnderTest>();
        test_->choose_small("copy", 20);
    }
    void cleanup() { test_.reset(); }

    void a_copier_is_trained_saved_and_opened_again() {
        QTest::mouseClick(copies(), Qt::LeftButton, {}, QPoint(10, copies()->height() / 2));
        QVERIFY(copies()->isChecked());
        QVERIFY(asked().copies);
        test_->begin();
        test_->finish();
        QCOMPARE(test_->train().current()->name(), QStringLiteral("copy-additive-copying-gru"));
        const QString folder = test_->file(QStringLiteral("copier"));
        test_->train().save_model_to(folder);
        QTRY_VERIFY(test_->button("train_open")->isEnabled());
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

private:
    QCheckBox* copies() { return test_->find<QCheckBox>("train_copies"); }
    QDoubleSpinBox* coverage_loss() { return test_->find<QDoubleSpinBox>("train_coverage_loss"); }
    const RecurrentConfiguration& asked() {
        return std::get<RecurrentConfiguration>(test_->train().form().plan()->settings.model);
    }
    /// Of the loss curves.
    QStringList lines() {
        QStringList names;
        for (const ChartLine& line : test_->train().curves().loss().chart().lines)
            names += line.name;
        return names;
    }

    std::unique_ptr<TrainingUnderTest> test_;
};

QTEST_MAIN(TrainFieldsTest)
#include "train_fields_test.moc"
