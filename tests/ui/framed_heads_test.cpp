// The model grid, whose maps a statistic frames.

#include "core/io/session.h"
#include "tests/ui/windowed_test.h"
#include "ui/models/head_overviews.h"
#include "ui/panels/view_tabs.h"
#include "ui/views/heads_canvas.h"

#include <QComboBox>
#include <QLabel>

#include <algorithm>

namespace headlight::framed_heads_test {

class FramedHeadsTest : public WindowedTest {
    Q_OBJECT
private slots:
    void a_statistic_frames_the_maps() {
        drop(test_->window(), QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/support/captures/translation.npz"));
        QTRY_VERIFY(test_->document().run() && !test_->document().run()->plan);
        ViewState there = test_->document().view();
        there.view = ViewKind::model_grid;
        test_->document().looking().look_at(there);
        auto* canvas = test_->window().views().currentWidget()->findChild<HeadsCanvas*>();
        QTRY_VERIFY(canvas && canvas->figure());
        const HeadOverviews& known = HeadOverviews::of(test_->document());
        QTRY_VERIFY(known.overview() && known.overview()->has_statistics);
        const auto framed = [canvas] { return canvas->figure()->panels.front().marks->framed; };
        const QImage plain = canvas->grab().toImage();
        choose(QStringLiteral("entropy"));
        QCOMPARE(test_->session().view.heads.framed_by, std::string("entropy"));
        QCOMPARE(framed().size(), std::size_t(12));
        QCOMPARE(std::ranges::max(framed()), 1.0);
        QCOMPARE(std::ranges::min(framed()), 0.0);
        QVERIFY(canvas->grab().toImage() != plain);
        QVERIFY(test_->find<QLabel>("heads_note")->text().contains(QLatin1String("entropy ")));
        const Session kept = parse_session(write_session(test_->session()));
        QCOMPARE(kept.view.heads.framed_by, std::string("entropy"));
        choose(QString());
        QVERIFY(framed().empty());
    }

    void what_no_head_has_is_grey_and_orders_nothing() {
        const auto look_at_model = [this](const char* sorted_by) {
            ViewState there = test_->document().view();
            there.view = ViewKind::model_grid;
            if (sorted_by)
                there.heads.sorted_by = sorted_by;
            test_->document().looking().look_at(there);
        };
        const auto counted = [this] {
            const HeadOverviews& overviews = HeadOverviews::of(test_->document());
            return overviews.overview() && overviews.overview()->has_statistics &&
                   overviews.run() == test_->document().run();
        };
        drop(test_->window(), QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/support/captures/translation.npz"));
        QTRY_VERIFY(test_->document().run() && !test_->document().run()->plan);
        const auto before = test_->document().run();
        look_at_model("duplicate");
        QTRY_VERIFY(counted());
        QCOMPARE(test_->session().view.heads.sorted_by, std::string("duplicate"));
        const auto can_choose = [this](const char* name) {
            auto* choice =
                test_->window().views().currentWidget()->findChild<QComboBox*>(QStringLiteral("heads_order"));
            const int row = choice->findData(QLatin1String(name));
            return choice->model()->flags(choice->model()->index(row, 0)).testFlag(Qt::ItemIsEnabled);
        };
        QVERIFY(can_choose("duplicate"));
        QVERIFY(!can_choose("change"));
        drop(test_->window(), QStringLiteral(HEADLIGHT_SOURCE_DIR "/tests/support/captures/plain.npy"));
        QTRY_VERIFY(test_->document().run() && test_->document().run() != before);
        look_at_model(nullptr);
        QTRY_VERIFY(counted());
        QTRY_COMPARE(test_->session().view.heads.sorted_by, std::string());
        QVERIFY(!can_choose("duplicate"));
    }

private:
    void choose(const QString& name) {
        auto* choice =
            test_->window().views().currentWidget()->findChild<QComboBox*>(QStringLiteral("heads_frame"));
        choice->setCurrentIndex(choice->findData(name));
        emit choice->activated(choice->currentIndex());
    }
};

QTEST_MAIN(FramedHeadsTest)

}  // namespace headlight::framed_heads_test

#include "framed_heads_test.moc"
