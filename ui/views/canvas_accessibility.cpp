#include "ui/views/canvas_accessibility.h"

#include "ui/views/figure_canvas.h"

#include <QAccessibleWidget>

namespace headlight {
namespace {

class AccessibleCanvas : public QAccessibleWidget {
public:
    explicit AccessibleCanvas(FigureCanvas* canvas) : QAccessibleWidget(canvas, QAccessible::Graphic) {}

    QString text(QAccessible::Text kind) const override {
        const auto* canvas = static_cast<const FigureCanvas*>(widget());
        if (kind == QAccessible::Description && canvas->figure())
            return QString::fromStdString(canvas->figure()->description);
        if (kind == QAccessible::Value) {
            const auto place = canvas->current_place();
            return place ? canvas->sentence(*place) : QString();
        }
        return QAccessibleWidget::text(kind);
    }
};

QAccessibleInterface* make_interface(const QString&, QObject* object) {
    auto* canvas = qobject_cast<FigureCanvas*>(object);
    return canvas ? new AccessibleCanvas(canvas) : nullptr;
}

}  // namespace

void make_canvases_accessible() {
    static const bool installed = [] {
        QAccessible::installFactory(make_interface);
        return true;
    }();
    static_cast<void>(installed);
}

void announce_cell(FigureCanvas& canvas) {
    if (!QAccessible::isActive())
        return;
    const auto place = canvas.current_place();
    QAccessibleValueChangeEvent event(&canvas, place ? canvas.sentence(*place) : QString());
    QAccessible::updateAccessibility(&event);
}

}  // namespace headlight
