#include "ui/panels/message_area.h"

#include "ui/panels/banner.h"

#include <QEvent>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <utility>

namespace headlight {
namespace {

constexpr int gap = 1;  // to the edges of the line, which has room for two lines of text
constexpr std::chrono::seconds long_enough_to_read{8};

}  // namespace

MessageArea::MessageArea(const MessageRoom& room)
    : QWidget(room.host), passing_(new Banner(QStringLiteral("notice"))), until_gone_(new QTimer(this)),
      room_(room) {
    setAutoFillBackground(true);  // what it lies over is not seen around its corners
    add(passing_);
    until_gone_->setSingleShot(true);
    until_gone_->setInterval(long_enough_to_read);
    connect(until_gone_, &QTimer::timeout, passing_, &QWidget::hide);
    for (QWidget* watched : parts_of_room())
        watched->installEventFilter(this);
    lie_over_room();
}

void MessageArea::lie_over(const MessageRoom& room) {
    if (room.host == room_.host)
        return;
    for (QWidget* left : parts_of_room())
        left->removeEventFilter(this);
    if (room_.own_line)
        room_.own_line->hide();
    room_ = room;
    setParent(room.host);
    for (QWidget* watched : parts_of_room())
        watched->installEventFilter(this);
    show_first();
}

std::vector<QWidget*> MessageArea::parts_of_room() const {
    std::vector<QWidget*> parts{room_.host, room_.line, room_.first, room_.last};
    if (room_.own_line)
        parts.push_back(room_.own_line);
    return parts;
}

void MessageArea::add(Banner* message) {
    hold(message, [message] { message->hide(); });
    connect(message, &Banner::said, this, [this, message] { bring_forward(message); });
}

void MessageArea::add_hint(QWidget* hint, std::function<void()> dismiss) { hold(hint, std::move(dismiss)); }

void MessageArea::hold(QWidget* message, std::function<void()> dismiss) {
    auto* holder = new QWidget(this);
    holder->hide();
    message->setParent(holder);
    message->installEventFilter(this);
    messages_.push_back({message, holder, std::move(dismiss)});
    show_first();
}

void MessageArea::bring_forward(const Banner* message) {
    const auto found = std::ranges::find(messages_, message, &Message::said);
    std::rotate(messages_.begin(), found, found + 1);
    show_first();
}

void MessageArea::say(const QString& text) {
    passing_->show_notice(text);
    until_gone_->start();
}

void MessageArea::take_back(const QString& text) {
    if (passing_->text() == text)
        hide_passing();
}

void MessageArea::hide_passing() { passing_->hide(); }

bool MessageArea::dismiss_shown() {
    const auto message = shown();
    if (message == messages_.end())
        return false;
    message->dismiss();
    return true;
}

std::vector<MessageArea::Message>::iterator MessageArea::shown() {
    return std::ranges::find_if(messages_, [](const Message& each) { return !each.said->isHidden(); });
}

void MessageArea::show_first() {
    const auto first = shown();
    for (auto each = messages_.begin(); each != messages_.end(); ++each)
        each->holder->setVisible(each == first);
    const bool has_any = first != messages_.end();
    setVisible(has_any);
    lie_over_room();
}

void MessageArea::lie_over_room() {
    const auto place_of = [this](const QWidget* part) {
        return QRect(part->mapTo(room_.host, QPoint()), part->size());
    };
    const QRect line = place_of(room_.line);
    QRect area = place_of(room_.first).united(place_of(room_.last));
    area.setTop(line.top());
    area.setBottom(line.bottom());
    if (room_.own_line) {
        const bool has_own_line = room_.needs_own_line();
        room_.own_line->setVisible(has_own_line && shown() != messages_.end());
        if (has_own_line)
            area = place_of(room_.own_line);
    }
    setGeometry(area.adjusted(gap, gap, -gap, -gap));
    for (const Message& each : messages_) {
        each.holder->setGeometry(rect());
        each.said->setGeometry(rect());
    }
    raise();
}

bool MessageArea::eventFilter(QObject* watched, QEvent* event) {
    const bool is_around = std::ranges::count(parts_of_room(), watched) > 0;
    switch (event->type()) {
    case QEvent::ShowToParent:
    case QEvent::HideToParent:
        if (!is_around)
            show_first();
        break;
    case QEvent::Resize:
    case QEvent::Move:
        if (is_around)
            lie_over_room();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace headlight
