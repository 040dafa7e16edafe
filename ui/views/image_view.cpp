#include "ui/views/image_view.h"

#include "ui/views/figure_canvas.h"
#include "ui/views/map_bar.h"

#include <QVBoxLayout>

namespace headlight {

ImageView::ImageView(Document& document, QWidget* parent)
    : QWidget(parent), canvas_(new FigureCanvas(document, ViewKind::image)) {
    canvas_->setAccessibleName(tr("Image"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new MapBar(document, MapBar::Stages::patches, MapBar::Heads::all));
    layout->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
}

}  // namespace headlight
