#include "ui/views/map_view.h"

#include "core/figure/view.h"
#include "ui/models/document.h"
#include "ui/views/axes_bar.h"
#include "ui/views/figure_canvas.h"
#include "ui/views/head_swatches.h"
#include "ui/views/line_focus.h"
#include "ui/views/lines_bar.h"
#include "ui/views/map_bar.h"
#include "ui/views/without_thumbnails.h"

#include <QKeyEvent>
#include <QVBoxLayout>

namespace headlight {
MapView::MapView(Document& document, ViewKind kind, QWidget* parent)
    : QWidget(parent), canvas_(new FigureCanvas(document, kind)), bar_(new MapBar(document, kind)) {
    const View& shown = view(kind);
    canvas_->setAccessibleName(QString::fromStdString(shown.title));
    if (shown.all_heads && shown.stages != View::Stages::patches)
        canvas_->set_click_action(FigureCanvas::ClickAction::enlarge);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar_);
    if (shown.chooses_axes)
        layout->addWidget(new AxesBar(document));
    if (shown.overlays_heads)
        layout->addWidget(heads_ = new HeadSwatches(document));
    auto* of_lines = new LinesBar;
    layout->addWidget(canvas_, 1);
    layout->addWidget(of_lines);
    of_lines->hide();
    setFocusProxy(canvas_);
    lines_ = new LineFocus(document, *canvas_, *of_lines);
    canvas_->set_filter([this](const Figure& figure) {
        Figure reduced = without_thumbnails(figure);
        lines_->filter(reduced);
        if (heads_)
            heads_->show_heads(reduced);
        return reduced;
    });
}

void MapView::keyPressEvent(QKeyEvent* event) {
    if (!event->matches(QKeySequence::Cancel) || !lines_->release())
        QWidget::keyPressEvent(event);
}

}  // namespace headlight
