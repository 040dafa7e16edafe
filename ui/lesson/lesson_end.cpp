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

constexpr int most_digit = 9;  ///< a digit opens a lesson of the menu

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

/// "Right: 1 of 2 guesses, of 2 questions.", or that nobody guessed; nothing where a lesson asks nothing.
QString right_of_guesses(const LessonPlayer& player) {
    const auto& steps = player.lesson().steps;
    int asked = 0, guessed = 0, right = 0;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (!steps[step].question)
            continue;
        const std::optional<bool> result = player.result(step);
        ++asked;
        guessed += result.has_value();
        right += result.value_or(false);
    }
    if (asked == 0)
        return {};
    if (guessed == 0)
        return asked == 1 ? LessonPlayer::tr("The question was not guessed.")
                          : LessonPlayer::tr("None of the %1 questions was guessed.").arg(asked);
    return LessonPlayer::tr("Right: %1 of %2 guesses, of %3 questions.").arg(right).arg(guessed).arg(asked);
}

}  // namespace

QString end_text(const LessonPlayer& player) {
    const Lesson& lesson = player.lesson();
    const std::size_t place = place_in_course(lesson), course = shipped_lessons().size();
    QString text =
        QStringLiteral("**%1**\n\n")
            .arg(place < course ? LessonPlayer::tr("Lesson %1 of %2 is done.").arg(place + 1).arg(course)
                                : LessonPlayer::tr("The lesson is done."));
    QString list;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step) {
        const auto& question = lesson.steps[step].question;
        if (!question)
            continue;
        const std::optional<bool> result = player.result(step);
        const QString how = !result   ? LessonPlayer::tr("not guessed")
                            : *result ? LessonPlayer::tr("right")
                                      : LessonPlayer::tr("wrong");
        list += QStringLiteral("- %1 **%2**\n").arg(in_one_line(question->ask), how);
    }
    if (const QString sum = right_of_guesses(player); !sum.isEmpty())
        text += sum + QStringLiteral("\n\n") + list;
    return text;
}

QStringList end_lines(const LessonPlayer& player) {
    const auto& all = shipped_lessons();
    const std::size_t place = place_in_course(player.lesson());
    QStringList lines{place < all.size() ? LessonPlayer::tr("End of lesson %1").arg(place + 1)
                                         : LessonPlayer::tr("The end of the lesson")};
    if (const QString sum = right_of_guesses(player); !sum.isEmpty())
        lines += sum;
    if (place + 1 < all.size()) {
        const int number = static_cast<int>(place) + 2;
        lines += LessonPlayer::tr("Next: lesson %1, %2 (%3)")
                     .arg(number)
                     .arg(QString::fromStdString(all[place + 1].title),
                          number <= most_digit ? LessonPlayer::tr("Alt+L, %1").arg(number)
                                               : LessonPlayer::tr("Alt+L"));
    }
    return lines;
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
    connect(back, &QAbstractButton::clicked, this, &LessonEnd::begin_asked);
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
        if (isVisible())  // in a column that is away the keys stay where they are
            (has_next ? static_cast<QWidget*>(next_) : repeat_)->setFocus();
    }
    setVisible(is_shown);
}

}  // namespace headlight
