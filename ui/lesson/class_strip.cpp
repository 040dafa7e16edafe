#include "ui/lesson/class_strip.h"

#include "ui/lesson/lesson_player.h"
#include "ui/lesson/options_box.h"

#include <QFontInfo>

namespace headlight {
namespace {

QString bold(const QString& text) { return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped()); }

}  // namespace

ClassStrip::ClassStrip(LessonPlayer& player, QWidget* parent) : QLabel(parent), player_(player) {
    setObjectName(QStringLiteral("class_strip"));
    setAccessibleName(tr("What the class is asked"));
    setTextFormat(Qt::RichText);
    setWordWrap(true);
    setAlignment(Qt::AlignCenter);
    setMargin(8);
    QFont large = font();  // read from the last row
    large.setPointSizeF(1.5 * QFontInfo(large).pointSizeF());
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
    const auto& verdict = player_.verdict();
    if (player_.is_ended()) {
        setText(bold(tr("The end of the lesson")));
    } else if (const Question* question = player_.open_question()) {
        QString text = bold(QString::fromStdString(question->ask));
        if (!question->options.empty())
            text += QStringLiteral("<br>") + numbered_options(*question).join(tr(" · ")).toHtmlEscaped();
        setText(text);
    } else if (verdict) {
        setText(QStringLiteral("%1<br>%2 %3")
                    .arg(QString::fromStdString(step.question->ask).toHtmlEscaped(),
                         bold(verdict->judgement()), verdict->because.toHtmlEscaped()));
    } else {
        setText(bold(QString::fromStdString(step.title)));
    }
}

}  // namespace headlight
