// A model that copies shows at each step how much it generates and how much it copies; others show nothing.

#include "core/io/model_folder.h"
#include "tests/support/small_copier.h"
#include "tests/ui/windowed_test.h"
#include "ui/models/candidate_model.h"
#include "ui/views/copy_bar.h"

#include <QListView>
#include <QTemporaryDir>

namespace headlight::copying_step_test {

class CopyingStepTest : public WindowedTest {
    Q_OBJECT
private slots:
    void initTestCase() {
        for (const bool copies : {true, false})
            write_model_folder(test::small_copier(copies, 120), folder(copies).toStdString());
    }

    void says_how_much_it_copies() {
        generate(true);
        QTRY_VERIFY(bar()->isVisible());
        QVERIFY(bar()->toolTip().contains(QLatin1String("See, Liu and Manning 2017")));
        QVERIFY(bar()->toolTip().contains(QLatin1String("leave less to copy")));
        const Transcript& transcript = *test_->document().run()->transcript;
        const auto step = static_cast<std::size_t>(candidates().step());
        const TranscriptStep& shown = transcript.steps[step];
        QVERIFY(shown.generates && candidates().generates() == shown.generates);
        QCOMPARE(bar()->accessibleName(),
                 QStringLiteral("Generates %1, copies %2")
                     .arg(percent_text(*shown.generates), percent_text(1 - *shown.generates)));
        for (int row = 0; row < candidates().rowCount(); ++row) {
            const QModelIndex index = candidates().index(row);
            const double probability = index.data(CandidateModel::probability_role).toDouble();
            const double copied = index.data(CandidateModel::copied_role).toDouble();
            QVERIFY(copied >= 0 && copied <= probability);
            const QString parts = QStringLiteral("(%1 generated, %2 copied)")
                                      .arg(percent_text(probability - copied), percent_text(copied));
            QVERIFY(index.data(Qt::ToolTipRole).toString().contains(parts));
            QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(parts));
        }
    }

    void stands_right_above_the_candidates() {
        generate(true);
        QTRY_VERIFY(bar()->geometry().bottom() < list()->geometry().top() &&
                    list()->geometry().top() - bar()->geometry().bottom() < 12);
        QTRY_VERIFY(bar()->width() >= bar()->sizeHint().width());
    }

    void says_ends_of_what_has_no_other_words() {
        CopyBar pointer;
        pointer.show_step(0.25, true);
        QCOMPARE(pointer.accessibleName(), QStringLiteral("Ends 25.0 %, points 75.0 %"));
        QVERIFY(pointer.toolTip().contains(QLatin1String("Pointer network")));
        pointer.show_step(0.25);
        QCOMPARE(pointer.accessibleName(), QStringLiteral("Generates 25.0 %, copies 75.0 %"));
    }

    void is_not_there_where_nothing_is_copied() {
        generate(false);
        QVERIFY(!bar()->isVisible());
        QVERIFY(!candidates().generates());
        QVERIFY(!candidates().index(0).data(Qt::ToolTipRole).toString().contains(QLatin1String("copied")));
    }

private:
    QString folder(bool copies) const {
        return models_.filePath(copies ? QStringLiteral("copying") : QStringLiteral("plain"));
    }
    void generate(bool copies) {
        test_->window().files().open_path(folder(copies));
        QTRY_VERIFY(test_->document().run() && test_->document().run()->transcript &&
                    !test_->document().is_running());
    }
    CopyBar* bar() const { return test_->find<CopyBar>("model_copying"); }
    QListView* list() const { return test_->find<QListView>("model_candidates"); }
    CandidateModel& candidates() const { return *static_cast<CandidateModel*>(list()->model()); }

    QTemporaryDir models_;
};

QTEST_MAIN(CopyingStepTest)

}  // namespace headlight::copying_step_test

#include "copying_step_test.moc"
