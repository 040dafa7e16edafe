#include "ui/panels/lesson_menu.h"

#include "core/lesson/shipped_lessons.h"
#include "ui/actions/actions.h"
#include "ui/actions/context_menu.h"

namespace headlight {

LessonMenu::LessonMenu(Actions& actions, QObject* parent)
    : QObject(parent), menu_(actions.menu(QStringLiteral("lesson_menu"))),
      this_lesson_(actions.menu(QStringLiteral("this_lesson_menu"))) {
    set_open(false);
    connect(&menu_, &QMenu::aboutToShow, this, &LessonMenu::add_lessons, Qt::SingleShotConnection);
    actions.bind(QStringLiteral("begin_lesson_folder"), this, &LessonMenu::folder_asked);
}

void LessonMenu::set_open(bool open) { this_lesson_.menuAction()->setVisible(open); }

void LessonMenu::add_lessons() {
    constexpr int most_digit_entry = 9;
    QAction* around = menu_.actions().value(0);
    for (const Lesson& lesson : shipped_lessons()) {
        QAction* entry =
            make_action(QStringLiteral("open_lesson"), &menu_,
                        {QString::number(lesson.order), QString::fromStdString(lesson.title),
                         QString::number(lesson.minutes), QString::fromStdString(lesson.summary)},
                        QString::fromStdString(lesson.id));
        if (lesson.order > most_digit_entry)  // else its digit chooses it
            entry->setText(entry->text().mid(1));
        connect(entry, &QAction::triggered, this, [this, id = lesson.id] { emit lesson_asked(id); });
        menu_.insertAction(around, entry);
    }
}

}  // namespace headlight
