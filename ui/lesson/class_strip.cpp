#include "ui/lesson/class_strip.h"

#include "ui/lesson/lesson_player.h"

#include <QFontInfo>

namespace headlight {

ClassStrip::ClassStrip(LessonPlayer& player, QWidget* parent) : QLabel(parent), player_(player) {
    setObjectName(QStringLiteral("class_strip"));
    setAccessibleName(tr("What the class is asked"));
    setWordWrap(true);
    setAlignment(Qt::AlignCenter);
    setMargin(8);
    QFont large = font();  // read from the last row
    large.setPointSizeF(1.7 * QFontInfo(large).pointSizeF());
    large.setBold(true);
    setFont(large);
    connect(&player_, &LessonPlayer::moved, this, &ClassStrip::refresh);
    connect(&player_, &LessonPlayer::told, this, &ClassStrip::refresh);
    hide();
}

void ClassStrip::set_wanted(bool wanted) {
    is_wanted_ = wanted;
    refresh();
}

void ClassStrip::refresh() {
    setVisible(is_wanted_ && player_.is_open());
    if (!player_.is_open())
        return;
    const LessonStep& step = player_.lesson().steps[player_.step()];
    if (const Question* question = player_.open_question())
        setText(QString::fromStdString(question->ask));
    else
        setText(player_.verdict() ? player_.verdict()->words : QString::fromStdString(step.title));
}

}  // namespace headlight
