#include "ui/views/head_brush.h"

#include "ui/models/document.h"

#include <QEvent>
#include <QKeyEvent>

namespace headlight {

namespace {

/// Keys come to a window that nobody inside of it has taken.
class BrushEscape : public QObject {
public:
    BrushEscape(HeadBrush& brush, QWidget& panel) : QObject(&panel), brush_(brush), panel_(panel) {
        panel.installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == &panel_ && event->type() == QEvent::Show)
            panel_.window()->installEventFilter(this);
        if (watched == &panel_ && event->type() == QEvent::Hide)
            panel_.window()->removeEventFilter(this);
        const bool is_key = watched == panel_.window() && event->type() == QEvent::KeyPress;
        if (!is_key || brush_.heads().empty() ||
            !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Cancel))
            return QObject::eventFilter(watched, event);
        brush_.set({});
        return true;
    }

private:
    HeadBrush& brush_;
    QWidget& panel_;
};

}  // namespace

HeadBrush& HeadBrush::of(Document& document) {
    return document.companions().of<HeadBrush>([&document] { return new HeadBrush(document); });
}

HeadBrush::HeadBrush(Document& document) : QObject(&document) {
    connect(&document, &Document::run_changed, this, [this] { set({}); });
}

void HeadBrush::release_by_escape(QWidget& panel) { new BrushEscape(*this, panel); }

void HeadBrush::set(std::set<Head> heads) {
    if (heads == heads_)
        return;
    heads_ = std::move(heads);
    emit changed();
}

}  // namespace headlight
