#include "ui/panels/message_area.h"

#include "ui/panels/banner.h"

#include <QEvent>
#include <QTimer>
#include <QVBoxLayout>

#include <chrono>

namespace headlight {
namespace {

constexpr int gap = 8;  // to the picture's edges and between messages
constexpr std::chrono::seconds long_enough_to_read{8};

}  // namespace

MessageArea::MessageArea(QWidget* picture)
    : QWidget(picture), messages_(new QVBoxLayout(this)), passing_(new Banner(QStringLiteral("notice"))),
      until_gone_(new QTimer(this)) {
    messages_->setContentsMargins(0, 0, 0, 0);
    messages_->setSpacing(gap);
    add(passing_);
    until_gone_->setSingleShot(true);
    until_gone_->setInterval(long_enough_to_read);
    connect(until_gone_, &QTimer::timeout, passing_, &QWidget::hide);
    picture->installEventFilter(this);
    place();
}

void MessageArea::add(QWidget* message) {
    messages_->addWidget(message);
    message->installEventFilter(this);
}

void MessageArea::say(const QString& text) {
    passing_->show_notice(text);
    until_gone_->start();
}

void MessageArea::place() {
    const QRect picture = parentWidget()->rect().adjusted(gap, gap, -gap, -gap);
    const bool is_empty = messages_->isEmpty();  // hidden messages do not count
    const int height = is_empty ? 0 : messages_->totalHeightForWidth(picture.width());
    setGeometry(picture.left(), picture.bottom() + 1 - height, picture.width(), height);
    raise();
}

bool MessageArea::event(QEvent* event) {
    const bool is_handled = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest)  // a message has come, gone or changed
        place();
    return is_handled;
}

bool MessageArea::eventFilter(QObject* watched, QEvent* event) {
    // A message is in its place as soon as it is shown, not when the layout is next asked.
    const bool is_shown = watched != parentWidget() && event->type() == QEvent::ShowToParent;
    if (is_shown || (watched == parentWidget() && event->type() == QEvent::Resize))
        place();
    return QWidget::eventFilter(watched, event);
}

}  // namespace headlight
