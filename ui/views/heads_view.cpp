#include "ui/views/heads_view.h"

#include "ui/views/figure_canvas.h"
#include "ui/views/map_bar.h"

#include <QVBoxLayout>

namespace headlight {

HeadsView::HeadsView(Document& document, QWidget* parent)
    : QWidget(parent), canvas_(new FigureCanvas(document, ViewKind::grid)) {
    canvas_->setAccessibleName(tr("All heads"));
    canvas_->set_click_action(FigureCanvas::ClickAction::enlarge);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(new MapBar(document, MapBar::Stages::maps, MapBar::Heads::all));
    layout->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
}

}  // namespace headlight
