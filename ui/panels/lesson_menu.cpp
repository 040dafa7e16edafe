#include "ui/panels/lesson_menu.h"

#include "core/lesson/shipped_lessons.h"
#include "ui/models/menu_text.h"

namespace headlight {

LessonMenu::LessonMenu(QWidget* parent)
    : QMenu(tr("&Lessons"), parent), this_lesson_(new QMenu(tr("&This lesson"), this)) {
    setObjectName(QStringLiteral("lesson_menu"));
    this_lesson_->setObjectName(QStringLiteral("this_lesson_menu"));
    set_open(false);
    connect(this, &QMenu::aboutToShow, this, [this] {
        if (isEmpty())
            fill();
    });
}

void LessonMenu::set_open(bool open) { this_lesson_->menuAction()->setVisible(open); }

void LessonMenu::fill() {
    constexpr int most_digit_entry = 9;
    for (const Lesson& lesson : shipped_lessons()) {
        // The digit chooses it.
        const QString number =
            (lesson.order <= most_digit_entry ? QStringLiteral("&%1") : QStringLiteral("%1"))
                .arg(lesson.order);
        QAction* entry = addAction(tr("%1  %2 (%3 minutes)")
                                       .arg(number)
                                       .arg(menu_text(QString::fromStdString(lesson.title)))
                                       .arg(lesson.minutes));
        entry->setObjectName(QStringLiteral("open_lesson_") + QString::fromStdString(lesson.id));
        entry->setToolTip(QString::fromStdString(lesson.summary));
        connect(entry, &QAction::triggered, this, [this, id = lesson.id] { emit lesson_asked(id); });
    }
    const auto add_entry = [&](const char* id, const QString& words, const auto& chosen) {
        QAction* entry = addAction(words);
        entry->setObjectName(QLatin1String(id));
        connect(entry, &QAction::triggered, this, chosen);
    };
    addSeparator();
    add_entry("begin_lesson_folder", tr("&Open a lesson's folder…"), &LessonMenu::folder_asked);
    add_entry("begin_lesson_editor", tr("&Make a lesson…"), &LessonMenu::editor_asked);
    addSeparator();
    add_entry("begin_quiz_before", tr("Questions &before the course…"),
              [this] { emit quiz_asked(GivenAnswer::When::before); });
    add_entry("begin_quiz_after", tr("Questions &after the course…"),
              [this] { emit quiz_asked(GivenAnswer::When::after); });
    add_entry("begin_progress", tr("&Progress…"), &LessonMenu::progress_asked);
    addSeparator();
    addMenu(this_lesson_);
}

}  // namespace headlight
