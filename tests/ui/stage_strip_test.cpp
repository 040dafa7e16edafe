// The strip of stages shows whole names, however little room it has.

#include "tests/ui/windowed_test.h"
#include "ui/views/stage_strip.h"

#include <QButtonGroup>
#include <QToolButton>

using namespace headlight;

class StageStripTest : public QObject {
    Q_OBJECT
private slots:
    void init() { fail_on_warnings(); }

    void no_name_is_cut() {
        StageStrip strip;
        const std::vector<StageStrip::Named> stages{
            {"tokens", "Token vectors"}, {"query", "Query"},     {"key", "Key"},
            {"scores", "Scores"},        {"scaled", "Scaled scores"}, {"exp", "Exponentials"},
            {"weights", "Weights"},      {"context", "Context"}, {"output", "Output"}};
        strip.set_stages(stages);
        strip.show();
        for (const int width : {900, 640, 420, 300, 190}) {
            strip.resize(width, strip.sizeHint().height());
            for (const auto& [name, title] : stages) {
                strip.set_current(name);
                QTRY_VERIFY2(shows_whole_names(strip, name), qPrintable(QStringLiteral("%1 at %2").arg(
                                                                 QString::fromStdString(name)).arg(width)));
            }
        }
    }

    void it_scrolls_to_both_ends() {
        StageStrip strip;
        strip.set_stages({{"a", "Token vectors"}, {"b", "Scaled scores"}, {"c", "Exponentials"},
                          {"d", "Concatenation"}, {"e", "Weights"}});
        strip.set_current("c");
        strip.resize(300, strip.sizeHint().height());
        strip.show();
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
        const auto scroller = [&](const char* name) {
            for (auto* button : strip.findChildren<QToolButton*>())
                if (button->accessibleName() == QLatin1String(name))
                    return button;
            return static_cast<QToolButton*>(nullptr);
        };
        for (const auto& [scrolls, reached] :
             {std::pair("Later stages", "e"), std::pair("Earlier stages", "a")}) {
            for (int presses = 0; presses < 5 && scroller(scrolls)->isEnabled(); ++presses) {
                scroller(scrolls)->click();
                QTRY_VERIFY(shows_whole_names(strip, {}));
            }
            QVERIFY(!scroller(scrolls)->isEnabled());
            QVERIFY(is_whole(*strip.findChild<QToolButton*>(QLatin1String(reached))));
        }
    }

private:
    static bool is_whole(const QToolButton& button) {
        return button.visibleRegion().boundingRect() == button.rect();
    }
    /// And that one's among them, if any.
    static bool shows_whole_names(const StageStrip& strip, const std::string& name) {
        for (const QAbstractButton* each : strip.findChild<QButtonGroup*>()->buttons()) {
            const auto& button = *qobject_cast<const QToolButton*>(each);
            const bool is_wanted = button.objectName().toStdString() == name;
            if (!is_whole(button) && (is_wanted || !button.visibleRegion().isEmpty()))
                return false;
        }
        return true;
    }
};

QTEST_MAIN(StageStripTest)
#include "stage_strip_test.moc"
