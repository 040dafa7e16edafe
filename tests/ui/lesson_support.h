#pragma once

#include "core/lesson/shipped_lessons.h"
#include "tests/ui/windowed_test.h"
#include "ui/lesson/lesson_player.h"

#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTextBrowser>

#include <algorithm>
#include <string>

namespace headlight {

/// Tests of lessons, each in a window of a first start.
class GivenLessonTest : public WindowedTest {
    Q_OBJECT
protected slots:
    void init() {
        init_first_start();
        QTRY_VERIFY(test_->document().run() && !test_->document().is_running());
    }

protected:
    LessonPlayer& player() { return *test_->window().findChild<LessonPlayer*>(); }
    /// What has the keys: the window where nothing in it has them.
    QWidget* focus() {
        return QApplication::focusWidget() ? QApplication::focusWidget()
                                           : static_cast<QWidget*>(&test_->window());
    }
    void open(const std::string& id) {
        const auto& all = shipped_lessons();
        begin_lesson(*test_, static_cast<int>(std::ranges::find(all, id, &Lesson::id) - all.begin()));
        QTRY_VERIFY(test_->find("lesson_text")->isVisible() && !test_->document().is_running());
    }
    /// Above the picture, where what leads to an open question is read before it.
    void read_to_question() {
        QTRY_VERIFY(player().open_question() && player().pages() > 1);
        while (player().page() + 1 < player().pages())
            player().read_on();
    }
};

/// Tests in which a person reads, guesses and goes on.
class GuessedLessonTest : public GivenLessonTest {
    Q_OBJECT
protected:
    QString said() { return test_->find<QTextBrowser>("lesson_text")->toPlainText(); }
    QString verdict() { return test_->find<QLabel>("lesson_verdict")->text(); }
    void guess_option(int option) {
        test_->find<QRadioButton>(qPrintable(QStringLiteral("lesson_option_%1").arg(option)))->click();
        press("lesson_guess");
    }
    void press(const char* id) {
        auto* button = test_->find<QPushButton>(id);
        QVERIFY2(button->isEnabled(), id);
        button->click();
        QTRY_VERIFY(!test_->document().is_running());
    }
};

}  // namespace headlight
