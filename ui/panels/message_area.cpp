#include "ui/panels/message_area.h"

#include "ui/panels/banner.h"

#include <QEvent>
#include <QTimer>

#include <algorithm>
#include <chrono>

namespace headlight {
namespace {

constexpr int gap = 8;  // to the picture's edges
constexpr std::chrono::seconds long_enough_to_read{8};

/// What can be seen of a part, in the coordinates of the widget that it lies in.
QRect visible_part(const QWidget& part, const QWidget& whole) {
    QRect visible = part.rect();
    for (const QWidget* each = &part; each != &whole; each = each->parentWidget())
        visible = (visible & each->rect()).translated(each->pos());
    return visible & whole.rect();
}

}  // namespace

MessageArea::MessageArea(QWidget* views)
    : QWidget(views), passing_(new Banner(QStringLiteral("notice"))), until_gone_(new QTimer(this)) {
    add(passing_);
    until_gone_->setSingleShot(true);
    until_gone_->setInterval(long_enough_to_read);
    connect(until_gone_, &QTimer::timeout, passing_, &QWidget::hide);
    views->installEventFilter(this);
    place();
}

void MessageArea::add(Banner* message) {
    hold(message);
    connect(message, &Banner::said, this, [this, message] { bring_forward(message); });
}

void MessageArea::add_hint(QWidget* hint) { hold(hint); }

void MessageArea::hold(QWidget* message) {
    auto* holder = new QWidget(this);
    holder->hide();
    message->setParent(holder);
    message->installEventFilter(this);
    messages_.push_back({message, holder});
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

void MessageArea::set_picture(QWidget* picture) {
    if (picture_ == picture)
        return;
    if (picture_)
        picture_->removeEventFilter(this);
    picture_ = picture;
    picture_->installEventFilter(this);
    place();
}

const MessageArea::Message* MessageArea::first() const {
    const auto has_something_to_say = [](const Message& each) { return !each.said->isHidden(); };
    const auto found = std::ranges::find_if(messages_, has_something_to_say);
    return found == messages_.end() ? nullptr : &*found;
}

void MessageArea::show_first() {
    const Message* shown = first();
    for (const Message& each : messages_)
        each.holder->setVisible(&each == shown);
    place();
}

void MessageArea::place() {
    const QWidget& views = *parentWidget();
    const bool lies_here =
        picture_ && views.isAncestorOf(picture_);  // a view may stand in a window of its own
    QRect picture = lies_here ? visible_part(*picture_, views) : QRect();
    if (picture.isEmpty() || !picture_->isVisibleTo(&views))  // a view that has nothing to draw
        picture = views.rect();
    picture.adjust(gap, gap, -gap, -gap);
    const Message* shown = first();
    const int height = shown ? shown->said->heightForWidth(picture.width()) : 0;
    setGeometry(picture.left(), picture.bottom() + 1 - height, picture.width(), height);
    if (shown) {
        shown->holder->setGeometry(rect());
        shown->said->setGeometry(rect());
    }
    raise();
}

bool MessageArea::eventFilter(QObject* watched, QEvent* event) {
    const bool is_around = watched == parentWidget() || watched == picture_;
    switch (event->type()) {
    case QEvent::ShowToParent:
    case QEvent::HideToParent:
        is_around ? place() : show_first();
        break;
    case QEvent::Resize:
    case QEvent::Move:
        if (is_around)
            place();
        break;
    case QEvent::LayoutRequest:  // the message has become another one
        if (!is_around)
            place();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace headlight
