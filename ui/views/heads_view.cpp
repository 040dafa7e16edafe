#include "ui/views/heads_view.h"

#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"

#include <QVBoxLayout>

namespace headlight {

HeadsView::HeadsView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), canvas_(new FigureCanvas(document, ViewKind::grid)) {
    canvas_->setAccessibleName(tr("All heads"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(canvas_);
    setFocusProxy(canvas_);
}

}  // namespace headlight
