// Rows of a test share a window for as long as they leave it as it began.

#include "tests/ui/windowed_test.h"

#include <string>

namespace headlight::windowed_test_test {

class WindowedTestTest : public WindowedTest {
    Q_OBJECT
private slots:
    void what_a_row_leaves_is_gone_in_the_next_data() {
        share_over_rows();
        QTest::addColumn<QString>("leaves");
        QTest::addColumn<bool>("keeps_the_window");
        QTest::newRow("nothing") << "nothing" << true;
        QTest::newRow("another session") << "session" << true;
        QTest::newRow("another focus") << "focus" << true;
        QTest::newRow("a folded column") << "fold" << false;
        QTest::newRow("notes put away") << "notes" << false;
        QTest::newRow("another size") << "size" << false;
        QTest::newRow("the last") << "nothing" << true;
    }
    void what_a_row_leaves_is_gone_in_the_next() {
        QFETCH(QString, leaves);
        QFETCH(bool, keeps_the_window);
        QCOMPARE(test_->window().property("was_shared").toBool(), is_kept_);
        if (first_session_.empty()) {
            first_session_ = write_session(test_->session());
            first_focus_ = name_of_focus();
        }
        QCOMPARE(write_session(test_->session()), first_session_);
        QCOMPARE(name_of_focus(), first_focus_);
        QVERIFY(test_->find("sequence_dock")->isVisible());
        QCOMPARE(test_->window().size(), QSize(1280, 800));
        QVERIFY(test_->find<QAction>("show_notes")->isChecked());
        test_->window().setProperty("was_shared", true);
        is_kept_ = keeps_the_window;
        if (leaves == QStringLiteral("session"))
            open_session(test_->document(), small_session("causal"));
        else if (leaves == QStringLiteral("focus"))
            test_->find("query_text")->setFocus();
        else if (leaves == QStringLiteral("fold"))
            test_->trigger("fold_left");
        else if (leaves == QStringLiteral("notes"))
            test_->trigger("show_notes");
        else if (leaves == QStringLiteral("size"))
            test_->window().resize(1300, 810);
    }

    void another_test_has_another_window() { QVERIFY(!test_->window().property("was_shared").toBool()); }

private:
    static QString name_of_focus() {
        return QApplication::focusWidget() ? QApplication::focusWidget()->objectName() : QString();
    }

    bool is_kept_ = false;       ///< the window of the row before
    std::string first_session_;  ///< of the first row, and what had the focus in it
    QString first_focus_;
};

QTEST_MAIN(WindowedTestTest)

}  // namespace headlight::windowed_test_test

#include "windowed_test_test.moc"
