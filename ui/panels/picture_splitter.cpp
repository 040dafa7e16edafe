#include "ui/panels/picture_splitter.h"

#include <QEvent>

#include <algorithm>

namespace headlight {

PictureSplitter::PictureSplitter(QWidget* picture, QWidget* below, QWidget* parent)
    : QSplitter(Qt::Vertical, parent) {
    setChildrenCollapsible(false);
    addWidget(picture);
    addWidget(below);
    setStretchFactor(0, 3);
    setStretchFactor(1, 2);
    connect(this, &QSplitter::splitterMoved, this, [this] { is_shared_by_hand_ = true; });
}

bool PictureSplitter::event(QEvent* event) {
    const bool is_handled = QSplitter::event(event);
    if (event->type() == QEvent::LayoutRequest)  // also when the part below is shown
        share();
    return is_handled;
}

void PictureSplitter::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    share();
}

void PictureSplitter::share() {
    const QWidget& part = *widget(1);
    const bool has_one_height = part.sizePolicy().verticalPolicy() == QSizePolicy::Fixed;
    if (part.isHidden() || (is_shared_by_hand_ && !has_one_height))
        return;
    constexpr int lines = 22;  // of text: as high as a matrix whose labels can be read, with what is above it
    const int whole = sizes().value(0) + sizes().value(1);
    const int least = part.minimumSizeHint().height(), most = std::max(least, 2 * whole / 5);
    const int below =
        has_one_height ? least : std::clamp(whole - lines * fontMetrics().lineSpacing(), least, most);
    if (sizes().value(1) != below)
        setSizes({whole - below, below});
}

}  // namespace headlight
