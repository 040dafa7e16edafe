// Tab goes through the whole window and comes back, whatever is open.

#include "tests/ui/lesson_support.h"

#include <QLabel>
#include <QSet>

namespace headlight::tab_walk_test {

class TabWalkTest : public GivenLessonTest {
    Q_OBJECT
private slots:
    void init() {
        GivenLessonTest::init();
        test_->window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&test_->window(), patience));
    }

    void every_tab_leads_on_and_around() { walk({"player-speed"}); }

    /// The question takes the keys of the player, but not this one.
    void an_open_question_keeps_nobody_in_the_player() {
        open("softmax");
        QVERIFY(player().open_question());
        walk({"lesson_show_answer", "lesson_leave"});
    }

private:
    void walk(const QStringList& wanted) {
        QWidget* const begun = test_->find("player-play");
        QVERIFY(begun);
        begun->setFocus(Qt::TabFocusReason);
        QVERIFY(begun->hasFocus());
        QSet<QString> reached;
        constexpr int most = 200;
        int steps = 0;
        do {
            QWidget* const before = QApplication::focusWidget();
            QTest::keyClick(before, Qt::Key_Tab);
            const auto* words = qobject_cast<QLabel*>(before);  // whose links are reached one by one
            QVERIFY2(words || QApplication::focusWidget() != before, qPrintable(before->objectName()));
            reached.insert(QApplication::focusWidget()->objectName());
        } while (QApplication::focusWidget() != begun && ++steps < most);
        QVERIFY(steps < most);
        for (const QString& id : wanted)
            QVERIFY2(reached.contains(id), qPrintable(id));
    }
};

QTEST_MAIN(TabWalkTest)

}  // namespace headlight::tab_walk_test

#include "tab_walk_test.moc"
