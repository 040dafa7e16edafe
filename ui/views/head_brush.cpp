#include "ui/views/head_brush.h"

#include "ui/models/document.h"

namespace headlight {

HeadBrush& HeadBrush::of(Document& document) {
    if (auto* existing = document.findChild<HeadBrush*>(QString(), Qt::FindDirectChildrenOnly))
        return *existing;
    return *new HeadBrush(document);
}

HeadBrush::HeadBrush(Document& document) : QObject(&document) {
    connect(&document, &Document::run_changed, this, [this] { set({}); });
}

void HeadBrush::set(std::set<Head> heads) {
    if (heads == heads_)
        return;
    heads_ = std::move(heads);
    emit changed();
}

}  // namespace headlight
