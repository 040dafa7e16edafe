#include "ui/panels/lesson_menu.h"

#include "core/lesson/shipped_lessons.h"
#include "ui/actions/actions.h"
#include "ui/models/menu_text.h"

#include <QMenu>

namespace headlight {

LessonMenu::LessonMenu(Actions& actions, QObject* parent)
    : QObject(parent), menu_(actions.menu(QStringLiteral("lesson_menu"))),
      this_lesson_(actions.menu(QStringLiteral("this_lesson_menu"))) {
    set_open(false);
    connect(&menu_, &QMenu::aboutToShow, this, &LessonMenu::add_lessons, Qt::SingleShotConnection);
    const auto bind = [this, &actions](const char* id, auto work) {
        actions.bind(QLatin1String(id), this, work);
    };
    bind("begin_lesson_folder", &LessonMenu::folder_asked);
    bind("begin_lesson_editor", &LessonMenu::editor_asked);
    bind("begin_quiz_before", [this] { emit quiz_asked(GivenAnswer::When::before); });
    bind("begin_quiz_after", [this] { emit quiz_asked(GivenAnswer::When::after); });
    bind("begin_progress", &LessonMenu::progress_asked);
}

void LessonMenu::set_open(bool open) { this_lesson_.menuAction()->setVisible(open); }

void LessonMenu::add_lessons() {
    constexpr int most_digit_entry = 9;
    QAction* around = menu_.actions().value(0);
    for (const Lesson& lesson : shipped_lessons()) {
        // The digit chooses it.
        const QString number =
            (lesson.order <= most_digit_entry ? QStringLiteral("&%1") : QStringLiteral("%1"))
                .arg(lesson.order);
        auto* entry = new QAction(tr("%1  %2 (%3 minutes)")
                                      .arg(number)
                                      .arg(menu_text(QString::fromStdString(lesson.title)))
                                      .arg(lesson.minutes),
                                  &menu_);
        entry->setObjectName(QStringLiteral("open_lesson_") + QString::fromStdString(lesson.id));
        entry->setToolTip(QString::fromStdString(lesson.summary));
        connect(entry, &QAction::triggered, this, [this, id = lesson.id] { emit lesson_asked(id); });
        menu_.insertAction(around, entry);
    }
}

}  // namespace headlight
