#include "ui/lesson/lesson_end.h"

#include "core/lesson/shipped_lessons.h"
#include "ui/lesson/lesson_player.h"
#include "ui/views/describe.h"
#include "ui/views/wrapping_button.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headlight {
namespace {

/// Where a lesson stands in the course: its place from 0, or how many there are where it is none of them.
std::size_t place_in_course(const Lesson& lesson) {
    const auto& all = shipped_lessons();
    const auto at = std::ranges::find_if(
        all, [&](const Lesson& each) { return each.id == lesson.id && each.title == lesson.title; });
    return static_cast<std::size_t>(at - all.begin());
}

QString in_one_line(const std::string& text) {
    return QString::fromStdString(text).replace(u'\n', u' ').toHtmlEscaped();
}

}  // namespace

QString end_text(const LessonPlayer& player) {
    const Lesson& lesson = player.lesson();
    const std::size_t place = place_in_course(lesson), course = shipped_lessons().size();
    QString text =
        QStringLiteral("**%1**\n\n")
            .arg(place < course ? LessonPlayer::tr("Lesson %1 of %2 is done.").arg(place + 1).arg(course)
                                : LessonPlayer::tr("The lesson is done."));
    int asked = 0, guessed = 0, right = 0;
    QString list;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        const auto& question = lesson.steps[step].question;
        if (!question)
            continue;
        const std::optional<bool> result = player.result(step);
        ++asked;
        guessed += result.has_value();
        right += result.value_or(false);
        const QString how = !result   ? LessonPlayer::tr("not guessed")
                            : *result ? LessonPlayer::tr("right")
                                      : LessonPlayer::tr("wrong");
        list += QStringLiteral("- %1 **%2**\n").arg(in_one_line(question->ask), how);
    }
    if (asked > 0)
        text +=
            LessonPlayer::tr("Right: %1 of %2 guesses, of %3 questions.").arg(right).arg(guessed).arg(asked) +
            QStringLiteral("\n\n") + list;
    return text;
}

LessonEnd::LessonEnd(LessonPlayer& player, QWidget* parent)
    : QWidget(parent), player_(player), next_(new WrappingButton),
      repeat_(new QPushButton(tr("&Repeat this lesson"))) {
    describe(next_, QStringLiteral("lesson_following"), tr("Next lesson"), tr("Begins it"));
    describe(repeat_, QStringLiteral("lesson_repeat"), tr("Repeat this lesson"),
             tr("From its first step, with every question open again"));
    auto* back = new QPushButton(tr("Back to &Begin"));
    describe(back, QStringLiteral("lesson_to_begin"), tr("Back to Begin"),
             tr("What was open before the lesson, and the ways into the program"));
    next_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    next_->setFocusPolicy(Qt::StrongFocus);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    for (QWidget* way :
         {static_cast<QWidget*>(next_), static_cast<QWidget*>(repeat_), static_cast<QWidget*>(back)})
        column->addWidget(way);
    connect(next_, &QAbstractButton::clicked, this, [this] {
        if (const std::size_t following = place_in_course(player_.lesson()) + 1;
            following < shipped_lessons().size())
            player_.open(shipped_lessons()[following]);
    });
    connect(repeat_, &QAbstractButton::clicked, &player_, &LessonPlayer::repeat);
    connect(back, &QAbstractButton::clicked, &player_, &LessonPlayer::leave);
    hide();
}

void LessonEnd::refresh() {
    const bool is_shown = player_.is_open() && player_.is_ended();
    if (is_shown && isHidden()) {
        const std::size_t following = place_in_course(player_.lesson()) + 1;
        const bool has_next = following < shipped_lessons().size();
        if (has_next)
            next_->setText(
                tr("Next lesson: %1").arg(QString::fromStdString(shipped_lessons()[following].title)));
        next_->setVisible(has_next);
        show();
        (has_next ? static_cast<QWidget*>(next_) : repeat_)->setFocus();
    }
    setVisible(is_shown);
}

}  // namespace headlight
