#include "ui/lesson/class_strip.h"

#include "ui/lesson/lesson_player.h"
#include "ui/lesson/options_box.h"

#include <QFontInfo>
#include <QShortcut>

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
    for (int option = 0; option < 9; ++option) {
        auto* key = new QShortcut(QKeySequence(Qt::Key_1 + option), this);
        connect(key, &QShortcut::activated, this, [this, option] {
            player_.answer({Guess{.option = static_cast<std::size_t>(option)}});
        });
        keys_.push_back(key);
    }
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
    const Question* open = player_.is_open() ? player_.open_question() : nullptr;
    for (std::size_t option = 0; option < keys_.size(); ++option)  // else a digit chooses a head
        keys_[option]->setEnabled(is_wanted_ && open && option < open->options.size());
    if (!player_.is_open())
        return;
    const LessonStep& step = player_.lesson().steps[player_.step()];
    const auto& verdict = player_.verdict();
    if (player_.is_ended()) {
        setText(bold(tr("The end of the lesson")));
    } else if (open) {
        QString text = bold(QString::fromStdString(open->ask));
        if (!open->options.empty())
            text += QStringLiteral("<br>") + numbered_options(*open).join(tr(" · ")).toHtmlEscaped();
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
