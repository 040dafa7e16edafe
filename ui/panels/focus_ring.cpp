#include "ui/panels/focus_ring.h"

#include "ui/panels/style_frames.h"
#include "ui/panels/takes_text.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QFocusEvent>
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
    qApp->installEventFilter(this);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusRing::follow(QWidget* focus) {
    delete ring_;
    around_ = needs_ring(focus) ? focus : nullptr;
    if (around_)
        ring_ = new Ring(*around_);
}

void FocusRing::take_frame_from(QWidget& clicked) {
    QWidget& window = *clicked.window();
    if (takes_text(&clicked) || !window.testAttribute(Qt::WA_KeyboardFocusChange))
        return;
    window.setAttribute(Qt::WA_KeyboardFocusChange, false);
    clicked.update();
    follow(&clicked);
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Resize:
        if (watched == around_ && ring_) {
            ring_->setGeometry(around_->rect());
            ring_->raise();
        }
        break;
    case QEvent::FocusIn:
        if (auto* widget = qobject_cast<QWidget*>(watched);
            widget && static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason)
            take_frame_from(*widget);
        break;
    case QEvent::MouseButtonPress:
        // On what has the keys already.
        if (QWidget* focus = QApplication::focusWidget();
            focus && (watched == focus || focus->isAncestorOf(qobject_cast<QWidget*>(watched))))
            take_frame_from(*focus);
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace headlight
