#include "ui/panels/focus_ring.h"

#include "ui/panels/style_frames.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QStyle>

namespace headlight {
namespace {

class Ring : public QWidget {
public:
    explicit Ring(QWidget& around) : QWidget(&around) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setGeometry(around.rect());
        show();
        raise();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paint_focus(painter, rect(), 0, palette());
    }
};

bool needs_ring(const QWidget* widget) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(widget);
    return area && area->window()->testAttribute(Qt::WA_KeyboardFocusChange);
}

}  // namespace

FocusRing::FocusRing(QStyle& style) : QObject(&style) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusRing::follow(QWidget* focus) {
    if (around_)
        around_->removeEventFilter(this);
    delete ring_;
    around_ = needs_ring(focus) ? focus : nullptr;
    if (!around_)
        return;
    ring_ = new Ring(*around_);
    around_->installEventFilter(this);
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    if (watched == around_ && ring_ && event->type() == QEvent::Resize) {
        ring_->setGeometry(around_->rect());
        ring_->raise();
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace headlight
