#include "ui/views/steps_view.h"

#include "ui/models/document.h"
#include "ui/views/figure_canvas.h"

#include <QVBoxLayout>

namespace headlight {

StepsView::StepsView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), canvas_(new FigureCanvas(document, ViewKind::steps)) {
    canvas_->setAccessibleName(tr("Decoding steps"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(canvas_);
    setFocusProxy(canvas_);
}

}  // namespace headlight
